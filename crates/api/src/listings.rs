//! Listings as the API shows and refuses them.

use std::time::Duration;

use aerie_domain::{Listing, ListingId, ListingPhoto, OrgId};
use aerie_storage::{ListingJob, ListingRefusal, ListingSummary};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::envelope::{ErrorDetail, iso};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// Greatest number of listings of an organization.
pub(crate) const MAX_LISTINGS: u32 = 10_000;
/// How long an upload is kept after no listing names it any more.
pub(crate) const KEEP: Duration = Duration::from_secs(7 * 24 * 3600);
/// Greatest number of jobs that a listing shows.
pub(crate) const MAX_JOBS: u32 = 1000;

/// A listing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Listing)]
pub(crate) struct ListingView {
    /// Identifier of the listing.
    #[schema(format = "uuid")]
    listing_id: String,
    /// Your own identifier of the listing.
    #[schema(required)]
    reference: Option<String>,
    /// Address of the property.
    #[schema(required)]
    address: Option<String>,
    /// Style in which all rooms of the listing are staged.
    #[schema(required)]
    style_prompt: Option<String>,
    /// The photos, in order. Each has an `id`.
    photos: Vec<ListingPhoto>,
    /// Jobs that were made for the listing, newest first, at most 1,000.
    jobs: Vec<ListingJobView>,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    updated_at: String,
}

/// A job of a listing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListingJob)]
pub(crate) struct ListingJobView {
    /// Identifier of the job.
    #[schema(format = "uuid")]
    job_id: String,
    /// What the job makes.
    #[schema(example = "image_enhance")]
    job_type: &'static str,
    /// Identifier of the photo that it is made from; `null` for a flight.
    #[schema(required)]
    photo_id: Option<String>,
    /// Status of the job.
    #[schema(example = "completed")]
    status: &'static str,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
}

/// A listing in a list, without its photos and jobs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListingSummary)]
pub(crate) struct ListingSummaryView {
    /// Identifier of the listing.
    #[schema(format = "uuid")]
    listing_id: String,
    /// Your own identifier of the listing.
    #[schema(required)]
    reference: Option<String>,
    /// Address of the property.
    #[schema(required)]
    address: Option<String>,
    /// Number of its photos.
    #[schema(minimum = 0, maximum = 100)]
    photo_count: u32,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    updated_at: String,
}

impl ListingView {
    fn of(listing: Listing, jobs: Vec<ListingJob>) -> Self {
        Self {
            listing_id: listing.id.to_string(),
            reference: listing.reference,
            address: listing.address,
            style_prompt: listing.style_prompt,
            photos: listing.photos,
            jobs: jobs.into_iter().map(ListingJobView::of).collect(),
            created_at: iso(listing.created_at),
            updated_at: iso(listing.updated_at),
        }
    }
}

impl ListingJobView {
    fn of(job: ListingJob) -> Self {
        Self {
            job_id: job.job_id.to_string(),
            job_type: job.job_type.as_str(),
            photo_id: job.photo_id,
            status: job.status.as_str(),
            created_at: iso(job.created_at),
        }
    }
}

impl ListingSummaryView {
    pub(crate) fn of(listing: ListingSummary) -> Self {
        Self {
            listing_id: listing.id.to_string(),
            reference: listing.reference,
            address: listing.address,
            photo_count: listing.photos,
            created_at: iso(listing.created_at),
            updated_at: iso(listing.updated_at),
        }
    }
}

/// The organization's listing.
pub(crate) async fn find(state: &ApiState, org_id: OrgId, id: ListingId) -> Result<Listing, ApiError> {
    state.store.listing_get(org_id, id).await?.ok_or_else(unknown)
}

/// A listing with its jobs.
pub(crate) async fn view(state: &ApiState, listing: Listing) -> Result<ListingView, ApiError> {
    let jobs = state.store.listing_jobs(listing.org_id, listing.id, MAX_JOBS).await?;
    Ok(ListingView::of(listing, jobs))
}

pub(crate) fn unknown() -> ApiError {
    ApiError::new(ApiErrorCode::ListingNotFound)
}

/// Why a listing with these photos is not added or changed.
pub(crate) fn refusal(why: ListingRefusal, photos: &[ListingPhoto]) -> ApiError {
    match why {
        ListingRefusal::NotFound => unknown(),
        ListingRefusal::Reference(other) => ApiError::with_message(
            ApiErrorCode::ListingConflict,
            format!(
                "`reference` is that of the listing {other}: change that one with PATCH, or give another reference"
            ),
        ),
        ListingRefusal::TooMany { limit } => ApiError::with_message(
            ApiErrorCode::InsufficientQuota,
            format!("The organization has {limit} listings, the most that are possible; delete some"),
        ),
        ListingRefusal::Uploads(uploads) => {
            let is_refused = |photo: &ListingPhoto| photo.upload().is_some_and(|upload| uploads.contains(&upload));
            let refused = photos.iter().enumerate().filter(|(_, photo)| is_refused(photo));
            let details = refused.map(|(at, photo)| ErrorDetail {
                photo_id: Some(photo.id().to_owned()),
                field: format!("photos[{at}].image_url"),
                code: ApiErrorCode::InvalidUrl.as_str(),
                message: "names no complete upload of the organization; finish it, or upload the photo again"
                    .to_owned(),
            });
            refused_for(ApiErrorCode::InvalidUrl, details.collect())
        }
    }
}

/// A refusal with a reason for each photo.
pub(crate) fn refused_for(code: ApiErrorCode, details: Vec<ErrorDetail>) -> ApiError {
    let message = match &details[..] {
        [] => code.default_message().to_owned(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more: see `error.details`)", rest.len()),
    };
    ApiError::with_message(code, message).details(details)
}
