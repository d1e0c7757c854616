//! Media: every file that a job references is copied, and the copy is read back.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use aerie_domain::JobId;
use aerie_storage::{LocalMedia, MediaError, MediaStore};
use aerie_storage_postgres::Import;
use aerie_storage_sqlite::Export;
use anyhow::{Context, ensure};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::copying::hash_file;
use crate::interrupt::Interrupt;
use crate::migration::progress::Progress;
use crate::migration::target::of_target;

/// Jobs whose media are copied before progress is recorded.
const JOBS: u32 = 100;

/// Files copied at once.
const AT_ONCE: usize = 8;

/// What was done with the media.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MediaReport {
    /// Files that jobs reference and that the source has.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Files that the target lacked.
    pub(crate) copied: u64,
    /// Files that jobs reference and that the source lacks.
    pub(crate) missing: Vec<String>,
}

/// Copies what the target lacks, and verifies each copy by its SHA-256. What an interrupted migration copied is read back, unless
/// it was verified already.
///
/// `source`: `None` if the folder does not exist. `place`: what the target is called in records.
pub(crate) async fn copy_media(
    (export, source): (&Export, Option<&LocalMedia>),
    (import, target, place): (&Import, &MediaStore, &str),
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<MediaReport> {
    let verified = import.media_verified(place).await.map_err(of_target)?;
    let (mut report, mut after) = (MediaReport::default(), None);
    progress.begin("media: copying", count_jobs(export)?);
    loop {
        let jobs = export.media_after(after, JOBS)?;
        let Some(last) = jobs.last().map(|(id, _)| *id) else { break };
        let is_verified = verified.is_some_and(|verified| last <= verified);
        copy_jobs((&jobs, source), (target, is_verified), interrupt, &mut report).await?;
        if !is_verified {
            import.media_verified_to(place, last).await.map_err(of_target)?;
        }
        progress.advance(jobs.len() as u64);
        after = Some(last);
    }
    Ok(report)
}

/// Copies files that an earlier run did not find, those of jobs that still keep their media in the target; returns what was
/// copied, and what is still missing.
pub(crate) async fn copy_missing(
    (export, source): (&Export, &LocalMedia),
    (import, target): (&Import, &MediaStore),
    missing: &[String],
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<MediaReport> {
    let missing: BTreeSet<&str> = missing.iter().map(String::as_str).collect();
    let (mut report, mut after) = (MediaReport::default(), None);
    progress.begin("media: copying", count_jobs(export)?);
    loop {
        let jobs = export.media_after(after, JOBS)?;
        let Some((last, _)) = jobs.last() else { break };
        after = Some(*last);
        progress.advance(jobs.len() as u64);
        let mut wanted = Vec::new();
        for (job, mut keys) in jobs {
            keys.retain(|key| missing.contains(key.as_str()));
            if !keys.is_empty() && import.keeps_media(job).await.map_err(of_target)? {
                wanted.push((job, keys));
            }
        }
        copy_jobs((&wanted, Some(source)), (target, false), interrupt, &mut report).await?;
    }
    Ok(report)
}

fn count_jobs(export: &Export) -> anyhow::Result<u64> {
    let (mut jobs, mut after) = (0, None);
    loop {
        let found = export.media_after(after, 10_000)?;
        let Some((last, _)) = found.last() else { return Ok(jobs) };
        after = Some(*last);
        jobs += found.len() as u64;
    }
}

/// What was done with a file.
enum Outcome {
    Copied(u64),
    Present(u64),
    Missing,
}

async fn copy_jobs(
    (jobs, source): (&[(JobId, BTreeSet<String>)], Option<&LocalMedia>),
    (target, is_verified): (&MediaStore, bool),
    interrupt: &Interrupt,
    report: &mut MediaReport,
) -> anyhow::Result<()> {
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let mut copies = JoinSet::new();
    for key in jobs.iter().flat_map(|(_, keys)| keys).cloned().collect::<BTreeSet<_>>() {
        let file = source.map(|source| source.file(&key)).transpose().with_context(|| key.clone())?;
        let (target, turns, interrupt) = (target.clone(), Arc::clone(&turns), interrupt.clone());
        copies.spawn(async move {
            let _turn = turns.acquire().await?;
            interrupt.check()?;
            let copied = copy(file, &target, &key, is_verified).await;
            copied.with_context(|| format!("cannot copy the media file {key}")).map(|outcome| (key, outcome))
        });
    }
    while let Some(copied) = copies.join_next().await {
        match copied?? {
            (_, Outcome::Copied(size)) => {
                report.copied += 1;
                report.files += 1;
                report.bytes += size;
            }
            (_, Outcome::Present(size)) => {
                report.files += 1;
                report.bytes += size;
            }
            (key, Outcome::Missing) => report.missing.push(key),
        }
    }
    report.missing.sort();
    Ok(())
}

/// Copies a file unless the target has it; `is_verified`: a copy of the same size is known to be right.
async fn copy(file: Option<PathBuf>, target: &MediaStore, key: &str, is_verified: bool) -> anyhow::Result<Outcome> {
    let Some(file) = file else { return Ok(Outcome::Missing) };
    let size = match tokio::fs::metadata(&file).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Outcome::Missing),
        metadata => metadata?.len(),
    };
    let there = match target.media_head(key).await {
        Err(MediaError::NotFound) => None,
        head => Some(head?.size),
    };
    if there == Some(size) && is_verified {
        return Ok(Outcome::Present(size));
    }
    let original = file.clone();
    let (_, expected) = tokio::task::spawn_blocking(move || hash_file(&original)).await??;
    if there == Some(size) && hash_media(target, key).await? == Some(expected) {
        return Ok(Outcome::Present(size));
    }
    target.media_put(key, &file).await?;
    ensure!(hash_media(target, key).await? == Some(expected), "the copy has a different SHA-256 from the original");
    Ok(Outcome::Copied(size))
}

