//! `POST /v1/video-clip/generate`

use std::sync::Arc;

use aerie_domain::{JobType, VideoClipRequest};
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

/// Submit a video clip
///
/// A short clip out of one image. The image is fetched before the answer; its URL may expire afterwards.
#[utoipa::path(
    post,
    path = "/v1/video-clip/generate",
    operation_id = "submit_video_clip",
    tag = "Video clip",
    security(("api_key" = [])),
    params(IdempotencyHeader),
    request_body = VideoClipRequest,
    responses(
        (status = 202, description = "The job is queued", body = Envelope<JobCreated>),
        (status = 400, description = "The request is not valid, or no image can be had from the URL (INVALID_URL)", body = ErrorEnvelope),
        (status = 401, description = "Invalid or missing API key", body = ErrorEnvelope),
        (status = 403, description = "Not allowed, not enabled, or quota exceeded", body = ErrorEnvelope),
        (status = 409, description = "An equal job or request is in progress", body = ErrorEnvelope),
        (status = 429, description = "Too many requests", body = ErrorEnvelope, headers(("Retry-After" = u32))),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn submit_video_clip(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<VideoClipRequest>,
) -> Result<Response, ApiError> {
    key.answer(&state, &caller, async |turn| {
        let submission = Submission::new(JobType::VideoClip, &request)?.with_picture("image_url", &request.image_url);
        submit(&state, &caller, submission, &turn).await
    })
    .await
}
