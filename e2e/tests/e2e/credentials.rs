//! Content Credentials through every layer: signed by a worker's confined child, downloaded, and verified by `aerie verify`.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use aerie_e2e::{Client, Server, aerie, engine, run, run_json, serve_pictures, wait_until};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
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
    // As typed in the folder.
    let mut command = Command::new(aerie());
    command.args(["generate", "image-enhance", "photo.jpg", "-o", "signed/photo.jpg", "--credentials", "--json"]);
    let output = command.arg("--data").arg(&data).current_dir(folder.path()).output().unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["credentials"]["embedded"], json!(["image_url", "thumbnail_url"]), "{printed}");
    let names = std::fs::read_dir(folder.path().join("signed")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["photo.jpg", "photo.thumbnail.jpg"], "nothing but the outputs stays");
    let (exit, report) = verified(&folder.path().join("signed/photo.jpg"), &[], &data);
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

/// Writes a certificate chain for a use, its key and a configuration that names them; returns the configuration, and the certificate of
/// the authority.
fn certificate(folder: &Path, name: &str, usage: ExtendedKeyUsagePurpose) -> (String, PathBuf) {
    let params = |name: &str| {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.distinguished_name.push(DnType::OrganizationName, "Acme Homes");
        params
    };
    let (root_key, key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let mut root = params("Acme root");
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    root.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let root_pem = root.self_signed(&root_key).unwrap().pem();
    let mut leaf = params("Acme media");
    leaf.use_authority_key_identifier_extension = true;
    leaf.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    leaf.extended_key_usages = vec![usage];
    let leaf_pem = leaf.signed_by(&key, &Issuer::new(root, &root_key)).unwrap().pem();
    let [chain, secret, trust, config] =
        ["pem", "key", "root.pem", "toml"].map(|suffix| folder.join(format!("{name}.{suffix}")));
    std::fs::write(&chain, format!("{leaf_pem}{root_pem}")).unwrap();
    std::fs::write(&secret, key.serialize_pem()).unwrap();
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::write(&trust, &root_pem).unwrap();
    let section = format!("[credentials]\ncertificate = '{}'\nkey = '{}'\n", chain.display(), secret.display());
    std::fs::write(&config, section).unwrap();
    (config.display().to_string(), trust)
}

#[test]
fn an_operators_certificate_signs_and_one_for_other_uses_is_refused_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (data, photo, signed) = (folder.path().join("data"), folder.path().join("a.jpg"), folder.path().join("b.jpg"));
    std::fs::write(&photo, empty_room()).unwrap();
    let generate = |config: &str| {
        let files = [photo.to_str().unwrap(), "-o", signed.to_str().unwrap()];
        let options = ["--credentials", "--config", config];
        run(&[&["generate", "image-enhance"], &files[..], &options].concat(), &data)
    };
    let doctor = |config: &str| -> Value {
        let output = run(&["doctor", "--json", "--config", config], &data);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["findings"].as_array().unwrap().iter().find(|found| found["what"] == "credentials").unwrap().clone()
    };
    let (config, trust) = certificate(folder.path(), "media", ExtendedKeyUsagePurpose::EmailProtection);
    let output = generate(&config);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (exit, report) = verified(&signed, &["--trust", trust.to_str().unwrap()], &data);
    assert_eq!((exit.status.code(), &report["state"]), (Some(0), &json!("trusted")), "{report:#}");
    assert_eq!(report["signer"]["name"], "Acme media");
    let found = doctor(&config)["found"].as_str().unwrap().to_owned();
    assert!(!found.contains("media.pem"), "only its age is reported: {found}");

    let (config, _) = certificate(folder.path(), "server", ExtendedKeyUsagePurpose::ServerAuth);
    let output = generate(&config);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("server.pem") && error.contains("emailProtection"), "{error}");
    let found = doctor(&config);
    assert!(found["ok"] == false && found["found"].as_str().unwrap().contains("server.pem"), "{found}");
}

#[test]
fn without_the_program_that_makes_media_everything_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let (data, alone) = (folder.path().join("data"), folder.path().join("aerie"));
    std::fs::copy(aerie(), &alone).unwrap();
    let photo = folder.path().join("photo.jpg");
    std::fs::write(&photo, empty_room()).unwrap();
    let says = |arguments: &[&str], engine: Option<&Path>| {
        let mut command = Command::new(&alone);
        command.env_remove("AERIE_ENGINE").envs(engine.map(|engine| ("AERIE_ENGINE", engine)));
        let output = command.args(arguments).arg("--data").arg(&data).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let photo = photo.to_str().unwrap();
    let generate = ["generate", "image-enhance", photo, "-o", "never.jpg"];
    for arguments in
        [&["doctor"][..], &["serve", "--listen", "127.0.0.1:0"], &["worker"], &["geocode", "here"], &generate]
    {
        let said = says(arguments, None);
        assert!(said.contains("aerie-engine is missing: install `aerie` and `aerie-engine`"), "{arguments:?}: {said}");
    }
    // Named elsewhere, it is found: only the address is not.
    assert!(says(&["geocode", "nowhere at all"], Some(&engine())).contains("not a complete address"));
    let request = r#"{"version": "9.9.9", "later": true}"#;
    let mut child =
        Command::new(engine()).args(["run", "job"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{request}\n").as_bytes()).unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("`aerie` is version 9.9.9"), "{said}");
}

#[test]
fn without_the_program_that_signs_everything_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let (data, alone) = (folder.path().join("data"), folder.path().join("aerie"));
    std::fs::copy(aerie(), &alone).unwrap();
    let photo = folder.path().join("photo.jpg");
    std::fs::write(&photo, empty_room()).unwrap();
    let photo = photo.to_str().unwrap();
    let says = |arguments: &[&str]| {
        let output = Command::new(&alone).args(arguments).arg("--data").arg(&data).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let generate = ["generate", "image-enhance", photo, "-o", "never.jpg", "--credentials"];
    for arguments in [&["doctor"][..], &["verify", photo], &generate] {
        let said = says(arguments);
        assert!(said.contains("aerie-sign is missing: install"), "{arguments:?}: {said}");
    }
    let other = folder.path().join("aerie-sign");
    std::fs::write(&other, "#!/bin/sh\necho aerie-sign 9.9.9\n").unwrap();
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(says(&["doctor"]).contains("is version 9.9.9"));
    assert!(says(&generate).contains("is version 9.9.9"));
}
