//! `POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::DeliveryPath;
use crate::webhooks::DeliveryView;
use crate::{ApiState, webhooks};

/// Replay a delivery
///
/// Aerie extension. Sends a delivery again immediately, with the same identifier. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay",
    operation_id = "replay_delivery",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(
        ("webhookId" = String, Path, format = "uuid", description = "Webhook identifier"),
        ("deliveryId" = String, Path, format = "uuid", description = "Delivery identifier"),
    ),
    responses(
        (status = 202, description = "The delivery is queued", body = Envelope<DeliveryView>),
    )
)]
pub(crate) async fn replay_delivery(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    DeliveryPath(webhook, id): DeliveryPath,
) -> Result<Response, ApiError> {
    let again = state.store.delivery_replay(caller.org_id, webhook, id).await?;
    Ok(success(StatusCode::ACCEPTED, DeliveryView::of(again.ok_or_else(webhooks::not_found)?)))
}
