//! `GET /v1/webhooks`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::webhooks::WebhookView;

/// List webhooks
///
/// Aerie extension. Lists the organization's webhooks, oldest first. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/webhooks",
    operation_id = "list_webhooks",
    tag = "Webhooks",
    security(("api_key" = [])),
    responses(
        (status = 200, description = "The webhooks", body = Envelope<Vec<WebhookView>>),
    )
)]
pub(crate) async fn list_webhooks(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let found = state.store.webhook_list(caller.org_id).await?;
    let views: Vec<WebhookView> = found.into_iter().map(WebhookView::of).collect();
    Ok(success(StatusCode::OK, views))
}
