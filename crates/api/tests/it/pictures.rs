//! Downloads of picture URLs when a job is submitted.

use aerie_domain::OrgChanges;
use aerie_test_data::picture_server::{PictureServer, png};
use axum::body::Body;
use axum::http::Request;
use jiff::SignedDuration;
use serde_json::json;

use crate::harness::{Answer, Service};

const PATH: &str = "/v1/image-enhance/generate";

async fn submit(service: &Service, url: &str) -> Answer {
    service.post(PATH, &json!({"image_url": url})).await
}

/// A link to one of the first organization's pictures.
async fn own_link(service: &Service) -> String {
    let id = service.markup_awaiting_input().await;
    let job = service.get(&format!("/v1/jobs/{id}")).await.json();
    job["data"]["output"]["orientation_variants"][0]["enhanced_url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_picture_is_stored_beside_its_job_at_submit() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    for (path, body) in [
        (PATH, json!({"image_url": server.url("/png")})),
        ("/v1/virtual-staging/generate", json!({"image_url": server.url("/png"), "room_type": "bedroom"})),
        ("/v1/video-clip/generate", json!({"image_url": server.url("/png")})),
    ] {
        let id = service.accepted(path, &body).await;
        let job = service.store.job_get(None, Service::job_id(&id)).await.unwrap().unwrap();
        let key = format!("{}/{id}/input/image.png", service.org);
        assert_eq!(job.input_media, [("/image_url".to_owned(), key.clone())].into());
        assert_eq!(service.media.media_head(&key).await.unwrap().size, png(640, 480).len() as u64);
        assert_eq!(job.input["image_url"], server.url("/png"));
    }
}

#[tokio::test]
async fn all_photos_of_a_film_are_stored_at_submit_and_a_bad_one_is_named_and_leaves_nothing() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let film = |urls: Vec<String>| {
        let photos: Vec<_> = urls.into_iter().map(|url| json!({"image_url": url})).collect();
        json!({"image_url": server.url("/png"), "options": {"photos": photos}})
    };
    // More than an organization may fetch at once.
    let id = service.accepted("/v1/video-clip/generate", &film(vec![server.url("/png"); 39])).await;
    let job = service.store.job_get(None, Service::job_id(&id)).await.unwrap().unwrap();
    assert_eq!(job.input_media.len(), 40);
    let key = format!("{}/{id}/input/options-photos-38-image.png", service.org);
    assert_eq!(job.input_media["/options/photos/38/image_url"], key);
    assert_eq!(service.media.media_head(&key).await.unwrap().size, png(640, 480).len() as u64);

    let stored = service.media.media_delete(&service.org.to_string(), &[]).await.unwrap();
    assert_eq!(stored, 40);
    let urls = ["/png", "/png", "/gif", "/png"].map(|path| server.url(path)).to_vec();
    let answer = service.post("/v1/video-clip/generate", &film(urls)).await;
    answer.assert_refused(400, "INVALID_URL", "`options.photos[2].image_url` is a GIF image");
    assert_eq!(service.media.media_delete(&service.org.to_string(), &[]).await.unwrap(), 0);
}

