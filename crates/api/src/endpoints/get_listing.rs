//! `GET /v1/listings/{listingId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::extract::ListingPath;
use crate::listings::{self, ListingView};

/// Get a listing
///
/// Aerie extension. Retrieves a listing with the status of each of its jobs. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/listings/{listingId}",
    operation_id = "get_listing",
    tag = "Listings",
    security(("api_key" = [])),
    params(("listingId" = String, Path, format = "uuid", description = "Listing identifier")),
    responses(
        (status = 200, description = "The listing", body = Envelope<ListingView>),
    )
)]
pub(crate) async fn get_listing(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(id): ListingPath,
) -> Result<Response, ApiError> {
    let listing = listings::find(&state, caller.org_id, id).await?;
    Ok(success(StatusCode::OK, listings::view(&state, listing).await?))
}
