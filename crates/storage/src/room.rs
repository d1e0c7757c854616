//! Room on the disk: how much there is, and whether there is enough for another job.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::statvfs;

/// Bytes that `media` is taken for while nobody has counted them.
const UNCOUNTED: u64 = u64::MAX;

/// The room of one data folder, within limits.
#[derive(Debug)]
pub struct Room {
    /// The folders that are written to; they may lie on several disks.
    folders: Vec<PathBuf>,
    media: PathBuf,
    reserve: u64,
    budget: Option<u64>,
    used: AtomicU64,
}

/// A disk, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disk {
    /// Free for us.
    pub free: u64,
    /// In all.
    pub total: u64,
}

/// Why there is no room for another job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoRoom {
    /// Less is free than what is kept in reserve.
    #[error("the disk has {free} bytes free, less than the reserve of {reserve}")]
    DiskNearlyFull {
        /// Bytes free.
        free: u64,
        /// Bytes to be kept free.
        reserve: u64,
    },
    /// The media take as much as they may.
    #[error("media take {used} bytes of the {budget} that they may")]
    BudgetUsedUp {
        /// Bytes of media.
        used: u64,
        /// Bytes that they may take.
        budget: u64,
    },
}

impl Room {
    /// The room on the disks of these folders, `media` among them: `reserve` bytes are to stay free, and media may take
    /// `budget` bytes in all.
    #[must_use]
    pub fn new(data: &Path, media: &Path, reserve: u64, budget: Option<u64>) -> Self {
        let folders = vec![data.to_owned(), media.to_owned()];
        Self { folders, media: media.to_owned(), reserve, budget, used: AtomicU64::new(UNCOUNTED) }
    }

    /// Room without limits, below a folder.
    #[must_use]
    pub fn unlimited(folder: &Path) -> Self {
        Self::new(folder, folder, 0, None)
    }

    /// The disk with the least free.
    ///
    /// # Errors
    /// When a folder is not there.
    pub fn disk(&self) -> std::io::Result<Disk> {
        let mut least: Option<Disk> = None;
        for folder in &self.folders {
            let stat = statvfs(folder)?;
            let disk = Disk { free: stat.f_bavail * stat.f_frsize, total: stat.f_blocks * stat.f_frsize };
            least = Some(least.filter(|least| least.free <= disk.free).unwrap_or(disk));
        }
        least.ok_or_else(|| std::io::Error::other("no folder"))
    }

    /// Whether there is room for another job to be taken on.
    ///
    /// # Errors
    /// Why there is not.
    pub fn for_submit(&self) -> Result<(), NoRoom> {
        self.check(self.reserve)?;
        match (self.budget, self.media_bytes()) {
            (Some(budget), Some(used)) if used >= budget => Err(NoRoom::BudgetUsedUp { used, budget }),
            _ => Ok(()),
        }
    }

    /// Whether there is room to run a job that was taken on: half of the reserve is for these.
    ///
    /// # Errors
    /// Why there is not.
    pub fn for_run(&self) -> Result<(), NoRoom> {
        self.check(self.reserve / 2)
    }

    fn check(&self, reserve: u64) -> Result<(), NoRoom> {
        match self.disk() {
            Ok(Disk { free, .. }) if free < reserve => Err(NoRoom::DiskNearlyFull { free, reserve }),
            Ok(_) => Ok(()),
            Err(error) => {
                // Whatever is wrong, it is told when something is written.
                tracing::warn!(%error, "the disk's room is not known");
                Ok(())
            }
        }
    }

    /// Bytes of media when they were counted last; `None` before the first time.
    #[must_use]
    pub fn media_bytes(&self) -> Option<u64> {
        Some(self.used.load(Ordering::Relaxed)).filter(|used| *used != UNCOUNTED)
    }

    /// Counts the bytes of media, on this thread. What disappears meanwhile does not count.
    pub fn count_media(&self) -> u64 {
        let used = bytes_under(&self.media);
        self.used.store(used, Ordering::Relaxed);
        used
    }
}

fn bytes_under(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_under(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_room_below_the_reserve_or_above_the_budget() {
        let folder = tempfile::tempdir().unwrap();
        let media = folder.path().join("media");
        std::fs::create_dir_all(media.join("o/j/1")).unwrap();
        std::fs::write(media.join("o/j/1/video.mp4"), [0; 1000]).unwrap();
        assert_eq!(Room::unlimited(folder.path()).for_submit(), Ok(()));
        let endless = Room::new(folder.path(), &media, u64::MAX, None);
        assert!(matches!(endless.for_submit(), Err(NoRoom::DiskNearlyFull { .. })));
        assert!(matches!(endless.for_run(), Err(NoRoom::DiskNearlyFull { .. })));
        for (budget, fits) in [(1000, false), (1001, true)] {
            let room = Room::new(folder.path(), &media, 0, Some(budget));
            assert_eq!((room.for_submit(), room.media_bytes()), (Ok(()), None), "nothing is counted yet");
            assert_eq!(room.count_media(), 1000);
            assert_eq!(room.for_submit().is_ok(), fits);
            assert_eq!(room.for_run(), Ok(()));
        }
    }

    #[test]
    fn half_of_the_reserve_is_for_jobs_that_were_taken_on() {
        let folder = tempfile::tempdir().unwrap();
        let free = Room::unlimited(folder.path()).disk().unwrap().free;
        let room = Room::new(folder.path(), folder.path(), free + free / 2, None);
        assert!(room.for_submit().is_err());
        assert_eq!(room.for_run(), Ok(()));
    }
}
