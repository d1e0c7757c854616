//! Kills the whole server repeatedly while clients submit and poll, sometimes freezing it or its worker first, and checks
//! that nothing was lost.
//!
//! A separate process stands in for the worker ([`complete_jobs`]): it claims and completes jobs through the store, and is
//! killed together with the server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use aerie_domain::{JobStatus, JobType, UsageRange};
use aerie_storage::{JobFilter, JobOutput};
use serde_json::json;

use crate::store::{check_database, open_store};
use crate::{ChildGuard, Client, Server, Signal, run_json, signal, wait_until};

const SUBMIT: &str = "/v1/drone-footage/generate";
/// Lease of the stand-in worker.
const LEASE: Duration = Duration::from_secs(1);

const PER_DAY: u64 = 1_000_000_000;

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Kills of the server.
    pub kills: u32,
    /// Freezes (SIGSTOP) before a kill: of the server for a moment, or of its worker past its lease.
    pub freezes: u32,
    /// Submits that were answered 202.
    pub acknowledged: usize,
    /// Of these, submits sent again with the same `Idempotency-Key` because a kill had cut off the response.
    pub repeated: u64,
    /// Polls that were answered.
    pub polls: u64,
    /// Jobs that were stored although the response was cut off, and that were never sent again.
    pub unconfirmed: usize,
    /// Jobs that were completed, each with one usage event.
    pub completed: usize,
    /// Jobs that failed after three killed runs; none has a usage event.
    pub failed: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { kills, freezes, acknowledged, repeated, polls, unconfirmed, completed, failed } = self;
        write!(
            f,
            "{kills} kills and {freezes} freezes: {acknowledged} submits acknowledged ({repeated} of them sent again after a kill), {polls} polls; \
             0 lost, 0 submitted twice, 0 billed twice; {completed} completed and billed once, {failed} failed after three \
             killed runs and not billed, {unconfirmed} stored although their response was lost; the database opened each time"
        )
    }
}

/// State shared by the clients.
#[derive(Default)]
struct Clients {
    /// Address of each acknowledged submit, and its job.
    acknowledged: Mutex<BTreeMap<String, String>>,
    /// Addresses of submits with an `Idempotency-Key` whose response was cut off by a kill.
    cut_off: Mutex<Vec<String>>,
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
        idempotency_key: Option<&str>,
        body: &[u8],
    ) -> Option<crate::Answer> {
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(idempotency_key.map(|key| ("Idempotency-Key", key)));
        self.sent.fetch_add(1, Ordering::SeqCst);
        let answer = client.try_send(method, path, &headers, body).ok()?;
        self.answered.fetch_add(1, Ordering::SeqCst);
        Some(answer)
    }

    /// Submits until the server is gone; every second time with an `Idempotency-Key`.
    fn submit(&self, client: &Client, stop: &AtomicBool) {
        while !stop.load(Ordering::SeqCst) {
            let again = lock(&self.cut_off).pop();
            let is_again = again.is_some();
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            let kind = if number.is_multiple_of(2) { "keyed" } else { "plain" };
            let address = again.unwrap_or_else(|| format!("{kind} {number}"));
            let idempotency_key = address.starts_with("keyed").then_some(address.as_str());
            let body = json!({"address": address}).to_string();
            match self.send(client, "POST", SUBMIT, idempotency_key, body.as_bytes()) {
                Some(answer) => {
                    assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.bytes));
                    let id = answer.json()["data"]["job_id"].as_str().expect("an id").to_owned();
                    assert!(
                        lock(&self.acknowledged).insert(address, id).is_none(),
                        "an address was acknowledged twice"
                    );
                    self.repeated.fetch_add(u64::from(is_again), Ordering::SeqCst);
                }
                None if idempotency_key.is_some() => lock(&self.cut_off).push(address),
                None => {}
            }
        }
    }

    /// Polls acknowledged jobs, including those from before a restart.
    fn poll(&self, client: &Client, stop: &AtomicBool) {
        let mut number = 0usize;
        while !stop.load(Ordering::SeqCst) {
            number += 7919;
            let id = {
                let jobs = lock(&self.acknowledged);
                if jobs.is_empty() { None } else { jobs.values().nth(number % jobs.len()).cloned() }
            };
            let Some(id) = id else { continue };
            if let Some(answer) = self.send(client, "GET", &format!("/v1/jobs/{id}"), None, &[]) {
                assert_eq!(answer.status, 200, "an acknowledged job is missing: {id}");
                self.polls.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Checks that the day's count is at least the number of answered requests, and at most ten more than those sent.
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
/// When a job is lost, run or billed twice, or the server does not restart.
#[must_use]
pub fn campaign(kills: u32, data: &Path, completer: &Path) -> Report {
    let config = data.with_extension("toml");
    let plan = format!("per_minute = 1000000000\nper_day = {PER_DAY}\nqueued_jobs = 1000000000");
    std::fs::write(&config, format!("[plans.campaign]\n{plan}\n")).expect("a file");
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
            // Between 20 and 300 ms, spread evenly by the golden ratio, so that kills hit every stage of the work.
            let moment = (f64::from(kill) * 0.618_034).fract();
            std::thread::sleep(Duration::from_secs_f64(0.02 + 0.28 * moment));
            freezes += u32::from(freeze(kill, &server, &completer));
            completer.kill().expect("the process exists");
            server.kill();
            stop.store(true, Ordering::SeqCst);
        });
        completer.wait().expect("our child process");
    }
    let server = Server::restart_with(&["--config", config], data, 0, &org, &key);
    let client = server.client.with_key(Some(&key));
    clients.check_day_count(&client);
    resend_cut_off(&clients, &client);
    let report = Report {
        kills,
        freezes,
        acknowledged: lock(&clients.acknowledged).len(),
        repeated: clients.repeated.load(Ordering::SeqCst),
        polls: clients.polls.load(Ordering::SeqCst),
        unconfirmed: 0,
        completed: 0,
        failed: 0,
    };
    let mut completer = start(completer, data);
    let report = check(report, &clients, &client, data);
    completer.kill().expect("the process exists");
    completer.wait().expect("our child process");
    report
}

