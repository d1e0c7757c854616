//! `GET /metrics`: metrics for Prometheus.

use std::sync::Arc;

use aerie_domain::ApiErrorCode;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::error::ApiError;
use crate::metrics::Given;
use crate::transport::ClientAddress;

const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Returns the metrics in OpenMetrics text format. The OpenAPI document leaves it out: metrics are for operators, not for
/// clients.
pub(crate) async fn get_metrics(State(state): State<Arc<ApiState>>, request: Request) -> Result<Response, ApiError> {
    let address = request.extensions().get().map(|ClientAddress(address)| *address);
    if !state.metrics_readers.admit(address, request.headers()) {
        let message =
            "Metrics are available from the networks in [metrics] allow_networks and to clients with the token";
        return Err(ApiError::with_message(ApiErrorCode::Forbidden, message));
    }
    let queue = state.store.queue_stats().await?;
    let given = Given { queue, capacity: &state.capacity, readiness: &state.readiness, now: state.clock.now() };
    let text = state.metrics.text(&given).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, TEXT)], text).into_response())
}
