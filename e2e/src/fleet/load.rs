//! Clients that submit and poll through all nodes, and remember what was promised to them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aerie_math::Rng;
use serde_json::{Value, json};

use crate::http::{Answer, Client};

const SUBMIT: &str = "/v1/image-enhance/generate";
/// How long a client waits for an answer before it asks another node.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Pause after an answer that is none, and between polls.
const PAUSE: Duration = Duration::from_millis(100);
/// Jobs that may wait or run at the same time: few, so that the fleet recovers as soon as it can work.
const OPEN_JOBS: usize = 10;

pub(super) const SUBMITTERS: usize = 3;

/// What one client was promised.
#[derive(Debug, Clone, Default)]
pub(super) struct Promise {
    /// The picture to enhance.
    pub(super) picture: usize,
    /// The job of the 202.
    pub(super) job: Option<String>,
    /// Number of requests that were sent with the key.
    pub(super) sends: u32,
    /// The first response that shows the job as ended: its status, its end and the media without their signatures.
    pub(super) ended: Option<Ended>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) status: String,
    pub(super) at: Value,
    pub(super) media: Vec<String>,
}

/// All that clients know.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) promises: Mutex<BTreeMap<String, Promise>>,
    /// Number of responses by request and status; without a response, the status is 0.
    pub(super) answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
    /// The longest time until a response, and to what, since this was last reset.
    pub(super) slowest: Mutex<(Duration, &'static str)>,
    /// Promises that were seen broken while the faults lasted.
    pub(super) broken: Mutex<Vec<String>>,
}

/// The API nodes that clients send requests to, as a load balancer knows them.
pub(super) struct Targets {
    key: String,
    patience: Duration,
    clients: Mutex<Vec<Arc<Client>>>,
}

impl Targets {
    /// Clients with a key, each of which waits this long for a response.
    pub(super) fn new(urls: &[String], key: &str, patience: Duration) -> Self {
        let targets = Self { key: key.to_owned(), patience, clients: Mutex::default() };
        for url in urls {
            targets.add(url);
        }
        targets
    }

    pub(super) fn add(&self, url: &str) {
        lock(&self.clients).push(Arc::new(Client::patient(url, Some(self.key.clone()), self.patience)));
    }

    /// Sends no more requests to a node, and waits for the responses to those in progress.
    pub(super) fn remove(&self, url: &str) {
        let removed: Vec<_> = lock(&self.clients).extract_if(.., |client| client.base_url() == url).collect();
        while removed.iter().any(|client| Arc::strong_count(client) > 1) {
            std::thread::sleep(PAUSE);
        }
    }

    fn any(&self, rng: &mut Rng) -> Arc<Client> {
        let clients = lock(&self.clients);
        Arc::clone(&clients[rng.below(clients.len())])
    }
}

/// A request that clients send.
pub(super) struct Request<'a> {
    /// What it is counted as.
    pub(super) name: &'static str,
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) headers: &'a [(&'a str, &'a str)],
    pub(super) body: &'a str,
}

