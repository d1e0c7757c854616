//! `POST /v1/markup/generate`

use std::sync::Arc;

use aerie_domain::{JobType, MarkupRequest};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, ErrorEnvelope};
use crate::error::ApiError;
use crate::extract::ApiJson;
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::submit::{JobCreated, Submission, submit};

/// Submit a markup
///
/// Top-down pictures of a property to choose from and to draw its boundary on. Poll until `awaiting_input`.
#[utoipa::path(
    post,
    path = "/v1/markup/generate",
    operation_id = "submit_markup",
    tag = "Markup",
    security(("api_key" = [])),
    params(IdempotencyHeader),
    request_body = MarkupRequest,
    responses(
        (status = 202, description = "The job is queued", body = Envelope<JobCreated>),
        (status = 400, description = "The request is not valid", body = ErrorEnvelope),
        (status = 401, description = "Invalid or missing API key", body = ErrorEnvelope),
        (status = 403, description = "Not allowed, not enabled, or quota exceeded", body = ErrorEnvelope),
        (status = 409, description = "An equal job or request is in progress", body = ErrorEnvelope),
        (status = 429, description = "Too many requests", body = ErrorEnvelope, headers(("Retry-After" = u32))),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn submit_markup(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<MarkupRequest>,
) -> Result<Response, ApiError> {
    key.answer(&state, &caller, async |turn| {
        submit(&state, &caller, Submission::new(JobType::Markup, &request)?, &turn).await
    })
    .await
}
