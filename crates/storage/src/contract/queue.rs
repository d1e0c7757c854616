//! Jobs and leases.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{Failure, JobId, JobLimits, JobStatus, JobType, OrgChanges, OrgId};
use jiff::SignedDuration;
use serde_json::json;

use super::fixture::{Fixture, LEASE, failure, output, request};
use crate::{JobFilter, JobOutput, Lease, NewJob, StoreError, SubmitRefusal};

pub(super) async fn a_submitted_job_is_queued_with_its_input(f: Fixture) {
    let submitted = f.submit().await;
    let job = f.get(submitted.id).await;
    assert_eq!(job, submitted);
    assert_eq!((job.status, job.attempt, job.completed_at), (JobStatus::Queued, 0, None));
    assert_eq!(job.input, json!({"address": "1 Main St"}));
    assert_eq!((job.created_at, job.updated_at), (f.now(), f.now()));
    assert!(job.output.is_empty() && job.media.is_empty());
}

pub(super) async fn another_organizations_job_is_not_found(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    let job = f.submit().await;
    assert!(f.store.job_get(Some(other), job.id).await.unwrap().is_none());
    let page = f.store.job_list(JobFilter { org_id: Some(other), ..f.filter() }).await.unwrap();
    assert_eq!((page.jobs.len(), page.total), (0, 0));
    assert!(f.store.job_get(None, job.id).await.unwrap().is_some());
}

pub(super) async fn the_oldest_job_is_claimed_first(f: Fixture) {
    let first = f.submit().await;
    f.advance(1);
    let second = f.submit().await;
    assert_eq!(f.claim("a").await.unwrap().job.id, first.id);
    assert_eq!(f.claim("b").await.unwrap().job.id, second.id);
}

pub(super) async fn a_claimed_job_runs_and_is_not_claimed_again(f: Fixture) {
    let job = f.submit().await;
    f.advance(2);
    let claim = f.claim("a").await.unwrap();
    assert_eq!(claim.lease, Lease { job_id: job.id, worker: "a".into(), attempt: 1 });
    assert_eq!(claim.run, 1);
    let running = f.get(job.id).await;
    assert_eq!((running.status, running.updated_at), (JobStatus::Running, f.now()));
    assert_eq!(running, claim.job);
    assert!(f.claim("b").await.is_none());
}

pub(super) async fn a_job_of_another_kind_is_not_claimed(f: Fixture) {
    f.submit().await;
    assert!(f.store.job_claim(&[JobType::ImageEnhance], "a", LEASE).await.unwrap().is_none());
    assert!(f.store.job_claim(&[], "a", LEASE).await.unwrap().is_none());
    assert!(f.store.job_claim(&JobType::ALL, "a", LEASE).await.unwrap().is_some());
}

pub(super) async fn a_heartbeat_keeps_the_lease(f: Fixture) {
    f.submit().await;
    let claim = f.claim("a").await.unwrap();
    for _ in 0..5 {
        f.advance(10);
        f.store.job_heartbeat(&claim.lease, LEASE).await.unwrap();
        assert!(f.claim("b").await.is_none());
    }
    f.advance(15);
    assert!(f.claim("b").await.is_some());
}

pub(super) async fn an_expired_lease_is_claimed_by_another_with_a_higher_attempt(f: Fixture) {
    let job = f.submit().await;
    f.claim("a").await.unwrap();
    let before = f.get(job.id).await;
    f.advance(14);
    assert!(f.claim("b").await.is_none());
    f.advance(1);
    let claim = f.claim("b").await.unwrap();
    assert_eq!((claim.lease.attempt, claim.run), (2, 2));
    assert_eq!(f.get(job.id).await.updated_at, before.updated_at, "nothing changed in public");
}

