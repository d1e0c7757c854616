//! Listings, and the jobs that one request makes for all of their photos.

use aerie_domain::{JobType, OrgChanges};
use aerie_storage::MaintenanceStore;
use aerie_storage::contract::Remote;
use aerie_test_data::picture_server::{PictureServer, png};
use axum::body::Body;
use axum::http::StatusCode;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::harness::{Answer, Service};

const LISTINGS: &str = "/v1/listings";
const UNKNOWN: &str = "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27";

impl Service {
    /// Creates a listing; returns its path.
    async fn listing(&self, body: &Value) -> String {
        let answer = self.post(LISTINGS, body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
        format!("{LISTINGS}/{}", answer.json()["data"]["listing_id"].as_str().unwrap())
    }

    async fn once(&self, path: &str, key: &str, body: &Value) -> Answer {
        let request = self.request("POST", path).header("Idempotency-Key", key);
        self.send(request.header("Content-Type", "application/json").body(Body::from(body.to_string())).unwrap()).await
    }

    /// An upload of a photo; returns its id.
    async fn uploaded_photo(&self) -> String {
        let request = self.request("POST", "/v1/uploads").header("Content-Type", "image/png");
        let answer = self.send(request.body(Body::from(png(640, 480))).unwrap()).await;
        answer.json()["data"]["upload_id"].as_str().unwrap().to_owned()
    }

    async fn job_count(&self) -> Value {
        self.get("/v1/jobs").await.json()["pagination"]["total"].clone()
    }

    /// Number of files of the first organization that are stored.
    async fn files(&self) -> usize {
        self.media.media_list(&self.org.to_string()).await.unwrap().len()
    }
}

fn data(answer: &Answer) -> Value {
    answer.json()["data"].clone()
}

/// A listing with three photos, of which one is of an empty room.
fn three_photos(server: &PictureServer) -> Value {
    json!({
        "reference": "RX-1", "address": "1 Main St", "style_prompt": "light oak",
        "photos": [
            {"id": "front", "image_url": server.url("/png/640/480"), "title": "Street front"},
            {"id": "kitchen", "image_url": server.url("/png/641/480"), "room_type": "kitchen"},
            {"id": "bed", "image_url": server.url("/png/642/480"), "room_type": "bedroom", "empty": true},
        ],
    })
}

#[tokio::test]
async fn a_listing_is_created_read_changed_listed_and_deleted() {
    let service = Service::new().await;
    let body = json!({"reference": "RX-1", "photos": [{"image_url": "https://example.com/a.jpg", "title": "A"}]});
    let created = service.post(LISTINGS, &body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.json());
    let listing = data(&created);
    let id = listing["photos"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!((id.len(), &listing["address"], &listing["jobs"]), (36, &Value::Null, &json!([])));
    let path = format!("{LISTINGS}/{}", listing["listing_id"].as_str().unwrap());
    assert_eq!(data(&service.get(&path).await), listing);

    service.clock.advance(SignedDuration::from_secs(1));
    let photos = json!([
        {"id": "first", "image_url": "https://example.com/b.jpg"},
        {"id": id, "image_url": "https://example.com/a.jpg", "room_type": "kitchen", "empty": true},
    ]);
    let change = json!({"address": "1 Main St", "photos": photos, "reference": null});
    let changed = service.with_method("PATCH", &path, &change).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.json());
    let changed = data(&changed);
    assert_eq!(
        (&changed["photos"], &changed["address"], &changed["reference"]),
        (&photos, &json!("1 Main St"), &Value::Null)
    );
    assert_eq!(changed["updated_at"], "2026-03-10T12:00:01.250Z");
    let same = data(&service.with_method("PATCH", &path, &json!({})).await);
    assert_eq!(same["photos"], photos);

    service.listing(&json!({"reference": "RX-2"})).await;
    let page = service.get(&format!("{LISTINGS}?limit=1&offset=1")).await.json();
    let pagination = json!({"total": 2, "limit": 1, "offset": 1, "has_more": false});
    assert_eq!((&page["pagination"], &page["data"][0]["photo_count"]), (&pagination, &json!(2)));
    let found = service.get(&format!("{LISTINGS}?reference=RX-2")).await.json();
    assert_eq!((&found["pagination"]["total"], &found["data"][0]["reference"]), (&json!(1), &json!("RX-2")));
    service.get(&format!("{LISTINGS}?limit=101")).await.assert_refused(400, "VALIDATION_ERROR", "`limit`");

    let deleted = service.with_method("DELETE", &path, &json!({})).await;
    assert_eq!((deleted.status, deleted.bytes.len()), (StatusCode::NO_CONTENT, 0));
    for answer in [
        service.get(&path).await,
        service.with_method("DELETE", &path, &json!({})).await,
        service.with_method("PATCH", &path, &json!({})).await,
        service.post(&format!("{path}/generate"), &json!({"enhance": true})).await,
    ] {
        answer.assert_refused(404, "LISTING_NOT_FOUND", "The listing does not exist");
    }
    service.get(&format!("{LISTINGS}/x")).await.assert_refused(400, "VALIDATION_ERROR", "`listingId` must be a UUID");
}

#[tokio::test]
async fn another_organizations_listing_gets_the_response_of_an_unknown_one() {
    let service = Service::new().await;
    let path = service.listing(&json!({"address": "1 Main St"})).await;
    let unknown = format!("{LISTINGS}/{UNKNOWN}");
    let flight = json!({"flight": true});
    for (suffix, body) in [("/generate", &flight), ("/generate?dry_run=true", &flight)] {
        let theirs = service.post_as_other(&format!("{path}{suffix}"), body).await;
        assert_eq!(theirs.refusal(), service.post_as_other(&format!("{unknown}{suffix}"), body).await.refusal());
    }
    assert_eq!(service.get_as_other(&path).await.refusal(), service.get_as_other(&unknown).await.refusal());
    assert_eq!(service.get_as_other(LISTINGS).await.json()["pagination"]["total"], 0);
    assert_eq!(service.get(&path).await.status, StatusCode::OK);
}

#[tokio::test]
async fn reading_and_changing_a_listing_need_different_scopes() {
    let service = Service::new().await;
    let path = service.listing(&json!({})).await;
    let send = async |scope: &str, method: &str, path: &str| {
        let key = aerie_domain::ApiKey::generate().unwrap();
        service.store.key_create(service.org, &key, scope.parse().unwrap(), None).await.unwrap();
        let request = axum::http::Request::builder().method(method).uri(path).header("X-API-Key", key.reveal());
        service.send(request.body(Body::empty()).unwrap()).await
    };
    let generate = format!("{path}/generate");
    for (scope, method, path) in [
        ("read", "POST", LISTINGS),
        ("read", "PATCH", &path),
        ("read", "DELETE", &path),
        ("read", "POST", &generate),
        ("generate", "GET", LISTINGS),
        ("generate", "GET", &path),
    ] {
        send(scope, method, path).await.assert_refused(403, "FORBIDDEN", "needs a key with the scope");
    }
    assert_eq!(send("read", "GET", &path).await.status, StatusCode::OK);
    send("read", "PUT", &path).await.assert_refused(405, "METHOD_NOT_ALLOWED", "");
    assert_eq!(send("generate", "DELETE", &path).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_second_listing_with_the_same_reference_is_refused_and_names_the_first() {
    let service = Service::new().await;
    let path = service.listing(&json!({"reference": "RX-1"})).await;
    let id = path.rsplit('/').next().unwrap();
    let second = service.post(LISTINGS, &json!({"reference": "RX-1"})).await;
    second.assert_refused(409, "LISTING_CONFLICT", &format!("`reference` is that of the listing {id}"));
    let theirs = service.post_as_other(LISTINGS, &json!({"reference": "RX-1"})).await;
    assert_eq!(theirs.status, StatusCode::CREATED);
}

#[tokio::test]
async fn an_upload_is_kept_while_a_listing_names_it() {
    let service = Service::new().await;
    let upload = service.uploaded_photo().await;
    let url = format!("aerie:upload/{upload}");
    let path = service.listing(&json!({"photos": [{"image_url": url}]})).await;
    let shown = format!("/v1/uploads/{upload}");
    assert_eq!(data(&service.get(&shown).await)["expires_at"], Value::Null);
    service.clock.advance(SignedDuration::from_hours(30 * 24));
    aerie_storage::retention::sweep(&*service.store, &service.media, std::time::Duration::ZERO).await.unwrap();
    let made = service.post(&format!("{path}/generate"), &json!({"enhance": true})).await;
    assert_eq!(made.status, StatusCode::ACCEPTED, "{}", made.json());
    service.with_method("DELETE", &path, &json!({})).await;
    assert_eq!(data(&service.get(&shown).await)["expires_at"], "2026-04-16T12:00:00.250Z");
    // Nor is one accepted that is not there.
    let body = json!({"photos": [{"image_url": "https://example.com/a.jpg"}, {"id": "b", "image_url": format!("aerie:upload/{UNKNOWN}")}]});
    let refused = service.post(LISTINGS, &body).await;
    refused.assert_refused(400, "INVALID_URL", "`photos[1].image_url` names no complete upload of the organization");
    let detail = &refused.json()["error"]["details"][0];
    assert_eq!((&detail["photo_id"], &detail["code"]), (&json!("b"), &json!("INVALID_URL")));
}

#[tokio::test]
async fn one_request_makes_jobs_for_all_photos_with_their_pictures() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&three_photos(&server)).await;
    let body = json!({"enhance": true, "stage": true, "flight": {"options": {"direction": "south"}}, "clip": true});
    let answer = service.post(&format!("{path}/generate"), &body).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.json());
    let made = data(&answer);
    let jobs = made["jobs"].as_array().unwrap();
    let kinds: Vec<_> = jobs.iter().map(|job| (job["job_type"].as_str().unwrap(), &job["photo_id"])).collect();
    let (front, kitchen, bed) = (json!("front"), json!("kitchen"), json!("bed"));
    let expected = [
        ("image_enhance", &front),
        ("image_enhance", &kitchen),
        ("image_enhance", &bed),
        ("virtual_staging", &bed),
        ("drone_footage", &Value::Null),
        ("video_clip", &front),
    ];
    assert_eq!(kinds, expected);
    // 100 cents for each enhancement, 800 for the staging, 1500 for the flight, 500 for the clip.
    assert_eq!((&made["total_price_cents"], &made["dry_run"]), (&json!(3100), &json!(false)));
    assert_eq!((server.connections(), service.wakes()), (3, 1), "each photo is fetched once");
    for job in jobs {
        let id = job["job_id"].as_str().unwrap();
        let stored = service.store.job_get(Some(service.org), Service::job_id(id)).await.unwrap().unwrap();
        assert_eq!(stored.unit_price_cents, job["price_cents"].as_i64().unwrap());
        let expected = (stored.job_type != JobType::DroneFootage)
            .then(|| ("/image_url".to_owned(), format!("{}/{id}/input/image.png", service.org)));
        assert_eq!(stored.input_media, expected.into_iter().collect());
        for key in stored.input_media.values() {
            assert!(service.media.media_head(key).await.unwrap().size > 0);
        }
    }
    let staging = jobs[3]["job_id"].as_str().unwrap();
    let input = data(&service.get(&format!("/v1/jobs/{staging}")).await)["input"].clone();
    assert_eq!(input["options"], json!({"style_prompt": "light oak", "room_is_empty": true, "mls": true}));

