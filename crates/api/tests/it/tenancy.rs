//! Scopes, feature switches, quotas, prices, duplicates, `Idempotency-Key` and limits.

use aerie_domain::{ApiKey, Failure, FailureCode, JobType, OrgChanges};
use aerie_storage::contract::Remote;
use aerie_test_data::picture_server::PictureServer;
use axum::body::Body;
use axum::http::Request;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};

const SUBMIT: &str = "/v1/drone-footage/generate";

async fn key(service: &Service, scopes: &str) -> String {
    let key = ApiKey::generate().unwrap();
    service.store.key_create(service.org, &key, scopes.parse().unwrap(), None).await.unwrap();
    key.reveal().to_owned()
}

async fn send(service: &Service, key: &str, method: &str, path: &str, once: Option<&str>, body: &Value) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("X-API-Key", key);
    if let Some(once) = once {
        request = request.header("Idempotency-Key", once);
    }
    let request = request.header("Content-Type", "application/json");
    service.send(request.body(Body::from(body.to_string())).unwrap()).await
}

async fn submit_once(service: &Service, once: &str, body: &Value) -> Answer {
    send(service, &service.key, "POST", SUBMIT, Some(once), body).await
}

fn address(address: &str) -> Value {
    json!({"address": address})
}

fn data(answer: &Answer) -> Value {
    answer.json()["data"].clone()
}

fn total(jobs: &Answer) -> Value {
    jobs.json()["pagination"]["total"].clone()
}

#[tokio::test]
async fn a_key_without_the_scope_is_403_before_the_request_is_validated() {
    let service = Service::new().await;
    let routes = [
        ("read", "GET", "/v1/jobs?limit=x"),
        ("read", "GET", "/v1/jobs/x"),
        ("generate", "POST", SUBMIT),
        ("usage", "GET", "/v1/usage?from=x"),
        ("read", "GET", "/v1/webhooks/x"),
        ("generate", "PATCH", "/v1/webhooks/x"),
        ("generate", "DELETE", "/v1/webhooks/x"),
        ("generate", "POST", "/v1/webhooks"),
        ("generate", "POST", "/v1/webhooks/x/rotate-secret"),
        ("generate", "POST", "/v1/webhooks/x/test"),
        ("read", "GET", "/v1/webhooks/x/deliveries"),
        ("generate", "POST", "/v1/webhooks/x/deliveries/x/replay"),
    ];
    for scopes in ["read", "generate", "usage", "read,generate,usage"] {
        let key = key(&service, scopes).await;
        for (scope, method, path) in routes {
            let answer = send(&service, &key, method, path, None, &json!({})).await;
            if scopes.contains(scope) {
                answer.assert_refused(400, "VALIDATION_ERROR", "");
            } else {
                answer.assert_refused(403, "FORBIDDEN", &format!("`{scope}`"));
            }
        }
        send(&service, &key, "DELETE", "/v1/jobs", None, &json!({})).await.assert_refused(
            405,
            "METHOD_NOT_ALLOWED",
            "",
        );
        send(&service, &key, "GET", "/v1/nothing", None, &json!({})).await.assert_refused(404, "NOT_FOUND", "");
    }
}

#[tokio::test]
async fn a_disabled_kind_is_403_until_it_is_enabled_again() {
    let service = Service::new().await;
    service.terms(OrgChanges { disable: vec![JobType::DroneFootage], ..OrgChanges::default() }).await;
    service.post(SUBMIT, &json!({})).await.assert_refused(403, "FEATURE_DISABLED", "drone_footage");
    assert_eq!(service.get("/v1/jobs").await.status, 200);
    service.terms(OrgChanges { enable: vec![JobType::DroneFootage], ..OrgChanges::default() }).await;
    service.submit().await;
}

