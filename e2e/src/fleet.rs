//! A fleet under faults: three API nodes and six workers on PostgreSQL with a synchronous replica, and on radosgw where it is
//! installed. Processes are killed and frozen, the database fails over, and connections are cut, slowed and left half open,
//! while clients submit and poll.
//! Then the faults end, and the fleet must recover with every promise kept.
//!
//! Everything that a run does is drawn from its seed. How the processes share the machine's cores is not, so that a violation
//! may need several runs to show again.
mod checks;
mod database;
mod links;
mod load;
mod nodes;
mod objects;
mod outcome;
mod plan;
mod processes;
mod sabotage;
mod site;
mod upgrade;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::http::Client;
use crate::{aerie, gradient_picture, run_json, serve_pictures};
use checks::State;
use database::Database;
use links::Mode;
use load::{Ledger, Load, PATIENCE, SUBMITTERS, Targets, Timeline, lock};
use nodes::{Fleet, Shared};
use objects::Objects;
pub use outcome::Outcome;
use outcome::{keep_logs, name};
use plan::{Action, Fault, Process};
pub use upgrade::{Upgrade, UpgradeReport};

const APIS: usize = 3;
const WORKERS: usize = 6;

/// The lease of a worker (`aerie_worker::Pace`), and how long after it all work must go on.
const LEASE: Duration = Duration::from_secs(15);
const RECOVERY: Duration = Duration::from_secs(LEASE.as_secs() + 5);
/// How soon an API node must say that it is not ready; a monitor asks it five times per second.
const NOT_READY: Duration = Duration::from_secs(5);
const BETWEEN_CHECKS: Duration = Duration::from_millis(300);

/// How long to wait for a fleet to start, and for one that does not recover in time.
const START_TIMEOUT: Duration = Duration::from_secs(60);
const GIVE_UP: Duration = Duration::from_secs(90);
/// A run with fewer completed jobs says nothing about them.
const FEWEST_COMPLETED: u64 = 10;
/// Faults that could not begin by then, because an earlier one still had its effect, are left out.
const LAST_FAULT: Duration = Duration::from_secs(24);

const PICTURES: [&str; 3] = ["red.png", "green.png", "blue.png"];

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Number of runs.
    pub runs: u64,
    /// Seed of the first run; the others count up from it.
    pub seed: u64,
    /// Whether to repeat runs whose results are in the file.
    pub again: bool,
    /// Folder for the results and the logs of runs that failed.
    pub results: PathBuf,
}

/// What all runs share.
struct Campaign {
    /// Before the folder, in which it writes.
    objects: Option<Objects>,
    folder: TempDir,
    key: String,
    pictures: (String, BTreeMap<&'static str, Vec<u8>>),
    /// What the first completed job made of each picture, by the fields of its output.
    made: BTreeMap<(usize, String), Vec<u8>>,
}

/// Runs the campaign; calls `report` after each run. Returns the results of all its runs, and how many of them are of earlier
/// processes, which tested the same binary on the same servers.
///
/// # Panics
/// When a program is missing, or the fleet does not start.
#[must_use]
pub fn campaign(options: &Options, mut report: impl FnMut(&Outcome)) -> (Vec<Outcome>, usize) {
    std::fs::create_dir_all(&options.results).expect("a folder for results");
    let file = options.results.join("results.jsonl");
    let earlier = std::fs::read_to_string(&file).unwrap_or_default();
    let mut outcomes: BTreeMap<u64, Outcome> = BTreeMap::new();
    let seeds = options.seed..options.seed + options.runs;
    if !options.again {
        let (binary, has_objects) = (hash_of_binary(), Objects::are_installed());
        let earlier = earlier.lines().filter_map(|line| serde_json::from_str::<Outcome>(line).ok());
        let earlier = earlier.filter(|o| o.binary == binary && o.has_objects == has_objects);
        outcomes.extend(earlier.filter(|o| seeds.contains(&o.seed)).map(|outcome| (outcome.seed, outcome)));
    }
    let reused = outcomes.len();
    let mut campaign = None;
    for seed in seeds {
        if outcomes.contains_key(&seed) {
            continue;
        }
        let campaign = campaign.get_or_insert_with(Campaign::prepare);
        let outcome = campaign.run(seed, &options.results, false);
        append(&file, &outcome);
        report(&outcome);
        outcomes.insert(seed, outcome);
    }
    (outcomes.into_values().collect(), reused)
}

/// Identifies the build of the binary.
fn hash_of_binary() -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(&std::fs::read(aerie()).expect("the binary"));
    format!("{:016x}", hasher.finish())
}

