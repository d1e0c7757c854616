//! Expiry of media, backups of a running server, and the CSV for invoices.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aerie_domain::{Clock, JobId, JobInput, JobLimits, JobType, ManualClock, OrgId, RequestId, SystemClock};
use aerie_e2e::store::open_database;
use aerie_e2e::{Client, Server, gradient_picture, run, run_json};
use aerie_storage::{JobOutput, LinkSecret, LocalMedia, MediaLinks, MediaStore, NewJob, Store};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// Completes jobs with media in place of an engine, at a time of its own.
struct Maker {
    store: Arc<dyn Store>,
    media: MediaStore,
    clock: Arc<dyn Clock>,
    org: OrgId,
    scratch: PathBuf,
}

impl Maker {
    fn open(data: &Path, org: &str, clock: Arc<dyn Clock>, scratch: &Path) -> Self {
        let store = open_database(&data.join("aerie.db"), Arc::clone(&clock));
        let media = LocalMedia::open(&data.join("media")).unwrap().store().clone();
        Self { store, media, clock, org: org.parse().unwrap(), scratch: scratch.to_owned() }
    }

    /// Completes a job for an address; its video file contains the address.
    async fn complete(&self, address: &str) -> JobId {
        let new = NewJob {
            id: JobId::new(self.clock.now()),
            org_id: self.org,
            input: JobInput::from_body(JobType::DroneFootage, &json!({"address": address})).unwrap(),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1500,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            idempotency_key: None,
            limits: JobLimits::default(),
        };
        let id = self.store.job_submit(new).await.unwrap().unwrap().id;
        let claim = self.store.job_claim(&JobType::ALL, "maker", Duration::from_secs(15)).await.unwrap().unwrap();
        assert_eq!(claim.job.id, id);
        std::fs::write(&self.scratch, address.repeat(1000)).unwrap();
        let key = format!("{}/{id}/1/video.mp4", self.org);
        self.media.media_put(&key, &self.scratch).await.unwrap();
        let media = [("/video_url".to_owned(), key)].into();
        self.store.job_complete(&claim.lease, JobOutput { media, ..JobOutput::default() }).await.unwrap();
        id
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_owned();
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

/// Returns every completed job as the API shows it, without links, which are signed anew each time.
fn jobs(client: &Client) -> Vec<Value> {
    let mut jobs = client.get("/v1/jobs?limit=100&status=completed").json()["data"].take();
    for job in jobs.as_array_mut().unwrap() {
        assert!(job["output"]["video_url"].is_string(), "{job}");
        job["output"].as_object_mut().unwrap().remove("video_url");
    }
    jobs.as_array().unwrap().clone()
}

fn link(job: &Value) -> String {
    job["output"]["video_url"].as_str().unwrap().to_owned()
}

#[test]
fn expired_media_are_removed_and_the_job_and_its_links_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, 0);
    let at = |days: i64| Arc::new(ManualClock::new(SystemClock.now() - SignedDuration::from_hours(24 * days)));
    let scratch = folder.path().join("film");
    let [old, young] = [10, 3].map(|days| {
        let maker = Maker::open(&data, &server.org, at(days), &scratch);
        runtime().block_on(maker.complete(&format!("{days} Main St"))).to_string()
    });
    let before = link(&server.client.job(&old));
    assert_eq!(server.client.get(&before).status, 200);
    let terms = run_json(&["admin", "org", "set", &server.org, "--keep-days", "7"], &data);
    assert_eq!(terms["keep_days"], 7);
    let swept = run_json(&["admin", "sweep"], &data);
    assert_eq!((&swept["expired_jobs"], &swept["files"]), (&json!(1), &json!(1)));

    let job = server.client.job(&old);
    assert_eq!(job["status"], "completed");
    assert!(job["output"]["media_expired_at"].as_str().unwrap().ends_with('Z'), "{job}");
    for url in [before, link(&job)] {
        let answer = server.client.get(&url);
        assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()));
        assert_eq!(answer.json()["error"]["message"], "This file is no longer kept");
    }
    let job = server.client.job(&young);
    assert_eq!(job["output"].get("media_expired_at"), None);
    assert_eq!(server.client.get(&link(&job)).status, 200);
    assert_eq!(
        server.client.get("/v1/usage?from=2020-01-01&to=2999-12-31").json()["data"]["summary"]["total_events"],
        2
    );
    let terms = run_json(&["admin", "org", "set", &server.org, "--keep-days", "none"], &data);
    assert_eq!(terms["keep_days"], Value::Null);
    assert_eq!(run(&["admin", "org", "set", &server.org, "--keep-days", "0"], &data).status.code(), Some(2));
}

