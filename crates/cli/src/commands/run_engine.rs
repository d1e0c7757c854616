//! `aerie run-engine`: runs one job's engine as a child process of a worker. Reads a [`Request`] from stdin, confines itself, and writes
//! [`Message`]s to stdout. The worker kills it to cancel the run.

use std::io::Write;
use std::process::ExitCode;

use aerie_confinement::Parent;
use aerie_engines::{Cancel, EngineContext, Progress};
use anyhow::{Context, ensure};

use crate::engine_child::access;
use crate::engine_child::messages::{Message, Request};

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    aerie_confinement::close_inherited_files();
    let request: Request = serde_json::from_reader(std::io::stdin().lock()).context("cannot read the job")?;
    ensure!(Parent::of(request.worker).die_with(), "the worker has ended");
    // Before anything of the job is read.
    let applied = access::confinement(&request).apply()?;
    send(&Message::Confined(applied))?;
    let progress = |progress: Progress<'_>| {
        let Progress { stage, done, total } = progress;
        // If nobody reads it any more, the worker has ended, and the kernel kills this process.
        let _ = send(&Message::Progress { stage: stage.to_owned(), done, total });
    };
    let context = EngineContext {
        data_dir: &request.data_dir,
        pack_dir: &request.pack_dir,
        sources: &request.sources,
        out_dir: &request.out_dir,
        inputs: &request.inputs,
        listing: &request.listing,
        parent: request.parent.as_ref(),
        progress: &progress,
        cancel: &Cancel::default(),
    };
    let result = aerie_engines::run(request.kind, &request.input, &context);
    send(&match result {
        Ok(produced) => Message::Produced(produced),
        Err(error) => Message::Failed(error),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn send(message: &Message) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&line)?;
    Ok(stdout.flush()?)
}
