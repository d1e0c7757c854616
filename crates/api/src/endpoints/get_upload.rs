//! `GET /v1/uploads/{uploadId}`, and `HEAD`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::UploadPath;
use crate::uploads::{self, UploadView};
use crate::{detached, tus};

/// Get an upload
///
/// Aerie extension. Retrieves an upload. `HEAD` answers with `Upload-Offset`, where an upload in parts continues.
#[utoipa::path(
    get,
    path = "/v1/uploads/{uploadId}",
    operation_id = "get_upload",
    tag = "Uploads",
    security(("api_key" = [])),
    params(("uploadId" = String, Path, format = "uuid", description = "Upload identifier")),
    responses(
        (status = 200, description = "The upload", body = Envelope<UploadView>),
    )
)]
pub(crate) async fn get_upload(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    UploadPath(id): UploadPath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let found = detached::run(async move {
        tus::is_spoken(&headers)?;
        let upload = uploads::find(&state, caller.org_id, id).await?;
        let mut response = success(StatusCode::OK, UploadView::of(&upload));
        tus::describe(&upload, state.base_path(), &mut response);
        Ok(response)
    });
    found.await
}
