//! The order of checks: with two errors, the earlier one is reported.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::harness::Service;

const UNKNOWN: &str = "0197b3a0-0000-7000-8000-000000000000";

/// The paths of all routes that take a body; those of a job have the id `id`.
fn posts(id: &str) -> Vec<String> {
    let kinds = ["drone-footage", "image-enhance", "virtual-staging", "video-clip", "markup"];
    let mut paths: Vec<String> = kinds.iter().map(|kind| format!("/v1/{kind}/generate")).collect();
    paths.extend(["select", "annotate", "video"].iter().map(|step| format!("/v1/markup/jobs/{id}/{step}")));
    paths
}

#[tokio::test]
async fn the_key_comes_before_everything_else() {
    let service = Service::new().await;
    for path in posts("not-an-id") {
        let request = Request::post(&path).body(Body::from("{")).unwrap();
        service.send(request).await.assert_refused(401, "UNAUTHORIZED", "Invalid or missing API key");
        let request = Request::delete(&path).body(Body::empty()).unwrap();
        service.send(request).await.assert_refused(401, "UNAUTHORIZED", "");
    }
}

#[tokio::test]
async fn the_method_comes_before_the_shape() {
    let service = Service::new().await;
    for path in posts("not-an-id") {
        let answer = service.send(service.request("PUT", &path).body(Body::from("{")).unwrap()).await;
        answer.assert_refused(405, "METHOD_NOT_ALLOWED", "");
        assert_eq!(answer.header("allow"), "POST", "{path}");
    }
}

#[tokio::test]
async fn the_shape_comes_before_the_job() {
    let service = Service::new().await;
    for step in ["select", "annotate", "video"] {
        let answer = service.post(&format!("/v1/markup/jobs/{UNKNOWN}/{step}"), &json!([])).await;
        answer.assert_refused(400, "VALIDATION_ERROR", "The body must be a JSON object");
    }
}

#[tokio::test]
async fn the_job_and_its_state_come_before_the_urls() {
    let service = Service::new().await;
    let queued = service.accepted("/v1/markup/generate", &json!({"address": "a"})).await;
    service.claim().await;
    let awaiting = service.markup_awaiting_input().await;
    let urls = json!({"annotated_image_url": "x", "clean_image_url": "y"});
    let left = json!({"orientation": "left"});
    for (id, step, body, status, code) in [
        (UNKNOWN, "select", &left, 404, "JOB_NOT_FOUND"),
        (UNKNOWN, "annotate", &urls, 404, "JOB_NOT_FOUND"),
        (UNKNOWN, "video", &json!({}), 404, "JOB_NOT_FOUND"),
        (&queued, "select", &left, 409, "JOB_IN_PROGRESS"),
        (&queued, "annotate", &urls, 409, "JOB_IN_PROGRESS"),
        (&queued, "video", &json!({}), 409, "JOB_IN_PROGRESS"),
        (&awaiting, "annotate", &urls, 400, "VALIDATION_ERROR"),
        (&awaiting, "video", &json!({}), 400, "VALIDATION_ERROR"),
        (&awaiting, "select", &json!({"orientation": "x"}), 400, "VALIDATION_ERROR"),
    ] {
        let answer = service.post(&format!("/v1/markup/jobs/{id}/{step}"), body).await;
        answer.assert_refused(status, code, "");
    }
    let selected = service.post(&format!("/v1/markup/jobs/{awaiting}/select"), &left).await;
    assert_eq!(selected.status, 200);
    let annotate = format!("/v1/markup/jobs/{awaiting}/annotate");
    service.post(&annotate, &urls).await.assert_refused(400, "INVALID_URL", "`annotated_image_url` is not a URL");
    for kind in ["image-enhance", "video-clip"] {
        let (path, body) = (format!("/v1/{kind}/generate"), json!({"image_url": "x"}));
        service.post(&path, &body).await.assert_refused(400, "INVALID_URL", "`image_url` is not a URL");
    }
}
