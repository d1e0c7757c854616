//! Submitting, polling and downloading, with progress on stderr.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use indicatif::ProgressBar;
use serde_json::Value;

use super::client::Client;
use crate::interrupt::Interrupt;
use crate::print;

/// A job that takes longer than this has failed, even on a small machine.
const JOB_TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// Ctrl-C was pressed, or SIGTERM sent.
#[derive(Debug)]
pub(super) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

pub(super) struct Session<'a> {
    pub(super) client: Client,
    /// Folder that downloads go to.
    pub(super) out: &'a Path,
    pub(super) interrupt: &'a Interrupt,
}

/// A submitted job.
pub(super) struct Submitted {
    pub(super) id: String,
    kind: &'static str,
    at: Instant,
}

/// Output of a job, and seconds since its submit.
pub(super) struct Ended {
    pub(super) output: Value,
    pub(super) seconds: f64,
}

impl Session<'_> {
    /// Submits a job; `kind` names it in progress messages.
    pub(super) fn submit(&self, kind: &'static str, path: &str, body: &Value) -> anyhow::Result<Submitted> {
        let created = self.client.post(path, body, 202)?;
        let id = created["data"]["job_id"].as_str().context("the response has no job_id")?.to_owned();
        print::note(&format!("202  POST {path}  -> {id}"));
        Ok(Submitted { id, kind, at: Instant::now() })
    }

    /// Polls a job until it is completed, or until a markup job awaits input.
    pub(super) fn wait(&self, job: &Submitted) -> anyhow::Result<Ended> {
        let spinner = ProgressBar::new_spinner();
        loop {
            if self.interrupt.is_raised() {
                bail!(Interrupted);
            }
            let view = self.client.get(&format!("/v1/jobs/{}", job.id))?["data"].take();
            let status = view["status"].as_str().unwrap_or_default();
            match status {
                "completed" | "awaiting_input" => {
                    spinner.finish_and_clear();
                    let seconds = job.at.elapsed().as_secs_f64();
                    print::note(&format!("200  GET /v1/jobs/{}  {}: {status} after {seconds:.0} s", job.id, job.kind));
                    return Ok(Ended { output: view["output"].clone(), seconds });
                }
                "failed" => bail!("{}: job {} failed: {}", job.kind, job.id, view["output"]["error"]["message"]),
                _ => {}
            }
            ensure!(job.at.elapsed() < JOB_TIMEOUT, "{}: job {} takes longer than {JOB_TIMEOUT:?}", job.kind, job.id);
            spinner.set_message(format!("{}: {status}", job.kind));
            spinner.tick();
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// Downloads the file that an output field links to; returns its size in bytes.
    pub(super) fn download(&self, output: &Value, field: &str, name: &str) -> anyhow::Result<u64> {
        let link = output[field].as_str().with_context(|| format!("the output has no {field}"))?;
        let path = self.out.join(name);
        let bytes = self.client.download(link, &path)?;
        print::note(&format!("200  GET {field}  {} KiB  -> {}", bytes >> 10, path.display()));
        Ok(bytes)
    }

    /// Writes a file next to the downloads.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.out.join(name);
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads a file that was downloaded before.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        let path = self.out.join(name);
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}
