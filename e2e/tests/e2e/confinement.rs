//! Engines run in confined child processes: what these can do, and what their end means.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use aerie_e2e::{
    Client, Server, Signal, engine, gradient_picture, inspect, run, run_json, serve_pictures, signal, wait_until,
};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(60);

/// Encodes a picture with smooth colors of this size.
fn picture(size: &str, codec: &str) -> Vec<u8> {
    gradient_picture(&format!("s={size}:c0=0x2a3a4a:c1=0x9a8a70"), codec)
}

/// A server with one worker, and a photo that it can fetch.
fn serve(data: &Path, photo: Vec<u8>) -> (Server, Value) {
    let url = serve_pictures([("photo.jpg", photo)].into());
    (Server::start(data, 1), json!({"image_url": format!("{url}/photo.jpg"), "options": {"format": "png"}}))
}

fn submit(client: &Client, body: &Value) -> String {
    let submitted = client.post("/v1/image-enhance/generate", body);
    assert_eq!(submitted.status, 202, "{:?}", submitted.json());
    submitted.json()["data"]["job_id"].as_str().expect("an id").to_owned()
}

fn ended(client: &Client, id: &str) -> Value {
    wait_until("the job ends", LIMIT, || {
        let job = client.job(id);
        matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
    })
}

/// Waits for an engine, and freezes it so that its run does not end meanwhile.
fn frozen_engine(server: &Server) -> u32 {
    let began = std::time::Instant::now();
    loop {
        let engine = server.engines().first().copied();
        if let Some(engine) = engine.filter(|pid| inspect(*pid).is_some_and(|state| state.is_filtered)) {
            assert!(signal(engine, Signal::STOP));
            return engine;
        }
        assert!(began.elapsed() < LIMIT, "no engine runs");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn an_engine_has_no_database_no_sockets_no_secrets_and_limited_memory() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (server, body) = serve(&data, picture("3000x2000", "mjpeg"));
    let id = submit(&server.client, &body);
    let engine = frozen_engine(&server);
    let found = inspect(engine).expect("the engine is frozen");
    assert!(found.is_filtered && !found.can_gain_privileges, "{found:?}");
    assert!(found.forbidden_files().is_empty() && found.files.len() < 20, "{found:?}");
    assert!(found.memory.is_some_and(|limit| (1 << 30..=6 << 30).contains(&limit)), "{found:?}");
    let wanted = ["PATH", "TMPDIR"];
    assert!(wanted.iter().all(|name| found.variables.iter().any(|variable| variable == name)), "{found:?}");
    assert!(!found.variables.iter().any(|name| name.starts_with("AERIE") || name.starts_with("CARGO")), "{found:?}");
    assert!(signal(engine, Signal::CONT));
    assert_eq!(ended(&server.client, &id)["status"], "completed");
    let log = server.log();
    let line = log.lines().find(|line| line.contains("confinement=")).expect("the log says what is enforced");
    assert!(line.contains("system calls") && line.contains("memory"), "{line}");
    let findings = run_json(&["doctor"], &data)["findings"].take();
    let of_doctor = findings.as_array().unwrap().iter().find(|finding| finding["what"] == "confinement");
    let of_doctor = of_doctor.and_then(|finding| finding["found"].as_str()).expect("a finding");
    assert!(line.contains(of_doctor), "{line}: {of_doctor}");
}

#[test]
fn an_engine_that_dies_costs_one_attempt_and_not_its_worker() {
    let folder = tempfile::tempdir().unwrap();
    let (server, body) = serve(&folder.path().join("data"), picture("3000x2000", "mjpeg"));
    let id = submit(&server.client, &body);
    assert!(signal(frozen_engine(&server), Signal::KILL));
    let job = ended(&server.client, &id);
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!((server.metric("aerie_workers"), server.metric("aerie_worker_restarts_total")), (1.0, 0.0));
    assert!(server.log().contains("the engine ended with signal: 9"), "{}", server.log());
}

#[test]
fn a_frozen_engine_does_not_keep_the_server_from_stopping_and_does_not_outlive_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (mut server, body) = serve(&data, picture("3000x2000", "mjpeg"));
    let id = submit(&server.client, &body);
    let engine = frozen_engine(&server);
    assert!(server.stop(Signal::TERM).success());
    assert_eq!(inspect(engine), None);
    let (org, key) = (server.org.clone(), server.key.clone());
    drop(server);
    let server = Server::restart(&data, 1, &org, &key);
    assert_eq!(ended(&server.client, &id)["status"], "completed");
}

#[test]
fn an_engine_dies_with_its_server_and_the_job_runs_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (server, body) = serve(&data, picture("3000x2000", "mjpeg"));
    let id = submit(&server.client, &body);
    let (engine, org, key) = (frozen_engine(&server), server.org.clone(), server.key.clone());
    server.kill();
    wait_until("the engine ends", LIMIT, || inspect(engine).is_none().then_some(()));
    let server = Server::restart(&data, 1, &org, &key);
    assert_eq!(ended(&server.client, &id)["status"], "completed");
}

