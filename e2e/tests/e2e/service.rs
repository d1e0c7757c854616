//! The server and the command line, without rendering.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use aerie_e2e::{ChildGuard, Server, Signal, aerie, children_of, run, run_json, signal, wait_until};
use serde_json::json;

#[test]
fn refusals_have_the_status_and_code_of_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"), 0);
    let client = &server.client;
    let submit = "/v1/drone-footage/generate";
    let anyone = client.with_key(None);
    assert_eq!(anyone.get("/v1/nothing").refusal(), (401, "UNAUTHORIZED".into()));
    assert_eq!(client.with_key(Some("aerie_live_x")).get("/v1/jobs").refusal(), (401, "UNAUTHORIZED".into()));
    assert_eq!(client.get("/v1/nothing").refusal(), (404, "NOT_FOUND".into()));
    let unknown = "/v1/jobs/0197b3a0-0000-7000-8000-000000000000";
    assert_eq!(client.get(unknown).refusal(), (404, "JOB_NOT_FOUND".into()));
    assert_eq!(client.get("/v1/jobs/1").refusal(), (400, "VALIDATION_ERROR".into()));
    let wrong_method = client.send("DELETE", "/v1/jobs", &[], &[]);
    assert_eq!(wrong_method.refusal(), (405, "METHOD_NOT_ALLOWED".into()));
    assert_eq!(wrong_method.header("allow"), "GET,HEAD");
    assert_eq!(client.post(submit, &json!({})).refusal(), (400, "VALIDATION_ERROR".into()));
    let large = json!({"address": "a", "padding": "x".repeat(3 << 20)});
    assert_eq!(client.post(submit, &large).refusal(), (400, "VALIDATION_ERROR".into()));
    assert_eq!(client.get("/v1/jobs").json()["pagination"]["total"], 0);
    assert_eq!(anyone.get("/healthz").json()["environment"], "development");
}

#[test]
fn a_revoked_key_is_refused_at_once_and_another_stays_valid() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, 0);
    let second = run_json(&["admin", "key", "create", "--org", &server.org], &data);
    let keys = run_json(&["admin", "key", "list", "--org", &server.org], &data);
    assert_eq!(server.client.get("/v1/jobs").status, 200);
    let _ = run_json(&["admin", "key", "revoke", keys[0]["key_id"].as_str().unwrap()], &data);
    assert_eq!(server.client.get("/v1/jobs").status, 401);
    assert_eq!(server.client.with_key(second["key"].as_str()).get("/v1/jobs").status, 200);
}

#[test]
fn an_idle_server_exits_cleanly_on_sigterm_and_sigint_with_a_connection_open() {
    for with in [Signal::TERM, Signal::INT] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Server::start(&folder.path().join("data"), 2);
        assert_eq!(server.client.get("/readyz").status, 200);
        assert!(server.stop(with).success());
    }
}

#[test]
fn a_request_in_progress_is_answered_when_the_server_stops() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder.path().join("data"), 0);
    let address = server.client.base_url().strip_prefix("http://").unwrap().to_owned();
    let mut connection = TcpStream::connect(&address).unwrap();
    let body = r#"{"address": "1 Main St"}"#;
    let head = format!(
        "POST /v1/drone-footage/generate HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.key,
        body.len()
    );
    connection.write_all(head.as_bytes()).unwrap();
    connection.write_all(&body.as_bytes()[..5]).unwrap();
    let pid = server.pid();
    // Connections are accepted in order: once a later one is answered, the server has accepted this one.
    assert_eq!(server.client.get("/healthz").status, 200);
    assert!(signal(pid, Signal::TERM));
    wait_until("new connections are refused", Duration::from_secs(5), || {
        TcpStream::connect(&address).is_err().then_some(())
    });
    connection.write_all(&body.as_bytes()[5..]).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    assert!(server.wait().success());
}

#[test]
fn an_invalid_configuration_keeps_the_server_from_starting_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("aerie.toml");
    let path = file.to_str().unwrap();
    for (text, part) in [
        ("worker = 2", "`worker`"),
        ("listen = \"0.0.0.0:0\"", "loopback"),
        ("environment = \"production\"\nlisten = \"0.0.0.0:0\"", "[tls]"),
        ("[proxy]\ntrusted = [\"127.0.0.1/32\"]", "trusts no proxy"),
        ("[tls]\ncert = \"/nowhere.pem\"\nkey = \"/nowhere.pem\"", "/nowhere.pem"),
        ("[store]\nurl = \"postgres://x\"", "[store] url"),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = run(&["serve", "--config", path], &data);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
    }
}

#[test]
fn wrong_usage_exits_with_2_and_failure_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    for (arguments, code) in [
        (&["fly"][..], 2),
        (&["geocode"], 2),
        (&["generate", "drone-footage", "--address", "a", "--direction", "up", "-o", "x.mp4"], 2),
        (&["admin", "key", "create", "--org", "x"], 1),
        (&["admin", "key", "create", "--org", "0197b3a0-0000-7000-8000-000000000000"], 1),
        (&["import", "/nowhere.osm.pbf"], 1),
        (&["admin", "org", "list"], 0),
    ] {
        assert_eq!(run(arguments, data).status.code(), Some(code), "{arguments:?}");
    }
}

/// Serves a file that does not end; returns its URL.
fn endless_file() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/map.osm", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let _ = connection.read(&mut [0; 4096]);
            let _ = connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n<osm>");
            while connection.write_all(&[b' '; 1024]).is_ok() {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    });
    url
}

#[test]
fn ctrl_c_ends_an_import_and_its_engine() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut command = Command::new(aerie());
    let mut import = ChildGuard::spawn(command.args(["import", &endless_file(), "--data"]).arg(&data));
    let limit = Duration::from_secs(30);
    let engine = wait_until("the engine runs", limit, || children_of(import.id()).first().copied());
    let fetched = || std::fs::read_dir(data.join("cache/downloads")).is_ok_and(|mut files| files.next().is_some());
    wait_until("the file is downloaded", limit, || fetched().then_some(()));
    assert!(signal(import.id(), Signal::INT));
    let status = wait_until("the program ends", limit, || import.try_wait().unwrap());
    assert_eq!(status.code(), Some(130));
    assert!(!Path::new(&format!("/proc/{engine}")).exists());
    assert!(!data.join("pack").exists());
}
