//! What every [`JobStore`] has to do, one sentence a test, run on every store there is.

#![cfg(test)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{
    ApiKey, Failure, FailureCode, JobId, JobStatus, JobType, ManualClock, MarkupRefusal, OrgId, RequestId, Scopes,
    UsageRange,
};
use aerie_storage::{Annotation, Claim, JobFilter, JobOutput, JobStore, Lease, NewJob, SqliteStore, StoreError};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

const LEASE: Duration = Duration::from_secs(15);
const KINDS: &[JobType] = &[JobType::DroneFootage];

/// A fresh store, the clock it goes by, and an organization in it.
struct Fixture {
    store: Arc<dyn JobStore>,
    clock: Arc<ManualClock>,
    org: OrgId,
    _folder: tempfile::TempDir,
}

impl Fixture {
    async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-10T12:00:00Z".parse().unwrap()));
        let store: Arc<dyn JobStore> =
            Arc::new(SqliteStore::open(&folder.path().join("test.db"), Arc::clone(&clock) as _).unwrap());
        let org = store.org_create("Acme", "starter").await.unwrap().id;
        Self { store, clock, org, _folder: folder }
    }

    fn new_job(&self) -> NewJob {
        NewJob {
            id: JobId::new(self.clock_now()),
            org_id: self.org,
            job_type: JobType::DroneFootage,
            input: json!({"address": "1 Main St"}),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1500,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            once: None,
        }
    }

    async fn submit(&self) -> aerie_domain::Job {
        self.store.job_submit(self.new_job()).await.unwrap().unwrap()
    }

    async fn claim(&self, worker: &str) -> Option<Claim> {
        self.store.job_claim(KINDS, worker, LEASE).await.unwrap()
    }

    async fn get(&self, id: aerie_domain::JobId) -> aerie_domain::Job {
        self.store.job_get(Some(self.org), id).await.unwrap().unwrap()
    }

    fn pass(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    fn filter(&self) -> JobFilter {
        JobFilter { org_id: Some(self.org), status: None, job_type: None, limit: 50, offset: 0 }
    }

    async fn usage(&self) -> Vec<aerie_domain::UsageEvent> {
        let range = UsageRange::parse(Some("2026-03-01"), Some("2026-03-31"), self.clock_now()).unwrap();
        self.store.usage_list(self.org, range, None, 1000).await.unwrap()
    }

    fn clock_now(&self) -> Timestamp {
        aerie_domain::Clock::now(&*self.clock)
    }
}

fn output() -> JobOutput {
    let mut output = JobOutput::default();
    output.fields.insert("duration".into(), json!(10.0));
    output.media.insert("/video_url".into(), "o/j/1/video.mp4".into());
    output
}

fn failure() -> Failure {
    Failure { code: FailureCode::AddressNotFound, message: "No such house.".into() }
}

/// Runs the listed tests on each store.
macro_rules! contract {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::Fixture::sqlite().await).await; })*
        }
    };
}

contract! {
    a_submitted_job_is_queued_and_as_submitted,
    another_organizations_job_is_not_there,
    the_oldest_job_is_claimed_first,
    a_claimed_job_runs_and_is_not_claimed_again,
    a_job_of_another_kind_is_not_claimed,
    a_heartbeat_keeps_the_lease,
    an_expired_lease_is_claimed_by_another_with_a_higher_attempt,
    a_lost_lease_cannot_be_kept_completed_failed_or_given_back,
    a_lease_with_another_worker_or_attempt_is_lost,
    a_completed_job_has_its_output_and_one_usage_event,
    completing_twice_is_refused_and_billed_once,
    a_failed_job_is_not_billed_and_never_completes,
    a_job_tried_again_stays_running_in_public_and_waits,
    a_released_run_does_not_count_and_is_free_at_once,
    after_three_lost_runs_the_job_fails,
    after_three_tries_the_job_is_not_claimed_a_fourth_time,
    a_page_is_newest_first_and_total_counts_what_the_filter_finds,
    jobs_made_in_one_millisecond_keep_their_order,
    an_offset_beyond_the_end_gives_an_empty_page_with_the_total,
    usage_is_listed_by_day_both_ends_included,
    a_key_is_found_by_its_hash_until_it_is_revoked,
    an_unknown_key_cannot_be_revoked,
    a_key_for_no_organization_is_refused,
    a_deleted_job_is_gone_and_its_lease_with_it_but_not_its_bill,
    many_submits_at_once_are_all_kept,
    a_listings_notes_are_those_of_its_completed_jobs_of_the_kind_and_organization_oldest_first,
    a_markup_that_asks_for_input_is_billed_once_and_not_claimed_again,
    a_lost_lease_cannot_ask_for_input,
    a_step_of_another_organizations_markup_or_of_no_markup_finds_nothing,
    of_two_videos_of_one_markup_the_second_waits_for_the_first_to_end,
}

