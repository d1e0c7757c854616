//! Control characters in any text of a request are refused by the name of the field, before anything is fetched or stored.

use aerie_domain::{JobId, JobInput, JobLimits, JobType, Layout, RequestId};
use aerie_storage::NewJob;
use aerie_test_data::picture_server::PictureServer;
use aerie_test_data::text_fields::{TextField, text_fields};
use axum::body::Body;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};

fn fields(picture_url: &str) -> Vec<TextField> {
    text_fields(&serde_json::to_value(aerie_api::openapi()).unwrap(), picture_url)
}

async fn send(service: &Service, field: &TextField, text: &str) -> Answer {
    let (path, body) = field.request(text);
    let request = service.request(&field.method, &path).header("Content-Type", "application/json");
    service.send(request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string()))).unwrap()).await
}

#[tokio::test]
async fn every_text_of_every_request_refuses_control_characters_by_its_name_before_anything_is_fetched() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let fields = fields(&server.url("/png"));
    assert!(fields.len() >= 30, "{} texts", fields.len());
    for field in &fields {
        let refused = [
            "a\0b",
            "\0",
            "a\u{1}",
            "\u{1b}[2J",
            "a\u{7f}",
            "a\u{85}b",
            "\u{9b}2J",
            "a\u{2028}b",
            "\u{2029}",
            "\u{202e}a",
        ];
        let in_lines = ["a\nb", "a\tb", "a\r\n", "\n"].into_iter().filter(|_| !field.is_prompt());
        for text in refused.into_iter().chain(in_lines) {
            let answer = send(&service, field, text).await;
            let (status, code, message) = answer.refusal();
            assert_eq!((status, code.as_str()), (400, "VALIDATION_ERROR"), "{} {field:?} {text:?}: {message}", status);
            assert!(message.starts_with(&format!("`{}` must ", field.name)), "{field:?} {text:?}: {message}");
        }
    }
    assert_eq!(server.connections(), 0, "nothing was fetched");
    assert_eq!(service.get("/v1/jobs").await.json()["pagination"]["total"], 0, "nothing was stored");
    assert_eq!(service.wakes(), 0);
}

#[tokio::test]
async fn tabs_and_line_breaks_are_allowed_in_prompts_and_kept() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let prompts = fields(&server.url("/png")).into_iter().filter(TextField::is_prompt);
    let of_jobs = |field: &TextField| !["/v1/listings", "/v1/shared"].iter().any(|path| field.path.starts_with(path));
    let prompts: Vec<_> = prompts.filter(of_jobs).collect();
    assert_eq!(prompts.len(), 3);
    for prompt in prompts {
        let (path, body) = prompt.request("warm,\n\tbright\r\n");
        let id = service.accepted(&path, &body.unwrap()).await;
        let job = service.get(&format!("/v1/jobs/{id}")).await.json();
        let pointer = format!("/data/input/{}", prompt.name.replace('.', "/"));
        assert_eq!(job.pointer(&pointer), Some(&json!("warm,\n\tbright\r\n")));
    }
}

#[tokio::test]
async fn options_that_are_kept_have_no_control_characters_in_names_or_texts() {
    let service = Service::new().await;
    for (options, name) in [
        (json!({"note": "a\0b"}), "options.note"),
        (json!({"list": [{"x": "\u{1b}[2J"}]}), "options.list[0].x"),
        (json!({"a\u{9b}": 1}), "options"),
    ] {
        let body = json!({"address": "1 Main St", "options": options});
        let answer = service.post("/v1/markup/generate", &body).await;
        answer.assert_refused(400, "VALIDATION_ERROR", &format!("`{name}` must not"));
    }
    service.accepted("/v1/markup/generate", &json!({"address": "1 Main St", "options": {"note": "one\ntwo"}})).await;
}

#[tokio::test]
async fn jobs_stored_with_control_characters_are_still_shown_and_listed() {
    let service = Service::new().await;
    let now = aerie_domain::Clock::now(&*service.clock);
    let hostile = "1 Main\0St\u{1b}[2J\u{9b}\u{202e}";
    for (job_type, input) in [
        (JobType::DroneFootage, json!({"address": hostile})),
        (JobType::ImageEnhance, json!({"image_url": hostile, "options": {"prompt": hostile, "listing_id": hostile}})),
        (JobType::Markup, json!({"address": hostile, "options": {"note": hostile}})),
    ] {
        let id = JobId::new(now);
        let job = NewJob {
            id,
            org_id: service.org,
            input: JobInput::read(job_type, &input).unwrap(),
            input_media: std::collections::BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1,
            request_id: RequestId::new(now),
            idempotency_key: None,
            limits: JobLimits::default(),
        };
        service.store.job_submit(job).await.unwrap().unwrap();
        assert_eq!(service.get(&format!("/v1/jobs/{id}")).await.json()["data"]["input"], input);
    }
    assert_eq!(service.get("/v1/jobs").await.json()["data"].as_array().unwrap().len(), 3);
}

#[test]
fn the_document_allows_in_a_text_exactly_what_its_layout_allows() {
    for field in fields("http://127.0.0.2/") {
        let schema = &field.schema;
        if schema["enum"].is_array() || matches!(schema["format"].as_str(), Some("date" | "uuid")) {
            continue;
        }
        let pattern = schema["pattern"].as_str().unwrap_or_default();
        let layout = if field.is_prompt() { Layout::Prose } else { Layout::Line };
        let class = layout.refused_class();
        let own = Value::from(pattern);
        let is_general =
            [format!("^[^{class}]*$"), format!(r"^[^{class}]*[^\s{class}][^{class}]*$")].iter().any(|of| own == *of);
        let is_stricter = ["^[a-z", "^#[0-9", "^[0-9]"].iter().any(|start| pattern.starts_with(start));
        assert!(is_general || is_stricter, "{field:?}");
    }
}
