//! What every [`JobStore`] has to do for tenants: terms, quotas, keys that end, requests that take effect once. One
//! sentence a test, run on every store there is.

#![cfg(test)]

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{
    ApiKey, Clock, Failure, FailureCode, JobId, JobType, ManualClock, OrgChanges, OrgId, Prices, RequestId, Scopes,
    UsageRange,
};
use aerie_storage::{Answer, Claim, Earlier, JobOutput, JobStore, NewJob, Once, Refusal, SqliteStore};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

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

    fn new_job(&self, address: &str) -> NewJob {
        NewJob {
            id: JobId::new(self.clock.now()),
            org_id: self.org,
            job_type: JobType::DroneFootage,
            input: json!({"address": address}),
            input_media: Default::default(),
            parent_id: None,
            unit_price_cents: 1500,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            once: None,
        }
    }

    async fn submit(&self, address: &str) -> Result<JobId, Refusal> {
        self.store.job_submit(self.new_job(address)).await.unwrap().map(|job| job.id)
    }

    async fn submit_once(&self, address: &str, once: Once) -> Result<JobId, Refusal> {
        let new = NewJob { once: Some(once), ..self.new_job(address) };
        self.store.job_submit(new).await.unwrap().map(|job| job.id)
    }

    async fn change(&self, changes: OrgChanges) {
        self.store.org_change(self.org, changes).await.unwrap().unwrap();
    }

    async fn claim(&self) -> Claim {
        self.store.job_claim(&JobType::ALL, "a", Duration::from_secs(15)).await.unwrap().unwrap()
    }

    async fn used(&self) -> u64 {
        self.store.quota_used(self.org, self.clock.now()).await.unwrap()
    }

    fn pass(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }
}

fn quota(quota: u32) -> OrgChanges {
    OrgChanges { monthly_quota: Some(Some(quota)), ..OrgChanges::default() }
}

fn once(key: &str, digest: u8) -> Once {
    Once { route: "POST /v1/x".into(), key: key.into(), digest: [digest; 32] }
}

fn failure() -> Failure {
    Failure { code: FailureCode::EngineError, message: "No.".into() }
}

/// Runs the listed tests on each store.
macro_rules! contract {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::Fixture::sqlite().await).await; })*
        }
    };
}

contract! {
    what_is_changed_of_an_organization_stays_and_the_rest_is_as_it_was,
    a_key_comes_with_the_terms_of_its_organization,
    a_key_is_good_until_the_very_moment_it_expires,
    a_quota_holds_for_the_month_it_is_used_in,
    a_failed_job_gives_its_place_back_in_the_month_it_was_submitted_in,
    a_lost_or_deleted_job_gives_its_place_back_and_a_completed_one_does_not,
    a_quota_set_in_mid_month_counts_what_was_before,
    at_the_edge_of_the_quota_only_as_many_get_in_as_there_are_places,
    duplicates_are_refused_while_the_first_is_active_if_the_organization_wants_it,
    a_request_that_came_before_submits_nothing,
    of_many_equal_requests_at_once_one_submits,
    an_answer_is_kept_for_a_day,
    an_answer_that_submitted_nothing_is_kept_as_it_was,
    usage_is_read_page_by_page_without_gap_or_repetition,
}

async fn what_is_changed_of_an_organization_stays_and_the_rest_is_as_it_was(f: Fixture) {
    let changes = OrgChanges {
        plan: Some("growth".into()),
        disable: vec![JobType::VideoClip, JobType::Markup],
        monthly_quota: Some(Some(5)),
        prices: vec![(JobType::DroneFootage, Some(7))],
        reject_duplicates: Some(true),
        enable: vec![],
        keep_days: Some(Some(30)),
    };
    f.change(changes).await;
    f.change(OrgChanges { enable: vec![JobType::Markup], ..OrgChanges::default() }).await;
    let org = f.store.org_get(f.org).await.unwrap().unwrap();
    assert_eq!((org.plan.as_str(), org.name.as_str(), org.monthly_quota), ("growth", "Acme", Some(5)));
    assert_eq!(org.keep_days, Some(30));
    assert_eq!(org.disabled.iter().copied().collect::<Vec<_>>(), [JobType::VideoClip]);
    let configured: Prices = [(JobType::DroneFootage, 1500), (JobType::VideoClip, 500)].into_iter().collect();
    assert_eq!(org.price_cents(JobType::DroneFootage, &configured), 7);
    assert_eq!(org.price_cents(JobType::VideoClip, &configured), 500);
    assert!(org.reject_duplicates);
    let back =
        OrgChanges { prices: vec![(JobType::DroneFootage, None)], monthly_quota: Some(None), ..OrgChanges::default() };
    f.change(back).await;
    let org = f.store.org_list().await.unwrap().remove(0);
    assert_eq!((org.price_cents(JobType::DroneFootage, &configured), org.monthly_quota), (1500, None));
    let nobody = OrgId::new(f.clock.now());
    assert!(f.store.org_change(nobody, quota(1)).await.unwrap().is_none());
}

