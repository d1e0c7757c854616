//! A fleet that is upgraded under load: nodes of an earlier version and of this one on one database and one folder of media.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aerie_math::Rng;
use jiff::{Timestamp, ToSpan};
use serde_json::json;

use super::checks::{self, State};
use super::database::Single;
use super::load::{Ledger, Load, Request, SUBMITTERS, Targets, lock};
use super::site::{Node, START_TIMEOUT, Site, log, wait_ready};
use super::{Over, PICTURES, picture};
use crate::http::Client;
use crate::{aerie, serve_pictures, wait_until};

const END_TIMEOUT: Duration = Duration::from_secs(180);
/// How long clients wait for a response: as long as browsers and libraries do, so that a slow one shows as such.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between two requests for pages.
const PAUSE: Duration = Duration::from_millis(100);

/// An upgrade to run.
#[derive(Debug, Clone)]
pub struct Upgrade {
    /// The earlier binary.
    pub old: PathBuf,
    /// Number of completed jobs in the database.
    pub kept: u32,
    /// How long the old nodes run alone, both together, and the new ones alone.
    pub phases: [Duration; 3],
    /// Folder for the logs of the nodes.
    pub logs: PathBuf,
}

/// What happened.
#[derive(Debug, Clone, Default)]
pub struct UpgradeReport {
    /// Versions of the schema before and after.
    pub versions: (String, String),
    /// Time from the start of the first new node until the schema was upgraded.
    pub upgraded: Duration,
    /// The slowest response of each phase, and to what.
    pub slowest: Vec<(&'static str, Duration, &'static str)>,
    /// Responses by request and status; 0 if there was none.
    pub answers: BTreeMap<String, u64>,
    /// Submits that were acknowledged, and their jobs that were completed or failed.
    pub acknowledged: u64,
    /// Jobs that were completed.
    pub completed: u64,
    /// Jobs that failed.
    pub failed: u64,
    /// Jobs of more than one attempt.
    pub repeated: u64,
    /// What was violated.
    pub violations: Vec<String>,
}

impl fmt::Display for UpgradeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = &self.versions;
        writeln!(f, "schema {from} upgraded to {to} in {:.1} s", self.upgraded.as_secs_f64())?;
        for (phase, time, request) in &self.slowest {
            writeln!(f, "slowest response, {phase}: {:.2} s ({request})", time.as_secs_f64())?;
        }
        writeln!(f, "responses: {:?}", self.answers)?;
        writeln!(
            f,
            "jobs: {} acknowledged, {} completed, {} failed, {} of several attempts",
            self.acknowledged, self.completed, self.failed, self.repeated
        )?;
        write!(f, "{} violations", self.violations.len())
    }
}

/// Asks whether nodes are ready, reads pages of the kept jobs and of their usage, and selects variants of markups, until the load is
/// over.
fn read_pages(load: &Load<'_>, targets: &Targets, markups: &[String]) {
    let mut rng = Rng::named(load.seed, "reader");
    let get = |name, path: &str, rng: &mut Rng| {
        load.ledger.send(targets, rng, &Request { name, method: "GET", path, headers: &[], body: "" });
    };
    while !load.is_over.load(Ordering::SeqCst) {
        match rng.below(5) {
            0 => get("ready", "/readyz", &mut rng),
            1 => {
                let path = format!("/v1/jobs?limit=50&offset={}", rng.below(1000));
                get("list", &path, &mut rng);
            }
            2 => {
                let path = format!("/v1/jobs?status=completed&job_type=image_enhance&offset={}", rng.below(1000));
                get("list", &path, &mut rng);
            }
            3 => {
                let age = i64::try_from(rng.below(350)).unwrap_or_default();
                let day = Timestamp::now().checked_sub((24 * age).hours()).expect("a day").strftime("%F").to_string();
                get("usage", &format!("/v1/usage?from={day}&to={day}"), &mut rng);
            }
            _ => {
                let markup = &markups[rng.below(markups.len())];
                let path = format!("/v1/markup/jobs/{markup}/select");
                let body = json!({"orientation": rng.pick(&["north", "south"])}).to_string();
                let headers = [("Content-Type", "application/json")];
                let select = Request { name: "select", method: "POST", path: &path, headers: &headers, body: &body };
                load.ledger.send(targets, &mut rng, &select);
            }
        }
        std::thread::sleep(PAUSE);
    }
}