/// What the clients are to do.
pub(super) struct Load<'a> {
    pub(super) seed: u64,
    pub(super) targets: &'a Targets,
    /// Base URL of the pictures, and their names.
    pub(super) pictures: (&'a str, &'a [&'static str]),
    pub(super) ledger: &'a Ledger,
    /// No new jobs are submitted.
    pub(super) is_ending: AtomicBool,
    pub(super) is_over: AtomicBool,
    /// Submits that are being sent.
    pub(super) unanswered: AtomicUsize,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads how a job has ended, if it has.
pub(super) fn ended(job: &Value) -> Option<Ended> {
    let status = job["status"].as_str().filter(|status| matches!(*status, "completed" | "failed"))?.to_owned();
    let fields = job["output"].as_object();
    let links = fields.into_iter().flatten().filter_map(|(_, value)| value.as_str()?.split_once("/media/"));
    let media = links.map(|(_, link)| link.split('?').next().unwrap_or_default().to_owned()).collect();
    Some(Ended { status, at: job["completed_at"].clone(), media })
}

impl Ledger {
    /// Number of acknowledged jobs that have not ended.
    pub(super) fn open(&self) -> usize {
        lock(&self.promises).values().filter(|promise| promise.job.is_some() && promise.ended.is_none()).count()
    }

    /// Sends a request to one of the nodes, and counts the response.
    pub(super) fn send(&self, targets: &Targets, rng: &mut Rng, request: &Request<'_>) -> Option<Answer> {
        let (client, begun) = (targets.any(rng), Instant::now());
        let Request { name, method, path, headers, body } = *request;
        let answer = client.try_send(method, path, headers, body.as_bytes()).ok();
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        *lock(&self.answers).entry((name, status)).or_default() += 1;
        let mut slowest = lock(&self.slowest);
        *slowest = slowest.max((begun.elapsed(), name));
        answer
    }
}

impl Load<'_> {
    /// Submits jobs until the faults have ended, and each until it is acknowledged.
    pub(super) fn submit(&self, number: usize) {
        let mut rng = Rng::named(self.seed, &format!("submitter {number}"));
        let mut jobs = 0;
        while !self.is_ending.load(Ordering::SeqCst) {
            if self.ledger.open() >= OPEN_JOBS {
                std::thread::sleep(PAUSE);
                continue;
            }
            jobs += 1;
            let key = format!("{}-{number}-{jobs}", self.seed);
            let promise = Promise { picture: rng.below(self.pictures.1.len()), ..Promise::default() };
            lock(&self.ledger.promises).insert(key.clone(), promise.clone());
            self.unanswered.fetch_add(1, Ordering::SeqCst);
            while !self.is_over.load(Ordering::SeqCst) && !self.send(&mut rng, &key, &promise) {
                std::thread::sleep(PAUSE);
            }
            self.unanswered.fetch_sub(1, Ordering::SeqCst);
            // A client that has lost the response sends the request again.
            if rng.random_bool(0.2) {
                self.send(&mut rng, &key, &promise);
            }
        }
    }

    /// Sends a submit; returns whether it is acknowledged.
    fn send(&self, rng: &mut Rng, key: &str, promise: &Promise) -> bool {
        let (pictures, names) = self.pictures;
        let url = format!("{pictures}/{}?key={key}", names[promise.picture]);
        let body = json!({"image_url": url, "options": {"max_size": 64}}).to_string();
        if let Some(promise) = lock(&self.ledger.promises).get_mut(key) {
            promise.sends += 1;
        }
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)];
        let request = Request { name: "submit", method: "POST", path: SUBMIT, headers: &headers, body: &body };
        let answer = self.ledger.send(self.targets, rng, &request);
        let Some(answer) = answer.filter(|answer| answer.status == 202) else { return false };
        let Some(job) = answer.json()["data"]["job_id"].as_str().map(str::to_owned) else { return false };
        let mut promises = lock(&self.ledger.promises);
        let promise = promises.entry(key.to_owned()).or_default();
        if let Some(earlier) = promise.job.replace(job.clone()).filter(|earlier| *earlier != job) {
            lock(&self.ledger.broken).push(format!("submitted twice: {key} is {earlier} and {job}"));
        }
        true
    }

    /// Polls acknowledged jobs until they have ended; sometimes one that has ended, which must stay as it is.
    pub(super) fn poll(&self) {
        let mut rng = Rng::named(self.seed, "poller");
        while !self.is_over.load(Ordering::SeqCst) {
            let again = rng.random_bool(0.1);
            let known: Vec<(String, String)> = {
                let promises = lock(&self.ledger.promises);
                let wanted = promises.iter().filter(|(_, promise)| promise.ended.is_some() == again);
                wanted.filter_map(|(key, promise)| Some((key.clone(), promise.job.clone()?))).collect()
            };
            std::thread::sleep(PAUSE / 2);
            if known.is_empty() {
                continue;
            }
            let (key, job) = &known[rng.below(known.len())];
            let path = format!("/v1/jobs/{job}");
            let request = Request { name: "poll", method: "GET", path: &path, headers: &[], body: "" };
            match self.ledger.send(self.targets, &mut rng, &request) {
                Some(answer) if answer.status == 200 => self.note(key, &answer.json()["data"]),
                Some(answer) if answer.status == 404 => {
                    lock(&self.ledger.broken).push(format!("lost: {job} is answered with 404"));
                }
                _ => {}
            }
        }
    }

    /// Remembers how a job has ended.
    pub(super) fn note(&self, key: &str, job: &Value) {
        let now = ended(job);
        let mut promises = lock(&self.ledger.promises);
        let promise = promises.entry(key.to_owned()).or_default();
        match &promise.ended {
            Some(before) if now.as_ref() != Some(before) => {
                lock(&self.ledger.broken)
                    .push(format!("published again: {} was {before:?} and is {now:?}", job["job_id"]));
            }
            Some(_) => {}
            None => promise.ended = now,
        }
    }

    /// Waits until the load has nothing left to do; returns whether that took less than the limit.
    pub(super) fn is_done(&self) -> bool {
        self.unanswered.load(Ordering::SeqCst) == 0 && self.ledger.open() == 0
    }
}

/// Readiness of one API node as a monitor sees it.
#[derive(Default)]
pub(super) struct Timeline {
    /// When the node was asked, when it had answered, and whether it said that it is ready.
    asked: Mutex<Vec<(Instant, Instant, bool)>>,
}

impl Timeline {
    /// Asks the node until the run is over.
    pub(super) fn record(&self, url: &str, is_over: &AtomicBool) {
        let client = Client::patient(url, None, Duration::from_secs(1));
        while !is_over.load(Ordering::SeqCst) {
            let begun = Instant::now();
            let is_ready = client.try_send("GET", "/readyz", &[], &[]).is_ok_and(|answer| answer.status == 200);
            lock(&self.asked).push((begun, Instant::now(), is_ready));
            std::thread::sleep(Duration::from_millis(200).saturating_sub(begun.elapsed()));
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        lock(&self.asked).last().is_some_and(|(_, _, is_ready)| *is_ready)
    }

    /// The first time that the node was not ready, and the last that it was, from the beginning of a fault until it ends.
    pub(super) fn during(&self, from: Instant, until: Instant) -> (Option<Duration>, Option<Duration>) {
        let asked = lock(&self.asked);
        let during = || asked.iter().filter(|(begun, answered, _)| *begun >= from && *answered < until);
        let first = during().find(|(.., is_ready)| !is_ready).map(|(begun, ..)| *begun - from);
        let last = during().rfind(|(.., is_ready)| *is_ready).map(|(begun, ..)| *begun - from);
        (first, last)
    }
}
