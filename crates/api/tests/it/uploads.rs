//! Photos that clients upload, whole or in parts, and jobs that use them.

use std::time::Duration;

use aerie_api::Transport;
use aerie_domain::OrgChanges;
use aerie_storage::retention;
use aerie_test_data::heif::{self, Item};
use aerie_test_data::picture_server::{PictureServer, png};
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use futures_util::stream;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::harness::{Answer, Service};
use crate::served::{Served, get, read_to_end};

const UPLOADS: &str = "/v1/uploads";
const ENHANCE: &str = "/v1/image-enhance/generate";

/// A photo of some size, with bytes after what a header needs.
fn photo(width: u32) -> Vec<u8> {
    [png(width, 480), vec![7; 3000]].concat()
}

impl Service {
    async fn upload(&self, bytes: Vec<u8>) -> Answer {
        let request = self.request("POST", &format!("{UPLOADS}?filename=kitchen.jpg"));
        self.send(request.header("Content-Type", "image/png").body(Body::from(bytes)).unwrap()).await
    }

    /// Begins an upload in parts; returns its path.
    async fn begin(&self, size: usize) -> String {
        let request = self.request("POST", UPLOADS).header("Tus-Resumable", "1.0.0");
        let request = request.header("Upload-Length", size).header("Upload-Metadata", "filename a8O8Y2hlLmpwZw==");
        let answer = self.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
        assert_eq!((answer.header("Upload-Offset"), answer.header("Tus-Resumable")), ("0", "1.0.0"));
        answer.header("Location").to_owned()
    }

    async fn part(&self, path: &str, offset: usize, body: Body) -> Answer {
        let request = self.request("PATCH", path).header("Tus-Resumable", "1.0.0").header("Upload-Offset", offset);
        self.send(request.header("Content-Type", "application/offset+octet-stream").body(body).unwrap()).await
    }

    async fn head(&self, path: &str) -> Answer {
        self.send(self.request("HEAD", path).body(Body::empty()).unwrap()).await
    }

    /// Bytes of media of the first organization.
    async fn stored(&self) -> u64 {
        self.media.media_list(&self.org.to_string()).await.unwrap().iter().map(|file| file.size).sum()
    }
}

fn image_url(answer: &Answer) -> Value {
    answer.json()["data"]["image_url"].clone()
}

