//! The markup workflow, step by step.

use aerie_domain::{Failure, FailureCode, JobType};
use aerie_test_data::picture_server::PictureServer;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};

const STEPS: [(&str, &str); 3] = [
    ("select", r#"{"orientation": "left"}"#),
    ("annotate", r#"{"annotated_image_url": "http://127.0.0.2:1/a", "clean_image_url": "http://127.0.0.2:1/c"}"#),
    ("video", "{}"),
];

async fn step(service: &Service, id: &str, step: &str, body: &Value) -> Answer {
    service.post(&format!("/v1/markup/jobs/{id}/{step}"), body).await
}

async fn select(service: &Service, id: &str, orientation: &str) -> Answer {
    step(service, id, "select", &json!({"orientation": orientation})).await
}

async fn markup(service: &Service, id: &str) -> Value {
    service.get(&format!("/v1/markup/jobs/{id}")).await.json()["data"].clone()
}

#[tokio::test]
async fn a_markup_awaits_input_with_its_variants_and_is_not_completed() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    let job = markup(&service, &id).await;
    assert_eq!((&job["job_type"], &job["status"]), (&json!("markup"), &json!("awaiting_input")));
    assert_eq!(job["completed_at"], Value::Null);
    let variants = job["output"]["orientation_variants"].as_array().unwrap();
    assert_eq!(variants.iter().map(|variant| &variant["key"]).collect::<Vec<_>>(), ["bottom", "left", "top", "right"]);
    for variant in variants {
        for name in ["preview_url", "enhanced_url"] {
            assert!(variant[name].as_str().unwrap().starts_with("http://aerie.test/media/"), "{name}");
        }
    }
    assert_eq!(service.get(&format!("/v1/jobs/{id}")).await.json()["data"], job);
}

#[tokio::test]
async fn a_markup_is_billed_once_when_its_variants_are_ready() {
    let service = Service::new().await;
    service.markup_completed().await;
    let usage = service.get("/v1/usage").await.json()["data"].clone();
    assert_eq!(usage["summary"]["total_events"], 1);
    assert_eq!(
        (&usage["events"][0]["event_type"], &usage["events"][0]["status"]),
        (&json!("markup.generate"), &json!("completed"))
    );
}

#[tokio::test]
async fn select_returns_the_variants_enhanced_url_and_may_be_repeated() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    for (at, orientation) in [(1, "left"), (1, "left"), (3, "right")] {
        let answer = select(&service, &id, orientation).await;
        assert_eq!(answer.status, 200);
        let job = markup(&service, &id).await;
        let url = &job["output"]["orientation_variants"][at]["enhanced_url"];
        assert_eq!(answer.json()["data"], json!({"status": "selected", "selected_url": url}));
        assert_eq!(
            (&job["status"], &job["output"]["selected_orientation"]),
            (&json!("awaiting_input"), &json!(orientation))
        );
        assert_eq!(&job["output"]["selected_url"], url);
    }
}

#[tokio::test]
async fn an_unknown_orientation_is_400_and_names_the_keys() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    for wrong in ["north", "Left", "orientation_variants", "0"] {
        let answer = select(&service, &id, wrong).await;
        answer.assert_refused(400, "VALIDATION_ERROR", "`orientation` must be one of bottom, left, top, right");
    }
    step(&service, &id, "select", &json!({})).await.assert_refused(
        400,
        "VALIDATION_ERROR",
        "`orientation` is required",
    );
}

#[tokio::test]
async fn annotate_completes_the_job_and_stores_copies() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let id = service.markup_awaiting_input().await;
    select(&service, &id, "top").await;
    let body = json!({"annotated_image_url": server.url("/png/2048/2048"), "clean_image_url": server.url("/png")});
    let answer = step(&service, &id, "annotate", &body).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["data"]), (200, &json!({"status": "completed"})));
    let job = markup(&service, &id).await;
    assert_eq!((&job["status"], &job["completed_at"]), (&json!("completed"), &json!("2026-03-10T12:00:00.250Z")));
    let output = &job["output"];
    assert_eq!((&output["boundary"], output["boundary_reason"].is_string()), (&Value::Null, true));
    for (field, size) in [("annotated_image_url", 2048), ("clean_image_url", 640)] {
        let url = output[field].as_str().unwrap().strip_prefix("http://aerie.test").unwrap().to_owned();
        let copy = service.send(Request::get(url).body(Body::empty()).unwrap()).await;
        assert_eq!((copy.status.as_u16(), copy.header("content-type")), (200, "image/png"));
        assert_eq!(copy.bytes, aerie_test_data::picture_server::png(size, if size == 640 { 480 } else { size }));
    }
    // Repeating the same body returns the same response and fetches nothing.
    let connections = server.connections();
    let again = step(&service, &id, "annotate", &body).await;
    assert_eq!((again.status.as_u16(), &again.json()["data"]), (200, &json!({"status": "completed"})));
    assert_eq!(server.connections(), connections);
    let other = json!({"annotated_image_url": server.url("/png"), "clean_image_url": server.url("/png")});
    step(&service, &id, "annotate", &other).await.assert_refused(400, "VALIDATION_ERROR", "already annotated");
    select(&service, &id, "top").await.assert_refused(400, "VALIDATION_ERROR", "already annotated");
}

