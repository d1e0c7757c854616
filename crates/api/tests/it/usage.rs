//! `GET /v1/usage`

use axum::body::Body;
use serde_json::json;

use crate::harness::Service;

#[tokio::test]
async fn a_completed_job_is_one_event_and_counts_toward_the_total() {
    let service = Service::new().await;
    service.completed().await;
    service.submit().await;
    let usage = service.get("/v1/usage").await.json()["data"].clone();
    let events = usage["events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    let mut event = events[0].clone();
    assert_eq!(event["id"].take().as_str().unwrap().len(), 36);
    let expected = json!({
        "id": null, "event_type": "drone_footage.generate", "unit_price_cents": 1500, "status": "completed",
        "created_at": "2026-03-10T12:00:00.250Z",
    });
    assert_eq!(event, expected);
    let summary = json!({"total_events": 1, "total_cost_cents": 1500, "from": "2026-03-01", "to": "2026-03-10"});
    assert_eq!(usage["summary"], summary);
}

#[tokio::test]
async fn another_organizations_usage_is_not_visible() {
    let service = Service::new().await;
    service.completed().await;
    let request = axum::http::Request::get("/v1/usage").header("X-API-Key", &service.other_key);
    let usage = service.send(request.body(Body::empty()).unwrap()).await.json()["data"].clone();
    assert_eq!((&usage["events"], &usage["summary"]["total_cost_cents"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn an_invalid_date_is_400_and_named() {
    let service = Service::new().await;
    for (query, name) in [
        ("from=2026-02-30", "`from`"),
        ("from=", "`from`"),
        ("to=10.03.2026", "`to`"),
        ("from=2026-03-10T00:00:00Z", "`from`"),
        ("from=2026-03-11", "`from` must not be after `to`"),
        ("to=2026-02-28", "`from` must not be after `to`"),
        ("from=2026-03-01&from=2026-03-01", "`from` must be given once"),
    ] {
        service.get(&format!("/v1/usage?{query}")).await.assert_refused(400, "VALIDATION_ERROR", name);
    }
    assert_eq!(service.get("/v1/usage?from=2026-03-10&to=2026-03-10").await.status, 200);
}
