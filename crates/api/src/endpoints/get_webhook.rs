//! `GET /v1/webhooks/{webhookId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::WebhookPath;
use crate::webhooks::WebhookView;
use crate::{ApiState, webhooks};

/// Get a webhook
///
/// Aerie extension. Retrieves a webhook. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/webhooks/{webhookId}",
    operation_id = "get_webhook",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(("webhookId" = String, Path, format = "uuid", description = "Webhook identifier")),
    responses(
        (status = 200, description = "The webhook", body = Envelope<WebhookView>),
    )
)]
pub(crate) async fn get_webhook(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    WebhookPath(id): WebhookPath,
) -> Result<Response, ApiError> {
    let found = webhooks::find(&state, caller.org_id, id).await?;
    Ok(success(StatusCode::OK, WebhookView::of(found)))
}
