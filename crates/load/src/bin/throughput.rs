//! `throughput [ROUNDS] [SECONDS]`: cost of a request on one core relative to a bare 404 of the same server, measured
//! alternately; submits per fsync; and delay from the 202 to the worker's start. Set `AERIE_BIN` to a release build.
//! Prints medians and ratios with their limits, and fails if a limit is missed.
//!
//! The server is pinned to the first core and the clients to the others (`taskset`). Besides requests per second, it
//! measures the server's CPU time, which is meaningful even on a busy machine.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use aerie_e2e::{Server, run_json, wait_until};
use jiff::Timestamp;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 64;
const SUBMIT: &str = "/v1/drone-footage/generate";
const CONFIG: &str = "[plans.bench]\nper_minute = 4000000000\nper_day = 4000000000\nqueued_jobs = 0\n";

#[expect(clippy::print_stdout, reason = "prints measurements")]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u32>().expect("a number"));
    let (rounds, seconds) = (arguments.next().unwrap_or(5), arguments.next().unwrap_or(3));
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let config = data.with_extension("toml");
    std::fs::write(&config, CONFIG).expect("a file");
    let config = config.to_str().expect("a path");
    let create = ["admin", "org", "create", "Acme", "--plan", "bench", "--config", config];
    let org = run_json(&create, &data)["org_id"].as_str().expect("an id").to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], &data)["key"].as_str().expect("a key").to_owned();

    pin(std::process::id(), "1-1023");
    let mut server = Server::restart_with(&["--config", config], &data, 0, &org, &key);
    pin(server.pid(), "0");
    let job = server.client.submit("1 Main St", "original");
    let address = server.client.base_url().strip_prefix("http://").expect("plain HTTP").to_owned();
    let body = json!({"address": "1 Main St"}).to_string();
    let head =
        |method: &str, path: &str| format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\n");
    let requests = [
        ("bare 404", format!("GET /nothing HTTP/1.1\r\nHost: {address}\r\n\r\n"), "404"),
        ("GET job", format!("{}\r\n", head("GET", &format!("/v1/jobs/{job}"))), "200"),
        (
            "submit",
            format!(
                "{}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                head("POST", SUBMIT),
                body.len()
            ),
            "202",
        ),
    ];
    let mut measured: [Vec<Load>; 3] = Default::default();
    for _ in 0..rounds {
        for ((_, request, status), loads) in requests.iter().zip(&mut measured) {
            loads.push(load(&address, request, status, Duration::from_secs(seconds.into()), server.pid()));
        }
    }
    let rate = measured.each_ref().map(|loads| median(loads.iter().map(|load| load.per_second)));
    let cost = measured.each_ref().map(|loads| median(loads.iter().map(|load| load.cpu_microseconds)));
    for (((name, ..), rate), cost) in requests.iter().zip(rate).zip(cost) {
        println!("{name:>9}: {rate:8.0} per second, {cost:6.1} µs of server CPU time each");
    }
    assert!(server.stop(aerie_e2e::Signal::TERM).success());
    let (writes, commits) = closed(&server.log());
    drop(server);
    let per_fsync = writes / commits;
    println!("submits: {writes:.0} in {commits:.0} commits (one fsync each): {per_fsync:.1} per fsync; limit 10");

    let starts = starts(config, &data);
    let (p50, p99) = (starts[starts.len() / 2], starts[starts.len() * 99 / 100]);
    println!(
        "from the 202 to the worker's start ({} jobs): p50 {p50:.2} ms, p99 {p99:.2} ms; limits 5 and 30",
        starts.len()
    );
    // The better of the two: other load lowers the rate when it takes the core, and raises CPU time when it takes the cache.
    let ratio = |of: usize| (rate[of] / rate[0]).max(cost[0] / cost[of]);
    let by = |of: usize| format!("by rate {:.2}, by CPU time {:.2}", rate[of] / rate[0], cost[0] / cost[of]);
    println!("GET job / bare 404: {}; limit 0.45", by(1));
    println!("submit / bare 404: {}; limit 0.2", by(2));
    let limits = [
        ("GET job / bare 404", ratio(1) >= 0.45),
        ("submit / bare 404", ratio(2) >= 0.2),
        ("submits per fsync", per_fsync >= 10.0),
        ("p50 to the start", p50 <= 5.0),
        ("p99 to the start", p99 <= 30.0),
    ];
    for (name, met) in limits {
        println!("{name}: limit {}", if met { "met" } else { "MISSED" });
    }
    if limits.iter().any(|(_, met)| !met) {
        std::process::exit(1);
    }
}