    // The listing has the jobs and their status, newest first.
    let listed = data(&service.get(&path).await)["jobs"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 6);
    assert_eq!((&listed[0]["job_id"], &listed[0]["status"]), (&jobs[5]["job_id"], &json!("queued")));
    service.claim().await;
    let statuses = data(&service.get(&path).await)["jobs"].clone();
    let running = statuses.as_array().unwrap().iter().filter(|job| job["status"] == "running").count();
    assert_eq!(running, 1);
}

#[tokio::test]
async fn a_photo_that_cannot_be_fetched_refuses_all_and_every_one_is_named() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let mut body = three_photos(&server);
    body["photos"][0]["image_url"] = json!(server.url("/status/404"));
    body["photos"][2]["image_url"] = json!("http://127.0.0.9/private.png");
    let path = service.listing(&body).await;
    let generate = json!({"enhance": true, "stage": true, "flight": true});
    let refused = service.post(&format!("{path}/generate"), &generate).await;
    refused.assert_refused(400, "INVALID_URL", "`photos[0].image_url`");
    refused.assert_refused(400, "INVALID_URL", "(and 1 more: see `error.details`)");
    let details = refused.json()["error"]["details"].clone();
    let names: Vec<_> = details.as_array().unwrap().iter().map(|it| (&it["photo_id"], &it["field"])).collect();
    let (front, bed) = (json!("front"), json!("bed"));
    assert_eq!(names, [(&front, &json!("photos[0].image_url")), (&bed, &json!("photos[2].image_url"))]);
    assert_eq!((service.job_count().await, service.wakes(), service.files().await), (json!(0), 0, 0));
}

