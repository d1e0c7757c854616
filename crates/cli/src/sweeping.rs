//! Periodic removal of expired media and leftover files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use aerie_domain::{Clock, JobId, RequestId};
use aerie_storage::{JobStore, MediaStore, StoreError, Swept, keeping};
use jiff::SignedDuration;

/// Delay before the first sweep, so that the machine's clock is set by then.
const FIRST: Duration = Duration::from_secs(300);

/// A clock that differs from the elapsed time by more than this was adjusted: file ages cannot be trusted.
const CLOCK_JUMP: SignedDuration = SignedDuration::from_hours(1);

/// Sweeps periodically; only one process sweeps at a time.
pub(crate) struct Sweeper {
    pub(crate) store: Arc<dyn JobStore>,
    pub(crate) media: MediaStore,
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
            match self.store.duty_take("sweep", &holder, self.every * 2).await {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    tracing::warn!(%error, "cannot take the sweep lock: skipping this sweep");
                    continue;
                }
            }
            match sweep(&*self.store, &self.media, &*self.clock, &self.data_dir, keeping::GRACE).await {
                Ok(swept) if swept == Swept::default() => {}
                Ok(Swept { expired, files, bytes }) => tracing::info!(expired, files, bytes, "swept"),
                Err(error) => tracing::warn!(%error, "sweep failed"),
            }
        }
    }
}

/// Sweeps once: expired media, and files that killed processes left in the data folder.
pub(crate) async fn sweep(
    store: &dyn JobStore,
    media: &MediaStore,
    clock: &dyn Clock,
    data_dir: &Path,
    grace: Duration,
) -> Result<Swept, keeping::SweepError> {
    let unowned_since = SystemTime::now().checked_sub(grace).unwrap_or(SystemTime::UNIX_EPOCH);
    let is_old = |path: &Path| {
        let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified < unowned_since)
    };
    for path in folders(data_dir) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("measure-") && is_old(&path) {
            remove(&path);
        }
    }
    for path in folders(&data_dir.join("work")) {
        let id: Option<JobId> = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        if let Some(id) = id
            && is_old(&path)
            && has_ended(store, id).await?
        {
            remove(&path);
        }
    }
    keeping::sweep(store, media, clock.now(), grace).await
}

async fn has_ended(store: &dyn JobStore, id: JobId) -> Result<bool, StoreError> {
    Ok(store.job_get(None, id).await?.is_none_or(|job| job.status.is_terminal()))
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

fn remove(folder: &Path) {
    if let Err(error) = std::fs::remove_dir_all(folder) {
        tracing::warn!(%error, folder = %folder.display(), "cannot remove a leftover folder");
    }
}
