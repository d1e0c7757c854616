//! The folder in which an attempt works: `work/JOB/ATTEMPT` in the data folder.

use std::io;
use std::path::{Path, PathBuf};

use aerie_storage::{Lease, StoreError};
use tokio::fs;

use crate::Worker;

impl Worker {
    /// Creates an empty folder for the attempt. Folders of earlier attempts are removed: nobody reads them any more.
    pub(crate) async fn work_folder_create(&self, lease: &Lease) -> io::Result<PathBuf> {
        let of_job = self.work_folder(lease);
        match fs::remove_dir_all(&of_job).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let of_attempt = of_job.join(lease.attempt.to_string());
        fs::create_dir_all(&of_attempt).await?;
        Ok(of_attempt)
    }

    /// Removes this attempt's folder only: another worker may be at the next attempt.
    pub(crate) async fn work_folder_remove(&self, lease: &Lease) {
        let of_job = self.work_folder(lease);
        let removed = fs::remove_dir_all(of_job.join(lease.attempt.to_string())).await;
        if let Err(error) = removed
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the working folder could not be removed");
        }
        // Fails while it contains another attempt's folder, as intended.
        let _ = fs::remove_dir(of_job).await;
    }

    /// Removes folders that killed processes left behind, of jobs that have ended.
    pub(crate) async fn work_folders_clean_up(&self) {
        for folder in folders(&self.data_dir.join("work")).await {
            let Some(id) = folder.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok()) else {
                continue;
            };
            let ended = match self.store.job_get(None, id).await {
                Ok(job) => job.is_none_or(|job| job.status.is_terminal()),
                Err(StoreError::Closed) => return,
                Err(_) => false,
            };
            if ended && let Err(error) = fs::remove_dir_all(&folder).await {
                tracing::warn!(%error, job = %id, "a working folder could not be removed");
            }
        }
    }

    fn work_folder(&self, lease: &Lease) -> PathBuf {
        self.data_dir.join("work").join(lease.job_id.to_string())
    }
}

/// What is in a folder; nothing when it cannot be read.
async fn folders(of: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Ok(mut entries) = fs::read_dir(of).await {
        while let Ok(Some(entry)) = entries.next_entry().await {
            found.push(entry.path());
        }
    }
    found
}
