//! Events and webhooks of a running server with a worker.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aerie_e2e::{Server, Signal, gradient_picture, run_json, wait_until};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(60);

/// The events of a stream, as JSON, until it ends.
type Seen = Arc<Mutex<Vec<Value>>>;

/// Follows the events of the server's organization.
fn follow(server: &Server) -> Seen {
    let address = server.client.base_url().strip_prefix("http://").unwrap().to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET /v1/events HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {}\r\n\r\n", server.key).unwrap();
    let seen = Seen::default();
    let kept = Arc::clone(&seen);
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if let Some(data) = line.strip_prefix("data: ") {
                kept.lock().unwrap().push(serde_json::from_str(data).unwrap());
            }
        }
        kept.lock().unwrap().push(json!({"type": "ended"}));
    });
    seen
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_until(what, LIMIT, || is_so().then_some(()));
}

fn types(seen: &Seen) -> Vec<String> {
    let mut types: Vec<String> =
        seen.lock().unwrap().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect();
    types.dedup();
    types
}

/// Answers with `status` until the test ends, and keeps the bodies.
fn receiver(listener: TcpListener, status: &'static str) -> Arc<Mutex<Vec<Value>>> {
    let got = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&got);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = BufReader::new(stream.try_clone().unwrap());
            let (mut length, mut line) = (0, String::new());
            while head.read_line(&mut line).is_ok_and(|read| read > 2) {
                if let Some(given) = line.to_lowercase().strip_prefix("content-length: ") {
                    length = given.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            if head.read_exact(&mut body).is_ok() {
                kept.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
                let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
            }
        }
    });
    got
}

/// Uploads a photo and has it enhanced; returns the job.
fn enhance(server: &Server) -> String {
    let photo = gradient_picture("s=1600x1200:c0=0x2a3a4a:c1=0x9a8a70", "png");
    let uploaded = server.client.send("POST", "/v1/uploads", &[("Content-Type", "image/png")], &photo);
    let body = json!({"image_url": uploaded.json()["data"]["image_url"]});
    let submitted = server.client.post("/v1/image-enhance/generate", &body);
    assert_eq!(submitted.status, 202, "{}", submitted.json());
    submitted.json()["data"]["job_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_job_is_followed_to_its_end_and_the_stream_does_not_delay_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder.path().join("data"), 1);
    let seen = follow(&server);
    until("the stream", || types(&seen) == ["ready"]);
    let job = enhance(&server);
    until("the job", || types(&seen).iter().any(|kind| kind == "job.completed"));
    let events = seen.lock().unwrap().clone();
    assert!(events[1..].iter().all(|event| event["data"]["job_id"] == job.as_str()), "{events:?}");
    let of_job: Vec<String> = types(&seen).into_iter().filter(|kind| kind != "job.progress").collect();
    assert_eq!(of_job, ["ready", "job.queued", "job.running", "job.completed"]);
    let began = Instant::now();
    assert!(server.stop(Signal::TERM).success());
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    until("its end", || types(&seen).last().is_some_and(|kind| kind == "ended"));
}

#[test]
fn a_webhook_is_told_of_jobs_although_the_server_was_killed_and_the_receiver_was_away() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, 1);
    let away = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = away.local_addr().unwrap();
    drop(away);
    let url = format!("http://{address}/aerie");
    let webhook = server.client.post("/v1/webhooks", &json!({"url": url})).json()["data"].clone();
    let deliveries = format!("/v1/webhooks/{}/deliveries", webhook["webhook_id"].as_str().unwrap());
    let job = enhance(&server);
    let listed = |server: &Server| server.client.get(&deliveries).json()["data"].clone();
    until("an attempt", || listed(&server)[0]["attempts"].as_u64() >= Some(1));
    assert_eq!(listed(&server)[0]["last_error"], "cannot be reached");
    let (org, key) = (server.org.clone(), server.key.clone());
    server.kill();

    let got = receiver(TcpListener::bind(address).unwrap(), "204 No Content");
    let server = Server::restart(&data, 0, &org, &key);
    until("the message", || !got.lock().unwrap().is_empty());
    let message = got.lock().unwrap()[0].clone();
    assert_eq!((&message["type"], &message["data"]["job_id"]), (&json!("job.completed"), &json!(job)));
    until("its delivery", || listed(&server)[0]["status"] == "delivered");
    assert_eq!(listed(&server).as_array().unwrap().len(), 1);
}

#[test]
fn in_production_a_webhook_must_be_encrypted_and_public() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let org = run_json(&["admin", "org", "create", "Acme"], &data)["org_id"].as_str().unwrap().to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], &data)["key"].as_str().unwrap().to_owned();
    let config = folder.path().join("aerie.toml");
    std::fs::write(
        &config,
        "environment = 'production'\nbase_url = 'http://127.0.0.1'\n[admin]\nlisten = '127.0.0.1:0'\n",
    )
    .unwrap();
    let server = Server::restart_with(&["--config", config.to_str().unwrap()], &data, 0, &org, &key);
    for (url, why) in
        [("http://example.com/", "must use https://"), ("https://127.0.0.1/", "does not lead to a public address")]
    {
        let refused = server.client.post("/v1/webhooks", &json!({"url": url}));
        assert_eq!(refused.json()["error"]["message"], format!("`url` {why}"));
    }
}