#[tokio::test]
async fn a_key_is_401_from_the_moment_it_expires() {
    let service = Service::new().await;
    let id = service.store.key_list(Some(service.org)).await.unwrap()[0].id;
    let ends = aerie_domain::Clock::now(&*service.clock) + SignedDuration::from_secs(5);
    service.store.key_expire(id, ends).await.unwrap();
    service.clock.set(ends - SignedDuration::from_millis(1));
    assert_eq!(service.get("/v1/jobs").await.status, 200);
    service.clock.set(ends);
    service.get("/v1/jobs").await.assert_refused(401, "UNAUTHORIZED", "Invalid or missing API key");
}

#[tokio::test]
async fn a_job_over_the_monthly_quota_is_403_and_a_failed_job_frees_its_share() {
    let service = Service::new().await;
    service.terms(OrgChanges { monthly_quota: Some(Some(1)), ..OrgChanges::default() }).await;
    service.submit().await;
    let refused = service.post(SUBMIT, &address("2 Main St")).await;
    refused.assert_refused(403, "INSUFFICIENT_QUOTA", "1 jobs a month");
    assert_eq!((service.wakes(), total(&service.get("/v1/jobs").await)), (1, json!(1)));
    service.post(SUBMIT, &json!({})).await.assert_refused(400, "VALIDATION_ERROR", "address");
    let failure = Failure::new(FailureCode::AddressNotFound, "No.");
    service.store.job_fail(&service.claim().await.lease, failure).await.unwrap();
    service.submit().await;
}

#[tokio::test]
async fn a_job_over_the_plans_queue_is_429_until_one_has_started() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("few jobs".into()), ..OrgChanges::default() }).await;
    service.submit().await;
    service.submit().await;
    let refused = service.post(SUBMIT, &address("3 Main St")).await;
    refused.assert_refused(429, "RATE_LIMITED", "2 queued jobs");
    assert_eq!(refused.header("retry-after"), "60");
    service.post(SUBMIT, &json!({})).await.assert_refused(400, "VALIDATION_ERROR", "address");
    service.claim().await;
    service.submit().await;
}

#[tokio::test]
async fn after_as_many_failed_jobs_as_the_plan_allows_the_next_is_429_until_midnight() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("few jobs".into()), ..OrgChanges::default() }).await;
    service.submit().await;
    let failure = Failure::new(FailureCode::AddressNotFound, "No.");
    service.store.job_fail(&service.claim().await.lease, failure).await.unwrap();
    let refused = service.post(SUBMIT, &address("3 Main St")).await;
    refused.assert_refused(429, "RATE_LIMITED", "failed today (UTC)");
    // The harness's clock starts at noon.
    assert_eq!(refused.header("retry-after"), "43200");
    service.clock.advance(SignedDuration::from_hours(12));
    service.submit().await;
}

#[tokio::test]
async fn the_price_is_the_organizations_own_and_frozen_at_submit() {
    let service = Service::new().await;
    service.terms(OrgChanges { prices: vec![(JobType::DroneFootage, Some(99))], ..OrgChanges::default() }).await;
    service.completed().await;
    service.submit().await;
    service.terms(OrgChanges { prices: vec![(JobType::DroneFootage, None)], ..OrgChanges::default() }).await;
    service.store.job_complete(&service.claim().await.lease, Default::default()).await.unwrap();
    service.completed().await;
    let usage = data(&service.get("/v1/usage").await);
    let prices: Vec<_> =
        usage["events"].as_array().unwrap().iter().map(|event| event["unit_price_cents"].clone()).collect();
    assert_eq!(
        (prices, &usage["summary"]["total_cost_cents"]),
        (vec![json!(1500), json!(99), json!(99)], &json!(1698))
    );
}

