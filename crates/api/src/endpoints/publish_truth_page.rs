//! `POST /v1/jobs/{jobId}/truth-page`

use std::sync::Arc;

use aerie_engine_api::openapi::Presence;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::{ApiPath, read_json};
use crate::requests::truth_pages::TruthPageRequest;
use crate::truth_page::{TruthPageView, publish};
use crate::{ApiState, detached};

/// Publish a truth page
///
/// Aerie extension. Publishes a page that shows the result of an image enhancement or a virtual staging beside its original, to anybody
/// who has its address, which has 131 random bits: with the mask, what was done in words, and the hashes of the files. The original loses
/// its metadata (EXIF, GPS) and keeps its pixels. The job must be completed, and its media not expired; its disclosure profile or the
/// organization must allow truth pages. A second request returns the same page, whatever it asks for; to change a page, revoke it and
/// publish another. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/jobs/{jobId}/truth-page",
    operation_id = "publish_truth_page",
    tag = "Truth pages",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier")),
    request_body(content = Option<TruthPageRequest>),
    responses(
        (status = 200, description = "The page that the job has", body = Envelope<TruthPageView>),
        (status = 201, description = "The page is published", body = Envelope<TruthPageView>),
    )
)]
pub(crate) async fn publish_truth_page(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiPath(id): ApiPath,
    request: Request,
) -> Result<Response, ApiError> {
    let request = read_json(request, Presence::Optional, TruthPageRequest::from_body).await?;
    // Goes on if the connection is lost, so that no copies without a page remain.
    detached::run(async move {
        let (page, is_new) = publish(&state, &caller, id, request).await?;
        let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
        Ok(success(status, TruthPageView::of(page, &state)))
    })
    .await
}
