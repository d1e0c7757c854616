//! Listings, and the jobs that are submitted for them at once.

use std::collections::BTreeSet;
use std::time::Duration;

use aerie_domain::{
    Job, JobId, JobLimits, JobStatus, JobType, Listing, ListingChanges, ListingId, ListingPhoto, ListingRequest,
    OrgChanges, OrgId, PhotoId, UploadId,
};
use serde_json::json;

use super::fixture::{Fixture, failure, output, request};
use crate::{
    BatchRefusal, IdempotencyKey, ListingBatch, ListingFilter, ListingRefusal, NewJob, NewListing, NewUpload,
    RecordedAnswer, Replay, SubmitRefusal, UploadLimits, UploadedPhoto,
};

const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
const DAY: i64 = 24 * 3600;

fn photo(id: &str, image_url: &str) -> ListingPhoto {
    ListingPhoto { id: Some(PhotoId(id.into())), image_url: image_url.into(), ..ListingPhoto::default() }
}

fn of_upload(id: &str, upload: UploadId) -> ListingPhoto {
    photo(id, &format!("aerie:upload/{upload}"))
}

impl Fixture {
    fn new_listing(&self, reference: Option<&str>, photos: Vec<ListingPhoto>) -> NewListing {
        let reference = reference.map(str::to_owned);
        let request = ListingRequest { reference, photos, ..ListingRequest::default() };
        NewListing { id: ListingId::new(self.now()), org_id: self.org, request }
    }

    async fn listing(&self, photos: Vec<ListingPhoto>) -> Listing {
        self.store.listing_create(self.new_listing(None, photos), 100).await.unwrap().unwrap()
    }

    async fn change_photos(&self, id: ListingId, photos: Vec<ListingPhoto>) -> Result<Listing, ListingRefusal> {
        let changes = ListingChanges { photos: Some(photos), ..ListingChanges::default() };
        self.store.listing_change(self.org, id, changes, WEEK).await.unwrap()
    }

    async fn page(&self, reference: Option<&str>, limit: u32, offset: u64) -> (Vec<ListingId>, u64) {
        let filter = ListingFilter { org_id: self.org, reference: reference.map(str::to_owned), limit, offset };
        let page = self.store.listing_list(filter).await.unwrap();
        (page.listings.into_iter().map(|listing| listing.id).collect(), page.total)
    }

    /// A complete upload.
    async fn uploaded(&self, content: u8) -> UploadId {
        let limits = UploadLimits { bytes_per_month: None, incomplete: 100 };
        let new = NewUpload { id: UploadId::new(self.now()), org_id: self.org, size: 10, name: None };
        let id = self.store.upload_create(new, limits, WEEK).await.unwrap().unwrap().id;
        let photo = UploadedPhoto { sha256: [content; 32], extension: "jpg".into(), width: 640, height: 480 };
        self.store.upload_complete(self.org, id, photo, WEEK).await.unwrap().unwrap();
        id
    }

    async fn is_kept(&self, upload: UploadId) -> bool {
        self.store.upload_expire(100).await.unwrap();
        self.store.upload_get(self.org, upload).await.unwrap().is_some()
    }

    /// Jobs of several kinds for the photos of a listing.
    fn batch(&self, listing: &Listing) -> ListingBatch {
        let mut jobs = Vec::new();
        for photo in &listing.photos {
            for job_type in [JobType::VirtualStaging, JobType::ImageEnhance] {
                let input = json!({"image_url": photo.image_url, "options": {"label": photo.id()}});
                let input = request(job_type, &input);
                jobs.push((NewJob { input, ..self.new_job() }, Some(photo.id().to_owned())));
            }
        }
        jobs.push((self.new_job(), None));
        ListingBatch {
            org_id: self.org,
            listing_id: listing.id,
            jobs,
            limits: JobLimits::default(),
            idempotency_key: None,
            answer: json!({"jobs": "all"}),
        }
    }

