//! The tus protocol for resumable uploads (version 1.0.0, <https://tus.io/protocols/resumable-upload>): its headers.

use aerie_domain::{ApiErrorCode, Layout};
use aerie_storage::Upload;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::error::ApiError;
use crate::upload_paths;
use crate::uploads::MAX_SIZE;

/// Type of the body of a part.
pub(crate) const PART: &str = "application/offset+octet-stream";

const VERSION: &str = "1.0.0";
const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const METADATA: HeaderName = HeaderName::from_static("upload-metadata");
/// Longest name of a file, characters.
const MAX_NAME: usize = 255;

/// Whether the client speaks the protocol.
///
/// # Errors
/// If it speaks another version.
pub(crate) fn is_spoken(headers: &HeaderMap) -> Result<bool, ApiError> {
    match headers.get(RESUMABLE) {
        None => Ok(false),
        Some(version) if version == VERSION => Ok(true),
        Some(_) => Err(refused("`Tus-Resumable` must be 1.0.0")),
    }
}

/// # Errors
/// If a photo sent as a whole gives a size like the first request of an upload in parts.
pub(crate) fn check_whole(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.contains_key("Upload-Length") {
        true => Err(refused(
            "`Upload-Length` needs the header `Tus-Resumable: 1.0.0`; leave it out to send the photo as a whole",
        )),
        false => Ok(()),
    }
}

/// The number in a header.
pub(crate) fn number(headers: &HeaderMap, name: &'static str) -> Result<u64, ApiError> {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    let value = value.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    value.and_then(|text| text.parse().ok()).ok_or_else(|| refused(format!("`{name}` must be a number of bytes")))
}

/// The client's name for the file: `filename` of `Upload-Metadata`.
pub(crate) fn filename(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(metadata) = headers.get(METADATA) else { return Ok(None) };
    let wrong = || refused("`Upload-Metadata` must be pairs of a key and its value in Base64, separated by commas");
    let metadata = metadata.to_str().map_err(|_| wrong())?;
    for pair in metadata.split(',') {
        let (key, value) = pair.trim().split_once(' ').unwrap_or((pair.trim(), ""));
        if key == "filename" {
            let bytes = BASE64_STANDARD.decode(value.trim()).map_err(|_| wrong())?;
            return name_of(&String::from_utf8(bytes).map_err(|_| wrong())?);
        }
    }
    Ok(None)
}

/// A valid name of a file; `None` if it is blank.
pub(crate) fn name_of(name: &str) -> Result<Option<String>, ApiError> {
    let name = name.trim();
    if name.chars().count() > MAX_NAME {
        return Err(refused(format!("`filename` must be at most {MAX_NAME} characters long")));
    }
    Layout::Line.check(name).map_err(|bad| refused(format!("`filename` {bad}")))?;
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}

/// Whether the body is of this type.
pub(crate) fn is_type(headers: &HeaderMap, wanted: &str) -> bool {
    let given = headers.get(axum::http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(wanted))
}

/// A response to a client that may speak the protocol.
pub(crate) fn answered(result: Result<Response, ApiError>) -> Response {
    let mut response = result.into_response();
    response.headers_mut().insert(RESUMABLE, HeaderValue::from_static(VERSION));
    response
}

/// Adds what the protocol says of an upload. `base` is the path under which clients reach the service.
pub(crate) fn describe(upload: &Upload, base: &str, response: &mut Response) {
    let expires = upload.expiry().map(|at| ("upload-expires", at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()));
    let headers = [
        ("upload-offset", upload.received().to_string()),
        ("upload-length", upload.size.to_string()),
        ("location", format!("{base}{}{}", upload_paths::OF_ONE, upload.id)),
    ];
    for (name, value) in headers.into_iter().chain(expires) {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

/// Adds what the service supports.
pub(crate) fn announce(response: &mut Response) {
    let headers = [
        ("tus-version", VERSION.to_owned()),
        ("tus-extension", "creation,creation-with-upload,expiration,termination".to_owned()),
        ("tus-max-size", MAX_SIZE.to_string()),
    ];
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

fn refused(message: impl Into<String>) -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn the_name_of_a_file_is_read_from_the_metadata_and_a_hostile_one_is_refused() {
        let name = |metadata: &str| filename(&with("upload-metadata", metadata)).map_err(|_| ());
        assert_eq!(name("filetype aW1hZ2UvanBlZw==,filename a8O8Y2hlLmpwZw=="), Ok(Some("küche.jpg".into())));
        assert_eq!(name("is_confidential"), Ok(None));
        assert_eq!(filename(&HeaderMap::new()).map_err(|_| ()), Ok(None));
        // Not Base64, not UTF-8, a line break.
        for wrong in ["filename a.jpg", "filename /w==", "filename YQpi"] {
            assert_eq!(name(wrong), Err(()), "{wrong}");
        }
        assert_eq!(name_of(&"a".repeat(256)).map_err(|_| ()), Err(()));
    }

    #[test]
    fn an_offset_is_a_number_of_bytes() {
        let offset = |value: &str| number(&with("upload-offset", value), "upload-offset").map_err(|_| ());
        assert_eq!(offset("0"), Ok(0));
        for wrong in ["", "-1", "+1", "1.0", "99999999999999999999", " 1"] {
            assert_eq!(offset(wrong), Err(()), "{wrong}");
        }
    }
}
