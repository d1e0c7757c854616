//! `/media`: signed links and ranges.

use std::sync::Arc;

use aerie_api::Transport;
use aerie_storage::contract::Remote;
use aerie_storage::{MediaOperation, MediaStore};
use axum::body::Body;
use axum::http::Request;
use jiff::SignedDuration;
use object_store::chunked::ChunkedStore;
use object_store::{Attribute, AttributeValue, ObjectStore, PutOptions};

use crate::harness::{Answer, Service};
use crate::served::Served;

/// Path and query of the link to a new film of ten bytes.
async fn link(service: &Service) -> String {
    let id = service.completed().await;
    let job = service.get(&format!("/v1/jobs/{id}")).await.json();
    let url = job["data"]["output"]["video_url"].as_str().unwrap().to_owned();
    url.strip_prefix("http://aerie.test").unwrap().to_owned()
}

async fn fetch(service: &Service, method: &str, link: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(link);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    service.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_link_returns_the_file_without_a_key() {
    let service = Service::new().await;
    let link = link(&service).await;
    let answer = fetch(&service, "GET", &link, &[]).await;
    assert_eq!((answer.status.as_u16(), answer.bytes.as_slice()), (200, b"0123456789".as_slice()));
    assert_eq!((answer.header("content-type"), answer.header("content-length")), ("video/mp4", "10"));
    assert_eq!(answer.header("accept-ranges"), "bytes");
    assert!(answer.header("last-modified").ends_with(" GMT"));
}

#[tokio::test]
async fn a_range_is_206_with_its_position() {
    let service = Service::new().await;
    let link = link(&service).await;
    for (range, place, bytes) in
        [("bytes=2-4", "bytes 2-4/10", "234"), ("bytes=7-", "bytes 7-9/10", "789"), ("bytes=-2", "bytes 8-9/10", "89")]
    {
        let answer = fetch(&service, "GET", &link, &[("Range", range)]).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.as_slice()), (206, bytes.as_bytes()), "{range}");
        assert_eq!(answer.header("content-range"), place);
        assert_eq!(answer.header("content-length"), bytes.len().to_string());
    }
    let beyond = fetch(&service, "GET", &link, &[("Range", "bytes=10-")]).await;
    assert_eq!((beyond.status.as_u16(), beyond.header("content-range")), (416, "bytes */10"));
}