async fn a_submitted_job_is_queued_and_as_submitted(f: Fixture) {
    let submitted = f.submit().await;
    let job = f.get(submitted.id).await;
    assert_eq!(job, submitted);
    assert_eq!((job.status, job.attempt, job.completed_at), (JobStatus::Queued, 0, None));
    assert_eq!(job.input, json!({"address": "1 Main St"}));
    assert_eq!((job.created_at, job.updated_at), (f.clock_now(), f.clock_now()));
    assert!(job.output.is_empty() && job.media.is_empty());
}

async fn another_organizations_job_is_not_there(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    let job = f.submit().await;
    assert!(f.store.job_get(Some(other), job.id).await.unwrap().is_none());
    let page = f.store.job_list(JobFilter { org_id: Some(other), ..f.filter() }).await.unwrap();
    assert_eq!((page.jobs.len(), page.total), (0, 0));
    assert!(f.store.job_get(None, job.id).await.unwrap().is_some());
}

async fn the_oldest_job_is_claimed_first(f: Fixture) {
    let first = f.submit().await;
    f.pass(1);
    let second = f.submit().await;
    assert_eq!(f.claim("a").await.unwrap().job.id, first.id);
    assert_eq!(f.claim("b").await.unwrap().job.id, second.id);
}

async fn a_claimed_job_runs_and_is_not_claimed_again(f: Fixture) {
    let job = f.submit().await;
    f.pass(2);
    let claim = f.claim("a").await.unwrap();
    assert_eq!(claim.lease, Lease { job_id: job.id, worker: "a".into(), attempt: 1 });
    assert_eq!(claim.run, 1);
    let running = f.get(job.id).await;
    assert_eq!((running.status, running.updated_at), (JobStatus::Running, f.clock_now()));
    assert_eq!(running, claim.job);
    assert!(f.claim("b").await.is_none());
}

async fn a_job_of_another_kind_is_not_claimed(f: Fixture) {
    f.submit().await;
    assert!(f.store.job_claim(&[JobType::ImageEnhance], "a", LEASE).await.unwrap().is_none());
    assert!(f.store.job_claim(&[], "a", LEASE).await.unwrap().is_none());
    assert!(f.store.job_claim(&JobType::ALL, "a", LEASE).await.unwrap().is_some());
}

async fn a_heartbeat_keeps_the_lease(f: Fixture) {
    f.submit().await;
    let claim = f.claim("a").await.unwrap();
    for _ in 0..5 {
        f.pass(10);
        f.store.job_heartbeat(&claim.lease, LEASE).await.unwrap();
        assert!(f.claim("b").await.is_none());
    }
    f.pass(15);
    assert!(f.claim("b").await.is_some());
}

async fn an_expired_lease_is_claimed_by_another_with_a_higher_attempt(f: Fixture) {
    let job = f.submit().await;
    f.claim("a").await.unwrap();
    let before = f.get(job.id).await;
    f.pass(14);
    assert!(f.claim("b").await.is_none());
    f.pass(1);
    let claim = f.claim("b").await.unwrap();
    assert_eq!((claim.lease.attempt, claim.run), (2, 2));
    assert_eq!(f.get(job.id).await.updated_at, before.updated_at, "nothing changed in public");
}

async fn a_lost_lease_cannot_be_kept_completed_failed_or_given_back(f: Fixture) {
    let job = f.submit().await;
    let lost = f.claim("a").await.unwrap().lease;
    f.pass(16);
    let held = f.claim("b").await.unwrap().lease;
    assert!(matches!(f.store.job_heartbeat(&lost, LEASE).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_complete(&lost, output()).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_fail(&lost, failure()).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_retry(&lost, LEASE).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_release(&lost).await, Err(StoreError::LeaseLost)));
    assert_eq!(f.get(job.id).await.status, JobStatus::Running);
    assert!(f.usage().await.is_empty());
    f.store.job_complete(&held, output()).await.unwrap();
    assert_eq!(f.usage().await.len(), 1);
}

async fn a_lease_with_another_worker_or_attempt_is_lost(f: Fixture) {
    f.submit().await;
    let held = f.claim("a").await.unwrap().lease;
    let other_worker = Lease { worker: "b".into(), ..held.clone() };
    let other_attempt = Lease { attempt: 2, ..held.clone() };
    for wrong in [other_worker, other_attempt] {
        assert!(matches!(f.store.job_complete(&wrong, output()).await, Err(StoreError::LeaseLost)));
    }
    f.store.job_complete(&held, output()).await.unwrap();
}