/// Result of a load.
struct Load {
    per_second: f64,
    /// CPU time of the server per request.
    cpu_microseconds: f64,
}

/// Sends the same request repeatedly on each connection.
fn load(address: &str, request: &str, status: &'static str, time: Duration, pid: u32) -> Load {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let answers = Arc::new(AtomicU64::new(0));
    let (started, cpu) = (Instant::now(), cpu_seconds(pid));
    runtime.block_on(async {
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                let (address, request, answers) = (address.to_owned(), request.to_owned(), Arc::clone(&answers));
                tokio::spawn(async move {
                    let mut connection = TcpStream::connect(&address).await.expect("a connection");
                    connection.set_nodelay(true).expect("an option");
                    let mut buffer = Vec::with_capacity(8192);
                    while started.elapsed() < time {
                        connection.write_all(request.as_bytes()).await.expect("a write");
                        read_answer(&mut connection, &mut buffer, status).await;
                        answers.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        for connection in connections {
            connection.await.expect("the load");
        }
    });
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let answers = answers.load(Ordering::Relaxed) as f64;
    let cpu = cpu_seconds(pid) - cpu;
    Load { per_second: answers / started.elapsed().as_secs_f64(), cpu_microseconds: cpu * 1e6 / answers }
}

async fn read_answer(connection: &mut TcpStream, buffer: &mut Vec<u8>, status: &str) {
    buffer.clear();
    loop {
        assert!(connection.read_buf(buffer).await.expect("a read") > 0, "the server has closed the connection");
        let Some(head) = buffer.windows(4).position(|end| end == b"\r\n\r\n") else { continue };
        let text = std::str::from_utf8(&buffer[..head]).expect("a head");
        assert_eq!(text.get(9..12), Some(status), "{text}");
        let length = text.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
        let length: usize = length.and_then(|length| length.parse().ok()).expect("a length");
        if buffer.len() >= head + 4 + length {
            return;
        }
    }
}

/// Returns the milliseconds from reading the 202 to the worker's log line that it claimed the job, sorted.
fn starts(config: &str, data: &Path) -> Vec<f64> {
    // On a separate database: jobs left over from the load would keep the worker busy.
    let data = data.with_file_name("idle");
    let create = ["admin", "org", "create", "Acme", "--plan", "bench", "--config", config];
    let org = run_json(&create, &data)["org_id"].as_str().expect("an id").to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], &data)["key"].as_str().expect("a key").to_owned();
    let server = Server::restart_with(&["--config", config], &data, 1, &org, &key);
    let ends = |job: &str| {
        wait_until("the job ends", Duration::from_secs(120), || {
            (server.client.job(job)["status"] == "failed").then_some(())
        });
    };
    // The first job builds the sample town.
    ends(&server.client.submit("0 No Such Street, Nowhere", "original"));
    let mut answered = Vec::new();
    for number in 0..100 {
        let job = server.client.submit(&format!("{number} No Such Street, Nowhere"), "original");
        answered.push((job.clone(), Timestamp::now()));
        ends(&job);
    }
    let log = server.log();
    let claimed = |job: &str| {
        let line = log.lines().find(|line| line.contains(job) && line.contains("claimed")).expect("a line");
        line.split_whitespace().next().and_then(|time| time.parse::<Timestamp>().ok()).expect("a time")
    };
    let mut waits: Vec<f64> =
        answered.iter().map(|(job, at)| claimed(job).duration_since(*at).as_secs_f64().max(0.0) * 1000.0).collect();
    waits.sort_by(f64::total_cmp);
    waits
}

/// Reads the number of writes and commits from the log line that the store writes when it closes.
fn closed(log: &str) -> (f64, f64) {
    let line = log.lines().rfind(|line| line.contains("store closed")).expect("a line");
    let number = |name: &str| {
        let value = line.split(name).nth(1).and_then(|rest| rest.split_whitespace().next());
        value.and_then(|value| value.parse::<f64>().ok()).expect("a number")
    };
    (number("writes="), number("commits="))
}

/// Returns the CPU time of a process in seconds; `/proc` counts hundredths of a second.
fn cpu_seconds(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process exists");
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |field: usize| fields[field].parse::<f64>().expect("a number");
    (ticks(11) + ticks(12)) / 100.0
}

fn pin(pid: u32, cores: &str) {
    // It fails when one of the threads ends meanwhile.
    let is_pinned = (0..5).any(|_| {
        let pinned = Command::new("taskset").args(["-a", "-c", "-p", cores, &pid.to_string()]).output();
        pinned.expect("taskset starts").status.success()
    });
    assert!(is_pinned, "cannot pin process {pid} to cores {cores}");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
