//! `aerie demo`: the whole of it at work. A server of its own on loopback, the sample town, jobs submitted and polled
//! over HTTP as a client would, and a page to look at.
mod client;
mod page;
mod photo;
mod server;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use aerie_domain::{ApiKey, Scopes};
use aerie_geodata::SAMPLE_ADDRESSES;
use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::arguments::{Demo, Global};
use crate::config::Config;
use crate::data::Data;
use crate::interrupt::{self, Interrupt};
use crate::print;
use client::Client;
use page::{Film, Page, Photo};
use server::Server;

/// The flights that are shown, each over an address of its own.
const DIRECTIONS: [&str; 3] = ["original", "west", "topdown_zoomout"];

/// A job that takes longer than this has gone wrong, even on a small machine.
const JOB_ENDS_WITHIN: Duration = Duration::from_secs(15 * 60);

pub(crate) fn run(config: &Config, global: &Global, options: &Demo) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    std::fs::create_dir_all(&options.out).with_context(|| format!("cannot make {}", options.out.display()))?;
    // A data folder of the demo's own, with no imported map in it: hence the sample town.
    let folder = tempfile::Builder::new().prefix("aerie-demo-").tempdir()?;
    let mut config = config.clone();
    config.data_dir = folder.path().to_owned();
    let key = new_key(&config)?;

    print::note("starting a server of its own …");
    let mut server = Server::start(folder.path())?;
    let result = demonstrate(&server, &key, &options.out, &interrupt);
    let page = match result {
        Ok(Some(page)) => page,
        Ok(None) => {
            print::note("interrupted");
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        Err(error) => {
            print::note(&format!("--- the server's log ends:\n{}\n---", server.log_tail()));
            return Err(error);
        }
    };
    server.stop()?;
    let index = options.out.join("index.html");
    std::fs::write(&index, page.html()).with_context(|| format!("cannot write {}", index.display()))?;
    let mut written: Vec<_> = page.films.iter().flat_map(|film| [film.video.clone(), film.thumbnail.clone()]).collect();
    written.extend([page.photo.before.clone(), page.photo.after.clone(), "index.html".into()]);
    let paths: Vec<String> = written.iter().map(|name| options.out.join(name).display().to_string()).collect();
    if global.json {
        print::json(&json!({"files": paths, "index": index}))?;
    } else {
        paths.iter().for_each(|path| print::line(path));
    }
    Ok(ExitCode::SUCCESS)
}

/// An organization and a key, as the account manager would make them.
fn new_key(config: &Config) -> anyhow::Result<ApiKey> {
    let data = Data::open(config)?;
    let key = ApiKey::generate()?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        let org = data.store.org_create("Demo", "enterprise").await?;
        data.store.key_create(org.id, &key, Scopes::ALL, None).await
    })?;
    Ok(key)
}

/// What a client does; `None` when interrupted.
fn demonstrate(server: &Server, key: &ApiKey, out: &Path, interrupt: &Interrupt) -> anyhow::Result<Option<Page>> {
    let client = Client::new(&server.base_url, key.reveal());
    let started = Instant::now();
    let Some(photo) = enhance(&client, out, interrupt)? else { return Ok(None) };
    let mut jobs = Vec::new();
    for (direction, address) in DIRECTIONS.into_iter().zip(SAMPLE_ADDRESSES.iter().cycle()) {
        let body = json!({"address": address, "options": {"direction": direction}});
        let created = client.post("/v1/drone-footage/generate", &body)?;
        let job = created["data"]["job_id"].as_str().context("the answer has no job_id")?.to_owned();
        print::note(&format!("202  POST /v1/drone-footage/generate  {direction:<16} {address}  -> {job}"));
        jobs.push(Submitted { job, direction, address, submitted: Instant::now() });
    }
    let billed = jobs.len() as u64 + 1;
    let Some(ended) = poll(&client, &jobs, interrupt)? else { return Ok(None) };
    let mut films = Vec::new();
    for (submitted, (output, seconds)) in jobs.iter().zip(ended) {
        films.push(download(&client, out, submitted, &output, seconds)?);
    }
    let usage = client.get("/v1/usage")?["data"].clone();
    let summary = &usage["summary"];
    let (events, cents) = (&summary["total_events"], &summary["total_cost_cents"]);
    print::note(&format!("200  GET /v1/usage  {events} events, {cents} cents"));
    ensure!(events.as_u64() == Some(billed), "{events} usage events for {billed} completed jobs");
    let seconds = started.elapsed().as_secs_f64();
    Ok(Some(Page { films, photo, usage, seconds, base_url: server.base_url.clone() }))
}

