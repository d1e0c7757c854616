//! The finished media of a listing as one archive: which files it has, and their description.
//!
//! The API decodes no pictures: photos in the size for listing services are made by the engines (`mls_url`), and a web page in the
//! archive shows all photos.
mod files;
mod pages;
mod stream;

use std::sync::Arc;

use aerie_domain::{Job, JobStatus, JobType, Listing, ListingPhoto};
use aerie_storage::{ListingJob, MediaError};
use axum::body::Body;
use futures_util::future::try_join_all;

pub(crate) use files::{MediaFile, Size, files_of};

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::pictures::AT_ONCE;
use crate::{ApiState, disclosures, listings};

/// Greatest size of an archive, bytes: what every program that reads archives understands.
const MAX_SIZE: u64 = 4_000_000_000;

/// The finished media of a listing, streamed.
pub(crate) async fn body(state: &Arc<ApiState>, listing: Listing, size: Size) -> Result<Body, ApiError> {
    let slot = stream::Slot::take(listing.org_id)?;
    let mut files = Vec::new();
    for (at, photo, job) in newest(state, &listing).await? {
        let disclosed = disclosures::with_page(state, &job).await?;
        files.extend(files_of(&job, at.zip(photo), disclosed, size));
    }
    let files = sized(state, files).await?;
    if files.is_empty() {
        let message = "The listing has no finished media; wait until a job is completed, or make some with POST /v1/listings/{listingId}/generate";
        return Err(ApiError::with_message(ApiErrorCode::NotFound, message));
    }
    let total: u64 = files.iter().map(|file| file.bytes).sum();
    if total > MAX_SIZE {
        let message = format!(
            "The media have {total} bytes, and an archive at most {MAX_SIZE}: leave out `size`, or download the files by the links of the jobs"
        );
        return Err(ApiError::with_message(ApiErrorCode::ValidationError, message));
    }
    let described = [
        ("media.json".to_owned(), pages::media_json(&listing, &files).map_err(ApiError::internal)?),
        ("contact-sheet.html".to_owned(), pages::contact_sheet(&listing, &files).into_bytes()),
    ];
    Ok(stream::body(slot, Arc::clone(state), described.into(), files, state.clock.now()))
}

/// A job with its place in the listing and its photo, which a flight has not.
pub(crate) type Finished<'a> = (Option<usize>, Option<&'a ListingPhoto>, Job);

/// The newest finished job of each kind and photo: photos in the order of the listing, then videos.
pub(crate) async fn newest<'a>(state: &ApiState, listing: &'a Listing) -> Result<Vec<Finished<'a>>, ApiError> {
    let jobs = state.store.listing_jobs(listing.org_id, listing.id, listings::MAX_JOBS).await?;
    let find = |kind: JobType, photo: Option<&ListingPhoto>| {
        let is_wanted = |job: &&ListingJob| {
            (job.job_type, job.status, job.photo_id.as_deref())
                == (kind, JobStatus::Completed, photo.map(ListingPhoto::id))
        };
        jobs.iter().find(is_wanted).map(|job| job.job_id)
    };
    let mut wanted = Vec::new();
    for (at, photo) in listing.photos.iter().enumerate() {
        for kind in [JobType::ImageEnhance, JobType::VirtualStaging] {
            wanted.extend(find(kind, Some(photo)).map(|job| (Some(at), Some(photo), job)));
        }
    }
    wanted.extend(find(JobType::DroneFootage, None).map(|job| (None, None, job)));
    for (at, photo) in listing.photos.iter().enumerate() {
        wanted.extend(find(JobType::VideoClip, Some(photo)).map(|job| (Some(at), Some(photo), job)));
    }
    let mut found = Vec::with_capacity(wanted.len());
    for wanted in wanted.chunks(AT_ONCE) {
        let jobs = wanted.iter().map(|(_, _, job)| state.store.job_get(Some(listing.org_id), *job));
        for ((at, photo, _), job) in wanted.iter().zip(try_join_all(jobs).await?) {
            found.extend(job.filter(|job| job.expired_at.is_none()).map(|job| (*at, *photo, job)));
        }
    }
    Ok(found)
}

/// The files that are there, with their sizes.
async fn sized(state: &ApiState, files: Vec<MediaFile>) -> Result<Vec<MediaFile>, ApiError> {
    let mut found = Vec::with_capacity(files.len());
    for files in files.chunks(AT_ONCE) {
        let looked_at = files.iter().map(async |file| match state.media.media_head(&file.key).await {
            Ok(media) => Ok(Some(MediaFile { bytes: media.size, ..file.clone() })),
            // Deleted meanwhile.
            Err(MediaError::NotFound) => Ok(None),
            Err(error) => Err(ApiError::from(error)),
        });
        found.extend(try_join_all(looked_at).await?.into_iter().flatten());
    }
    Ok(found)
}
