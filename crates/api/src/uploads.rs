//! Photos that clients upload: received whole or in parts, and checked as those that are fetched.
//!
//! Every part is a file in the media store until the last one has arrived, so that any node can continue an upload, also after a
//! crash. Then they are put together, checked and stored as one file.

use std::time::Duration;

use aerie_domain::{OrgId, UPLOAD, UploadId};
use aerie_fetch::{FetchError, Picture, PictureReceiver};
use aerie_storage::{MediaError, NewUpload, Upload, UploadLimits, UploadPart, UploadRefusal, UploadedPhoto, retention};
use axum::body::Body;
use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::envelope::iso;
use crate::error::{ApiError, out_of_space};
use crate::error_code::ApiErrorCode;
use crate::transport::TooSlow;
use crate::{ApiState, context};

/// Why a link to an upload is refused that is none of the organization: the end of a sentence.
pub(crate) const UNKNOWN_UPLOAD: &str =
    "names no upload of the organization, or one that has expired; upload the photo again";

/// Maximum size of a photo, bytes.
pub(crate) const MAX_SIZE: u64 = 150_000_000;
/// How long an upload is kept while it is neither continued nor used.
const KEEP: Duration = Duration::from_secs(7 * 24 * 3600);
/// Greatest number of parts of an upload.
const MAX_PARTS: usize = 1000;
/// Greatest number of uploads of an organization that are not complete.
const MAX_INCOMPLETE: u32 = 1000;
/// `Retry-After` of an organization with too many uploads that are not complete, seconds.
const INCOMPLETE_RETRY: u32 = 60;

/// An upload.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UploadView {
    /// Its id.
    #[schema(format = "uuid")]
    upload_id: String,
    /// What fields for images accept in place of a URL: `aerie:upload/ID`. Usable once the upload is complete.
    image_url: String,
    /// `receiving`, or `complete` once all bytes have arrived and are a photo.
    #[schema(example = "complete")]
    status: &'static str,
    /// Size of the file, bytes.
    #[schema(minimum = 1, maximum = 150_000_000)]
    size: u64,
    /// Bytes that have arrived.
    #[schema(minimum = 0, maximum = 150_000_000)]
    received: u64,
    /// The client's name for the file.
    filename: Option<String>,
    /// Format of the complete photo: `jpg`, `png`, `webp`, `tif`, `heic`, `avif`, `dng` or `nef`.
    format: Option<String>,
    /// Width of the complete photo, pixels.
    width: Option<u32>,
    /// Height of the complete photo, pixels.
    height: Option<u32>,
    /// SHA-256 of the complete photo, 64 hexadecimal digits.
    sha256: Option<String>,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
    /// When it is deleted, unless it is continued, or used by a job, before: 7 days later. `null` while a listing names it.
    #[schema(format = "date-time", required)]
    expires_at: Option<String>,
}

impl UploadView {
    pub(crate) fn of(upload: &Upload) -> Self {
        let photo = upload.photo.as_ref();
        Self {
            upload_id: upload.id.to_string(),
            image_url: format!("{UPLOAD}{}", upload.id),
            status: if photo.is_some() { "complete" } else { "receiving" },
            size: upload.size,
            received: upload.received(),
            filename: upload.name.clone(),
            format: photo.map(|photo| photo.extension.clone()),
            width: photo.map(|photo| photo.width),
            height: photo.map(|photo| photo.height),
            sha256: photo.map(|photo| photo.sha256.iter().map(|byte| format!("{byte:02x}")).collect()),
            created_at: iso(upload.created_at),
            expires_at: upload.expiry().map(iso),
        }
    }
}

/// Begins an upload that is received in parts.
pub(crate) async fn begin(
    state: &ApiState,
    caller: &Caller,
    size: u64,
    name: Option<String>,
) -> Result<Upload, ApiError> {
    state.capacity.check_submit()?;
    if size == 0 {
        return Err(refused("`Upload-Length` must be the number of bytes of the photo, which are not 0"));
    }
    if size > MAX_SIZE {
        let message = format!("`Upload-Length` must be at most {MAX_SIZE} bytes");
        return Err(ApiError::with_message(ApiErrorCode::UploadTooLarge, message));
    }
    let new = NewUpload { id: UploadId::new(state.clock.now()), org_id: caller.org_id, size, name };
    let bytes_per_month = state.plans.limits(&caller.credentials.org.plan).uploads.bytes_per_month;
    let limits = UploadLimits { bytes_per_month, incomplete: MAX_INCOMPLETE };
    let created = state.store.upload_create(new, limits, KEEP).await?.map_err(refusal)?;
    tracing::info!(upload = %created.id, bytes = size, "began an upload");
    Ok(created)
}