pub(super) async fn a_lost_lease_cannot_be_renewed_completed_failed_or_returned(f: Fixture) {
    let job = f.submit().await;
    let lost = f.claim("a").await.unwrap().lease;
    f.advance(16);
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

pub(super) async fn a_lease_with_another_worker_or_attempt_is_lost(f: Fixture) {
    f.submit().await;
    let held = f.claim("a").await.unwrap().lease;
    let other_worker = Lease { worker: "b".into(), ..held.clone() };
    let other_attempt = Lease { attempt: 2, ..held.clone() };
    for wrong in [other_worker, other_attempt] {
        assert!(matches!(f.store.job_complete(&wrong, output()).await, Err(StoreError::LeaseLost)));
    }
    f.store.job_complete(&held, output()).await.unwrap();
}

pub(super) async fn a_completed_job_has_its_output_and_one_usage_event(f: Fixture) {
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.advance(5);
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    let done = f.get(job.id).await;
    assert_eq!((done.status, done.completed_at), (JobStatus::Completed, Some(f.now())));
    assert_eq!(done.updated_at, f.now());
    assert_eq!((done.output, done.media), (output().fields, output().media));
    let usage = f.usage().await;
    assert_eq!(usage.len(), 1);
    assert_eq!((usage[0].job_id, usage[0].unit_price_cents), (job.id, 1500));
    assert_eq!(usage[0].event_type, "drone_footage.generate");
    assert_eq!(usage[0].created_at, f.now());
}

pub(super) async fn completing_twice_is_refused_and_billed_once(f: Fixture) {
    f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    assert!(matches!(f.store.job_complete(&claim.lease, output()).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_fail(&claim.lease, failure()).await, Err(StoreError::LeaseLost)));
    assert_eq!(f.usage().await.len(), 1);
}

pub(super) async fn a_failed_job_is_not_billed_and_never_completes(f: Fixture) {
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_fail(&claim.lease, failure()).await.unwrap();
    assert!(matches!(f.store.job_complete(&claim.lease, output()).await, Err(StoreError::LeaseLost)));
    f.advance(3600);
    assert!(f.claim("b").await.is_none());
    let failed = f.get(job.id).await;
    assert_eq!((failed.status, failed.completed_at), (JobStatus::Failed, None));
    assert_eq!(failed.output, failure().output());
    assert!(f.usage().await.is_empty());
}

pub(super) async fn a_canceled_job_fails_unbilled_and_its_worker_loses_the_lease(f: Fixture) {
    let (running, queued) = (f.submit().await, f.submit().await);
    let held = f.claim("a").await.unwrap().lease;
    assert_eq!(held.job_id, running.id);
    assert!(f.store.job_is_held(&held).await.unwrap());
    let used = f.store.quota_used(f.org, f.now()).await.unwrap();
    for job in [&queued, &running] {
        let other = f.store.org_create("Other", "starter").await.unwrap().id;
        assert_eq!(f.store.job_cancel(other, job.id).await.unwrap(), None, "another organization's job");
        let canceled = f.store.job_cancel(f.org, job.id).await.unwrap().unwrap();
        assert_eq!((canceled.status, canceled.completed_at), (JobStatus::Failed, None));
        assert_eq!(canceled.output, Failure::canceled().output());
        assert_eq!(f.get(job.id).await, canceled);
        assert_eq!(f.store.job_cancel(f.org, job.id).await.unwrap(), Some(canceled), "canceled again");
    }
    assert_eq!(f.store.quota_used(f.org, f.now()).await.unwrap(), used - 2);
    assert!(!f.store.job_is_held(&held).await.unwrap());
    assert!(matches!(f.store.job_heartbeat(&held, LEASE).await, Err(StoreError::LeaseLost)));
    assert!(matches!(f.store.job_complete(&held, output()).await, Err(StoreError::LeaseLost)));
    f.advance(3600);
    assert!(f.claim("b").await.is_none() && f.usage().await.is_empty());
    let done = f.submit().await;
    f.store.job_complete(&f.claim("a").await.unwrap().lease, output()).await.unwrap();
    assert_eq!(f.store.job_cancel(f.org, done.id).await.unwrap().unwrap().status, JobStatus::Completed);
}

pub(super) async fn a_retried_job_stays_running_for_clients_and_waits(f: Fixture) {
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_retry(&claim.lease, Duration::from_secs(5)).await.unwrap();
    assert_eq!(f.get(job.id).await, claim.job, "nothing changed in public");
    f.advance(4);
    assert!(f.claim("b").await.is_none());
    f.advance(1);
    assert_eq!(f.claim("b").await.unwrap().run, 2);
}

pub(super) async fn a_released_run_does_not_count_and_can_be_claimed_at_once(f: Fixture) {
    f.submit().await;
    for attempt in 1..=6 {
        let claim = f.claim("a").await.unwrap();
        assert_eq!((claim.lease.attempt, claim.run), (attempt, 1));
        f.store.job_release(&claim.lease).await.unwrap();
    }
}

pub(super) async fn after_three_lost_runs_the_job_fails(f: Fixture) {
    let job = f.submit().await;
    for run in 1..=3 {
        assert_eq!(f.claim("a").await.unwrap().run, run);
        f.advance(16);
    }
    assert!(f.claim("a").await.is_none());
    let failed = f.get(job.id).await;
    assert_eq!(failed.status, JobStatus::Failed);
    assert_eq!(failed.output["error"]["code"], "ATTEMPTS_EXHAUSTED");
    assert!(f.usage().await.is_empty());
}

pub(super) async fn after_three_retried_runs_the_job_is_not_claimed_a_fourth_time(f: Fixture) {
    let job = f.submit().await;
    for _ in 0..3 {
        let claim = f.claim("a").await.unwrap();
        f.store.job_retry(&claim.lease, Duration::ZERO).await.unwrap();
    }
    assert!(f.claim("a").await.is_none());
    assert_eq!(f.get(job.id).await.status, JobStatus::Failed);
}

pub(super) async fn a_page_is_newest_first_and_total_counts_what_the_filter_finds(f: Fixture) {
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(f.submit().await.id);
        f.advance(1);
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

pub(super) async fn jobs_made_in_one_millisecond_keep_their_order(f: Fixture) {
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(f.submit().await.id);
    }
    ids.reverse();
    let page = f.store.job_list(f.filter()).await.unwrap();
    assert_eq!(page.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), ids);
}

