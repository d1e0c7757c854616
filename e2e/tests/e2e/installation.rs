//! An installation to be migrated.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use aerie_domain::{
    Clock, Decision, Failure, FailureCode, JobId, JobInput, JobLimits, JobStatus, JobType, ListingId, ListingRequest,
    OrgId, RequestId, ReviewContent, ReviewId, ShareLinkId, SharePermissions, ShareToken, SystemClock, UploadId,
};
use aerie_e2e::store::open_store;
use aerie_e2e::{ChildGuard, Client, Server, aerie, run_json};
use aerie_storage::{
    Claim, IdempotencyKey, JobOutput, ListingBatch, LocalMedia, NewJob, NewListing, NewReview, NewShareLink, NewUpload,
    RecordedAnswer, Store, UploadLimits, UploadedPhoto,
};
use aerie_storage_sqlite::testing::{StoredJob, insert_jobs};
use serde_json::{Value, json};

use crate::database::{Database, runtime};

/// Jobs that were completed long ago.
pub(crate) const OLD_JOBS: u32 = 30_000;

/// Media files of other jobs.
pub(crate) const FILMS: usize = 150;

/// The token of a share link of the listing.
const SHARE_TOKEN: &str = "Yb2wQxT0m4Vd8kRnC6sLf1JpZ9uHeG3a";

const LEASE: Duration = Duration::from_millis(1);

/// An installation with a job in every status, and what its clients know of it.
pub(crate) struct Installation {
    pub(crate) data: PathBuf,
    pub(crate) media: PathBuf,
    pub(crate) org: String,
    pub(crate) key: String,
    /// Jobs and usage as the API shows them.
    pub(crate) shown: Shown,
    /// A request with an idempotency key, and the answer.
    pub(crate) submitted: Value,
    /// A link to a film, without the server's address.
    pub(crate) link: String,
    pub(crate) film: Vec<u8>,
    /// A claim whose worker is gone.
    pub(crate) lost: Claim,
    /// A media file that is gone.
    pub(crate) missing: String,
}

/// What the API shows an organization, without what is new in every response.
#[derive(Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) jobs: Value,
    pub(crate) newest: Value,
    pub(crate) usage: Value,
    pub(crate) listings: Value,
    pub(crate) shared: Value,
}

const IDEMPOTENT: [(&str, &str); 2] = [("Idempotency-Key", "key-1"), ("Content-Type", "application/json")];
const REQUEST: &str = r#"{"address":"1 Main St","options":{"direction":"north","listing_id":"é \" 7"}}"#;

pub(crate) fn submit_again(client: &Client) -> Value {
    let answer = client.send("POST", "/v1/drone-footage/generate", &IDEMPOTENT, REQUEST.as_bytes());
    assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["data"].take()
}

/// Removes links, which are signed anew in each response, but remembers where they lead.
fn without_links(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((path, _)) = text.split_once("?expires=") {
                *text = path.split_once("/media/").map(|(_, key)| key.to_owned()).unwrap();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_links),
        Value::Object(fields) => fields.values_mut().for_each(without_links),
        _ => {}
    }
}

pub(crate) fn shown(client: &Client) -> Shown {
    let get = |path: &str| {
        let answer = client.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.bytes));
        let mut found = answer.json();
        found.as_object_mut().unwrap().remove("meta");
        without_links(&mut found);
        found
    };
    Shown {
        jobs: get("/v1/jobs?limit=100&offset=20"),
        newest: get("/v1/jobs?limit=100&status=completed"),
        usage: get("/v1/usage?from=2020-01-01&to=2999-12-31&limit=100"),
        listings: get("/v1/listings?reference=RX-1"),
        shared: get(&format!("/v1/shared/{SHARE_TOKEN}")),
    }
}

pub(crate) fn new_job(org_id: OrgId, job_type: JobType, body: &Value) -> NewJob {
    NewJob {
        id: JobId::new(SystemClock.now()),
        org_id,
        input: JobInput::from_body(job_type, body).unwrap(),
        input_media: BTreeMap::new(),
        parent_id: None,
        unit_price_cents: 700,
        request_id: RequestId::new(SystemClock.now()),
        idempotency_key: None,
        limits: JobLimits::default(),
    }
}

