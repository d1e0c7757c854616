//! The finished media of a listing as one archive.

use std::io::{Cursor, Read as _};

use aerie_domain::{JobType, OrgChanges};
use aerie_storage::JobOutput;
use aerie_test_data::picture_server::PictureServer;
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::harness::Service;

impl Service {
    /// A listing with a kitchen and an empty bedroom, and jobs for all of its media; returns its path.
    async fn with_media_jobs(&self) -> String {
        let server = PictureServer::start("127.0.0.2:0").await;
        let photos = json!([
            {"id": "k", "image_url": server.url("/png/640/480"), "room_type": "kitchen", "title": "<Kitchen>"},
            {"id": "b", "image_url": server.url("/png/641/480"), "room_type": "bedroom", "empty": true},
        ]);
        let body = json!({"reference": "RX-1", "address": "1 Main St", "photos": photos});
        let created = self.post("/v1/listings", &body).await.json();
        let path = format!("/v1/listings/{}", created["data"]["listing_id"].as_str().unwrap());
        self.generate(&path, &json!({"enhance": true, "stage": true, "flight": true})).await;
        path
    }

    async fn generate(&self, path: &str, body: &Value) {
        let made = self.post(&format!("{path}/generate"), body).await;
        assert_eq!(made.status, StatusCode::ACCEPTED, "{}", made.json());
    }

    /// Completes the next job with files that say which job made them.
    async fn complete_next(&self) {
        let claim = self.claim().await;
        let (job, mut output) = (claim.job, JobOutput::default());
        let names = match job.job_type {
            JobType::DroneFootage => vec![("/video_url", "video.mp4")],
            _ => vec![("/image_url", "image.png"), ("/mls_url", "mls.jpg")],
        };
        for (pointer, name) in names {
            let key = format!("{}/{}/1/{name}", self.org, job.id);
            self.media.media_put_bytes(&key, format!("{name} of {}", job.id).into_bytes()).await.unwrap();
            output.media.insert(pointer.into(), key);
        }
        let fields = json!({
            "width": 6000, "height": 4000, "mls_width": 2048, "mls_height": 1365,
            "disclosure": {"text": "Exposure was raised."},
        });
        output.fields = fields.as_object().unwrap().clone();
        self.store.job_complete(&claim.lease, output).await.unwrap();
    }

    /// Names and contents of the files of an archive.
    async fn archive(&self, path: &str) -> Vec<(String, Vec<u8>)> {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", String::from_utf8_lossy(&answer.bytes));
        assert_eq!(answer.header("Content-Type"), "application/zip");
        let mut archive = zip::ZipArchive::new(Cursor::new(answer.bytes)).unwrap();
        let files = (0..archive.len()).map(|at| {
            let mut file = archive.by_index(at).unwrap();
            assert_eq!(file.compression(), zip::CompressionMethod::Stored);
            assert_eq!(file.unix_mode(), Some(0o100_644));
            let mut content = Vec::new();
            // Also compares the checksum.
            file.read_to_end(&mut content).unwrap();
            (file.name().unwrap().into_owned(), content)
        });
        files.collect()
    }
}

fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[tokio::test]
async fn an_archive_has_the_newest_finished_media_in_the_order_of_the_listing() {
    let service = Service::new().await;
    let path = service.with_media_jobs().await;
    let archive = format!("{path}/archive");
    service.get(&archive).await.assert_refused(404, "NOT_FOUND", "has no finished media");
    for _ in 0..4 {
        service.complete_next().await;
    }
    let files = service.archive(&archive).await;
    let pages = ["media.json", "contact-sheet.html"];
    let media = ["01-kitchen-enhanced.jpg", "02-bedroom-enhanced.jpg", "02-bedroom-staged.jpg", "flight.mp4"];
    assert_eq!(names(&files), [&pages[..], &media[..]].concat());
    let listing = service.get(&path).await.json()["data"].clone();
    let job_of = |kind: &str, photo: &Value| {
        let jobs = listing["jobs"].as_array().unwrap();
        jobs.iter().find(|job| job["job_type"] == kind && job["photo_id"] == *photo).unwrap()["job_id"].clone()
    };
    let staged = job_of("virtual_staging", &json!("b"));
    assert_eq!(files[4].1, format!("mls.jpg of {}", staged.as_str().unwrap()).into_bytes());

    let described: Value = serde_json::from_slice(&files[0].1).unwrap();
    let first = json!({
        "MediaKey": job_of("image_enhance", &json!("k")), "MediaURL": "01-kitchen-enhanced.jpg", "MediaCategory": "Photo",
        "MediaType": "jpg", "MediaModificationTimestamp": "2026-03-10T12:00:00.250Z", "Order": 1, "PreferredPhotoYN": true,
        "Permission": ["Public"], "ResourceName": "Property", "ResourceRecordKey": "RX-1", "ShortDescription": "<Kitchen>",
        "LongDescription": "Exposure was raised.", "ImageWidth": 2048, "ImageHeight": 1365,
    });
    assert_eq!((described["value"].as_array().unwrap().len(), &described["value"][0]), (4, &first));
    let sheet = String::from_utf8(files[1].1.clone()).unwrap();
    assert!(sheet.contains("&lt;Kitchen&gt;") && !sheet.contains("<Kitchen>") && sheet.contains("src=\"flight.mp4\""));

    // In the original size, and with the newer of two enhancements.
    service.generate(&path, &json!({"photos": ["k"], "enhance": true})).await;
    service.complete_next().await;
    let newest = service.get(&path).await.json()["data"]["jobs"][0]["job_id"].clone();
    let files = service.archive(&format!("{archive}?size=original")).await;
    assert_eq!(names(&files)[2..4], ["01-kitchen-enhanced.png", "02-bedroom-enhanced.png"]);
    assert_eq!(files[2].1, format!("image.png of {}", newest.as_str().unwrap()).into_bytes());
    service.get(&format!("{archive}?size=x")).await.assert_refused(
        400,
        "VALIDATION_ERROR",
        "`size` must be one of mls, original",
    );
    let other = service.get_as_other(&archive).await;
    other.assert_refused(404, "LISTING_NOT_FOUND", "The listing does not exist");
}

