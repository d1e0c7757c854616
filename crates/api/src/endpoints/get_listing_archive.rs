//! `GET /v1/listings/{listingId}/archive`

use std::sync::Arc;

use aerie_domain::{Clock, ValidationError};
use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::archive::{self, Size};
use crate::auth::Caller;
use crate::binary::Binary;
use crate::error::ApiError;
use crate::extract::{ApiQuery, ListingPath, Parameters, RequestQuery};
use crate::listings;

/// The requested archive.
pub(crate) struct GetArchive {
    size: Size,
}

impl RequestQuery for GetArchive {
    fn from_query(parameters: &Parameters, _: &dyn Clock) -> Result<Self, ValidationError> {
        match parameters.text("size")? {
            None | Some("mls") => Ok(Self { size: Size::Mls }),
            Some("original") => Ok(Self { size: Size::Original }),
            Some(_) => Err(ValidationError::new("size", "must be one of mls, original")),
        }
    }
}

/// Download the media of a listing
///
/// Aerie extension. Streams a ZIP archive with the newest finished media of each photo in the order of the listing, and videos: photos as
/// JPEGs whose longer side has at most 2048 pixels, or with `size=original` as they were made. `media.json` describes them as `Media`
/// of the RESO Data Dictionary, with the disclosures; `contact-sheet.html` shows them. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/listings/{listingId}/archive",
    operation_id = "get_listing_archive",
    tag = "Listings",
    security(("api_key" = [])),
    params(
        ("listingId" = String, Path, format = "uuid", description = "Listing identifier"),
        ("size" = inline(Option<Size>), Query, description = "Size of the photos: `mls` or `original`. Defaults to `mls`"),
    ),
    responses(
        (status = 200, description = "The archive", content_type = "application/zip", body = inline(Binary)),
    )
)]
pub(crate) async fn get_listing_archive(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ListingPath(id): ListingPath,
    ApiQuery(GetArchive { size }): ApiQuery<GetArchive>,
) -> Result<Response, ApiError> {
    let listing = listings::find(&state, caller.org_id, id).await?;
    let body = archive::body(&state, listing, size).await?;
    let name = format!("attachment; filename=\"listing-{id}.zip\"");
    let headers = [(header::CONTENT_TYPE, "application/zip".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, body).into_response())
}
