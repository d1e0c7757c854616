//! Who may use the console for operators, and from where.

use std::sync::Arc;

use aerie_domain::{OperatorKeyRecord, SessionToken};
use aerie_storage::Counted;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::console::OperatorConsole;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::transport::Channel;
use crate::{rate_limit, sessions};

/// The operator of a request.
#[derive(Debug, Clone)]
pub(super) struct Operator {
    pub(super) key: OperatorKeyRecord,
    pub(super) token: SessionToken,
}

/// Refuses requests from other machines: the admin listener has no TLS, and a key or a cookie must not travel without it.
pub(super) async fn from_this_machine(request: Request, next: Next) -> Response {
    let channel = request.extensions().get::<Channel>().copied().unwrap_or(Channel::Loopback);
    if is_local(channel, request.headers()) {
        return next.run(request).await;
    }
    let message = "The operator console answers only this machine, because the admin listener has no TLS: open it through a tunnel \
                   (ssh -L 9464:127.0.0.1:9464 SERVER), or put a proxy with TLS on this machine";
    ApiError::with_message(ApiErrorCode::Forbidden, message).into_response()
}

fn is_local(channel: Channel, headers: &HeaderMap) -> bool {
    let is_plain = |value: &HeaderValue| !value.as_bytes().eq_ignore_ascii_case(b"https");
    channel != Channel::Open && !headers.get_all("x-forwarded-proto").iter().any(is_plain)
}

/// Requires an operator's session, and counts the request against the limits of its key.
pub(super) async fn by_operator(
    State(console): State<Arc<OperatorConsole>>,
    mut request: Request,
    next: Next,
) -> Response {
    let admitted = admitted(&console, request.method(), request.headers()).await;
    match admitted {
        Ok(operator) => {
            request.extensions_mut().insert(operator);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

async fn admitted(console: &OperatorConsole, method: &Method, headers: &HeaderMap) -> Result<Operator, ApiError> {
    let state = &console.state;
    let found = sessions::OPERATORS.require(&*state.store, method, headers).await?;
    let key = state.store.operator_key_find(found.key).await?.ok_or_else(|| sessions::OPERATORS.over())?;
    let verdict = state.limiter.request_admit(Counted::Operator(key.id), sessions::RATES).await?;
    match verdict.retry_after {
        Some(seconds) => Err(rate_limit::refusal(seconds, &verdict)),
        None => Ok(Operator { key, token: found.token }),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn only_this_machine_and_what_a_proxy_on_it_received_over_tls_is_answered() {
        let none = HeaderMap::new();
        assert!(is_local(Channel::Loopback, &none) && !is_local(Channel::Open, &none));
        for (protocol, expected) in [("https", true), ("HTTPS", true), ("http", false), ("https, http", false)] {
            let headers = HeaderMap::from_iter([(
                HeaderName::from_static("x-forwarded-proto"),
                HeaderValue::from_static(protocol),
            )]);
            assert_eq!(is_local(Channel::Loopback, &headers), expected, "{protocol}");
            assert!(!is_local(Channel::Open, &headers), "{protocol}");
        }
    }
}