/// Submits a job and claims it.
async fn claimed(store: &dyn Store, new: NewJob) -> Claim {
    let id = store.job_submit(new).await.unwrap().unwrap().id;
    let claim = store.job_claim(&JobType::ALL, "worker", Duration::from_secs(60)).await.unwrap().unwrap();
    assert_eq!(claim.job.id, id);
    claim
}

/// A listing whose photo is an upload, with a job.
async fn add_listing(store: &dyn Store, media: &LocalMedia, org_id: OrgId) {
    let (week, limits) = (Duration::from_secs(7 * 24 * 3600), UploadLimits { bytes_per_month: None, incomplete: 1 });
    let upload = UploadId::new(SystemClock.now());
    store.upload_create(NewUpload { id: upload, org_id, size: 5, name: None }, limits, week).await.unwrap().unwrap();
    media.store().media_put_bytes(&format!("{org_id}/{upload}/photo.jpg"), b"photo".to_vec()).await.unwrap();
    let photo = UploadedPhoto { sha256: [1; 32], extension: "jpg".into(), width: 1, height: 1 };
    store.upload_complete(org_id, upload, photo, week).await.unwrap().unwrap();
    let body = json!({"reference": "RX-1", "photos": [{"id": "a", "image_url": format!("aerie:upload/{upload}")}]});
    let request = ListingRequest::from_body(&body).unwrap();
    let new = NewListing { id: ListingId::new(SystemClock.now()), org_id, request };
    let listing_id = store.listing_create(new, 1).await.unwrap().unwrap().id;
    let batch = ListingBatch {
        org_id,
        listing_id,
        jobs: vec![(new_job(org_id, JobType::DroneFootage, &json!({"address": "c"})), None)],
        limits: JobLimits::default(),
        idempotency_key: None,
        answer: json!({}),
    };
    let jobs = store.listing_submit(batch).await.unwrap().unwrap();
    store.job_cancel(org_id, jobs[0].id).await.unwrap().unwrap();
    let link = NewShareLink {
        id: ShareLinkId::new(SystemClock.now()),
        org_id,
        listing_id,
        token: ShareToken::parse(SHARE_TOKEN).unwrap().hash(),
        name: Some("é".into()),
        permissions: SharePermissions { show_address: true, allow_approval: true, allow_comments: false },
        lifetime: 24 * 3600 * 1000,
    };
    let link = store.share_link_create(link, 1).await.unwrap().unwrap();
    let content = ReviewContent::Decision(Decision::Rejected);
    let id = ReviewId::new(SystemClock.now());
    let review = NewReview { id, share_link_id: link.id, photo_id: Some("a".into()), content, name: None };
    store.review_add(review, 1).await.unwrap().unwrap();
}