/// Breaks every promise on purpose, and returns the kinds of violation that were not noticed.
///
/// # Panics
/// When a program is missing, or the fleet does not start.
#[must_use]
pub fn sabotage(results: &Path, mut report: impl FnMut(&Outcome)) -> Vec<&'static str> {
    std::fs::create_dir_all(results).expect("a folder for results");
    let outcome = Campaign::prepare().run(0, results, true);
    report(&outcome);
    let kinds = sabotage::KINDS.into_iter();
    kinds.filter(|kind| !outcome.violations.iter().any(|violation| violation.starts_with(kind))).collect()
}

fn append(file: &Path, outcome: &Outcome) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).expect("a file of results");
    writeln!(file, "{}", serde_json::to_string(outcome).expect("JSON")).expect("a write");
}

/// A picture of one color with a gradient, 96 x 64.
fn picture(color: &str) -> Vec<u8> {
    gradient_picture(&format!("s=96x64:c0={color}:c1=0xc0c0b0:x0=0:y0=0:x1=95:y1=63"), "png")
}

/// Ends the threads of a run, also when it panics.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A fault that had an effect.
struct Window {
    fault: Fault,
    from: Instant,
    until: Instant,
    /// When what ended the fault was done.
    healed: Instant,
}

/// The processes of a run.
struct Run {
    fleet: Fleet,
    database: Database,
    objects: Option<Objects>,
}

