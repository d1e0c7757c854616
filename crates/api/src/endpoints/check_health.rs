//! `GET /healthz` and `GET /readyz`: for whoever watches the process, without a key.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiState, Environment, envelope};

/// That the process answers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
    /// Which deployment this is.
    environment: Environment,
    /// Version of the service.
    version: &'static str,
}

/// Whether requests can be answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ready {
    /// `ready` or `unavailable`.
    status: &'static str,
}

/// Check that the process answers
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "check_health",
    tag = "Health",
    responses((status = 200, description = "The process answers", body = Health)),
)]
pub(crate) async fn healthz(State(state): State<Arc<ApiState>>) -> Response {
    let health = Health { status: "ok", environment: state.environment, version: env!("CARGO_PKG_VERSION") };
    envelope::json(StatusCode::OK, &health)
}

/// Check that requests can be answered
///
/// The store answers, too.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "check_ready",
    tag = "Health",
    responses(
        (status = 200, description = "Requests can be answered", body = Ready),
        (status = 503, description = "The store does not answer", body = Ready),
    ),
)]
pub(crate) async fn readyz(State(state): State<Arc<ApiState>>) -> Response {
    match state.store.store_check().await {
        Ok(()) => envelope::json(StatusCode::OK, &Ready { status: "ready" }),
        Err(error) => {
            tracing::error!(%error, "not ready: the store does not answer");
            envelope::json(StatusCode::SERVICE_UNAVAILABLE, &Ready { status: "unavailable" })
        }
    }
}