#[tokio::test]
async fn a_boundary_is_measured_on_the_ground_where_the_clean_picture_is_the_markups_own() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let drawn = server.url("/png/2048/2048");
    // By its link or by identical bytes from anywhere; with another clean picture there is no ground.
    for (clean, reason) in [
        (None, "ground \"top\""),
        (Some(server.url("/png/1024/1025")), "ground \"left\""),
        (Some(server.url("/png/1024/1030")), "no ground"),
    ] {
        let id = service.markup_awaiting_input().await;
        let variants = markup(&service, &id).await["output"]["orientation_variants"].clone();
        select(&service, &id, "bottom").await;
        let own = variants[2]["preview_url"].as_str().unwrap().to_owned();
        let body = json!({"annotated_image_url": drawn, "clean_image_url": clean.unwrap_or(own)});
        assert_eq!(step(&service, &id, "annotate", &body).await.status, 200);
        assert_eq!(markup(&service, &id).await["output"]["boundary_reason"], reason);
    }
}

#[tokio::test]
async fn a_polygon_is_measured_in_place_of_the_drawing_and_a_bad_one_leaves_the_markup_unchanged() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let id = service.markup_awaiting_input().await;
    select(&service, &id, "top").await;
    let before = markup(&service, &id).await;
    let with = |polygon: Value| {
        let url = server.url("/png");
        json!({"annotated_image_url": url, "clean_image_url": url, "annotated_polygon": polygon})
    };
    for (polygon, why) in [
        (json!([[0, 0], [9, 0]]), "`annotated_polygon` must be a list of 3 to 200 points"),
        (json!("a square"), "`annotated_polygon` must be a list"),
        (json!([[-1, 0], [9, 0], [9, 9]]), "`annotated_polygon` must lie within the clean picture"),
    ] {
        step(&service, &id, "annotate", &with(polygon)).await.assert_refused(400, "VALIDATION_ERROR", why);
        assert_eq!(markup(&service, &id).await, before);
    }
    assert_eq!(service.media.media_delete(&format!("{}/{id}/input", service.org), &[]).await.unwrap(), 0);
    let corners = json!([[10.5, 10.0], [90.0, 10.0], [90.0, 80.0]]);
    assert_eq!(step(&service, &id, "annotate", &with(corners.clone())).await.status, 200);
    assert_eq!(markup(&service, &id).await["output"]["boundary"], json!({"drawn": corners}));
}

#[tokio::test]
async fn a_bad_second_picture_leaves_the_markup_unchanged_and_stores_nothing() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let id = service.markup_awaiting_input().await;
    select(&service, &id, "top").await;
    let before = markup(&service, &id).await;
    let body = json!({"annotated_image_url": server.url("/png"), "clean_image_url": server.url("/gif")});
    let answer = step(&service, &id, "annotate", &body).await;
    answer.assert_refused(400, "INVALID_URL", "`clean_image_url` is a GIF image");
    assert_eq!(markup(&service, &id).await, before);
    let inputs = format!("{}/{id}/input", service.org);
    assert_eq!(service.media.media_delete(&inputs, &[]).await.unwrap(), 0);
}

#[tokio::test]
async fn of_two_annotations_at_once_one_wins_and_the_other_leaves_nothing() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let id = service.markup_awaiting_input().await;
    select(&service, &id, "top").await;
    let body = |name: &str| json!({"annotated_image_url": server.url(name), "clean_image_url": server.url("/png")});
    let (first, second) = (body("/png/100/100"), body("/png/200/200"));
    let (first, second) =
        tokio::join!(step(&service, &id, "annotate", &first), step(&service, &id, "annotate", &second));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400]);
    let inputs = format!("{}/{id}/input", service.org);
    assert_eq!(service.media.media_delete(&inputs, &[]).await.unwrap(), 2);
}

#[tokio::test]
async fn annotate_before_select_is_400() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    let body = serde_json::from_str(STEPS[1].1).unwrap();
    step(&service, &id, "annotate", &body).await.assert_refused(400, "VALIDATION_ERROR", "Select an orientation");
}

#[tokio::test]
async fn every_step_is_409_while_the_markup_is_queued_or_running() {
    let service = Service::new().await;
    let id = service.accepted("/v1/markup/generate", &json!({"address": "1 Main St"})).await;
    for status in ["queued", "running"] {
        assert_eq!(markup(&service, &id).await["status"], status);
        for (name, body) in STEPS {
            let body = serde_json::from_str(body).unwrap();
            step(&service, &id, name, &body).await.assert_refused(409, "JOB_IN_PROGRESS", "");
        }
        if status == "queued" {
            service.claim().await;
        }
    }
}