impl Campaign {
    fn prepare() -> Self {
        let folder = tempfile::Builder::new().prefix("aerie-fleet-").tempdir().expect("a folder");
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open).expect("our own folder");
        let mut key = String::new();
        let template = folder.path().join("template");
        std::fs::create_dir(&template).expect("a folder");
        database::create_template(&template, |port| {
            let (data, config) = (folder.path().join("admin"), folder.path().join("admin.toml"));
            let text = nodes::configuration("admin", &format!("127.0.0.1:{port}"), "");
            std::fs::write(&config, text).expect("a file");
            let config = config.to_str().expect("a path");
            let org = run_json(&["admin", "org", "create", "Acme", "--plan", "campaign", "--config", config], &data);
            let org = org["org_id"].as_str().expect("an id").to_owned();
            let created = run_json(&["admin", "key", "create", "--org", &org, "--config", config], &data);
            key = created["key"].as_str().expect("a key").to_owned();
        });
        let colors = ["0x802020", "0x208020", "0x202080"];
        let pictures: BTreeMap<_, _> = PICTURES.into_iter().zip(colors.map(picture)).collect();
        let url = serve_pictures(pictures.clone());
        let objects = Objects::start(&folder.path().join("objects"));
        Self { objects, folder, key, pictures: (url, pictures), made: BTreeMap::new() }
    }

    fn run(&mut self, seed: u64, results: &Path, is_sabotaged: bool) -> Outcome {
        let begun = Instant::now();
        let folder = self.folder.path().join(seed.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        let faults = plan::draw(seed, self.objects.is_some());
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let database = folder.join("database");
        std::fs::create_dir(&database).expect("a folder");
        let database = Database::start(&self.folder.path().join("template/template"), &database);
        let objects = self.objects.take();
        let shared = Shared {
            database: database.ports(),
            objects: objects.as_ref().map(|objects| objects.port),
            media: folder.join("media"),
            // No earlier run's media: a new database takes them for its own that were lost.
            prefix: format!("{seed}-{}", std::process::id()),
            redirects: seed % 2 == 1,
        };
        let fleet = Fleet::start(runtime.handle(), &folder, &shared);
        let urls = fleet.urls.clone();
        let mut run = Run { fleet, database, objects };
        let (ledger, targets) = (Ledger::default(), Targets::new(&urls, &self.key, PATIENCE));
        let load = Load {
            seed,
            targets: &targets,
            pictures: (&self.pictures.0, &PICTURES),
            ledger: &ledger,
            is_ending: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            unanswered: AtomicUsize::new(0),
        };
        let timelines: Vec<Timeline> = urls.iter().map(|_| Timeline::default()).collect();
        let (has_objects, binary) = (run.objects.is_some(), hash_of_binary());
        let mut outcome = Outcome { seed, has_objects, binary, ..Outcome::default() };
        let mut left_over = None;
        std::thread::scope(|scope| {
            let _over = Over(&load.is_over);
            for (url, timeline) in urls.iter().zip(&timelines) {
                scope.spawn(|| timeline.record(url, &load.is_over));
            }
            run.wait_ready(&timelines);
            for number in 0..SUBMITTERS {
                let load = &load;
                scope.spawn(move || load.submit(number));
            }
            scope.spawn(|| load.poll());
            run.wait_working(&load);
            let windows = if is_sabotaged { run.pretend() } else { run.inflict(faults) };
            load.is_ending.store(true, Ordering::SeqCst);
            run.recover(&load, &timelines, &windows, &mut outcome);
            judge_readiness(&timelines, &windows, &mut outcome);
            for window in &windows {
                *outcome.faults.entry(name(window.fault.action)).or_default() += 1;
            }
            left_over = is_sabotaged.then(|| run.sabotage(&folder));
        });
        outcome.violations.append(&mut lock(&ledger.broken));
        self.audit(&run, &ledger, &urls, &mut outcome);
        outcome.exits = run.fleet.exits();
        outcome.violations.extend(run.fleet.unexpected_ends());
        outcome.answers =
            lock(&ledger.answers).iter().map(|((request, status), n)| (format!("{request} {status}"), *n)).collect();
        run.fleet.stop();
        run.database.stop();
        self.objects = run.objects;
        let left = crate::processes_of(&folder);
        if !left.is_empty() {
            outcome.violations.push(format!("left over: processes {left:?}"));
            for pid in left {
                let _ = crate::signal(pid, crate::Signal::KILL);
            }
        }
        if let Some(mut process) = left_over {
            process.wait().expect("our child process");
        }
        outcome.seconds = begun.elapsed().as_secs_f64();
        if !outcome.violations.is_empty() && !is_sabotaged {
            keep_logs(&folder, &results.join(seed.to_string()), &outcome);
        }
        std::fs::remove_dir_all(&folder).expect("the folder of the run");
        outcome
    }

    /// Compares the database and the media with what clients were promised.
    fn audit(&mut self, run: &Run, ledger: &Ledger, urls: &[String], outcome: &mut Outcome) {
        let promises = lock(&ledger.promises);
        outcome.acknowledged = promises.values().filter(|promise| promise.job.is_some()).count() as u64;
        outcome.sends = promises.values().map(|promise| u64::from(promise.sends)).sum();
        let state =
            run.database.query(&checks::state("true")).and_then(|json| serde_json::from_str::<State>(&json).ok());
        let Some(state) = state else {
            outcome.violations.push("lost: the database cannot be read".into());
            return;
        };
        outcome.violations.extend(checks::violations(&promises, &state));
        let count = |status: &str| state.jobs.iter().filter(|job| job.status == status).count() as u64;
        (outcome.completed, outcome.failed) = (count("completed"), count("failed"));
        if outcome.completed < FEWEST_COMPLETED {
            outcome.violations.push(format!("idle: only {} jobs were completed", outcome.completed));
        }
        outcome.repeated = state.jobs.iter().filter(|job| job.attempt > 1).count() as u64;
        let clients: Vec<Client> =
            urls.iter().map(|url| Client::patient(url, Some(self.key.clone()), Duration::from_secs(10))).collect();
        for (number, (key, promise)) in promises.iter().enumerate() {
            let (Some(id), Some(ended)) = (&promise.job, &promise.ended) else { continue };
            if ended.status != "completed" {
                continue;
            }
            let client = &clients[number % clients.len()];
            let fields = match client.try_send("GET", &format!("/v1/jobs/{id}"), &[], &[]) {
                Ok(answer) if answer.status == 200 => {
                    let job = answer.json()["data"].take();
                    if load::ended(&job).as_ref() != Some(ended) {
                        outcome.violations.push(format!("published again: {id} was {ended:?}"));
                    }
                    job["output"].as_object().cloned().unwrap_or_default()
                }
                answer => {
                    let why = answer.map_or_else(|error| error.to_string(), |answer| answer.status.to_string());
                    outcome.violations.push(format!("lost: {id} of {key} cannot be read: {why}"));
                    continue;
                }
            };
            for (field, link) in fields.iter().filter_map(|(field, link)| Some((field, link.as_str()?))) {
                if !link.starts_with("http") {
                    continue;
                }
                let made = match client.with_key(None).try_send("GET", link, &[], &[]) {
                    Ok(answer) if answer.status == 200 => answer.bytes,
                    answer => {
                        let why = answer.map_or_else(|error| error.to_string(), |answer| answer.status.to_string());
                        outcome.violations.push(format!("unreadable: {field} of {id}: {why}"));
                        continue;
                    }
                };
                let expected = match field.as_str() {
                    "original_url" => self.pictures.1.get(PICTURES[promise.picture]).cloned().unwrap_or_default(),
                    _ => self.made.entry((promise.picture, field.clone())).or_insert_with(|| made.clone()).clone(),
                };
                if made != expected {
                    outcome.violations.push(format!("different: {field} of {id} is not made from its picture"));
                }
            }
        }
    }
}

