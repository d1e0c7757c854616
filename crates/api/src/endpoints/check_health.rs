//! `GET /healthz` and `GET /readyz`: for whoever watches the process, without a key.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiState, Check, Environment, envelope};

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

/// Whether work can be done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ready {
    /// `ready` or `unavailable`.
    status: &'static str,
    /// What is lacking, where something is: `database`, `disk`, `encoder`, `renderer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lacking: Vec<&'static str>,
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

/// Check that work can be done
///
/// The database can be written to, the disk has room, and media can be drawn and encoded. What takes longer than a look is
/// told as it was found last, within the last minute.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "check_ready",
    tag = "Health",
    responses(
        (status = 200, description = "Work can be done", body = Ready),
        (status = 503, description = "Something is lacking, and is named", body = Ready),
    ),
)]
pub(crate) async fn readyz(State(state): State<Arc<ApiState>>) -> Response {
    let mut lacking: Vec<Check> = Check::ALL.into_iter().filter(|check| state.readiness.is_lacking(*check)).collect();
    let mut lacks = |check| {
        if !lacking.contains(&check) {
            lacking.push(check);
        }
    };
    if let Err(error) = state.store.store_check().await {
        tracing::error!(%error, "not ready: the store does not answer");
        lacks(Check::Database);
    }
    if state.room.for_submit().is_err() {
        lacks(Check::Disk);
    }
    let (code, status) = match lacking.is_empty() {
        true => (StatusCode::OK, "ready"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
    };
    envelope::json(code, &Ready { status, lacking: lacking.into_iter().map(Check::as_str).collect() })
}