/// Receives a whole photo in one request.
pub(crate) async fn receive_whole(
    state: &ApiState,
    caller: &Caller,
    body: Body,
    name: Option<String>,
) -> Result<Upload, ApiError> {
    state.capacity.check_submit()?;
    let (receiver, sha256, end) = receive(state, body, MAX_SIZE).await?;
    end?;
    if receiver.size() == 0 {
        return Err(refused("A body is required: the bytes of a photo"));
    }
    let picture = receiver.finish().await.map_err(not_a_photo)?;
    let upload = begin(state, caller, picture.size, name).await?;
    let kept = keep(state, &upload, picture, sha256).await;
    if kept.is_err() {
        forget(state, &upload).await;
    }
    kept
}

/// Receives the part of an upload that begins at `offset`. What has arrived is kept, even if the connection is lost.
pub(crate) async fn receive_part(
    state: &ApiState,
    upload: Upload,
    offset: u64,
    body: Body,
) -> Result<Upload, ApiError> {
    if offset != upload.received() || upload.photo.is_some() {
        return Err(conflict(upload.received()));
    }
    if upload.parts.len() >= MAX_PARTS {
        forget(state, &upload).await;
        return Err(refused(format!(
            "The upload has {MAX_PARTS} parts, the most that are possible, and was deleted; upload it again in larger parts"
        )));
    }
    state.capacity.check_submit()?;
    let (receiver, _, end) = receive(state, body, upload.size - offset).await?;
    let size = receiver.size();
    if size == 0 {
        return end.map(|()| upload);
    }
    let (request, _) = context::current();
    let key = format!("{}/{}/part-{offset:08}-{request}", upload.org_id, upload.id);
    if state.media.is_remote() {
        state.store.leftovers_expect(upload.org_id, note_of(upload.id), retention::GRACE).await?;
    }
    state.media.media_put_file(&key, receiver.into_part().await.map_err(of_this_server)?).await?;
    let part = UploadPart { key: key.clone(), offset, size };
    let upload = match state.store.upload_append(upload.org_id, upload.id, part, KEEP).await? {
        Ok(upload) => upload,
        Err(why) => {
            // Another request has continued the upload meanwhile, or deleted it.
            if let Err(error) = state.media.media_delete_files(&[key]).await {
                tracing::warn!(%error, upload = %upload.id, "cannot remove a part that is not needed");
            }
            return Err(refusal(why));
        }
    };
    let upload = finished(state, upload).await?;
    end.map(|()| upload)
}

/// The upload; put together if all of its parts are there and the request that sent the last one was interrupted.
pub(crate) async fn find(state: &ApiState, org_id: OrgId, id: UploadId) -> Result<Upload, ApiError> {
    let upload = state.store.upload_get(org_id, id).await?;
    finished(state, upload.ok_or_else(|| ApiError::new(ApiErrorCode::UploadNotFound))?).await
}

/// The media key of the photo that a link to an upload names, for a job that uses it. The end of a sentence that begins with
/// the field says why there is none.
pub(crate) async fn used(state: &ApiState, org_id: OrgId, id: &str) -> Result<Result<String, String>, ApiError> {
    let unknown = || Ok(Err(UNKNOWN_UPLOAD.to_owned()));
    let Ok(id) = id.parse() else { return unknown() };
    let upload = match find(state, org_id, id).await {
        Ok(upload) => upload,
        Err(error) if error.code() == ApiErrorCode::UploadNotFound => return unknown(),
        Err(error) => return Err(error),
    };
    if upload.photo.is_none() {
        let (received, size) = (upload.received(), upload.size);
        return Ok(Err(format!("names an upload of which {received} of {size} bytes have arrived; finish it first")));
    }
    match state.store.upload_use(org_id, id, KEEP).await?.and_then(|upload| upload.key()) {
        Some(key) => Ok(Ok(key)),
        None => unknown(),
    }
}

/// Puts the parts together if all are there.
async fn finished(state: &ApiState, upload: Upload) -> Result<Upload, ApiError> {
    if upload.photo.is_some() || upload.received() < upload.size {
        return Ok(upload);
    }
    let mut receiver = state.intake.receive_upload(MAX_SIZE).map_err(of_this_server)?;
    let mut hash = Sha256::new();
    for part in &upload.parts {
        let mut media = match state.media.media_get(&part.key, None).await {
            Ok(media) => media,
            // Another request has put them together meanwhile.
            Err(MediaError::NotFound) => {
                let known = state.store.upload_get(upload.org_id, upload.id).await?;
                let known = known.filter(|upload| upload.photo.is_some());
                return known.ok_or_else(|| ApiError::internal("a part of an upload is missing"));
            }
            Err(error) => return Err(error.into()),
        };
        while let Some(bytes) = media.content.try_next().await? {
            hash.update(&bytes);
            receiver.push(&bytes).await.map_err(not_a_photo)?;
        }
    }
    match receiver.finish().await {
        Ok(picture) => keep(state, &upload, picture, hash.finalize().into()).await,
        Err(error) => {
            forget(state, &upload).await;
            Err(not_a_photo(error))
        }
    }
}

