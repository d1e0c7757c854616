//! `GET /media/{key}`: media by signed link, with range requests, so that players can seek.

use std::ops::Range;
use std::sync::Arc;

use aerie_storage::{MEDIA_CACHE_CONTROL, media_type};
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;

use crate::binary::Binary;
use crate::conditional::has_current;
use crate::envelope::ErrorEnvelope;
use crate::error::ApiError;
use crate::extract::Parameters;
use crate::{ApiState, Delivery};

/// Get media
///
/// Downloads a file by the signed link in the job's `output`. No key is needed. Links expire after 7 days. Range requests are
/// supported.
#[utoipa::path(
    get,
    path = "/media/{key}",
    operation_id = "get_media",
    tag = "Media",
    params(
        ("key" = String, Path, description = "Key of the file, as in the link; it may contain slashes"),
        ("expires" = Option<String>, Query, description = "As in the link"),
        ("signature" = Option<String>, Query, description = "As in the link"),
        ("Range" = Option<String>, Header, description = "One byte range", example = "bytes=0-1023"),
    ),
    responses(
        (status = 200, description = "The file", content_type = "application/octet-stream", body = inline(Binary)),
        (status = 206, description = "The requested range", content_type = "application/octet-stream", body = inline(Binary)),
        (status = 302, description = "The file is at `Location`, for at most 5 minutes"),
        (status = 304, description = "The client has the current version"),
        (status = 400, description = "A parameter is repeated or has control characters", body = ErrorEnvelope),
        (status = 403, description = "The link is invalid or has expired", body = ErrorEnvelope),
        (status = 404, description = "The file is no longer kept", body = ErrorEnvelope),
        (status = 416, description = "The range is not satisfiable"),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn get_media(
    State(state): State<Arc<ApiState>>,
    method: Method,
    Path(key): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let parameters = Parameters::parse(query.as_deref().unwrap_or_default());
    let expires = parameters.text("expires")?.and_then(|text| text.parse().ok()).unwrap_or(0);
    let signature = parameters.text("signature")?.unwrap_or_default();
    state.links.check(&key, expires, signature, state.clock.now())?;

    let found = state.media.media_head(&key).await?;
    let etag = format!("\"{}\"", found.etag);
    let modified = http_date(found.modified);
    let is_current = has_current(&headers, &etag);
    if state.delivery == Delivery::Redirect
        && !is_current
        && !is_read_by_own_page(&headers)
        && let Some(link) = state.media.media_direct_link(&key, method == Method::HEAD).await?
    {
        // The link is valid for a shorter time than ours: the next request has to ask for another.
        let mut response = (StatusCode::FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response();
        insert(&mut response, header::LOCATION, &link);
        return Ok(response);
    }
    let mut response = if is_current {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match requested(&headers, found.size, &etag, &modified) {
            Requested::Whole => {
                let content = content(&state, &method, &key, None).await?;
                with_length(StatusCode::OK, content, found.size, media_type(&key))
            }
            Requested::Part(range) => {
                let content = content(&state, &method, &key, Some(range.clone())).await?;
                let length = range.end - range.start;
                let mut response = with_length(StatusCode::PARTIAL_CONTENT, content, length, media_type(&key));
                let place = format!("bytes {}-{}/{}", range.start, range.end - 1, found.size);
                insert(&mut response, header::CONTENT_RANGE, &place);
                response
            }
            Requested::Unsatisfiable => {
                let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
                insert(&mut response, header::CONTENT_RANGE, &format!("bytes */{}", found.size));
                response
            }
        }
    };
    insert(&mut response, header::ETAG, &etag);
    insert(&mut response, header::LAST_MODIFIED, &modified);
    insert(&mut response, header::ACCEPT_RANGES, "bytes");
    insert(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    insert(&mut response, header::CACHE_CONTROL, MEDIA_CACHE_CONTROL);
    Ok(response)
}

/// Whether a page of this server reads the file, rather than shows it: the console draws on pictures. The bucket would not let it.
fn is_read_by_own_page(headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|it| it.as_bytes() == value.as_bytes());
    is("Sec-Fetch-Site", "same-origin") && is("Sec-Fetch-Mode", "cors")
}

async fn content(state: &ApiState, method: &Method, key: &str, range: Option<Range<u64>>) -> Result<Body, ApiError> {
    if method == Method::HEAD {
        return Ok(Body::empty());
    }
    Ok(Body::from_stream(state.media.media_get(key, range).await?.content))
}

fn with_length(status: StatusCode, content: Body, length: u64, content_type: &'static str) -> Response {
    let headers = [
        (header::CONTENT_LENGTH, HeaderValue::from(length)),
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
    ];
    (status, headers, content).into_response()
}

fn insert(response: &mut Response, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn http_date(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[derive(Debug, PartialEq, Eq)]
enum Requested {
    Whole,
    Part(Range<u64>),
    Unsatisfiable,
}

/// The requested bytes. As RFC 9110 allows, the response is the whole file for several ranges, for a malformed range, and where
/// the client has another version (`If-Range`).
fn requested(headers: &HeaderMap, size: u64, etag: &str, modified: &str) -> Requested {
    if let Some(condition) = headers.get(header::IF_RANGE)
        && condition.as_bytes() != etag.as_bytes()
        && condition.as_bytes() != modified.as_bytes()
    {
        return Requested::Whole;
    }
    let given = headers.get(header::RANGE).and_then(|value| value.to_str().ok());
    let Some((first, last)) = given.and_then(|text| text.strip_prefix("bytes=")).and_then(|text| text.split_once('-'))
    else {
        return Requested::Whole;
    };
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that overflows lies beyond the end of any file.
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let range = match (number(first.trim()), number(last.trim())) {
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(size),
        (Some(first), None) if last.trim().is_empty() => first..size,
        (None, Some(suffix)) if first.trim().is_empty() => size.saturating_sub(suffix)..size,
        _ => return Requested::Whole,
    };
    if range.start < range.end { Requested::Part(range) } else { Requested::Unsatisfiable }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Requested {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, text.parse().unwrap());
        requested(&headers, 100, "\"tag\"", "date")
    }

    #[test]
    fn ranges_are_parsed_as_in_rfc_9110() {
        for (text, expected) in [
            ("bytes=0-9", Requested::Part(0..10)),
            ("bytes=90-", Requested::Part(90..100)),
            ("bytes=-5", Requested::Part(95..100)),
            ("bytes=-500", Requested::Part(0..100)),
            ("bytes=50-5000", Requested::Part(50..100)),
            ("bytes=99-99", Requested::Part(99..100)),
            ("bytes=100-", Requested::Unsatisfiable),
            ("bytes=-0", Requested::Unsatisfiable),
            ("bytes=99999999999999999999999-", Requested::Unsatisfiable),
            ("bytes=9-0", Requested::Whole),
            ("bytes=a-b", Requested::Whole),
            ("bytes=", Requested::Whole),
            ("bytes=-", Requested::Whole),
            ("bytes=0-1,5-6", Requested::Whole),
            ("lines=0-9", Requested::Whole),
        ] {
            assert_eq!(range(text), expected, "{text}");
        }
    }

    #[test]
    fn a_range_of_another_version_returns_the_whole_file() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static("bytes=0-9"));
        headers.insert(header::IF_RANGE, HeaderValue::from_static("\"other\""));
        assert_eq!(requested(&headers, 100, "\"tag\"", "date"), Requested::Whole);
        headers.insert(header::IF_RANGE, HeaderValue::from_static("\"tag\""));
        assert_eq!(requested(&headers, 100, "\"tag\"", "date"), Requested::Part(0..10));
    }
}