#[tokio::test]
async fn an_uploaded_photo_is_described_and_a_job_gets_its_bytes() {
    let service = Service::new().await;
    let bytes = photo(640);
    let answer = service.upload(bytes.clone()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
    let data = &answer.json()["data"];
    assert_eq!((&data["status"], &data["filename"]), (&json!("complete"), &json!("kitchen.jpg")));
    assert_eq!((&data["width"], &data["height"], &data["format"]), (&json!(640), &json!(480), &json!("png")));
    assert_eq!((&data["size"], &data["received"]), (&json!(bytes.len()), &json!(bytes.len())));
    assert_eq!(data["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(data["expires_at"], "2026-03-17T12:00:00.250Z");
    let path = format!("{UPLOADS}/{}", data["upload_id"].as_str().unwrap());
    assert_eq!(service.get(&path).await.json()["data"], *data);

    let id = service.accepted(ENHANCE, &json!({"image_url": data["image_url"]})).await;
    let job = service.store.job_get(None, Service::job_id(&id)).await.unwrap().unwrap();
    let key = format!("{}/{id}/input/image.png", service.org);
    assert_eq!(job.input_media, [("/image_url".to_owned(), key.clone())].into());
    assert_eq!(job.input["image_url"], data["image_url"]);
    assert_eq!(service.media.media_head(&key).await.unwrap().size, bytes.len() as u64);

    // Deleting the upload leaves the job its copy.
    let deleted = service.send(service.request("DELETE", &path).body(Body::empty()).unwrap()).await;
    assert_eq!((deleted.status, deleted.bytes.len()), (StatusCode::NO_CONTENT, 0));
    service.get(&path).await.assert_refused(404, "UPLOAD_NOT_FOUND", "does not exist");
    service.clock.advance(SignedDuration::from_hours(2));
    retention::sweep(&*service.store, &service.media, Duration::ZERO).await.unwrap();
    assert_eq!(service.stored().await, bytes.len() as u64);
}

#[tokio::test]
async fn an_upload_in_parts_goes_on_at_another_node_where_the_connection_was_lost() {
    let service = Service::new().await;
    let bytes = photo(641);
    let path = service.begin(bytes.len()).await;
    let first = service.part(&path, 0, Body::from(bytes[..1000].to_vec())).await;
    assert_eq!((first.status, first.header("Upload-Offset")), (StatusCode::NO_CONTENT, "1000"));
    // The connection is lost after 500 bytes of the second part.
    let lost = [Ok(Bytes::copy_from_slice(&bytes[1000..1500])), Err(std::io::Error::other("lost"))];
    let lost = service.part(&path, 1000, Body::from_stream(stream::iter(lost))).await;
    lost.assert_refused(400, "VALIDATION_ERROR", "could not be read to its end");
    let node = service.node();
    let head = node.head(&path).await;
    assert_eq!((head.status, head.header("Upload-Offset")), (StatusCode::OK, "1500"));
    assert_eq!(head.header("Upload-Length"), bytes.len().to_string());
    assert_eq!(head.header("Upload-Expires"), "Tue, 17 Mar 2026 12:00:00 GMT");
    // Not a second time, and not beyond the end.
    let again = node.part(&path, 1000, Body::from(bytes[1000..].to_vec())).await;
    again.assert_refused(409, "UPLOAD_CONFLICT", "continue it with `Upload-Offset: 1500`");
    let long = node.part(&path, 1500, Body::from(bytes.clone())).await;
    long.assert_refused(400, "VALIDATION_ERROR", "longer than the");
    // A job cannot use it yet.
    let url = image_url(&node.get(&path).await);
    let early = node.post(ENHANCE, &json!({"image_url": url})).await;
    early.assert_refused(400, "INVALID_URL", "`image_url` names an upload of which 1500 of");

    let last = node.part(&path, 1500, Body::from(bytes[1500..].to_vec())).await;
    assert_eq!((last.status, last.header("Upload-Offset")), (StatusCode::NO_CONTENT, bytes.len().to_string().as_str()));
    let data = node.get(&path).await.json()["data"].clone();
    assert_eq!((&data["status"], &data["filename"]), (&json!("complete"), &json!("küche.jpg")));
    let id = node.accepted(ENHANCE, &json!({"image_url": url})).await;
    let key = format!("{}/{id}/input/image.png", service.org);
    let stored = service.folder.path().join("media").join(&key);
    assert_eq!(std::fs::read(stored).unwrap(), bytes);
}

#[tokio::test]
async fn another_organizations_upload_is_refused_as_an_unknown_one_is() {
    let service = Service::new().await;
    let answer = service.upload(photo(640)).await;
    let url = image_url(&answer);
    let unknown = "aerie:upload/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27";
    let refusals = [json!(unknown), url.clone(), json!("aerie:upload/x"), json!("aerie:upload/")];
    let mut given = Vec::new();
    for url in refusals {
        given.push(service.post_as_other(ENHANCE, &json!({"image_url": url})).await.refusal());
    }
    assert_eq!((given[0].0, given[0].1.as_str()), (400, "INVALID_URL"));
    assert!(given.iter().all(|refusal| *refusal == given[0]), "{given:?}");
    let image = image_url(&service.upload(photo(640)).await);
    let own = json!({"image_url": image, "options": {"exposures": [image, url]}});
    service.accepted(ENHANCE, &own).await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let exposure = json!({"image_url": server.url("/png"), "options": {"exposures": [url]}});
    let (status, code, message) = service.post_as_other(ENHANCE, &exposure).await.refusal();
    assert_eq!((status, code.as_str()), (400, "INVALID_URL"));
    assert!(message.starts_with("`options.exposures[0]` names no upload of the organization"), "{message}");
    let path = answer.header("Location").to_owned();
    let other = service.get_as_other(&path).await;
    let never = service.get_as_other(&format!("{UPLOADS}/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27")).await;
    assert_eq!(other.refusal(), never.refusal());
    service.get_as_other(&format!("{UPLOADS}/1")).await.assert_refused(400, "VALIDATION_ERROR", "`uploadId`");
}

#[tokio::test]
async fn a_heic_is_accepted_with_the_size_that_it_is_shown_in() {
    let service = Service::new().await;
    let picture = Item::new(b"hvc1", b"a picture").size(640, 480).property(b"irot", &[1]);
    let answer = service.upload(heif::file(b"heic", &[b"mif1", b"heic"], &[picture])).await;
    let upload = &answer.json()["data"];
    assert_eq!(upload["status"], "complete", "{upload}");
    assert_eq!((&upload["format"], &upload["width"], &upload["height"]), (&json!("heic"), &json!(480), &json!(640)));
    service.accepted(ENHANCE, &json!({"image_url": image_url(&answer)})).await;
}

#[tokio::test]
async fn a_file_that_is_no_photo_is_refused_by_name_and_leaves_nothing() {
    let service = Service::new().await;
    let sequence = b"\0\0\0\x18ftyphevc\0\0\0\0msf1hevc".to_vec();
    for (bytes, reason) in [
        (sequence.clone(), "is a HEIC image sequence without a still image"),
        (
            b"\0\0\0\x0cJXL ".to_vec(),
            "is a JPEG XL image; JPEG, PNG, WebP, TIFF, HEIC, AVIF and DNG images are supported",
        ),
        (b"GIF89a".to_vec(), "is a GIF image"),
        (b"<!doctype html>".to_vec(), "is a web page"),
        (png(10_000, 10_001), "10000 x 10001 pixels; the limit is 100000000"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), "has an unreadable PNG header"),
        (Vec::new(), "the bytes of a photo"),
    ] {
        service.upload(bytes).await.assert_refused(400, "VALIDATION_ERROR", reason);
    }
    let path = service.begin(sequence.len()).await;
    let refused = service.part(&path, 0, Body::from(sequence)).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "The uploaded file is a HEIC image sequence");
    service.get(&path).await.assert_refused(404, "UPLOAD_NOT_FOUND", "does not exist");
    service.clock.advance(SignedDuration::from_hours(2));
    retention::sweep(&*service.store, &service.media, Duration::ZERO).await.unwrap();
    assert_eq!(service.stored().await, 0);
}

#[tokio::test]
async fn malformed_headers_and_sizes_are_refused_with_the_remedy() {
    let service = Service::new().await;
    let begin = async |length: &str, version: &str| {
        let request = service.request("POST", UPLOADS).header("Tus-Resumable", version).header("Upload-Length", length);
        service.send(request.body(Body::empty()).unwrap()).await
    };
    for length in ["0", "-1", "many", ""] {
        begin(length, "1.0.0").await.assert_refused(400, "VALIDATION_ERROR", "`Upload-Length`");
    }
    begin("150000001", "1.0.0").await.assert_refused(413, "UPLOAD_TOO_LARGE", "at most 150000000 bytes");
    let other = begin("10", "0.2.2").await;
    other.assert_refused(412, "UNSUPPORTED_VERSION", "`Tus-Resumable` must be 1.0.0");
    assert_eq!(other.header("Tus-Version"), "1.0.0");
    let path = service.begin(10).await;
    let untyped = service.request("PATCH", &path).header("Upload-Offset", 0).body(Body::from("x")).unwrap();
    service.send(untyped).await.assert_refused(415, "UNSUPPORTED_MEDIA_TYPE", "application/offset+octet-stream");
    let untyped = service.request("POST", UPLOADS).header("Tus-Resumable", "1.0.0").header("Upload-Length", 1);
    let untyped = untyped.header("Content-Type", "image/jpeg").body(Body::from("x")).unwrap();
    service.send(untyped).await.assert_refused(415, "UNSUPPORTED_MEDIA_TYPE", "application/offset+octet-stream");
    for method in ["PATCH", "HEAD", "DELETE"] {
        let other = service.request(method, &path).header("Tus-Resumable", "0.2.2").body(Body::empty()).unwrap();
        let other = service.send(other).await;
        assert_eq!((other.status.as_u16(), other.header("Tus-Version")), (412, "1.0.0"), "{method}");
    }
    let longer = service.request("PATCH", &path).header("Upload-Offset", 0).header("Upload-Length", 11);
    let longer = longer.header("Content-Type", "application/offset+octet-stream").body(Body::from("x")).unwrap();
    service.send(longer).await.assert_refused(400, "VALIDATION_ERROR", "`Upload-Length` is 10");
    let typed = service.request("PATCH", &path).header("Content-Type", "application/offset+octet-stream");
    let typed = typed.body(Body::from("x")).unwrap();
    service.send(typed).await.assert_refused(400, "VALIDATION_ERROR", "`Upload-Offset` must be a number");
    let too_large = vec![0; 150_000_001];
    service.upload(too_large).await.assert_refused(400, "VALIDATION_ERROR", "at most 150000000 bytes");
    for (path, allowed) in [(UPLOADS, "POST"), (path.as_str(), "PATCH")] {
        let options = service.request("OPTIONS", path).header("Tus-Resumable", "0.2.2").body(Body::empty()).unwrap();
        let options = service.send(options).await;
        assert_eq!((options.status, options.header("Tus-Version")), (StatusCode::NO_CONTENT, "1.0.0"));
        assert_eq!(options.header("Tus-Extension"), "creation,creation-with-upload,expiration,termination");
        assert!(options.header("Tus-Max-Size") == "150000000" && options.header("Allow").contains(allowed));
    }
}

#[tokio::test]
async fn each_response_to_a_request_for_an_upload_names_the_version_of_the_protocol() {
    let service = Service::new().await;
    let unknown = format!("{UPLOADS}/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27");
    let keyless = Request::get(&unknown).body(Body::empty()).unwrap();
    for (answer, status) in [
        (service.send(keyless).await, 401),
        (service.head(&unknown).await, 404),
        (service.head("/v1/uploads/nonsense").await, 400),
        (service.send(service.request("PUT", UPLOADS).body(Body::empty()).unwrap()).await, 405),
    ] {
        assert_eq!((answer.status.as_u16(), answer.header("Tus-Resumable")), (status, "1.0.0"));
    }
    assert!(!service.get("/v1/jobs").await.headers.contains_key("Tus-Resumable"));
}

#[tokio::test]
async fn a_client_without_patch_and_delete_names_the_method_in_a_header() {
    let service = Service::new().await;
    let bytes = photo(640);
    let path = service.begin(bytes.len()).await;
    let send = async |method: &str, given: &str, path: &str, offset: usize, body: Vec<u8>| {
        let request = service.request(method, path).header("X-HTTP-Method-Override", given);
        let request = request.header("Tus-Resumable", "1.0.0").header("Upload-Offset", offset);
        let request = request.header("Content-Type", "application/offset+octet-stream");
        service.send(request.body(Body::from(body)).unwrap()).await
    };
    let first = send("POST", "PATCH", &path, 0, bytes[..1000].to_vec()).await;
    assert_eq!((first.status, first.header("Upload-Offset")), (StatusCode::NO_CONTENT, "1000"));
    let head = send("POST", "HEAD", &path, 0, Vec::new()).await;
    assert_eq!((head.status, head.header("Upload-Offset")), (StatusCode::OK, "1000"));
    // The method that it was sent with counts for nothing.
    let rest = send("GET", "PATCH", &path, 1000, bytes[1000..].to_vec()).await;
    assert_eq!((rest.status, rest.header("Upload-Offset")), (StatusCode::NO_CONTENT, bytes.len().to_string().as_str()));
    send("DELETE", "nonsense", &path, 0, Vec::new()).await.assert_refused(405, "METHOD_NOT_ALLOWED", "method");
    assert_eq!(service.get(&path).await.json()["data"]["status"], "complete");
    let deleted = send("POST", "DELETE", &path, 0, Vec::new()).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    service.get(&path).await.assert_refused(404, "UPLOAD_NOT_FOUND", "does not exist");
    // Other paths have no such methods.
    let job = service.submit().await;
    let other = send("POST", "GET", &format!("/v1/jobs/{job}"), 0, Vec::new()).await;
    other.assert_refused(405, "METHOD_NOT_ALLOWED", "method");
}

#[tokio::test]
async fn extensions_that_are_not_announced_are_refused_before_anything_is_stored() {
    let service = Service::new().await;
    let begin = async |headers: &[(&str, &str)]| {
        let request = service.request("POST", UPLOADS);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        service.send(request.body(Body::from(photo(640))).unwrap()).await
    };
    let spoken = ("Tus-Resumable", "1.0.0");
    for (headers, part) in [
        (&[spoken, ("Upload-Concat", "partial"), ("Upload-Length", "10")][..], "`Upload-Concat` is not supported"),
        (&[spoken, ("Upload-Concat", "final;/v1/uploads/1 /v1/uploads/2")], "`Upload-Concat` is not supported"),
        (&[spoken, ("Upload-Defer-Length", "1")], "`Upload-Length` when the upload begins"),
        (&[spoken, ("Upload-Length", "10"), ("Upload-Checksum", "sha1 AAAA")], "`Upload-Checksum` is not supported"),
        // By other protocols, or without a version: it may be a part, whose header is that of a photo.
        (&[("Upload-Length", "10")], "`Upload-Length` needs the header `Tus-Resumable: 1.0.0`"),
        (&[("Upload-Complete", "?0"), ("Upload-Draft-Interop-Version", "6")], "`Upload-Complete` needs"),
        (&[("Upload-Incomplete", "?1"), ("Upload-Draft-Interop-Version", "3")], "`Upload-Incomplete` needs"),
    ] {
        begin(headers).await.assert_refused(400, "VALIDATION_ERROR", part);
    }
    let path = service.begin(10).await;
    let part = service.request("PATCH", &path).header("Upload-Offset", 0).header("Upload-Checksum", "sha1 AAAA");
    let part = part.header("Content-Type", "application/offset+octet-stream").body(Body::from("x")).unwrap();
    service.send(part).await.assert_refused(400, "VALIDATION_ERROR", "`Upload-Checksum` is not supported");
    let head = service.head(&path).await;
    assert_eq!((head.header("Upload-Offset"), head.header("Upload-Metadata")), ("0", "filename a8O8Y2hlLmpwZw=="));
    assert_eq!(service.stored().await, 0);
}

#[tokio::test]
async fn a_request_that_is_refused_before_its_body_is_read_is_answered_after_all_of_it_was_sent() {
    let served = Served::new(Transport::plain()).await;
    let key = &served.service.key;
    let unknown = "/v1/uploads/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27";
    for (method, path, key, expected) in [
        ("PUT", UPLOADS, key.as_str(), "405"),
        ("POST", UPLOADS, "wrong", "401"),
        ("PATCH", unknown, key, "404"),
        ("POST", ENHANCE, key, "400"),
        ("POST", UPLOADS, key, "400"),
    ] {
        let mut stream = served.connect().await;
        let size = 60 << 20;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nUpload-Offset: 0\r\n\
             Content-Type: application/offset+octet-stream\r\nContent-Length: {size}\r\n\r\n"
        );
        let head = if path == UPLOADS { head.replace("Upload-Offset: 0\r\n", "") } else { head };
        stream.write_all(head.as_bytes()).await.unwrap();
        // As clients do that read no response before.
        let part = vec![7; 1 << 20];
        for _ in 0..size >> 20 {
            stream.write_all(&part).await.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        }
        // On a connection that goes on.
        stream.write_all(get(&served.service.key, "/v1/jobs", "").as_bytes()).await.unwrap();
        let answers = read_to_end(&mut stream).await;
        assert!(answers.starts_with(&format!("HTTP/1.1 {expected} ")), "{method} {path}: {answers}");
        assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 1, "{method} {path}: {answers}");
    }
}

