//! Kills the whole server over and over while clients submit and poll, or freezes it or its worker before, and looks whether
//! anything was lost.
//!
//! What takes jobs in the place of engines is a process of its own ([`complete_jobs`]), which claims and completes through
//! the store, and is killed in the same moment as the server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aerie_domain::{JobStatus, JobType, SystemClock, UsageRange};
use aerie_storage::{JobFilter, JobOutput, JobStore, SqliteStore};
use serde_json::json;

use crate::{Client, Server, Signal, run_json, signal, wait_until};

const SUBMIT: &str = "/v1/drone-footage/generate";
/// Lease of what takes jobs in the place of engines.
const LEASE: Duration = Duration::from_secs(1);

const PER_DAY: u64 = 1_000_000_000;

/// What a campaign came to.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Kills of the server.
    pub kills: u32,
    /// Freezes (SIGSTOP) before, of the server for a while, or of its worker past its lease.
    pub freezes: u32,
    /// Submits that were answered 202.
    pub acknowledged: usize,
    /// Of them, those that were sent again with the same `Idempotency-Key`, for a kill had swallowed the answer.
    pub repeated: u64,
    /// Polls that were answered.
    pub polls: u64,
    /// Jobs that were kept though the answer was swallowed, and never asked for again.
    pub unasked: usize,
    /// Jobs that were completed, each with one usage event.
    pub completed: usize,
    /// Jobs that failed, for three runs were killed; none has a usage event.
    pub failed: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { kills, freezes, acknowledged, repeated, polls, unasked, completed, failed } = self;
        write!(
            f,
            "{kills} kills and {freezes} freezes: {acknowledged} submits acknowledged ({repeated} of them sent again after a kill), {polls} polls; \
             0 lost, 0 submitted twice, 0 billed twice; {completed} completed and billed once, {failed} failed after three \
             killed runs and not billed, {unasked} kept though their answer was lost; the database opened each time"
        )
    }
}