#[tokio::test]
async fn a_request_that_cannot_become_jobs_is_refused_with_all_reasons_before_anything_is_fetched() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&json!({"photos": [{"id": "a", "image_url": server.url("/png")}]})).await;
    let generate = format!("{path}/generate");
    let body = json!({"photos": ["a", "b"], "stage": true, "flight": true});
    let refused = service.post(&generate, &body).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "`photos[1]` names no photo of the listing (and 2 more");
    let details = refused.json()["error"]["details"].clone();
    assert_eq!(
        (&details[0]["photo_id"], &details[1]["field"], &details[2]["field"]),
        (&json!("b"), &json!("stage"), &json!("flight"))
    );
    service.post(&generate, &json!({})).await.assert_refused(400, "VALIDATION_ERROR", "At least one of `enhance`");
    let wrong = json!({"enhance": {"options": {"format": "gif"}}});
    service.post(&generate, &wrong).await.assert_refused(400, "VALIDATION_ERROR", "`enhance.options.format` must be");
    service.terms(OrgChanges { disable: vec![JobType::ImageEnhance], ..OrgChanges::default() }).await;
    let disabled = service.post(&generate, &json!({"enhance": true})).await;
    disabled.assert_refused(403, "FEATURE_DISABLED", "image_enhance is not enabled");
    assert_eq!((server.connections(), service.job_count().await), (0, json!(0)));
}

