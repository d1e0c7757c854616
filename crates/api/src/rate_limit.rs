//! Rate limit headers of draft-ietf-httpapi-ratelimit-headers-10.

use aerie_storage::Verdict;
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// The response to a request over the limit.
pub(crate) fn refusal(retry_after: u32, verdict: &Verdict) -> ApiError {
    refused("This key may make", "requests", (retry_after, verdict))
}

/// The response to a preview over the limit.
pub(crate) fn refusal_of_preview(retry_after: u32, verdict: &Verdict) -> ApiError {
    refused("The organization may submit", "previews", (retry_after, verdict))
}

fn refused(who: &str, what: &str, (retry_after, verdict): (u32, &Verdict)) -> ApiError {
    let (limit, when) = match verdict.day.remaining {
        0 => (verdict.day.limit, "a day (UTC)"),
        _ => (verdict.minute.limit, "in 60 seconds"),
    };
    let message = format!("{who} {limit} {what} {when}; try again in {retry_after} s");
    ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(retry_after)
}

/// Adds `RateLimit-Policy` (`q`: requests allowed, `w`: window in seconds) and `RateLimit` (`r`: requests left, `t`: seconds
/// until the window resets).
pub(crate) fn add_headers(verdict: &Verdict, headers: &mut HeaderMap) {
    let (minute, day) = (verdict.minute, verdict.day);
    let policy = format!("\"minute\";q={};w=60, \"day\";q={};w=86400", minute.limit, day.limit);
    let left = format!(
        "\"minute\";r={};t={}, \"day\";r={};t={}",
        minute.remaining, minute.resets_in, day.remaining, day.resets_in
    );
    for (name, value) in [(POLICY, policy), (LEFT, left)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
}
