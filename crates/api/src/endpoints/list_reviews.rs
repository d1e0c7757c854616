//! `GET /v1/listings/{listingId}/reviews`

use std::sync::Arc;

use aerie_storage::{ReviewFilter, ReviewPage};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{ListEnvelope, Meta, Pagination, page};
use crate::error::ApiError;
use crate::extract::{ApiQuery, ListingPath, PageOf};
use crate::share_links::ReviewView;
use crate::{ApiState, listings};

/// List reviews
///
/// Aerie extension. Lists what viewers of the share links of a listing said, newest first: of each link the last decision on each photo,
/// and comments. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/listings/{listingId}/reviews",
    operation_id = "list_reviews",
    tag = "Sharing",
    security(("api_key" = [])),
    params(
        ("listingId" = String, Path, format = "uuid", description = "Listing identifier"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "Page size. Defaults to 50"),
        ("offset" = Option<u64>, Query, minimum = 0, description = "Number of reviews to skip. Defaults to 0"),
    ),
    responses(
        (status = 200, description = "A page of reviews", body = ListEnvelope<ReviewView>),
    )
)]
pub(crate) async fn list_reviews(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(listing_id): ListingPath,
    ApiQuery(PageOf { limit, offset }): ApiQuery<PageOf>,
) -> Result<Response, ApiError> {
    listings::find(&state, caller.org_id, listing_id).await?;
    let filter = ReviewFilter { org_id: caller.org_id, listing_id, share_link_id: None, limit, offset };
    let ReviewPage { reviews, total } = state.store.review_list(filter).await?;
    let has_more = offset.saturating_add(reviews.len() as u64) < total;
    let views: Vec<ReviewView> = reviews.into_iter().map(ReviewView::of).collect();
    Ok(page(views, Pagination { total, limit, offset, has_more }, Meta::current()))
}
