//! Jobs whose engine dies in each of their runs: they fail after three runs and do not delay other jobs.
//!
//! Server, workers and engines are those of `aerie`. A poison job is a large photo: while its engine decodes it, the campaign sends
//! the engine a signal, as a crash or the kernel's out-of-memory killer would.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use aerie_domain::{JobStatus, MAX_RUNS};
use aerie_storage_sqlite::testing::list_runs;
use serde_json::json;

use super::{Tenant, quantile};
use crate::{Client, Server, Signal, gradient_picture, serve_pictures, signal, wait_until};

/// Deaths of an engine: an assertion or failed allocation, an invalid access in a native library, the out-of-memory killer.
pub const POISONS: [Signal; 3] = [Signal::ABORT, Signal::SEGV, Signal::KILL];

/// Result of a campaign.
#[derive(Debug, Clone)]
pub struct Report {
    /// Poison jobs; each failed after three runs and was not billed.
    pub poisoned: usize,
    /// Other jobs; each was completed and billed once.
    pub others: usize,
    /// Engines that died.
    pub deaths: u32,
    /// Median and 95th percentile of the other jobs' time from submit to completion, before any poison job.
    pub before: (Duration, Duration),
    /// The same while poison jobs were running.
    pub during: (Duration, Duration),
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { poisoned, others, deaths, before, during } = self;
        write!(
            f,
            "{poisoned} poison jobs failed after {MAX_RUNS} runs each and were not billed, {deaths} engines died; \
             {others} other jobs were completed and billed once, 0 stuck; their time from submit to completion: median {:?} before, \
             {:?} during poison; 95th percentile {:?}, {:?}",
            before.0, during.0, before.1, during.1
        )
    }
}

/// Runs a poison job of each kind `rounds` times among other jobs, on two workers.
///
/// # Panics
/// When a job is lost, stuck or billed wrongly, a poison job has not failed after three runs, or a worker died.
#[must_use]
pub fn campaign(rounds: usize, data: &Path) -> Report {
    let tenant = Tenant::new(data, "");
    let pictures = serve_pictures(
        [
            ("poison.jpg", gradient_picture("s=4000x3000:c0=0x2a3a4a:c1=0x9a8a70", "mjpeg")),
            ("good.jpg", gradient_picture("s=96x64:c0=0x2a3a4a:c1=0x9a8a70", "mjpeg")),
        ]
        .into(),
    );
    let config = tenant.config.to_str().expect("a path");
    let server = Server::restart_with(&["--config", config], data, 2, &tenant.org, &tenant.key);
    let deaths = AtomicU32::new(0);
    let good = format!("{pictures}/good.jpg");
    let mut before = ordinary(&server.client, &good, 10 * rounds.max(2));
    let mut during = Vec::new();
    for _ in 0..rounds {
        for with in POISONS {
            let id = submit(&server.client, &format!("{pictures}/poison.jpg"));
            let has_ended = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| kill_engines(&server, &id, with, &has_ended, &deaths));
                // Also when this panics: the scope waits for its threads.
                let _ended = SetOnDrop(&has_ended);
                wait_until("the poison job fails", Duration::from_secs(60), || {
                    during.extend(ordinary(&server.client, &good, 4));
                    (server.client.job(&id)["status"] == "failed").then_some(())
                });
            });
        }
    }
    assert!(server.metric("aerie_worker_restarts_total") == 0.0, "no worker died");
    let others = before.len() + during.len();
    let both = |times: &mut [Duration]| (quantile(times, 0.5), quantile(times, 0.95));
    let (before, during) = (both(&mut before), both(&mut during));
    drop(server);
    let audit = tenant.audit();
    let poisoned = rounds * POISONS.len();
    assert_eq!((audit.completed, audit.failed, audit.open), (others, poisoned, 0));
    check_runs(&tenant);
    Report { poisoned, others, deaths: deaths.load(Ordering::SeqCst), before, during }
}

fn submit(client: &Client, photo: &str) -> String {
    let submitted = client.post("/v1/image-enhance/generate", &json!({"image_url": photo}));
    assert_eq!(submitted.status, 202, "{:?}", submitted.json());
    submitted.json()["data"]["job_id"].as_str().expect("an id").to_owned()
}

/// Submits jobs one after the other and waits for each; returns their durations.
fn ordinary(client: &Client, photo: &str, jobs: usize) -> Vec<Duration> {
    let one = |_| {
        let id = submit(client, photo);
        let job = loop {
            let job = client.job(&id);
            match job["status"].as_str() {
                Some("completed") => break job,
                Some("failed") => panic!("{job}"),
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let time = |field: &str| job[field].as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let (from, to) = (time("created_at").expect("a time"), time("completed_at").expect("a time"));
        to.duration_since(from).unsigned_abs()
    };
    (0..jobs).map(one).collect()
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Sends a signal to each engine of a job until the job has ended.
fn kill_engines(server: &Server, job: &str, with: Signal, has_ended: &AtomicBool, deaths: &AtomicU32) {
    // Its working folder is that of the job.
    let is_of_job = |pid: &u32| {
        let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
        folder.components().any(|part| part.as_os_str().to_string_lossy().contains(job))
    };
    let mut killed = std::collections::BTreeSet::new();
    while !has_ended.load(Ordering::SeqCst) {
        for pid in server.engines().into_iter().filter(is_of_job) {
            // Until it is gone: Rust's handler of SIGSEGV lets a process that has not overflowed its stack go on once.
            if signal(pid, with) && killed.insert(pid) {
                deaths.fetch_add(1, Ordering::SeqCst);
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Checks that each failed job ran three times, and each other job once.
fn check_runs(tenant: &Tenant) {
    for job in list_runs(&tenant.database()).expect("the database can be read") {
        let expected = if job.status == JobStatus::Failed { MAX_RUNS } else { 1 };
        // A worker runs one job at a time, so a poison job cannot take another one down with it.
        assert_eq!(job.runs, expected, "{job:?}");
    }
}
