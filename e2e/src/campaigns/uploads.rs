//! Uploads, whole and in parts, and listings whose server is killed again and again.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Tenant;
use crate::{Answer, Client, gradient_picture, wait_until};

const UPLOADS: &str = "/v1/uploads";
const LISTINGS: &str = "/v1/listings";
/// Size of a part, bytes.
const PART: usize = 30_000;
/// Bytes of a photo beyond those of the picture.
const SIZE: usize = 200_000;
/// Photos uploaded in one request between two kills, at least.
const UPLOADS_BEFORE_KILL: usize = 4;
const TUS: (&str, &str) = ("Tus-Resumable", "1.0.0");

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Kills of the server.
    pub kills: u32,
    /// Photos uploaded in one request, acknowledged.
    pub whole: usize,
    /// Photos uploaded in parts, all complete.
    pub in_parts: usize,
    /// Of these, uploads that were continued after a kill.
    pub resumed: u64,
    /// Listings acknowledged.
    pub listings: usize,
    /// Batches of jobs acknowledged.
    pub batches: usize,
    /// Of these, batches requested again with the same `Idempotency-Key` after a kill.
    pub repeated: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, whole, in_parts, resumed, listings, batches, repeated } = self;
        write!(
            f,
            "{kills} kills: {whole} whole uploads acknowledged, {in_parts} in parts ({resumed} resumed after a kill), all complete with the bytes that \
             were sent; {listings} listings and {batches} batches of jobs acknowledged ({repeated} requested again after a kill); 0 lost, 0 \
             split, 0 made twice; the database opened each time"
        )
    }
}

/// An upload in parts.
#[derive(Clone)]
struct InParts {
    path: String,
    bytes: Vec<u8>,
    /// Bytes that the server has acknowledged.
    acknowledged: usize,
}

