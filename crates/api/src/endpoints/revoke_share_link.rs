//! `DELETE /v1/listings/{listingId}/share-links/{shareLinkId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::ShareLinkPath;
use crate::{ApiState, listings, share_links};

/// Revoke a share link
///
/// Aerie extension. The link stops working at once, and links to media that its viewers have within an hour. What they said is kept.
/// Needs a key with the scope `generate`.
#[utoipa::path(
    delete,
    path = "/v1/listings/{listingId}/share-links/{shareLinkId}",
    operation_id = "revoke_share_link",
    tag = "Sharing",
    security(("api_key" = [])),
    params(
        ("listingId" = String, Path, format = "uuid", description = "Listing identifier"),
        ("shareLinkId" = String, Path, format = "uuid", description = "Identifier of the link"),
    ),
    responses(
        (status = 204, description = "The link is revoked"),
    )
)]
pub(crate) async fn revoke_share_link(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ShareLinkPath(listing_id, id): ShareLinkPath,
) -> Result<Response, ApiError> {
    if state.store.share_link_revoke(caller.org_id, listing_id, id).await? {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    listings::find(&state, caller.org_id, listing_id).await?;
    Err(share_links::unknown())
}