    async fn submit_batch(&self, batch: ListingBatch) -> Result<Vec<Job>, BatchRefusal> {
        self.store.listing_submit(batch).await.unwrap()
    }

    async fn total_jobs(&self) -> u64 {
        self.store.job_list(self.filter()).await.unwrap().total
    }
}

pub(super) async fn a_listing_is_kept_changed_by_members_and_deleted(f: Fixture) {
    let mut new = f.new_listing(Some("RX-1"), vec![photo("a", "https://a/1"), photo("b", "https://a/2")]);
    new.request.address = Some("1 Main St".into());
    let created = f.store.listing_create(new, 100).await.unwrap().unwrap();
    assert_eq!((created.created_at, created.updated_at), (f.now(), f.now()));
    assert_eq!(f.store.listing_get(f.org, created.id).await.unwrap(), Some(created.clone()));
    f.advance(1);
    let changes =
        ListingChanges { address: Some(None), style_prompt: Some(Some("loft".into())), ..ListingChanges::default() };
    let changed = f.store.listing_change(f.org, created.id, changes, WEEK).await.unwrap().unwrap();
    let expected = Listing { address: None, style_prompt: Some("loft".into()), updated_at: f.now(), ..created.clone() };
    assert_eq!(changed, expected);
    let fewer = f.change_photos(created.id, vec![photo("b", "https://a/2")]).await.unwrap();
    assert_eq!(fewer.photos, created.photos[1..]);
    assert_eq!(f.store.listing_get(f.org, created.id).await.unwrap(), Some(fewer));
    assert!(f.store.listing_delete(f.org, created.id, WEEK).await.unwrap());
    assert!(!f.store.listing_delete(f.org, created.id, WEEK).await.unwrap());
    assert_eq!(f.change_photos(created.id, Vec::new()).await, Err(ListingRefusal::NotFound));
}

pub(super) async fn another_organizations_listing_is_not_found(f: Fixture) {
    let listing = f.listing(vec![photo("a", "https://a/1")]).await;
    f.submit_batch(f.batch(&listing)).await.unwrap();
    let other: OrgId = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(f.store.listing_get(other, listing.id).await.unwrap(), None);
    let changed = f.store.listing_change(other, listing.id, ListingChanges::default(), WEEK).await.unwrap();
    assert_eq!(changed, Err(ListingRefusal::NotFound));
    assert!(!f.store.listing_delete(other, listing.id, WEEK).await.unwrap());
    assert!(f.store.listing_jobs(other, listing.id, 10).await.unwrap().is_empty());
    let page = ListingFilter { org_id: other, reference: None, limit: 10, offset: 0 };
    assert_eq!(f.store.listing_list(page).await.unwrap().total, 0);
    let theirs = ListingBatch { org_id: other, ..f.batch(&listing) };
    assert_eq!(f.submit_batch(theirs).await, Err(BatchRefusal::NotFound));
    // Nor does a listing of theirs keep an upload of this organization.
    let upload = f.uploaded(1).await;
    let new = NewListing { org_id: other, ..f.new_listing(None, vec![of_upload("a", upload)]) };
    let refused = f.store.listing_create(new, 100).await.unwrap();
    assert_eq!(refused, Err(ListingRefusal::Uploads(vec![upload])));
}

