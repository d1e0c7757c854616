//! Conditional requests (RFC 9110, section 13).

use axum::http::{HeaderMap, header};

/// Whether `If-None-Match` names this entity tag, so that the client's copy is current.
pub(crate) fn has_current(headers: &HeaderMap, etag: &str) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = lines.flat_map(|line| line.split(',')).map(|tag| tag.trim().trim_start_matches("W/"));
    tags.any(|tag| tag == etag || tag == "*")
}
