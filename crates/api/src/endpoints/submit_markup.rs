//! `POST /v1/markup/generate`

use std::sync::Arc;

use aerie_domain::MarkupRequest;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::Envelope;
use crate::error::ApiError;
use crate::extract::ApiJson;
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::submit::{JobCreated, submit_kind};

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
    )
)]
pub(crate) async fn submit_markup(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<MarkupRequest>,
) -> Result<Response, ApiError> {
    submit_kind(&state, &caller, key, &request).await
}