#[tokio::test]
async fn media_that_are_not_kept_any_more_are_left_out_of_an_archive() {
    let service = Service::new().await;
    let path = service.with_media_jobs().await;
    for _ in 0..4 {
        service.complete_next().await;
    }
    let listing = service.get(&path).await.json()["data"].clone();
    let flight = listing["jobs"].as_array().unwrap().iter().find(|job| job["job_type"] == "drone_footage").unwrap();
    let key = format!("{}/{}/1/video.mp4", service.org, flight["job_id"].as_str().unwrap());
    service.media.media_delete_files(&[key]).await.unwrap();
    let files = service.archive(&format!("{path}/archive")).await;
    assert_eq!(names(&files)[2..], ["01-kitchen-enhanced.jpg", "02-bedroom-enhanced.jpg", "02-bedroom-staged.jpg"]);
    service.terms(OrgChanges { keep_days: Some(Some(1)), ..OrgChanges::default() }).await;
    service.clock.advance(jiff::SignedDuration::from_hours(48));
    aerie_storage::retention::sweep(&*service.store, &service.media, std::time::Duration::ZERO).await.unwrap();
    service.get(&format!("{path}/archive")).await.assert_refused(404, "NOT_FOUND", "has no finished media");
}

#[tokio::test]
async fn an_organization_downloads_four_archives_at_once_and_no_more_until_one_has_ended() {
    let service = Service::new().await;
    let path = service.with_media_jobs().await;
    for _ in 0..4 {
        service.complete_next().await;
    }
    let jobs = service.get(&path).await.json()["data"]["jobs"].as_array().unwrap().clone();
    let done = jobs.iter().find(|job| job["job_type"] == "virtual_staging").unwrap();
    let key = format!("{}/{}/1/mls.jpg", service.org, done["job_id"].as_str().unwrap());
    // Larger than the buffers, so that an archive waits for its reader.
    service.media.media_put_bytes(&key, vec![7; 1 << 20]).await.unwrap();
    let path = format!("{path}/archive");
    let mut reading = Vec::new();
    for _ in 0..4 {
        let request = service.request("GET", &path).body(Body::empty()).unwrap();
        reading.push(service.router.clone().oneshot(request).await.unwrap());
    }
    assert!(reading.iter().all(|response| response.status() == StatusCode::OK));
    service.get(&path).await.assert_refused(429, "RATE_LIMITED", "Too many archives");
    let read = axum::body::to_bytes(reading.remove(0).into_body(), usize::MAX).await.unwrap();
    assert!(read.len() > 1 << 20);
    // The thread that wrote it ends a moment after its last byte.
    while service.get(&path).await.status == StatusCode::TOO_MANY_REQUESTS {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_archive_that_cannot_be_finished_is_never_received_as_whole() {
    let service = Service::new().await;
    let path = service.with_media_jobs().await;
    for _ in 0..4 {
        service.complete_next().await;
    }
    // A file that is larger than the buffer, so that the archive waits for its reader, and one after it that is gone by then.
    let listing = service.get(&path).await.json()["data"].clone();
    let job = |kind: &str| {
        let jobs = listing["jobs"].as_array().unwrap();
        let found = jobs.iter().find(|job| job["job_type"] == kind).unwrap();
        format!("{}/{}/1", service.org, found["job_id"].as_str().unwrap())
    };
    let (staged, flight) =
        (format!("{}/mls.jpg", job("virtual_staging")), format!("{}/video.mp4", job("drone_footage")));
    service.media.media_put_bytes(&staged, vec![7; 1 << 20]).await.unwrap();
    let request = service.request("GET", &format!("{path}/archive")).body(Body::empty()).unwrap();
    let response = service.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    service.media.media_delete_files(&[flight]).await.unwrap();
    let read = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    assert!(read.is_err(), "{} bytes", read.unwrap().len());
}