/// What clients have done so far.
#[derive(Default)]
struct Clients {
    /// Address of each acknowledged submit, and the job.
    acknowledged: Mutex<BTreeMap<String, String>>,
    /// Addresses of submits with an `Idempotency-Key` whose answer a kill has swallowed.
    swallowed: Mutex<Vec<String>>,
    next: AtomicU64,
    repeated: AtomicU64,
    polls: AtomicU64,
    /// Requests with the key, sent and answered.
    sent: AtomicU64,
    answered: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Clients {
    fn send(
        &self,
        client: &Client,
        method: &str,
        path: &str,
        once: Option<&str>,
        body: &[u8],
    ) -> Option<crate::Answer> {
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(once.map(|key| ("Idempotency-Key", key)));
        self.sent.fetch_add(1, Ordering::SeqCst);
        let answer = client.try_send(method, path, &headers, body).ok()?;
        self.answered.fetch_add(1, Ordering::SeqCst);
        Some(answer)
    }

    /// Submits until the server is gone; every other time with an `Idempotency-Key`.
    fn submit(&self, client: &Client, stop: &AtomicBool) {
        while !stop.load(Ordering::SeqCst) {
            let again = lock(&self.swallowed).pop();
            let is_again = again.is_some();
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            let kind = if number.is_multiple_of(2) { "once" } else { "plain" };
            let address = again.unwrap_or_else(|| format!("{kind} {number}"));
            let once = address.starts_with("once").then_some(address.as_str());
            let body = json!({"address": address}).to_string();
            match self.send(client, "POST", SUBMIT, once, body.as_bytes()) {
                Some(answer) => {
                    assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.bytes));
                    let id = answer.json()["data"]["job_id"].as_str().expect("an id").to_owned();
                    assert!(lock(&self.acknowledged).insert(address, id).is_none(), "one address, one answer");
                    self.repeated.fetch_add(u64::from(is_again), Ordering::SeqCst);
                }
                None if once.is_some() => lock(&self.swallowed).push(address),
                None => {}
            }
        }
    }

    /// Polls jobs that were acknowledged, in whichever life of the server.
    fn poll(&self, client: &Client, stop: &AtomicBool) {
        let mut number = 0usize;
        while !stop.load(Ordering::SeqCst) {
            number += 7919;
            let id = {
                let known = lock(&self.acknowledged);
                if known.is_empty() { None } else { known.values().nth(number % known.len()).cloned() }
            };
            let Some(id) = id else { continue };
            if let Some(answer) = self.send(client, "GET", &format!("/v1/jobs/{id}"), None, &[]) {
                assert_eq!(answer.status, 200, "an acknowledged job is not there: {id}");
                self.polls.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// The day's count is never less than the requests that were answered, and at most ten more than those sent.
    fn check_day_count(&self, client: &Client) {
        let before = self.answered.load(Ordering::SeqCst);
        let answer = self.send(client, "GET", "/v1/jobs?limit=1", None, &[]).expect("an answer");
        let day = answer.header("ratelimit").split("\"day\";r=").nth(1).and_then(|rest| rest.split(';').next());
        let used = PER_DAY - day.and_then(|left| left.parse::<u64>().ok()).expect("the day's budget");
        let sent = self.sent.load(Ordering::SeqCst);
        assert!(used > before && used <= sent + 10, "{used} counted of {before} answered and {sent} sent requests");
    }
}

/// Runs the campaign in an empty data folder. `completer` is a program that calls [`complete_jobs`] with its last argument.
///
/// # Panics
/// When anything is lost, or done or billed twice, or the server does not start again.
#[must_use]
pub fn campaign(kills: u32, data: &Path, completer: &Path) -> Report {
    let config = data.with_extension("toml");
    std::fs::write(&config, format!("[plans.campaign]\nper_minute = 1000000000\nper_day = {PER_DAY}\n"))
        .expect("a file");
    let config = config.to_str().expect("a path");
    let create = ["admin", "org", "create", "Acme", "--plan", "campaign", "--config", config];
    let org = run_json(&create, data)["org_id"].as_str().expect("an id").to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().expect("a key").to_owned();
    let clients = Clients::default();
    let mut freezes = 0;
    for kill in 0..kills {
        let server = Server::restart_with(&["--config", config], data, 0, &org, &key);
        let client = server.client.with_key(Some(&key));
        clients.check_day_count(&client);
        let mut completer = start(completer, data);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| clients.submit(&client, &stop));
            }
            scope.spawn(|| clients.poll(&client, &stop));
            // Between 20 and 300 ms, spread evenly by the golden ratio: kills meet every stage of the work.
            let moment = (f64::from(kill) * 0.618_034).fract();
            std::thread::sleep(Duration::from_secs_f64(0.02 + 0.28 * moment));
            freezes += u32::from(freeze(kill, &server, &completer));
            completer.kill().expect("it is there");
            server.kill();
            stop.store(true, Ordering::SeqCst);
        });
        completer.wait().expect("it was ours");
    }
    let server = Server::restart_with(&["--config", config], data, 0, &org, &key);
    let client = server.client.with_key(Some(&key));
    clients.check_day_count(&client);
    settle_swallowed(&clients, &client);
    let report = Report {
        kills,
        freezes,
        acknowledged: lock(&clients.acknowledged).len(),
        repeated: clients.repeated.load(Ordering::SeqCst),
        polls: clients.polls.load(Ordering::SeqCst),
        unasked: 0,
        completed: 0,
        failed: 0,
    };
    let mut completer = start(completer, data);
    let report = check(report, &clients, &client, data);
    completer.kill().expect("it is there");
    completer.wait().expect("it was ours");
    report
}

fn start(completer: &Path, data: &Path) -> Child {
    Command::new(completer).arg("complete").arg(data).stdin(Stdio::null()).spawn().expect("the completer starts")
}

/// Freezes the worker past its lease every tenth time, and the server for a moment every fifth; whether it did.
fn freeze(kill: u32, server: &Server, completer: &Child) -> bool {
    let (pid, time) = match kill % 10 {
        3 => (completer.id(), LEASE + Duration::from_millis(300)),
        1 | 6 => (server.pid(), Duration::from_millis(250)),
        _ => return false,
    };
    assert!(signal(pid, Signal::STOP), "it is there");
    std::thread::sleep(time);
    assert!(signal(pid, Signal::CONT), "it is there");
    // Time to do what it must not.
    std::thread::sleep(Duration::from_millis(50));
    true
}

