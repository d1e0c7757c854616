//! `PATCH /v1/webhooks/{webhookId}`

use std::sync::Arc;

use aerie_storage::WebhookChanges;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::{ApiJson, WebhookPath};
use crate::requests::webhooks::WebhookChange;
use crate::webhooks::WebhookView;
use crate::{ApiState, webhooks};

/// Change a webhook
///
/// Aerie extension. Changes the members that are sent. `"enabled": true` enables a disabled webhook, which then receives its pending deliveries.
/// Needs a key with the scope `generate`.
#[utoipa::path(
    patch,
    path = "/v1/webhooks/{webhookId}",
    operation_id = "change_webhook",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(("webhookId" = String, Path, format = "uuid", description = "Webhook identifier")),
    request_body = WebhookChange,
    responses(
        (status = 200, description = "The webhook", body = Envelope<WebhookView>),
    )
)]
pub(crate) async fn change_webhook(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    WebhookPath(id): WebhookPath,
    ApiJson(request): ApiJson<WebhookChange>,
) -> Result<Response, ApiError> {
    if let Some(url) = &request.url {
        webhooks::check_url(&state, url)?;
    }
    let enabled = request.enabled.map(|enabled| if enabled { Ok(()) } else { Err("by request".to_owned()) });
    let WebhookChange { url, events, description, .. } = request;
    let changes = WebhookChanges { url, events, description, enabled };
    let changed = state.store.webhook_change(caller.org_id, id, changes).await?;
    Ok(success(StatusCode::OK, WebhookView::of(changed.ok_or_else(webhooks::not_found)?)))
}
