//! `aerie worker`: runs jobs from the queue.

use std::process::ExitCode;
use std::time::Duration;

use aerie_domain::JobType;
use aerie_worker::Phase;
use anyhow::{bail, ensure};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};

use crate::arguments;
use crate::config::Config;
use crate::config::capabilities::{Capabilities, path_name};
use crate::data::Data;
use crate::engine_child::check_engine;
use crate::worker_admin::WorkerAdmin;
use crate::workers::Workplace;

pub(crate) fn run(config: &Config, options: &arguments::Worker) -> anyhow::Result<ExitCode> {
    // Engines run in their own processes; one thread is enough for the rest.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(work(config, options))?;
    // Work on files, such as a copy to the media, may still block a thread.
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

async fn work(config: &Config, options: &arguments::Worker) -> anyhow::Result<()> {
    let (phase, phases) = watch::channel(Phase::Working);
    let signals = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::spawn(obey_signals(signals, Duration::from_secs(options.drain_seconds), phase));
    let kinds = claimed_kinds(&config.capabilities, options)?;
    check_engine().map_err(anyhow::Error::msg)?;
    let place = Workplace::open(config, Data::open(config).await?).await?;
    let busy = watch::Sender::new(false);
    let _admin = match options.admin {
        Some(address) => Some(WorkerAdmin::start(address, config, place.data(), busy.subscribe()).await?),
        None => None,
    };
    // Other processes submit jobs: the database says when.
    place.work(kinds, &Notify::new(), phases, busy).await;
    Ok(())
}

/// Drains the worker on SIGTERM, and stops it after `drain`, on another signal, or on SIGINT at once.
async fn obey_signals((mut terminate, mut interrupt): (Signal, Signal), drain: Duration, phase: watch::Sender<Phase>) {
    tokio::select! {
        _ = terminate.recv() => if !drain.is_zero() {
            tracing::info!(seconds = drain.as_secs(), "draining: no job is claimed, the one in progress is finished");
            let _ = phase.send(Phase::Draining);
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                () = tokio::time::sleep(drain) => tracing::warn!("the job in progress was not finished in time (--drain-seconds)"),
            }
        },
        _ = interrupt.recv() => {}
    }
    let _ = phase.send(Phase::Stopping);
}

/// Returns the kinds of job that the worker claims.
///
/// # Errors
/// When it lacks the capability for a kind that `--kinds` names, or for all.
fn claimed_kinds(capabilities: &Capabilities, options: &arguments::Worker) -> anyhow::Result<Vec<JobType>> {
    for unused in capabilities.unused(&options.capability) {
        tracing::warn!("no kind of job needs the capability `{unused}`: check --capability and [capabilities]");
    }
    let lacking = |kind: &JobType| !capabilities.allow(*kind, &options.capability);
    if let Some(kind) = options.kinds.iter().copied().find(lacking) {
        let (name, needed) = (path_name(kind), capabilities.needed_by(kind).unwrap_or_default());
        bail!(
            "{name} jobs need the capability `{needed}` ([capabilities]): add --capability {needed}, or leave {name} out of --kinds"
        );
    }
    let named = |kind: &JobType| options.kinds.is_empty() || options.kinds.contains(kind);
    let all = JobType::ALL.into_iter().filter(|kind| named(kind) && !lacking(kind));
    let kinds: Vec<JobType> = all.collect();
    ensure!(
        !kinds.is_empty(),
        "every kind of job needs a capability ([capabilities]) that this worker lacks: add --capability"
    );
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn kinds(arguments: &[&str]) -> anyhow::Result<Vec<JobType>> {
        let table = [("drone_footage".to_owned(), "gpu".to_owned()), ("image_enhance".to_owned(), "gpu".to_owned())];
        let capabilities = Capabilities::try_from(std::collections::BTreeMap::from(table)).unwrap();
        let arguments = [&["aerie", "worker"], arguments].concat();
        let Command::Worker(worker) = Arguments::try_parse_from(arguments).unwrap().command else { panic!("a worker") };
        claimed_kinds(&capabilities, &worker)
    }

    #[test]
    fn a_worker_claims_the_kinds_that_it_was_given_and_has_the_capabilities_for() {
        assert_eq!(kinds(&[]).unwrap().len(), JobType::ALL.len() - 2);
        assert_eq!(kinds(&["--capability", "gpu"]).unwrap(), JobType::ALL);
        assert_eq!(kinds(&["--kinds", "markup,video-clip"]).unwrap(), [JobType::VideoClip, JobType::Markup]);
        let footage = ["--kinds", "drone-footage", "--capability", "gpu"];
        assert_eq!(kinds(&footage).unwrap(), [JobType::DroneFootage]);
        let error = kinds(&footage[..2]).unwrap_err().to_string();
        assert!(error.contains("add --capability gpu"), "{error}");
    }
}
