//! `GET /v1/jobs` and `GET /v1/jobs/{jobId}`

use aerie_domain::{Failure, FailureCode};
use axum::body::Body;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::harness::Service;

async fn job(service: &Service, id: &str) -> Value {
    service.get(&format!("/v1/jobs/{id}")).await.json()["data"].clone()
}

#[tokio::test]
async fn a_queued_job_has_every_field_and_an_empty_output() {
    let service = Service::new().await;
    let id = service.submit().await;
    let expected = json!({
        "id": id, "job_type": "drone_footage", "status": "queued", "input": {"address": "1 Main St"}, "output": {},
        "created_at": "2026-03-10T12:00:00.250Z", "updated_at": "2026-03-10T12:00:00.250Z", "completed_at": null,
    });
    assert_eq!(job(&service, &id).await, expected);
}

#[tokio::test]
async fn a_running_job_is_running_with_an_empty_output() {
    let service = Service::new().await;
    let id = service.submit().await;
    service.clock.advance(SignedDuration::from_millis(1500));
    service.claim().await;
    let job = job(&service, &id).await;
    assert_eq!((&job["status"], &job["output"]), (&json!("running"), &json!({})));
    assert_eq!(job["updated_at"], "2026-03-10T12:00:01.750Z");
}

#[tokio::test]
async fn a_completed_job_links_to_its_media_and_in_lists_to_the_video_alone() {
    let service = Service::new().await;
    let id = service.completed().await;
    let job = job(&service, &id).await;
    assert_eq!((&job["status"], &job["completed_at"]), (&json!("completed"), &json!("2026-03-10T12:00:00.250Z")));
    let output = job["output"].as_object().unwrap();
    let fields: Vec<&String> = output.keys().collect();
    assert_eq!(fields, ["duration", "thumbnail_url", "video_url"]);
    assert_eq!(output["duration"], 10.5);
    let start = format!("http://aerie.test/media/{}/{id}/1/video.mp4?expires=", service.org);
    assert!(output["video_url"].as_str().unwrap().starts_with(&start));

    let listed = service.get("/v1/jobs").await.json()["data"][0].clone();
    assert_eq!(listed["output"].as_object().unwrap().keys().collect::<Vec<_>>(), ["video_url"]);
    assert_eq!(listed["input"], job["input"]);
}

#[tokio::test]
async fn links_are_signed_anew_on_each_request() {
    let service = Service::new().await;
    let id = service.completed().await;
    let first = job(&service, &id).await["output"]["video_url"].clone();
    service.clock.advance(SignedDuration::from_secs(60));
    assert_ne!(job(&service, &id).await["output"]["video_url"], first);
}

#[tokio::test]
async fn a_failed_job_reports_why_and_has_no_completion_time() {
    let service = Service::new().await;
    let id = service.submit().await;
    let claim = service.claim().await;
    let failure = Failure::new(FailureCode::AddressNotFound, "No such house.");
    service.store.job_fail(&claim.lease, failure).await.unwrap();
    let expected = json!({"error": {"code": "ADDRESS_NOT_FOUND", "message": "No such house."}});
    let job = job(&service, &id).await;
    assert_eq!((&job["status"], &job["output"], &job["completed_at"]), (&json!("failed"), &expected, &Value::Null));
    assert_eq!(service.get("/v1/jobs").await.json()["data"][0]["output"], expected);
}

#[tokio::test]
async fn a_canceled_job_is_failed_with_its_own_code_and_what_has_ended_cannot_be_canceled() {
    let service = Service::new().await;
    let (queued, running) = (service.submit().await, service.submit().await);
    service.claim().await;
    for id in [&queued, &running, &running] {
        let answer = service.post(&format!("/v1/jobs/{id}/cancel"), &json!({})).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let given = &answer.json()["data"];
        assert_eq!((&given["status"], &given["output"]["error"]["code"]), (&json!("failed"), &json!("CANCELED")));
        assert_eq!(job(&service, id).await, *given);
    }
    let completed = service.completed().await;
    let refused = service.post(&format!("/v1/jobs/{completed}/cancel"), &json!({})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "completed already");
    let waiting = service.markup_awaiting_input().await;
    let refused = service.post(&format!("/v1/jobs/{waiting}/cancel"), &json!({})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "awaits input and is billed");
    let theirs = service.post_as_other(&format!("/v1/jobs/{queued}/cancel"), &json!({})).await;
    theirs.assert_refused(404, "JOB_NOT_FOUND", "");
}

