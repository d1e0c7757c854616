//! `POST /v1/video-clip/generate`

use std::sync::Arc;

use aerie_domain::VideoClipRequest;
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
    )
)]
pub(crate) async fn submit_video_clip(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<VideoClipRequest>,
) -> Result<Response, ApiError> {
    submit_kind(&state, &caller, key, &request).await
}
