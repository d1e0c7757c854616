//! Checks on every request and headers on every response: HTTPS, size limits, and protection against misinterpretation by
//! browsers.

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::transport::{Channel, Overloaded};

/// Maximum size of path and query, and of all headers together, bytes.
const MAX_URI: usize = 8 << 10;
const MAX_HEADERS: usize = 16 << 10;

/// `Retry-After` under overload, seconds.
const RETRY_AFTER: u32 = 1;

/// Refuses plain HTTP from other machines and requests under overload, and adds protective headers.
pub(crate) async fn protect<F: Future<Output = Response>>(
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    // The transport sets the channel. Without a transport, the caller is this process.
    let channel = request.extensions().get().copied().unwrap_or(Channel::Loopback);
    let is_health = matches!(request.uri().path(), "/healthz" | "/readyz");
    let mut response = if channel == Channel::Open && !is_health {
        let message = "Requests are made over HTTPS only; a trusted proxy says so with X-Forwarded-Proto: https";
        ApiError::with_message(ApiErrorCode::Forbidden, message).into_response()
    } else if request.extensions().get::<Overloaded>().is_some() && !is_health {
        let message = "The service is overloaded; try again later";
        ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER).into_response()
    } else {
        next(request).await
    };
    add_headers(response.headers_mut(), channel);
    response
}

/// Adds protective headers to the responses of the admin listener. It refuses nobody: who reads the metrics is checked where
/// they are.
pub(crate) async fn protect_admin<F: Future<Output = Response>>(
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let mut response = next(request).await;
    add_headers(response.headers_mut(), Channel::Open);
    response
}

/// Refuses a request whose head is too large.
pub(crate) async fn bound_head<F: Future<Output = Response>>(
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    match check_head(request.uri(), request.headers()) {
        Ok(()) => next(request).await,
        Err(message) => ApiError::with_message(ApiErrorCode::ValidationError, message).into_response(),
    }
}

fn check_head(uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
    let uri = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
    if uri > MAX_URI {
        return Err("The path and the query must be at most 8 KiB (8,192 bytes) long together");
    }
    let headers: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if headers > MAX_HEADERS {
        return Err("The headers must be at most 16 KiB (16,384 bytes) long together");
    }
    Ok(())
}

fn add_headers(headers: &mut HeaderMap, channel: Channel) {
    let mut add = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    add(X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(X_FRAME_OPTIONS, "DENY");
    add(REFERRER_POLICY, "no-referrer");
    add(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    add(CACHE_CONTROL, "no-store");
    if channel == Channel::Secure {
        add(STRICT_TRANSPORT_SECURITY, "max-age=63072000");
    }
}
