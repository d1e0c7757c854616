//! Tenant isolation: every endpoint returns the same bytes for another organization's ids as for unknown ones, except
//! for `meta`.

use serde_json::{Value, json};

use crate::harness::{Answer, Service};

const UNKNOWN: &str = "0197b3a0-0000-7000-8000-000000000000";

/// Status, headers and body, except for what identifies the request.
fn bytes(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let mut headers: Vec<(String, String)> = answer
        .headers
        .iter()
        // Ids and remaining limits differ from request to request.
        .filter(|(name, _)| !matches!(name.as_str(), "x-request-id" | "ratelimit"))
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    let mut body = answer.json();
    let id = body["meta"]["request_id"].take();
    let text = String::from_utf8(answer.bytes.clone()).unwrap();
    (answer.status.as_u16(), headers, text.replace(id.as_str().unwrap(), "ID"))
}

#[tokio::test]
async fn every_endpoint_treats_another_organizations_id_as_unknown() {
    let service = Service::new().await;
    let url = "http://127.0.0.1:1/x.png";
    let steps = [
        ("select", json!({"orientation": "left"})),
        ("annotate", json!({"annotated_image_url": url, "clean_image_url": url})),
        ("video", json!({})),
    ];
    let ids = [
        service.completed().await,
        service.markup_awaiting_input().await,
        service.markup_completed().await,
        service.accepted("/v1/markup/generate", &json!({"address": "1 Main St"})).await,
    ];
    for id in ids {
        for path in ["/v1/jobs/", "/v1/markup/jobs/"] {
            let theirs = service.get_as_other(&format!("{path}{id}")).await;
            theirs.assert_refused(404, "JOB_NOT_FOUND", "");
            assert_eq!(bytes(&theirs), bytes(&service.get_as_other(&format!("{path}{UNKNOWN}")).await));
        }
        for (step, body) in &steps {
            let theirs = service.post_as_other(&format!("/v1/markup/jobs/{id}/{step}"), body).await;
            theirs.assert_refused(404, "JOB_NOT_FOUND", "");
            let unknown = service.post_as_other(&format!("/v1/markup/jobs/{UNKNOWN}/{step}"), body).await;
            assert_eq!(bytes(&theirs), bytes(&unknown), "{step}");
        }
    }
    let list = service.get_as_other("/v1/jobs").await.json();
    assert_eq!((&list["data"], &list["pagination"]["total"]), (&json!([]), &json!(0)));
    assert_eq!(service.get_as_other("/v1/usage").await.json()["data"]["summary"]["total_events"], 0);
}

#[tokio::test]
async fn another_organizations_media_without_a_signature_are_refused_like_missing_media() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    let base = format!("http://aerie.test/media/{}", service.org);
    let submit = async |url: String| {
        let answer = service.post_as_other("/v1/image-enhance/generate", &json!({"image_url": url})).await;
        answer.assert_refused(400, "INVALID_URL", "not valid");
        let mut body: Value = answer.json();
        body["meta"].take();
        body
    };
    let theirs = submit(format!("{base}/{id}/1/left-enhanced.png")).await;
    assert_eq!(theirs, submit(format!("{base}/{UNKNOWN}/1/left-enhanced.png")).await);
}
