//! What the endpoints for webhooks have in common.

use aerie_domain::{OrgId, WebhookId};
use aerie_storage::{Delivery, DeliveryState, Webhook, WebhookSecret};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::envelope::iso;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// Webhooks of an organization.
pub(crate) const MOST: u32 = 20;

/// What the text of a secret begins with.
const SECRET_PREFIX: &str = "whsec_";

/// A URL that receives events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookView {
    /// Webhook identifier.
    #[schema(format = "uuid")]
    webhook_id: String,
    /// Where deliveries are sent.
    #[schema(format = "uri")]
    url: String,
    /// The events that it receives.
    #[schema(value_type = Vec<crate::requests::webhooks::EventType>)]
    events: Vec<String>,
    /// Your description.
    #[schema(required = true)]
    description: Option<String>,
    /// Whether events are sent to it.
    enabled: bool,
    /// Why it is disabled.
    #[schema(required = true)]
    disabled_because: Option<String>,
    /// ISO 8601 timestamp.
    #[schema(format = "date-time", required = true)]
    disabled_at: Option<String>,
    /// Time of the first attempt since which all have failed. After 24 hours, the webhook is disabled.
    #[schema(format = "date-time", required = true)]
    failing_since: Option<String>,
    /// Until this time, deliveries are signed with the previous secret as well.
    #[schema(format = "date-time", required = true)]
    old_secret_until: Option<String>,
    /// ISO 8601 timestamp.
    #[schema(format = "date-time")]
    created_at: String,
}

/// A webhook with its secret, which is shown only once.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookSecret)]
pub(crate) struct WithSecret {
    #[serde(flatten)]
    webhook: WebhookView,
    /// The secret that signs deliveries (Standard Webhooks). Store it: it is not shown again.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    secret: String,
}

/// An event sent to a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryView {
    /// Delivery identifier. The header `webhook-id` is `msg_` and this, in every attempt.
    #[schema(format = "uuid")]
    delivery_id: String,
    /// The type of the event.
    #[schema(example = "job.completed")]
    event: String,
    /// The job; `null` for events that are not about one.
    #[schema(format = "uuid", required = true)]
    job_id: Option<String>,
    /// `pending`, `delivered` or `failed`.
    #[schema(example = "delivered")]
    status: &'static str,
    /// Number of attempts.
    #[schema(minimum = 0)]
    attempts: u32,
    /// When the next attempt is due.
    #[schema(format = "date-time", required = true)]
    next_attempt_at: Option<String>,
    /// When the last attempt ended.
    #[schema(format = "date-time", required = true)]
    last_attempt_at: Option<String>,
    /// HTTP status of the last answer.
    #[schema(required = true)]
    last_status: Option<u16>,
    /// Why the last attempt failed.
    #[schema(required = true)]
    last_error: Option<String>,
    /// How long the last attempt took, milliseconds.
    #[schema(required = true, minimum = 0)]
    last_duration_ms: Option<u32>,
    /// When the event happened.
    #[schema(format = "date-time")]
    created_at: String,
}

impl WebhookView {
    pub(crate) fn of(webhook: Webhook) -> Self {
        let (disabled_at, disabled_because) = webhook.disabled.unzip();
        Self {
            webhook_id: webhook.id.to_string(),
            url: webhook.url,
            events: webhook.events,
            description: webhook.description,
            enabled: disabled_at.is_none(),
            disabled_because,
            disabled_at: disabled_at.map(iso),
            failing_since: webhook.failing_since.map(iso),
            old_secret_until: webhook.old_secret_until.map(iso),
            created_at: iso(webhook.created_at),
        }
    }
}

impl WithSecret {
    pub(crate) fn of(webhook: Webhook, secret: &WebhookSecret) -> Self {
        let secret = format!("{SECRET_PREFIX}{}", STANDARD.encode(secret.0));
        Self { webhook: WebhookView::of(webhook), secret }
    }
}

impl DeliveryView {
    pub(crate) fn of(delivery: Delivery) -> Self {
        let (status, next) = match delivery.state {
            DeliveryState::Pending(at) => ("pending", Some(at)),
            DeliveryState::Delivered => ("delivered", None),
            DeliveryState::Failed => ("failed", None),
        };
        let (last_at, last) = delivery.last.unzip();
        let (last_status, last_error) = last.as_ref().map(|last| (last.status, last.error.clone())).unwrap_or_default();
        Self {
            delivery_id: delivery.id.to_string(),
            event: delivery.event,
            job_id: delivery.job.map(|(id, _)| id.to_string()),
            status,
            attempts: delivery.attempts,
            next_attempt_at: next.map(iso),
            last_attempt_at: last_at.map(iso),
            last_status,
            last_error,
            last_duration_ms: last.map(|last| last.milliseconds),
            created_at: iso(delivery.at),
        }
    }
}

/// Refuses a URL to which nothing will be sent.
pub(crate) fn check_url(state: &ApiState, url: &str) -> Result<(), ApiError> {
    state
        .webhooks
        .check(url)
        .map_err(|why| ApiError::with_message(ApiErrorCode::ValidationError, format!("`url` {why}")))
}

/// The organization's webhook.
pub(crate) async fn find(state: &ApiState, org_id: OrgId, id: WebhookId) -> Result<Webhook, ApiError> {
    state.store.webhook_get(org_id, id).await?.ok_or_else(not_found)
}

pub(crate) fn not_found() -> ApiError {
    ApiError::new(ApiErrorCode::WebhookNotFound)
}

/// A random secret.
pub(crate) fn new_secret() -> Result<WebhookSecret, ApiError> {
    WebhookSecret::generate().map_err(ApiError::internal)
}