pub(super) async fn a_reference_belongs_to_one_listing_of_an_organization(f: Fixture) {
    let create =
        async |reference: &str| f.store.listing_create(f.new_listing(Some(reference), Vec::new()), 100).await.unwrap();
    let first = create("RX-1").await.unwrap();
    assert_eq!(create("RX-1").await, Err(ListingRefusal::Reference(first.id)));
    let second = create("RX-2").await.unwrap();
    let renamed = ListingChanges { reference: Some(Some("RX-1".into())), ..ListingChanges::default() };
    let change =
        async |id, changes: &ListingChanges| f.store.listing_change(f.org, id, changes.clone(), WEEK).await.unwrap();
    assert_eq!(change(second.id, &renamed).await, Err(ListingRefusal::Reference(first.id)));
    assert_eq!(change(first.id, &renamed).await.unwrap().reference, first.reference, "its own");
    f.store.listing_delete(f.org, first.id, WEEK).await.unwrap();
    change(second.id, &renamed).await.unwrap();
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    let theirs = NewListing { org_id: other, ..f.new_listing(Some("RX-1"), Vec::new()) };
    f.store.listing_create(theirs, 100).await.unwrap().unwrap();
    // Of equal ones that are created at once, one is kept.
    let all = (0..10).map(|_| {
        let (store, new) = (f.store.clone(), f.new_listing(Some("RX-3"), Vec::new()));
        tokio::spawn(async move { store.listing_create(new, 100).await.unwrap().is_ok() })
    });
    let mut created = 0;
    for one in all.collect::<Vec<_>>() {
        created += usize::from(one.await.unwrap());
    }
    assert_eq!(created, 1);
}

pub(super) async fn listings_are_listed_newest_first_and_found_by_reference(f: Fixture) {
    let mut ids = Vec::new();
    for reference in ["a", "b", "c"] {
        let new = f.new_listing(Some(reference), vec![photo("a", "https://a/1")]);
        ids.insert(0, f.store.listing_create(new, 3).await.unwrap().unwrap().id);
        f.advance(1);
    }
    let fourth = f.store.listing_create(f.new_listing(None, Vec::new()), 3).await.unwrap();
    assert_eq!(fourth, Err(ListingRefusal::TooMany { limit: 3 }));
    assert_eq!(f.page(None, 2, 0).await, (ids[..2].to_vec(), 3));
    assert_eq!(f.page(None, 2, 2).await, (ids[2..].to_vec(), 3));
    assert_eq!(f.page(None, 2, 3).await, (Vec::new(), 3));
    assert_eq!(f.page(Some("b"), 2, 0).await, (vec![ids[1]], 1));
    assert_eq!(f.page(Some("d"), 2, 0).await, (Vec::new(), 0));
    let filter = ListingFilter { org_id: f.org, reference: Some("c".into()), limit: 1, offset: 0 };
    assert_eq!(f.store.listing_list(filter).await.unwrap().listings[0].photos, 1);
}

pub(super) async fn an_upload_is_kept_until_no_listing_names_it(f: Fixture) {
    let (both, one, unused) = (f.uploaded(1).await, f.uploaded(2).await, f.uploaded(3).await);
    let first = f.listing(vec![of_upload("a", both), of_upload("b", one)]).await;
    let second = f.listing(vec![of_upload("a", both)]).await;
    // Its use by a job must not shorten its time.
    f.store.upload_use(f.org, one, WEEK).await.unwrap().unwrap();
    f.advance(30 * DAY);
    assert!(!f.is_kept(unused).await);
    assert!(f.is_kept(both).await && f.is_kept(one).await);
    let refused = f.change_photos(second.id, vec![of_upload("a", unused)]).await;
    assert_eq!(refused, Err(ListingRefusal::Uploads(vec![unused])));
    // The first no longer names one of them; the second goes.
    f.change_photos(first.id, vec![of_upload("a", both)]).await.unwrap();
    f.store.listing_delete(f.org, second.id, WEEK).await.unwrap();
    f.advance(6 * DAY);
    assert!(f.is_kept(one).await, "for a week");
    f.advance(DAY);
    assert!(!f.is_kept(one).await && f.is_kept(both).await);
    f.store.listing_delete(f.org, first.id, WEEK).await.unwrap();
    f.advance(7 * DAY);
    assert!(!f.is_kept(both).await);
}

pub(super) async fn a_listing_whose_upload_was_deleted_can_still_be_changed(f: Fixture) {
    let upload = f.uploaded(1).await;
    let listing = f.listing(vec![of_upload("a", upload)]).await;
    assert!(f.store.upload_delete(f.org, upload).await.unwrap());
    f.change_photos(listing.id, vec![of_upload("a", upload), photo("b", "https://a/1")]).await.unwrap();
    let new = f.new_listing(None, vec![of_upload("a", upload)]);
    let refused = f.store.listing_create(new, 100).await.unwrap();
    assert_eq!(refused, Err(ListingRefusal::Uploads(vec![upload])));
}

