//! Damage and full disks that `/readyz` must show.

use std::path::Path;
use std::time::{Duration, Instant};

use aerie_storage_sqlite::testing::damage_table;

use super::archive::fill;
use crate::Server;
use crate::campaigns::disk::{self, Mount};
use crate::campaigns::{Finding, Tenant};

/// Number of jobs: the table has many pages.
const JOBS: usize = 2000;

/// Time from the start of a server to a truthful `/readyz`.
const STARTED: Duration = Duration::from_secs(5);

/// Time from a fault of a running server to a truthful `/readyz`: the interval of the checks, and as much again.
const RUNNING: Duration = Duration::from_secs(10);

/// Damages the database of a stopped and of a running server, and fills a disk.
pub(super) fn check(data: &Path) -> Finding {
    let results = [
        ("all pages of jobs damaged", damaged_before_start(&data.join("all"), true)),
        ("a third of the pages of jobs damaged", damaged_before_start(&data.join("third"), false)),
        ("damaged while running", damaged_while_running(&data.join("running"))),
        ("emptied database", emptied(&data.join("emptied"))),
        ("full disk without a reserve", full_disk(data)),
    ];
    let shown = results.iter().map(|(name, result)| match result {
        Ok(text) | Err(text) => format!("{name}: {text}"),
    });
    Finding { measured: shown.collect::<Vec<_>>().join("; "), held: results.iter().all(|(_, result)| result.is_ok()) }
}

fn tenant(data: &Path) -> Tenant {
    std::fs::create_dir_all(data).expect("a folder");
    let tenant = Tenant::new(&data.join("data"), "");
    fill(&tenant, JOBS);
    tenant
}

fn damaged_before_start(data: &Path, is_everywhere: bool) -> Result<String, String> {
    let tenant = tenant(data);
    let pages = damage_table(&tenant.database(), "jobs", is_everywhere).expect("the file can be written");
    assert!(pages > 10, "the table has many pages");
    started(&tenant)
}

/// A server that starts on a damaged database is not ready, or says why it does not start.
fn started(tenant: &Tenant) -> Result<String, String> {
    let began = Instant::now();
    match Server::try_restart(&[], &tenant.data, 0, &tenant.org, &tenant.key) {
        Ok(server) => {
            let result = becomes_unavailable(&server, began, STARTED);
            server.kill();
            result
        }
        Err(log) => {
            let last = log.trim().lines().next_back().unwrap_or_default().to_owned();
            let took = began.elapsed();
            match last.contains("corrupt") && took < STARTED {
                true => Ok(format!("does not start ({took:.1?})")),
                false => Err(format!("does not start ({took:.1?}): {last}")),
            }
        }
    }
}

fn damaged_while_running(data: &Path) -> Result<String, String> {
    let tenant = tenant(data);
    let server = tenant.serve();
    if server.client.get("/readyz").status != 200 {
        return Err("not ready before".to_owned());
    }
    damage_table(&tenant.database(), "jobs", true).expect("the file can be written");
    let status = server.client.get("/v1/jobs").status;
    let result = becomes_unavailable(&server, Instant::now(), RUNNING);
    server.kill();
    result.map(|text| format!("/v1/jobs {status}, {text}"))
}

fn emptied(data: &Path) -> Result<String, String> {
    let tenant = tenant(data);
    std::fs::write(tenant.database(), "").expect("the file can be written");
    started(&tenant)
}

fn full_disk(data: &Path) -> Result<String, String> {
    let mount = match Mount::new(&data.join("disk")) {
        Ok(mount) => mount,
        Err(_) => return Ok("skipped: cannot mount".to_owned()),
    };
    let tenant = Tenant::new(&mount.0.join("data"), "[media]\nreserve_gib = 0");
    let server = tenant.serve();
    if server.client.get("/readyz").status != 200 {
        return Err("not ready before".to_owned());
    }
    disk::fill_up(&mount.0.join("filler"));
    let result = becomes_unavailable(&server, Instant::now(), RUNNING);
    server.kill();
    result.and_then(|text| if text.contains("\"disk\"") { Ok(text) } else { Err(text) })
}

/// Waits until `/readyz` is 503.
fn becomes_unavailable(server: &Server, since: Instant, limit: Duration) -> Result<String, String> {
    loop {
        let answer = server.client.get("/readyz");
        let took = since.elapsed();
        if answer.status == 503 && took <= limit {
            return Ok(format!("503 after {took:.1?}, lacking {}", answer.json()["lacking"]));
        }
        if took > limit {
            return Err(format!("still {} after {took:.1?}", answer.status));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
