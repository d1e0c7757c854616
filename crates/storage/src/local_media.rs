//! Media in a folder of this machine, and what only such media have: files to link to, leftovers, and a disk that fills up.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::local::LocalFileSystem;

use crate::capacity::Limits;
use crate::media_store::parse;
use crate::retention::SweepReport;
use crate::{Capacity, MediaError, MediaStore};

/// Media in a folder of this machine.
#[derive(Debug, Clone)]
pub struct LocalMedia {
    folder: PathBuf,
    store: MediaStore,
}

impl LocalMedia {
    /// Opens the folder; creates it when it does not exist. Media are on disk (fsync) when a put returns.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn open(folder: &Path) -> Result<Self, MediaError> {
        std::fs::create_dir_all(folder)?;
        let objects = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self { folder: folder.to_owned(), store: MediaStore::new(Arc::new(objects)) })
    }

    /// The media.
    #[must_use]
    pub fn store(&self) -> &MediaStore {
        &self.store
    }

    /// The file with the media under `key`, which never changes in place: a backup may hard-link it.
    ///
    /// # Errors
    /// When the key is malformed.
    pub fn file(&self, key: &str) -> Result<PathBuf, MediaError> {
        parse(key)?;
        Ok(self.folder.join(key))
    }

    /// The capacity of the disks with the media and with the data folder, within limits.
    #[must_use]
    pub fn capacity(&self, data: &Path, limits: Limits) -> Capacity {
        Capacity::of_folders(vec![data.to_owned(), self.folder.clone()], limits)
    }

    /// Removes what killed processes left in the folders of organizations and in that of packs: temporary files of unfinished uploads, and empty
    /// folders; only what has not changed for the time `grace`.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub async fn leftovers_sweep(&self, grace: Duration) -> Result<SweepReport, MediaError> {
        let folder = self.folder.clone();
        let before = SystemTime::now().checked_sub(grace).unwrap_or(SystemTime::UNIX_EPOCH);
        let swept = tokio::task::spawn_blocking(move || sweep(&folder, before)).await;
        Ok(swept.map_err(io::Error::other)??)
    }
}

fn sweep(media: &Path, before: SystemTime) -> io::Result<SweepReport> {
    let mut report = SweepReport::default();
    for org in folders(media, |name| name.parse::<aerie_domain::OrgId>().is_ok())? {
        for job in folders(&org, |name| name.parse::<aerie_domain::JobId>().is_ok())? {
            sweep_folder(&job, before, &mut report)?;
        }
    }
    sweep_folder(&media.join("pack"), before, &mut report)?;
    Ok(report)
}

fn folders(folder: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let entries = entries(folder)?.into_iter();
    let ours = entries.filter(|entry| entry.file_name().to_str().is_some_and(&is_ours));
    Ok(ours.map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
}

fn sweep_folder(folder: &Path, before: SystemTime, report: &mut SweepReport) -> io::Result<()> {
    // Read first: removing an entry changes it.
    let modified = match std::fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?.modified()?,
    };
    for entry in entries(folder)? {
        let metadata = match entry.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            metadata => metadata?,
        };
        if metadata.is_dir() {
            sweep_folder(&entry.path(), before, report)?;
        } else if entry.file_name().to_str().is_some_and(is_unfinished) && metadata.modified()? < before {
            std::fs::remove_file(entry.path())?;
            report.files += 1;
            report.bytes += metadata.len();
        }
    }
    if modified < before {
        // Fails when the folder is not empty, as intended.
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}

/// `object_store` writes `NAME#NUMBER` and renames it when it is complete. No key contains `#`.
fn is_unfinished(name: &str) -> bool {
    name.contains('#')
}

/// The entries of a folder; empty when it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<std::fs::DirEntry>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_cannot_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let media = LocalMedia::open(&folder.path().join("media")).unwrap();
        std::fs::write(folder.path().join("file"), "0123456789").unwrap();
        for key in ["../file", "o/../../file", "/file", "o//file", "o/%2e%2e/file", "o/./file", "", "o\\file"] {
            assert!(media.store().media_put(key, &folder.path().join("file")).await.is_err(), "{key}");
            assert!(matches!(media.file(key), Err(MediaError::BadKey(_))), "{key}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[tokio::test]
    async fn an_upload_that_fails_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let media = LocalMedia::open(&folder.path().join("media")).unwrap();
        // Reading a folder fails, after the file system has opened it.
        assert!(media.store().media_put("o/j/1/a", folder.path()).await.is_err());
        assert!(!folder.path().join("media/o").exists());
    }
}