#[tokio::test]
async fn a_dry_run_returns_the_jobs_and_their_price_and_makes_nothing() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&three_photos(&server)).await;
    let dry = format!("{path}/generate?dry_run=true");
    let answer = service.once(&dry, "a", &json!({"photos": ["bed"], "enhance": true, "stage": true})).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json());
    let job = |kind: &str, cents: u32| json!({"job_id": null, "job_type": kind, "photo_id": "bed", "status": null, "price_cents": cents});
    let expected = json!([job("image_enhance", 100), job("virtual_staging", 800)]);
    let made = data(&answer);
    assert_eq!((&made["jobs"], &made["total_price_cents"], &made["dry_run"]), (&expected, &json!(900), &json!(true)));
    assert_eq!((server.connections(), service.job_count().await, service.wakes()), (0, json!(0), 0));
    service.terms(OrgChanges { monthly_quota: Some(Some(1)), ..OrgChanges::default() }).await;
    let refused = service.post(&dry, &json!({"enhance": true})).await;
    refused.assert_refused(
        403,
        "INSUFFICIENT_QUOTA",
        "quota of 1 jobs a month (UTC) has room for 1 more, and these are 3",
    );
    service.post(&format!("{path}/generate?dry_run=1"), &json!({"enhance": true})).await.assert_refused(
        400,
        "VALIDATION_ERROR",
        "`dry_run` must be",
    );
}

