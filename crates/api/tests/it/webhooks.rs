//! Webhooks and their deliveries.

use std::time::Duration;

use aerie_storage::Attempt;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::harness::Service;

const WEBHOOKS: &str = "/v1/webhooks";
const URL: &str = "https://hooks.example.com/aerie";

impl Service {
    async fn webhook(&self) -> Value {
        let added = self.post(WEBHOOKS, &json!({"url": URL, "events": ["job.queued"]})).await;
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.json());
        added.json()["data"].clone()
    }
}

fn path(webhook: &Value) -> String {
    format!("{WEBHOOKS}/{}", webhook["webhook_id"].as_str().unwrap())
}

#[tokio::test]
async fn a_webhook_is_added_changed_listed_and_deleted_and_its_secret_is_shown_once() {
    let service = Service::new().await;
    let added = service.webhook().await;
    let secret = added["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 6 + 44, "{secret}");
    let path = path(&added);
    let found = service.get(&path).await.json()["data"].clone();
    assert_eq!(found["secret"], Value::Null);
    assert_eq!(
        (&found["url"], &found["events"], &found["enabled"]),
        (&json!(URL), &json!(["job.queued"]), &json!(true))
    );
    assert_eq!(service.get(WEBHOOKS).await.json()["data"], json!([found]));

    let changes = json!({"description": "orders", "events": ["job.failed"], "enabled": false});
    let changed = service.with_method("PATCH", &path, &changes).await.json()["data"].clone();
    assert_eq!((&changed["description"], &changed["events"]), (&json!("orders"), &json!(["job.failed"])));
    assert_eq!((&changed["enabled"], &changed["disabled_because"]), (&json!(false), &json!("by request")));
    let enabled = service.with_method("PATCH", &path, &json!({"enabled": true})).await.json()["data"].clone();
    assert_eq!((&enabled["enabled"], &enabled["disabled_at"]), (&json!(true), &Value::Null));

    let rotated = service.post(&format!("{path}/rotate-secret"), &json!({})).await.json()["data"].clone();
    assert!(rotated["secret"] != added["secret"] && rotated["old_secret_until"].is_string());

    let deleted = service.with_method("DELETE", &path, &Value::Null).await;
    assert_eq!((deleted.status, deleted.bytes.len()), (StatusCode::NO_CONTENT, 0));
    let gone = service.get(&path).await;
    assert_eq!((gone.status, &gone.json()["error"]["code"]), (StatusCode::NOT_FOUND, &json!("WEBHOOK_NOT_FOUND")));
}

#[tokio::test]
async fn a_url_that_leads_nowhere_public_or_is_not_encrypted_is_refused_by_name() {
    let service = Service::new().await;
    let webhook = service.webhook().await;
    for (url, why) in [
        ("http://hooks.example.com/", "`url` must use https://"),
        ("https://169.254.169.254/latest", "`url` does not lead to a public address"),
        ("https://[::1]/", "`url` does not lead to a public address"),
        ("https://2130706433/", "`url` does not lead to a public address"),
        ("https://user:secret@example.com/", "`url` must not contain a user name or password"),
        ("file:///etc/passwd", "`url` must use http:// or https://"),
        ("hooks", "`url` is not a URL"),
    ] {
        let answers = [
            service.post(WEBHOOKS, &json!({"url": url})).await,
            service.with_method("PATCH", &path(&webhook), &json!({"url": url})).await,
        ];
        for refused in answers {
            let error = refused.json()["error"].clone();
            assert_eq!(
                (refused.status, &error["code"]),
                (StatusCode::BAD_REQUEST, &json!("VALIDATION_ERROR")),
                "{url}"
            );
            assert_eq!(error["message"], why, "{url}");
        }
    }
    assert_eq!(service.get(&path(&webhook)).await.json()["data"]["url"], URL);
}

#[tokio::test]
async fn an_organization_has_at_most_twenty_webhooks() {
    let service = Service::new().await;
    for _ in 0..20 {
        service.webhook().await;
    }
    let refused = service.post(WEBHOOKS, &json!({"url": URL})).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.json()["error"]["message"].as_str().unwrap().contains("delete one first"));
}

#[tokio::test]
async fn deliveries_are_listed_with_what_came_of_them_and_replayed() {
    let service = Service::new().await;
    let webhook = service.webhook().await;
    let deliveries = format!("{}/deliveries", path(&webhook));
    let job = service.submit().await;
    let tested = service.post(&format!("{}/test", path(&webhook)), &json!({})).await;
    assert_eq!((tested.status, &tested.json()["data"]["event"]), (StatusCode::ACCEPTED, &json!("webhook.test")));
    let due = service.store.delivery_claim((10, 10), &[], Duration::from_secs(60)).await.unwrap();
    let of_job = due.iter().find(|due| due.delivery.job.is_some()).unwrap();
    let failed =
        Attempt { status: Some(503), error: Some("returned HTTP status 503".into()), milliseconds: 12, is_gone: false };
    service.store.delivery_settle(of_job.delivery.id, failed, None).await.unwrap();
    let page = service.get(&format!("{deliveries}?limit=1&offset=0")).await.json();
    assert_eq!(page["pagination"], json!({"total": 2, "limit": 1, "offset": 0, "has_more": true}));
    let all = service.get(&deliveries).await.json()["data"].as_array().unwrap().clone();
    let listed = all.iter().find(|delivery| delivery["event"] == "job.queued").unwrap();
    assert_eq!((&listed["job_id"], &listed["status"], &listed["attempts"]), (&json!(job), &json!("failed"), &json!(1)));
    assert_eq!((&listed["last_status"], &listed["last_error"]), (&json!(503), &json!("returned HTTP status 503")));
    let replay = format!("{deliveries}/{}/replay", listed["delivery_id"].as_str().unwrap());
    let replayed = service.post(&replay, &json!({})).await;
    assert_eq!((replayed.status, &replayed.json()["data"]["status"]), (StatusCode::ACCEPTED, &json!("pending")));
    assert!(service.get(&path(&webhook)).await.json()["data"]["failing_since"].is_string());
}

#[tokio::test]
async fn another_organizations_webhooks_and_deliveries_are_as_unknown_ones() {
    let service = Service::new().await;
    let webhook = service.webhook().await;
    let path = path(&webhook);
    let delivery = service.post(&format!("{path}/test"), &json!({})).await.json()["data"].clone();
    let delivery = format!("{path}/deliveries/{}/replay", delivery["delivery_id"].as_str().unwrap());
    let other_id = format!("{WEBHOOKS}/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27");
    for (theirs, unknown) in [
        (service.get_as_other(&path).await, service.get(&other_id).await),
        (
            service.get_as_other(&format!("{path}/deliveries")).await,
            service.get(&format!("{other_id}/deliveries")).await,
        ),
        (
            service.post_as_other(&format!("{path}/test"), &json!({})).await,
            service.post(&format!("{other_id}/test"), &json!({})).await,
        ),
        (
            service.post_as_other(&delivery, &json!({})).await,
            service
                .post(&format!("{other_id}/deliveries/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27/replay"), &json!({}))
                .await,
        ),
    ] {
        assert_eq!(theirs.status, StatusCode::NOT_FOUND);
        assert_eq!(theirs.json()["error"], unknown.json()["error"]);
    }
    assert_eq!(service.get_as_other(WEBHOOKS).await.json()["data"], json!([]));
}