#[test]
fn a_backup_of_a_running_server_restores_every_byte_and_keys_and_links_keep_working() {
    let folder = tempfile::tempdir().unwrap();
    let [data, backup, restored] = ["data", "backup", "restored"].map(|name| folder.path().join(name));
    let server = Server::start(&data, 0);
    let maker = Maker::open(&data, &server.org, Arc::new(SystemClock), &folder.path().join("film"));
    let first = runtime().block_on(maker.complete("1 Main St")).to_string();
    let old_link = link(&server.client.job(&first));
    let photo = gradient_picture("s=96x64:c0=0x2a3a4a:c1=0x9a8a70", "png");
    let uploaded = upload(&server.client, &photo);
    let (begun, length) = (begin_upload(&server.client, photo.len(), &photo[..100]), photo.len());
    let stop = AtomicBool::new(false);
    let manifest = std::thread::scope(|scope| {
        let making = scope.spawn(|| {
            let mut number = 1;
            while !stop.load(Ordering::SeqCst) && number < 90 {
                number += 1;
                runtime().block_on(maker.complete(&format!("{number} Main St")));
            }
        });
        let manifest = run_json(&["backup", backup.to_str().unwrap()], &data);
        stop.store(true, Ordering::SeqCst);
        making.join().unwrap();
        manifest
    });
    // One job may have been in progress at that moment.
    let [jobs_listed, files_listed, deleted] =
        ["jobs", "media_files", "deleted_meanwhile"].map(|name| manifest[name].as_u64());
    assert_eq!(deleted, Some(0));
    // A photo, and the part of another.
    let films = files_listed.map(|files| files - 2);
    assert!(films >= Some(1) && jobs_listed >= films && jobs_listed <= films.map(|films| films + 1), "{manifest}");
    assert_eq!(run(&["backup", backup.to_str().unwrap()], &data).status.code(), Some(1), "the folder exists already");

    let restored_manifest = run_json(&["restore", backup.to_str().unwrap()], &restored);
    assert_eq!(restored_manifest, manifest);
    assert!(files(&restored.join("media")) == files(&backup.join("media")));
    let original = files(&data.join("media"));
    assert!(files(&backup.join("media")).iter().all(|(name, bytes)| original[name] == *bytes));
    for database in [data.join("aerie.db"), backup.join("aerie.db"), restored.join("aerie.db")] {
        let mode = std::fs::metadata(&database).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "only the owner reads {}", database.display());
    }
    let twin = Server::restart(&restored, 0, &server.org, &server.key);
    let (ours, theirs) = (jobs(&server.client), jobs(&twin.client));
    assert!(!theirs.is_empty() && ours.ends_with(&theirs), "{} of {}", theirs.len(), ours.len());
    let on_twin = old_link.replace(server.client.base_url(), twin.client.base_url());
    assert_eq!(twin.client.get(&on_twin).bytes, "1 Main St".repeat(1000).as_bytes());

    let body = json!({"image_url": uploaded});
    let submitted = twin.client.post("/v1/image-enhance/generate", &body);
    assert_eq!(submitted.status, 202, "{}", submitted.json());
    let copied = submitted.json()["data"]["job_id"].as_str().unwrap().to_owned();
    assert_eq!(twin.client.job(&copied)["input"]["image_url"], body["image_url"]);
    assert_eq!(append(&twin.client, &begun, 100, &photo[100..]), length.to_string());

    // Neither over existing data nor under a running server.
    let again = |data: &Path, force: &[&str]| run(&[&["restore", backup.to_str().unwrap()], force].concat(), data);
    assert_eq!(again(&restored, &[]).status.code(), Some(1));
    let refused = again(&restored, &["--force"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("a server runs on"), "{refused:?}");
    drop(twin);
    assert_eq!(again(&restored, &["--force"]).status.code(), Some(0));
    let aside = std::fs::read_dir(&restored).unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    assert_eq!(aside.filter(|name| name.starts_with("before-restore-")).count(), 1);
    let twin = Server::restart(&restored, 0, &server.org, &server.key);
    assert_eq!(jobs(&twin.client), theirs);
    assert_eq!(run(&["restore", data.to_str().unwrap()], &folder.path().join("new")).status.code(), Some(1));
    drop(twin);

    // An incomplete backup changes nothing.
    let there = files(&restored);
    let (lost, _) = files(&backup.join("media")).pop_first().unwrap();
    std::fs::remove_file(backup.join("media").join(&lost)).unwrap();
    let refused = again(&restored, &["--force"]);
    assert_eq!(refused.status.code(), Some(1));
    let lost = lost.file_name().and_then(|name| name.to_str()).unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains(&format!("{lost} is missing")), "{refused:?}");
    assert!(files(&restored) == there);
}

/// Uploads a photo; returns its `image_url`.
fn upload(client: &Client, photo: &[u8]) -> String {
    let answer = client.send("POST", "/v1/uploads", &[("Content-Type", "image/png")], photo);
    assert_eq!(answer.status, 201, "{}", answer.json());
    answer.json()["data"]["image_url"].as_str().unwrap().to_owned()
}

