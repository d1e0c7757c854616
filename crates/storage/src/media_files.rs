//! The files under a folder of media, staged and unfinished ones included, which the place itself does not list.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::{MediaError, MediaStore};

/// A file in the folder of media.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFile {
    /// Its path in the folder, parts divided by slashes.
    pub key: String,
    /// Bytes.
    pub size: u64,
    /// When it was written.
    pub modified: SystemTime,
}

impl MediaStore {
    /// Names of the folders in a folder of media; none where it is not there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn media_folders(&self, prefix: &str) -> Result<Vec<String>, MediaError> {
        let folder = self.place(prefix);
        on_a_thread(move || {
            let mut names = Vec::new();
            for entry in entries(&folder)? {
                if let (true, Ok(name)) = (entry.file_type()?.is_dir(), entry.file_name().into_string()) {
                    names.push(name);
                }
            }
            names.sort();
            Ok(names)
        })
        .await
    }

    /// Every file under a folder of media.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn media_files(&self, prefix: &str) -> Result<Vec<MediaFile>, MediaError> {
        let (folder, prefix) = (self.place(prefix), prefix.to_owned());
        on_a_thread(move || {
            let mut files = Vec::new();
            list(&folder, &prefix, &mut files)?;
            Ok(files)
        })
        .await
    }

    /// Removes one file; whether it was there.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub async fn media_remove_file(&self, key: &str) -> Result<bool, MediaError> {
        let file = self.place(key);
        on_a_thread(move || match std::fs::remove_file(&file) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        })
        .await
    }

    /// Removes empty folders that nothing was put into since, from the innermost on.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub async fn media_remove_empty_folders(&self, prefix: &str, since: SystemTime) -> Result<(), MediaError> {
        let folder = self.place(prefix);
        on_a_thread(move || remove_empty(&folder, since)).await
    }

    fn place(&self, prefix: &str) -> PathBuf {
        self.folder().join(prefix)
    }
}

async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, MediaError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(io::Error::other)??)
}

/// What lies in a folder; nothing where it is not there, or no longer.
fn entries(folder: &Path) -> io::Result<Vec<std::fs::DirEntry>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn list(folder: &Path, prefix: &str, files: &mut Vec<MediaFile>) -> io::Result<()> {
    for entry in entries(folder)? {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let key = format!("{prefix}/{name}");
        let metadata = match entry.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            metadata => metadata?,
        };
        if metadata.is_dir() {
            list(&entry.path(), &key, files)?;
        } else {
            files.push(MediaFile { key, size: metadata.len(), modified: metadata.modified()? });
        }
    }
    Ok(())
}

fn remove_empty(folder: &Path, since: SystemTime) -> io::Result<()> {
    // Before its own folders are removed, which changes its time.
    let modified = match std::fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?.modified()?,
    };
    for entry in entries(folder)? {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path(), since)?;
        }
    }
    if modified < since {
        // Fails where it is not empty, as it should.
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}
