//! Media: stored, read, copied, listed and deleted.

use std::path::PathBuf;

use aerie_domain::{JobId, OrgId};
use bytes::Bytes;
use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};

use super::fixture::MediaFixture as Fixture;
use crate::media_store::PART_SIZE;
use crate::{Media, MediaError};

const CONTENT: &[u8] = b"0123456789";

impl Fixture {
    fn file(&self, content: &[u8]) -> PathBuf {
        let file = self.folder.path().join("file");
        std::fs::write(&file, content).unwrap();
        file
    }

    async fn put(&self, key: &str) {
        assert_eq!(self.media.media_put(key, &self.file(CONTENT)).await.unwrap(), CONTENT.len() as u64);
    }

    async fn get(&self, key: &str) -> Vec<u8> {
        bytes(self.media.media_get(key, None).await.unwrap()).await
    }

    async fn is_there(&self, key: &str) -> bool {
        match self.media.media_head(key).await {
            Ok(_) => true,
            Err(MediaError::NotFound) => false,
            Err(error) => panic!("{error}"),
        }
    }
}

async fn bytes(media: Media) -> Vec<u8> {
    let parts: Vec<Bytes> = media.content.try_collect().await.unwrap();
    parts.concat()
}

/// Bytes that repeat at no part's size.
fn pattern(size: usize) -> Vec<u8> {
    (0..size).map(|at| (at % 251) as u8).collect()
}

pub(super) async fn stored_media_are_read_whole_and_in_ranges(f: Fixture) {
    f.put("o/j/1/video.mp4").await;
    assert_eq!(f.get("o/j/1/video.mp4").await, CONTENT);
    let part = f.media.media_get("o/j/1/video.mp4", Some(2..5)).await.unwrap();
    assert_eq!((part.size, part.range.clone()), (10, 2..5));
    assert_eq!(bytes(part).await, b"234");
    let head = f.media.media_head("o/j/1/video.mp4").await.unwrap();
    assert_eq!((head.size, bytes(head).await), (10, vec![]));
}

pub(super) async fn a_range_beyond_the_end_is_an_error(f: Fixture) {
    f.put("o/j/1/a").await;
    assert!(f.media.media_get("o/j/1/a", Some(10..12)).await.is_err());
}

pub(super) async fn media_that_were_never_stored_are_not_found(f: Fixture) {
    assert!(matches!(f.media.media_head("o/j/1/a").await, Err(MediaError::NotFound)));
    assert!(matches!(f.media.media_get("o/j/1/a", None).await, Err(MediaError::NotFound)));
    assert!(matches!(f.media.media_copy("o/j/1/a", "o/j/1/b").await, Err(MediaError::NotFound)));
    let file = f.folder.path().join("fetched");
    assert!(matches!(f.media.media_fetch("o/j/1/a", &file).await, Err(MediaError::NotFound)));
    assert!(!file.exists());
}

pub(super) async fn the_tag_changes_with_the_content_and_the_time_is_now(f: Fixture) {
    f.put("o/j/1/a").await;
    let first = f.media.media_head("o/j/1/a").await.unwrap();
    assert!(!first.etag.is_empty() && !first.etag.contains('"'), "{}", first.etag);
    let age = Timestamp::now().duration_since(first.modified);
    assert!(age.abs() < SignedDuration::from_secs(60), "{age:?}");
    f.media.media_put("o/j/1/a", &f.file(b"other")).await.unwrap();
    let second = f.media.media_head("o/j/1/a").await.unwrap();
    assert_ne!(first.etag, second.etag);
    assert_eq!(f.get("o/j/1/a").await, b"other");
}

pub(super) async fn content_in_memory_is_stored_as_a_file_is(f: Fixture) {
    for content in ["first", "second", ""] {
        f.media.media_put_bytes("pack/a", content.into()).await.unwrap();
        let copy = f.folder.path().join(format!("copy-{content}"));
        f.media.media_fetch("pack/a", &copy).await.unwrap();
        assert_eq!(std::fs::read_to_string(copy).unwrap(), content);
    }
    assert!(matches!(f.media.media_put_bytes("../a", Vec::new()).await, Err(MediaError::BadKey(_))));
}

pub(super) async fn an_empty_file_is_stored(f: Fixture) {
    assert_eq!(f.media.media_put("o/j/1/empty", &f.file(b"")).await.unwrap(), 0);
    assert_eq!(f.get("o/j/1/empty").await, b"");
}

pub(super) async fn files_below_at_and_above_the_size_of_a_part_are_stored_and_fetched_whole(f: Fixture) {
    for size in [PART_SIZE - 1, PART_SIZE, PART_SIZE + 12_345, 2 * PART_SIZE + 1] {
        let content = pattern(size);
        let key = format!("o/j/1/large-{size}");
        assert_eq!(f.media.media_put(&key, &f.file(&content)).await.unwrap(), size as u64);
        assert!(f.get(&key).await == content, "{size}");
        let fetched = f.folder.path().join(size.to_string());
        f.media.media_fetch(&key, &fetched).await.unwrap();
        assert!(std::fs::read(fetched).unwrap() == content, "{size}");
    }
}