#[tokio::test]
async fn equal_photos_are_stored_once_and_kept_until_none_is_left() {
    let service = Service::new().await;
    let bytes = photo(640);
    let one = service.upload(bytes.clone()).await;
    let other = service.upload(bytes.clone()).await;
    assert_ne!(image_url(&one), image_url(&other));
    let swept = async || {
        service.clock.advance(SignedDuration::from_hours(2));
        retention::sweep(&*service.store, &service.media, Duration::ZERO).await.unwrap();
        service.stored().await
    };
    assert_eq!(swept().await, bytes.len() as u64);
    let delete = async |answer: &Answer| {
        let request = service.request("DELETE", answer.header("Location")).body(Body::empty()).unwrap();
        assert_eq!(service.send(request).await.status, StatusCode::NO_CONTENT);
    };
    delete(&one).await;
    assert_eq!(swept().await, bytes.len() as u64);
    service.accepted(ENHANCE, &json!({"image_url": image_url(&other)})).await;
    delete(&other).await;
    assert_eq!(swept().await, bytes.len() as u64, "the copy of the job");
}

#[tokio::test]
async fn an_upload_expires_after_seven_days_without_use() {
    let service = Service::new().await;
    let used = service.upload(photo(640)).await;
    let unused = service.upload(photo(641)).await;
    service.clock.advance(SignedDuration::from_hours(6 * 24));
    service.accepted(ENHANCE, &json!({"image_url": image_url(&used)})).await;
    service.clock.advance(SignedDuration::from_hours(2 * 24));
    service.get(unused.header("Location")).await.assert_refused(404, "UPLOAD_NOT_FOUND", "has expired");
    let late = service.post(ENHANCE, &json!({"image_url": image_url(&unused)})).await;
    late.assert_refused(400, "INVALID_URL", "or one that has expired; upload the photo again");
    assert_eq!(service.get(used.header("Location")).await.status, StatusCode::OK);
    retention::sweep(&*service.store, &service.media, Duration::ZERO).await.unwrap();
    service.clock.advance(SignedDuration::from_hours(2));
    retention::sweep(&*service.store, &service.media, Duration::ZERO).await.unwrap();
    assert_eq!(service.stored().await, 2 * photo(640).len() as u64, "the used one, and the copy of the job");
}

