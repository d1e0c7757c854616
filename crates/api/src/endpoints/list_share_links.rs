//! `GET /v1/listings/{listingId}/share-links`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::ListingPath;
use crate::share_links::ShareLinkView;
use crate::{ApiState, listings};

/// List share links
///
/// Aerie extension. Lists the share links of a listing, newest first, without their tokens. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/listings/{listingId}/share-links",
    operation_id = "list_share_links",
    tag = "Sharing",
    security(("api_key" = [])),
    params(("listingId" = String, Path, format = "uuid", description = "Listing identifier")),
    responses(
        (status = 200, description = "The links", body = Envelope<Vec<ShareLinkView>>),
    )
)]
pub(crate) async fn list_share_links(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(id): ListingPath,
) -> Result<Response, ApiError> {
    listings::find(&state, caller.org_id, id).await?;
    let links = state.store.share_link_list(caller.org_id, id).await?;
    let views: Vec<ShareLinkView> = links.into_iter().map(ShareLinkView::of).collect();
    Ok(success(StatusCode::OK, views))
}
