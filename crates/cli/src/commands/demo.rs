//! `aerie demo`: runs every kind of job on sample data, over HTTP as a client would, and writes a page with the results.
mod client;
mod page;
mod pictures;
mod server;
mod session;
mod steps;

use std::process::ExitCode;
use std::time::Instant;

use aerie_domain::{ApiKey, Scopes};
use anyhow::{Context, ensure};
use serde_json::json;

use crate::arguments::{Demo, Global};
use crate::config::Config;
use crate::data::Data;
use crate::interrupt::{self, Interrupt};
use crate::print;
use client::Client;
use page::Page;
use server::Server;
use session::{Interrupted, Session};

pub(crate) fn run(config: &Config, global: &Global, options: &Demo) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    std::fs::create_dir_all(&options.out).with_context(|| format!("cannot create {}", options.out.display()))?;
    // A new data folder has no imported map, so the sample town is used.
    let folder = tempfile::Builder::new().prefix("aerie-demo-").tempdir()?;
    let key = new_key(&config.in_folder(folder.path())?)?;

    print::note("starting a server …");
    let mut server = Server::start(folder.path())?;
    let session =
        Session { client: Client::new(&server.base_url, key.reveal()), out: &options.out, interrupt: &interrupt };
    let page = match demonstrate(&session) {
        Ok(page) => page,
        Err(error) if error.is::<Interrupted>() => {
            print::note("interrupted");
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        Err(error) => {
            print::note(&format!("--- end of the server's log:\n{}\n---", server.log_tail()));
            return Err(error);
        }
    };
    server.stop()?;
    let index = options.out.join("index.html");
    std::fs::write(&index, page.html()).with_context(|| format!("cannot write {}", index.display()))?;
    let mut paths: Vec<String> = page.files().map(|name| options.out.join(name).display().to_string()).collect();
    paths.push(index.display().to_string());
    if global.json {
        print::json(&json!({"files": paths, "index": index}))?;
    } else {
        paths.iter().for_each(|path| print::line(path));
        print::note(&format!("done in {:.0} s; open {} in a browser", page.seconds, index.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates an organization and a key, as an operator would with `aerie admin`.
fn new_key(config: &Config) -> anyhow::Result<ApiKey> {
    let key = ApiKey::generate()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let data = Data::open(config).await?;
        let org = data.store.org_create("Demo", "enterprise").await?;
        data.store.key_create(org.id, &key, Scopes::ALL, None).await?;
        Ok(key)
    })
}

/// Runs a job of every kind and collects the results.
fn demonstrate(session: &Session<'_>) -> anyhow::Result<Page> {
    let started = Instant::now();
    let (sections, jobs) = steps::run(session)?;
    let usage = session.client.get("/v1/usage")?["data"].clone();
    let summary = &usage["summary"];
    let (events, cents) = (&summary["total_events"], &summary["total_cost_cents"]);
    print::note(&format!("200  GET /v1/usage  {events} events, {cents} cents"));
    ensure!(events.as_u64() == Some(jobs), "{events} usage events for {jobs} completed jobs");
    let seconds = started.elapsed().as_secs_f64();
    Ok(Page { sections, usage, seconds, base_url: session.client.base_url().to_owned() })
}
