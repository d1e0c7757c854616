//! `POST /v1/drone-footage/generate`

use std::sync::Arc;

use aerie_domain::DroneFootageRequest;
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
    )
)]
pub(crate) async fn submit_drone_footage(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<DroneFootageRequest>,
) -> Result<Response, ApiError> {
    submit_kind(&state, &caller, key, &request).await
}
