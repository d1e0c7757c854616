//! The envelope, the key, unknown paths and wrong methods.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::harness::Service;

#[tokio::test]
async fn every_response_carries_its_request_id_and_a_timestamp_in_milliseconds() {
    let service = Service::new().await;
    let mut ids = Vec::new();
    for path in ["/v1/jobs", "/v1/nothing", "/v1/jobs/x", "/nothing"] {
        let answer = service.get(path).await;
        let meta = answer.json()["meta"].clone();
        assert_eq!(meta["timestamp"], "2026-03-10T12:00:00.250Z", "{path}");
        assert_eq!(meta["request_id"], answer.header("x-request-id"), "{path}");
        assert_eq!(answer.header("content-type"), "application/json");
        ids.push(meta["request_id"].as_str().unwrap().to_owned());
    }
    ids.dedup();
    assert_eq!(ids.len(), 4);
    assert!(ids.iter().all(|id| id.len() == 36 && id.as_bytes()[14] == b'7'), "version 7: {ids:?}");
}

#[tokio::test]
async fn without_a_valid_key_every_path_under_v1_is_401_known_or_not() {
    let service = Service::new().await;
    let unknown = aerie_domain::ApiKey::generate().unwrap();
    let mut mistyped = service.key.clone();
    mistyped.pop();
    for key in [None, Some(""), Some("x"), Some(mistyped.as_str()), Some(unknown.reveal())] {
        for (method, path) in
            [("GET", "/v1/jobs"), ("POST", "/v1/jobs"), ("GET", "/v1/nothing"), ("GET", "/v1"), ("GET", "/v1/")]
        {
            let mut request = Request::builder().method(method).uri(path);
            if let Some(key) = key {
                request = request.header("X-API-Key", key);
            }
            let answer = service.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.refusal(), (401, "UNAUTHORIZED".into(), "Invalid or missing API key".into()), "{path}");
        }
    }
}

#[tokio::test]
async fn a_repeated_key_header_is_refused() {
    let service = Service::new().await;
    let request = service.request("GET", "/v1/jobs").header("X-API-Key", &service.other_key);
    service.send(request.body(Body::empty()).unwrap()).await.assert_refused(401, "UNAUTHORIZED", "");
}

#[tokio::test]
async fn a_revoked_key_is_refused_at_once() {
    let service = Service::new().await;
    assert_eq!(service.get("/v1/jobs").await.status, 200);
    let key = service.store.key_list(Some(service.org)).await.unwrap()[0].id;
    service.store.key_revoke(key).await.unwrap();
    service.get("/v1/jobs").await.assert_refused(401, "UNAUTHORIZED", "");
}

#[tokio::test]
async fn an_unknown_path_is_404_not_found() {
    let service = Service::new().await;
    for path in ["/v1", "/v1/", "/v1/nothing", "/v1/jobs/", "/v2/jobs", "/nothing"] {
        service.get(path).await.assert_refused(404, "NOT_FOUND", "");
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_and_names_the_right_ones() {
    let service = Service::new().await;
    for (method, path, allow) in [
        ("DELETE", "/v1/jobs", "GET,HEAD"),
        ("PUT", "/v1/drone-footage/generate", "POST"),
        ("GET", "/v1/drone-footage/generate", "POST"),
        ("POST", "/v1/usage", "GET,HEAD"),
        ("PATCH", "/v1/jobs/0197b3a0-0000-7000-8000-000000000000", "GET,HEAD"),
    ] {
        let answer = service.send(service.request(method, path).body(Body::empty()).unwrap()).await;
        answer.assert_refused(405, "METHOD_NOT_ALLOWED", "");
        assert_eq!(answer.header("allow"), allow, "{path}");
    }
}

#[tokio::test]
async fn a_broken_store_is_500_without_internal_details() {
    let service = Service::new().await;
    aerie_storage_sqlite::testing::break_jobs(&service.database()).unwrap();
    let answer = service.get("/v1/jobs").await;
    assert_eq!(answer.refusal(), (500, "INTERNAL_ERROR".into(), "Unexpected server error".into()));
    assert!(answer.json()["meta"]["request_id"].is_string());
}

#[tokio::test]
async fn health_needs_no_key() {
    let service = Service::new().await;
    for path in ["/healthz", "/readyz"] {
        let answer = service.send(Request::builder().uri(path).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 200, "{path}");
    }
    let health = service.get("/healthz").await.json();
    assert_eq!((&health["status"], &health["environment"]), (&json!("ok"), &json!("development")));
}