/// Stores the photo of an upload.
async fn keep(state: &ApiState, upload: &Upload, picture: Picture, sha256: [u8; 32]) -> Result<Upload, ApiError> {
    let (width, height) = (picture.width as u32, picture.height as u32);
    let photo = UploadedPhoto { sha256, extension: picture.format.extension().to_owned(), width, height };
    let key = format!("{}/{}/photo.{}", upload.org_id, upload.id, photo.extension);
    if state.media.is_remote() {
        state.store.leftovers_expect(upload.org_id, note_of(upload.id), retention::GRACE).await?;
    }
    state.media.media_put_file(&key, picture.file).await?;
    let complete = state.store.upload_complete(upload.org_id, upload.id, photo, KEEP).await?;
    let complete = complete.ok_or_else(|| ApiError::new(ApiErrorCode::UploadNotFound))?;
    tracing::info!(upload = %complete.id, bytes = complete.size, "an upload is complete");
    Ok(complete)
}

/// Removes an upload that cannot be completed; its files are found by the note that the store makes.
async fn forget(state: &ApiState, upload: &Upload) {
    if let Err(error) = state.store.upload_delete(upload.org_id, upload.id).await {
        tracing::warn!(%error, upload = %upload.id, "cannot remove an upload");
    }
}

/// What the files of an upload are noted under.
fn note_of(id: UploadId) -> aerie_domain::JobId {
    aerie_domain::JobId(id.0)
}

/// Receives a body of at most `most` bytes. Also returns its SHA-256, and why it did not arrive whole.
async fn receive(
    state: &ApiState,
    body: Body,
    most: u64,
) -> Result<(PictureReceiver, [u8; 32], Result<(), ApiError>), ApiError> {
    let mut receiver = state.intake.receive_upload(most).map_err(of_this_server)?;
    let mut hash = Sha256::new();
    let mut stream = body.into_data_stream();
    let mut end = Ok(());
    while let Some(bytes) = stream.next().await {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                end = Err(match error.into_inner().is::<TooSlow>() {
                    true => refused("The body arrives too slowly"),
                    false => refused("The body could not be read to its end"),
                });
                break;
            }
        };
        if receiver.size() + bytes.len() as u64 > most {
            return Err(refused(if most == MAX_SIZE {
                format!("The photo must be at most {MAX_SIZE} bytes long")
            } else {
                format!("The body is longer than the {most} bytes that the upload lacks")
            }));
        }
        hash.update(&bytes);
        receiver.push(&bytes).await.map_err(of_this_server)?;
    }
    Ok((receiver, hash.finalize().into(), end))
}

fn not_a_photo(error: FetchError) -> ApiError {
    match error {
        FetchError::NotAnImage(_)
        | FetchError::Unreadable(_)
        | FetchError::Truncated(_)
        | FetchError::TooManyPixels { .. } => refused(format!("The uploaded file {error}")),
        other => of_this_server(other),
    }
}

fn of_this_server(error: FetchError) -> ApiError {
    match error {
        FetchError::NoRoom => out_of_space(),
        other => ApiError::internal(other),
    }
}

fn refusal(why: UploadRefusal) -> ApiError {
    match why {
        UploadRefusal::NotFound => ApiError::new(ApiErrorCode::UploadNotFound),
        UploadRefusal::Offset { received } => conflict(received),
        UploadRefusal::TooLarge { size } => refused(format!("The part reaches beyond the {size} bytes of the upload")),
        UploadRefusal::MonthFull { limit, used } => ApiError::with_message(
            ApiErrorCode::InsufficientQuota,
            format!("The organization has uploaded {used} of the {limit} bytes that its plan allows in a month (UTC)"),
        ),
        UploadRefusal::TooManyIncomplete { limit } => ApiError::with_message(
            ApiErrorCode::RateLimited,
            format!("The organization has {limit} uploads that are not complete, the most that are possible; finish or delete some"),
        )
        .retry_after(INCOMPLETE_RETRY),
    }
}

fn conflict(received: u64) -> ApiError {
    let message = format!("{received} bytes of the upload have arrived: continue it with `Upload-Offset: {received}`");
    ApiError::with_message(ApiErrorCode::UploadConflict, message)
}

fn refused(message: impl Into<String>) -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, message)
}