impl Run {
    fn wait_ready(&mut self, timelines: &[Timeline]) {
        let begun = Instant::now();
        while !timelines.iter().all(Timeline::is_ready) {
            self.fleet.tend();
            assert!(begun.elapsed() < START_TIMEOUT, "the fleet does not become ready");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the first jobs have been completed.
    fn wait_working(&mut self, load: &Load<'_>) {
        let begun = Instant::now();
        while lock(&load.ledger.promises).values().filter(|promise| promise.ended.is_some()).count() < 3 {
            self.fleet.tend();
            assert!(begun.elapsed() < START_TIMEOUT, "the fleet completes no jobs");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Has all faults begin and end; returns when they did. A replica may still have to join.
    fn inflict(&mut self, faults: Vec<Fault>) -> Vec<Window> {
        let begun = Instant::now();
        let (mut waiting, mut active, mut ended) = (faults, Vec::<Window>::new(), Vec::new());
        while !waiting.is_empty() || !active.is_empty() {
            self.fleet.tend();
            self.database.tend();
            for window in active.extract_if(.., |window| window.until <= Instant::now()) {
                let until = Instant::now();
                self.end(window.fault.action);
                ended.push(Window { until, healed: Instant::now(), ..window });
            }
            let now = begun.elapsed();
            let is_free = |fault: &Fault| {
                let is_clear = active.iter().all(|window| !fault.action.collides(window.fault.action));
                is_clear && (!fault.action.is_of_database() || self.database.is_settled())
            };
            let next = waiting.iter().position(|fault| fault.at <= now && is_free(fault));
            if let Some(next) = next {
                let fault = waiting.remove(next);
                self.begin(fault.action);
                let from = Instant::now();
                let until = from + fault.lasts;
                active.push(Window { fault, from, until, healed: until });
            } else if now > LAST_FAULT {
                waiting.clear();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        ended
    }

    fn objects(&mut self) -> &mut Objects {
        self.objects.as_mut().expect("its faults are drawn only where it runs")
    }

    fn begin(&mut self, action: Action) {
        match action {
            Action::Kill(Process::Api(number)) => self.fleet.apis[number].kill(),
            Action::Kill(Process::Worker(number)) => self.fleet.workers[number].kill(),
            Action::Kill(Process::Primary) | Action::FailOver => self.database.primary().kill_with_children(),
            Action::Kill(Process::Standby) => self.database.standby().kill_with_children(),
            Action::Freeze(Process::Api(number)) => self.fleet.apis[number].freeze(),
            Action::Freeze(Process::Worker(number)) => self.fleet.workers[number].freeze(),
            Action::Freeze(Process::Primary) => self.database.primary().freeze(),
            Action::Freeze(Process::Standby) => self.database.standby().freeze(),
            Action::Kill(Process::Objects) => self.objects().server.kill(),
            Action::Freeze(Process::Objects) => self.objects().server.freeze(),
            Action::Break(nodes, service, mode) => self.fleet.set_links(nodes, service, mode),
        }
    }

    fn end(&mut self, action: Action) {
        match action {
            Action::Kill(Process::Api(number)) => self.fleet.apis[number].restart(),
            Action::Kill(Process::Worker(number)) => self.fleet.workers[number].restart(),
            Action::Kill(Process::Primary) => self.database.restart_primary(),
            Action::Kill(Process::Standby) => self.database.restart_standby(),
            Action::FailOver => self.database.promote(),
            Action::Freeze(Process::Api(number)) => self.fleet.apis[number].thaw(),
            Action::Freeze(Process::Worker(number)) => self.fleet.workers[number].thaw(),
            Action::Freeze(Process::Primary) => self.database.primary().thaw(),
            Action::Freeze(Process::Standby) => self.database.standby().thaw(),
            Action::Kill(Process::Objects) => self.objects().restart(),
            Action::Freeze(Process::Objects) => self.objects().server.thaw(),
            Action::Break(nodes, service, _) => self.fleet.set_links(nodes, service, Mode::Open),
        }
    }

    /// Waits until every API node is ready, every worker asks for jobs, and every job has ended; then until the database has its
    /// replica.
    fn recover(&mut self, load: &Load<'_>, timelines: &[Timeline], windows: &[Window], outcome: &mut Outcome) {
        let healed = windows.iter().map(|window| window.healed).max().unwrap_or_else(Instant::now);
        std::thread::sleep(Duration::from_secs(1));
        let mut silent: BTreeSet<String> = (0..WORKERS).map(|number| format!("worker-{number}")).collect();
        let mut late = None;
        let lacking = loop {
            self.fleet.tend();
            self.database.tend();
            let asking = self.asking_workers();
            silent.retain(|worker| !asking.contains(worker));
            let lacking = if !timelines.iter().all(Timeline::is_ready) {
                "an API node is not ready".to_owned()
            } else if !load.is_done() {
                format!("{} jobs have not ended", load.ledger.open())
            } else if silent.is_empty() {
                break None;
            } else {
                format!("workers ask for no jobs: {silent:?}")
            };
            if healed.elapsed() > GIVE_UP {
                break Some(lacking);
            }
            if healed.elapsed() > RECOVERY {
                late.get_or_insert(lacking);
            }
            std::thread::sleep(Duration::from_millis(250));
        };
        let recovery = healed.elapsed();
        outcome.recovery = recovery.as_secs_f64();
        if recovery > RECOVERY {
            let late = late.as_deref().unwrap_or("and then it worked");
            outcome.violations.push(format!(
                "not recovered: {} s after the last fault, {late}; it took {:.1} s",
                RECOVERY.as_secs(),
                outcome.recovery
            ));
        }
        while !self.database.is_settled() && healed.elapsed() < GIVE_UP {
            self.database.tend();
            std::thread::sleep(Duration::from_millis(50));
        }
        if !self.database.is_settled() {
            outcome.violations.push("not recovered: the database has no replica".to_owned());
        }
        if let Some(lacking) = lacking {
            outcome.violations.push(format!("not recovered: {} s after the last fault, {lacking}", GIVE_UP.as_secs()));
        }
    }

    /// Workers that have just asked the database for a job.
    fn asking_workers(&self) -> BTreeSet<String> {
        let asking = "select distinct substr(application_name, length('aerie ') + 1) from pg_stat_activity
                      where query like '%waiting AND job_type%' and query_start > clock_timestamp() - interval '1 s'";
        self.database.query(asking).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

/// Checks how soon API nodes said that they could not work.
fn judge_readiness(timelines: &[Timeline], windows: &[Window], outcome: &mut Outcome) {
    for window in windows {
        for api in window.fault.action.disables() {
            // A node that is started or frozen meanwhile has its own times.
            let is_disturbed = windows.iter().any(|other| {
                matches!(other.fault.action, Action::Kill(Process::Api(n)) | Action::Freeze(Process::Api(n)) if n == api)
                    && other.from < window.until
                    && other.until + Duration::from_secs(3) > window.from
            });
            if is_disturbed || window.until - window.from < NOT_READY + BETWEEN_CHECKS {
                continue;
            }
            let (first, last) = timelines[api].during(window.from, window.until);
            if let Some(last) = last.filter(|last| *last > NOT_READY) {
                outcome.violations.push(format!(
                    "ready: API node {api} was ready {:.1} s into {}",
                    last.as_secs_f64(),
                    window.fault
                ));
            }
            outcome.not_ready.extend(first.map(|first| first.as_secs_f64()));
        }
    }
}