/// The SHA-256 of stored media; `None` if the store finds them damaged.
async fn hash_media(media: &MediaStore, key: &str) -> Result<Option<[u8; 32]>, MediaError> {
    let mut found = media.media_get(key, None).await?;
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

    fn source(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("video.mp4");
        fs::write(&file, content).unwrap();
        (folder, file)
    }

    async fn stored(target: &MediaStore) -> Vec<u8> {
        let chunks: Vec<_> = target.media_get(KEY, None).await.unwrap().content.try_collect().await.unwrap();
        chunks.concat()
    }

    #[tokio::test]
    async fn a_file_is_copied_once_and_again_when_the_copy_is_another() {
        let (_folder, file) = source(b"film");
        let (_other_folder, other) = source(b"mlif");
        let (_longer_folder, longer) = source(b"longer film");
        let target = MediaStore::in_memory();
        let copied = async |is_verified| copy(Some(file.clone()), &target, KEY, is_verified).await.unwrap();
        assert!(matches!(copied(false).await, Outcome::Copied(4)));
        assert!(matches!(copied(false).await, Outcome::Present(4)));
        for (wrong, is_verified) in [(&other, false), (&longer, false), (&longer, true)] {
            target.media_put(KEY, wrong).await.unwrap();
            assert!(matches!(copied(is_verified).await, Outcome::Copied(4)), "{}", wrong.display());
            assert_eq!(stored(&target).await, b"film");
        }
    }

    #[tokio::test]
    async fn a_missing_file_or_folder_is_reported() {
        let (folder, _) = source(b"film");
        let target = MediaStore::in_memory();
        for file in [None, Some(folder.path().join("gone.mp4"))] {
            assert!(matches!(copy(file, &target, KEY, false).await.unwrap(), Outcome::Missing));
        }
        let jobs = [(JobId::new(jiff::Timestamp::UNIX_EPOCH), [KEY.to_owned()].into())];
        let mut report = MediaReport::default();
        let interrupt = Interrupt::listen().unwrap();
        copy_jobs((&jobs, None), (&target, false), &interrupt, &mut report).await.unwrap();
        assert_eq!(report, MediaReport { missing: vec![KEY.into()], ..MediaReport::default() });
    }
}
