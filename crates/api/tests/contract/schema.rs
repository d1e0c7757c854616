//! The OpenAPI document.

use crate::harness::Service;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/openapi.json");

#[test]
fn the_committed_document_is_what_the_code_generates() {
    let generated = aerie_api::openapi().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(std::path::Path::new(FILE).parent().unwrap()).unwrap();
        std::fs::write(FILE, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    let differs = "schemas/openapi.json is out of date: run `UPDATE_SCHEMAS=1 cargo test -p aerie-api` and look at it";
    assert!(committed == generated, "{differs}");
}

#[tokio::test]
async fn the_document_is_served_without_a_key() {
    let service = Service::new().await;
    let request = axum::http::Request::get("/openapi.json").body(axum::body::Body::empty()).unwrap();
    let document = service.send(request).await.json();
    assert_eq!(document["openapi"], "3.1.0");
    for path in ["/v1/jobs", "/v1/jobs/{jobId}", "/v1/drone-footage/generate", "/v1/usage"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
}
