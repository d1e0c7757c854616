//! Periodic removal of expired media and leftover files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use aerie_domain::{Clock, JobId, RequestId};
use aerie_storage::{JobQueue, LocalMedia, MediaStore, Store, StoreError, SweepError, SweepReport, retention};
use jiff::SignedDuration;
use tokio::fs;

/// Delay before the first sweep, so that the machine's clock is set by then.
const FIRST: Duration = Duration::from_secs(300);

/// A clock that differs from the elapsed time by more than this was adjusted: file ages cannot be trusted.
const CLOCK_JUMP: SignedDuration = SignedDuration::from_hours(1);

/// Sweeps periodically; only one process sweeps at a time.
pub(crate) struct Sweeper {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) media: MediaStore,
    pub(crate) local_media: Option<LocalMedia>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) data_dir: PathBuf,
    pub(crate) every: Duration,
}

impl Sweeper {
    /// Sweeps forever.
    pub(crate) async fn run(self) {
        let holder = RequestId::new(self.clock.now()).to_string();
        let mut wait = FIRST.min(self.every);
        loop {
            let (slept, at) = (Instant::now(), self.clock.now());
            tokio::time::sleep(wait).await;
            wait = self.every;
            let jumped =
                self.clock.now().duration_since(at) - SignedDuration::try_from(slept.elapsed()).unwrap_or_default();
            if jumped.abs() > CLOCK_JUMP {
                tracing::warn!(seconds = jumped.as_secs(), "the clock was adjusted: skipping this sweep");
                continue;
            }
            match self.store.duty_acquire("sweep", &holder, self.every * 2).await {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    tracing::warn!(%error, "cannot take the sweep lock: skipping this sweep");
                    continue;
                }
            }
            let media = (&self.media, self.local_media.as_ref());
            let swept = tokio::select! {
                swept = sweep(&*self.store, media, &self.data_dir, retention::GRACE) => swept,
                () = self.keep_duty(&holder) => {
                    tracing::warn!("another process has begun to sweep: this sweep ends");
                    continue;
                }
            };
            match swept {
                Ok(report) if report == SweepReport::default() => {}
                Ok(SweepReport { expired, files, bytes }) => tracing::info!(expired, files, bytes, "swept"),
                Err(error) => tracing::warn!(%error, "sweep failed"),
            }
        }
    }
}

impl Sweeper {
    /// Renews the duty while a sweep takes long; returns when another process has it.
    async fn keep_duty(&self, holder: &str) {
        loop {
            tokio::time::sleep(self.every).await;
            match self.store.duty_acquire("sweep", holder, self.every * 2).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => tracing::warn!(%error, "cannot renew the sweep lock"),
            }
        }
    }
}

/// Sweeps once: expired media, and files that killed processes left in the data folder.
pub(crate) async fn sweep(
    store: &dyn Store,
    (media, local_media): (&MediaStore, Option<&LocalMedia>),
    data_dir: &Path,
    grace: Duration,
) -> Result<SweepReport, SweepError> {
    let before = SystemTime::now().checked_sub(grace).unwrap_or(SystemTime::UNIX_EPOCH);
    for folder in old_folders(data_dir, before).await {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("measure-") {
            remove(&folder).await;
        }
    }
    for folder in old_folders(&data_dir.join("work"), before).await {
        let id: Option<JobId> = folder.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        if let Some(id) = id
            && has_ended(store, id).await?
        {
            remove(&folder).await;
        }
    }
    let mut report = retention::sweep(store, media, grace).await?;
    if let Some(local) = local_media {
        report += retention::sweep_all(store, media, grace).await?;
        report += local.leftovers_sweep(grace).await?;
    }
    Ok(report)
}

async fn has_ended(queue: &dyn JobQueue, id: JobId) -> Result<bool, StoreError> {
    Ok(queue.job_get(None, id).await?.is_none_or(|job| job.status.is_terminal()))
}

/// Subfolders that have not changed since `before`; empty when the folder cannot be read.
async fn old_folders(of: &Path, before: SystemTime) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(mut entries) = fs::read_dir(of).await else { return found };
    while let Ok(Some(entry)) = entries.next_entry().await {
        let Ok(metadata) = fs::metadata(entry.path()).await else { continue };
        if metadata.is_dir() && metadata.modified().is_ok_and(|modified| modified < before) {
            found.push(entry.path());
        }
    }
    found
}

async fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder).await {
        tracing::warn!(%error, folder = %folder.display(), "cannot remove a leftover folder");
    }
}