fn start(completer: &Path, data: &Path) -> ChildGuard {
    ChildGuard::spawn(Command::new(completer).arg("complete").arg(data).stdin(Stdio::null()))
}

/// Freezes the worker past its lease every tenth time, and the server for a moment every fifth; returns whether it did.
fn freeze(kill: u32, server: &Server, completer: &ChildGuard) -> bool {
    let (pid, time) = match kill % 10 {
        3 => (completer.id(), LEASE + Duration::from_millis(300)),
        1 | 6 => (server.pid(), Duration::from_millis(250)),
        _ => return false,
    };
    assert!(signal(pid, Signal::STOP), "the process exists");
    std::thread::sleep(time);
    assert!(signal(pid, Signal::CONT), "the process exists");
    // Time in which a resumed process could do something wrong.
    std::thread::sleep(Duration::from_millis(50));
    true
}

/// Sends the submits again whose responses were cut off.
fn resend_cut_off(clients: &Clients, client: &Client) {
    let left = std::mem::take(&mut *lock(&clients.cut_off));
    for address in left {
        let body = json!({"address": address}).to_string();
        let answer = clients.send(client, "POST", SUBMIT, Some(&address), body.as_bytes()).expect("an answer");
        assert_eq!(answer.status, 202);
        let id = answer.json()["data"]["job_id"].as_str().expect("an id").to_owned();
        assert!(lock(&clients.acknowledged).insert(address, id).is_none());
        clients.repeated.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits until every job has ended, and compares the database with what clients were promised.
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
    let store = open_store(data);
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
        report.unconfirmed += usize::from(!acknowledged.contains_key(&address));
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
    assert_eq!(quota, report.completed as u64, "the month's quota counts completed jobs");
    drop(store);
    check_database(&data.join("aerie.db"));
    report
}

/// Claims and completes jobs until it is killed.
///
/// # Panics
/// When the database cannot be opened.
pub fn complete_jobs(data: &Path) -> ! {
    let store = open_store(data);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let name = format!("completer-{}", std::process::id());
    runtime.block_on(async {
        loop {
            let claim = store.job_claim(&[JobType::DroneFootage], &name, LEASE).await;
            match claim {
                Ok(Some(claim)) => {
                    // A lost lease now belongs to another process, which is fine here.
                    let _ = store.job_complete(&claim.lease, JobOutput::default()).await;
                }
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    })
}