#[tokio::test]
async fn all_exposures_of_a_photo_are_stored_at_submit_and_a_bad_one_is_named_and_leaves_nothing() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let bracket =
        |exposures: Vec<String>| json!({"image_url": server.url("/png"), "options": {"exposures": exposures}});
    let path = "/v1/image-enhance/generate";
    let body = bracket(vec![server.url("/png"); 8]);
    let id = service.accepted(path, &body).await;
    let job = service.store.job_get(None, Service::job_id(&id)).await.unwrap().unwrap();
    assert_eq!(job.input, body);
    assert_eq!(job.input_media.len(), 9);
    let key = format!("{}/{id}/input/options-exposures-7.png", service.org);
    assert_eq!(job.input_media["/options/exposures/7"], key);
    assert_eq!(service.media.media_head(&key).await.unwrap().size, png(640, 480).len() as u64);

    assert_eq!(service.media.media_delete(&service.org.to_string(), &[]).await.unwrap(), 9);
    for (bad, why) in [(server.url("/gif"), "is a GIF image"), ("http://10.0.0.1/dark.jpg".to_owned(), "")] {
        let answer = service.post(path, &bracket(vec![server.url("/png"), server.url("/png"), bad])).await;
        answer.assert_refused(400, "INVALID_URL", &format!("`options.exposures[2]` {why}"));
        assert_eq!(service.media.media_delete(&service.org.to_string(), &[]).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn a_url_without_an_image_is_invalid_url_with_field_and_reason() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    for (url, reason) in [
        ("no url".to_owned(), "is not a URL"),
        ("ftp://127.0.0.2/x.png".to_owned(), "http:// or https://"),
        ("file:///etc/passwd".to_owned(), "http:// or https://"),
        ("data:image/png;base64,AAAA".to_owned(), "http:// or https://"),
        ("http://unknown.example.invalid/x.png".to_owned(), "does not lead to a public address"),
        (server.url("/status/404"), "status 404"),
        (server.url("/gif"), "a GIF image; JPEG, PNG, WebP, TIFF, HEIC, AVIF and DNG"),
        (server.url("/png/10000/10001"), "10000 x 10001 pixels"),
        (server.url("/hops/4"), "too many redirects"),
        (server.url("/claims-huge"), "larger than 60000000 bytes"),
        (server.url("/drip"), "within 2 seconds"),
    ] {
        submit(&service, &url).await.assert_refused(400, "INVALID_URL", reason);
    }
    assert_eq!(service.get("/v1/jobs").await.json()["pagination"]["total"], 0);
}

#[tokio::test]
async fn links_of_this_service_are_read_from_the_store_and_not_over_the_network() {
    let service = Service::new().await;
    // aerie.test does not resolve, so this could not succeed over the network.
    let link = own_link(&service).await;
    assert_eq!(submit(&service, &link).await.status, 202);
    let other = service.post_as_other(PATH, &json!({"image_url": link})).await;
    assert_eq!(other.status, 202, "whoever has a good link may use it");
}

#[tokio::test]
async fn owners_may_use_their_media_without_a_valid_signature_and_nobody_else_may() {
    let service = Service::new().await;
    let link = own_link(&service).await;
    service.clock.advance(SignedDuration::from_hours(8 * 24));
    let bare = link.split('?').next().unwrap().to_owned();
    for url in [link, bare] {
        assert_eq!(submit(&service, &url).await.status, 202);
        let other = service.post_as_other(PATH, &json!({"image_url": url})).await;
        other.assert_refused(400, "INVALID_URL", "not valid or has expired");
    }
}

#[tokio::test]
async fn links_of_this_service_to_missing_media_or_other_files_are_invalid_url() {
    let service = Service::new().await;
    let base = format!("http://aerie.test/media/{}", service.org);
    let id = service.completed().await;
    submit(&service, &format!("{base}/{id}/1/video.mp4")).await.assert_refused(400, "INVALID_URL", "not an image");
    for key in ["x/1/a.png", "../test.db", "..%2f..%2ftest.db", ""] {
        submit(&service, &format!("{base}/{key}")).await.assert_refused(400, "INVALID_URL", "not valid");
    }
}

#[tokio::test]
async fn no_picture_is_left_when_the_job_is_refused() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    service.terms(OrgChanges { monthly_quota: Some(Some(0)), ..OrgChanges::default() }).await;
    submit(&service, &server.url("/png")).await.assert_refused(403, "INSUFFICIENT_QUOTA", "");
    assert_eq!(service.media.media_delete(&service.org.to_string(), &[]).await.unwrap(), 0);
}

#[tokio::test]
async fn one_organization_with_slow_servers_is_asked_to_retry_and_leaves_capacity_for_others() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let body = json!({"image_url": server.url("/hang")});
    let hanging = futures_util::future::join_all((0..17).map(|_| service.post(PATH, &body)));
    let meanwhile = async {
        while server.connections() < 16 {
            tokio::task::yield_now().await;
        }
        service.post_as_other(PATH, &json!({"image_url": server.url("/png")})).await
    };
    let (hung, other) = tokio::join!(hanging, meanwhile);
    assert_eq!(other.status, 202);
    let (refused, timed_out): (Vec<_>, Vec<_>) = hung.into_iter().partition(|answer| answer.status == 429);
    assert_eq!((refused.len(), timed_out.len()), (1, 16));
    refused[0].assert_refused(429, "RATE_LIMITED", "images are being fetched");
    assert_eq!(refused[0].header("retry-after"), "10");
    for answer in timed_out {
        answer.assert_refused(400, "INVALID_URL", "within 2 seconds");
    }
    assert_eq!(submit(&service, &server.url("/png")).await.status, 202, "the seats are free again");
}

#[tokio::test]
async fn a_stored_picture_is_served_with_its_type() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let id = service.accepted(PATH, &json!({"image_url": server.url("/png")})).await;
    let link =
        service.links.sign(&format!("{}/{id}/input/image.png", service.org), "2026-03-10T12:00:00Z".parse().unwrap());
    let answer = service.send(Request::get(link).body(Body::empty()).unwrap()).await;
    assert_eq!((answer.header("content-type"), answer.bytes.clone()), ("image/png", png(640, 480)));
}
