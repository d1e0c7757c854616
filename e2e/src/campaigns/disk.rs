//! A small disk that fills up: first to the reserve, then completely.
//!
//! The data folder is on its own tmpfs; mounting it needs root. Without that right the campaign is skipped with a message.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::{Audit, Tenant};
use crate::{Answer, Client, gradient_picture};

const SIZE_MIB: u64 = 48;
const RESERVE_MIB: u64 = 16;
/// Upper bound on how long `/readyz` takes to show the state of the disk.
const READINESS: Duration = Duration::from_secs(30);
const SUBMIT: &str = "/v1/drone-footage/generate";

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Jobs accepted until the reserve was reached.
    pub before_reserve: usize,
    /// Jobs accepted until the disk was full, without a reserve.
    pub before_full: usize,
    /// Requests refused with 429 and `Retry-After`.
    pub refused: usize,
    /// Jobs accepted after space was freed.
    pub after: usize,
    /// Final audit.
    pub audit: Audit,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { before_reserve, before_full, refused, after, audit } = self;
        write!(
            f,
            "a disk of {SIZE_MIB} MiB, {RESERVE_MIB} in reserve: {before_reserve} jobs accepted until the reserve was reached, \
             {before_full} more until the disk was full without a reserve, {after} after space was freed; {refused} refused with \
             429 and Retry-After, 0 answered 500, {} stored, 0 lost; the database is intact",
            audit.jobs
        )
    }
}

/// A tmpfs, unmounted on drop.
pub(super) struct Mount(pub(super) PathBuf);

