//! `GET /healthz` and `GET /readyz`, for monitoring without a key.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Check, Environment, Operations, envelope};

/// Liveness.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
    /// Which deployment this is.
    environment: Environment,
    /// Version of the service.
    version: &'static str,
}

/// Readiness.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ready {
    /// `ready` or `unavailable`.
    status: &'static str,
    /// Failed checks: `database`, `disk`, `media`, `encoder`, `renderer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lacking: Vec<&'static str>,
}

/// Check liveness
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "check_health",
    tag = "Health",
    responses((status = 200, description = "The process responds", body = Health)),
)]
pub(crate) async fn healthz(State(state): State<Operations>) -> Response {
    let health = Health { status: "ok", environment: state.environment, version: env!("CARGO_PKG_VERSION") };
    envelope::json(StatusCode::OK, &health)
}

/// Check readiness
///
/// Checks that the database can be read and written and is not corrupt, the disk can be written and has space, the bucket can be
/// read and written, and media can be rendered and encoded. Slow checks run in the background at least once a minute,
/// and their last result is reported.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "check_ready",
    tag = "Health",
    responses(
        (status = 200, description = "The service is ready", body = Ready),
        (status = 503, description = "A check failed; `lacking` names it", body = Ready),
    ),
)]
pub(crate) async fn readyz(State(state): State<Operations>) -> Response {
    let mut lacking: Vec<Check> = Check::ALL.into_iter().filter(|check| state.readiness.is_lacking(*check)).collect();
    let mut add = |check| {
        if !lacking.contains(&check) {
            lacking.push(check);
        }
    };
    if let Err(error) = state.store.store_check().await {
        tracing::error!(%error, "not ready: the store does not respond");
        add(Check::Database);
    }
    if state.capacity.check_submit().is_err() {
        add(Check::Disk);
    }
    let (code, status) = match lacking.is_empty() {
        true => (StatusCode::OK, "ready"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
    };
    envelope::json(code, &Ready { status, lacking: lacking.into_iter().map(Check::as_str).collect() })
}