async fn a_key_comes_with_the_terms_of_its_organization(f: Fixture) {
    let key = ApiKey::generate().unwrap();
    let scopes: Scopes = "read,usage".parse().unwrap();
    f.store.key_create(f.org, &key, scopes, None).await.unwrap();
    f.change(quota(9)).await;
    let found = f.store.key_find(key.hash()).await.unwrap().unwrap();
    assert_eq!((found.key.scopes, found.org.monthly_quota, found.org.id), (scopes, Some(9), f.org));
}

async fn a_key_is_good_until_the_very_moment_it_expires(f: Fixture) {
    let key = ApiKey::generate().unwrap();
    let expires = f.clock.now() + SignedDuration::from_secs(10);
    let record = f.store.key_create(f.org, &key, Scopes::ALL, Some(expires)).await.unwrap();
    f.clock.set(expires - SignedDuration::from_millis(1));
    assert!(f.store.key_find(key.hash()).await.unwrap().is_some());
    f.clock.set(expires);
    assert!(f.store.key_find(key.hash()).await.unwrap().is_none());
    assert!(f.store.key_expire(record.id, expires + SignedDuration::from_millis(1)).await.unwrap());
    assert!(f.store.key_find(key.hash()).await.unwrap().is_some());
    assert_eq!(f.store.key_list(Some(f.org)).await.unwrap().len(), 1);
}

async fn a_quota_holds_for_the_month_it_is_used_in(f: Fixture) {
    f.change(quota(2)).await;
    f.clock.set("2026-03-31T23:59:59.999Z".parse().unwrap());
    for _ in 0..2 {
        f.submit("a").await.unwrap();
    }
    assert_eq!(f.submit("a").await, Err(Refusal::QuotaUsedUp { quota: 2 }));
    assert_eq!(f.used().await, 2, "a refused job does not count");
    f.clock.set("2026-04-01T00:00:00Z".parse().unwrap());
    f.submit("a").await.unwrap();
    assert_eq!(f.used().await, 1);
}

async fn a_failed_job_gives_its_place_back_in_the_month_it_was_submitted_in(f: Fixture) {
    f.change(quota(1)).await;
    f.clock.set("2026-03-31T23:59:59Z".parse().unwrap());
    f.submit("a").await.unwrap();
    let claim = f.claim().await;
    f.pass(2);
    f.submit("b").await.unwrap();
    f.store.job_fail(&claim.lease, failure()).await.unwrap();
    assert_eq!(f.submit("b").await, Err(Refusal::QuotaUsedUp { quota: 1 }));
    assert_eq!(f.store.quota_used(f.org, "2026-03-31T00:00:00Z".parse().unwrap()).await.unwrap(), 0);
    assert!(f.store.job_fail(&claim.lease, failure()).await.is_err());
    assert_eq!(f.used().await, 1);
}

async fn a_lost_or_deleted_job_gives_its_place_back_and_a_completed_one_does_not(f: Fixture) {
    f.submit("lost").await.unwrap();
    for _ in 0..3 {
        f.claim().await;
        f.pass(16);
    }
    assert!(f.store.job_claim(&JobType::ALL, "a", Duration::ZERO).await.unwrap().is_none());
    assert_eq!(f.used().await, 0, "lost three times");
    let deleted = f.submit("deleted").await.unwrap();
    f.store.job_delete(deleted).await.unwrap();
    assert_eq!(f.used().await, 0, "deleted before it ended");
    let completed = f.submit("completed").await.unwrap();
    f.store.job_complete(&f.claim().await.lease, JobOutput::default()).await.unwrap();
    f.store.job_delete(completed).await.unwrap();
    assert_eq!(f.used().await, 1, "completed, and billed");
}

async fn a_quota_set_in_mid_month_counts_what_was_before(f: Fixture) {
    for _ in 0..3 {
        f.submit("a").await.unwrap();
    }
    f.change(quota(3)).await;
    assert_eq!(f.submit("a").await, Err(Refusal::QuotaUsedUp { quota: 3 }));
    f.change(quota(4)).await;
    f.submit("a").await.unwrap();
}