async fn a_completed_job_has_its_output_and_one_usage_event(f: Fixture) {
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.pass(5);
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    let done = f.get(job.id).await;
    assert_eq!((done.status, done.completed_at), (JobStatus::Completed, Some(f.clock_now())));
    assert_eq!(done.updated_at, f.clock_now());
    assert_eq!((done.output, done.media), (output().fields, output().media));
    let usage = f.usage().await;
    assert_eq!(usage.len(), 1);
    assert_eq!((usage[0].job_id, usage[0].unit_price_cents), (job.id, 1500));
    assert_eq!(usage[0].event_type, "drone_footage.generate");
    assert_eq!(usage[0].created_at, f.clock_now());
}

async fn completing_twice_is_refused_and_billed_once(f: Fixture) {
    f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    assert!(matches!(f.store.job_complete(&claim.lease, output()).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_fail(&claim.lease, failure()).await, Err(StoreError::LeaseLost)));
    assert_eq!(f.usage().await.len(), 1);
}

async fn a_failed_job_is_not_billed_and_never_completes(f: Fixture) {
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_fail(&claim.lease, failure()).await.unwrap();
    assert!(matches!(f.store.job_complete(&claim.lease, output()).await, Err(StoreError::LeaseLost)));
    f.pass(3600);
    assert!(f.claim("b").await.is_none());
    let failed = f.get(job.id).await;
    assert_eq!((failed.status, failed.completed_at), (JobStatus::Failed, None));
    assert_eq!(failed.output, failure().output());
    assert!(f.usage().await.is_empty());
}

async fn a_job_tried_again_stays_running_in_public_and_waits(f: Fixture) {
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_retry(&claim.lease, Duration::from_secs(5)).await.unwrap();
    assert_eq!(f.get(job.id).await, claim.job, "nothing changed in public");
    f.pass(4);
    assert!(f.claim("b").await.is_none());
    f.pass(1);
    assert_eq!(f.claim("b").await.unwrap().run, 2);
}

async fn a_released_run_does_not_count_and_is_free_at_once(f: Fixture) {
    f.submit().await;
    for attempt in 1..=6 {
        let claim = f.claim("a").await.unwrap();
        assert_eq!((claim.lease.attempt, claim.run), (attempt, 1));
        f.store.job_release(&claim.lease).await.unwrap();
    }
}

async fn after_three_lost_runs_the_job_fails(f: Fixture) {
    let job = f.submit().await;
    for run in 1..=3 {
        assert_eq!(f.claim("a").await.unwrap().run, run);
        f.pass(16);
    }
    assert!(f.claim("a").await.is_none());
    let failed = f.get(job.id).await;
    assert_eq!(failed.status, JobStatus::Failed);
    assert_eq!(failed.output["error"]["code"], "ATTEMPTS_EXHAUSTED");
    assert!(f.usage().await.is_empty());
}

async fn after_three_tries_the_job_is_not_claimed_a_fourth_time(f: Fixture) {
    let job = f.submit().await;
    for _ in 0..3 {
        let claim = f.claim("a").await.unwrap();
        f.store.job_retry(&claim.lease, Duration::ZERO).await.unwrap();
    }
    assert!(f.claim("a").await.is_none());
    assert_eq!(f.get(job.id).await.status, JobStatus::Failed);
}

async fn a_page_is_newest_first_and_total_counts_what_the_filter_finds(f: Fixture) {
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(f.submit().await.id);
        f.pass(1);
    }
    f.claim("a").await.unwrap();
    let page = f.store.job_list(JobFilter { limit: 2, offset: 1, ..f.filter() }).await.unwrap();
    assert_eq!(page.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), [ids[3], ids[2]]);
    assert_eq!(page.total, 5);
    let running = f.store.job_list(JobFilter { status: Some(JobStatus::Running), ..f.filter() }).await.unwrap();
    assert_eq!((running.jobs[0].id, running.total), (ids[0], 1));
    let none = f.store.job_list(JobFilter { job_type: Some(JobType::Markup), ..f.filter() }).await.unwrap();
    assert_eq!((none.jobs.len(), none.total), (0, 0));
}

async fn jobs_made_in_one_millisecond_keep_their_order(f: Fixture) {
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(f.submit().await.id);
    }
    ids.reverse();
    let page = f.store.job_list(f.filter()).await.unwrap();
    assert_eq!(page.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), ids);
}