#[test]
fn a_service_whose_engine_is_replaced_goes_on_with_the_one_that_it_opened() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let [own, other] = ["aerie-engine", "other"].map(|name| folder.path().join(name));
    std::fs::copy(engine(), &own).unwrap();
    std::fs::write(&other, "not a program").unwrap();
    let (first, body) = serve(&data, picture("640x426", "mjpeg"));
    let (org, key) = (first.org.clone(), first.key.clone());
    drop(first);
    let server = Server::restart_in(&[("AERIE_ENGINE", own.to_str().unwrap())], &[], &data, 1, &org, &key);
    std::fs::rename(&other, &own).unwrap();
    let job = ended(&server.client, &submit(&server.client, &body));
    assert_eq!(job["status"], "completed", "{job}");
    assert!(server.log().contains("the program was replaced"), "{}", server.log());
}

#[test]
fn a_confined_engine_makes_the_same_photo_as_one_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let photo = picture("640x426", "mjpeg");
    let [input, output] = ["photo.jpg", "enhanced.png"].map(|name| folder.path().join(name));
    std::fs::write(&input, &photo).unwrap();
    let made = run(
        &["generate", "image-enhance", input.to_str().unwrap(), "-o", output.to_str().unwrap()],
        &folder.path().join("other"),
    );
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (data, config) = (folder.path().join("data"), folder.path().join("aerie.toml"));
    std::fs::write(&config, "[credentials]\nenabled = false\n").unwrap();
    let (signing, body) = serve(&data, photo);
    let (org, key) = (signing.org.clone(), signing.key.clone());
    drop(signing);
    let server = Server::restart_with(&["--config", config.to_str().unwrap()], &data, 1, &org, &key);
    let job = ended(&server.client, &submit(&server.client, &body));
    let link = job["output"]["image_url"].as_str().and_then(|url| url.strip_prefix(server.client.base_url())).unwrap();
    assert!(server.client.with_key(None).get(link).bytes == std::fs::read(output).unwrap());
}

/// Runs a program by `aerie-engine confined`, with this folder to write to.
fn confined(arguments: &[&str], write: &Path, program: &[&str]) -> Output {
    let mut command = Command::new(engine());
    command.args(["confined", "--memory", "512"]).args(arguments).arg("--write").arg(write).arg("--").args(program);
    command.output().expect("aerie starts")
}

#[test]
fn a_tool_of_imports_reads_its_input_only_and_has_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (input, secret, work) = (path("input.tif"), path("aerie.db"), folder.path().join("work"));
    std::fs::create_dir(&work).unwrap();
    for file in [&input, &secret] {
        std::fs::write(file, "content").unwrap();
    }
    let allowed = confined(&["--read", &input], &work, &["cat", &input]);
    assert_eq!(allowed.stdout, b"content", "{}", String::from_utf8_lossy(&allowed.stderr));
    let copied = confined(&["--read", &input], &work, &["cp", &input, work.join("copy").to_str().unwrap()]);
    assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("tcp://{}", listener.local_addr().unwrap());
    let network = confined(&[], &work, &["ffmpeg", "-v", "error", "-i", &url, "-f", "null", "-"]);
    let complaint = String::from_utf8_lossy(&network.stderr);
    assert!(complaint.contains("Operation not permitted"), "{complaint}");
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err());
    let findings = run_json(&["doctor"], &folder.path().join("data"))["findings"].take();
    let is_confined =
        |finding: &Value| finding["what"] == "confinement" && finding["found"].to_string().contains("files");
    if !findings.as_array().unwrap().iter().any(is_confined) {
        eprintln!("skipped: this kernel has no Landlock");
        return;
    }
    let denied = confined(&["--read", &input], &work, &["cat", &secret]);
    let complaint = String::from_utf8_lossy(&denied.stderr);
    assert!(!denied.status.success() && complaint.contains("Permission denied"), "{complaint}");
}

#[test]
fn a_geotiff_is_imported_by_confined_tools() {
    let folder = tempfile::tempdir().unwrap();
    let [png, tif] = ["picture.png", "picture.tif"].map(|name| folder.path().join(name));
    std::fs::write(&png, picture("256x256", "png")).unwrap();
    let placed = Command::new("gdal_translate")
        .args(["-q", "-a_srs", "EPSG:4326", "-a_ullr", "9.50", "47.17", "9.51", "47.16"])
        .args([&png, &tif])
        .output();
    match placed {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => return eprintln!("skipped: GDAL's tools are not installed: {error}"),
    }
    let data = folder.path().join("data");
    let import = ["import", "--attribution", "© Test", tif.to_str().unwrap()];
    let report = run_json(&import, &data);
    assert!(report["files"][0]["imagery_tiles"].as_u64().is_some_and(|tiles| tiles > 0), "{report}");
}
