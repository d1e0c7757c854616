//! Drone footage through every layer, killing and freezing processes on the way.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use aerie_e2e::{
    ChildGuard, Client, Server, Signal, aerie, children_of, lay_house, lay_town, processes_of, run, run_json, signal,
    wait_until,
};
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);

/// Returns the current attempt, once it has begun to write its video.
fn rendering(data: &Path, job: &str, at_least: u32) -> Option<u32> {
    let attempts = std::fs::read_dir(data.join("work").join(job)).ok()?;
    attempts.flatten().find_map(|attempt| {
        let number: u32 = attempt.file_name().to_str()?.parse().ok()?;
        let begun = std::fs::metadata(attempt.path().join("out/video.mp4")).is_ok_and(|film| film.len() > 0);
        (begun && number >= at_least).then_some(number)
    })
}

/// Returns the worker that is running an encoder.
fn encoding_worker(workers: &[ChildGuard]) -> u32 {
    let runs_encoder = |worker: &u32| children_of(*worker).into_iter().any(|engine| !children_of(engine).is_empty());
    let busy = || workers.iter().map(|worker| worker.id()).find(|worker| is_running(*worker) && runs_encoder(worker));
    wait_until("a worker runs an encoder", MINUTE, busy)
}

fn is_running(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    !status.lines().any(|line| line.starts_with("State:") && line.contains('T'))
}

fn media_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(media_files(&entry.path()));
        } else {
            found.push(entry.path().display().to_string());
        }
    }
    found
}

#[test]
fn an_acknowledged_job_survives_kills_and_freezes_and_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let address = lay_house(&data);

    // Kill the server right after its 202: no acknowledged job is lost.
    let first = Server::start(&data, 0);
    let (org, key) = (first.org.clone(), first.key.clone());
    // The smallest there is, as it is drawn three times.
    let options = json!({"direction": "topdown_zoomin", "duration": 6, "resolution": "720p", "aspect_ratio": "1:1"});
    let job = first.client.submit_film(address, &options);
    first.kill();

    let server = Server::restart(&data, 0, &org, &key);
    let worker = || ChildGuard::spawn(Command::new(aerie()).arg("worker").arg("--data").arg(&data));
    let workers = [worker(), worker()];
    let client = &server.client;
    assert_ne!(client.job(&job)["status"], "completed");

    // Freeze a worker while rendering for longer than its lease: the other one takes over.
    let first_attempt = wait_until("rendering begins", 3 * MINUTE, || rendering(&data, &job, 1));
    let frozen = encoding_worker(&workers);
    assert!(signal(frozen, Signal::STOP));
    let second_attempt =
        wait_until("another worker begins rendering", 3 * MINUTE, || rendering(&data, &job, first_attempt + 1));

    // Kill that one while rendering; a third run completes the job. The first resumes and has lost its lease.
    let killed = encoding_worker(&workers);
    assert_ne!(killed, frozen);
    assert!(signal(killed, Signal::KILL));
    assert_eq!(client.job(&job)["status"], "running", "a retried job stays running");
    assert!(signal(frozen, Signal::CONT));
    let done = wait_until("the job ends", 8 * MINUTE, || {
        let done = client.job(&job);
        (done["status"] != "running").then_some(done)
    });
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(done["input"], json!({"address": address, "options": options}));
    wait_until("work folders are removed", MINUTE, || {
        std::fs::read_dir(data.join("work")).map_or(0, Iterator::count).eq(&0).then_some(())
    });

    // One video, one usage event.
    let files = media_files(&data.join("media"));
    assert_eq!(files.len(), 2, "{files:?}");
    let winner = format!("/{job}/{}/", second_attempt + 1);
    assert!(files.iter().all(|file| file.contains(&winner)), "{files:?}");
    let usage = client.get("/v1/usage").json()["data"].clone();
    assert_eq!(usage["summary"]["total_events"], 1);
    assert_eq!(usage["events"][0]["event_type"], "drone_footage.generate");
    let invoice = run_json(&["admin", "usage", "--org", &org], &data);
    assert_eq!(invoice["total_cost_cents"], usage["summary"]["total_cost_cents"]);

    let listed = client.get("/v1/jobs?status=completed").json()["data"][0]["output"].clone();
    assert_eq!(listed.as_object().unwrap().keys().collect::<Vec<_>>(), ["video_url"]);
    check_video(client, &done["output"], folder.path());

    // An unknown address fails with a message and is not billed.
    let nowhere = client.submit("99999 Nowhere Lane, Atlantis", "north");
    let failed = wait_until("the other job ends", MINUTE, || {
        let job = client.job(&nowhere);
        (job["status"] == "failed").then_some(job)
    });
    assert_eq!(failed["output"]["error"]["code"], "ADDRESS_NOT_FOUND");
    assert_eq!(failed["completed_at"], Value::Null);
    assert_eq!(client.get("/v1/usage").json()["data"]["summary"]["total_events"], 1);
}

