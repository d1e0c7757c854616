//! Public pages that show an altered picture beside its original.

use std::collections::BTreeSet;
use std::time::Duration;

use aerie_domain::{JobId, OrgChanges, TruthPageId};
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::retention::{GRACE, sweep};
use crate::{JobOutput, LocalMedia, NewTruthPage, TruthPage, TruthPageFile, TruthPageHeld};

const DAY: Duration = Duration::from_secs(24 * 3600);

impl Fixture {
    fn new_page(&self, job_id: JobId, code: &str) -> NewTruthPage {
        let id = TruthPageId::new(self.now());
        let file = |name: &str| TruthPageFile {
            name: name.to_owned(),
            key: format!("{}/{id}/{name}.jpg", self.org),
            sha256: "0a".repeat(32),
            size: 100,
        };
        NewTruthPage {
            id,
            org_id: self.org,
            job_id,
            code: code.to_owned(),
            facts: json!({"ledger": ["exposure +0.31 EV"]}),
            files: vec![file("original"), file("result")],
            indexable: false,
            keep: None,
        }
    }

    async fn truth_page(&self, job_id: JobId, code: &str) -> TruthPage {
        self.store.truth_page_create(self.new_page(job_id, code)).await.unwrap()
    }

    /// A job that completed without files.
    async fn finished(&self) -> JobId {
        let job = self.store.job_submit(self.new_job()).await.unwrap().unwrap();
        let claim = self.claim_any().await;
        self.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
        job.id
    }

    async fn revoke(&self, job_id: JobId, erases: bool) -> Option<Result<TruthPage, TruthPageHeld>> {
        self.store.truth_page_revoke(self.org, job_id, erases).await.unwrap()
    }

    async fn found(&self, code: &str) -> TruthPage {
        self.store.truth_page_find(code).await.unwrap().unwrap()
    }
}

pub(super) async fn a_job_has_one_page_at_a_time_and_another_code_after_it_was_revoked(f: Fixture) {
    let job = f.finished().await;
    assert_eq!(f.store.truth_page_of_job(f.org, job).await.unwrap(), None);
    let new = f.new_page(job, "one");
    let page = f.store.truth_page_create(new.clone()).await.unwrap();
    assert_eq!((page.id, &page.facts, &page.files, page.bytes), (new.id, &new.facts, &new.files, 200));
    assert_eq!((page.created_at, page.expires_at, page.is_public()), (f.now(), None, true));
    assert_eq!(f.truth_page(job, "two").await, page);
    assert_eq!(f.store.truth_page_find("two").await.unwrap(), None);
    assert_eq!(f.found("one").await, page);
    f.advance(1);
    let revoked = f.revoke(job, false).await.unwrap().unwrap();
    assert_eq!((revoked.revoked_at, revoked.erased_at, revoked.files.len()), (Some(f.now()), None, 2));
    assert_eq!(f.store.truth_page_of_job(f.org, job).await.unwrap(), Some(revoked.clone()));
    f.advance(1);
    assert_eq!(f.revoke(job, false).await.unwrap().unwrap(), revoked, "a second revocation changes nothing");
    let next = f.truth_page(job, "two").await;
    assert_eq!((next.code.as_str(), next.is_public()), ("two", true));
    assert_eq!(f.found("one").await, revoked);
    assert_eq!(f.store.truth_page_of_job(f.org, job).await.unwrap(), Some(next.clone()));
    assert_eq!(f.store.truth_page_list(Some(f.org), 10).await.unwrap(), [next.clone(), revoked]);
    assert_eq!(f.store.truth_page_list(None, 1).await.unwrap(), [next]);
}

pub(super) async fn another_organizations_page_is_not_found(f: Fixture) {
    let job = f.finished().await;
    let page = f.truth_page(job, "one").await;
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(f.store.truth_page_of_job(other, job).await.unwrap(), None);
    assert_eq!(f.store.truth_page_revoke(other, job, true).await.unwrap(), None);
    assert_eq!(f.store.truth_page_list(Some(other), 10).await.unwrap(), []);
    assert_eq!(f.store.truth_page_erase_all(other).await.unwrap(), []);
    assert!(f.store.truth_page_files(other, page.id).await.unwrap().is_empty());
    assert_eq!(f.store.truth_page_bytes(Some(other)).await.unwrap(), 0);
    assert_eq!(f.found("one").await, page);
}

pub(super) async fn an_erased_page_has_no_files_and_answers_as_revoked(f: Fixture) {
    let job = f.finished().await;
    let page = f.truth_page(job, "one").await;
    assert_eq!(f.store.truth_page_files(f.org, page.id).await.unwrap().len(), 2);
    let erased = f.revoke(job, true).await.unwrap().unwrap();
    assert_eq!((erased.revoked_at, erased.erased_at), (Some(f.now()), Some(f.now())));
    assert_eq!((&erased.facts, erased.files.len(), erased.bytes), (&Value::Null, 0, 0));
    assert_eq!(f.found("one").await, erased);
    assert!(f.store.truth_page_files(f.org, page.id).await.unwrap().is_empty());
    let due = f.store.leftovers_due(10).await.unwrap();
    assert!(due.iter().any(|noted| noted.job_id.0 == page.id.0), "its files are deleted now");
    // One that was only revoked is erased by a second request.
    let other = f.finished().await;
    f.truth_page(other, "two").await;
    f.revoke(other, false).await.unwrap().unwrap();
    assert_eq!(f.revoke(other, true).await.unwrap().unwrap().files, []);
}

