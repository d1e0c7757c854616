//! `POST /v1/webhooks/{webhookId}/test`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::WebhookPath;
use crate::webhooks::DeliveryView;
use crate::{ApiState, webhooks};

/// Test a webhook
///
/// Aerie extension. Sends an event of type `webhook.test`. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{webhookId}/test",
    operation_id = "test_webhook",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(("webhookId" = String, Path, format = "uuid", description = "Webhook identifier")),
    responses(
        (status = 202, description = "The test event is queued", body = Envelope<DeliveryView>),
    )
)]
pub(crate) async fn test_webhook(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    WebhookPath(id): WebhookPath,
) -> Result<Response, ApiError> {
    let sent = state.store.webhook_test(caller.org_id, id).await?;
    Ok(success(StatusCode::ACCEPTED, DeliveryView::of(sent.ok_or_else(webhooks::not_found)?)))
}
