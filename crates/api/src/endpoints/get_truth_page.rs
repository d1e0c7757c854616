//! `GET /v1/jobs/{jobId}/truth-page`

use std::sync::Arc;

use aerie_domain::{JobId, OrgId};
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
use crate::truth_page::TruthPageView;

/// Get a truth page
///
/// Aerie extension. Retrieves the truth page of a job: the one that is public, or else the one that was published last.
#[utoipa::path(
    get,
    path = "/v1/jobs/{jobId}/truth-page",
    operation_id = "get_truth_page",
    tag = "Truth pages",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier")),
    responses(
        (status = 200, description = "The page", body = Envelope<TruthPageView>),
    )
)]
pub(crate) async fn get_truth_page(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiPath(id): ApiPath,
) -> Result<Response, ApiError> {
    match state.store.truth_page_of_job(caller.org_id, id).await? {
        Some(page) => Ok(success(StatusCode::OK, TruthPageView::of(page, &state))),
        None => Err(missing(&state, caller.org_id, id).await?),
    }
}

/// Why a job has no page: it has none, or there is no such job.
pub(super) async fn missing(state: &ApiState, org_id: OrgId, id: JobId) -> Result<ApiError, ApiError> {
    Ok(match state.store.job_get(Some(org_id), id).await? {
        None => ApiError::new(ApiErrorCode::JobNotFound),
        Some(_) => {
            let message = "The job has no truth page; publish one with POST /v1/jobs/{jobId}/truth-page";
            ApiError::with_message(ApiErrorCode::NotFound, message)
        }
    })
}
