//! `POST /v1/markup/jobs/{jobId}/video`

use std::sync::Arc;

use aerie_domain::{JobType, MarkupStage, MarkupStep, MarkupVideoInput, MarkupVideoRequest};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use super::get_markup::markup_job;
use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::Envelope;
use crate::error::ApiError;
use crate::extract::{ApiJson, ApiPath};
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::submit::{JobCreated, Submission, submit};

/// Submit a markup video
///
/// A flight with the marked boundary lying on the ground; where the clean image was not one of ours, the image itself with
/// the boundary over it; where no boundary was found, the flight without one. The body may be left out.
#[utoipa::path(
    post,
    path = "/v1/markup/jobs/{jobId}/video",
    operation_id = "submit_markup_video",
    tag = "Markup",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier of the markup"), IdempotencyHeader),
    request_body = Option<MarkupVideoRequest>,
    responses(
        (status = 202, description = "The video job is queued", body = Envelope<JobCreated>),
    )
)]
pub(crate) async fn submit_markup_video(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiPath(id): ApiPath,
    ApiJson(request): ApiJson<MarkupVideoRequest>,
) -> Result<Response, ApiError> {
    key.answer(&state, &caller, async |turn| {
        let markup = markup_job(&state, &caller, id).await?;
        // Looked at before the engine is, and again by the store, inside the transaction that inserts.
        let active = state.store.job_has_active_child(id).await?;
        MarkupStage::of(&markup).take(MarkupStep::Video { active })?;
        let address = markup.input.get("address").and_then(|address| address.as_str()).unwrap_or_default().to_owned();
        let input = MarkupVideoInput { markup_job_id: Some(id), address, options: request.options };
        let submission = Submission { parent_id: Some(id), ..Submission::new(JobType::MarkupVideo, &input)? };
        submit(&state, &caller, submission, &turn).await
    })
    .await
}