impl Upgrade {
    /// Runs it.
    ///
    /// # Panics
    /// When a program is missing, or a node does not start.
    #[must_use]
    pub fn run(&self) -> UpgradeReport {
        let folder = tempfile::Builder::new().prefix("aerie-upgrade-").tempdir().expect("a folder");
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open).expect("our own folder");
        let data = folder.path().join("database");
        std::fs::create_dir(&data).expect("a folder");
        let mut database = Single::create(&data);
        let site = Site { folder: folder.path(), database: &database };
        let mut report = UpgradeReport::default();
        self.upgrade(&site, &mut report);
        let logs: Vec<_> = NODES.into_iter().map(|name| (name, log(folder.path(), name))).collect();
        for (name, log) in &logs {
            let bad = log.lines().filter(|line| line.contains(" ERROR ") || line.contains("panicked at"));
            report.violations.extend(bad.take(3).map(|line| format!("error: {name}: {line}")));
        }
        std::fs::create_dir_all(&self.logs).expect("a folder for logs");
        for (name, log) in logs {
            std::fs::write(self.logs.join(name).with_extension("log"), log).expect("a file");
        }
        database.stop();
        report
    }

    fn upgrade(&self, site: &Site<'_>, report: &mut UpgradeReport) {
        let (kept, kept_key) = site.organization(&self.old, "Kept");
        let (org, key) = site.organization(&self.old, "Acme");
        report.versions.0 = site.version();
        let markups = site.fill(&kept, self.kept);
        let colors = ["0x802020", "0x208020", "0x202080"];
        let pictures = serve_pictures(PICTURES.into_iter().zip(colors.map(picture)).collect());

        let mut old_apis = ["old-api-0", "old-api-1"].map(|name| site.api(&self.old, name));
        let mut old_workers = ["old-worker-0", "old-worker-1"].map(|name| site.worker(&self.old, name));
        for api in &mut old_apis {
            wait_ready(api, site.folder);
        }
        let urls = old_apis.each_ref().map(|api| api.url.clone());
        let [targets, kept_targets] = [&key, &kept_key].map(|key| Targets::new(&urls, key, PATIENCE));
        let ledger = Ledger::default();
        let load = Load {
            seed: 1,
            targets: &targets,
            pictures: (&pictures, &PICTURES),
            ledger: &ledger,
            is_ending: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            unanswered: AtomicUsize::new(0),
        };
        let mut new_nodes = std::thread::scope(|scope| {
            let _over = Over(&load.is_over);
            for number in 0..SUBMITTERS {
                let load = &load;
                scope.spawn(move || load.submit(number));
            }
            scope.spawn(|| load.poll());
            scope.spawn(|| read_pages(&load, &kept_targets, &markups));
            std::thread::sleep(self.phases[0]);
            let mut phase = |name| {
                let (time, request) = std::mem::take(&mut *lock(&ledger.slowest));
                report.slowest.push((name, time, request));
            };
            phase("old nodes");

            let others = OTHERS.map(|statement| site.database.spawn(statement));
            let mut api = site.api(aerie(), "new-api");
            let worker = site.worker(aerie(), "new-worker");
            let started = Instant::now();
            while site.version() == report.versions.0 && started.elapsed() < START_TIMEOUT {
                std::thread::sleep(Duration::from_millis(100));
            }
            report.upgraded = started.elapsed();
            wait_ready(&mut api, site.folder);
            phase("during the upgrade");
            targets.add(&api.url);
            kept_targets.add(&api.url);
            std::thread::sleep(self.phases[1]);
            phase("old and new nodes");

            for url in &urls {
                targets.remove(url);
                kept_targets.remove(url);
            }
            for node in old_apis.iter_mut().chain(&mut old_workers) {
                end(node, &mut report.violations);
            }
            phase("while the old nodes ended");
            std::thread::sleep(self.phases[2]);
            load.is_ending.store(true, Ordering::SeqCst);
            let ending = Instant::now();
            while !load.is_done() && ending.elapsed() < END_TIMEOUT {
                std::thread::sleep(PAUSE);
            }
            phase("new nodes");
            for mut other in others {
                let _ = other.wait();
            }
            [api, worker]
        });
        report.versions.1 = site.version();
        report.violations.append(&mut lock(&ledger.broken));
        for ((request, status), count) in lock(&ledger.answers).iter() {
            report.answers.insert(format!("{request} {status}"), *count);
            if !matches!(status, 200 | 202) {
                report.violations.push(format!("refused: {count} times {request} was answered with {status}"));
            }
        }
        audit(site, &org, &ledger, &Client::new(&new_nodes[0].url, Some(key.clone())), report);
        for node in &mut new_nodes {
            end(node, &mut report.violations);
        }
        self.go_back(site, &key, &format!("{pictures}/{}", PICTURES[0]), report);
    }

    /// Starts the old version again, on the new schema, and has it do a job.
    fn go_back(&self, site: &Site<'_>, key: &str, picture: &str, report: &mut UpgradeReport) {
        let mut api = site.api(&self.old, "old-again");
        let mut worker = site.worker(&self.old, "old-worker-again");
        wait_ready(&mut api, site.folder);
        let client = Client::new(&api.url, Some(key.to_owned()));
        let submitted = client.post("/v1/image-enhance/generate", &json!({"image_url": picture}));
        match submitted.json()["data"]["job_id"].as_str() {
            Some(id) => {
                let ended = wait_until("the old version completes a job on the new schema", END_TIMEOUT, || {
                    let job = client.job(id);
                    matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
                });
                if ended["status"] != "completed" {
                    report.violations.push(format!("going back: {ended}"));
                }
            }
            None => report.violations.push(format!("going back: {}", submitted.json())),
        }
        for node in [&mut api, &mut worker] {
            end(node, &mut report.violations);
        }
    }
}

