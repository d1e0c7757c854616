//! Where media lie.

use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use jiff::Timestamp;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutPayload};

/// Bytes handed over at a time while a file is kept.
const CHUNK: usize = 4 << 20;

/// Keeps media under keys such as `ORGANIZATION/JOB/ATTEMPT/video.mp4`. The attempt in the key keeps a worker that has
/// lost its lease from writing over what the winner publishes.
#[derive(Debug, Clone)]
pub struct MediaStore {
    objects: Arc<dyn ObjectStore>,
    folder: Arc<Path>,
}

/// One of the media, or a range of it.
pub struct Media {
    /// Size of the whole in bytes.
    pub size: u64,
    /// Changes when the content does.
    pub etag: String,
    /// When it was kept.
    pub modified: Timestamp,
    /// Which bytes `content` gives.
    pub range: Range<u64>,
    /// The bytes.
    pub content: BoxStream<'static, Result<Bytes, MediaError>>,
}

/// Why media could not be kept or had.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// Nothing lies under the key.
    #[error("no such media")]
    NotFound,
    /// The key is none that we would write.
    #[error("not a media key: {0}")]
    BadKey(String),
    /// The file to be kept could not be read.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// The place failed.
    #[error("the media store failed: {0}")]
    Backend(#[source] object_store::Error),
}

impl MediaError {
    /// Whether it comes of a disk with no room left.
    #[must_use]
    pub fn is_full_disk(&self) -> bool {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            let io = error.downcast_ref::<std::io::Error>();
            if io.is_some_and(|io| matches!(io.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl From<object_store::Error> for MediaError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => MediaError::NotFound,
            other => MediaError::Backend(other),
        }
    }
}

impl MediaStore {
    /// Media in a folder of this machine, which is made if it is not there. What is kept is on disk (fsync) when
    /// [`MediaStore::media_put`] returns.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn local(folder: &Path) -> Result<Self, MediaError> {
        std::fs::create_dir_all(folder)?;
        let objects = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self { objects: Arc::new(objects), folder: folder.into() })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a file under `key`; its size in bytes.
    ///
    /// # Errors
    /// When the file cannot be read or the place fails; nothing is seen under the key then.
    pub async fn media_put(&self, key: &str, file: &Path) -> Result<u64, MediaError> {
        parse(key)?;
        self.media_put_file(key, std::fs::File::open(file)?).await
    }

    /// Keeps what is left to be read of a file, which needs no name, under `key`; its size in bytes.
    ///
    /// # Errors
    /// As [`MediaStore::media_put`].
    pub async fn media_put_file(&self, key: &str, mut source: std::fs::File) -> Result<u64, MediaError> {
        let key = parse(key)?;
        let mut upload = self.objects.put_multipart(&key).await?;
        let mut size = 0;
        loop {
            let mut chunk = Vec::with_capacity(CHUNK);
            let read = (&mut source).take(CHUNK as u64).read_to_end(&mut chunk)?;
            if read == 0 {
                break;
            }
            size += read as u64;
            upload.put_part(PutPayload::from(chunk)).await?;
        }
        upload.complete().await?;
        Ok(size)
    }

    /// Size, tag and age of what lies under `key`, without content.
    ///
    /// # Errors
    /// When nothing lies there, or the place fails.
    pub async fn media_head(&self, key: &str) -> Result<Media, MediaError> {
        let meta = self.objects.head(&parse(key)?).await?;
        Ok(media(meta, 0..0, futures_util::stream::empty().boxed()))
    }

