//! What an operator sees: metrics, readiness, the log, and the commands that show jobs.

use std::time::Duration;

use aerie_e2e::{Server, lay_town, run, run_json, wait_until};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(60);

fn metrics(server: &Server) -> String {
    let answer = server.client.with_key(None).get("/metrics");
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.bytes).unwrap()
}

fn failed_job(server: &Server) -> String {
    let id = server.client.submit("1 Nowhere Street, Atlantis", "north");
    wait_until("the job fails", LIMIT, || (server.client.job(&id)["status"] == "failed").then_some(()));
    id
}

#[test]
fn a_request_id_links_the_response_the_workers_log_and_the_metrics() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    lay_town(&data);
    let first = Server::start(&data, 0);
    let (org, key) = (first.org.clone(), first.key.clone());
    drop(first);
    let server = Server::restart_with(&["--log", "json"], &data, 1, &org, &key);
    let id = failed_job(&server);
    let shown = run_json(&["admin", "job", "show", &id], &data);
    let request_id = shown["request_id"].as_str().unwrap().to_owned();
    assert_eq!((shown["status"].as_str(), shown["attempt"].as_u64()), (Some("failed"), Some(1)));
    assert_eq!(shown["output"]["error"]["code"], "ADDRESS_NOT_FOUND");

    let log = server.log();
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of_request = |message: &str| {
        let found = lines.iter().find(|line| line["message"] == message && line["spans"].is_array());
        let line = found.unwrap_or_else(|| panic!("`{message}` in {log}"));
        assert_eq!(line["spans"][0]["request_id"], request_id.as_str(), "{line}");
        line.clone()
    };
    assert_eq!(of_request("submitted")["job"], id.as_str());
    assert_eq!(of_request("claimed")["spans"][0]["job"], id.as_str());
    assert_eq!(of_request("failed")["level"], "INFO");
    assert!(!log.contains(&key), "the log holds a key");

    let text = wait_until("the stages are counted", LIMIT, || {
        let text = metrics(&server);
        text.contains("aerie_engine_seconds_total{kind=\"drone_footage\",stage=").then_some(text)
    });
    assert!(text.contains("aerie_workers 1\n") && text.contains("aerie_worker_restarts_total 0\n"), "{text}");
    assert!(text.contains("aerie_jobs{kind=\"drone_footage\",status=\"failed\"} 1\n"), "{text}");
    assert!(text.contains("route=\"/v1/drone-footage/generate\",code=\"202\"} 1\n"), "{text}");
    for secret in [&id, &org, &key] {
        assert!(!text.contains(secret.as_str()), "{secret} in {text}");
    }
}

#[test]
fn a_server_without_an_encoder_is_not_ready_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let first = Server::start(&data, 0);
    let (org, key) = (first.org.clone(), first.key.clone());
    assert_eq!(first.client.get("/readyz").status, 200);
    drop(first);
    let server = Server::restart_in(&[("PATH", "/nonexistent")], &[], &data, 1, &org, &key);
    let answer = wait_until("it is not ready", LIMIT, || {
        let answer = server.client.get("/readyz");
        (answer.status == 503).then_some(answer)
    });
    assert_eq!(answer.json(), serde_json::json!({"status": "unavailable", "lacking": ["encoder"]}));
    assert!(metrics(&server).contains("aerie_ready{check=\"encoder\"} 0\n"));
    assert_eq!(server.client.get("/healthz").status, 200);
}

#[test]
fn a_server_with_a_nearly_full_disk_refuses_jobs_and_its_workers_wait() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, 0);
    let id = server.client.submit("1 Nowhere Street, Atlantis", "north");
    let (org, key) = (server.org.clone(), server.key.clone());
    drop(server);
    let config = folder.path().join("aerie.toml");
    std::fs::write(&config, "[media]\nreserve_gib = 999999").unwrap();
    let server = Server::restart_with(&["--config", config.to_str().unwrap()], &data, 1, &org, &key);
    let refused = server.client.post("/v1/drone-footage/generate", &serde_json::json!({"address": "1 Main St"}));
    assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(refused.header("retry-after"), "60");
    assert_eq!(server.client.get("/readyz").json()["lacking"], serde_json::json!(["disk"]));
    wait_until("the worker logs why it waits", LIMIT, || {
        server.log().contains("no job is taken until there is room on the disk").then_some(())
    });
    assert_eq!(server.client.job(&id)["status"], "queued");
}

#[test]
fn a_configured_admin_address_that_is_taken_is_an_error_that_names_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap();
    let config = folder.path().join("aerie.toml");
    std::fs::write(&config, format!("environment = 'production'\n[admin]\nlisten = '{taken}'")).unwrap();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--workers", "0", "--config", config.to_str().unwrap()];
    let output = run(&serve, &folder.path().join("data"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    let remedy = format!("cannot listen on {taken}; choose another address with [admin] listen");
    assert!(error.contains(&remedy), "{error}");
}

#[test]
fn the_doctor_reports_each_check() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["doctor", "--json"], &folder.path().join("data"));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    for what in ["graphics device", "encoder", "font", "data folder", "disk space", "database", "map data", "clock"] {
        let finding = findings.iter().find(|finding| finding["what"] == what).unwrap_or_else(|| panic!("{what}"));
        assert_eq!(finding["ok"], true, "{finding}");
    }
    assert_eq!(output.status.code(), Some(0));
}