/// Nodes whose logs are read.
const NODES: [&str; 8] = [
    "old-api-0",
    "old-api-1",
    "old-worker-0",
    "old-worker-1",
    "new-api",
    "new-worker",
    "old-again",
    "old-worker-again",
];

/// Transactions of others, which the upgrade has to wait for: one has written to the table of jobs, and one has taken the number of
/// a claim.
const OTHERS: [&str; 2] = [
    "begin; update jobs set notes = '{}' where id = (select id from jobs where job_type = 'markup' order by id limit 1);
     select pg_sleep(4); commit",
    "begin; select nextval('claims'); select pg_sleep(8); commit",
];

/// Ends a node as a service manager does.
fn end(node: &mut Node, violations: &mut Vec<String>) {
    if !node.process.terminate() {
        violations.push(format!("ended: {} failed when it was stopped", node.name));
    }
}

/// Compares the database and the media with what clients were promised.
fn audit(site: &Site<'_>, org: &str, ledger: &Ledger, client: &Client, report: &mut UpgradeReport) {
    let promises = lock(&ledger.promises);
    report.acknowledged = promises.values().filter(|promise| promise.job.is_some()).count() as u64;
    let state = site.database.query(&checks::state(&format!("org_id = '{org}'")));
    let Some(state) = state.and_then(|json| serde_json::from_str::<State>(&json).ok()) else {
        report.violations.push("lost: the database cannot be read".into());
        return;
    };
    report.violations.extend(checks::violations(&promises, &state));
    let count = |status: &str| state.jobs.iter().filter(|job| job.status == status).count() as u64;
    (report.completed, report.failed) = (count("completed"), count("failed"));
    report.repeated = state.jobs.iter().filter(|job| job.attempt > 1).count() as u64;
    for id in state.jobs.iter().filter(|job| job.status == "completed").map(|job| &job.id) {
        let job = client.job(id);
        for link in job["output"].as_object().into_iter().flatten().filter_map(|(_, value)| value.as_str()) {
            // Links name the node that was asked, whichever node has made the file.
            if link.starts_with("http") && client.with_key(None).get(link).status != 200 {
                report.violations.push(format!("unreadable: {link} of {id}"));
            }
        }
    }
}
