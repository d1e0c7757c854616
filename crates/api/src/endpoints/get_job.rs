//! `GET /v1/jobs/{jobId}`

use std::sync::Arc;

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

/// Get a job
///
/// Retrieves one job; poll it until it is completed. Links in `output` are signed anew on each request and expire after 7 days.
#[utoipa::path(
    get,
    path = "/v1/jobs/{jobId}",
    operation_id = "get_job",
    tag = "Jobs",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier")),
    responses(
        (status = 200, description = "The job", body = Envelope<JobView>),
    )
)]
pub(crate) async fn get_job(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiPath(id): ApiPath,
) -> Result<Response, ApiError> {
    let job = state.store.job_get(Some(caller.org_id), id).await?;
    let job = job.ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))?;
    Ok(success(StatusCode::OK, JobView::whole(job, &state)))
}