fn check_video(client: &Client, output: &Value, folder: &Path) {
    let duration = output["duration"].as_f64().unwrap();
    assert!((5.9..=6.1).contains(&duration), "{duration}");
    let anyone = client.with_key(None);
    let link = output["video_url"].as_str().unwrap();
    let whole = anyone.get(link);
    assert_eq!((whole.status, whole.header("content-type")), (200, "video/mp4"));
    let part = anyone.send("GET", link, &[("Range", "bytes=1000-1999")], &[]);
    assert_eq!((part.status, part.bytes.as_slice()), (206, &whole.bytes[1000..2000]));
    assert_eq!(part.header("content-range"), format!("bytes 1000-1999/{}", whole.bytes.len()));
    assert_eq!(anyone.send("HEAD", link, &[], &[]).header("content-length"), whole.bytes.len().to_string());
    assert_eq!(anyone.get(&format!("{link}0")).refusal(), (403, "FORBIDDEN".into()));

    let film = folder.join("film.mp4");
    std::fs::write(&film, &whole.bytes).unwrap();
    let probe = probe(&film);
    let stream = &probe["streams"][0];
    for (field, expected) in [
        ("codec_name", json!("h264")),
        ("profile", json!("High")),
        ("pix_fmt", json!("yuv420p")),
        ("width", json!(720)),
        ("height", json!(720)),
        ("r_frame_rate", json!("30/1")),
        ("color_space", json!("bt709")),
        ("color_primaries", json!("bt709")),
        ("color_transfer", json!("bt709")),
    ] {
        assert_eq!(stream[field], expected, "{field}");
    }
    let seconds: f64 = probe["format"]["duration"].as_str().unwrap().parse().unwrap();
    assert!((seconds - duration).abs() < 0.05, "{seconds} in the file, {duration} in the output");
    // Fast start: the index precedes the frames.
    let place = |name: &[u8]| whole.bytes.windows(4).position(|window| window == name).unwrap();
    assert!(place(b"moov") < place(b"mdat"));

    let thumbnail = anyone.get(output["thumbnail_url"].as_str().unwrap());
    assert_eq!((thumbnail.status, thumbnail.header("content-type")), (200, "image/jpeg"));
    assert!(thumbnail.bytes.starts_with(&[0xff, 0xd8, 0xff]));
}

fn probe(film: &Path) -> Value {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-show_streams", "-show_format", "-of", "json"])
        .arg(film)
        .output()
        .expect("ffprobe starts");
    serde_json::from_slice(&output.stdout).expect("JSON from ffprobe")
}

#[test]
fn ctrl_c_stops_rendering_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    let address = lay_house(&data);
    std::fs::create_dir(&out).unwrap();
    let mut command = Command::new(aerie_e2e::aerie());
    command.args(["generate", "drone-footage", "--address", address, "-o"]).arg(out.join("film.mp4"));
    let mut child = ChildGuard::spawn(command.arg("--data").arg(&data));
    let begun = || {
        let work = std::fs::read_dir(&out).unwrap().flatten().next()?;
        std::fs::metadata(work.path().join("out/video.mp4")).is_ok_and(|film| film.len() > 0).then_some(())
    };
    wait_until("rendering begins", 3 * MINUTE, begun);
    assert!(signal(child.id(), Signal::INT));
    let status = wait_until("the program ends", MINUTE, || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(130));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
    assert!(processes_of(&out).is_empty());
}

#[test]
fn an_address_is_found_and_an_unknown_one_is_an_error_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    lay_town(&data);
    let found = run_json(&["geocode", aerie_sample_town::SAMPLE_ADDRESSES[0]], &data);
    assert!(found["lat"].is_f64(), "{found}");
    for arguments in [
        &["geocode", "99999 Nowhere Lane, Atlantis"][..],
        &["generate", "drone-footage", "--address", "99999 Nowhere Lane, Atlantis", "-o", "nowhere.mp4"],
    ] {
        let output = run(arguments, &data);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.lines().last().is_some_and(|line| line.starts_with("error: ")), "{stderr}");
    }
    assert!(!Path::new("nowhere.mp4").exists());
}