#[tokio::test]
async fn a_listing_takes_all_of_a_quota_and_a_queue_or_nothing_and_counts_as_one_request() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&three_photos(&server)).await;
    let generate = format!("{path}/generate");
    service.terms(OrgChanges { plan: Some("few jobs".into()), ..OrgChanges::default() }).await;
    let refused = service.post(&generate, &json!({"enhance": true})).await;
    refused.assert_refused(429, "RATE_LIMITED", "allows 2 queued jobs, which leaves no room for these 3");
    assert_eq!((refused.header("retry-after"), service.files().await), ("60", 0));
    let before = service.get(&path).await.header("RateLimit").to_owned();
    let two = service.post(&generate, &json!({"photos": ["front", "bed"], "enhance": true})).await;
    assert_eq!(two.status, StatusCode::ACCEPTED, "{}", two.json());
    let left = |header: &str| -> u32 { header.split("r=").nth(1).unwrap().split(';').next().unwrap().parse().unwrap() };
    assert_eq!(left(two.header("RateLimit")), left(&before) - 1);
}

#[tokio::test]
async fn a_repeated_request_makes_its_jobs_once_on_whichever_node() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&three_photos(&server)).await;
    let generate = format!("{path}/generate");
    let body = json!({"enhance": true, "stage": true});
    let first = service.once(&generate, "k", &body).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.json());
    let again = service.node().once(&generate, "k", &body).await;
    assert_eq!((again.status, data(&again)), (StatusCode::ACCEPTED, data(&first)));
    assert_eq!((again.header("Idempotent-Replayed"), service.job_count().await), ("true", json!(4)));
    let other = service.once(&generate, "k", &json!({"flight": true})).await;
    other.assert_refused(400, "VALIDATION_ERROR", "`Idempotency-Key` was used with another body");
    let files = service.files().await;
    // Of requests that are sent at once to two nodes, one submits, and only its pictures are kept.
    let (one, two) = (service.node(), service.node());
    let (one, two) = tokio::join!(one.once(&generate, "l", &body), two.once(&generate, "l", &body));
    assert_eq!((one.status, two.status), (StatusCode::ACCEPTED, StatusCode::ACCEPTED));
    assert_eq!(data(&one), data(&two));
    assert_eq!((service.job_count().await, service.files().await), (json!(8), 2 * files));
}

#[tokio::test]
async fn duplicates_are_named_by_photo_if_the_organization_rejects_them() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&three_photos(&server)).await;
    let generate = format!("{path}/generate");
    service.terms(OrgChanges { reject_duplicates: Some(true), ..OrgChanges::default() }).await;
    let made = service.post(&generate, &json!({"photos": ["kitchen"], "enhance": true})).await;
    let job = data(&made)["jobs"][0]["job_id"].as_str().unwrap().to_owned();
    let refused = service.post(&generate, &json!({"enhance": true})).await;
    refused.assert_refused(409, "JOB_IN_PROGRESS", &format!("equals the job {job}"));
    assert_eq!(refused.json()["error"]["details"][0]["photo_id"], "kitchen");
    assert_eq!((service.job_count().await, service.files().await), (json!(1), 1));
}

#[tokio::test]
async fn a_submit_for_a_listing_whose_commit_is_not_confirmed_keeps_its_pictures() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let path = service.listing(&three_photos(&server)).await;
    let generate = format!("{path}/generate");
    let (faulty, faults) = service.with_faults();
    faults.set_loses_replies_after(Some(0));
    let lost = faulty.once(&generate, "k", &json!({"enhance": true})).await;
    lost.assert_refused(500, "INTERNAL_ERROR", "");
    let again = service.once(&generate, "k", &json!({"enhance": true})).await;
    assert_eq!((again.status, again.header("Idempotent-Replayed")), (StatusCode::ACCEPTED, "true"));
    assert_eq!((service.job_count().await, service.files().await), (json!(3), 3));
}

#[tokio::test]
async fn pictures_of_a_listing_in_a_bucket_are_noted_before_the_jobs_have_their_rows() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    let bucket = service.with_media(Remote::default().media());
    let mut body = three_photos(&server);
    body["photos"][1]["image_url"] = json!(server.url("/status/404"));
    let path = bucket.listing(&body).await;
    let refused = bucket.post(&format!("{path}/generate"), &json!({"enhance": true})).await;
    refused.assert_refused(400, "INVALID_URL", "`photos[1].image_url`");
    service.clock.advance(SignedDuration::from_hours(2));
    let noted = MaintenanceStore::leftovers_due(&*service.store, 10).await.unwrap();
    assert_eq!(noted.len(), 3);
}