pub(super) async fn an_offset_beyond_the_end_gives_an_empty_page_with_the_total(f: Fixture) {
    f.submit().await;
    let page = f.store.job_list(JobFilter { offset: u64::MAX, ..f.filter() }).await.unwrap();
    assert_eq!((page.jobs.len(), page.total), (0, 1));
}

pub(super) async fn a_deleted_job_is_gone_and_its_lease_with_it_but_not_its_bill(f: Fixture) {
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

pub(super) async fn many_concurrent_submits_are_all_kept(f: Fixture) {
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

pub(super) async fn listing_notes_are_of_completed_jobs_of_the_kind_and_organization_oldest_first(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    let (photo, film) = (JobType::ImageEnhance, JobType::DroneFootage);
    let jobs = [(f.org, photo, "a"), (f.org, photo, "b"), (f.org, film, "a"), (other, photo, "a"), (f.org, photo, "a")];
    for (number, (org_id, job_type, listing)) in jobs.into_iter().enumerate() {
        f.advance(1);
        let input = request(job_type, &json!({"options": {"listing_id": listing}}));
        f.store.job_submit(NewJob { org_id, input, ..f.new_job() }).await.unwrap().unwrap();
        let claim = f.store.job_claim(&JobType::ALL, "w", LEASE).await.unwrap().unwrap();
        let mut output = JobOutput::default();
        output.notes.insert("number".into(), json!(number));
        f.store.job_complete(&claim.lease, output).await.unwrap();
        assert_eq!(f.store.job_get(None, claim.job.id).await.unwrap().unwrap().notes["number"], number);
    }
    let unfinished = request(photo, &json!({"options": {"listing_id": "a"}}));
    f.store.job_submit(NewJob { input: unfinished, ..f.new_job() }).await.unwrap().unwrap();
    let numbers = async |limit| {
        let notes = f.store.job_listing_notes(f.org, photo, "a", limit).await.unwrap();
        notes.iter().map(|notes| notes["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((numbers(9).await, numbers(1).await), (vec![0, 4], vec![0]));
}

pub(super) async fn a_lease_from_before_the_clock_was_set_back_does_not_block_a_job_for_hours(f: Fixture) {
    let job = f.submit().await;
    let lease = Duration::from_secs(15);
    let first = f.store.job_claim(&JobType::ALL, "a", lease).await.unwrap().unwrap();
    f.clock.advance(SignedDuration::from_hours(-5));
    // Whoever lives renews it, and keeps it.
    f.store.job_heartbeat(&first.lease, lease).await.unwrap();
    assert!(f.store.job_claim(&JobType::ALL, "b", lease).await.unwrap().is_none());
    f.clock.advance(SignedDuration::from_hours(-5));
    let second = f.store.job_claim(&JobType::ALL, "b", lease).await.unwrap().unwrap();
    assert_eq!((second.job.id, second.lease.attempt), (job.id, 2));
    assert!(f.store.job_complete(&first.lease, JobOutput::default()).await.is_err());
}

/// Submits jobs of these kinds for an organization, a second apart.
async fn submit_as(f: &Fixture, org_id: OrgId, kinds: impl IntoIterator<Item = JobType>) -> Vec<JobId> {
    let mut ids = Vec::new();
    for job_type in kinds {
        let input = request(job_type, &json!({}));
        let job = f.store.job_submit(NewJob { org_id, input, ..f.new_job() }).await.unwrap().unwrap();
        ids.push(job.id);
        f.advance(1);
    }
    ids
}

/// The organizations of the next claims.
async fn claimed(f: &Fixture, claims: usize) -> Vec<OrgId> {
    let mut orgs = Vec::new();
    for _ in 0..claims {
        orgs.push(f.claim_any().await.job.org_id);
    }
    orgs
}

pub(super) async fn organizations_take_turns_however_many_jobs_one_has_queued(f: Fixture) {
    let [b, c] =
        [f.store.org_create("B", "starter").await.unwrap().id, f.store.org_create("C", "starter").await.unwrap().id];
    let first = submit_as(&f, f.org, [JobType::DroneFootage; 40]).await;
    submit_as(&f, b, [JobType::ImageEnhance; 2]).await;
    submit_as(&f, c, [JobType::DroneFootage]).await;
    let orgs = claimed(&f, 7).await;
    assert_eq!(
        orgs[..3].iter().collect::<BTreeSet<_>>().len(),
        3,
        "each has its turn before one has its second: {orgs:?}"
    );
    let of = |org| orgs.iter().filter(|claimed| **claimed == org).count();
    assert_eq!((of(f.org), of(b), of(c)), (4, 2, 1));
    let next = f.claim_any().await.job;
    assert_eq!(next.id, first[4], "the oldest of its own");
}

pub(super) async fn whoever_submits_one_job_at_a_time_gets_every_second_turn_and_not_all(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    submit_as(&f, f.org, [JobType::DroneFootage; 10]).await;
    let mut orgs = Vec::new();
    for _ in 0..6 {
        submit_as(&f, other, [JobType::DroneFootage]).await;
        orgs.extend(claimed(&f, 1).await);
    }
    assert_eq!(orgs.iter().filter(|org| **org == other).count(), 3, "{orgs:?}");
}

pub(super) async fn the_kinds_of_an_organization_take_turns(f: Fixture) {
    let films = submit_as(&f, f.org, [JobType::DroneFootage; 5]).await;
    let photos = submit_as(&f, f.org, [JobType::ImageEnhance; 2]).await;
    let mut claimed = Vec::new();
    for _ in 0..5 {
        claimed.push(f.claim_any().await.job.id);
    }
    assert_eq!(claimed, [films[0], photos[0], films[1], photos[1], films[2]]);
}

pub(super) async fn claims_of_kinds_that_other_workers_take_cost_no_turn(f: Fixture) {
    let (photo, film) = (JobType::ImageEnhance, JobType::DroneFootage);
    let both = f.org;
    let films_only = f.store.org_create("Films", "starter").await.unwrap().id;
    submit_as(&f, films_only, [film; 10]).await;
    submit_as(&f, both, [photo; 20]).await;
    let claim = async |kind: JobType| f.store.job_claim(&[kind], "worker", LEASE).await.unwrap().unwrap().job.org_id;
    claim(film).await;
    submit_as(&f, both, [film]).await;
    let mut films = Vec::new();
    for _ in 0..4 {
        // The photos of one group of workers, then a film of the other.
        claim(photo).await;
        claim(photo).await;
        films.push(claim(film).await);
    }
    assert_eq!(turns_of(both, &films[..2]), 1, "{films:?}");
    // Kinds that the same workers take share the organization's turns.
    submit_as(&f, both, [film; 10]).await;
    let orgs = claimed(&f, 8).await;
    assert_eq!(turns_of(films_only, &orgs), 4, "{orgs:?}");
}

pub(super) async fn a_job_that_runs_again_takes_its_organizations_turn(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    submit_as(&f, f.org, [JobType::DroneFootage; 3]).await;
    submit_as(&f, other, [JobType::DroneFootage; 2]).await;
    let first = f.claim_any().await;
    f.store.job_retry(&first.lease, Duration::ZERO).await.unwrap();
    let orgs = claimed(&f, 3).await;
    assert_eq!(orgs, [other, f.org, other]);
}

pub(super) async fn the_first_job_of_a_kind_does_not_get_its_organization_another_turn(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    submit_as(&f, f.org, [JobType::DroneFootage]).await;
    submit_as(&f, other, [JobType::DroneFootage]).await;
    claimed(&f, 2).await;
    submit_as(&f, other, [JobType::ImageEnhance]).await;
    submit_as(&f, f.org, [JobType::DroneFootage]).await;
    assert_eq!(claimed(&f, 2).await, [f.org, other]);
}

pub(super) async fn a_clock_that_is_set_back_leaves_the_turns_as_they_are(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    submit_as(&f, f.org, [JobType::DroneFootage; 4]).await;
    claimed(&f, 2).await;
    f.clock.advance(SignedDuration::from_hours(-5));
    submit_as(&f, other, [JobType::DroneFootage; 2]).await;
    assert_eq!(claimed(&f, 4).await, [other, f.org, other, f.org]);
}

/// Creates an organization of the plan `large`, whose weight is 3.
async fn create_large(f: &Fixture) -> OrgId {
    f.store.plan_weights_set([("large".to_owned(), 3), ("starter".to_owned(), 1)].into());
    f.store.org_create("Large", "large").await.unwrap().id
}

fn turns_of(org: OrgId, orgs: &[OrgId]) -> usize {
    orgs.iter().filter(|claimed| **claimed == org).count()
}

pub(super) async fn an_organization_with_the_weight_3_has_three_turns_for_each_of_the_others(f: Fixture) {
    let large = create_large(&f).await;
    let other = f.store.org_create("Other", "unknown plan").await.unwrap().id;
    submit_as(&f, large, [JobType::DroneFootage; 36]).await;
    for org in [f.org, other] {
        submit_as(&f, org, [JobType::DroneFootage, JobType::ImageEnhance].into_iter().cycle().take(20)).await;
    }
    let orgs = claimed(&f, 50).await;
    let turns = [large, f.org, other].map(|org| turns_of(org, &orgs));
    assert!((29..=31).contains(&turns[0]) && (9..=11).contains(&turns[1]) && (9..=11).contains(&turns[2]), "{turns:?}");
    // Interleaved, rather than all turns of one after another.
    assert!(orgs[10..].windows(6).all(|six| six.contains(&f.org) && six.contains(&other)), "{orgs:?}");
}

pub(super) async fn weights_delay_nobody_whose_queue_was_empty_and_save_up_no_turns(f: Fixture) {
    let large = create_large(&f).await;
    submit_as(&f, large, [JobType::DroneFootage]).await;
    submit_as(&f, f.org, [JobType::DroneFootage; 60]).await;
    let orgs = claimed(&f, 41).await;
    assert_eq!(turns_of(large, &orgs), 1);
    // It has had no job for forty claims, which give it no more than its turns.
    submit_as(&f, large, [JobType::DroneFootage; 20]).await;
    let orgs = claimed(&f, 16).await;
    let turns = turns_of(large, &orgs);
    assert!((11..=13).contains(&turns), "{turns} of 16");
    assert!(orgs.windows(5).all(|five| five.contains(&f.org)), "{orgs:?}");
    // Whoever comes new has the next turn.
    let new = f.store.org_create("New", "starter").await.unwrap().id;
    let job = submit_as(&f, new, [JobType::DroneFootage]).await[0];
    assert_eq!(f.claim_any().await.job.id, job);
}

pub(super) async fn weights_and_plans_that_change_apply_to_the_next_claims(f: Fixture) {
    let large = create_large(&f).await;
    submit_as(&f, large, [JobType::DroneFootage; 40]).await;
    submit_as(&f, f.org, [JobType::DroneFootage; 40]).await;
    claimed(&f, 8).await;
    f.store.plan_weights_set([("large".to_owned(), 1)].into());
    claimed(&f, 2).await;
    assert_eq!(turns_of(large, &claimed(&f, 8).await), 4);
    f.store.plan_weights_set([("large".to_owned(), 3)].into());
    f.change(OrgChanges { plan: Some("large".to_owned()), ..OrgChanges::default() }).await;
    claimed(&f, 4).await;
    let turns = turns_of(large, &claimed(&f, 12).await);
    assert!((5..=7).contains(&turns), "{turns} of 12: both have the weight");
}

pub(super) async fn no_more_jobs_are_queued_than_the_plan_allows(f: Fixture) {
    let limits = JobLimits { queued_jobs: Some(2), failed_per_day: None };
    let submit = async |org_id| f.store.job_submit(NewJob { org_id, limits, ..f.new_job() }).await.unwrap().map(|_| ());
    let full = Err(SubmitRefusal::QueueFull { limit: 2 });
    assert_eq!([submit(f.org).await, submit(f.org).await, submit(f.org).await], [Ok(()), Ok(()), full.clone()]);
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(submit(other).await, Ok(()), "another organization has a queue of its own");
    claimed(&f, 1).await;
    assert_eq!([submit(f.org).await, submit(f.org).await], [Ok(()), full], "a running job is not queued");
    assert_eq!(f.quota_used().await, 3, "refused jobs do not count");
}

pub(super) async fn no_job_is_accepted_after_as_many_failed_in_a_day_as_the_plan_allows(f: Fixture) {
    let limits = JobLimits { queued_jobs: None, failed_per_day: Some(2) };
    let submit = async || f.store.job_submit(NewJob { limits, ..f.new_job() }).await.unwrap().map(|_| ());
    for _ in 0..2 {
        assert_eq!(submit().await, Ok(()));
        f.store.job_fail(&f.claim_any().await.lease, failure()).await.unwrap();
    }
    assert_eq!(submit().await, Err(SubmitRefusal::TooManyFailed { limit: 2 }));
    assert!(f.submit_address("without a limit").await.is_ok());
    f.advance(12 * 3600);
    assert_eq!(submit().await, Ok(()), "the next day (UTC) has begun");
}
