//! `POST /v1/image-enhance/generate`

use std::sync::Arc;

use aerie_domain::ImageEnhanceRequest;
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

/// Submit an image enhancement
///
/// Enhances a property photo. The image is fetched before the answer; its URL may expire afterwards.
#[utoipa::path(
    post,
    path = "/v1/image-enhance/generate",
    operation_id = "submit_image_enhance",
    tag = "Image enhancement",
    security(("api_key" = [])),
    params(IdempotencyHeader),
    request_body = ImageEnhanceRequest,
    responses(
        (status = 202, description = "The job is queued", body = Envelope<JobCreated>),
    )
)]
pub(crate) async fn submit_image_enhance(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<ImageEnhanceRequest>,
) -> Result<Response, ApiError> {
    submit_kind(&state, &caller, key, &request).await
}
