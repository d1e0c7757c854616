//! Organizations, keys and quotas.

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{ApiKey, JobStatus, JobType, KeyId, OrgChanges, OrgId, Prices, Scopes};
use jiff::SignedDuration;

use super::fixture::{Fixture, failure};
use crate::{JobOutput, NewJob, SubmitRefusal};

fn quota(quota: u32) -> OrgChanges {
    OrgChanges { monthly_quota: Some(Some(quota)), ..OrgChanges::default() }
}

pub(super) async fn a_key_is_found_by_its_hash_until_it_is_revoked(f: Fixture) {
    let (first, second) = (ApiKey::generate().unwrap(), ApiKey::generate().unwrap());
    let record = f.store.key_create(f.org, &first, Scopes::ALL, None).await.unwrap();
    f.store.key_create(f.org, &second, Scopes::ALL, None).await.unwrap();
    assert_eq!(f.store.key_find(first.hash()).await.unwrap().unwrap().key, record);
    assert!(f.store.key_revoke(record.id).await.unwrap());
    let revoked_at = f.now();
    assert!(f.store.key_find(first.hash()).await.unwrap().is_none());
    assert!(f.store.key_find(second.hash()).await.unwrap().is_some());
    f.advance(5);
    assert!(f.store.key_revoke(record.id).await.unwrap());
    let listed = f.store.key_list(Some(f.org)).await.unwrap();
    assert_eq!((listed.len(), listed[0].revoked_at), (2, Some(revoked_at)));
}

pub(super) async fn keys_are_created_up_to_a_limit_that_revoked_and_expired_ones_do_not_count_in(f: Fixture) {
    let create = async |ends: Option<SignedDuration>| {
        let ends = ends.map(|wait| f.now() + wait);
        f.store.key_create_within(f.org, &ApiKey::generate().unwrap(), (Scopes::ALL, ends), 3).await.unwrap()
    };
    let first = create(None).await.unwrap();
    create(Some(SignedDuration::from_secs(60))).await.unwrap();
    let last = create(None).await.unwrap();
    assert!(create(None).await.is_none());
    assert!(f.store.key_revoke(first.id).await.unwrap());
    assert!(create(None).await.is_some());
    assert!(create(None).await.is_none());
    f.advance(61);
    assert!(create(None).await.is_some());
    assert!(create(None).await.is_none());
    let listed = f.store.key_list(Some(f.org)).await.unwrap();
    assert_eq!((listed.len(), listed.contains(&last)), (5, true));
    // Of many at the same time, as many as have room.
    assert!(f.store.key_revoke(last.id).await.unwrap());
    let keys = [(); 4].map(|()| ApiKey::generate().unwrap());
    let all = keys.iter().map(|key| f.store.key_create_within(f.org, key, (Scopes::ALL, None), 3));
    let created = futures_util::future::join_all(all).await;
    assert_eq!(created.into_iter().filter(|created| created.as_ref().unwrap().is_some()).count(), 1);
}

pub(super) async fn an_unknown_key_cannot_be_revoked(f: Fixture) {
    assert!(!f.store.key_revoke(KeyId::new(f.now())).await.unwrap());
    assert!(f.store.key_find(ApiKey::generate().unwrap().hash()).await.unwrap().is_none());
}

pub(super) async fn a_key_for_no_organization_is_refused(f: Fixture) {
    let nobody = OrgId::new(f.now());
    assert!(f.store.key_create(nobody, &ApiKey::generate().unwrap(), Scopes::ALL, None).await.is_err());
    assert!(f.store.key_list(None).await.unwrap().is_empty());
    assert!(f.store.org_get(nobody).await.unwrap().is_none());
    assert_eq!(f.store.org_list().await.unwrap().len(), 1);
}

pub(super) async fn changing_an_organization_leaves_its_other_terms_unchanged(f: Fixture) {
    let changes = OrgChanges {
        plan: Some("growth".into()),
        disable: vec![JobType::VideoClip, JobType::Markup],
        monthly_quota: Some(Some(5)),
        prices: vec![(JobType::DroneFootage, Some(7))],
        reject_duplicates: Some(true),
        enable: vec![],
        keep_days: Some(Some(30)),
        disclosure_profile: Some(Some("california-ab-723".into())),
        truth_pages: Some(true),
    };
    f.change(changes).await;
    f.change(OrgChanges { enable: vec![JobType::Markup], ..OrgChanges::default() }).await;
    let org = f.store.org_get(f.org).await.unwrap().unwrap();
    assert_eq!((org.plan.as_str(), org.name.as_str(), org.monthly_quota), ("growth", "Acme", Some(5)));
    assert_eq!(org.keep_days, Some(30));
    assert_eq!((org.disclosure_profile.as_deref(), org.truth_pages), (Some("california-ab-723"), true));
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
    let nobody = OrgId::new(f.now());
    assert!(f.store.org_change(nobody, quota(1)).await.unwrap().is_none());
}

pub(super) async fn a_key_comes_with_the_terms_of_its_organization(f: Fixture) {
    let key = ApiKey::generate().unwrap();
    let scopes: Scopes = "read,usage".parse().unwrap();
    f.store.key_create(f.org, &key, scopes, None).await.unwrap();
    f.change(quota(9)).await;
    let found = f.store.key_find(key.hash()).await.unwrap().unwrap();
    assert_eq!((found.key.scopes, found.org.monthly_quota, found.org.id), (scopes, Some(9), f.org));
}

