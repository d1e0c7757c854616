//! `POST /v1/webhooks`

use std::sync::Arc;

use aerie_domain::WebhookId;
use aerie_storage::NewWebhook;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::ApiJson;
use crate::requests::webhooks::WebhookRequest;
use crate::webhooks::WithSecret;
use crate::{ApiState, webhooks};

/// Add a webhook
///
/// Aerie extension. Registers a URL that receives events, signed as Standard Webhooks describes. The response contains the signing secret,
/// which is shown only once. An organization can have 20 webhooks. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/webhooks",
    operation_id = "create_webhook",
    tag = "Webhooks",
    security(("api_key" = [])),
    request_body = WebhookRequest,
    responses(
        (status = 201, description = "The webhook, with its secret", body = Envelope<WithSecret>),
    )
)]
pub(crate) async fn create_webhook(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<WebhookRequest>,
) -> Result<Response, ApiError> {
    webhooks::check_url(&state, &request.url)?;
    let secret = webhooks::new_secret()?;
    let new = NewWebhook {
        id: WebhookId::new(state.clock.now()),
        org_id: caller.org_id,
        url: request.url,
        events: request.events,
        description: request.description,
        secret: secret.clone(),
    };
    let created = state.store.webhook_create(new, webhooks::MOST).await?.ok_or_else(|| {
        let message =
            format!("The organization has {} webhooks, the most it can have: delete one first", webhooks::MOST);
        ApiError::with_message(ApiErrorCode::ValidationError, message)
    })?;
    tracing::info!(webhook = %created.id, "webhook added");
    Ok(success(StatusCode::CREATED, WithSecret::of(created, &secret)))
}