/// Sends the last swallowed submits again.
fn settle_swallowed(clients: &Clients, client: &Client) {
    let left = std::mem::take(&mut *lock(&clients.swallowed));
    for address in left {
        let body = json!({"address": address}).to_string();
        let answer = clients.send(client, "POST", SUBMIT, Some(&address), body.as_bytes()).expect("an answer");
        assert_eq!(answer.status, 202);
        let id = answer.json()["data"]["job_id"].as_str().expect("an id").to_owned();
        assert!(lock(&clients.acknowledged).insert(address, id).is_none());
        clients.repeated.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits until every job has ended, and compares what is there with what was promised.
fn check(mut report: Report, clients: &Clients, client: &Client, data: &Path) -> Report {
    wait_until("every job ends", Duration::from_secs(600), || {
        let left =
            |status| client.get(&format!("/v1/jobs?limit=1&status={status}")).json()["pagination"]["total"].as_u64();
        (left("queued") == Some(0) && left("running") == Some(0)).then_some(())
    });
    let acknowledged = lock(&clients.acknowledged);
    for id in acknowledged.values() {
        assert_eq!(client.get(&format!("/v1/jobs/{id}")).status, 200, "an acknowledged job is lost: {id}");
    }
    let store = SqliteStore::open(&data.join("aerie.db"), Arc::new(SystemClock)).expect("the database opens");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let all = JobFilter { org_id: None, status: None, job_type: None, limit: u32::MAX, offset: 0 };
    let jobs = runtime.block_on(store.job_list(all)).expect("the jobs").jobs;
    let org = runtime.block_on(store.org_list()).expect("the organization")[0].id;
    let range = UsageRange::parse(Some("2020-01-01"), Some("2999-12-31"), jiff::Timestamp::now()).expect("a range");
    let events = runtime.block_on(store.usage_list(org, range, None, u32::MAX)).expect("the events");
    let billed: BTreeSet<_> = events.iter().map(|event| event.job_id).collect();
    assert_eq!(billed.len(), events.len(), "a job is billed twice");

    let mut addresses = BTreeSet::new();
    for job in &jobs {
        let address = job.input["address"].as_str().expect("an address").to_owned();
        report.unasked += usize::from(!acknowledged.contains_key(&address));
        if let Some(id) = acknowledged.get(&address) {
            assert_eq!(*id, job.id.to_string(), "submitted twice: {address}");
        }
        assert!(addresses.insert(address), "submitted twice: {}", job.input);
        assert_eq!(billed.contains(&job.id), job.status == JobStatus::Completed, "{} is {}", job.id, job.status);
        report.completed += usize::from(job.status == JobStatus::Completed);
        report.failed += usize::from(job.status == JobStatus::Failed);
    }
    assert_eq!(report.completed + report.failed, jobs.len());
    let quota = runtime.block_on(store.quota_used(org, jiff::Timestamp::now())).expect("the quota");
    assert_eq!(quota, report.completed as u64, "the month's quota counts what was completed");
    drop(store);
    let db = rusqlite::Connection::open(data.join("aerie.db")).expect("the database opens");
    let integrity: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a check");
    assert_eq!(integrity, "ok");
    report
}

/// Claims and completes jobs until it is killed.
///
/// # Panics
/// When the database cannot be opened.
pub fn complete_jobs(data: &Path) -> ! {
    let store = SqliteStore::open(&data.join("aerie.db"), Arc::new(SystemClock)).expect("the database opens");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let name = format!("completer-{}", std::process::id());
    runtime.block_on(async {
        loop {
            let claim = store.job_claim(&[JobType::DroneFootage], &name, LEASE).await;
            match claim {
                Ok(Some(claim)) => {
                    // A lease that was lost is one that another has: no matter here.
                    let _ = store.job_complete(&claim.lease, JobOutput::default()).await;
                }
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    })
}
