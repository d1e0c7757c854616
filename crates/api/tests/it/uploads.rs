//! Photos that clients upload, whole or in parts, and jobs that use them.

use std::time::Duration;

use aerie_domain::OrgChanges;
use aerie_storage::retention;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use futures_util::stream;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};
use crate::picture_server::{PictureServer, png};

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
async fn a_file_that_is_no_photo_is_refused_by_name_and_leaves_nothing() {
    let service = Service::new().await;
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    let avif = b"\0\0\0\x18ftypavif\0\0\0\0mif1avif".to_vec();
    for (bytes, reason) in [
        (heic.clone(), "is a HEIC image; JPEG, PNG, WebP and TIFF images are supported; convert it to JPEG"),
        (avif, "is an AVIF image"),
        (b"GIF89a".to_vec(), "is a GIF image"),
        (b"<!doctype html>".to_vec(), "is a web page"),
        (png(8000, 5001), "8000 x 5001 pixels; the limit is 40000000"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), "unreadable header"),
        (Vec::new(), "the bytes of a photo"),
    ] {
        service.upload(bytes).await.assert_refused(400, "VALIDATION_ERROR", reason);
    }
    let path = service.begin(heic.len()).await;
    let refused = service.part(&path, 0, Body::from(heic)).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "The uploaded file is a HEIC image");
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
    for length in ["0", "50000001", "-1", "many", ""] {
        begin(length, "1.0.0").await.assert_refused(400, "VALIDATION_ERROR", "`Upload-Length`");
    }
    begin("10", "0.2.2").await.assert_refused(400, "VALIDATION_ERROR", "`Tus-Resumable` must be 1.0.0");
    let path = service.begin(10).await;
    let untyped = service.request("PATCH", &path).header("Upload-Offset", 0).body(Body::from("x")).unwrap();
    service.send(untyped).await.assert_refused(400, "VALIDATION_ERROR", "application/offset+octet-stream");
    let typed = service.request("PATCH", &path).header("Content-Type", "application/offset+octet-stream");
    let typed = typed.body(Body::from("x")).unwrap();
    service.send(typed).await.assert_refused(400, "VALIDATION_ERROR", "`Upload-Offset` must be a number");
    let too_large = vec![0; 50_000_001];
    service.upload(too_large).await.assert_refused(400, "VALIDATION_ERROR", "at most 50000000 bytes");
    let options = service.send(service.request("OPTIONS", UPLOADS).body(Body::empty()).unwrap()).await;
    assert_eq!((options.status, options.header("Tus-Version")), (StatusCode::NO_CONTENT, "1.0.0"));
    assert!(options.header("Tus-Extension").contains("creation") && options.header("Tus-Max-Size") == "50000000");
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
