//! `POST /v1/drone-footage/generate`

use std::sync::Arc;

use aerie_domain::{DroneFootageRequest, JobType};
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

/// Submit drone footage
///
/// Aerial footage of a property, made from map data. Answers at once with a job to poll.
#[utoipa::path(
    post,
    path = "/v1/drone-footage/generate",
    operation_id = "submit_drone_footage",
    tag = "Drone footage",
    security(("api_key" = [])),
    params(IdempotencyHeader),
    request_body = DroneFootageRequest,
    responses(
        (status = 202, description = "The job is queued", body = Envelope<JobCreated>),
        (status = 400, description = "The request is not valid", body = ErrorEnvelope),
        (status = 401, description = "Invalid or missing API key", body = ErrorEnvelope),
        (status = 403, description = "The key, the organization's features or its quota do not allow it", body = ErrorEnvelope),
        (status = 409, description = "An equal job or request is in progress", body = ErrorEnvelope),
        (status = 429, description = "Too many requests", body = ErrorEnvelope, headers(("Retry-After" = u32))),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn submit_drone_footage(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<DroneFootageRequest>,
) -> Result<Response, ApiError> {
    key.answer(&state, &caller, async |turn| {
        submit(&state, &caller, Submission::new(JobType::DroneFootage, &request)?, &turn).await
    })
    .await
}