#[tokio::test]
async fn equal_requests_are_two_jobs_unless_the_organization_rejects_duplicates() {
    let service = Service::new().await;
    service.submit().await;
    service.submit().await;
    service.terms(OrgChanges { reject_duplicates: Some(true), ..OrgChanges::default() }).await;
    let equal = service.post(SUBMIT, &address("1 Main St")).await;
    equal.assert_refused(409, "JOB_IN_PROGRESS", "queued or running");
    for _ in 0..2 {
        service.store.job_complete(&service.claim().await.lease, Default::default()).await.unwrap();
    }
    service.submit().await;
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_response_and_submits_once() {
    let service = Service::new().await;
    let first = submit_once(&service, "k-1", &json!({"address": "a", "options": {"direction": "north"}})).await;
    assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (202, ""));
    service.store.job_complete(&service.claim().await.lease, Default::default()).await.unwrap();
    // The same values, spelled differently.
    let again = submit_once(&service, "k-1", &json!({"options": {"direction": "north"}, "address": "a"})).await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, "true"));
    assert_eq!(data(&again), data(&first));
    assert_ne!(again.json()["meta"]["request_id"], first.json()["meta"]["request_id"]);
    assert_eq!((service.wakes(), total(&service.get("/v1/jobs").await)), (1, json!(1)));
    let other = submit_once(&service, "k-1", &address("b")).await;
    other.assert_refused(400, "VALIDATION_ERROR", "`Idempotency-Key`");
    let theirs = send(&service, &service.other_key, "POST", SUBMIT, Some("k-1"), &address("b")).await;
    assert_eq!((theirs.status.as_u16(), theirs.header("idempotent-replayed")), (202, ""), "per organization");
    service.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(submit_once(&service, "k-1", &address("b")).await.header("idempotent-replayed"), "", "for 24 hours");
}

#[tokio::test]
async fn a_refusal_is_not_stored_so_that_the_key_can_be_used_again() {
    let service = Service::new().await;
    submit_once(&service, "k", &json!({})).await.assert_refused(400, "VALIDATION_ERROR", "address");
    service.terms(OrgChanges { monthly_quota: Some(Some(0)), ..OrgChanges::default() }).await;
    submit_once(&service, "k", &address("a")).await.assert_refused(403, "INSUFFICIENT_QUOTA", "");
    service.terms(OrgChanges { monthly_quota: Some(None), ..OrgChanges::default() }).await;
    assert_eq!(submit_once(&service, "k", &address("a")).await.status, 202);
}

