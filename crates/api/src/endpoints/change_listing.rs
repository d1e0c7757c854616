//! `PATCH /v1/listings/{listingId}`

use std::sync::Arc;

use aerie_domain::{ListingChanges, ListingRequest, listing};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::{ApiJson, ListingPath};
use crate::listings::{self, ListingView};

/// Change a listing
///
/// Aerie extension. Replaces the members that are given, `photos` as a whole list; `null` removes one. Photos keep the `id` that is
/// given. Jobs are not affected. Needs a key with the scope `generate`.
#[utoipa::path(
    patch,
    path = "/v1/listings/{listingId}",
    operation_id = "change_listing",
    tag = "Listings",
    security(("api_key" = [])),
    params(("listingId" = String, Path, format = "uuid", description = "Listing identifier")),
    request_body = ListingRequest,
    responses(
        (status = 200, description = "The listing as it is now", body = Envelope<ListingView>),
    )
)]
pub(crate) async fn change_listing(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(id): ListingPath,
    ApiJson(mut changes): ApiJson<ListingChanges>,
) -> Result<Response, ApiError> {
    if let Some(photos) = &mut changes.photos {
        listing::identify(photos, state.clock.now());
    }
    let photos = changes.photos.clone().unwrap_or_default();
    let changed = state.store.listing_change(caller.org_id, id, changes, listings::KEEP).await?;
    let changed = changed.map_err(|why| listings::refusal(why, &photos))?;
    Ok(success(StatusCode::OK, listings::view(&state, changed).await?))
}
