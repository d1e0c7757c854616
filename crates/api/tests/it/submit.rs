//! `POST /v1/drone-footage/generate`

use axum::body::Body;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};
use crate::stalls::{LONGEST, longest_poll, processor_time, without_stalls};

const PATH: &str = "/v1/drone-footage/generate";

async fn send(service: &Service, content_type: Option<&str>, body: impl Into<Body>) -> Answer {
    let mut request = service.request("POST", PATH);
    if let Some(content_type) = content_type {
        request = request.header("Content-Type", content_type);
    }
    service.send(request.body(body.into()).unwrap()).await
}

#[tokio::test]
async fn a_submitted_job_is_accepted_queued_and_wakes_the_workers() {
    let service = Service::new().await;
    let body = json!({"address": "1 Main St", "options": {"direction": "north"}});
    let answer = service.post(PATH, &body).await;
    assert_eq!(answer.status, 202);
    let data = answer.json()["data"].clone();
    assert_eq!(data["status"], "queued");
    assert_eq!(data.as_object().unwrap().len(), 2);
    assert_eq!(service.wakes(), 1);
    let job = service.get(&format!("/v1/jobs/{}", data["job_id"].as_str().unwrap())).await.json()["data"].clone();
    assert_eq!(job["input"], body);
    let stored = service.store.job_get(None, Service::job_id(job["id"].as_str().unwrap())).await.unwrap().unwrap();
    assert_eq!(stored.unit_price_cents, 1500);
    assert_eq!(stored.request_id.to_string(), answer.header("x-request-id"));
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_null_counts_as_absent() {
    let service = Service::new().await;
    let body = json!({"address": "1 Main St", "colour": "red", "options": {"direction": null, "speed": 3}});
    let answer = service.post(PATH, &body).await;
    let id = answer.json()["data"]["job_id"].as_str().unwrap().to_owned();
    let job = service.get(&format!("/v1/jobs/{id}")).await.json()["data"].clone();
    assert_eq!(job["input"], json!({"address": "1 Main St", "options": {}}));
}

#[tokio::test]
async fn an_invalid_field_is_named_by_its_path_with_what_is_allowed() {
    let service = Service::new().await;
    for (body, message) in [
        (json!({}), "`address` is required"),
        (json!({"address": "  "}), "`address` is required"),
        (json!({"address": 5}), "`address` must be a string"),
        (json!({"address": "a".repeat(501)}), "`address` must be at most 500 characters long"),
        (json!({"address": "a", "options": "x"}), "`options` must be an object"),
        (json!({"address": "a", "options": {"direction": "up"}}), "`options.direction` must be one of original, north"),
        (json!([]), "The body must be a JSON object"),
        (Value::Null, "The body must be a JSON object"),
    ] {
        service.post(PATH, &body).await.assert_refused(400, "VALIDATION_ERROR", message);
    }
    assert_eq!(service.wakes(), 0);
    assert_eq!(service.get("/v1/jobs").await.json()["pagination"]["total"], 0);
}

#[tokio::test]
async fn bad_json_a_wrong_content_type_and_a_missing_body_are_400() {
    let service = Service::new().await;
    let json = Some("application/json");
    for body in ["{", "{\"address\": \"a\"} x", "\u{feff}{}", "{'address': 'a'}", &"[".repeat(5000)] {
        send(&service, json, body.to_owned()).await.assert_refused(400, "VALIDATION_ERROR", "not valid JSON");
    }
    send(&service, json, vec![b'"', 0xff, b'"']).await.assert_refused(400, "VALIDATION_ERROR", "not valid JSON");
    send(&service, json, "").await.assert_refused(400, "VALIDATION_ERROR", "A body is required");
    for wrong in [None, Some("text/plain"), Some("application/x-www-form-urlencoded"), Some("multipart/form-data")] {
        let answer = send(&service, wrong, r#"{"address": "a"}"#).await;
        answer.assert_refused(400, "VALIDATION_ERROR", "Content-Type must be application/json");
    }
    for right in ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"] {
        assert_eq!(send(&service, Some(right), r#"{"address": "a"}"#).await.status, 202, "{right}");
    }
}

#[tokio::test]
async fn a_body_over_one_mebibyte_is_400_and_one_of_exactly_that_size_is_read() {
    let service = Service::new().await;
    let start = r#"{"address": "a", "padding": ""#;
    let padding = "x".repeat((1 << 20) - start.len() - 2);
    let largest = format!("{start}{padding}\"}}");
    assert_eq!(largest.len(), 1 << 20);
    assert_eq!(send(&service, Some("application/json"), largest.clone()).await.status, 202);
    let answer = send(&service, Some("application/json"), format!("{largest} ")).await;
    answer.assert_refused(400, "VALIDATION_ERROR", "1 MiB");
}

#[tokio::test]
async fn null_counts_as_a_missing_body_where_that_is_allowed() {
    let service = Service::new().await;
    let video = "/v1/markup/jobs/0197b3a0-0000-7000-8000-000000000000/video";
    service.post(video, &json!(null)).await.assert_refused(404, "JOB_NOT_FOUND", "");
    service.post(video, &json!([])).await.assert_refused(400, "VALIDATION_ERROR", "JSON object");
    service.post("/v1/drone-footage/generate", &json!(null)).await.assert_refused(
        400,
        "VALIDATION_ERROR",
        "JSON object",
    );
}

#[tokio::test]
async fn a_megabyte_of_small_values_does_not_stall_the_runtime() {
    let service = Service::new().await;
    let start = r#"{"address": "1 Main St", "ignored": ["#;
    let body = format!("{start}{}1]}}", "1,".repeat(((1 << 20) - start.len() - 3) / 2));
    let begun = processor_time();
    drop(serde_json::from_str::<Value>(&body).unwrap());
    let parsing = processor_time() - begun;
    let (answer, longest) = longest_poll(send(&service, Some("application/json"), body)).await;
    assert_eq!(answer.status, 202);
    assert!(longest < parsing / 2, "a thread of the runtime was held for {longest:?}; parsing takes {parsing:?}");
}

#[tokio::test]
#[should_panic(expected = "kept a thread of the runtime")]
async fn a_request_that_computes_for_long_is_detected() {
    let compute = async {
        let begun = processor_time();
        while processor_time() - begun < LONGEST * 2 {}
    };
    without_stalls("a request", compute).await;
}