pub(super) async fn a_page_under_legal_hold_is_revoked_but_neither_erased_nor_expired(f: Fixture) {
    let job = f.finished().await;
    let new = NewTruthPage { keep: Some(DAY), ..f.new_page(job, "one") };
    f.store.truth_page_create(new).await.unwrap();
    let held = f.store.truth_page_hold("one", true).await.unwrap().unwrap();
    assert_eq!(held.held_at, Some(f.now()));
    assert_eq!(f.store.truth_page_hold("none", true).await.unwrap(), None);
    f.advance(2 * 24 * 3600);
    assert_eq!(f.store.truth_page_hold("one", true).await.unwrap(), Some(held), "since the first time");
    assert_eq!(f.store.truth_page_expire(10).await.unwrap(), 0);
    let Some(Err(TruthPageHeld(page))) = f.revoke(job, true).await else { panic!("it is held") };
    assert_eq!((page.revoked_at, page.erased_at, page.files.len()), (Some(f.now()), None, 2));
    assert_eq!(f.store.truth_page_erase_all(f.org).await.unwrap(), []);
    assert_eq!(f.store.truth_page_hold("one", false).await.unwrap().unwrap().held_at, None);
    assert_eq!(f.store.truth_page_expire(10).await.unwrap(), 1, "its time was over already");
    assert!(f.found("one").await.erased_at.is_some());
}

pub(super) async fn a_page_expires_with_its_files(f: Fixture) {
    let (short, long) = (f.finished().await, f.finished().await);
    let new = NewTruthPage { keep: Some(DAY), ..f.new_page(short, "short") };
    let page = f.store.truth_page_create(new).await.unwrap();
    assert_eq!(page.expires_at, Some(f.now() + SignedDuration::try_from(DAY).unwrap()));
    f.truth_page(long, "long").await;
    f.advance(24 * 3600 - 1);
    assert_eq!(f.store.truth_page_expire(10).await.unwrap(), 0);
    f.advance(1);
    assert_eq!((f.store.truth_page_expire(1).await.unwrap(), f.store.truth_page_expire(1).await.unwrap()), (1, 0));
    let expired = f.found("short").await;
    assert_eq!((expired.revoked_at, expired.erased_at), (Some(f.now()), Some(f.now())));
    assert!(f.store.truth_page_files(f.org, page.id).await.unwrap().is_empty());
    assert!(f.found("long").await.is_public());
}

pub(super) async fn files_of_a_page_are_kept_after_their_job_expired_and_deleted_when_it_is_erased(f: Fixture) {
    let media = LocalMedia::open(&f.folder.path().join("media")).unwrap();
    let job = f.finished().await;
    let changes = OrgChanges { keep_days: Some(Some(1)), ..OrgChanges::default() };
    f.store.org_change(f.org, changes).await.unwrap().unwrap();
    let page = f.truth_page(job, "one").await;
    f.store.leftovers_expect(f.org, JobId(page.id.0), Duration::ZERO).await.unwrap();
    let file = f.folder.path().join("file");
    std::fs::write(&file, "file").unwrap();
    for file_of_page in &page.files {
        media.store().media_put(&file_of_page.key, &file).await.unwrap();
        let path = f.folder.path().join("media").join(&file_of_page.key);
        let old = std::time::SystemTime::now() - 2 * GRACE;
        std::fs::File::options().append(true).open(path).unwrap().set_modified(old).unwrap();
    }
    let stored = async || media.store().media_list(&format!("{}/{}", f.org, page.id)).await.unwrap().len();
    f.advance(3 * 24 * 3600);
    let swept = sweep(&*f.store, media.store(), GRACE).await.unwrap();
    assert_eq!((swept.expired, stored().await), (1, 2));
    f.revoke(job, true).await.unwrap().unwrap();
    assert_eq!(sweep(&*f.store, media.store(), GRACE).await.unwrap().files, 2);
    assert_eq!(stored().await, 0);
}

pub(super) async fn deleting_a_job_erases_its_page_unless_it_is_held(f: Fixture) {
    let (one, held) = (f.finished().await, f.finished().await);
    f.truth_page(one, "one").await;
    f.truth_page(held, "held").await;
    f.store.truth_page_hold("held", true).await.unwrap().unwrap();
    f.store.job_delete(one).await.unwrap().unwrap();
    f.store.job_delete(held).await.unwrap().unwrap();
    assert!(f.found("one").await.erased_at.is_some());
    let page = f.found("held").await;
    assert_eq!((page.erased_at, page.files.len()), (None, 2));
}

pub(super) async fn bytes_of_pages_count_until_they_are_erased(f: Fixture) {
    let (one, other) = (f.finished().await, f.finished().await);
    f.truth_page(one, "one").await;
    f.truth_page(other, "other").await;
    let bytes = async || f.store.truth_page_bytes(Some(f.org)).await.unwrap();
    assert_eq!(bytes().await, 400);
    f.revoke(one, false).await.unwrap().unwrap();
    assert_eq!(bytes().await, 400, "a revoked page keeps its files");
    f.revoke(one, true).await.unwrap().unwrap();
    assert_eq!((bytes().await, f.store.truth_page_bytes(None).await.unwrap()), (200, 200));
    let erased = f.store.truth_page_erase_all(f.org).await.unwrap();
    assert_eq!(erased.iter().map(|page| page.code.as_str()).collect::<Vec<_>>(), ["other"]);
    assert_eq!(bytes().await, 0);
}

pub(super) async fn of_concurrent_requests_for_one_job_all_get_the_same_page(f: Fixture) {
    let job = f.finished().await;
    let requests = (0..8).map(|number| {
        let (store, new) = (f.store.clone(), f.new_page(job, &format!("code {number}")));
        tokio::spawn(async move { store.truth_page_create(new).await.unwrap().code })
    });
    let mut codes = BTreeSet::new();
    for request in requests.collect::<Vec<_>>() {
        codes.insert(request.await.unwrap());
    }
    assert_eq!(codes.len(), 1, "{codes:?}");
}
