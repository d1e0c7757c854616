//! Idempotency keys.

use std::sync::Arc;

use serde_json::json;

use super::fixture::Fixture;
use crate::{IdempotencyKey, NewJob, RecordedAnswer, Replay, SubmitRefusal};

fn key(key: &str, digest: u8) -> IdempotencyKey {
    IdempotencyKey { route: "POST /v1/x".into(), key: key.into(), digest: [digest; 32] }
}

pub(super) async fn a_repeated_request_submits_nothing(f: Fixture) {
    let job = f.submit_with_key("a", key("k", 1)).await.unwrap();
    let answered = Replay::Answered(RecordedAnswer::Submitted(job));
    assert_eq!(f.store.answer_find(f.org, &key("k", 1)).await.unwrap(), Some(answered.clone()));
    assert_eq!(f.submit_with_key("a", key("k", 1)).await, Err(SubmitRefusal::Replay(answered)));
    assert_eq!(f.submit_with_key("b", key("k", 2)).await, Err(SubmitRefusal::Replay(Replay::BodyMismatch)));
    assert_eq!(f.quota_used().await, 1);
    f.submit_with_key("a", key("other", 1)).await.unwrap();
    f.submit_with_key("a", IdempotencyKey { route: "POST /v1/y".into(), ..key("k", 1) }).await.unwrap();
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(f.store.answer_find(other, &key("k", 1)).await.unwrap(), None);
}

pub(super) async fn of_many_concurrent_requests_with_one_key_one_submits(f: Fixture) {
    let submits: Vec<_> = (0..30)
        .map(|_| {
            let (store, job) = (Arc::clone(&f.store), NewJob { idempotency_key: Some(key("k", 1)), ..f.job_at("a") });
            tokio::spawn(async move { store.job_submit(job).await.unwrap().is_ok() })
        })
        .collect();
    let mut accepted = 0;
    for submit in submits {
        accepted += u32::from(submit.await.unwrap());
    }
    assert_eq!((accepted, f.quota_used().await), (1, 1));
}

pub(super) async fn an_answer_is_kept_for_a_day(f: Fixture) {
    f.submit_with_key("a", key("k", 1)).await.unwrap();
    f.advance(24 * 3600 - 1);
    assert!(f.submit_with_key("a", key("k", 1)).await.is_err());
    f.advance(1);
    assert_eq!(f.store.answer_find(f.org, &key("k", 1)).await.unwrap(), None);
    let second = f.submit_with_key("b", key("k", 2)).await.unwrap();
    let answered = Replay::Answered(RecordedAnswer::Submitted(second));
    assert_eq!(f.store.answer_find(f.org, &key("k", 2)).await.unwrap(), Some(answered));
}

pub(super) async fn a_recorded_answer_is_not_overwritten(f: Fixture) {
    let answer = RecordedAnswer::Data { status: 200, data: json!({"status": "selected"}) };
    f.store.answer_record(f.org, &key("k", 1), answer.clone()).await.unwrap();
    let other = RecordedAnswer::Data { status: 200, data: json!(2) };
    f.store.answer_record(f.org, &key("k", 1), other).await.unwrap();
    assert_eq!(f.store.answer_find(f.org, &key("k", 1)).await.unwrap(), Some(Replay::Answered(answer)));
    assert_eq!(f.store.answer_find(f.org, &key("k", 2)).await.unwrap(), Some(Replay::BodyMismatch));
}
