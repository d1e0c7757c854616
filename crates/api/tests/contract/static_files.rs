//! The OpenAPI document and the page of the documentation, which do not change while the server runs.

use std::io::Read;

use axum::body::Body;
use axum::http::Request;

use crate::harness::{Answer, Service};

const FILES: [&str; 4] = ["/openapi.json", "/docs/", "/docs/swagger-ui-bundle.js", "/docs/swagger-initializer.js"];

async fn get_with(service: &Service, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
    service.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_file_is_compressed_for_clients_that_accept_it() {
    let service = Service::new().await;
    for path in FILES {
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
    for path in FILES {
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
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html"));
    let mut files = 0;
    for part in text.split(['"', '\'']).filter(|part| part.ends_with(".js") || part.ends_with(".css")) {
        let file = service.get(&format!("/docs/{}", part.trim_start_matches("./"))).await;
        assert_eq!(file.status, 200, "{part}");
        files += 1;
    }
    assert!(files >= 3, "{text}");
    assert!(!text.contains("://"), "the page asks another host: {text}");
    assert!(!text.contains("<script>"), "the policy lets no script run that stands in the page: {text}");
    let initializer = String::from_utf8(service.get("/docs/swagger-initializer.js").await.bytes).unwrap();
    assert!(initializer.contains("../openapi.json") && !initializer.contains("petstore"), "{initializer}");
    service.get("/docs/nothing.js").await.assert_refused(404, "NOT_FOUND", "");
    service.get("/docs/..%2f..%2fconfig.toml").await.assert_refused(404, "NOT_FOUND", "");
}