impl Installation {
    pub(crate) fn create(folder: &Path) -> Self {
        let data = folder.join("data");
        let server = Server::start(&data, 0);
        let other = run_json(&["admin", "org", "create", "Other", "--plan", "starter"], &data);
        let other: OrgId = other["org_id"].as_str().unwrap().parse().unwrap();
        let quota = ["admin", "org", "set", &other.to_string(), "--monthly-quota", "9", "--keep-days", "7"];
        let _ = run_json(&quota, &data);
        let org: OrgId = server.org.parse().unwrap();
        let media = LocalMedia::open(&data.join("media")).unwrap();
        let scratch = folder.join("film");
        let mut films = Vec::new();
        let (lost, missing) = runtime().block_on(async {
            let store = open_store(&data);
            for number in 0..FILMS {
                let new =
                    NewJob { unit_price_cents: 100, ..new_job(org, JobType::DroneFootage, &json!({"address": "a"})) };
                let claim = claimed(&*store, new).await;
                let key = format!("{org}/{}/1/video.mp4", claim.job.id);
                let film = format!("film {number} ").repeat(1 + number * 97).into_bytes();
                fs::write(&scratch, &film).unwrap();
                media.store().media_put(&key, &scratch).await.unwrap();
                let output = JobOutput {
                    media: [("/video_url".to_owned(), key.clone())].into(),
                    fields: json!({"duration": 10.0, "note": "a\u{0}b"}).as_object().unwrap().clone(),
                    ..JobOutput::default()
                };
                store.job_complete(&claim.lease, output).await.unwrap();
                films.push((key, film));
            }
            add_listing(&*store, &media, org).await;
            let failure = Failure::new(FailureCode::AddressNotFound, "No such address.");
            let failed = claimed(&*store, new_job(org, JobType::ImageEnhance, &json!({"image_url": "x"}))).await;
            store.job_fail(&failed.lease, failure).await.unwrap();
            let markup = claimed(&*store, new_job(org, JobType::Markup, &json!({"address": "b"}))).await;
            store.job_ask_input(&markup.lease, JobOutput::default()).await.unwrap();
            let old = claimed(&*store, new_job(other, JobType::VideoClip, &json!({"image_url": "y"}))).await;
            let gone = format!("{other}/{}/1/video.mp4", old.job.id);
            let output = JobOutput { media: [("/video_url".to_owned(), gone)].into(), ..JobOutput::default() };
            store.job_complete(&old.lease, output).await.unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
            assert_eq!(store.job_expire(other, Duration::ZERO, 10).await.unwrap(), [old.job.id]);
            let answer = RecordedAnswer::Data { status: 200, data: json!({"a": "\u{0}"}) };
            let key = IdempotencyKey { route: "POST /v1/é".into(), key: "B".into(), digest: [9; 32] };
            store.answer_record(other, &key, answer.clone()).await.unwrap();
            store.answer_record(other, &IdempotencyKey { key: "a".into(), ..key }, answer).await.unwrap();
            store
                .stage_time_add(JobType::Markup, vec![("Scene".into(), LEASE), ("frames".into(), LEASE)])
                .await
                .unwrap();
            let picture = format!("{other}/{}/0/image.jpg", markup.job.id);
            let input_media = [("/image_url".to_owned(), picture.clone())].into();
            let waiting = new_job(other, JobType::ImageEnhance, &json!({"image_url": "z"}));
            let lost = store.job_submit(NewJob { input_media, ..waiting }).await.unwrap().unwrap().id;
            let lost_claim = store.job_claim(&JobType::ALL, "gone", LEASE).await.unwrap().unwrap();
            assert_eq!(lost_claim.job.id, lost);
            (lost_claim, picture)
        });
        insert_jobs(&data.join("aerie.db"), &server.org, (0..OLD_JOBS).map(old_job)).unwrap();
        let submitted = submit_again(&server.client);
        let (key, film) = films.pop().unwrap();
        let (_, id) = key.split_once('/').unwrap();
        let job = server.client.job(id.split_once('/').unwrap().0);
        let link = job["output"]["video_url"].as_str().unwrap().replace(server.client.base_url(), "");
        let shown = shown(&server.client);
        Self {
            media: folder.join("new-media"),
            org: server.org.clone(),
            key: server.key.clone(),
            data,
            shown,
            submitted,
            link,
            film,
            lost,
            missing,
        }
    }

    /// Starts `aerie migrate`.
    pub(crate) fn migrate(&self, database: &Database) -> ChildGuard {
        let media = format!("file:{}", self.media.display());
        let mut command = Command::new(aerie());
        command
            .args(["migrate", "--json", "--allow-missing", "--to", &database.url, "--media", &media, "--data"])
            .arg(&self.data);
        ChildGuard::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// Migrates to the end; returns the report and what was printed to stderr.
    pub(crate) fn migrated(&self, database: &Database) -> (Value, String) {
        let output = self.migrate(database).wait_with_output();
        let stderr = text(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        (serde_json::from_slice(&output.stdout).unwrap(), stderr)
    }

    /// A configuration file for the database and the migrated media.
    pub(crate) fn config(&self, database: &Database) -> PathBuf {
        let file = self.data.with_extension("toml");
        let (url, media) = (&database.url, self.media.display());
        fs::write(&file, format!("[store]\nurl = '{url}'\n[media]\nurl = 'file:{media}'\n")).unwrap();
        file
    }
}

pub(crate) fn old_job(number: u32) -> StoredJob {
    let status = if number.is_multiple_of(7) { JobStatus::Failed } else { JobStatus::Completed };
    StoredJob {
        id: format!("018e0000-0000-7000-8000-{number:012x}"),
        kind: JobType::DroneFootage,
        status,
        input: json!({"address": format!("{number} Main St"), "options": {"listing_id": format!("L{}", number % 500)}}),
        media: json!({}),
        at: 1_700_000_000_000 + i64::from(number),
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
