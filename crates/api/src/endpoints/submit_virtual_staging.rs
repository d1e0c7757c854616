//! `POST /v1/virtual-staging/generate`

use std::sync::Arc;

use aerie_domain::VirtualStagingRequest;
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

/// Submit a virtual staging
///
/// Furnishes an empty room. The image is fetched before the answer; its URL may expire afterwards.
#[utoipa::path(
    post,
    path = "/v1/virtual-staging/generate",
    operation_id = "submit_virtual_staging",
    tag = "Virtual staging",
    security(("api_key" = [])),
    params(IdempotencyHeader),
    request_body = VirtualStagingRequest,
    responses(
        (status = 202, description = "The job is queued", body = Envelope<JobCreated>),
    )
)]
pub(crate) async fn submit_virtual_staging(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiJson(request): ApiJson<VirtualStagingRequest>,
) -> Result<Response, ApiError> {
    submit_kind(&state, &caller, key, &request).await
}
