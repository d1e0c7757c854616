//! The real server and workers, with their clock set ahead and back by up to a day while they work. libfaketime replaces
//! the wall clock; the monotonic clock, used for waiting, is unaffected, as on a real system.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;

use super::{Audit, Tenant};
use crate::{Server, serve_pictures, wait_until};

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Number of times the clock was set.
    pub jumps: u32,
    /// Hours between the earliest and latest `created_at` of the jobs, which shows that the server saw the clock change.
    pub hours: i64,
    /// Jobs acknowledged.
    pub acknowledged: usize,
    /// Files of completed jobs, all downloaded successfully.
    pub files: usize,
    /// Workers restarted by the server.
    pub restarts: u64,
    /// Final audit.
    pub audit: Audit,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { jumps, hours, acknowledged, files, restarts, audit } = self;
        write!(
            f,
            "the clock of `aerie serve` and two workers was set {jumps} times by up to a day: {acknowledged} jobs acknowledged, \
             created over {hours} hours of that clock; 0 lost, 0 billed twice, 0 stuck; {} completed with {files} files; {} failed and \
             not billed; {restarts} workers restarted",
            audit.completed, audit.failed
        )
    }
}

/// Finds libfaketime in the usual folders; `FAKETIME_LIBRARY` overrides them.
fn library() -> Option<PathBuf> {
    let named = std::env::var_os("FAKETIME_LIBRARY").map(PathBuf::from);
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/local/lib"];
    let usual = folders.map(|folder| Path::new(folder).join("faketime/libfaketimeMT.so.1"));
    named.into_iter().chain(usual).find(|path| path.is_file())
}

/// Submits `jobs` jobs to two workers while the clock is set every third of a second. Every third job is for a house that
/// does not exist, and fails; the others enhance a small photo.
///
/// # Errors
/// When libfaketime is not installed.
///
/// # Panics
/// When a job is lost, stuck or billed wrongly, or one of its files is missing.
pub fn campaign(jobs: usize, data: &Path) -> Result<Report, String> {
    let library = library().ok_or("libfaketime is not installed; on Debian: apt-get install libfaketime")?;
    let tenant = Tenant::new(data, "");
    let clock = data.with_extension("clock");
    set(&clock, 0);
    let pictures = serve_pictures([("photo.png", photo())].into());
    let environment = [
        ("LD_PRELOAD", library.to_str().ok_or("its path is not UTF-8")?),
        ("FAKETIME_TIMESTAMP_FILE", clock.to_str().ok_or("its path is not UTF-8")?),
        ("FAKETIME_NO_CACHE", "1"),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ("NO_FAKE_STAT", "1"),
    ];
    let config = ["--config", tenant.config.to_str().ok_or("its path is not UTF-8")?];
    let server = Server::restart_in(&environment, &config, data, 2, &tenant.org, &tenant.key);
    let (stop, jumps) = (AtomicBool::new(false), AtomicU32::new(0));
    let mut acknowledged = BTreeMap::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = 0x9e37_79b9_7f4a_7c15_u64;
            while !stop.load(Ordering::SeqCst) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let day = 86_400_i64;
                set(&clock, i64::try_from(random >> 33).unwrap_or(0) % (2 * day) - day);
                jumps.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(333));
            }
            // Finally past every lease ever granted.
            set(&clock, 2 * 86_400);
        });
        for number in 0..jobs {
            let (path, body) = match number % 3 {
                0 => ("/v1/drone-footage/generate", json!({"address": format!("{number} Nowhere Street, Atlantis")})),
                _ => ("/v1/image-enhance/generate", json!({"image_url": format!("{pictures}/photo.png?{number}")})),
            };
            let answer = server.client.post(path, &body);
            assert_eq!(answer.status, 202, "{}", answer.json());
            let id = answer.json()["data"]["job_id"].as_str().expect("an id").to_owned();
            assert!(acknowledged.insert(id, number).is_none(), "an id was issued twice");
            // About as fast as jobs are completed, so that the clock is set in the middle of most.
            std::thread::sleep(Duration::from_millis(150));
        }
        stop.store(true, Ordering::SeqCst);
    });
    let (mut files, mut completed, mut created) = (0, 0, Vec::new());
    for (id, number) in &acknowledged {
        let job = wait_until("the job ends", Duration::from_secs(300), || {
            let job = server.client.job(id);
            matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
        });
        created.extend(job["created_at"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok()));
        let is_completed = job["status"] == "completed";
        assert!(!is_completed || number % 3 != 0, "{job}");
        completed += usize::from(is_completed);
        for field in ["image_url", "thumbnail_url", "original_url"].into_iter().filter(|_| is_completed) {
            let link = job["output"][field].as_str().expect("a link");
            assert_eq!(server.client.with_key(None).get(link).status, 200, "{field} of {id}");
            files += 1;
        }
    }
    let figures = server.client.with_key(None).get("/metrics").bytes;
    let restarts = String::from_utf8_lossy(&figures)
        .lines()
        .find_map(|line| line.strip_prefix("aerie_worker_restarts_total ").and_then(|count| count.parse().ok()))
        .unwrap_or(0);
    drop(server);
    let audit = tenant.audit();
    assert_eq!((audit.jobs, audit.completed, audit.open), (acknowledged.len(), completed, 0));
    let jumps = jumps.into_inner();
    let hours = match (created.iter().min(), created.iter().max()) {
        (Some(first), Some(last)) => last.duration_since(*first).as_hours(),
        _ => 0,
    };
    Ok(Report { jumps, hours, acknowledged: acknowledged.len(), files, restarts, audit })
}

/// Sets the offset of the clock in seconds, atomically.
fn set(clock: &Path, seconds: i64) {
    let next = clock.with_extension("next");
    std::fs::write(&next, format!("{seconds:+}\n")).expect("a file");
    std::fs::rename(&next, clock).expect("a rename");
}

/// A PNG of smooth colors, 320 x 214.
fn photo() -> Vec<u8> {
    let gradient = "gradients=s=320x214:c0=0x2a3a4a:c1=0x9a8a70:x0=0:y0=0:x1=319:y1=213:seed=7";
    let arguments =
        ["-v", "error", "-f", "lavfi", "-i", gradient, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"];
    let made = Command::new("ffmpeg").args(arguments).output().expect("ffmpeg starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
}
