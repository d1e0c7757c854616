//! `GET /v1/listings`

use std::sync::Arc;

use aerie_domain::{Clock, ValidationError};
use aerie_storage::{ListingFilter, ListingPage};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{ListEnvelope, Meta, Pagination, page};
use crate::error::ApiError;
use crate::extract::{ApiQuery, Parameters, RequestQuery};
use crate::listings::ListingSummaryView;

/// The requested page.
pub(crate) struct ListListings {
    limit: u32,
    offset: u64,
    reference: Option<String>,
}

impl RequestQuery for ListListings {
    fn from_query(parameters: &Parameters, _: &dyn Clock) -> Result<Self, ValidationError> {
        let (limit, offset) = parameters.page()?;
        Ok(Self { limit, offset, reference: parameters.text("reference")?.map(str::to_owned) })
    }
}

/// List listings
///
/// Aerie extension. Lists the organization's listings, newest first, without their photos and jobs. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/listings",
    operation_id = "list_listings",
    tag = "Listings",
    security(("api_key" = [])),
    params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "Page size. Defaults to 50"),
        ("offset" = Option<u64>, Query, minimum = 0, description = "Number of listings to skip. Defaults to 0"),
        ("reference" = Option<String>, Query, description = "Only the listing with this reference of yours"),
    ),
    responses(
        (status = 200, description = "A page of listings", body = ListEnvelope<ListingSummaryView>),
    )
)]
pub(crate) async fn list_listings(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiQuery(ListListings { limit, offset, reference }): ApiQuery<ListListings>,
) -> Result<Response, ApiError> {
    let filter = ListingFilter { org_id: caller.org_id, reference, limit, offset };
    let ListingPage { listings, total } = state.store.listing_list(filter).await?;
    let has_more = offset.saturating_add(listings.len() as u64) < total;
    let listings: Vec<_> = listings.into_iter().map(ListingSummaryView::of).collect();
    Ok(page(listings, Pagination { total, limit, offset, has_more }, Meta::current()))
}
