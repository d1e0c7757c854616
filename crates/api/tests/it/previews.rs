//! `POST /v1/drone-footage/generate?preview=true`

use aerie_domain::OrgChanges;
use aerie_storage::JobOutput;
use axum::body::Body;
use serde_json::{Value, json};

use crate::harness::Service;

const PREVIEW: &str = "/v1/drone-footage/generate?preview=true";

fn address() -> Value {
    json!({"address": "1 Main St"})
}

#[tokio::test]
async fn a_preview_is_a_job_with_stills_that_no_bill_and_no_quota_knows() {
    let service = Service::new().await;
    service.terms(OrgChanges { monthly_quota: Some(Some(1)), ..OrgChanges::default() }).await;
    let id = service.accepted(PREVIEW, &address()).await;
    let job = service.get(&format!("/v1/jobs/{id}")).await.json()["data"].clone();
    assert_eq!(job["input"], json!({"address": "1 Main St", "preview": true}));
    let claim = service.claim().await;
    let file = service.folder.path().join("still");
    std::fs::write(&file, "a still").unwrap();
    let mut output = JobOutput::default();
    output.fields.insert("previews".into(), json!([{"direction": "original"}, {"direction": "north"}]));
    for (number, name) in ["original.jpg", "north.jpg"].iter().enumerate() {
        let key = format!("{}/{id}/1/{name}", service.org);
        service.media.media_put(&key, &file).await.unwrap();
        output.media.insert(format!("/previews/{number}/image_url"), key);
    }
    service.store.job_complete(&claim.lease, output).await.unwrap();
    let job = service.get(&format!("/v1/jobs/{id}")).await.json()["data"].clone();
    let previews = job["output"]["previews"].as_array().unwrap();
    assert_eq!(previews.iter().map(|p| p["direction"].as_str().unwrap()).collect::<Vec<_>>(), ["original", "north"]);
    for preview in previews {
        let link = preview["image_url"].as_str().unwrap().strip_prefix("http://aerie.test").unwrap();
        assert_eq!(service.get(link).await.bytes, b"a still");
    }
    let usage = service.get("/v1/usage").await.json();
    assert_eq!(usage["data"]["events"], json!([]));
    // The film that follows is the first job that counts.
    service.submit().await;
}

#[tokio::test]
async fn previews_have_a_limit_of_their_own() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("few jobs".into()), ..OrgChanges::default() }).await;
    for _ in 0..2 {
        service.accepted(PREVIEW, &address()).await;
        let claim = service.claim().await;
        service.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
    }
    let refused = service.post(PREVIEW, &address()).await;
    refused.assert_refused(429, "RATE_LIMITED", "2 previews in 60 seconds");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 60);
    service.submit().await;
}

#[tokio::test]
async fn a_preview_is_asked_for_by_true_or_false_and_only_where_there_is_one() {
    let service = Service::new().await;
    for query in ["preview=maybe", "preview=", "preview=1"] {
        let path = format!("/v1/drone-footage/generate?{query}");
        service.post(&path, &address()).await.assert_refused(
            400,
            "VALIDATION_ERROR",
            "`preview` must be `true` or `false`",
        );
    }
    for (path, body) in [
        ("/v1/drone-footage/generate?preview=false", address()),
        ("/v1/markup/generate?preview=true", address()),
        ("/v1/drone-footage/generate", json!({"address": "1 Main St", "preview": true})),
    ] {
        let id = service.accepted(path, &body).await;
        let input = service.get(&format!("/v1/jobs/{id}")).await.json()["data"]["input"].clone();
        assert_eq!(input, address(), "{path}");
    }
}

#[tokio::test]
async fn a_preview_and_its_film_may_have_the_same_idempotency_key() {
    let service = Service::new().await;
    let send = async |path: &str| {
        let request = service.request("POST", path).header("Content-Type", "application/json");
        let request = request.header("Idempotency-Key", "listing-7").body(Body::from(address().to_string()));
        service.send(request.unwrap()).await.json()["data"]["job_id"].clone()
    };
    let (preview, film) = (send(PREVIEW).await, send("/v1/drone-footage/generate").await);
    assert!(preview.is_string() && film.is_string() && preview != film);
    assert_eq!((send(PREVIEW).await, send("/v1/drone-footage/generate").await), (preview, film));
}
