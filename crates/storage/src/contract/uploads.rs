//! Photos that clients upload.

use std::time::Duration;

use aerie_domain::{OrgId, UploadId};
use jiff::SignedDuration;

use super::fixture::Fixture;
use crate::{NewUpload, Upload, UploadLimits, UploadPart, UploadRefusal, UploadedPhoto};

const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
const NO_LIMITS: UploadLimits = UploadLimits { bytes_per_month: None, incomplete: 100 };

impl Fixture {
    fn new_upload(&self, size: u64) -> NewUpload {
        NewUpload { id: UploadId::new(self.now()), org_id: self.org, size, name: Some("kitchen.jpg".into()) }
    }

    async fn begin(&self, size: u64) -> Upload {
        self.store.upload_create(self.new_upload(size), NO_LIMITS, WEEK).await.unwrap().unwrap()
    }

    async fn append(&self, id: UploadId, offset: u64, size: u64) -> Result<Upload, UploadRefusal> {
        let part = UploadPart { key: format!("{}/{id}/part-{offset}", self.org), offset, size };
        self.store.upload_append(self.org, id, part, WEEK).await.unwrap()
    }

    async fn complete(&self, id: UploadId, content: u8) -> Upload {
        self.store.upload_complete(self.org, id, photo(content), WEEK).await.unwrap().unwrap()
    }

    async fn files(&self, id: UploadId) -> Vec<String> {
        self.store.upload_files(self.org, id).await.unwrap()
    }
}

fn photo(content: u8) -> UploadedPhoto {
    UploadedPhoto { sha256: [content; 32], extension: "jpg".into(), width: 640, height: 480 }
}

pub(super) async fn an_upload_has_the_parts_that_continue_it_and_then_its_photo(f: Fixture) {
    let begun = f.begin(100).await;
    assert_eq!((begun.received(), begun.key(), begun.name.as_deref()), (0, None, Some("kitchen.jpg")));
    assert_eq!((begun.created_at, begun.expires_at), (f.now(), f.now() + SignedDuration::try_from(WEEK).unwrap()));
    assert_eq!(f.append(begun.id, 0, 60).await.unwrap().received(), 60);
    assert_eq!(f.append(begun.id, 0, 60).await, Err(UploadRefusal::Offset { received: 60 }));
    assert_eq!(f.append(begun.id, 70, 10).await, Err(UploadRefusal::Offset { received: 60 }));
    assert_eq!(f.append(begun.id, 60, 41).await, Err(UploadRefusal::TooLarge { size: 100 }));
    let whole = f.append(begun.id, 60, 40).await.unwrap();
    assert_eq!((whole.received(), f.files(begun.id).await.len()), (100, 2));
    let complete = f.complete(begun.id, 1).await;
    assert_eq!(complete, f.store.upload_get(f.org, begun.id).await.unwrap().unwrap());
    let key = format!("{}/{}/photo.jpg", f.org, begun.id);
    assert_eq!((complete.key(), complete.photo.clone(), complete.parts.len()), (Some(key.clone()), Some(photo(1)), 0));
    assert_eq!(f.files(begun.id).await, [key]);
    assert_eq!(f.complete(begun.id, 2).await, complete, "it stays as it is");
    assert_eq!(f.append(begun.id, 100, 1).await, Err(UploadRefusal::Offset { received: 100 }));
    assert!(f.store.upload_delete(f.org, begun.id).await.unwrap());
    assert!(!f.store.upload_delete(f.org, begun.id).await.unwrap() && f.files(begun.id).await.is_empty());
    assert_eq!(f.append(begun.id, 100, 1).await, Err(UploadRefusal::NotFound));
}

pub(super) async fn another_organizations_upload_is_not_found(f: Fixture) {
    let id = f.begin(10).await.id;
    let other: OrgId = f.store.org_create("Other", "starter").await.unwrap().id;
    let part = UploadPart { key: "k".into(), offset: 0, size: 10 };
    assert_eq!(f.store.upload_append(other, id, part, WEEK).await.unwrap(), Err(UploadRefusal::NotFound));
    assert_eq!(f.store.upload_complete(other, id, photo(1), WEEK).await.unwrap(), None);
    f.complete(id, 1).await;
    assert_eq!(f.store.upload_get(other, id).await.unwrap(), None);
    assert_eq!(f.store.upload_use(other, id, WEEK).await.unwrap(), None);
    assert!(!f.store.upload_delete(other, id).await.unwrap());
    assert!(f.store.upload_files(other, id).await.unwrap().is_empty());
    // Nor does it share a file with one of this organization.
    let new = NewUpload { org_id: other, ..f.new_upload(10) };
    let theirs = f.store.upload_create(new, NO_LIMITS, WEEK).await.unwrap().unwrap();
    let theirs = f.store.upload_complete(other, theirs.id, photo(1), WEEK).await.unwrap().unwrap();
    assert_eq!(theirs.stored_as, theirs.id);
}