    /// What lies under `key`, or the bytes `range` of it, streamed.
    ///
    /// # Errors
    /// When nothing lies there, the range lies beyond the end, or the place fails.
    pub async fn media_get(&self, key: &str, range: Option<Range<u64>>) -> Result<Media, MediaError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.objects.get_opts(&parse(key)?, options).await?;
        let (meta, range) = (found.meta.clone(), found.range.clone());
        Ok(media(meta, range, found.into_stream().map_err(MediaError::from).boxed()))
    }

    /// Writes what lies under `key` into a new file.
    ///
    /// # Errors
    /// When nothing lies there, the place fails, or the file cannot be written.
    pub async fn media_fetch(&self, key: &str, file: &Path) -> Result<(), MediaError> {
        let mut media = self.media_get(key, None).await?;
        let mut file = std::fs::File::create_new(file)?;
        while let Some(bytes) = media.content.try_next().await? {
            file.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Keeps a second copy of what lies under `from` under `to`.
    ///
    /// # Errors
    /// When nothing lies there, or the place fails.
    pub async fn media_copy(&self, from: &str, to: &str) -> Result<(), MediaError> {
        Ok(self.objects.copy(&parse(from)?, &parse(to)?).await?)
    }

    /// Deletes all that lies under `prefix` but for what lies under one of `keep`; how much it was.
    ///
    /// # Errors
    /// When the place fails.
    pub async fn media_delete(&self, prefix: &str, keep: &[&str]) -> Result<usize, MediaError> {
        let keep = keep.iter().map(|keep| parse(keep)).collect::<Result<Vec<_>, _>>()?;
        let found: Vec<_> = self.objects.list(Some(&parse(prefix)?)).try_collect().await?;
        let mut deleted = 0;
        for object in found {
            if keep.iter().any(|keep| object.location.prefix_matches(keep)) {
                continue;
            }
            self.objects.delete(&object.location).await?;
            deleted += 1;
        }
        Ok(deleted)
    }
}

fn parse(key: &str) -> Result<Key, MediaError> {
    let bad = || MediaError::BadKey(key.to_owned());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let segment = |segment: &str| !matches!(segment, "" | "." | "..") && segment.bytes().all(plain);
    if !key.split('/').all(segment) {
        return Err(bad());
    }
    Key::parse(key).map_err(|_| bad())
}

fn media(
    meta: object_store::ObjectMeta,
    range: Range<u64>,
    content: BoxStream<'static, Result<Bytes, MediaError>>,
) -> Media {
    let modified = Timestamp::from_millisecond(meta.last_modified.timestamp_millis()).unwrap_or(Timestamp::UNIX_EPOCH);
    let etag = meta.e_tag.unwrap_or_else(|| format!("{}-{}", meta.size, modified.as_millisecond()));
    Media { size: meta.size, etag: etag.trim_matches('"').to_owned(), modified, range, content }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn bytes(media: Media) -> Vec<u8> {
        let parts: Vec<Bytes> = media.content.try_collect().await.unwrap();
        parts.concat()
    }

    fn store() -> (tempfile::TempDir, MediaStore) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), b"0123456789").unwrap();
        let store = MediaStore::local(&dir.path().join("media")).unwrap();
        (dir, store)
    }

    #[tokio::test]
    async fn what_is_kept_is_had_again_whole_and_in_ranges() {
        let (dir, store) = store();
        assert_eq!(store.media_put("o/j/1/video.mp4", &dir.path().join("file")).await.unwrap(), 10);
        assert_eq!(bytes(store.media_get("o/j/1/video.mp4", None).await.unwrap()).await, b"0123456789");
        let part = store.media_get("o/j/1/video.mp4", Some(2..5)).await.unwrap();
        assert_eq!((part.size, part.range.clone()), (10, 2..5));
        assert_eq!(bytes(part).await, b"234");
        assert_eq!(store.media_head("o/j/1/video.mp4").await.unwrap().size, 10);
    }

    #[tokio::test]
    async fn a_copy_outlives_what_it_was_copied_from() {
        let (dir, store) = store();
        store.media_put("o/j/input/a", &dir.path().join("file")).await.unwrap();
        store.media_copy("o/j/input/a", "o/k/input/a").await.unwrap();
        store.media_delete("o/j", &[]).await.unwrap();
        assert_eq!(bytes(store.media_get("o/k/input/a", None).await.unwrap()).await, b"0123456789");
    }

    #[tokio::test]
    async fn a_file_larger_than_a_chunk_is_kept_and_fetched_whole() {
        let (dir, store) = store();
        let content: Vec<u8> = (0..CHUNK + 12_345).map(|at| (at % 251) as u8).collect();
        std::fs::write(dir.path().join("large"), &content).unwrap();
        store.media_put("o/j/1/large", &dir.path().join("large")).await.unwrap();
        assert!(bytes(store.media_get("o/j/1/large", None).await.unwrap()).await == content);
        store.media_fetch("o/j/1/large", &dir.path().join("fetched")).await.unwrap();
        assert!(std::fs::read(dir.path().join("fetched")).unwrap() == content);
    }

    #[tokio::test]
    async fn only_the_winning_attempt_and_the_input_are_left_after_a_clean_up() {
        let (dir, store) = store();
        for key in ["o/j/1/a", "o/j/2/a", "o/j/2/b", "o/j/22/a", "o/k/1/a", "o/j/input/a"] {
            store.media_put(key, &dir.path().join("file")).await.unwrap();
        }
        assert_eq!(store.media_delete("o/j", &["o/j/2", "o/j/input"]).await.unwrap(), 2);
        assert!(matches!(store.media_get("o/j/1/a", None).await, Err(MediaError::NotFound)));
        assert!(store.media_head("o/j/2/b").await.is_ok());
        assert!(store.media_head("o/j/input/a").await.is_ok());
        assert!(store.media_head("o/k/1/a").await.is_ok());
    }

    #[tokio::test]
    async fn a_key_cannot_leave_the_folder() {
        let (dir, store) = store();
        for key in ["../file", "o/../../file", "/file", "o//file", "o/%2e%2e/file", "o/./file", "", "o\\file"] {
            let result = store.media_get(key, None).await;
            assert!(matches!(result, Err(MediaError::BadKey(_))), "{key}");
            assert!(store.media_put(key, &dir.path().join("file")).await.is_err(), "{key}");
        }
        let outside: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(outside.len(), 2, "{outside:?}");
    }
}
