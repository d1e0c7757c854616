//! `aerie worker` as a process: the kinds that it claims, and how it ends.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use aerie_e2e::{Client, Server, Signal, aerie, children_of, lay_house, lay_town, run, run_json, signal, wait_until};
use serde_json::json;

const MINUTE: Duration = Duration::from_secs(60);

/// A worker process; killed when dropped.
struct Worker(Child);

impl Worker {
    fn start(data: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(aerie());
        command.arg("worker").args(arguments).arg("--data").arg(data).stdin(Stdio::null());
        Self(command.spawn().expect("aerie starts"))
    }

    /// Waits until it runs the engine of a job.
    fn wait_for_engine(&self) {
        // Another child checks the operator's furniture.
        let is_engine = |pid: &u32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            command.split(|byte| *byte == 0).any(|part| part == b"job")
        };
        wait_until("the engine runs", MINUTE, || children_of(self.0.id()).into_iter().find(is_engine));
    }

    fn signal(&self, with: Signal) {
        assert!(signal(self.0.id(), with));
    }

    /// Waits until it exits by itself.
    fn ended(mut self) {
        let status = wait_until("the worker exits", 3 * MINUTE, || self.0.try_wait().expect("our child process"));
        assert!(status.success(), "{status}");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns what a worker's admin listener answers, with its status.
fn ask(address: &str, path: &str) -> (u16, String) {
    let answer = Client::new(&format!("http://{address}"), None).get(path);
    (answer.status, String::from_utf8_lossy(&answer.bytes).into_owned())
}

/// A free port of this machine, for a process that starts at once.
fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// A server without workers, with two queued flights.
fn two_flights(data: &Path) -> (Server, [String; 2]) {
    let address = lay_house(data);
    let server = Server::start(data, 0);
    let film = |direction: &str| {
        // The smallest there is.
        let options =
            serde_json::json!({"direction": direction, "duration": 6, "resolution": "720p", "aspect_ratio": "1:1"});
        server.client.submit_film(address, &options)
    };
    let jobs = [film("topdown_zoomin"), film("topdown_zoomout")];
    (server, jobs)
}

fn status(client: &Client, job: &str) -> String {
    client.job(job)["status"].as_str().expect("a status").to_owned()
}

#[test]
fn a_worker_that_is_terminated_finishes_its_job_and_claims_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (server, jobs) = two_flights(&data);
    let worker = Worker::start(&data, &[]);
    worker.wait_for_engine();
    worker.signal(Signal::TERM);
    worker.ended();
    assert_eq!(jobs.map(|job| status(&server.client, &job)), ["completed", "queued"]);
}

#[test]
fn a_second_signal_or_the_end_of_the_time_releases_the_job_without_counting_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (server, jobs) = two_flights(&data);
    let ends: [(&[&str], &[Signal]); 4] = [
        (&[], &[Signal::TERM, Signal::TERM]),
        (&[], &[Signal::TERM, Signal::INT]),
        (&[], &[Signal::INT]),
        (&["--drain-seconds", "1"], &[Signal::TERM]),
    ];
    for (arguments, signals) in ends {
        let worker = Worker::start(&data, arguments);
        worker.wait_for_engine();
        for with in signals {
            worker.signal(*with);
            std::thread::sleep(Duration::from_millis(300));
        }
        worker.ended();
        // For clients, a released job is still running; only one at a time is.
        let running = jobs.iter().filter(|job| status(&server.client, job) == "running").count();
        assert!(running >= 1, "{signals:?}");
        assert!(jobs.iter().all(|job| status(&server.client, job) != "failed"), "{signals:?}");
    }
    // More runs than count: had they counted, the job would have failed.
    let store = aerie_e2e::store::open_store(&data);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let claim = store.job_claim(&aerie_domain::JobType::ALL, "test", MINUTE);
    let claim = runtime.block_on(claim).unwrap().expect("a released job can be claimed at once");
    assert_eq!(claim.run, 1, "attempt {}", claim.lease.attempt);
}

#[test]
fn servers_and_workers_are_listed_while_they_run_and_a_worker_shows_that_it_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (server, jobs) = two_flights(&data);
    let nodes = || run_json(&["admin", "nodes"], &data);
    let api = wait_until("the server is listed", MINUTE, || Some(nodes()).filter(|nodes| nodes[0]["role"] == "api"));
    assert_eq!((api[0]["status"].as_str(), api[0]["kinds"].as_array().map(Vec::len)), (Some("running"), Some(0)));

    let address = free_address();
    let worker = Worker::start(&data, &["--kinds", "drone-footage", "--admin", &address]);
    worker.wait_for_engine();
    let listed = nodes();
    let listed = &listed[1];
    assert_eq!(
        (&listed["role"], &listed["kinds"], &listed["job_id"]),
        (&json!("worker"), &json!(["drone-footage"]), &json!(jobs[0]))
    );
    let table = run(&["admin", "nodes"], &data);
    assert!(String::from_utf8_lossy(&table.stdout).contains(&jobs[0]));
    assert_eq!(ask(&address, "/healthz").0, 200);
    assert_eq!(ask(&address, "/readyz").0, 200);
    let (status, metrics) = ask(&address, "/metrics");
    assert!(status == 200 && metrics.contains("aerie_worker_busy 1\n"), "{metrics}");
    assert!(!metrics.contains("aerie_jobs{"), "the figures of the database come from servers");

    worker.signal(Signal::INT);
    worker.ended();
    assert_eq!(nodes().as_array().map(Vec::len), Some(1), "a worker that exits is removed");
    drop(server);
    assert_eq!(nodes().as_array().map(Vec::len), Some(0));
}

#[test]
fn a_worker_claims_only_its_kinds_and_those_that_it_is_capable_of() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("aerie.toml");
    std::fs::write(&file, "[capabilities]\ndrone-footage = 'gpu'").unwrap();
    let config = file.to_str().unwrap();

    let refused = run(&["worker", "--config", config, "--kinds", "drone-footage"], &data);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && stderr.contains("add --capability gpu"), "{stderr}");
    let unknown = run(&["worker", "--kinds", "flights"], &data);
    assert_eq!(unknown.status.code(), Some(2));

    lay_town(&data);
    let server = Server::start(&data, 0);
    let (org, key) = (server.org.clone(), server.key.clone());
    drop(server);
    let server = Server::restart_with(&["--config", config], &data, 1, &org, &key);
    let warning = "no worker of this server claims drone-footage jobs, which need the capability `gpu`";
    assert!(server.log().contains(warning), "{}", server.log());
    let nowhere = json!({"address": "1 Nowhere Street", "direction": "west"});
    let flight = server.client.post("/v1/drone-footage/generate", &nowhere).json();
    let flight = flight["data"]["job_id"].as_str().unwrap();
    let markup = server.client.post("/v1/markup/generate", &json!({"address": "1 Nowhere Street"})).json();
    let markup = markup["data"]["job_id"].as_str().unwrap();
    wait_until("the later job ends", MINUTE, || (status(&server.client, markup) == "failed").then_some(()));
    assert_eq!(status(&server.client, flight), "queued");
    let worker = Worker::start(&data, &["--config", config, "--kinds", "drone-footage", "--capability", "gpu"]);
    wait_until("the flight ends", MINUTE, || (status(&server.client, flight) == "failed").then_some(()));
    worker.signal(Signal::TERM);
    worker.ended();
}