#[tokio::test]
async fn every_step_is_400_on_a_failed_markup() {
    let service = Service::new().await;
    let id = service.accepted("/v1/markup/generate", &json!({"address": "1 Main St"})).await;
    let claim = service.claim().await;
    let failure = Failure::new(FailureCode::AddressNotFound, "No such house.");
    service.store.job_fail(&claim.lease, failure).await.unwrap();
    for (name, body) in STEPS {
        let body = serde_json::from_str(body).unwrap();
        step(&service, &id, name, &body).await.assert_refused(400, "VALIDATION_ERROR", "failed");
    }
}

#[tokio::test]
async fn a_job_of_another_kind_is_404_on_every_markup_route() {
    let service = Service::new().await;
    let id = service.completed().await;
    let unknown = "0197b3a0-0000-7000-8000-000000000000";
    for (name, body) in STEPS {
        let body = serde_json::from_str(body).unwrap();
        let found = step(&service, &id, name, &body).await;
        found.assert_refused(404, "JOB_NOT_FOUND", "");
        assert_eq!(found.refusal(), step(&service, unknown, name, &body).await.refusal());
        step(&service, "1", name, &body).await.assert_refused(400, "VALIDATION_ERROR", "`jobId` must be a UUID");
    }
    service.get(&format!("/v1/markup/jobs/{id}")).await.assert_refused(404, "JOB_NOT_FOUND", "");
}

#[tokio::test]
async fn a_video_is_a_separate_job_that_names_its_markup_and_address() {
    let service = Service::new().await;
    let id = service.markup_completed().await;
    let body = json!({"options": {"speed": null, "any": 5.5}, "x": 1});
    let video = service.accepted(&format!("/v1/markup/jobs/{id}/video"), &body).await;
    let job = service.get(&format!("/v1/jobs/{video}")).await.json()["data"].clone();
    assert_eq!((&job["job_type"], &job["status"]), (&json!("markup_video"), &json!("queued")));
    let expected = json!({"markup_job_id": id, "address": "1 Main St", "options": {"speed": null, "any": 5.5}});
    assert_eq!(job["input"], expected);
}

#[tokio::test]
async fn a_second_video_is_409_while_the_first_is_active_and_accepted_afterwards() {
    let service = Service::new().await;
    let id = service.markup_completed().await;
    let path = format!("/v1/markup/jobs/{id}/video");
    let body = json!({});
    let (first, second) = tokio::join!(service.post(&path, &body), service.post(&path, &body));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409], "of two at once one is taken");
    service.post(&path, &body).await.assert_refused(409, "JOB_IN_PROGRESS", "video");
    let claim = service.claim().await;
    service.post(&path, &body).await.assert_refused(409, "JOB_IN_PROGRESS", "video");
    service.store.job_complete(&claim.lease, aerie_storage::JobOutput::default()).await.unwrap();
    assert_eq!(service.post(&path, &body).await.status, 202);
}

#[tokio::test]
async fn a_missing_body_counts_as_an_empty_object_only_for_a_markup_video() {
    let service = Service::new().await;
    let id = service.markup_completed().await;
    let bare = async |path: String| service.send(service.request("POST", &path).body(Body::empty()).unwrap()).await;
    assert_eq!(bare(format!("/v1/markup/jobs/{id}/video")).await.status, 202);
    for path in ["markup/generate", "drone-footage/generate", "video-clip/generate", "image-enhance/generate"] {
        bare(format!("/v1/{path}")).await.assert_refused(400, "VALIDATION_ERROR", "A body is required");
    }
    for name in ["select", "annotate"] {
        let answer = bare(format!("/v1/markup/jobs/{id}/{name}")).await;
        answer.assert_refused(400, "VALIDATION_ERROR", "A body is required");
    }
}

#[tokio::test]
async fn a_video_of_a_markup_that_awaits_input_is_400() {
    let service = Service::new().await;
    let id = service.markup_awaiting_input().await;
    step(&service, &id, "video", &json!({})).await.assert_refused(400, "VALIDATION_ERROR", "annotate it");
    select(&service, &id, "left").await;
    step(&service, &id, "video", &json!({})).await.assert_refused(400, "VALIDATION_ERROR", "annotate it");
}

#[tokio::test]
async fn two_equal_generate_requests_are_two_jobs() {
    let service = Service::new().await;
    let body = json!({"address": "1 Main St"});
    let first = service.accepted("/v1/markup/generate", &body).await;
    assert_ne!(service.accepted("/v1/markup/generate", &body).await, first);
}

#[tokio::test]
async fn a_worker_claims_a_markup_video_as_a_separate_kind() {
    let service = Service::new().await;
    let id = service.markup_completed().await;
    service.accepted(&format!("/v1/markup/jobs/{id}/video"), &json!({})).await;
    let claim = service.claim().await;
    assert_eq!((claim.job.job_type, claim.job.parent_id), (JobType::MarkupVideo, Some(Service::job_id(&id))));
}