pub(super) async fn a_key_is_valid_until_the_moment_it_expires(f: Fixture) {
    let key = ApiKey::generate().unwrap();
    let expires = f.now() + SignedDuration::from_secs(10);
    let record = f.store.key_create(f.org, &key, Scopes::ALL, Some(expires)).await.unwrap();
    f.clock.set(expires - SignedDuration::from_millis(1));
    assert!(f.store.key_find(key.hash()).await.unwrap().is_some());
    f.clock.set(expires);
    assert!(f.store.key_find(key.hash()).await.unwrap().is_none());
    assert!(f.store.key_expire(record.id, expires + SignedDuration::from_millis(1)).await.unwrap());
    assert!(f.store.key_find(key.hash()).await.unwrap().is_some());
    assert_eq!(f.store.key_list(Some(f.org)).await.unwrap().len(), 1);
}

pub(super) async fn a_quota_applies_to_one_utc_month(f: Fixture) {
    f.change(quota(2)).await;
    f.clock.set("2026-03-31T23:59:59.999Z".parse().unwrap());
    for _ in 0..2 {
        f.submit_address("a").await.unwrap();
    }
    assert_eq!(f.submit_address("a").await, Err(SubmitRefusal::QuotaExhausted { quota: 2 }));
    assert_eq!(f.quota_used().await, 2, "a refused job does not count");
    f.clock.set("2026-04-01T00:00:00Z".parse().unwrap());
    f.submit_address("a").await.unwrap();
    assert_eq!(f.quota_used().await, 1);
}

pub(super) async fn a_failed_job_frees_quota_in_the_month_it_was_submitted_in(f: Fixture) {
    f.change(quota(1)).await;
    f.clock.set("2026-03-31T23:59:59Z".parse().unwrap());
    f.submit_address("a").await.unwrap();
    let claim = f.claim_any().await;
    f.advance(2);
    f.submit_address("b").await.unwrap();
    f.store.job_fail(&claim.lease, failure()).await.unwrap();
    assert_eq!(f.submit_address("b").await, Err(SubmitRefusal::QuotaExhausted { quota: 1 }));
    assert_eq!(f.store.quota_used(f.org, "2026-03-31T00:00:00Z".parse().unwrap()).await.unwrap(), 0);
    assert!(f.store.job_fail(&claim.lease, failure()).await.is_err());
    assert_eq!(f.quota_used().await, 1);
}

pub(super) async fn a_lost_or_deleted_job_frees_quota_and_a_completed_one_does_not(f: Fixture) {
    f.submit_address("lost").await.unwrap();
    for _ in 0..3 {
        f.claim_any().await;
        f.advance(16);
    }
    assert!(f.store.job_claim(&JobType::ALL, "a", Duration::ZERO).await.unwrap().is_none());
    assert_eq!(f.quota_used().await, 0, "lost three times");
    let deleted = f.submit_address("deleted").await.unwrap();
    f.store.job_delete(deleted).await.unwrap();
    assert_eq!(f.quota_used().await, 0, "deleted before it ended");
    let completed = f.submit_address("completed").await.unwrap();
    f.store.job_complete(&f.claim_any().await.lease, JobOutput::default()).await.unwrap();
    f.store.job_delete(completed).await.unwrap();
    assert_eq!(f.quota_used().await, 1, "completed, and billed");
}

pub(super) async fn a_preview_is_not_billed_and_counts_against_the_quota_until_it_ends(f: Fixture) {
    let mut preview = NewJob { unit_price_cents: 0, ..f.new_job() };
    preview.input.request_mut().make_preview();
    let id = f.store.job_submit(preview).await.unwrap().unwrap().id;
    assert_eq!(f.quota_used().await, 1);
    f.store.job_complete(&f.claim_any().await.lease, JobOutput::default()).await.unwrap();
    assert_eq!((f.quota_used().await, f.usage().await.len()), (0, 0));
    assert_eq!(f.get(id).await.status, JobStatus::Completed);
    f.store.job_delete(id).await.unwrap();
    assert_eq!(f.quota_used().await, 0);
}

pub(super) async fn a_quota_set_in_mid_month_counts_earlier_jobs(f: Fixture) {
    for _ in 0..3 {
        f.submit_address("a").await.unwrap();
    }
    f.change(quota(3)).await;
    assert_eq!(f.submit_address("a").await, Err(SubmitRefusal::QuotaExhausted { quota: 3 }));
    f.change(quota(4)).await;
    f.submit_address("a").await.unwrap();
}

pub(super) async fn concurrent_submits_never_exceed_the_quota(f: Fixture) {
    f.change(quota(10)).await;
    let submits: Vec<_> = (0..50)
        .map(|_| {
            let (store, job) = (Arc::clone(&f.store), f.job_at("a"));
            tokio::spawn(async move { store.job_submit(job).await.unwrap().is_ok() })
        })
        .collect();
    let mut accepted = 0;
    for submit in submits {
        accepted += u32::from(submit.await.unwrap());
    }
    assert_eq!((accepted, f.quota_used().await), (10, 10));
}

pub(super) async fn duplicates_of_an_active_job_are_refused_if_the_organization_rejects_them(f: Fixture) {
    f.submit_address("a").await.unwrap();
    f.submit_address("a").await.unwrap();
    f.change(OrgChanges { reject_duplicates: Some(true), ..OrgChanges::default() }).await;
    let first = f.submit_address("b").await.unwrap();
    assert_eq!(f.submit_address("b").await, Err(SubmitRefusal::Duplicate(first)));
    f.submit_address("c").await.unwrap();
    for _ in 0..4 {
        let claim = f.claim_any().await;
        if claim.job.id == first {
            assert_eq!(f.submit_address("b").await, Err(SubmitRefusal::Duplicate(first)), "while it runs, too");
        }
        f.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
    }
    f.submit_address("b").await.unwrap();
}