async fn an_offset_beyond_the_end_gives_an_empty_page_with_the_total(f: Fixture) {
    f.submit().await;
    let page = f.store.job_list(JobFilter { offset: u64::MAX, ..f.filter() }).await.unwrap();
    assert_eq!((page.jobs.len(), page.total), (0, 1));
}

async fn usage_is_listed_by_day_both_ends_included(f: Fixture) {
    for time in ["2026-03-09T23:59:59.999Z", "2026-03-10T00:00:00Z", "2026-03-11T23:59:59.999Z", "2026-03-12T00:00:00Z"]
    {
        f.clock.set(time.parse().unwrap());
        f.submit().await;
        let claim = f.claim("a").await.unwrap();
        f.store.job_complete(&claim.lease, output()).await.unwrap();
    }
    let range = UsageRange::parse(Some("2026-03-10"), Some("2026-03-11"), f.clock_now()).unwrap();
    let times: Vec<String> = f
        .store
        .usage_list(f.org, range, None, 1000)
        .await
        .unwrap()
        .iter()
        .map(|event| event.created_at.to_string())
        .collect();
    assert_eq!(times, ["2026-03-11T23:59:59.999Z", "2026-03-10T00:00:00Z"]);
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert!(f.store.usage_list(other, range, None, 1000).await.unwrap().is_empty());
}

async fn a_key_is_found_by_its_hash_until_it_is_revoked(f: Fixture) {
    let (first, second) = (ApiKey::generate().unwrap(), ApiKey::generate().unwrap());
    let record = f.store.key_create(f.org, &first, Scopes::ALL, None).await.unwrap();
    f.store.key_create(f.org, &second, Scopes::ALL, None).await.unwrap();
    assert_eq!(f.store.key_find(first.hash()).await.unwrap().unwrap().key, record);
    assert!(f.store.key_revoke(record.id).await.unwrap());
    let revoked_at = f.clock_now();
    assert!(f.store.key_find(first.hash()).await.unwrap().is_none());
    assert!(f.store.key_find(second.hash()).await.unwrap().is_some());
    f.pass(5);
    assert!(f.store.key_revoke(record.id).await.unwrap());
    let listed = f.store.key_list(Some(f.org)).await.unwrap();
    assert_eq!((listed.len(), listed[0].revoked_at), (2, Some(revoked_at)));
}

async fn an_unknown_key_cannot_be_revoked(f: Fixture) {
    assert!(!f.store.key_revoke(aerie_domain::KeyId::new(f.clock_now())).await.unwrap());
    assert!(f.store.key_find(ApiKey::generate().unwrap().hash()).await.unwrap().is_none());
}

async fn a_key_for_no_organization_is_refused(f: Fixture) {
    let nobody = OrgId::new(f.clock_now());
    assert!(f.store.key_create(nobody, &ApiKey::generate().unwrap(), Scopes::ALL, None).await.is_err());
    assert!(f.store.key_list(None).await.unwrap().is_empty());
    assert!(f.store.org_get(nobody).await.unwrap().is_none());
    assert_eq!(f.store.org_list().await.unwrap().len(), 1);
}

async fn a_deleted_job_is_gone_and_its_lease_with_it_but_not_its_bill(f: Fixture) {
    let done = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    assert_eq!(f.store.job_delete(done.id).await.unwrap().unwrap().media, output().media);
    assert!(f.store.job_delete(done.id).await.unwrap().is_none());
    assert_eq!(f.usage().await.len(), 1);
    f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_delete(claim.job.id).await.unwrap();
    assert!(matches!(f.store.job_complete(&claim.lease, output()).await, Err(StoreError::LeaseLost)));
}

async fn many_submits_at_once_are_all_kept(f: Fixture) {
    let submits: Vec<_> = (0..600)
        .map(|_| {
            let (store, job) = (Arc::clone(&f.store), f.new_job());
            tokio::spawn(async move { store.job_submit(job).await.unwrap().unwrap().id })
        })
        .collect();
    for submit in submits {
        submit.await.unwrap();
    }
    assert_eq!(f.store.job_list(f.filter()).await.unwrap().total, 600);
}

