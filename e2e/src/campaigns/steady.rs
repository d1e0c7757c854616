//! The load of a busy day, held: many clients poll, submit and list while the workers are busy. The server answers each of
//! them, and its memory does not grow.

use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aerie_sample_town::SAMPLE_ADDRESSES;
use serde_json::{Value, json};

use super::{Tenant, quantile};
use crate::http::Client;

const POLLERS: usize = 150;
const SUBMITTERS: usize = 40;
const LISTERS: usize = 10;

/// Interval between two requests of a client.
const POLL_EVERY: Duration = Duration::from_millis(500);
const SUBMIT_EVERY: Duration = Duration::from_secs(1);
const LIST_EVERY: Duration = Duration::from_secs(1);

/// Videos that keep the workers busy; the other jobs fail as soon as they run.
const VIDEOS: usize = 60;

/// Result of a campaign.
#[derive(Debug, Clone)]
pub struct Report {
    /// Answered requests.
    pub answered: usize,
    /// Requests that were refused or got no answer, with the first reason.
    pub errors: (usize, Option<String>),
    /// The 99th percentile and the slowest response to a poll.
    pub polls: (Duration, Duration),
    /// Median memory of the server in the second tenth of the time and in the last, MiB.
    pub memory: (u64, u64),
    /// Jobs that workers have ended.
    pub ended: u64,
}

impl Report {
    /// Growth of the memory after the start.
    #[must_use]
    pub fn growth(&self) -> f64 {
        self.memory.1 as f64 / self.memory.0 as f64 - 1.0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{POLLERS} pollers, {SUBMITTERS} submitters and {LISTERS} listers: {} requests answered, {} errors{}; polls: 99 in \
             100 within {:.1?}, all within {:.1?}; {} jobs ended meanwhile; memory of the server {} MiB early, {} MiB at the \
             end ({:+.0} %)",
            self.answered,
            self.errors.0,
            self.errors.1.as_ref().map_or_else(String::new, |first| format!(" (first: {first})")),
            self.polls.0,
            self.polls.1,
            self.ended,
            self.memory.0,
            self.memory.1,
            self.growth() * 100.0
        )
    }
}

/// Counts the answers of all clients.
#[derive(Default)]
struct Tally {
    answered: AtomicUsize,
    errors: Mutex<Vec<String>>,
    polls: Mutex<Vec<Duration>>,
    is_over: AtomicBool,
}

impl Tally {
    /// Sends one request; returns its answer if it has the expected status.
    fn send(&self, client: &Client, (method, path): (&str, &str), body: &Value, status: u16) -> Option<Value> {
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let answer = client.try_send(method, path, &[("Content-Type", "application/json")], &bytes);
        let why = match answer {
            Ok(answer) if answer.status == status => {
                self.answered.fetch_add(1, Ordering::Relaxed);
                return Some(answer.json());
            }
            Ok(answer) => format!("{method} {path}: {} {}", answer.status, String::from_utf8_lossy(&answer.bytes)),
            Err(error) => format!("{method} {path}: {error}"),
        };
        self.errors.lock().expect("no panic").push(why);
        None
    }

    /// Repeats `work` until the campaign is over, each at its own time within the interval.
    fn repeat(&self, number: usize, of: usize, every: Duration, mut work: impl FnMut()) {
        std::thread::sleep(every.mul_f64(number as f64 / of as f64));
        while !self.is_over.load(Ordering::Relaxed) {
            let begun = Instant::now();
            work();
            std::thread::sleep(every.saturating_sub(begun.elapsed()));
        }
    }
}

/// Holds the load for `time` on a server with one worker for videos and one for other jobs.
///
/// # Panics
/// When the server does not start.
#[must_use]
pub fn campaign(time: Duration, data: &Path) -> Report {
    let tenant = Tenant::new(data, "queued_jobs = 0");
    let config = tenant.config.to_str().unwrap_or_default();
    let server = crate::Server::restart_with(&["--config", config], &tenant.data, 2, &tenant.org, &tenant.key);
    let jobs: Vec<String> =
        (0..VIDEOS).map(|n| server.client.submit(SAMPLE_ADDRESSES[n % SAMPLE_ADDRESSES.len()], "north")).collect();
    let tally = Tally::default();
    let submit = ("POST", "/v1/drone-footage/generate");
    let mut memory = Vec::new();
    std::thread::scope(|scope| {
        let (tally, jobs, client) = (&tally, &jobs, &server.client);
        for number in 0..POLLERS {
            let path = format!("/v1/jobs/{}", jobs[number % jobs.len()]);
            scope.spawn(move || {
                tally.repeat(number, POLLERS, POLL_EVERY, || {
                    let begun = Instant::now();
                    tally.send(client, ("GET", &path), &Value::Null, 200);
                    tally.polls.lock().expect("no panic").push(begun.elapsed());
                });
            });
        }
        for number in 0..SUBMITTERS {
            scope.spawn(move || {
                let mut sent = 0;
                tally.repeat(number, SUBMITTERS, SUBMIT_EVERY, || {
                    sent += 1;
                    let body = json!({"address": format!("{sent} No Such Street {number}, Nowhere")});
                    tally.send(client, submit, &body, 202);
                });
            });
        }
        for number in 0..LISTERS {
            scope.spawn(move || {
                tally.repeat(number, LISTERS, LIST_EVERY, || {
                    tally.send(client, ("GET", "/v1/jobs?limit=100"), &Value::Null, 200);
                });
            });
        }
        let begun = Instant::now();
        while begun.elapsed() < time {
            std::thread::sleep(time / 100);
            memory.push(resident_mib(server.pid()));
        }
        tally.is_over.store(true, Ordering::Relaxed);
    });
    let ended = ["completed", "failed"].map(|status| {
        let page = server.client.get(&format!("/v1/jobs?limit=1&status={status}")).json();
        page["pagination"]["total"].as_u64().unwrap_or_default()
    });
    let middle = |samples: &[u64]| {
        let mut samples = samples.to_vec();
        samples.sort_unstable();
        samples[samples.len() / 2]
    };
    let tenth = memory.len() / 10;
    let errors = tally.errors.into_inner().expect("no panic");
    let mut polls = tally.polls.into_inner().expect("no panic");
    Report {
        answered: tally.answered.into_inner(),
        errors: (errors.len(), errors.into_iter().next()),
        polls: (quantile(&mut polls, 0.99), quantile(&mut polls, 1.0)),
        memory: (middle(&memory[tenth..2 * tenth]), middle(&memory[memory.len() - tenth..])),
        ended: ended.iter().sum(),
    }
}

/// Resident memory of a process, MiB.
fn resident_mib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() >> 10
}