impl Mount {
    /// Mounts it; fails without the right to.
    pub(super) fn new(folder: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let size = format!("size={SIZE_MIB}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output();
        match mounted {
            Ok(output) if output.status.success() => Ok(Self(folder.to_owned())),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// Fills the disk with jobs and a file.
///
/// # Errors
/// When the tmpfs cannot be mounted; the campaign is then skipped.
///
/// # Panics
/// When an acknowledged job is lost, or a request is answered with anything but 202 or 429.
pub fn campaign(folder: &Path) -> Result<Report, String> {
    let mount = Mount::new(&folder.join("disk"))?;
    let reserve = RESERVE_MIB as f64 / 1024.0;
    let tenant = Tenant::new(&mount.0.join("data"), &format!("[media]\nreserve_gib = {reserve}"));
    let config = folder.join("aerie.toml");
    let written = std::fs::read_to_string(&tenant.config).expect("a file");
    std::fs::write(&config, written).expect("a file");
    let tenant = Tenant { config, ..tenant };
    let mut refused = 0;

    let server = tenant.serve();
    let filler = mount.0.join("filler");
    fill(&filler, SIZE_MIB - RESERVE_MIB - 4);
    let mut acknowledged = submit_until_refused(&server.client, &mut refused);
    let before_reserve = acknowledged.len();
    assert_eq!(server.client.get("/readyz").status, 503);
    assert_eq!(server.client.get("/v1/jobs").status, 200);
    assert_eq!(server.client.submit_refused().header("retry-after"), "60");
    let photo = gradient_picture("s=640x480:c0=navy:c1=teal", "mjpeg");
    let refused_upload = server.client.send("POST", "/v1/uploads", &[], &photo);
    assert_eq!((refused_upload.status, refused_upload.header("retry-after")), (429, "60"));
    drop(server);

    // Without a reserve, the database itself runs into the full disk.
    let written = std::fs::read_to_string(&tenant.config).expect("a file");
    std::fs::write(&tenant.config, written.replace(&format!("reserve_gib = {reserve}"), "reserve_gib = 0"))
        .expect("a file");
    let server = tenant.serve();
    std::fs::remove_file(&filler).expect("the file exists");
    let free = rustix::fs::statvfs(&mount.0).map(|stat| stat.f_bavail * stat.f_frsize).expect("a disk");
    fill(&filler, (free >> 20) - 1);
    let full = submit_until_refused(&server.client, &mut refused);
    let before_full = full.len();
    acknowledged.extend(full);
    crate::wait_until("a full disk shows in /readyz", READINESS, || {
        (server.client.get("/readyz").status == 503).then_some(())
    });
    assert_eq!(server.client.get(&format!("/v1/jobs/{}", acknowledged[0])).status, 200, "stored jobs can be read");
    let kept = create_others(&server.client, &photo);
    std::fs::remove_file(&filler).expect("the file exists");
    crate::wait_until("a disk with space shows in /readyz", READINESS, || {
        (server.client.get("/readyz").status == 200).then_some(())
    });
    let after: Vec<String> = (0..20).map(|number| server.client.submit(&format!("{number} After"), "north")).collect();
    for id in acknowledged.iter().chain(&after) {
        assert_eq!(server.client.get(&format!("/v1/jobs/{id}")).status, 200, "an acknowledged job is lost: {id}");
    }
    for path in kept.iter().chain(&create_others(&server.client, &photo)) {
        assert_eq!(server.client.get(path).status, 200, "an acknowledged resource is lost: {path}");
    }
    // Killed, because the log rightly reports the full disk, which the check on drop would reject.
    server.kill();
    let audit = tenant.audit();
    assert!(audit.jobs >= acknowledged.len() + after.len());
    Ok(Report { before_reserve, before_full, refused, after: after.len(), audit })
}

fn fill(file: &Path, mib: u64) {
    std::fs::write(file, vec![1; usize::try_from(mib << 20).expect("a size")]).expect("the file fits");
}

/// Writes a file until the disk is full.
pub(super) fn fill_up(file: &Path) {
    let mut filler = std::fs::File::create(file).expect("a file");
    let block = vec![1; 4096];
    while std::io::Write::write_all(&mut filler, &block).is_ok() {}
}

/// Submits until ten requests in a row are refused; returns the ids of accepted jobs.
fn submit_until_refused(client: &Client, refused: &mut usize) -> Vec<String> {
    let (mut accepted, mut in_a_row) = (Vec::new(), 0);
    while in_a_row < 10 {
        let answer = submit(client, accepted.len());
        match answer.status {
            202 => {
                accepted.push(answer.json()["data"]["job_id"].as_str().expect("an id").to_owned());
                in_a_row = 0;
            }
            429 => {
                assert_eq!(answer.header("retry-after"), "60");
                (*refused, in_a_row) = (*refused + 1, in_a_row + 1);
            }
            status => panic!("answered {status}: {}", String::from_utf8_lossy(&answer.bytes)),
        }
        assert!(accepted.len() < 100_000, "the disk does not fill up");
    }
    accepted
}

/// Uploads a photo, and creates listings and webhooks; returns the paths of those that were acknowledged.
fn create_others(client: &Client, photo: &[u8]) -> Vec<String> {
    let listing = json!({"address": "x".repeat(400)});
    let webhook = json!({"url": "http://127.0.0.1:9/hook", "description": "x".repeat(200)});
    let mut created = Vec::new();
    for _ in 0..10 {
        for (path, id, answer) in [
            ("/v1/uploads", "upload_id", client.send("POST", "/v1/uploads", &[], photo)),
            ("/v1/listings", "listing_id", client.post("/v1/listings", &listing)),
            ("/v1/webhooks", "webhook_id", client.post("/v1/webhooks", &webhook)),
        ] {
            match answer.status {
                201 => created.push(format!("{path}/{}", answer.json()["data"][id].as_str().expect("an id"))),
                429 => assert_eq!(answer.header("retry-after"), "60"),
                // The greatest number of webhooks.
                400 if path == "/v1/webhooks" => {}
                status => panic!("{path} answered {status}: {}", String::from_utf8_lossy(&answer.bytes)),
            }
        }
    }
    created
}

/// Submits the largest job that has no picture.
fn submit(client: &Client, number: usize) -> Answer {
    let address = format!("{number} {}", "x".repeat(400));
    client.post(SUBMIT, &json!({"address": address, "options": {"direction": "north"}}))
}

impl Client {
    fn submit_refused(&self) -> Answer {
        let answer = submit(self, 0);
        assert_eq!(answer.status, 429);
        answer
    }
}