#[derive(Default)]
struct Clients {
    picture: Vec<u8>,
    next: AtomicU64,
    /// SHA-256 of each photo whose upload was acknowledged, by its path.
    whole: Mutex<BTreeMap<String, String>>,
    unfinished: Mutex<Vec<InParts>>,
    in_parts: Mutex<BTreeMap<String, String>>,
    resumed: AtomicU64,
    /// Title of the last acknowledged change of each listing, by its path.
    listings: Mutex<BTreeMap<String, String>>,
    /// Jobs of each listing as acknowledged.
    batches: Mutex<BTreeMap<String, Vec<String>>>,
    /// Listings whose batch was cut off.
    cut_off: Mutex<Vec<String>>,
    repeated: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Clients {
    /// A photo that no other client uploads.
    fn photo(&self) -> Vec<u8> {
        let number = self.next.fetch_add(1, Ordering::SeqCst).to_le_bytes();
        [&self.picture[..], &number.repeat(SIZE / number.len())].concat()
    }

    fn upload_whole(&self, client: &Client, stop: &AtomicBool) {
        while !stop.load(Ordering::SeqCst) {
            let photo = self.photo();
            let Ok(answer) = client.try_send("POST", UPLOADS, &[], &photo) else { continue };
            let upload = data(&answer, 201);
            assert_eq!(upload["status"], "complete");
            let path = format!("{UPLOADS}/{}", text(&upload["upload_id"]));
            lock(&self.whole).insert(path, hex(&photo));
        }
    }

    fn upload_in_parts(&self, client: &Client, stop: &AtomicBool) {
        while !stop.load(Ordering::SeqCst) {
            let resumed = lock(&self.unfinished).pop();
            let Some(upload) = resumed.or_else(|| self.begin(client)) else { continue };
            if let Some(unfinished) = self.go_on(client, upload, stop) {
                lock(&self.unfinished).push(unfinished);
            }
        }
    }

    fn begin(&self, client: &Client) -> Option<InParts> {
        let bytes = self.photo();
        let size = bytes.len().to_string();
        let answer = client.try_send("POST", UPLOADS, &[TUS, ("Upload-Length", &size)], &[]).ok()?;
        let upload = data(&answer, 201);
        Some(InParts { path: format!("{UPLOADS}/{}", text(&upload["upload_id"])), bytes, acknowledged: 0 })
    }

    /// Sends what the server lacks; returns the upload if it could not be finished.
    fn go_on(&self, client: &Client, mut upload: InParts, stop: &AtomicBool) -> Option<InParts> {
        let Ok(head) = client.try_send("HEAD", &upload.path, &[TUS], &[]) else { return Some(upload) };
        assert_eq!(head.status, 200, "an acknowledged upload is lost: {}", upload.path);
        let mut offset: usize = head.header("upload-offset").parse().expect("an offset");
        assert!(offset >= upload.acknowledged, "{offset} bytes are left of {}", upload.acknowledged);
        self.resumed.fetch_add(u64::from(offset > 0), Ordering::SeqCst);
        while offset < upload.bytes.len() {
            if stop.load(Ordering::SeqCst) {
                return Some(upload);
            }
            let end = upload.bytes.len().min(offset + PART);
            let (at, kind) = (offset.to_string(), ("Content-Type", "application/offset+octet-stream"));
            let headers = [TUS, ("Upload-Offset", at.as_str()), kind];
            let Ok(answer) = client.try_send("PATCH", &upload.path, &headers, &upload.bytes[offset..end]) else {
                return Some(upload);
            };
            assert_eq!(answer.status, 204, "{}", String::from_utf8_lossy(&answer.bytes));
            offset = answer.header("upload-offset").parse().expect("an offset");
            assert_eq!(offset, end);
            upload.acknowledged = offset;
        }
        lock(&self.in_parts).insert(upload.path, hex(&upload.bytes));
        None
    }

    /// Makes listings of uploaded photos, changes them and has media made.
    fn list(&self, client: &Client, stop: &AtomicBool) {
        while !stop.load(Ordering::SeqCst) {
            let cut_off = lock(&self.cut_off).pop();
            if let Some(listing) = cut_off {
                self.generate(client, &listing, true);
                continue;
            }
            let photos: Vec<Value> = lock(&self.whole).keys().rev().take(2).map(|path| photo_of(path)).collect();
            if photos.len() < 2 {
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            let reference = self.next.fetch_add(1, Ordering::SeqCst).to_string();
            let body = json!({"reference": reference, "address": "before", "photos": photos});
            let Some(created) = post(client, LISTINGS, None, &body) else { continue };
            let path = format!("{LISTINGS}/{}", text(&data(&created, 201)["listing_id"]));
            lock(&self.listings).insert(path.clone(), "before".into());
            let change = json!({"address": "after"}).to_string();
            let changed = client.try_send("PATCH", &path, &[("Content-Type", "application/json")], change.as_bytes());
            match changed {
                Ok(changed) => {
                    data(&changed, 200);
                    lock(&self.listings).insert(path.clone(), "after".into());
                }
                // Changed or not.
                Err(_) => _ = lock(&self.listings).insert(path.clone(), String::new()),
            }
            self.generate(client, &path, false);
        }
    }

    fn generate(&self, client: &Client, listing: &str, is_repeated: bool) {
        let Some(answer) = post(client, &format!("{listing}/generate"), Some(listing), &json!({"enhance": true}))
        else {
            lock(&self.cut_off).push(listing.to_owned());
            return;
        };
        // The request that was cut off may still be in progress.
        if is_repeated && answer.status == 409 {
            return lock(&self.cut_off).push(listing.to_owned());
        }
        let made = data(&answer, 202);
        let jobs = made["jobs"].as_array().expect("jobs").iter().map(|job| text(&job["job_id"]).to_owned()).collect();
        assert!(lock(&self.batches).insert(listing.to_owned(), jobs).is_none());
        self.repeated.fetch_add(u64::from(is_repeated), Ordering::SeqCst);
    }
}

/// Kills the server while clients upload photos and make listings of them.
///
/// # Panics
/// When something acknowledged is lost, split or made twice.
#[must_use]
pub fn campaign(kills: u32, data_folder: &Path) -> Report {
    let tenant = Tenant::new(data_folder, "");
    // The table of the plan is the first of the file.
    let config = std::fs::read_to_string(&tenant.config).expect("a file");
    let limits = "[plans.campaign]\nuploads_per_minute = 1000000000\nuploads_gb_per_month = 0\n";
    std::fs::write(&tenant.config, config.replace("[plans.campaign]\n", limits)).expect("a file");
    let clients = Clients { picture: gradient_picture("s=640x480:c0=navy:c1=teal", "mjpeg"), ..Clients::default() };
    for kill in 0..kills {
        let server = tenant.serve();
        let client = server.client.with_key(Some(&tenant.key));
        let stop = AtomicBool::new(false);
        let uploaded = || lock(&clients.whole).len();
        let before = uploaded();
        std::thread::scope(|scope| {
            scope.spawn(|| clients.upload_whole(&client, &stop));
            scope.spawn(|| clients.upload_in_parts(&client, &stop));
            scope.spawn(|| clients.upload_in_parts(&client, &stop));
            scope.spawn(|| clients.list(&client, &stop));
            // From 100 to 500 ms, spread evenly by the golden ratio, so that kills hit every stage of the work.
            let moment = (f64::from(kill) * 0.618_034).fract();
            std::thread::sleep(Duration::from_secs_f64(0.1 + 0.4 * moment));
            // On a slow machine there would be little to cut off.
            wait_until("uploads before the kill", Duration::from_secs(60), || {
                (uploaded() >= before + UPLOADS_BEFORE_KILL).then_some(())
            });
            server.kill();
            stop.store(true, Ordering::SeqCst);
        });
    }
    let server = tenant.serve();
    finish(&clients, &server.client);
    check(&clients, &server.client);
    drop(server);
    let audit = tenant.audit();
    let batches = lock(&clients.batches).len();
    assert_eq!(audit.jobs, 2 * batches, "each batch has two jobs");
    Report {
        kills,
        whole: lock(&clients.whole).len(),
        in_parts: lock(&clients.in_parts).len(),
        resumed: clients.resumed.load(Ordering::SeqCst),
        listings: lock(&clients.listings).len(),
        batches,
        repeated: clients.repeated.load(Ordering::SeqCst),
    }
}

/// Does what kills have cut off.
fn finish(clients: &Clients, client: &Client) {
    let unfinished = std::mem::take(&mut *lock(&clients.unfinished));
    for upload in unfinished {
        assert!(clients.go_on(client, upload, &AtomicBool::new(false)).is_none(), "an upload cannot be finished");
    }
    wait_until("the batches that were cut off", Duration::from_secs(120), || {
        let cut_off = std::mem::take(&mut *lock(&clients.cut_off));
        cut_off.iter().for_each(|listing| clients.generate(client, listing, true));
        lock(&clients.cut_off).is_empty().then_some(())
    });
}

/// Compares what is stored with what was acknowledged.
fn check(clients: &Clients, client: &Client) {
    for (path, sha256) in lock(&clients.whole).iter().chain(lock(&clients.in_parts).iter()) {
        let upload = data(&client.get(path), 200);
        assert_eq!((text(&upload["status"]), text(&upload["sha256"])), ("complete", sha256.as_str()), "{path}");
    }
    let batches = lock(&clients.batches);
    for (path, address) in lock(&clients.listings).iter() {
        let listing = data(&client.get(path), 200);
        let now = text(&listing["address"]);
        assert!(now == address || (address.is_empty() && ["before", "after"].contains(&now)), "{path}: {now}");
        let mut jobs: Vec<&str> =
            listing["jobs"].as_array().expect("jobs").iter().map(|job| text(&job["job_id"])).collect();
        jobs.sort_unstable();
        let mut acknowledged: Vec<&str> = batches.get(path).into_iter().flatten().map(String::as_str).collect();
        acknowledged.sort_unstable();
        assert_eq!(jobs, acknowledged, "jobs of {path}");
    }
}

fn post(client: &Client, path: &str, idempotency_key: Option<&str>, body: &Value) -> Option<Answer> {
    let mut headers = vec![("Content-Type", "application/json")];
    headers.extend(idempotency_key.map(|key| ("Idempotency-Key", key)));
    client.try_send("POST", path, &headers, body.to_string().as_bytes()).ok()
}

fn photo_of(path: &str) -> Value {
    json!({"image_url": format!("aerie:upload/{}", path.rsplit('/').next().unwrap_or_default())})
}

fn data(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["data"].take()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
