//! `POST /v1/listings`

use std::sync::Arc;

use aerie_domain::{ListingId, ListingRequest, listing};
use aerie_storage::NewListing;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::ApiJson;
use crate::listings::{self, ListingView};

/// Create a listing
///
/// Aerie extension. Keeps the photos of a property together, so that one request makes media for all of them. Nothing is fetched
/// yet. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/listings",
    operation_id = "create_listing",
    tag = "Listings",
    security(("api_key" = [])),
    request_body = ListingRequest,
    responses(
        (status = 201, description = "The listing is created", body = Envelope<ListingView>),
    )
)]
pub(crate) async fn create_listing(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiJson(mut request): ApiJson<ListingRequest>,
) -> Result<Response, ApiError> {
    let now = state.clock.now();
    listing::identify(&mut request.photos, now);
    let photos = request.photos.clone();
    let new = NewListing { id: ListingId::new(now), org_id: caller.org_id, request };
    let created = state.store.listing_create(new, listings::MAX_LISTINGS).await?;
    let created = created.map_err(|why| listings::refusal(why, &photos))?;
    tracing::info!(listing = %created.id, photos = created.photos.len(), "created a listing");
    Ok(success(StatusCode::CREATED, listings::view(&state, created).await?))
}