#[tokio::test]
async fn head_returns_the_length_and_no_body() {
    let service = Service::new().await;
    let link = link(&service).await;
    let answer = fetch(&service, "HEAD", &link, &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-length"), answer.bytes.len()), (200, "10", 0));
    let part = fetch(&service, "HEAD", &link, &[("Range", "bytes=0-3")]).await;
    assert_eq!((part.status.as_u16(), part.header("content-length")), (206, "4"));
}

#[tokio::test]
async fn a_file_that_the_client_already_has_is_not_sent_again() {
    let service = Service::new().await;
    let link = link(&service).await;
    let etag = fetch(&service, "GET", &link, &[]).await.header("etag").to_owned();
    assert!(etag.starts_with('"') && etag.ends_with('"'));
    let answer = fetch(&service, "GET", &link, &[("If-None-Match", &etag)]).await;
    assert_eq!((answer.status.as_u16(), answer.bytes.len()), (304, 0));
    let other = fetch(&service, "GET", &link, &[("If-Range", "\"other\""), ("Range", "bytes=0-1")]).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn an_expired_link_is_403_and_says_so() {
    let service = Service::new().await;
    let link = link(&service).await;
    service.clock.advance(SignedDuration::from_hours(7 * 24) - SignedDuration::from_secs(2));
    assert_eq!(fetch(&service, "GET", &link, &[]).await.status, 200);
    service.clock.advance(SignedDuration::from_secs(3));
    fetch(&service, "GET", &link, &[]).await.assert_refused(403, "FORBIDDEN", "expired");
}

#[tokio::test]
async fn a_link_that_was_tampered_with_is_403() {
    let service = Service::new().await;
    let link = link(&service).await;
    let bare = link.split('?').next().unwrap();
    for wrong in [
        bare.to_owned(),
        link.replace("video.mp4", "thumbnail.jpg"),
        link.replace("expires=1", "expires=2"),
        link.replace("signature=", "signature=0"),
        format!("{bare}?expires=x&signature=y"),
        "/media/x".to_owned(),
        "/media/..%2F..%2Ftest.db?expires=9999999999&signature=00".to_owned(),
    ] {
        fetch(&service, "GET", &wrong, &[]).await.assert_refused(403, "FORBIDDEN", "not valid");
    }
}

#[tokio::test]
async fn a_valid_link_to_a_removed_file_is_404() {
    let service = Service::new().await;
    let link = link(&service).await;
    service.media.media_delete(&service.org.to_string(), &[]).await.unwrap();
    fetch(&service, "GET", &link, &[]).await.assert_refused(404, "NOT_FOUND", "no longer kept");
}

#[tokio::test]
async fn a_link_to_media_in_a_bucket_redirects_there_for_five_minutes_if_it_is_valid() {
    let service = Service::new().await.with_bucket();
    let link = link(&service).await;
    for method in ["GET", "HEAD"] {
        let answer = fetch(&service, method, &link, &[("Range", "bytes=2-4")]).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (302, 0));
        assert_eq!(answer.header("cache-control"), "no-store");
        let place = answer.header("location").to_owned();
        assert!(place.starts_with("https://bucket.test/") && place.contains("/video.mp4?"), "{place}");
        assert!(place.contains(&format!("method={method}&expires=300&type=video/mp4")), "{place}");
    }
    let forged = fetch(&service, "GET", &link.replace("signature=", "signature=0"), &[]).await;
    assert_eq!((forged.status.as_u16(), forged.headers.get("location")), (403, None));
    service.clock.advance(SignedDuration::from_hours(24 * 7));
    let expired = fetch(&service, "GET", &link, &[]).await;
    assert_eq!((expired.status.as_u16(), expired.headers.get("location")), (403, None));
}

#[tokio::test]
async fn a_page_of_the_server_that_reads_media_in_a_bucket_gets_them_through_the_server() {
    let service = Service::new().await.with_bucket();
    let link = link(&service).await;
    for (site, mode, expected) in
        [("same-origin", "cors", 200), ("same-origin", "no-cors", 302), ("cross-site", "cors", 302)]
    {
        let headers = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode)];
        assert_eq!(fetch(&service, "GET", &link, &headers).await.status.as_u16(), expected, "{site} {mode}");
    }
}

#[tokio::test]
async fn lost_media_in_a_bucket_are_not_found_here_rather_than_there() {
    let service = Service::new().await.with_bucket();
    let link = link(&service).await;
    service.media.media_delete(&service.org.to_string(), &[]).await.unwrap();
    assert_eq!(fetch(&service, "GET", &link, &[]).await.status.as_u16(), 404);
}

#[tokio::test]
async fn damaged_media_are_never_received_as_complete() {
    let remote = Remote::default();
    // In pieces of 4, 4 and 2 bytes, and in one.
    for piece in [4, 100] {
        let objects = ChunkedStore::new(Arc::new(remote.clone()), piece);
        let media = MediaStore::with_signer(Arc::new(objects), Arc::new(remote.clone()));
        let service = Service::new().await.with_media(media);
        let link = link(&service).await;
        let served = Served::with(service.clone(), service.router.clone(), Transport::plain()).await;
        assert!(served.ask(&link, "").await.ends_with("\r\n\r\n0123456789"));
        // Other bytes than those that the checksum is of.
        let (key, _) = link.strip_prefix("/media/").unwrap().split_once('?').unwrap();
        let checksum = (Attribute::Metadata("sha256".into()), AttributeValue::from("00".repeat(32)));
        let attributes = [checksum].into_iter().collect();
        let options = PutOptions { attributes, ..PutOptions::default() };
        remote.objects().put_opts(&key.into(), b"0123456780".to_vec().into(), options).await.unwrap();
        for range in ["", "Range: bytes=0-9\r\n"] {
            let before = service.media.requests(MediaOperation::Get)[1];
            let answer = served.ask(&link, range).await;
            let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
            assert!(body.len() < 10, "{answer}");
            assert_eq!(service.media.requests(MediaOperation::Get)[1], before + 1, "{answer}");
        }
        // A part of them has no checksum of its own.
        assert!(served.ask(&link, "Range: bytes=1-9\r\n").await.ends_with("\r\n\r\n123456780"));
    }
}