pub(super) async fn jobs_of_a_listing_are_submitted_at_once_and_noted(f: Fixture) {
    let listing = f.listing(vec![photo("a", "https://a/1"), photo("b", "https://a/2")]).await;
    let batch = f.batch(&listing);
    let jobs = f.submit_batch(batch.clone()).await.unwrap();
    let ids: Vec<JobId> = batch.jobs.iter().map(|(job, _)| job.id).collect();
    assert_eq!(jobs.iter().map(|job| job.id).collect::<Vec<_>>(), ids);
    for job in &jobs {
        assert_eq!(f.get(job.id).await, *job);
    }
    assert_eq!((f.quota_used().await, f.total_jobs().await), (5, 5));
    let noted = f.store.listing_jobs(f.org, listing.id, 10).await.unwrap();
    let photos: Vec<_> = noted.iter().map(|job| (job.job_type, job.photo_id.as_deref())).collect();
    let expected: Vec<_> =
        batch.jobs.iter().rev().map(|(job, photo)| (job.input.job_type(), photo.as_deref())).collect();
    assert_eq!(photos, expected, "newest first");
    assert_eq!(f.store.listing_jobs(f.org, listing.id, 2).await.unwrap(), noted[..2]);
    // They are jobs like others: one is completed and billed once, one fails, one is deleted.
    for _ in 0..5 {
        let claim = f.claim_any().await;
        match claim.job.job_type {
            JobType::DroneFootage => f.store.job_complete(&claim.lease, output()).await.unwrap(),
            _ => f.store.job_fail(&claim.lease, failure()).await.unwrap(),
        }
    }
    assert_eq!((f.usage().await.len(), f.quota_used().await), (1, 1));
    f.store.job_delete(ids[0]).await.unwrap().unwrap();
    let noted = f.store.listing_jobs(f.org, listing.id, 10).await.unwrap();
    let statuses: Vec<JobStatus> = noted.iter().map(|job| job.status).collect();
    let failed = JobStatus::Failed;
    assert_eq!(statuses, [JobStatus::Completed, failed, failed, failed]);
    // The listing goes, its jobs stay.
    f.store.listing_delete(f.org, listing.id, WEEK).await.unwrap();
    assert_eq!(f.total_jobs().await, 4);
    assert!(f.store.listing_jobs(f.org, listing.id, 10).await.unwrap().is_empty());
    assert_eq!(f.submit_batch(f.batch(&listing)).await, Err(BatchRefusal::NotFound));
}

pub(super) async fn jobs_of_a_listing_are_all_refused_where_one_has_no_room(f: Fixture) {
    let listing = f.listing(vec![photo("a", "https://a/1")]).await;
    f.change(OrgChanges { monthly_quota: Some(Some(3)), ..OrgChanges::default() }).await;
    f.submit().await;
    let refused = |refusal| Err(BatchRefusal::Refused(refusal));
    assert_eq!(f.submit_batch(f.batch(&listing)).await, refused(SubmitRefusal::QuotaExhausted { quota: 3 }));
    f.change(OrgChanges { monthly_quota: Some(Some(4)), ..OrgChanges::default() }).await;
    let limited = |queued_jobs, failed_per_day| ListingBatch {
        limits: JobLimits { queued_jobs, failed_per_day },
        ..f.batch(&listing)
    };
    assert_eq!(f.submit_batch(limited(Some(3), None)).await, refused(SubmitRefusal::QueueFull { limit: 3 }));
    assert_eq!(f.submit_batch(limited(None, Some(0))).await, refused(SubmitRefusal::TooManyFailed { limit: 0 }));
    assert_eq!((f.total_jobs().await, f.quota_used().await), (1, 1), "nothing was submitted");
    assert!(f.store.listing_jobs(f.org, listing.id, 10).await.unwrap().is_empty());
    f.submit_batch(limited(Some(4), Some(1))).await.unwrap();
    assert_eq!(f.quota_used().await, 4);
}

