//! `POST /v1/drone-footage/generate`

use std::sync::Arc;

use aerie_domain::{DroneFootageRequest, JobStatus, JobType};
use aerie_stores::NewJob;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::envelope::{Envelope, ErrorEnvelope, success};
use crate::error::ApiError;
use crate::extract::ApiJson;
use crate::{ApiState, context};

/// Job creation result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JobCreated {
    /// Identifier of the new job.
    #[schema(format = "uuid")]
    job_id: String,
    /// `queued` at creation.
    status: JobStatus,
}

/// Submit drone footage
///
/// Aerial footage of a property, made from map data. Answers at once with a job to poll.
#[utoipa::path(
    post,
    path = "/v1/drone-footage/generate",
    operation_id = "submit_drone_footage",
    tag = "Drone footage",
    security(("api_key" = [])),
    request_body = DroneFootageRequest,
    responses(
        (status = 202, description = "The job is queued", body = Envelope<JobCreated>),
        (status = 400, description = "The request is not valid", body = ErrorEnvelope),
        (status = 401, description = "Invalid or missing API key", body = ErrorEnvelope),
        (status = 429, description = "Too many requests", body = ErrorEnvelope, headers(("Retry-After" = u32))),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn submit_drone_footage(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<DroneFootageRequest>,
) -> Result<Response, ApiError> {
    let (request_id, _) = context::current();
    let new = NewJob {
        org_id: caller.org_id,
        job_type: JobType::DroneFootage,
        input: serde_json::to_value(&request).map_err(ApiError::internal)?,
        unit_price_cents: state.prices.cents(JobType::DroneFootage),
        request_id,
    };
    let job = state.store.job_submit(new).await?;
    (state.submitted)();
    tracing::info!(job = %job.id, kind = %job.job_type, "submitted");
    Ok(success(StatusCode::ACCEPTED, JobCreated { job_id: job.id.to_string(), status: job.status }))
}