/// Enhances a photo that is too dark; `None` when interrupted.
fn enhance(client: &Client, out: &Path, interrupt: &Interrupt) -> anyhow::Result<Option<Photo>> {
    let picture = photo::dark_room();
    let before = "photo-before.jpg".to_owned();
    std::fs::write(out.join(&before), &picture).with_context(|| format!("cannot write to {}", out.display()))?;
    let url = photo::serve(picture)?;
    let created = client.post("/v1/image-enhance/generate", &json!({"image_url": url}))?;
    let job = created["data"]["job_id"].as_str().context("the answer has no job_id")?.to_owned();
    print::note(&format!("202  POST /v1/image-enhance/generate  -> {job}"));
    let submitted = Submitted { job, direction: "photo", address: "", submitted: Instant::now() };
    let Some(ended) = poll(client, &[submitted], interrupt)? else { return Ok(None) };
    let Some((output, seconds)) = ended.into_iter().next() else { bail!("the photo's job did not end") };
    let after = "photo-after.jpg".to_owned();
    client.download(output["image_url"].as_str().context("the output has no image_url")?, &out.join(&after))?;
    let disclosure = output["disclosure"]["text"].as_str().unwrap_or_default().to_owned();
    Ok(Some(Photo { before, after, disclosure, seconds }))
}

struct Submitted {
    job: String,
    direction: &'static str,
    address: &'static str,
    submitted: Instant,
}

/// Polls the jobs until all are completed: each one's output, and seconds since its submit.
fn poll(client: &Client, jobs: &[Submitted], interrupt: &Interrupt) -> anyhow::Result<Option<Vec<(Value, f64)>>> {
    let bar = ProgressBar::new(jobs.len() as u64)
        .with_style(ProgressStyle::with_template("{spinner} {wide_bar} {pos}/{len}  {msg}  {elapsed}")?);
    let mut ended = Vec::new();
    for (number, submitted) in jobs.iter().enumerate() {
        bar.set_position(number as u64);
        loop {
            if interrupt.is_raised() {
                bar.finish_and_clear();
                return Ok(None);
            }
            let job = client.get(&format!("/v1/jobs/{}", submitted.job))?["data"].take();
            let status = job["status"].as_str().unwrap_or_default();
            bar.set_message(format!("{}: {status}", submitted.direction));
            match status {
                "completed" => {
                    let seconds = submitted.submitted.elapsed().as_secs_f64();
                    if bar.is_hidden() {
                        print::note(&format!("completed after {seconds:.0} s: {}", submitted.direction));
                    }
                    ended.push((job["output"].clone(), seconds));
                    break;
                }
                "failed" => bail!("the job {} failed: {}", submitted.job, job["output"]["error"]["message"]),
                _ => {}
            }
            ensure!(submitted.submitted.elapsed() < JOB_ENDS_WITHIN, "the job {} does not end", submitted.job);
            bar.tick();
            std::thread::sleep(Duration::from_millis(500));
        }
    }
    bar.finish_and_clear();
    Ok(Some(ended))
}

fn download(client: &Client, out: &Path, submitted: &Submitted, output: &Value, seconds: f64) -> anyhow::Result<Film> {
    let (video, thumbnail) = (format!("{}.mp4", submitted.direction), format!("{}.jpg", submitted.direction));
    let link = |field: &str| output[field].as_str().with_context(|| format!("the output has no {field}"));
    let bytes = client.download(link("video_url")?, &out.join(&video))?;
    client.download(link("thumbnail_url")?, &out.join(&thumbnail))?;
    print::note(&format!("206, 200  GET video_url  {} KiB  -> {}", bytes >> 10, out.join(&video).display()));
    Ok(Film {
        direction: submitted.direction,
        address: submitted.address,
        video,
        thumbnail,
        duration: output["duration"].as_f64().unwrap_or(0.0),
        bytes,
        seconds,
    })
}
