//! A small disk that fills up: first to the reserve, then to the brim.
//!
//! The data folder lies on a tmpfs of its own, which takes the right to mount (root). Where that is not given, there is no
//! campaign, and it says so.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::{Audit, Tenant};
use crate::{Answer, Client};

const SIZE_MIB: u64 = 48;
const RESERVE_MIB: u64 = 16;
const SUBMIT: &str = "/v1/drone-footage/generate";

/// What a campaign came to.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Jobs taken on until the reserve was reached.
    pub before_reserve: usize,
    /// Jobs taken on until there was no room at all, with no reserve set.
    pub before_full: usize,
    /// Requests answered 429 with `Retry-After`.
    pub refused: usize,
    /// Jobs taken on once there was room again.
    pub after: usize,
    /// What was found in the end.
    pub audit: Audit,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { before_reserve, before_full, refused, after, audit } = self;
        write!(
            f,
            "a disk of {SIZE_MIB} MiB, {RESERVE_MIB} in reserve: {before_reserve} jobs taken until the reserve was reached, \
             {before_full} more until the disk was full with no reserve, {after} once there was room again; {refused} refused with \
             429 and Retry-After, 0 answered 500, {} kept, 0 lost; the database is whole",
            audit.jobs
        )
    }
}

/// A tmpfs, mounted until it is dropped.
struct Mount(PathBuf);

impl Mount {
    fn new(folder: &Path) -> Result<Self, String> {
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

/// Fills the disk with jobs and a file. `Err` says why there can be no campaign here.
///
/// # Errors
/// When nothing can be mounted.
///
/// # Panics
/// When a job that was acknowledged is lost, or a request is answered otherwise than 202 or 429.
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
    drop(server);

    // Nobody keeps a reserve: now it is the database that finds the disk full.
    let written = std::fs::read_to_string(&tenant.config).expect("a file");
    std::fs::write(&tenant.config, written.replace(&format!("reserve_gib = {reserve}"), "reserve_gib = 0"))
        .expect("a file");
    let server = tenant.serve();
    std::fs::remove_file(&filler).expect("it is there");
    let free = rustix::fs::statvfs(&mount.0).map(|stat| stat.f_bavail * stat.f_frsize).expect("a disk");
    fill(&filler, (free >> 20) - 1);
    let full = submit_until_refused(&server.client, &mut refused);
    let before_full = full.len();
    acknowledged.extend(full);
    assert_eq!(server.client.get(&format!("/v1/jobs/{}", acknowledged[0])).status, 200, "what is there can be read");
    std::fs::remove_file(&filler).expect("it is there");
    let after: Vec<String> = (0..20).map(|number| server.client.submit(&format!("{number} After"), "north")).collect();
    for id in acknowledged.iter().chain(&after) {
        assert_eq!(server.client.get(&format!("/v1/jobs/{id}")).status, 200, "an acknowledged job is lost: {id}");
    }
    // Its log tells of the full disk, as it should: the drop would take offense.
    server.kill();
    let audit = tenant.audit();
    assert!(audit.jobs >= acknowledged.len() + after.len());
    Ok(Report { before_reserve, before_full, refused, after: after.len(), audit })
}

fn fill(file: &Path, mib: u64) {
    std::fs::write(file, vec![1; usize::try_from(mib << 20).expect("a size")]).expect("it fits");
}

/// Submits until ten requests in a row were refused; ids of what was taken.
fn submit_until_refused(client: &Client, refused: &mut usize) -> Vec<String> {
    let (mut taken, mut in_a_row) = (Vec::new(), 0);
    while in_a_row < 10 {
        let answer = submit(client, taken.len());
        match answer.status {
            202 => {
                taken.push(answer.json()["data"]["job_id"].as_str().expect("an id").to_owned());
                in_a_row = 0;
            }
            429 => {
                assert_eq!(answer.header("retry-after"), "60");
                (*refused, in_a_row) = (*refused + 1, in_a_row + 1);
            }
            status => panic!("answered {status}: {}", String::from_utf8_lossy(&answer.bytes)),
        }
        assert!(taken.len() < 100_000, "the disk does not fill up");
    }
    taken
}

/// As large a job as there is without a picture.
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
