//! `DELETE /v1/webhooks/{webhookId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::WebhookPath;
use crate::{ApiState, webhooks};

/// Delete a webhook
///
/// Aerie extension. Deletes a webhook with its deliveries. Needs a key with the scope `generate`.
#[utoipa::path(
    delete,
    path = "/v1/webhooks/{webhookId}",
    operation_id = "delete_webhook",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(("webhookId" = String, Path, format = "uuid", description = "Webhook identifier")),
    responses(
        (status = 204, description = "The webhook is deleted"),
    )
)]
pub(crate) async fn delete_webhook(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    WebhookPath(id): WebhookPath,
) -> Result<Response, ApiError> {
    if state.store.webhook_delete(caller.org_id, id).await? {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(webhooks::not_found())
    }
}
