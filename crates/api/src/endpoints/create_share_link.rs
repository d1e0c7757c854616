//! `POST /v1/listings/{listingId}/share-links`

use std::sync::Arc;

use aerie_domain::{ShareLinkId, ShareToken};
use aerie_storage::{NewShareLink, ShareLinkRefusal};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiJson, ListingPath};
use crate::requests::share_links::ShareLinkRequest;
use crate::share_links::{MAX_LINKS, WithToken};
use crate::{ApiState, listings};

/// Milliseconds of a day.
const DAY: i64 = 24 * 3600 * 1000;

/// Create a share link
///
/// Aerie extension. Creates a link by which people without a key see the finished media of a listing, approve photos and comment on
/// them. The response has the token and the address of the web page, which are shown only once. A listing has at most 100 links; the
/// oldest that has expired or was revoked makes room. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/listings/{listingId}/share-links",
    operation_id = "create_share_link",
    tag = "Sharing",
    security(("api_key" = [])),
    params(("listingId" = String, Path, format = "uuid", description = "Listing identifier")),
    request_body = ShareLinkRequest,
    responses(
        (status = 201, description = "The link, with its token", body = Envelope<WithToken>),
    )
)]
pub(crate) async fn create_share_link(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(listing_id): ListingPath,
    ApiJson(request): ApiJson<ShareLinkRequest>,
) -> Result<Response, ApiError> {
    let token = ShareToken::generate().map_err(ApiError::internal)?;
    let new = NewShareLink {
        id: ShareLinkId::new(state.clock.now()),
        org_id: caller.org_id,
        listing_id,
        token: token.hash(),
        permissions: request.permissions(),
        lifetime: i64::from(request.expires_in_days) * DAY,
        name: request.name,
    };
    match state.store.share_link_create(new, MAX_LINKS).await? {
        Ok(link) => {
            tracing::info!(link = %link.id, listing = %listing_id, "created a share link");
            Ok(success(StatusCode::CREATED, WithToken::of(&state, link, &token)))
        }
        Err(ShareLinkRefusal::ListingNotFound) => Err(listings::unknown()),
        Err(ShareLinkRefusal::TooMany { limit }) => {
            let message = format!("The listing has {limit} share links, the most that are possible; revoke one first");
            Err(ApiError::with_message(ApiErrorCode::InsufficientQuota, message))
        }
    }
}
