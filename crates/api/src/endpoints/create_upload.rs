//! `POST /v1/uploads`, and `OPTIONS`

use std::sync::Arc;

use axum::Extension;
use axum::body::to_bytes;
use axum::extract::{RawQuery, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::auth::Caller;
use crate::binary::Binary;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::Parameters;
use crate::uploads::{self, UploadView};
use crate::{detached, tus};

/// Upload a photo
///
/// Aerie extension. Sends the bytes of a photo (JPEG, PNG, WebP, TIFF, HEIC, AVIF or DNG; at most 150 MB and 100 megapixels) as the body. The response's
/// `image_url` (`aerie:upload/ID`) can be used for every image of a job. With the header `Tus-Resumable: 1.0.0`, the request
/// begins an upload in parts instead, by the tus protocol: `Upload-Length` gives the size, and the upload continues with `PATCH`
/// on `Location`. Uploads have request limits of their own, and count in the organization's bytes of the month.
#[utoipa::path(
    post,
    path = "/v1/uploads",
    operation_id = "create_upload",
    tag = "Uploads",
    security(("api_key" = [])),
    params(
        ("filename" = Option<String>, Query, max_length = 255, description = "Your name for the file, returned with the upload"),
        ("Tus-Resumable" = Option<String>, Header, description = "`1.0.0` to begin an upload in parts"),
        ("Upload-Length" = Option<u64>, Header, description = "Size of the photo that is uploaded in parts, bytes; only with `Tus-Resumable`"),
        ("Upload-Metadata" = Option<String>, Header, description = "As in the tus protocol; `filename` is kept"),
    ),
    request_body(content = inline(Binary), content_type = "application/octet-stream", description = "The photo"),
    responses(
        (status = 201, description = "The photo is stored, or the upload in parts has begun", body = Envelope<UploadView>),
    )
)]
pub(crate) async fn create_upload(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, ApiError> {
    // Goes on if the connection is lost, so that what has arrived is kept.
    detached::run(async move { created(&state, &caller, query, request).await }).await
}

async fn created(
    state: &ApiState,
    caller: &Caller,
    query: Option<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let headers = request.headers();
    let is_in_parts = tus::is_spoken(headers)?;
    let parameters = Parameters::parse(query.as_deref().unwrap_or_default());
    let given = parameters.text("filename")?.map(tus::name_of).transpose()?.flatten();
    let name = tus::filename(headers)?.or(given);
    let upload = if is_in_parts {
        let size = tus::number(headers, "Upload-Length")?;
        let has_part = tus::is_type(headers, tus::PART);
        if has_part {
            let begun = uploads::begin(state, caller, size, name).await?;
            uploads::receive_part(state, begun, 0, request.into_body()).await?
        } else {
            // Its size may not be declared.
            let (head, body) = request.into_parts();
            if to_bytes(body, 0).await.is_err() {
                tus::check_part(&head.headers)?;
            }
            uploads::begin(state, caller, size, name).await?
        }
    } else {
        tus::check_whole(headers)?;
        uploads::receive_whole(state, caller, request.into_body(), name).await?
    };
    let mut response = success(StatusCode::CREATED, UploadView::of(&upload));
    tus::describe(&upload, state.base_path(), &mut response);
    Ok(response)
}

/// What the service supports of the tus protocol.
pub(crate) async fn describe_uploads() -> Response {
    describe("POST, OPTIONS")
}

/// As [`describe_uploads`], for the path of an upload.
pub(crate) async fn describe_upload() -> Response {
    describe("GET, HEAD, PATCH, DELETE, OPTIONS")
}

fn describe(allowed: &'static str) -> Response {
    let mut response = (StatusCode::NO_CONTENT, [(header::ALLOW, allowed)]).into_response();
    tus::announce(&mut response);
    response
}