#[tokio::test]
async fn another_organizations_job_gets_the_same_response_as_an_unknown_one_except_for_meta() {
    let service = Service::new().await;
    let id = service.submit().await;
    let mut answers = Vec::new();
    for id in [id.as_str(), "0197b3a0-0000-7000-8000-000000000000"] {
        let request = axum::http::Request::get(format!("/v1/jobs/{id}")).header("X-API-Key", &service.other_key);
        let answer = service.send(request.body(Body::empty()).unwrap()).await;
        answer.assert_refused(404, "JOB_NOT_FOUND", "");
        let mut body = answer.json();
        body["meta"].take();
        answers.push(body);
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn a_malformed_id_is_400() {
    let service = Service::new().await;
    for id in
        ["1", "x", "0197b3a000007000800000000000000a", "%7B0197b3a0-0000-7000-8000-000000000000%7D", "%ff", "a%2Fb"]
    {
        let answer = service.get(&format!("/v1/jobs/{id}")).await;
        answer.assert_refused(400, "VALIDATION_ERROR", "`jobId` must be a UUID");
    }
}

#[tokio::test]
async fn a_list_is_paged_newest_first() {
    let service = Service::new().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(service.submit().await);
        service.clock.advance(SignedDuration::from_secs(1));
    }
    let page = async |query: &str| service.get(&format!("/v1/jobs{query}")).await.json();
    let first = page("?limit=2").await;
    assert_eq!((&first["data"][0]["id"], &first["data"][1]["id"]), (&json!(ids[2]), &json!(ids[1])));
    assert_eq!(first["pagination"], json!({"total": 3, "limit": 2, "offset": 0, "has_more": true}));
    let second = page("?limit=2&offset=2&unknown=1&unknown=2").await;
    assert_eq!(second["data"].as_array().unwrap().len(), 1);
    assert_eq!(second["pagination"], json!({"total": 3, "limit": 2, "offset": 2, "has_more": false}));
    let beyond = page("?offset=9").await;
    assert_eq!(beyond["pagination"], json!({"total": 3, "limit": 50, "offset": 9, "has_more": false}));
    assert_eq!(page("?offset=9223372036854775807").await["pagination"]["has_more"], false);
}

#[tokio::test]
async fn a_list_is_filtered_by_status_and_type() {
    let service = Service::new().await;
    let id = service.completed().await;
    service.submit().await;
    let total =
        async |query: &str| service.get(&format!("/v1/jobs?{query}")).await.json()["pagination"]["total"].clone();
    assert_eq!(total("status=completed").await, 1);
    assert_eq!(total("status=queued&job_type=drone_footage").await, 1);
    assert_eq!(total("status=awaiting_input").await, 0);
    assert_eq!(total("job_type=markup").await, 0);
    assert_eq!(total("job_type=balloon").await, 0);
    assert_eq!(service.get("/v1/jobs?status=completed").await.json()["data"][0]["id"], id);
}

#[tokio::test]
async fn an_invalid_repeated_or_malformed_parameter_is_400_and_named() {
    let service = Service::new().await;
    for (query, message) in [
        ("limit=0", "`limit` must be an integer, from 1 to 100"),
        ("limit=101", "`limit`"),
        ("limit=abc", "`limit`"),
        ("limit=", "`limit`"),
        ("limit=%zz", "`limit`"),
        ("limit=5&limit=5", "`limit` must be given once"),
        ("offset=-1", "`offset` must be an integer, 0 or more"),
        ("offset=9223372036854775808", "`offset`"),
        ("status=done", "`status` must be one of queued, running, awaiting_input, completed, failed"),
        ("status=", "`status`"),
        ("job_type=a&job_type=b", "`job_type` must be given once"),
    ] {
        service.get(&format!("/v1/jobs?{query}")).await.assert_refused(400, "VALIDATION_ERROR", message);
    }
}
