//! Capacity of the local disks: how much is free, and whether that suffices for another job.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::statvfs;

/// Marks the size of the media as not yet measured.
const NOT_MEASURED: u64 = u64::MAX;

/// How long a reading of the free space is used: many submits share one system call.
const READING_LIFETIME: Duration = Duration::from_millis(200);

/// Capacity of the disks with a data folder and local media, within limits. Where media are stored elsewhere, capacity is
/// [`Capacity::unlimited`].
#[derive(Debug)]
pub struct Capacity {
    /// The folders that are written to; they may be on different disks.
    folders: Vec<PathBuf>,
    limits: Limits,
    media: AtomicU64,
    /// The last reading of the disk with the least free space.
    reading: Mutex<Option<(Instant, Disk)>>,
}

/// Limits on the use of local disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Bytes that must stay free.
    pub reserve: u64,
    /// Bytes that media may use together; `None` for no limit.
    pub budget: Option<u64>,
}

/// A disk; sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disk {
    /// Free for this process.
    pub free: u64,
    /// Total size.
    pub total: u64,
}

/// Why there is no capacity for another job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OutOfCapacity {
    /// Less is free than the reserve.
    #[error("the disk has {free} bytes free, less than the reserve of {reserve}")]
    DiskNearlyFull {
        /// Bytes free.
        free: u64,
        /// Bytes that must stay free.
        reserve: u64,
    },
    /// The budget for media is used up.
    #[error("media use {used} of {budget} bytes")]
    BudgetUsedUp {
        /// Bytes used by media.
        used: u64,
        /// Bytes that media may use.
        budget: u64,
    },
}

impl Capacity {
    /// No limits, and no disk to report.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::of_folders(Vec::new(), Limits::default())
    }

    /// The capacity of the disk with a data folder, where media are stored elsewhere.
    #[must_use]
    pub fn of_folder(data: &Path, limits: Limits) -> Self {
        Self::of_folders(vec![data.to_owned()], limits)
    }

    pub(crate) fn of_folders(folders: Vec<PathBuf>, limits: Limits) -> Self {
        Self { folders, limits, media: AtomicU64::new(NOT_MEASURED), reading: Mutex::new(None) }
    }

    /// The disk with the least free space, as it was at most a fifth of a second ago; `None` without local disks.
    ///
    /// # Errors
    /// When a folder does not exist.
    pub fn disk(&self) -> std::io::Result<Option<Disk>> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, disk)) = *reading
            && at.elapsed() < READING_LIFETIME
        {
            return Ok(Some(disk));
        }
        let disk = self.read_disk()?;
        *reading = disk.map(|disk| (Instant::now(), disk));
        Ok(disk)
    }

    fn read_disk(&self) -> std::io::Result<Option<Disk>> {
        let mut least: Option<Disk> = None;
        for folder in &self.folders {
            let stat = statvfs(folder)?;
            let disk = Disk { free: stat.f_bavail * stat.f_frsize, total: stat.f_blocks * stat.f_frsize };
            least = Some(least.filter(|least| least.free <= disk.free).unwrap_or(disk));
        }
        Ok(least)
    }

    /// Whether a new job can be accepted.
    ///
    /// # Errors
    /// Why not.
    pub fn check_submit(&self) -> Result<(), OutOfCapacity> {
        self.check(self.limits.reserve)?;
        match (self.limits.budget, self.media_size()) {
            (Some(budget), Some(used)) if used >= budget => Err(OutOfCapacity::BudgetUsedUp { used, budget }),
            _ => Ok(()),
        }
    }

    /// Whether an accepted job can run: it may use half of the reserve.
    ///
    /// # Errors
    /// Why not.
    pub fn check_run(&self) -> Result<(), OutOfCapacity> {
        self.check(self.limits.reserve / 2)
    }

    fn check(&self, reserve: u64) -> Result<(), OutOfCapacity> {
        match self.disk() {
            Ok(Some(Disk { free, .. })) if free < reserve => Err(OutOfCapacity::DiskNearlyFull { free, reserve }),
            Ok(_) => Ok(()),
            Err(error) => {
                // If something is wrong with the disk, the next write reports it.
                tracing::warn!(%error, "free disk space is unknown");
                Ok(())
            }
        }
    }

    /// Total size of the media in bytes when it was last measured.
    #[must_use]
    pub fn media_size(&self) -> Option<u64> {
        Some(self.media.load(Ordering::Relaxed)).filter(|size| *size != NOT_MEASURED)
    }

    /// Records the total size of the media, from [`MediaStore::media_size`](crate::MediaStore::media_size).
    pub fn set_media_size(&self, bytes: u64) {
        self.media.store(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LocalMedia;

    fn capacity(folder: &std::path::Path, reserve: u64, budget: Option<u64>) -> Capacity {
        LocalMedia::open(&folder.join("media")).unwrap().capacity(folder, Limits { reserve, budget })
    }

    #[test]
    fn no_job_is_accepted_below_the_reserve_or_above_the_budget() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Capacity::unlimited().check_submit(), Ok(()));
        let endless = capacity(folder.path(), u64::MAX, None);
        assert!(matches!(endless.check_submit(), Err(OutOfCapacity::DiskNearlyFull { .. })));
        assert!(matches!(endless.check_run(), Err(OutOfCapacity::DiskNearlyFull { .. })));
        for (budget, fits) in [(1000, false), (1001, true)] {
            let capacity = capacity(folder.path(), 0, Some(budget));
            assert_eq!((capacity.check_submit(), capacity.media_size()), (Ok(()), None), "not yet measured");
            capacity.set_media_size(1000);
            assert_eq!((capacity.check_submit().is_ok(), capacity.media_size()), (fits, Some(1000)));
            assert_eq!(capacity.check_run(), Ok(()));
        }
    }

    #[test]
    fn accepted_jobs_may_use_half_of_the_reserve() {
        let folder = tempfile::tempdir().unwrap();
        let free = capacity(folder.path(), 0, None).disk().unwrap().unwrap().free;
        let capacity = capacity(folder.path(), free + free / 2, None);
        assert!(capacity.check_submit().is_err());
        assert_eq!(capacity.check_run(), Ok(()));
    }
}