pub(super) async fn an_open_file_is_stored_from_where_it_was_read_to(f: Fixture) {
    let mut file = std::fs::File::open(f.file(CONTENT)).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(4)).unwrap();
    assert_eq!(f.media.media_put_file("o/j/1/a", file).await.unwrap(), 6);
    assert_eq!(f.get("o/j/1/a").await, b"456789");
}

pub(super) async fn a_fetch_does_not_overwrite_a_file(f: Fixture) {
    f.put("o/j/1/a").await;
    let file = f.file(b"mine");
    assert!(matches!(f.media.media_fetch("o/j/1/a", &file).await, Err(MediaError::File(_))));
    assert_eq!(std::fs::read(file).unwrap(), b"mine");
}

pub(super) async fn a_file_that_cannot_be_read_is_not_stored(f: Fixture) {
    let missing = f.folder.path().join("missing");
    assert!(matches!(f.media.media_put("o/j/1/a", &missing).await, Err(MediaError::File(_))));
    assert!(!f.is_there("o/j/1/a").await);
}

pub(super) async fn a_copy_outlives_its_original(f: Fixture) {
    f.put("o/j/input/a").await;
    f.media.media_copy("o/j/input/a", "o/k/input/a").await.unwrap();
    f.media.media_delete("o/j", &[]).await.unwrap();
    assert_eq!(f.get("o/k/input/a").await, CONTENT);
}

pub(super) async fn deleting_a_prefix_leaves_what_is_kept_and_its_neighbors(f: Fixture) {
    for key in ["o/j/1/a", "o/j/2/a", "o/j/2/b", "o/j/22/a", "o/k/1/a", "o/j/input/a"] {
        f.put(key).await;
    }
    assert_eq!(f.media.media_delete("o/j", &["o/j/2", "o/j/input"]).await.unwrap(), 2);
    assert!(!f.is_there("o/j/1/a").await && !f.is_there("o/j/22/a").await);
    for key in ["o/j/2/a", "o/j/2/b", "o/j/input/a", "o/k/1/a"] {
        assert!(f.is_there(key).await, "{key}");
    }
    assert_eq!(f.media.media_delete("o/none", &[]).await.unwrap(), 0);
}

pub(super) async fn files_are_deleted_by_key_and_missing_ones_are_no_error(f: Fixture) {
    for key in ["o/j/1/a", "o/j/1/b"] {
        f.put(key).await;
    }
    let keys = ["o/j/1/a", "o/j/1/none"].map(str::to_owned);
    f.media.media_delete_files(&keys).await.unwrap();
    assert!(!f.is_there("o/j/1/a").await && f.is_there("o/j/1/b").await);
    assert_eq!(f.media.media_delete_files(&[]).await.unwrap(), 0);
}

pub(super) async fn files_and_prefixes_are_listed(f: Fixture) {
    assert_eq!(f.media.media_list("o").await.unwrap(), []);
    assert_eq!(f.media.media_prefixes("").await.unwrap(), [""; 0]);
    for key in ["o/j/1/a", "o/j/2/b", "o/jj/1/c", "p/j/1/d"] {
        f.put(key).await;
    }
    let listed = f.media.media_list("o/j").await.unwrap();
    assert!(listed.iter().all(|file| file.size == 10));
    let mut keys: Vec<&str> = listed.iter().map(|file| file.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["o/j/1/a", "o/j/2/b"]);
    for (prefix, expected) in [("", vec!["o", "p"]), ("o", vec!["j", "jj"]), ("o/j", vec!["1", "2"])] {
        let mut names = f.media.media_prefixes(prefix).await.unwrap();
        names.sort_unstable();
        assert_eq!(names, expected);
    }
}

pub(super) async fn the_size_is_that_of_all_organizations_media(f: Fixture) {
    let now = Timestamp::UNIX_EPOCH;
    assert_eq!(f.media.media_size().await.unwrap(), 0);
    for org in [OrgId::new(now), OrgId::new(now)] {
        for job in [JobId::new(now), JobId::new(now)] {
            f.put(&format!("{org}/{job}/1/video.mp4")).await;
        }
    }
    f.put("others/file").await;
    assert_eq!(f.media.media_size().await.unwrap(), 40);
}

pub(super) async fn malformed_keys_are_refused(f: Fixture) {
    let file = f.file(CONTENT);
    for key in ["../file", "o/../../file", "/file", "o//file", "o/%2e%2e/file", "o/./file", "", "o\\file", "o/a#1"] {
        assert!(matches!(f.media.media_get(key, None).await, Err(MediaError::BadKey(_))), "{key}");
        assert!(matches!(f.media.media_head(key).await, Err(MediaError::BadKey(_))), "{key}");
        assert!(matches!(f.media.media_put(key, &file).await, Err(MediaError::BadKey(_))), "{key}");
        assert!(matches!(f.media.media_delete(key, &[]).await, Err(MediaError::BadKey(_))), "{key}");
    }
}