pub(super) async fn concurrent_submits_for_listings_never_exceed_the_quota(f: Fixture) {
    let listing = f.listing(vec![photo("a", "https://a/1")]).await;
    f.change(OrgChanges { monthly_quota: Some(Some(10)), ..OrgChanges::default() }).await;
    let batches = (0..8).map(|_| {
        let (store, batch) = (f.store.clone(), f.batch(&listing));
        tokio::spawn(async move { store.listing_submit(batch).await.unwrap().map_or(0, |jobs| jobs.len()) })
    });
    let mut submitted = 0;
    for one in batches.collect::<Vec<_>>() {
        submitted += one.await.unwrap();
    }
    assert_eq!((submitted, f.total_jobs().await, f.quota_used().await), (9, 9, 9));
}

pub(super) async fn a_repeated_request_for_a_listing_submits_nothing(f: Fixture) {
    let listing = f.listing(vec![photo("a", "https://a/1")]).await;
    let key = IdempotencyKey { route: "POST /l".into(), key: "k".into(), digest: [1; 32] };
    let with = |key: &IdempotencyKey| ListingBatch { idempotency_key: Some(key.clone()), ..f.batch(&listing) };
    let all = (0..5).map(|_| {
        let (store, batch) = (f.store.clone(), with(&key));
        tokio::spawn(async move { store.listing_submit(batch).await.unwrap() })
    });
    let mut answers = Vec::new();
    for one in all.collect::<Vec<_>>() {
        answers.push(one.await.unwrap());
    }
    let replayed = RecordedAnswer::Data { status: 202, data: json!({"jobs": "all"}) };
    let replayed = Err(BatchRefusal::Refused(SubmitRefusal::Replay(Replay::Answered(replayed))));
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(answers.iter().filter(|answer| **answer == replayed).count(), 4);
    let other = IdempotencyKey { digest: [2; 32], ..key.clone() };
    let mismatch = BatchRefusal::Refused(SubmitRefusal::Replay(Replay::BodyMismatch));
    assert_eq!(f.submit_batch(with(&other)).await, Err(mismatch));
    assert_eq!(f.total_jobs().await, 3);
    // The answer outlives the listing.
    f.store.listing_delete(f.org, listing.id, WEEK).await.unwrap();
    assert_eq!(f.submit_batch(with(&key)).await, replayed);
}

pub(super) async fn every_duplicate_among_the_jobs_of_a_listing_is_named(f: Fixture) {
    let listing = f.listing(vec![photo("a", "https://a/1")]).await;
    let mut batch = f.batch(&listing);
    let jobs = f.submit_batch(batch.clone()).await.unwrap();
    batch.jobs = f.batch(&listing).jobs;
    // The last two are equal to each other, too.
    batch.jobs.push((f.new_job(), None));
    f.submit_batch(ListingBatch { jobs: f.batch(&listing).jobs, ..batch.clone() }).await.unwrap();
    f.change(OrgChanges { reject_duplicates: Some(true), ..OrgChanges::default() }).await;
    let Err(BatchRefusal::Duplicates(found)) = f.submit_batch(batch.clone()).await else { panic!("duplicates") };
    assert_eq!(found.iter().map(|(at, _)| *at).collect::<BTreeSet<_>>(), (0..4).collect());
    assert!(found.contains(&(3, batch.jobs[2].0.id)), "of the same request: {found:?}");
    assert!(jobs.len() == 3 && f.total_jobs().await == 6);
    let listing = f.listing(vec![photo("c", "https://a/3")]).await;
    let mut others = f.batch(&listing);
    others.jobs.pop();
    f.submit_batch(others).await.unwrap();
}
