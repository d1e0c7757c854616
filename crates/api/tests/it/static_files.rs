//! The OpenAPI document and the page of the documentation, which do not change while the server runs.

use std::io::Read;

use axum::body::Body;
use axum::http::Request;

use crate::harness::{Answer, Service};

/// The document, the page and its files.
async fn files(service: &Service) -> Vec<String> {
    let page = service.get("/docs/").await;
    let page = std::str::from_utf8(&page.bytes).unwrap();
    let parts = page.split(['"', '\'']).filter(|part| part.ends_with(".js") || part.ends_with(".css"));
    let files = parts.map(|part| format!("/docs/{}", part.trim_start_matches("./")));
    ["/openapi.json".to_owned(), "/docs/".to_owned()].into_iter().chain(files).collect()
}

async fn get_with(service: &Service, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
    service.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_file_is_compressed_for_clients_that_accept_it() {
    let service = Service::new().await;
    for path in files(&service).await {
        let path = path.as_str();
        let plain = get_with(&service, path, &[("Accept-Encoding", "gzip;q=0")]).await;
        let gzip = get_with(&service, path, &[("Accept-Encoding", "br, gzip")]).await;
        assert_eq!((plain.header("content-encoding"), gzip.header("content-encoding")), ("", "gzip"), "{path}");
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(gzip.bytes.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == plain.bytes && gzip.bytes.len() < plain.bytes.len(), "{path}");
        for answer in [&plain, &gzip] {
            assert_eq!(answer.header("vary"), "Accept-Encoding", "{path}");
            assert_eq!(answer.header("content-type"), plain.header("content-type"));
            assert_eq!(answer.header("content-length"), answer.bytes.len().to_string(), "{path}");
        }
        assert_ne!(plain.header("etag"), gzip.header("etag"), "{path}");
    }
}

#[tokio::test]
async fn a_client_with_the_current_file_gets_304() {
    let service = Service::new().await;
    for path in files(&service).await {
        let path = path.as_str();
        for encoding in ["identity", "gzip"] {
            let full = get_with(&service, path, &[("Accept-Encoding", encoding)]).await;
            let etag = full.header("etag").to_owned();
            assert!(etag.starts_with('"'), "a strong one: {etag}");
            let tags = format!("\"other\", W/{etag}");
            let again = get_with(&service, path, &[("Accept-Encoding", encoding), ("If-None-Match", &tags)]).await;
            assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{path}");
            for name in ["etag", "vary", "cache-control"] {
                assert_eq!(again.header(name), full.header(name), "{name} of {path}");
            }
            let changed = [("Accept-Encoding", encoding), ("If-None-Match", "\"other\"")];
            assert_eq!(get_with(&service, path, &changed).await.status, 200);
        }
    }
}

#[tokio::test]
async fn head_has_the_length_and_no_body() {
    let service = Service::new().await;
    let full = get_with(&service, "/docs/", &[]).await;
    let request = Request::head("/docs/").body(Body::empty()).unwrap();
    let head = service.send(request).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), full.bytes.len().to_string());
}

#[tokio::test]
async fn the_docs_page_loads_everything_from_this_server() {
    let service = Service::new().await;
    let moved = service.get("/docs").await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (308, "docs/"));
    let page = service.get("/docs/").await;
    let text = String::from_utf8(page.bytes.clone()).unwrap();
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let files = files(&service).await;
    assert_eq!(files.len(), 4, "a script and a style sheet: {text}");
    for path in &files {
        assert_eq!(service.get(path).await.status, 200, "{path}");
    }
    assert!(!text.contains("://"), "the page asks another host: {text}");
    assert!(!text.contains("<script>"), "the policy lets no script run that stands in the page: {text}");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("require-trusted-types-for 'script'") && !policy.contains("unsafe"), "{policy}");
    service.get("/docs/nothing.js").await.assert_refused(404, "NOT_FOUND", "");
    service.get("/docs/..%2f..%2fconfig.toml").await.assert_refused(404, "NOT_FOUND", "");
}
