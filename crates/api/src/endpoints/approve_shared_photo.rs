//! `POST /v1/shared/{token}/approvals`

use std::sync::Arc;

use aerie_domain::ReviewContent;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::ApiJson;
use crate::requests::share_links::ApprovalRequest;
use crate::shared_listing::{self, Said, SharedApproval};
use crate::viewers::{TokenPath, Viewer};

/// Approve or reject a photo
///
/// Aerie extension. Records a decision on a photo, if the link allows it; it replaces the last one on the photo through the same link.
/// Needs no key: the token is the permission.
#[utoipa::path(
    post,
    path = "/v1/shared/{token}/approvals",
    operation_id = "approve_shared_photo",
    tag = "Sharing",
    params(("token" = String, Path, description = "Token of the share link")),
    request_body = ApprovalRequest,
    responses(
        (status = 200, description = "The decision", body = Envelope<SharedApproval>),
    )
)]
pub(crate) async fn approve_shared_photo(
    State(state): State<Arc<ApiState>>,
    _: Viewer,
    token: TokenPath,
    ApiJson(request): ApiJson<ApprovalRequest>,
) -> Result<Response, ApiError> {
    let link = token.link(&state).await?;
    match approve(&state, &link, request).await? {
        Said::Approval(approval) => Ok(success(StatusCode::OK, approval)),
        Said::Comment(_) => Err(ApiError::internal("a decision was kept as a comment")),
    }
}

/// Records a decision.
pub(crate) async fn approve(
    state: &ApiState,
    link: &aerie_domain::ShareLink,
    request: ApprovalRequest,
) -> Result<Said, ApiError> {
    let ApprovalRequest { photo_id, decision, name } = request;
    shared_listing::review(state, link, Some(photo_id.0), ReviewContent::Decision(decision), name).await
}
