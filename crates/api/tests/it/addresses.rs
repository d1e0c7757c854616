//! Suggested addresses.

use aerie_domain::OrgChanges;
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::harness::Service;

#[tokio::test]
async fn addresses_are_suggested_for_what_is_typed() {
    let service = Service::new().await;
    let answer = service.get("/v1/addresses?q=D%C3%B6rf+2&limit=1").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json());
    let expected = json!({
        "addresses": [{
            "address": "Dörf 2", "id": "way/1", "lat": 47.5, "lon": 9.5, "precision": "building", "locality": "Triesen",
            "postcode": null,
        }],
        "map": {"source": "a map", "is_sample": false, "attributions": ["© a"]},
        "hint": null,
    });
    assert_eq!(answer.json()["data"], expected);
    let both = service.get("/v1/addresses?q=a").await.json();
    assert_eq!(both["data"]["addresses"][1]["precision"], "street");
    assert_eq!(both["data"]["addresses"][1]["id"], Value::Null);
    let planned = service.get("/v1/addresses?q=a&plan=true").await.json();
    let plan = json!({"reach": 40.0, "house": [[0.0, 0.0], [8.0, 0.0], [8.0, 9.5]], "buildings": [], "roads": []});
    assert_eq!(planned["data"]["addresses"][0]["plan"], plan);
    assert_eq!(planned["data"]["addresses"][1], both["data"]["addresses"][1]);
    let nowhere = service.get("/v1/addresses?q=nowhere").await.json();
    assert_eq!(nowhere["data"], json!({"addresses": [], "map": null, "hint": "import one"}));
}

#[tokio::test]
async fn what_cannot_be_suggested_is_refused() {
    let service = Service::new().await;
    let refused = async |query: &str, why: &str| {
        service.get(&format!("/v1/addresses?{query}")).await.assert_refused(400, "VALIDATION_ERROR", why);
    };
    refused("", "`q` is required").await;
    refused("limit=5", "`q` is required").await;
    refused("q=a&q=b", "`q` must be given once").await;
    refused("q=a&limit=21", "`limit` must be an integer, from 1 to 20").await;
    refused("q=a&plan=yes", "`plan` must be `true` or `false`").await;
    refused(&format!("q={}", "a".repeat(501)), "`q` must have at most 500 characters").await;
    let busy = service.get("/v1/addresses?q=busy").await;
    busy.assert_refused(429, "RATE_LIMITED", "try again");
    assert_eq!(busy.header("Retry-After"), "1");
    service.get("/v1/addresses?q=fail").await.assert_refused(500, "INTERNAL_ERROR", "Unexpected server error");
}

#[tokio::test]
async fn typing_has_a_limit_of_its_own_and_needs_the_scope_read() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("few addresses".into()), ..OrgChanges::default() }).await;
    for _ in 0..3 {
        assert_eq!(service.get("/v1/addresses?q=a").await.status, StatusCode::OK);
    }
    service.get("/v1/addresses?q=a").await.assert_refused(429, "RATE_LIMITED", "3 requests in 60 seconds");
    for _ in 0..2 {
        assert_eq!(service.get("/v1/jobs").await.status, StatusCode::OK);
    }
    service.get("/v1/jobs").await.assert_refused(429, "RATE_LIMITED", "2 requests in 60 seconds");

    let key = aerie_domain::ApiKey::generate().unwrap();
    service.store.key_create(service.org, &key, "usage".parse().unwrap(), None).await.unwrap();
    let request = axum::http::Request::get("/v1/addresses?q=a").header("X-API-Key", key.reveal());
    let answer = service.send(request.body(Body::empty()).unwrap()).await;
    answer.assert_refused(403, "FORBIDDEN", "`read`");
    let without = axum::http::Request::get("/v1/addresses?q=a").body(Body::empty()).unwrap();
    service.send(without).await.assert_refused(401, "UNAUTHORIZED", "");
}
