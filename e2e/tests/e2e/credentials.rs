//! Content Credentials through every layer: signed by a worker's confined child, downloaded, and verified by `aerie verify`.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use aerie_e2e::{Client, Server, run, run_json, serve_pictures, wait_until};
use serde_json::{Value, json};

use crate::staged_room::{STAGED_ROOM, empty_room};

fn ended(client: &Client, submitted: &Value) -> Value {
    let id = submitted["data"]["job_id"].as_str().expect("an id").to_owned();
    wait_until("the job ends", Duration::from_secs(120), || {
        let job = client.job(&id);
        matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
    })
}

fn download(client: &Client, url: &Value, to: &Path) {
    let path = url.as_str().expect("a link").strip_prefix(client.base_url()).expect("our own link");
    let answer = client.with_key(None).get(path);
    assert_eq!(answer.status, 200, "{path}");
    std::fs::write(to, answer.bytes).unwrap();
}

fn verified(file: &Path, more: &[&str], data: &Path) -> (Output, Value) {
    let output = run(&[&["verify", file.to_str().unwrap(), "--json"], more].concat(), data);
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&output.stderr)));
    (output, report)
}

#[test]
fn media_of_the_service_carry_credentials_that_verify_and_a_changed_file_is_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let pictures = serve_pictures([("photo.jpg", empty_room())].into());
    let server = Server::start(&data, 1);
    let client = &server.client;
    let body =
        json!({"image_url": format!("{pictures}/photo.jpg"), "options": {"prompt": "a bit brighter", "mls": true}});
    let job = ended(client, &client.post("/v1/image-enhance/generate", &body).json());
    let output = &job["output"];
    let mut embedded: Vec<&str> =
        output["credentials"]["embedded"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    embedded.sort_unstable();
    assert_eq!(embedded, ["image_url", "mls_url", "thumbnail_url"], "{job}");
    assert_eq!(output["credentials"]["without"], json!([]));
    let root = folder.path().join("root.pem");
    let certificate = run_json(&["admin", "credentials"], &data)["certificate"].as_str().unwrap().to_owned();
    std::fs::write(&root, &certificate).unwrap();
    let trust = ["--trust", root.to_str().unwrap()];
    let file = folder.path().join("image.jpg");
    download(client, &output["image_url"], &file);
    let (exit, report) = verified(&file, &trust, &data);
    assert_eq!((exit.status.code(), &report["state"]), (Some(0), &json!("trusted")), "{report:#}");
    assert_eq!(report["actions"][0]["action"], "c2pa.opened");
    assert_eq!(report["ingredients"][0]["relationship"], "parentOf");
    assert_eq!(report["disclosure"]["text"], output["disclosure"]["text"]);

    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.len() - 1000;
    bytes[at] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (exit, report) = verified(&file, &trust, &data);
    assert_eq!((exit.status.code(), &report["state"]), (Some(1), &json!("changed")), "{report:#}");

    std::fs::write(&file, empty_room()).unwrap();
    let (exit, report) = verified(&file, &[], &data);
    assert_eq!((exit.status.code(), &report["state"]), (Some(2), &json!("none")));
}

#[test]
fn a_clip_of_a_downloaded_staged_photo_finds_its_layers_and_names_its_history() {
    let folder = tempfile::tempdir().unwrap();
    let made = &*STAGED_ROOM;
    let without = made.staged["output"]["credentials"]["without"].as_array().unwrap();
    assert!(without.iter().any(|file| file["field"] == "layers_url"), "{}", made.staged);
    let output = &made.clip["output"];
    assert_eq!(output["motion"]["geometry"], "staged_room", "{}", made.clip);
    let file = folder.path().join("clip.mp4");
    std::fs::write(&file, made.file(&output["video_url"])).unwrap();
    let (exit, report) = verified(&file, &[], &folder.path().join("data"));
    assert_eq!((exit.status.code(), &report["state"]), (Some(0), &json!("valid")), "{report:#}");
    let actions: Vec<&Value> = report["actions"].as_array().unwrap().iter().map(|action| &action["action"]).collect();
    assert_eq!(actions, ["c2pa.created", "c2pa.placed", "c2pa.edited"]);
    assert!(report["actions"][0]["digital_source_type"].as_str().unwrap().ends_with("/compositeSynthetic"));
    let [photo] = &report["ingredients"].as_array().unwrap()[..] else { panic!("{report:#}") };
    assert_eq!((&photo["has_credentials"], &photo["is_intact"]), (&json!(true), &json!(true)), "{report:#}");
}

#[test]
fn generate_signs_only_when_asked_and_is_otherwise_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let photo_file = folder.path().join("photo.jpg");
    std::fs::write(&photo_file, empty_room()).unwrap();
    let made = |name: &str, more: &[&str]| {
        let output = folder.path().join(name);
        let arguments = ["generate", "image-enhance", photo_file.to_str().unwrap(), "-o", output.to_str().unwrap()];
        let printed = run_json(&[&arguments, more].concat(), &data);
        (std::fs::read(&output).unwrap(), printed)
    };
    let (plain, printed) = made("plain.jpg", &[]);
    assert_eq!(printed.get("credentials"), None);
    assert!(made("again.jpg", &[]).0 == plain, "the same input gives the same bytes");
    assert!(!data.join("aerie.db").exists(), "no database is needed");
    let (signed, printed) = made("signed.jpg", &["--credentials"]);
    assert_eq!(printed["credentials"]["embedded"], json!(["image_url", "thumbnail_url"]));
    assert!(signed.len() > plain.len());
    let (exit, report) = verified(&folder.path().join("signed.jpg"), &[], &data);
    assert_eq!((exit.status.code(), &report["state"]), (Some(0), &json!("valid")), "{report:#}");
    let (exit, _) = verified(&folder.path().join("plain.jpg"), &[], &data);
    assert_eq!(exit.status.code(), Some(2));
}

#[test]
fn a_certificate_that_cannot_be_used_stops_no_job_and_the_output_and_the_log_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let config = folder.path().join("aerie.toml");
    let missing = folder.path().join("missing.pem");
    let section = format!("[credentials]\ncertificate = '{0}'\nkey = '{0}'\n", missing.display());
    std::fs::write(&config, section).unwrap();
    let pictures = serve_pictures([("photo.jpg", empty_room())].into());
    let (org, key) = {
        let server = Server::start(&data, 0);
        (server.org.clone(), server.key.clone())
    };
    let server = Server::restart_with(&["--config", config.to_str().unwrap()], &data, 1, &org, &key);
    let client = &server.client;
    let body = json!({"image_url": format!("{pictures}/photo.jpg")});
    let job = ended(client, &client.post("/v1/image-enhance/generate", &body).json());
    assert_eq!((&job["status"], &job["output"]["credentials"]["embedded"]), (&json!("completed"), &json!([])), "{job}");
    let reason = job["output"]["credentials"]["without"][0]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("certificate") && !reason.contains("missing.pem"), "no names of files: {reason}");
    assert!(server.log().contains("missing.pem"), "{}", server.log());
    // Killed, because the log rightly reports the certificate, which the check on drop would reject.
    server.kill();
}
