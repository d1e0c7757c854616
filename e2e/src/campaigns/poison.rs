//! Jobs that kill their worker: they fail after three runs and do not delay other jobs.
//!
//! The engine of [`run_worker`] crashes on purpose. It is not part of `aerie`; queue, leases and worker are the real ones.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use aerie_domain::{JobStatus, JobType, MAX_RUNS};
use aerie_engines::{EngineContext, EngineError, Produced, ProducedFile, Sources};
use aerie_storage::{Capacity, LocalMedia};
use aerie_storage_sqlite::testing::list_runs;
use aerie_worker::{Engines, Pace, Phase, Worker};
use serde_json::Value;

use super::{Tenant, quantile};
use crate::store::open_store;
use crate::{Client, wait_until};

/// Addresses of poison jobs.
pub const POISONS: [&str; 4] = ["abort", "memory", "endless loop", "panic"];

/// Memory limit of the worker in bytes.
const MEMORY: u64 = 512 << 20;

/// Time limit of a run.
const RUN_LIMIT: Duration = Duration::from_secs(2);

/// Result of a campaign.
#[derive(Debug, Clone)]
pub struct Report {
    /// Poison jobs; each failed after three runs and was not billed.
    pub poisoned: usize,
    /// Other jobs; each was completed and billed once.
    pub others: usize,
    /// Workers that died.
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
            "{poisoned} poison jobs failed after {MAX_RUNS} runs each and were not billed, {deaths} workers died; \
             {others} other jobs were completed and billed once, 0 stuck; their time from submit to completion: median {:?} before, \
             {:?} during poison; 95th percentile {:?}, {:?}",
            before.0, during.0, before.1, during.1
        )
    }
}

/// Runs each poison job `rounds` times among other jobs, on two workers. `worker` is a program that calls [`run_worker`] with
/// its last argument.
///
/// # Panics
/// When a job is lost, stuck or billed wrongly, or a poison job has not failed after three runs.
#[must_use]
pub fn campaign(rounds: usize, data: &Path, worker: &Path) -> Report {
    let tenant = Tenant::new(data, "");
    let server = tenant.serve();
    let (stop, deaths) = (AtomicBool::new(false), AtomicU32::new(0));
    let (before, during, others) = std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| keep_running(worker, data, &stop, &deaths));
        }
        let mut before = ordinary(&server.client, 10 * rounds.max(2));
        let mut during = Vec::new();
        for round in 0..rounds {
            for poison in POISONS {
                let id = server.client.submit(&format!("{poison} {round}"), "north");
                wait_until("the poison job fails", Duration::from_secs(60), || {
                    during.extend(ordinary(&server.client, 4));
                    (server.client.job(&id)["status"] == "failed").then_some(())
                });
            }
        }
        let others = before.len() + during.len();
        stop.store(true, Ordering::SeqCst);
        let both = |times: &mut [Duration]| (quantile(times, 0.5), quantile(times, 0.95));
        (both(&mut before), both(&mut during), others)
    });
    drop(server);
    let audit = tenant.audit();
    let poisoned = rounds * POISONS.len();
    assert_eq!((audit.completed, audit.failed, audit.open), (others, poisoned, 0));
    check_runs(&tenant);
    Report { poisoned, others, deaths: deaths.load(Ordering::SeqCst), before, during }
}

/// Submits jobs one after the other and waits for each; returns their durations.
fn ordinary(client: &Client, jobs: usize) -> Vec<Duration> {
    let one = |number: usize| {
        let id = client.submit(&format!("good {number}"), "north");
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

/// Restarts a worker each time it dies, like the supervisor of `aerie serve`.
fn keep_running(worker: &Path, data: &Path, stop: &AtomicBool, deaths: &AtomicU32) {
    while !stop.load(Ordering::SeqCst) {
        let mut child = Command::new(worker)
            .arg("poison-worker")
            .arg(data)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the worker starts");
        let died = loop {
            if child.try_wait().expect("our child process").is_some() {
                break true;
            }
            if stop.load(Ordering::SeqCst) {
                break false;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        if died {
            deaths.fetch_add(1, Ordering::SeqCst);
        } else {
            child.kill().expect("the process exists");
            child.wait().expect("our child process");
        }
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

struct Poisonous;

impl Engines for Poisonous {
    fn kinds(&self) -> Vec<JobType> {
        vec![JobType::DroneFootage]
    }

    fn run(&self, _: JobType, input: &Value, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
        let address = input["address"].as_str().unwrap_or_default();
        let poison = POISONS.into_iter().find(|poison| address.starts_with(poison));
        match poison {
            Some("abort") => std::process::abort(),
            Some("memory") => {
                let mut memory: Vec<Vec<u8>> = Vec::new();
                loop {
                    memory.push(vec![1; 16 << 20]);
                }
            }
            Some("panic") => panic!("poison"),
            Some(_) => loop {
                // Ignores cancellation.
                std::thread::sleep(Duration::from_millis(10));
            },
            None => {
                let path = context.out_dir.join("video.mp4");
                std::fs::write(&path, address).map_err(|error| EngineError::Retry(error.to_string()))?;
                let files = vec![ProducedFile::new("video_url", path, "video/mp4")];
                Ok(Produced { files, ..Produced::default() })
            }
        }
    }
}

/// Runs jobs with the crashing engine until the process dies.
///
/// # Panics
/// When the data folder cannot be opened.
pub fn run_worker(data: &Path) {
    let most = Some(MEMORY);
    let limit = rustix::process::Rlimit { current: most, maximum: most };
    rustix::process::setrlimit(rustix::process::Resource::Data, limit).expect("a memory limit");
    let worker = Worker {
        name: format!("poison-{}-{}", std::process::id(), jiff::Timestamp::now().as_nanosecond()),
        store: open_store(data),
        media: LocalMedia::open(&data.join("media")).expect("a folder").store().clone(),
        engines: Arc::new(Poisonous),
        signing: None,
        kinds: JobType::ALL.to_vec(),
        data_dir: data.to_owned(),
        sources: Sources::default(),
        capacity: Capacity::unlimited(),
        pace: Pace {
            lease: Duration::from_secs(1),
            heartbeat: Duration::from_millis(200),
            poll: Duration::from_millis(20),
            idle_poll: Duration::from_millis(20),
            retry_wait: Duration::from_millis(50),
            run_limit: RUN_LIMIT,
            stop_limit: Duration::from_millis(300),
            ..Pace::default()
        },
        busy: tokio::sync::watch::Sender::new(false),
        pack: tokio::sync::watch::Sender::new(None),
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let (_stop, stopped) = tokio::sync::watch::channel(Phase::default());
    // Returns when an engine does not stop; exiting the process then ends its thread.
    let _ = runtime.block_on(worker.run(&tokio::sync::Notify::new(), stopped));
    runtime.shutdown_background();
}