async fn at_the_edge_of_the_quota_only_as_many_get_in_as_there_are_places(f: Fixture) {
    f.change(quota(10)).await;
    let submits: Vec<_> = (0..50)
        .map(|_| {
            let (store, job) = (Arc::clone(&f.store), f.new_job("a"));
            tokio::spawn(async move { store.job_submit(job).await.unwrap().is_ok() })
        })
        .collect();
    let mut accepted = 0;
    for submit in submits {
        accepted += u32::from(submit.await.unwrap());
    }
    assert_eq!((accepted, f.used().await), (10, 10));
}

async fn duplicates_are_refused_while_the_first_is_active_if_the_organization_wants_it(f: Fixture) {
    f.submit("a").await.unwrap();
    f.submit("a").await.unwrap();
    f.change(OrgChanges { reject_duplicates: Some(true), ..OrgChanges::default() }).await;
    let first = f.submit("b").await.unwrap();
    assert_eq!(f.submit("b").await, Err(Refusal::Duplicate(first)));
    f.submit("c").await.unwrap();
    for _ in 0..4 {
        let claim = f.claim().await;
        if claim.job.id == first {
            assert_eq!(f.submit("b").await, Err(Refusal::Duplicate(first)), "while it runs, too");
        }
        f.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
    }
    f.submit("b").await.unwrap();
}

async fn a_request_that_came_before_submits_nothing(f: Fixture) {
    let job = f.submit_once("a", once("k", 1)).await.unwrap();
    let answered = Earlier::Answered(Answer::Submitted(job));
    assert_eq!(f.store.answer_find(f.org, &once("k", 1)).await.unwrap(), Some(answered.clone()));
    assert_eq!(f.submit_once("a", once("k", 1)).await, Err(Refusal::CameBefore(answered)));
    assert_eq!(f.submit_once("b", once("k", 2)).await, Err(Refusal::CameBefore(Earlier::OtherRequest)));
    assert_eq!(f.used().await, 1);
    f.submit_once("a", once("other", 1)).await.unwrap();
    f.submit_once("a", Once { route: "POST /v1/y".into(), ..once("k", 1) }).await.unwrap();
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(f.store.answer_find(other, &once("k", 1)).await.unwrap(), None);
}

async fn of_many_equal_requests_at_once_one_submits(f: Fixture) {
    let submits: Vec<_> = (0..30)
        .map(|_| {
            let (store, job) = (Arc::clone(&f.store), NewJob { once: Some(once("k", 1)), ..f.new_job("a") });
            tokio::spawn(async move { store.job_submit(job).await.unwrap().is_ok() })
        })
        .collect();
    let mut accepted = 0;
    for submit in submits {
        accepted += u32::from(submit.await.unwrap());
    }
    assert_eq!((accepted, f.used().await), (1, 1));
}

async fn an_answer_is_kept_for_a_day(f: Fixture) {
    f.submit_once("a", once("k", 1)).await.unwrap();
    f.pass(24 * 3600 - 1);
    assert!(f.submit_once("a", once("k", 1)).await.is_err());
    f.pass(1);
    assert_eq!(f.store.answer_find(f.org, &once("k", 1)).await.unwrap(), None);
    let second = f.submit_once("b", once("k", 2)).await.unwrap();
    let answered = Earlier::Answered(Answer::Submitted(second));
    assert_eq!(f.store.answer_find(f.org, &once("k", 2)).await.unwrap(), Some(answered));
}

async fn an_answer_that_submitted_nothing_is_kept_as_it_was(f: Fixture) {
    let answer = Answer::Data { status: 200, data: json!({"status": "selected"}) };
    f.store.answer_keep(f.org, &once("k", 1), answer.clone()).await.unwrap();
    let other = Answer::Data { status: 200, data: json!(2) };
    f.store.answer_keep(f.org, &once("k", 1), other).await.unwrap();
    assert_eq!(f.store.answer_find(f.org, &once("k", 1)).await.unwrap(), Some(Earlier::Answered(answer)));
    assert_eq!(f.store.answer_find(f.org, &once("k", 2)).await.unwrap(), Some(Earlier::OtherRequest));
}

async fn usage_is_read_page_by_page_without_gap_or_repetition(f: Fixture) {
    for number in 0..25 {
        // Several in one millisecond, so that pages end between equal times.
        f.clock.advance(SignedDuration::from_millis(i64::from(number % 4 == 0)));
        f.submit("a").await.unwrap();
        f.store.job_complete(&f.claim().await.lease, JobOutput::default()).await.unwrap();
    }
    let range = UsageRange::parse(None, None, f.clock.now()).unwrap();
    let whole = f.store.usage_list(f.org, range, None, 100).await.unwrap();
    assert_eq!(whole.len(), 25);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = f.store.usage_list(f.org, range, after, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.created_at, last.id));
        paged.extend(page);
    }
    assert_eq!(paged, whole);
}
