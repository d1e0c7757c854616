//! Removing what is no longer to be kept: media that are older than their owner wants, and files that no job names.
//!
//! A file without a job comes of a crash between the file and the row, or of an attempt that lost. It is left alone for
//! a while, as its row may be on its way.

use std::collections::BTreeSet;
use std::time::Duration;

use aerie_domain::{Job, JobId, JobStatus, OrgId};
use jiff::Timestamp;

use crate::{JobStore, MediaError, MediaStore, StoreError};

/// How long a file may be without a job: much longer than anything that makes both.
pub const GRACE: Duration = Duration::from_secs(3600);

/// Jobs marked in one transaction.
const AT_ONCE: u32 = 500;

/// What a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Jobs whose media had come of age.
    pub expired: usize,
    /// Files, of these jobs and of none.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Why a sweep ended early; what it had removed stays removed.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The rows.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The files.
    #[error("{0}")]
    Media(#[from] MediaError),
}

/// Removes what is no longer to be kept at `now`. Rows first: a job that is told as expired may have files for a while, but
/// never the other way round.
///
/// # Errors
/// When the store or the folder of media fails.
pub async fn sweep(
    store: &dyn JobStore,
    media: &MediaStore,
    now: Timestamp,
    grace: Duration,
) -> Result<Swept, SweepError> {
    let mut swept = Swept::default();
    for org in store.org_list().await? {
        let Some(before) = org.keep_days.and_then(|days| now.checked_sub(age(days)).ok()) else { continue };
        loop {
            let expired = store.jobs_expire(org.id, before, AT_ONCE).await?.len();
            swept.expired += expired;
            if expired < AT_ONCE as usize {
                break;
            }
        }
    }
    let unowned_since = std::time::SystemTime::now().checked_sub(grace).unwrap_or(std::time::UNIX_EPOCH);
    for org in media.media_folders("").await? {
        // What is not ours to name is not ours to remove.
        let Ok(_) = org.parse::<OrgId>() else { continue };
        for folder in media.media_folders(&org).await? {
            let Ok(id) = folder.parse::<JobId>() else { continue };
            let prefix = format!("{org}/{folder}");
            // Files first, then the row: one that comes in between is not looked at.
            let files = media.media_files(&prefix).await?;
            let job = store.job_get(None, id).await?.filter(|job| job.org_id.to_string() == org);
            let is_expired = job.as_ref().is_some_and(|job| job.expired_at.is_some());
            let kept = job.as_ref().map(Kept::of).unwrap_or_default();
            for file in files {
                if kept.holds(&file.key) || (!is_expired && file.modified > unowned_since) {
                    continue;
                }
                swept.bytes += file.size;
                swept.files += usize::from(media.media_remove_file(&file.key).await?);
            }
            media.media_remove_empty_folders(&prefix, unowned_since).await?;
        }
    }
    Ok(swept)
}

fn age(days: u32) -> jiff::SignedDuration {
    jiff::SignedDuration::from_hours(24 * i64::from(days))
}

/// Files that a job needs.
#[derive(Default)]
struct Kept {
    named: BTreeSet<String>,
    /// What is being made now.
    being_made: Option<String>,
}

impl Kept {
    fn of(job: &Job) -> Self {
        if job.expired_at.is_some() {
            return Self::default();
        }
        let named = job.media.values().chain(job.input_media.values()).cloned().collect();
        let runs = matches!(job.status, JobStatus::Queued | JobStatus::Running);
        let being_made = runs.then(|| format!("{}/{}/{}/", job.org_id, job.id, job.attempt));
        Self { named, being_made }
    }

    fn holds(&self, key: &str) -> bool {
        self.named.contains(key) || self.being_made.as_ref().is_some_and(|prefix| key.starts_with(prefix))
    }
}
