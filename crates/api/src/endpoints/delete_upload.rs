//! `DELETE /v1/uploads/{uploadId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::UploadPath;
use crate::{ApiState, tus};

/// Delete an upload
///
/// Aerie extension. Deletes an upload. Jobs that use it are not affected: they have copies.
#[utoipa::path(
    delete,
    path = "/v1/uploads/{uploadId}",
    operation_id = "delete_upload",
    tag = "Uploads",
    security(("api_key" = [])),
    params(("uploadId" = String, Path, format = "uuid", description = "Upload identifier")),
    responses(
        (status = 204, description = "The upload is deleted"),
    )
)]
pub(crate) async fn delete_upload(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    UploadPath(id): UploadPath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    tus::is_spoken(&headers)?;
    match state.store.upload_delete(caller.org_id, id).await {
        Ok(true) => Ok(StatusCode::NO_CONTENT.into_response()),
        Ok(false) => Err(ApiError::new(ApiErrorCode::UploadNotFound)),
        Err(error) => Err(error.into()),
    }
}
