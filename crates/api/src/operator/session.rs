//! `POST`, `GET` and `DELETE /operator/api/session`: an operator key for a session.

use std::sync::Arc;

use aerie_domain::{OperatorKey, OperatorKeyRecord, SessionToken};
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;

use super::authentication::Operator;
use super::console::OperatorConsole;

use crate::Environment;
use crate::envelope::{iso, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::sessions::{OPERATORS, SignIn};
use crate::transport::Channel;

/// A session as the page shows it.
#[derive(Debug, Serialize)]
struct OperatorSessionView {
    /// What requests that change something send as `X-CSRF-Token`.
    csrf_token: String,
    key: OperatorKeyView,
    environment: Environment,
    /// Version of the service.
    version: &'static str,
    /// Where clients reach the service.
    base_url: String,
}

/// An operator key, without what it is.
#[derive(Debug, Serialize)]
struct OperatorKeyView {
    id: String,
    name: String,
    /// Its first characters.
    hint: String,
    expires_at: Option<String>,
}

fn view(console: &OperatorConsole, token: &SessionToken, key: OperatorKeyRecord) -> OperatorSessionView {
    OperatorSessionView {
        csrf_token: token.csrf(),
        key: OperatorKeyView {
            id: key.id.to_string(),
            name: key.name,
            hint: key.hint,
            expires_at: key.expires_at.map(iso),
        },
        environment: console.state.environment,
        version: env!("CARGO_PKG_VERSION"),
        base_url: console.state.base_url.clone(),
    }
}

pub(super) async fn start(State(console): State<Arc<OperatorConsole>>, request: Request) -> Result<Response, ApiError> {
    let state = &console.state;
    let attempt = SignIn::read(state, request).await?;
    let hash = OperatorKey::parse(&attempt.key).ok().map(|key| key.hash());
    let found = match hash {
        Some(hash) => state.store.operator_key_find(hash).await?.map(|key| (hash, key)),
        None => None,
    };
    let Some((hash, key)) = found else {
        let message = "`key` is not a valid operator key: create one with `aerie admin operator create NAME`; API keys are not accepted here";
        return Err(ApiError::with_message(ApiErrorCode::Unauthorized, message));
    };
    let token = OPERATORS.start(&*state.store, &attempt, hash).await?;
    tracing::info!(operator = %key.id, "signed in to the operator console");
    let mut response = success(StatusCode::CREATED, view(&console, &token, key));
    OPERATORS.keep(&mut response, &attempt, &token);
    Ok(response)
}

pub(super) async fn show(
    State(console): State<Arc<OperatorConsole>>,
    Extension(operator): Extension<Operator>,
) -> Response {
    success(StatusCode::OK, view(&console, &operator.token, operator.key))
}

pub(super) async fn end(
    State(console): State<Arc<OperatorConsole>>,
    channel: Option<Extension<Channel>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    OPERATORS.sign_out(&*console.state.store, &headers, channel.map(|Extension(channel)| channel)).await
}
