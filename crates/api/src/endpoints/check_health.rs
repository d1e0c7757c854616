//! `GET /healthz` and `GET /readyz`: for whoever watches the process, without a key.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use crate::{ApiState, envelope};

/// The process answers.
pub(crate) async fn healthz(State(state): State<Arc<ApiState>>) -> Response {
    let body = json!({"status": "ok", "environment": state.environment, "version": env!("CARGO_PKG_VERSION")});
    envelope::json(StatusCode::OK, &body)
}

/// The store answers, too.
pub(crate) async fn readyz(State(state): State<Arc<ApiState>>) -> Response {
    match state.store.store_check().await {
        Ok(()) => envelope::json(StatusCode::OK, &json!({"status": "ready"})),
        Err(error) => {
            tracing::error!(%error, "not ready: the store does not answer");
            envelope::json(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "unavailable"}))
        }
    }
}
