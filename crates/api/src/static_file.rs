//! Files that do not change while the server runs. Each is made and compressed once, and all connections that send it share its
//! bytes.

use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::conditional;

/// A file, plain and compressed.
#[derive(Debug)]
pub(crate) struct StaticFile {
    content_type: HeaderValue,
    plain: Encoded,
    /// Absent if it is not smaller.
    gzip: Option<Encoded>,
}

#[derive(Debug)]
struct Encoded {
    bytes: Bytes,
    etag: String,
}

impl StaticFile {
    /// Compresses the file, which takes about 50 ms per MiB.
    ///
    /// # Errors
    /// When the content type is not a valid header.
    pub(crate) fn new(content_type: &str, bytes: Bytes) -> std::io::Result<Self> {
        let content_type = HeaderValue::from_str(content_type).map_err(std::io::Error::other)?;
        let hash: String = Sha256::digest(&bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        let gzip = encoder.finish()?;
        let gzip = (gzip.len() < bytes.len()).then(|| Encoded { bytes: gzip.into(), etag: format!("\"{hash}-gzip\"") });
        Ok(Self { content_type, plain: Encoded { bytes, etag: format!("\"{hash}\"") }, gzip })
    }

    /// Answers a request with these headers.
    pub(crate) fn response(&self, request: &HeaderMap) -> Response {
        let compressed = self.gzip.as_ref().filter(|_| accepts_gzip(request));
        let encoded = compressed.unwrap_or(&self.plain);
        let mut response = match conditional::has_current(request, &encoded.etag) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => {
                let mut response = Body::from(encoded.bytes.clone()).into_response();
                response.headers_mut().insert(header::CONTENT_TYPE, self.content_type.clone());
                if compressed.is_some() {
                    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                }
                response
            }
        };
        let headers = response.headers_mut();
        if let Ok(etag) = HeaderValue::from_str(&encoded.etag) {
            headers.insert(header::ETAG, etag);
        }
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        // The next version of the server may serve another file under this name.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        response
    }
}

/// Whether `Accept-Encoding` allows gzip and prefers no encoding less.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let (mut gzip, mut any, mut identity) = (None, None, None);
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    for item in lines.flat_map(|line| line.split(',')) {
        let (coding, parameter) = item.split_once(';').unwrap_or((item, ""));
        let weight = parameter.trim().strip_prefix("q=").or(parameter.trim().strip_prefix("Q="));
        let weight: f32 = weight.map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
        match coding.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => gzip = Some(weight),
            "*" => any = Some(weight),
            "identity" => identity = Some(weight),
            _ => {}
        }
    }
    gzip.or(any).is_some_and(|weight| weight > 0.0 && weight >= identity.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn encodings_are_negotiated_as_in_rfc_9110() {
        for (value, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0, *", false),
            ("gzip; q=0.1, identity", false),
            ("identity;q=0.5, gzip;q=0.5", true),
            ("br", false),
            ("", false),
            ("gzip;q=x", false),
        ] {
            assert_eq!(accepts_gzip(&accepting(value)), expected, "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_file_that_compression_does_not_shrink_is_sent_as_it_is() {
        let file = StaticFile::new("image/png", Bytes::from_static(b"x")).unwrap();
        let response = file.response(&accepting("gzip"));
        assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
    }

    #[tokio::test]
    async fn connections_share_the_bytes_of_a_file() {
        let bytes = Bytes::from("abc".repeat(1000));
        let file = StaticFile::new("text/css", bytes.clone()).unwrap();
        let body = axum::body::to_bytes(file.response(&HeaderMap::new()).into_body(), usize::MAX).await.unwrap();
        assert_eq!(body.as_ptr(), bytes.as_ptr());
    }
}
