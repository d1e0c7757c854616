//! Every kind's generate endpoint: what it accepts, what it rejects, and the job's `input`.

use aerie_test_data::picture_server::PictureServer;
use serde_json::{Value, json};

use crate::harness::Service;

async fn input(service: &Service, path: &str, body: &Value) -> Value {
    let id = service.accepted(path, body).await;
    service.get(&format!("/v1/jobs/{id}")).await.json()["data"].clone()
}

#[tokio::test]
async fn every_kind_is_queued_and_shows_its_known_fields_without_defaults() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let url = server.url("/png");
    for (path, kind, body, expected) in [
        (
            "/v1/image-enhance/generate",
            "image_enhance",
            json!({"image_url": url, "x": 1, "options": {"prompt": "warm", "x": 1}}),
            json!({"image_url": url, "options": {"prompt": "warm"}}),
        ),
        (
            "/v1/virtual-staging/generate",
            "virtual_staging",
            json!({"image_url": url, "room_type": "wine_cellar", "options": {"style_prompt": null}}),
            json!({"image_url": url, "room_type": "wine_cellar", "options": {}}),
        ),
        (
            "/v1/video-clip/generate",
            "video_clip",
            json!({"image_url": url, "options": {"duration": 3.0, "frame_mode": "last", "creativity_level": "low"}}),
            json!({"image_url": url, "options": {"duration": 3, "frame_mode": "last", "creativity_level": "low"}}),
        ),
        (
            "/v1/markup/generate",
            "markup",
            json!({"address": "1 Main St", "options": {"any": [null, 1]}, "x": 1}),
            json!({"address": "1 Main St", "options": {"any": [null, 1]}}),
        ),
    ] {
        let job = input(&service, path, &body).await;
        assert_eq!((&job["job_type"], &job["status"]), (&json!(kind), &json!("queued")));
        assert_eq!((&job["input"], &job["output"]), (&expected, &json!({})), "{kind}");
        assert_eq!(service.get(&format!("/v1/jobs?job_type={kind}")).await.json()["pagination"]["total"], 1);
    }
}

#[tokio::test]
async fn an_invalid_field_is_named_by_its_path_for_every_kind() {
    let service = Service::new().await;
    let u = "http://127.0.0.2:1/";
    for (path, body, message) in [
        ("image-enhance", json!({}), "`image_url` is required"),
        ("image-enhance", json!({"image_url": 1}), "`image_url` must be a string"),
        ("image-enhance", json!({"image_url": " "}), "`image_url` is required"),
        ("image-enhance", json!({"image_url": "u".repeat(2049)}), "`image_url` must be at most 2048"),
        ("image-enhance", json!({"image_url": u, "options": {"prompt": "p".repeat(2001)}}), "`options.prompt`"),
        (
            "image-enhance",
            json!({"image_url": u, "options": {"exposures": []}}),
            "`options.exposures` must be an array of 1 to 8 URLs",
        ),
        (
            "image-enhance",
            json!({"image_url": u, "options": {"exposures": [u, {}]}}),
            "`options.exposures[1]` must be a string",
        ),
        ("virtual-staging", json!({"image_url": u}), "`room_type` is required"),
        ("virtual-staging", json!({"image_url": u, "room_type": "Bed Room"}), "`room_type` must consist of"),
        (
            "virtual-staging",
            json!({"image_url": u, "room_type": "a", "options": {"style_prompt": 1}}),
            "`options.style",
        ),
        ("video-clip", json!({"image_url": u, "options": {"duration": 11}}), "`options.duration` must be an integer"),
        ("video-clip", json!({"image_url": u, "options": {"duration": 2}}), "`options.duration`"),
        ("video-clip", json!({"image_url": u, "options": {"creativity_level": "max"}}), "`options.creativity_level`"),
        ("video-clip", json!({"image_url": u, "options": {"frame_mode": ""}}), "`options.frame_mode`"),
        (
            "video-clip",
            json!({"image_url": u, "options": {"photos": [{}]}}),
            "`options.photos[0].image_url` is required",
        ),
        ("markup", json!({"address": ""}), "`address` is required"),
        ("markup", json!({"address": "a", "options": 1}), "`options` must be an object"),
        ("markup", json!({"address": "a", "options": {"k": "v".repeat(8192)}}), "`options` must be at most 8192"),
    ] {
        let answer = service.post(&format!("/v1/{path}/generate"), &body).await;
        answer.assert_refused(400, "VALIDATION_ERROR", message);
    }
    assert_eq!(service.get("/v1/jobs").await.json()["pagination"]["total"], 0);
}
