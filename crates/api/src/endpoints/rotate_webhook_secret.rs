//! `POST /v1/webhooks/{webhookId}/rotate-secret`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::WebhookPath;
use crate::webhooks::WithSecret;
use crate::{ApiState, webhooks};

/// Rotate the secret of a webhook
///
/// Aerie extension. Replaces the secret of a webhook. The new one is shown only once. For 24 hours, deliveries are signed with both. Needs a key with the
/// scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{webhookId}/rotate-secret",
    operation_id = "rotate_webhook_secret",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(("webhookId" = String, Path, format = "uuid", description = "Webhook identifier")),
    responses(
        (status = 200, description = "The webhook, with its secret", body = Envelope<WithSecret>),
    )
)]
pub(crate) async fn rotate_webhook_secret(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    WebhookPath(id): WebhookPath,
) -> Result<Response, ApiError> {
    let secret = webhooks::new_secret()?;
    let rotated = state.store.webhook_rotate(caller.org_id, id, secret.clone()).await?;
    Ok(success(StatusCode::OK, WithSecret::of(rotated.ok_or_else(webhooks::not_found)?, &secret)))
}