pub(super) async fn an_upload_expires_unless_it_is_continued_or_used(f: Fixture) {
    let (continued, used, left) = (f.begin(10).await.id, f.begin(10).await.id, f.begin(10).await.id);
    f.complete(used, 1).await;
    assert_eq!(f.store.upload_use(f.org, left, WEEK).await.unwrap(), None, "it is not complete");
    f.advance(6 * 24 * 3600);
    f.append(continued, 0, 5).await.unwrap();
    f.store.upload_use(f.org, used, WEEK).await.unwrap().unwrap();
    f.advance(24 * 3600);
    assert_eq!(f.store.upload_get(f.org, left).await.unwrap(), None);
    assert_eq!(f.append(left, 0, 5).await, Err(UploadRefusal::NotFound));
    assert_eq!(f.files(left).await.len(), 0);
    assert_eq!((f.store.upload_expire(10).await.unwrap(), f.store.upload_expire(10).await.unwrap()), (1, 0));
    assert!(f.store.upload_get(f.org, continued).await.unwrap().is_some());
    f.advance(7 * 24 * 3600);
    assert_eq!((f.store.upload_expire(1).await.unwrap(), f.store.upload_expire(10).await.unwrap()), (1, 1));
}

pub(super) async fn bytes_count_in_the_month_and_those_never_received_are_given_back(f: Fixture) {
    let limits = UploadLimits { bytes_per_month: Some(100), ..NO_LIMITS };
    let begin = async |size| f.store.upload_create(f.new_upload(size), limits, WEEK).await.unwrap();
    let used = async || f.store.upload_bytes_used(f.org, f.now()).await.unwrap();
    let (one, other) = (begin(60).await.unwrap().id, begin(40).await.unwrap().id);
    assert_eq!(begin(1).await, Err(UploadRefusal::MonthFull { limit: 100, used: 100 }));
    f.append(one, 0, 10).await.unwrap();
    assert!(f.store.upload_delete(f.org, one).await.unwrap());
    assert_eq!(used().await, 50, "10 bytes were received");
    f.complete(other, 1).await;
    assert!(f.store.upload_delete(f.org, other).await.unwrap());
    assert_eq!(used().await, 50);
    begin(50).await.unwrap();
    f.advance(31 * 24 * 3600);
    assert_eq!(used().await, 0);
    begin(100).await.unwrap();
    // What expires now was begun last month.
    f.store.upload_expire(10).await.unwrap();
    assert_eq!(used().await, 100);
}

pub(super) async fn no_more_uploads_are_incomplete_than_the_limit_says(f: Fixture) {
    let limits = UploadLimits { incomplete: 2, ..NO_LIMITS };
    let begin = async || f.store.upload_create(f.new_upload(10), limits, WEEK).await.unwrap();
    let one = begin().await.unwrap().id;
    begin().await.unwrap();
    assert_eq!(begin().await, Err(UploadRefusal::TooManyIncomplete { limit: 2 }));
    f.complete(one, 1).await;
    begin().await.unwrap();
    assert!(begin().await.is_err());
    f.advance(7 * 24 * 3600);
    begin().await.unwrap();
}

pub(super) async fn of_concurrent_uploads_no_more_are_begun_than_the_month_has_bytes_for(f: Fixture) {
    let limits = UploadLimits { bytes_per_month: Some(50), ..NO_LIMITS };
    let begun = (0..20).map(|_| {
        let (store, new) = (f.store.clone(), f.new_upload(10));
        tokio::spawn(async move { store.upload_create(new, limits, WEEK).await.unwrap().is_ok() })
    });
    let mut count = 0;
    for one in begun.collect::<Vec<_>>() {
        count += usize::from(one.await.unwrap());
    }
    assert_eq!((count, f.store.upload_bytes_used(f.org, f.now()).await.unwrap()), (5, 50));
}

pub(super) async fn equal_uploads_of_an_organization_share_a_file_until_the_last_is_gone(f: Fixture) {
    let (one, other, third) = (f.begin(10).await.id, f.begin(10).await.id, f.begin(10).await.id);
    f.complete(one, 1).await;
    let shared = f.complete(other, 1).await;
    assert_eq!((shared.id, shared.stored_as), (other, one));
    assert_eq!(f.complete(third, 2).await.stored_as, third);
    assert_eq!(f.store.store_size().await.unwrap().uploads, 20, "one file of two uploads, and one of its own");
    assert!(f.files(other).await.is_empty(), "its own file is not needed");
    f.store.upload_delete(f.org, one).await.unwrap();
    assert_eq!(f.files(one).await, [shared.key().unwrap()]);
    // A further one shares what is left.
    let fourth = f.begin(10).await.id;
    assert_eq!(f.complete(fourth, 1).await.stored_as, one);
    for id in [other, fourth] {
        assert!(!f.files(one).await.is_empty());
        f.store.upload_delete(f.org, id).await.unwrap();
    }
    assert!(f.files(one).await.is_empty());
    f.advance(2 * 3600);
    let due = f.store.leftovers_due(10).await.unwrap();
    let noted: Vec<_> = due.iter().map(|leftovers| UploadId(leftovers.job_id.0)).collect();
    assert!([one, other, third, fourth].iter().all(|id| noted.contains(id)), "{noted:?}");
}

pub(super) async fn of_equal_uploads_that_are_completed_at_once_one_file_is_kept(f: Fixture) {
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(f.begin(10).await.id);
    }
    let complete = ids.iter().map(|id| {
        let (store, org, id) = (f.store.clone(), f.org, *id);
        tokio::spawn(async move { store.upload_complete(org, id, photo(1), WEEK).await.unwrap().unwrap().stored_as })
    });
    let mut stored = std::collections::BTreeSet::new();
    for one in complete.collect::<Vec<_>>() {
        stored.insert(one.await.unwrap());
    }
    assert_eq!(stored.len(), 1);
}
