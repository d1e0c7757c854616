//! `DELETE /v1/listings/{listingId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::ListingPath;
use crate::listings;

/// Delete a listing
///
/// Aerie extension. Deletes a listing. Its jobs and their media stay. Uploads that no other listing names expire after 7 days. Needs a
/// key with the scope `generate`.
#[utoipa::path(
    delete,
    path = "/v1/listings/{listingId}",
    operation_id = "delete_listing",
    tag = "Listings",
    security(("api_key" = [])),
    params(("listingId" = String, Path, format = "uuid", description = "Listing identifier")),
    responses(
        (status = 204, description = "The listing is deleted"),
    )
)]
pub(crate) async fn delete_listing(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(id): ListingPath,
) -> Result<Response, ApiError> {
    match state.store.listing_delete(caller.org_id, id, listings::KEEP).await? {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(listings::unknown()),
    }
}
