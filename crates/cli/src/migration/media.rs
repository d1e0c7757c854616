//! Media: every file that a job references is copied, and the copy is read back.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use aerie_domain::JobId;
use aerie_storage::{LocalMedia, MediaError, MediaStore};
use aerie_storage_sqlite::Export;
use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::copying::hash_file;
use crate::migration::progress::Progress;

/// Jobs whose media are listed at once.
const JOBS: u32 = 1000;

/// Files copied at once.
const AT_ONCE: usize = 8;

/// What was done with the media.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct MediaReport {
    /// Files that jobs reference and that the source has.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Files that the target lacked.
    pub(crate) copied: u64,
    /// Files that jobs reference and that the source lacks.
    pub(crate) missing: Vec<String>,
}

/// Copies what the target lacks, and verifies each file of the target by its SHA-256.
pub(crate) async fn copy_media(
    export: &Export,
    folder: &Path,
    target: &MediaStore,
    progress: &Progress,
) -> anyhow::Result<MediaReport> {
    let keys_after = |after: Option<JobId>| -> anyhow::Result<Option<(JobId, BTreeSet<String>)>> {
        let jobs = export.media_after(after, JOBS)?;
        let last = jobs.last().map(|(id, _)| *id);
        Ok(last.map(|last| (last, jobs.into_iter().flat_map(|(_, keys)| keys).collect())))
    };
    let (mut total, mut after) = (0, None);
    while let Some((last, keys)) = keys_after(after)? {
        (total, after) = (total + keys.len() as u64, Some(last));
    }
    let mut report = MediaReport::default();
    if total == 0 {
        return Ok(report);
    }
    ensure!(
        folder.is_dir(),
        "the folder {} with {total} media files does not exist: mount its disk, or correct [media] url",
        folder.display()
    );
    // Opening a folder that does not exist would create it.
    let source = &LocalMedia::open(folder)?;
    progress.begin("media: copying", total);
    after = None;
    while let Some((last, keys)) = keys_after(after)? {
        let copies = stream::iter(keys).map(|key| async move {
            let copied = copy(source.file(&key)?, target, &key).await;
            let copied = copied.with_context(|| format!("cannot copy the media file {key}"))?;
            anyhow::Ok((key, copied))
        });
        let mut copies = copies.buffer_unordered(AT_ONCE);
        while let Some((key, copied)) = copies.try_next().await? {
            progress.advance(1)?;
            let Some((size, is_new)) = copied else {
                report.missing.push(key);
                continue;
            };
            report.files += 1;
            report.bytes += size;
            report.copied += u64::from(is_new);
        }
        after = Some(last);
    }
    report.missing.sort();
    Ok(report)
}

/// Copies a file unless the target has it; returns its size and whether it was copied, or `None` if the source lacks it.
async fn copy(file: PathBuf, target: &MediaStore, key: &str) -> anyhow::Result<Option<(u64, bool)>> {
    let original = file.clone();
    let (size, expected) = match tokio::task::spawn_blocking(move || hash_file(&original)).await? {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        hashed => hashed?,
    };
    if hash_media(target, key).await? == Some(expected) {
        return Ok(Some((size, false)));
    }
    target.media_put(key, &file).await?;
    ensure!(hash_media(target, key).await? == Some(expected), "the copy has a different SHA-256 from the original");
    Ok(Some((size, true)))
}

/// The SHA-256 of stored media; `None` if there are none or the store finds them damaged.
async fn hash_media(media: &MediaStore, key: &str) -> Result<Option<[u8; 32]>, MediaError> {
    let mut found = match media.media_get(key, None).await {
        Err(MediaError::NotFound) => return Ok(None),
        found => found?,
    };
    let mut digest = Sha256::new();
    loop {
        match found.content.try_next().await {
            Ok(Some(bytes)) => digest.update(&bytes),
            Ok(None) => return Ok(Some(digest.finalize().into())),
            Err(MediaError::Damaged(_)) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const KEY: &str = "org/job/1/video.mp4";

    #[tokio::test]
    async fn a_file_is_copied_once_and_again_when_the_copy_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let target = MediaStore::in_memory();
        let file = |content: &str| {
            let file = folder.path().join(content);
            fs::write(&file, content).unwrap();
            file
        };
        let copied = async || copy(file("film"), &target, KEY).await.unwrap();
        assert_eq!((copied().await, copied().await), (Some((4, true)), Some((4, false))));
        for wrong in ["mlif", "longer film"] {
            target.media_put(KEY, &file(wrong)).await.unwrap();
            assert_eq!(copied().await, Some((4, true)), "{wrong}");
            let found: Vec<_> = target.media_get(KEY, None).await.unwrap().content.try_collect().await.unwrap();
            assert_eq!(found.concat(), b"film");
        }
        assert_eq!(copy(folder.path().join("gone.mp4"), &target, KEY).await.unwrap(), None);
    }
}