async fn a_listings_notes_are_those_of_its_completed_jobs_of_the_kind_and_organization_oldest_first(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    let (photo, film) = (JobType::ImageEnhance, JobType::DroneFootage);
    let jobs = [(f.org, photo, "a"), (f.org, photo, "b"), (f.org, film, "a"), (other, photo, "a"), (f.org, photo, "a")];
    for (number, (org_id, job_type, listing)) in jobs.into_iter().enumerate() {
        f.pass(1);
        let input = json!({"options": {"listing_id": listing}});
        f.store.job_submit(NewJob { org_id, job_type, input, ..f.new_job() }).await.unwrap().unwrap();
        let claim = f.store.job_claim(&JobType::ALL, "w", LEASE).await.unwrap().unwrap();
        let mut output = JobOutput::default();
        output.notes.insert("number".into(), json!(number));
        f.store.job_complete(&claim.lease, output).await.unwrap();
        assert_eq!(f.store.job_get(None, claim.job.id).await.unwrap().unwrap().notes["number"], number);
    }
    let unfinished = json!({"options": {"listing_id": "a"}});
    f.store.job_submit(NewJob { job_type: photo, input: unfinished, ..f.new_job() }).await.unwrap().unwrap();
    let numbers = async |limit| {
        let notes = f.store.listing_notes(f.org, photo, "a", limit).await.unwrap();
        notes.iter().map(|notes| notes["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((numbers(9).await, numbers(1).await), (vec![0, 4], vec![0]));
}

/// A markup that awaits input, with one variant.
async fn awaiting(f: &Fixture) -> aerie_domain::Job {
    let job = f.store.job_submit(NewJob { job_type: JobType::Markup, ..f.new_job() }).await.unwrap().unwrap();
    let claim = f.store.job_claim(&[JobType::Markup], "a", LEASE).await.unwrap().unwrap();
    let mut output = JobOutput::default();
    output.fields.insert("orientation_variants".into(), json!([{"key": "left"}]));
    output.media.insert("/orientation_variants/0/enhanced_url".into(), "o/j/1/left.png".into());
    f.store.job_ask_input(&claim.lease, output).await.unwrap();
    f.get(job.id).await
}

fn annotation() -> Annotation {
    Annotation { body: json!({"clean_image_url": "c"}), output: JobOutput::default() }
}

async fn a_markup_that_asks_for_input_is_billed_once_and_not_claimed_again(f: Fixture) {
    let job = awaiting(&f).await;
    assert_eq!((job.status, job.completed_at), (JobStatus::AwaitingInput, None));
    f.pass(3600);
    assert!(f.store.job_claim(&JobType::ALL, "b", LEASE).await.unwrap().is_none());
    let selected = f.store.markup_select(f.org, job.id, "left").await.unwrap().unwrap();
    assert_eq!(selected.media["/selected_url"], "o/j/1/left.png");
    let completed = f.store.markup_annotate(f.org, job.id, annotation()).await.unwrap().unwrap();
    assert_eq!((completed.status, completed.completed_at), (JobStatus::Completed, Some(f.clock_now())));
    assert_eq!(completed, f.get(job.id).await);
    assert_eq!(f.usage().await.len(), 1);
}

async fn a_lost_lease_cannot_ask_for_input(f: Fixture) {
    f.store.job_submit(NewJob { job_type: JobType::Markup, ..f.new_job() }).await.unwrap().unwrap();
    let lost = f.store.job_claim(&[JobType::Markup], "a", LEASE).await.unwrap().unwrap();
    f.pass(16);
    f.store.job_claim(&[JobType::Markup], "b", LEASE).await.unwrap().unwrap();
    let refused = f.store.job_ask_input(&lost.lease, output()).await;
    assert!(matches!(refused, Err(StoreError::LeaseLost)));
    assert!(f.usage().await.is_empty());
}

async fn a_step_of_another_organizations_markup_or_of_no_markup_finds_nothing(f: Fixture) {
    let (markup, film) = (awaiting(&f).await, f.submit().await);
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    for (org, id) in [(other, markup.id), (f.org, film.id), (f.org, JobId::new(f.clock_now()))] {
        assert_eq!(f.store.markup_select(org, id, "left").await.unwrap(), None);
        assert_eq!(f.store.markup_annotate(org, id, annotation()).await.unwrap(), None);
    }
    assert_eq!(f.get(markup.id).await, markup);
}

async fn of_two_videos_of_one_markup_the_second_waits_for_the_first_to_end(f: Fixture) {
    let parent_id = Some(awaiting(&f).await.id);
    let video = || NewJob { job_type: JobType::MarkupVideo, parent_id, ..f.new_job() };
    f.store.job_submit(video()).await.unwrap().unwrap();
    let refused = f.store.job_submit(video()).await;
    assert!(matches!(refused, Err(StoreError::MarkupRefused(MarkupRefusal::VideoInProgress))));
    let claim = f.store.job_claim(&[JobType::MarkupVideo], "a", LEASE).await.unwrap().unwrap();
    assert!(f.store.job_submit(video()).await.is_err());
    f.store.job_fail(&claim.lease, failure()).await.unwrap();
    f.store.job_submit(video()).await.unwrap().unwrap();
}
