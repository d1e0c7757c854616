//! `GET /metrics`: metrics for Prometheus.

use std::time::Duration;

use aerie_storage::{Store, StoreError};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::Operations;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::metrics::{Fleet, Given};
use crate::transport::ClientAddress;

/// How long the database may take. Prometheus waits ten seconds, and metrics matter most while something is wrong.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(3);

const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Returns the metrics in OpenMetrics text format. The OpenAPI document leaves it out: metrics are for operators, not for
/// clients.
pub(crate) async fn get_metrics(State(state): State<Operations>, request: Request) -> Result<Response, ApiError> {
    let address = request.extensions().get().map(|ClientAddress(address)| *address);
    if !state.metrics_readers.admit(address, request.headers()) {
        let message =
            "Metrics are available from the networks in [metrics] allow_networks and to clients with the token";
        return Err(ApiError::with_message(ApiErrorCode::Forbidden, message));
    }
    // The figures of the fleet come from its servers alone: a hundred workers need not ask the database for them, too.
    let fleet = match state.metrics.is_of_worker() {
        true => None,
        false => fleet(&*state.store).await,
    };
    let given = Given {
        fleet,
        connections: state.store.store_connections(),
        media: &state.media,
        capacity: &state.capacity,
        readiness: &state.readiness,
        now: state.clock.now(),
    };
    let text = state.metrics.text(&given).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, TEXT)], text).into_response())
}

/// The figures of the fleet; none while the database cannot be used.
async fn fleet(store: &dyn Store) -> Option<Fleet> {
    let read =
        async { Ok::<_, StoreError>(Fleet { queue: store.queue_stats().await?, nodes: store.node_list().await? }) };
    match tokio::time::timeout(DATABASE_TIMEOUT, read).await {
        Ok(Ok(fleet)) => Some(fleet),
        Ok(Err(error)) => {
            tracing::warn!(%error, "metrics without the figures of the fleet");
            None
        }
        Err(_) => {
            tracing::warn!(
                "metrics without the figures of the fleet: the database takes longer than {DATABASE_TIMEOUT:?}"
            );
            None
        }
    }
}