const TUS: (&str, &str) = ("Tus-Resumable", "1.0.0");

/// Begins an upload with a part; returns its path.
fn begin_upload(client: &Client, length: usize, part: &[u8]) -> String {
    let begun = client.send("POST", "/v1/uploads", &[TUS, ("Upload-Length", &length.to_string())], &[]);
    assert_eq!(begun.status, 201, "{begun:?}");
    let path = begun.header("location").replace(client.base_url(), "");
    assert_eq!(append(client, &path, 0, part), part.len().to_string());
    path
}

/// Appends a part; returns how many bytes have arrived.
fn append(client: &Client, path: &str, offset: usize, part: &[u8]) -> String {
    let (offset, kind) = (offset.to_string(), "application/offset+octet-stream");
    let headers = [TUS, ("Upload-Offset", &offset), ("Content-Type", kind)];
    let answer = client.send("PATCH", path, &headers, part);
    assert_eq!(answer.status, 204, "{answer:?}");
    answer.header("upload-offset").to_owned()
}

/// A data folder whose database has a secret of links; a job, and a link to its film.
fn with_link(data: &Path, scratch: &Path) -> (String, String, String) {
    let org = run_json(&["admin", "org", "create", "Acme"], data)["org_id"].as_str().unwrap().to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().unwrap().to_owned();
    let secret = LinkSecret::new([42; 32]);
    let maker = Maker::open(data, &org, Arc::new(SystemClock), scratch);
    let id = runtime().block_on(async {
        maker.store.link_secret_init(&secret).await.unwrap();
        maker.complete("1 Main St").await
    });
    let link = MediaLinks::new(secret).sign(&format!("{org}/{id}/1/video.mp4"), SystemClock.now());
    (org, key, link)
}

#[test]
fn links_stay_valid_in_a_restored_backup_and_no_log_shows_their_secret() {
    let folder = tempfile::tempdir().unwrap();
    let [data, backup, restored] = ["data", "backup", "restored"].map(|name| folder.path().join(name));
    let (org, key, link) = with_link(&data, &folder.path().join("film"));
    for (command, data) in [("backup", &data), ("restore", &restored)] {
        assert_eq!(run_json(&[command, backup.to_str().unwrap()], data)["jobs"], 1);
    }
    for data in [data, restored] {
        let server = Server::restart(&data, 0, &org, &key);
        assert_eq!(server.client.get(&link).status, 200);
        let log = server.log();
        assert!(!log.contains(&"2a".repeat(32)) && !log.contains("42, 42"), "{log}");
    }
}

#[test]
fn a_configured_link_secret_overrides_the_one_in_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (org, key, link) = with_link(&data, &folder.path().join("film"));
    let config = folder.path().join("aerie.toml");
    let digits = "0123456789abcdef".repeat(4);
    std::fs::write(&config, format!("[media]\nlink_secret = '{digits}'\n")).unwrap();
    let server = Server::restart_with(&["--config", config.to_str().unwrap()], &data, 0, &org, &key);
    assert_eq!(server.client.get(&link).status, 403);
    let (path, _) = link.split_once('?').unwrap();
    let media = path.strip_prefix("/media/").unwrap();
    let configured = MediaLinks::new(LinkSecret::from_hex(&digits).unwrap()).sign(media, SystemClock.now());
    assert_eq!(server.client.get(&configured).status, 200);
    assert!(!server.log().contains(&digits));
}

#[test]
fn invoice_lines_name_the_organization_and_the_subject_of_each_job() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut orgs = Vec::new();
    for name in ["Acme Homes, Inc.", "=Other"] {
        let org = run_json(&["admin", "org", "create", name], &data)["org_id"].as_str().unwrap().to_owned();
        let maker = Maker::open(&data, &org, Arc::new(SystemClock), &folder.path().join("film"));
        orgs.push((runtime().block_on(maker.complete("1 Main St, \"Old\" Vale")), org));
    }
    let csv = |arguments: &[&str]| {
        let output = run(&[&["admin", "usage", "--csv"], arguments].concat(), &data);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = csv(&[]);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines[0], "created_at,event_type,unit_price_cents,job_id,event_id,org_id,organization,reference");
    for (line, ((job, org), name)) in lines[1..].iter().zip(orgs.iter().zip(["\"Acme Homes, Inc.\"", "'=Other"])) {
        assert!(line.contains(&format!(",drone_footage.generate,1500,{job},")), "{line}");
        assert!(line.ends_with(&format!(",{org},{name},\"1 Main St, \"\"Old\"\" Vale\"")), "{line}");
    }
    assert_eq!(csv(&["--org", &orgs[1].1]).lines().count(), 2);
    assert_eq!(run(&["admin", "usage"], &data).status.code(), Some(2));
}
