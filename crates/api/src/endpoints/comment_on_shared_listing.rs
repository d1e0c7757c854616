//! `POST /v1/shared/{token}/comments`

use std::sync::Arc;

use aerie_domain::ReviewContent;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::ApiJson;
use crate::requests::share_links::CommentRequest;
use crate::shared_listing::{self, Said, SharedComment};
use crate::viewers::{TokenPath, Viewer};

/// Comment on a shared listing
///
/// Aerie extension. Adds a comment on a photo or on the whole listing, if the link allows it. A link has at most 500 decisions and
/// comments. Needs no key: the token is the permission.
#[utoipa::path(
    post,
    path = "/v1/shared/{token}/comments",
    operation_id = "comment_on_shared_listing",
    tag = "Sharing",
    params(("token" = String, Path, description = "Token of the share link")),
    request_body = CommentRequest,
    responses(
        (status = 201, description = "The comment", body = Envelope<SharedComment>),
    )
)]
pub(crate) async fn comment_on_shared_listing(
    State(state): State<Arc<ApiState>>,
    _: Viewer,
    token: TokenPath,
    ApiJson(request): ApiJson<CommentRequest>,
) -> Result<Response, ApiError> {
    let link = token.link(&state).await?;
    match comment(&state, &link, request).await? {
        Said::Comment(comment) => Ok(success(StatusCode::CREATED, comment)),
        Said::Approval(_) => Err(ApiError::internal("a comment was kept as a decision")),
    }
}

/// Adds a comment.
pub(crate) async fn comment(
    state: &ApiState,
    link: &aerie_domain::ShareLink,
    request: CommentRequest,
) -> Result<Said, ApiError> {
    let CommentRequest { photo_id, text, name } = request;
    let photo_id = photo_id.map(|id| id.0);
    shared_listing::review(state, link, photo_id, ReviewContent::Comment(text), Some(name)).await
}
