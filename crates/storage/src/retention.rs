//! Deletes media that are older than their organization keeps them, and files that belong to no job.
//!
//! A file without a job is left by a crash between the file and the row, or by an attempt that lost its lease. It is kept
//! for a while, as its row may not be committed yet.
//!
//! The database says which jobs to look at ([`sweep`]), so that the work depends on what there is to delete, not on what is
//! kept. In a folder of this machine, [`sweep_all`] looks at every job as well: that costs little, and finds what other
//! programs or lost databases left.

use std::collections::BTreeSet;
use std::ops::AddAssign;
use std::time::Duration;

use aerie_domain::{Job, JobId, JobStatus, OrgId, TruthPageId, UploadId};
use jiff::Timestamp;

use crate::{Leftovers, MediaError, MediaStore, Store, StoreError};

/// How long a file may be without a job: much longer than it takes to store both.
pub const GRACE: Duration = Duration::from_secs(3600);

/// How long events and deliveries to webhooks are kept.
pub const EVENTS: Duration = Duration::from_secs(7 * 24 * 3600);

/// Maximum number of jobs that one transaction marks as expired.
const BATCH: u32 = 500;

/// After so many jobs whose files cannot be deleted, a sweep ends: the media store cannot be used.
const MAX_ERRORS: usize = 20;

/// What a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// Jobs that expired.
    pub expired: usize,
    /// Files of expired jobs and of none.
    pub files: usize,
    /// Total size of these files.
    pub bytes: u64,
}

/// Why a sweep ended early. What it removed until then stays removed.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The database failed.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The media store failed.
    #[error("{0}")]
    Media(#[from] MediaError),
}

impl AddAssign for SweepReport {
    fn add_assign(&mut self, other: Self) {
        self.expired += other.expired;
        self.files += other.files;
        self.bytes += other.bytes;
    }
}

/// Expires jobs by the clock of the store, and deletes files of expired jobs, and files older than `grace` that the
/// jobs, uploads and truth pages noted as [`Leftovers`] do not need. Removes uploads and truth pages that have expired. Rows first: an expired job may still have files for a moment, but never the other
/// way around.
///
/// A job whose files cannot be deleted does not keep others from being swept: it is looked at again later.
///
/// # Errors
/// When the database fails, or the media store: then the first error, after all else that is due was swept.
pub async fn sweep(store: &dyn Store, media: &MediaStore, grace: Duration) -> Result<SweepReport, SweepError> {
    let mut report = SweepReport::default();
    for org in store.org_list().await? {
        let Some(days) = org.keep_days else { continue };
        let keep = Duration::from_secs(24 * 60 * 60 * u64::from(days));
        loop {
            let expired = store.job_expire(org.id, keep, BATCH).await?.len();
            report.expired += expired;
            if expired < BATCH as usize {
                break;
            }
        }
    }
    while store.upload_expire(BATCH).await? == BATCH as usize {}
    while store.truth_page_expire(BATCH).await? == BATCH as usize {}
    while store.event_expire(EVENTS, BATCH).await? == BATCH as usize {}
    while store.delivery_expire(EVENTS, BATCH).await? == BATCH as usize {}
    let orphaned_before = before(grace);
    let mut errors = Vec::new();
    loop {
        let due = store.leftovers_due(BATCH).await?;
        let mut looked_at = 0;
        for Leftovers { org_id, job_id, .. } in &due {
            if errors.len() == MAX_ERRORS {
                break;
            }
            looked_at += 1;
            let wait = match sweep_job(store, media, (*org_id, *job_id), orphaned_before).await {
                Ok((swept, is_waiting)) => {
                    report += swept;
                    is_waiting.then_some(grace)
                }
                Err(error @ SweepError::Store(_)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, job = %job_id, "files could not be deleted; they are looked at again later");
                    errors.push(error);
                    Some(GRACE)
                }
            };
            if let Some(wait) = wait {
                store.leftovers_expect(*org_id, *job_id, wait).await?;
            }
        }
        store.leftovers_clear(&due[..looked_at]).await?;
        if due.len() < BATCH as usize || errors.len() == MAX_ERRORS {
            return errors.into_iter().next().map_or(Ok(report), Err);
        }
    }
}

/// Deletes files that no job needs, by looking at the files of every job: where listing them all costs little.
///
/// # Errors
/// When the database or the media store fails.
pub async fn sweep_all(store: &dyn Store, media: &MediaStore, grace: Duration) -> Result<SweepReport, SweepError> {
    let orphaned_before = before(grace);
    let mut report = SweepReport::default();
    for org in media.media_prefixes("").await? {
        // Files of other programs are left alone.
        let Ok(org_id) = org.parse::<OrgId>() else { continue };
        for folder in media.media_prefixes(&org).await? {
            let Ok(job_id) = folder.parse::<JobId>() else { continue };
            report += sweep_job(store, media, (org_id, job_id), orphaned_before).await?.0;
        }
    }
    Ok(report)
}

/// Files carry the time of their backend, which is not the store's clock.
fn before(grace: Duration) -> Timestamp {
    Timestamp::now().checked_sub(grace).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Deletes the files that a job does not need; returns whether there are more that are too young.
async fn sweep_job(
    store: &dyn Store,
    media: &MediaStore,
    (org_id, job_id): (OrgId, JobId),
    orphaned_before: Timestamp,
) -> Result<(SweepReport, bool), SweepError> {
    // The files before the row: files that are stored in between are not looked at.
    let mut files = media.media_list(&format!("{org_id}/{job_id}")).await?;
    let job = store.job_get(Some(org_id), job_id).await?;
    let is_expired = job.as_ref().is_some_and(|job| job.expired_at.is_some());
    let mut needed = job.as_ref().map(Needed::by).unwrap_or_default();
    if job.is_none() {
        // It may be the id of an upload, or of a truth page.
        needed.linked.extend(store.upload_files(org_id, UploadId(job_id.0)).await?);
        needed.linked.extend(store.truth_page_files(org_id, TruthPageId(job_id.0)).await?);
    }
    files.retain(|file| !needed.contains(&file.key));
    let unneeded = files.len();
    files.retain(|file| is_expired || file.modified < orphaned_before);
    let is_waiting = files.len() < unneeded;
    let keys: Vec<String> = files.iter().map(|file| file.key.clone()).collect();
    let deleted = media.media_delete_files(&keys).await?;
    let bytes = files.iter().map(|file| file.size).sum();
    Ok((SweepReport { files: deleted, bytes, ..SweepReport::default() }, is_waiting))
}

/// Files that a job needs.
#[derive(Default)]
struct Needed {
    linked: BTreeSet<String>,
    /// Prefix of what the current attempt is storing.
    attempt: Option<String>,
}

impl Needed {
    fn by(job: &Job) -> Self {
        if job.expired_at.is_some() {
            return Self::default();
        }
        let linked = job.media.values().chain(job.input_media.values()).cloned().collect();
        let is_active = matches!(job.status, JobStatus::Queued | JobStatus::Running);
        let attempt = is_active.then(|| format!("{}/{}/{}/", job.org_id, job.id, job.attempt));
        Self { linked, attempt }
    }

    fn contains(&self, key: &str) -> bool {
        self.linked.contains(key) || self.attempt.as_ref().is_some_and(|prefix| key.starts_with(prefix))
    }
}
