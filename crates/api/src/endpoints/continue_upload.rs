//! `PATCH /v1/uploads/{uploadId}`

use std::sync::Arc;

use aerie_domain::UploadId;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::auth::Caller;
use crate::binary::Binary;
use crate::error::ApiError;
use crate::extract::UploadPath;
use crate::{detached, tus, uploads};

/// Continue an upload
///
/// Aerie extension. Appends the body to an upload in parts, by the tus protocol. What has arrived before a connection is lost is kept:
/// `HEAD` tells how much. After the last part, the photo is checked; one that cannot be used is refused and deleted.
#[utoipa::path(
    patch,
    path = "/v1/uploads/{uploadId}",
    operation_id = "continue_upload",
    tag = "Uploads",
    security(("api_key" = [])),
    params(
        ("uploadId" = String, Path, format = "uuid", description = "Upload identifier"),
        ("Upload-Offset" = u64, Header, description = "Where the part begins: the number of bytes that have arrived"),
    ),
    request_body(content = inline(Binary), content_type = "application/offset+octet-stream", description = "The part"),
    responses(
        (status = 204, description = "The part is stored; `Upload-Offset` is where the next one begins"),
    )
)]
pub(crate) async fn continue_upload(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    UploadPath(id): UploadPath,
    request: Request,
) -> Result<Response, ApiError> {
    // Goes on if the connection is lost, so that what has arrived is kept.
    detached::run(async move { continued(&state, &caller, id, request).await }).await
}

async fn continued(state: &ApiState, caller: &Caller, id: UploadId, request: Request) -> Result<Response, ApiError> {
    let headers = request.headers();
    tus::is_spoken(headers)?;
    tus::check_extensions(headers)?;
    let offset = tus::number(headers, "Upload-Offset")?;
    tus::check_part(headers)?;
    let upload = uploads::find(state, caller.org_id, id).await?;
    tus::check_length(headers, &upload)?;
    let upload = uploads::receive_part(state, upload, offset, request.into_body()).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    tus::describe(&upload, state.base_path(), &mut response);
    Ok(response)
}
