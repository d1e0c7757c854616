//! `POST /v1/jobs/{jobId}/cancel`

use std::sync::Arc;

use aerie_domain::{FailureCode, JobStatus};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::ApiPath;
use crate::job_view::JobView;

/// Cancel a job
///
/// Aerie extension. Ends a job that is queued or running: it is `failed` with the code `CANCELED` at once, and not billed. A running
/// engine stops within two seconds. Canceling a canceled job has no effect. A job that has ended, or that awaits input, cannot be
/// canceled.
#[utoipa::path(
    post,
    path = "/v1/jobs/{jobId}/cancel",
    operation_id = "cancel_job",
    tag = "Jobs",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier")),
    responses(
        (status = 200, description = "The job is canceled", body = Envelope<JobView>),
    )
)]
pub(crate) async fn cancel_job(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiPath(id): ApiPath,
) -> Result<Response, ApiError> {
    let job = state.store.job_cancel(caller.org_id, id).await?;
    let job = job.ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))?;
    let code = job.output.get("error").and_then(|error| error.get("code"));
    if code != Some(&json!(FailureCode::Canceled)) {
        let message = match job.status {
            JobStatus::AwaitingInput => {
                "The job awaits input and is billed already, so it cannot be canceled".to_owned()
            }
            ended => format!("The job is {ended} already, so it cannot be canceled"),
        };
        return Err(ApiError::with_message(ApiErrorCode::ValidationError, message));
    }
    tracing::info!(job = %id, "canceled");
    Ok(success(StatusCode::OK, JobView::whole(job, &state)))
}