#[tokio::test]
async fn an_invalid_idempotency_key_is_400() {
    let service = Service::new().await;
    for wrong in ["", "  ", "é", &"k".repeat(256)] {
        submit_once(&service, wrong, &address("a")).await.assert_refused(400, "VALIDATION_ERROR", "Idempotency-Key");
    }
    assert_eq!(submit_once(&service, &"k".repeat(255), &address("a")).await.status, 202);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_simultaneous_equal_requests_one_submits_and_the_others_get_409_or_the_same_response() {
    let service = std::sync::Arc::new(Service::new().await);
    let requests: Vec<_> = (0..40)
        .map(|_| {
            let service = std::sync::Arc::clone(&service);
            tokio::spawn(async move { submit_once(&service, "k", &address("a")).await })
        })
        .collect();
    let mut jobs = Vec::new();
    for request in requests {
        let answer = request.await.unwrap();
        if answer.status == 202 {
            jobs.push(data(&answer)["job_id"].clone());
        } else {
            answer.assert_refused(409, "JOB_IN_PROGRESS", "Idempotency-Key");
        }
    }
    jobs.dedup();
    assert_eq!((jobs.len(), total(&service.get("/v1/jobs").await)), (1, json!(1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_simultaneous_equal_requests_to_several_nodes_one_submits_and_only_its_pictures_are_kept() {
    let service = Service::new().await;
    let pictures = PictureServer::start("127.0.0.2:0").await;
    let nodes: Vec<Service> = (0..6).map(|_| service.node()).collect();
    for round in 0..5 {
        let body = json!({"image_url": pictures.url("/png")});
        let requests: Vec<_> = nodes
            .iter()
            .map(|node| {
                let (node, body, key) = (node.clone(), body.clone(), format!("k-{round}"));
                let path = "/v1/image-enhance/generate";
                tokio::spawn(async move { send(&node, &node.key, "POST", path, Some(&key), &body).await })
            })
            .collect();
        let (mut jobs, mut first) = (Vec::new(), 0);
        for request in requests {
            let answer = request.await.unwrap();
            assert_eq!(answer.status, 202, "{}", answer.json());
            first += usize::from(answer.header("idempotent-replayed").is_empty());
            jobs.push(data(&answer)["job_id"].as_str().unwrap().to_owned());
        }
        jobs.dedup();
        assert_eq!((jobs.len(), first), (1, 1), "all nodes answer with the one job");
        let job = service.store.job_get(None, Service::job_id(&jobs[0])).await.unwrap().unwrap();
        let stored = service.media.media_list(&service.org.to_string()).await.unwrap();
        let stored: Vec<&String> = stored.iter().map(|file| &file.key).collect();
        assert!(job.input_media.values().all(|key| stored.contains(&key)), "{stored:?}");
        assert_eq!((stored.len(), total(&service.get("/v1/jobs").await)), (round + 1, json!(round + 1)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_simultaneous_annotations_on_several_nodes_one_is_kept_and_all_get_the_same_response() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    let steps = format!("/v1/markup/jobs/{id}");
    let selected = service.post(&format!("{steps}/select"), &json!({"orientation": "left"})).await.json();
    let url = &selected["data"]["selected_url"];
    let body = json!({"annotated_image_url": url, "clean_image_url": url});
    let before = service.media.media_list(&service.org.to_string()).await.unwrap().len();
    let requests: Vec<_> = (0..6)
        .map(|_| {
            let (node, body, path) = (service.node(), body.clone(), format!("{steps}/annotate"));
            tokio::spawn(async move { send(&node, &node.key, "POST", &path, Some("k"), &body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for request in requests {
        let answer = request.await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json());
        answers.push(data(&answer));
    }
    answers.dedup();
    assert_eq!(answers, [json!({"status": "completed"})]);
    let stored = service.media.media_list(&service.org.to_string()).await.unwrap().len();
    assert_eq!(stored, before + 2, "the pictures of one annotation");
}

#[tokio::test]
async fn a_submit_whose_commit_is_not_confirmed_keeps_its_pictures_for_the_job_that_a_repetition_returns() {
    let (service, faults) = Service::new().await.with_faults();
    let pictures = PictureServer::start("127.0.0.2:0").await;
    let body = json!({"image_url": pictures.url("/png")});
    let submit = async || send(&service, &service.key, "POST", "/v1/image-enhance/generate", Some("k"), &body).await;
    faults.set_loses_replies_after(Some(0));
    submit().await.assert_refused(500, "INTERNAL_ERROR", "");
    faults.set_loses_replies_after(None);
    let again = submit().await;
    assert_eq!(again.status, 202, "{}", again.json());
    let id = Service::job_id(data(&again)["job_id"].as_str().unwrap());
    let job = service.store.job_get(None, id).await.unwrap().unwrap();
    assert_eq!(job.input_media.len(), 1);
    for key in job.input_media.values() {
        service.media.media_head(key).await.unwrap();
    }
}

#[tokio::test]
async fn an_annotation_whose_commit_is_not_confirmed_keeps_its_pictures_and_they_are_noted_in_a_bucket() {
    let (service, faults) = Service::new().await.with_media(Remote::default().media()).with_faults();
    let id = service.markup_awaiting_input().await;
    let steps = format!("/v1/markup/jobs/{id}");
    let selected = service.post(&format!("{steps}/select"), &json!({"orientation": "left"})).await.json();
    let url = &selected["data"]["selected_url"];
    let body = json!({"annotated_image_url": url, "clean_image_url": url});
    // The note of the pictures is a write, too.
    faults.set_loses_replies_after(Some(1));
    service.post(&format!("{steps}/annotate"), &body).await.assert_refused(500, "INTERNAL_ERROR", "");
    let job = service.store.job_get(None, Service::job_id(&id)).await.unwrap().unwrap();
    assert!(job.annotation.is_some());
    for key in job.media.values() {
        service.media.media_head(key).await.unwrap();
    }
    service.clock.advance(SignedDuration::from_hours(2));
    let due = service.store.leftovers_due(10).await.unwrap();
    assert_eq!(due.iter().map(|leftovers| leftovers.job_id).collect::<Vec<_>>(), [job.id]);
}

#[tokio::test]
async fn every_response_carries_the_limits_and_one_request_too_many_is_429_until_retry_after_has_passed() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("starter".into()), ..OrgChanges::default() }).await;
    let first = service.get("/v1/jobs").await;
    assert_eq!(first.header("ratelimit-policy"), r#""minute";q=30;w=60, "day";q=1000;w=86400"#);
    assert_eq!(first.header("ratelimit"), r#""minute";r=29;t=60, "day";r=999;t=43200"#);
    // Rejected requests count like any other.
    for path in ["/v1/nothing", "/v1/jobs/x", "/v1/usage"] {
        service.get(path).await;
    }
    service.clock.advance(SignedDuration::from_millis(700));
    for left in (0..26).rev() {
        assert!(service.get("/v1/jobs").await.header("ratelimit").contains(&format!("r={left};")));
    }
    for path in ["/v1/jobs", "/v1/nothing", SUBMIT] {
        let refused = service.get(path).await;
        refused.assert_refused(429, "RATE_LIMITED", "30 requests in 60 seconds");
        assert_eq!(refused.header("retry-after"), "60");
        assert_eq!(refused.header("ratelimit"), r#""minute";r=0;t=60, "day";r=970;t=43200"#);
    }
    let health = service.send(Request::get("/healthz").body(Body::empty()).unwrap()).await;
    assert_eq!((health.status.as_u16(), health.header("ratelimit")), (200, ""));
    service.clock.advance(SignedDuration::from_secs(59));
    assert_eq!(service.get("/v1/jobs").await.header("retry-after"), "1");
    service.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(service.get("/v1/jobs").await.status, 200);
    let unauthorized = service.send(Request::get("/v1/jobs").body(Body::empty()).unwrap()).await;
    unauthorized.assert_refused(401, "UNAUTHORIZED", "");
}

#[tokio::test]
async fn limits_apply_per_key_and_a_larger_plan_applies_at_once() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("starter".into()), ..OrgChanges::default() }).await;
    let second = key(&service, "read").await;
    for _ in 0..30 {
        assert_eq!(service.get("/v1/jobs").await.status, 200);
    }
    service.get("/v1/jobs").await.assert_refused(429, "RATE_LIMITED", "");
    assert_eq!(send(&service, &second, "GET", "/v1/jobs", None, &json!({})).await.status, 200);
    service.terms(OrgChanges { plan: Some("growth".into()), ..OrgChanges::default() }).await;
    assert!(service.get("/v1/jobs").await.header("ratelimit").contains("r=69;"));
}

#[tokio::test]
async fn nodes_that_share_a_limiter_count_together() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("starter".into()), ..OrgChanges::default() }).await;
    let nodes = [service.node(), service.node()];
    for left in (0..30).rev() {
        let answer = nodes[left % 2].get("/v1/jobs").await;
        assert!(answer.header("ratelimit").contains(&format!("r={left};")), "{}", answer.header("ratelimit"));
    }
    for node in &nodes {
        node.get("/v1/jobs").await.assert_refused(429, "RATE_LIMITED", "30 requests in 60 seconds");
    }
}

#[tokio::test]
async fn usage_of_more_than_a_page_is_streamed_completely_with_its_total() {
    let service = Service::new().await;
    for _ in 0..2000 {
        service.submit().await;
        service.store.job_complete(&service.claim().await.lease, Default::default()).await.unwrap();
        service.clock.advance(SignedDuration::from_millis(1));
    }
    let usage = data(&service.get("/v1/usage").await);
    let events = usage["events"].as_array().unwrap();
    assert!(events.windows(2).all(|pair| pair[0]["created_at"].as_str() > pair[1]["created_at"].as_str()));
    let summary =
        json!({"total_events": 2000, "total_cost_cents": 3_000_000, "from": "2026-03-01", "to": "2026-03-10"});
    assert_eq!((events.len(), &usage["summary"]), (2000, &summary));
}
