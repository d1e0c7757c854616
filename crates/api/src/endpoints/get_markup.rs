//! `GET /v1/markup/jobs/{jobId}`

use std::sync::Arc;

use aerie_domain::{Job, JobId, JobType};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::ApiPath;
use crate::job_view::JobView;

/// Get a markup
///
/// Retrieves one markup job; once its status is `awaiting_input`, `output.orientation_variants` lists the variants.
#[utoipa::path(
    get,
    path = "/v1/markup/jobs/{jobId}",
    operation_id = "get_markup",
    tag = "Markup",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier of the markup")),
    responses(
        (status = 200, description = "The job", body = Envelope<JobView>),
    )
)]
pub(crate) async fn get_markup(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiPath(id): ApiPath,
) -> Result<Response, ApiError> {
    let job = markup_job(&state, &caller, id).await?;
    Ok(success(StatusCode::OK, JobView::whole(job, &state)))
}

/// The caller's markup job with that id. Other organizations' jobs and other kinds count as missing.
pub(crate) async fn markup_job(state: &ApiState, caller: &Caller, id: JobId) -> Result<Job, ApiError> {
    let job = state.store.job_get(Some(caller.org_id), id).await?;
    job.filter(|job| job.job_type == JobType::Markup).ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))
}