#[tokio::test]
async fn uploads_count_in_limits_of_their_own_and_not_in_those_of_the_plan() {
    let service = Service::new().await;
    service.terms(OrgChanges { plan: Some("few uploads".into()), ..OrgChanges::default() }).await;
    let answer = service.upload(photo(640)).await;
    assert!(answer.header("RateLimit-Policy").starts_with("\"minute\";q=3;"), "{}", answer.header("RateLimit-Policy"));
    // 7,000 bytes a month: room for two of 3,000 and some.
    assert_eq!(service.upload(photo(641)).await.status, StatusCode::CREATED);
    service.upload(photo(642)).await.assert_refused(403, "INSUFFICIENT_QUOTA", "of the 7000 bytes");
    let refused = service.upload(photo(643)).await;
    refused.assert_refused(429, "RATE_LIMITED", "may make 3 requests in 60 seconds");
    assert_eq!(refused.header("Tus-Resumable"), "1.0.0");
    // The plan allows two other requests a minute, and has both left.
    assert_eq!(service.get("/v1/jobs").await.status, StatusCode::OK);
    assert_eq!(service.get("/v1/jobs").await.status, StatusCode::OK);
    service.get("/v1/jobs").await.assert_refused(429, "RATE_LIMITED", "may make 2 requests");
    // Next month there is room again.
    service.clock.advance(SignedDuration::from_hours(24 * 31));
    assert_eq!(service.upload(photo(644)).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn an_upload_whose_last_request_was_interrupted_is_put_together_when_it_is_next_asked_for() {
    let service = Service::new().await;
    let bytes = photo(640);
    let path = service.begin(bytes.len()).await;
    assert_eq!(service.part(&path, 0, Body::from(bytes[..10].to_vec())).await.status, StatusCode::NO_CONTENT);
    // The last part as a node leaves it that dies before it puts the parts together.
    let id: aerie_domain::UploadId = path.rsplit('/').next().unwrap().parse().unwrap();
    let key = format!("{}/{id}/part-last", service.org);
    service.media.media_put_bytes(&key, bytes[10..].to_vec()).await.unwrap();
    let part = aerie_storage::UploadPart { key, offset: 10, size: bytes.len() as u64 - 10 };
    service.store.upload_append(service.org, id, part, Duration::from_secs(60)).await.unwrap().unwrap();
    let head = service.head(&path).await;
    assert_eq!(head.header("Upload-Offset"), bytes.len().to_string());
    let url = format!("aerie:upload/{id}");
    let job = service.accepted(ENHANCE, &json!({"image_url": url})).await;
    let stored = service.folder.path().join(format!("media/{}/{job}/input/image.png", service.org));
    assert_eq!(std::fs::read(stored).unwrap(), bytes);
}
