//! `aerie worker`: runs jobs from the queue.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::JobType;
use aerie_storage::NodeRole;
use aerie_worker::{Pace, Phase, Signing, Worker};
use anyhow::{bail, ensure};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};

use crate::arguments;
use crate::config::Config;
use crate::config::capabilities::{Capabilities, path_name};
use crate::data::Data;
use crate::engine_child::{ConfinedEngines, check_engine};
use crate::furniture;
use crate::registration::{self, Registration};
use crate::signing::{ConfinedSigning, Signer};
use crate::supervisor::HEARTBEAT;
use crate::worker_admin::WorkerAdmin;

pub(crate) fn run(config: &Config, options: &arguments::Worker) -> anyhow::Result<ExitCode> {
    // Engines run in their own processes; one thread is enough for the rest.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let ended = runtime.block_on(work(config, options))?;
    // A runtime thread may be blocked reading stdin.
    runtime.shutdown_background();
    match ended {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(stuck) => Err(stuck.into()),
    }
}

async fn work(config: &Config, options: &arguments::Worker) -> anyhow::Result<Result<(), aerie_worker::EngineStuck>> {
    let (phase, phases) = watch::channel(Phase::Working);
    let phase = Arc::new(phase);
    // The server waits only a few seconds for its workers.
    let drain = if options.supervised { Duration::ZERO } else { Duration::from_secs(options.drain_seconds) };
    let signals = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::spawn(obey_signals(signals, drain, Arc::clone(&phase)));
    let wake = Arc::new(Notify::new());
    if options.supervised {
        listen_to_parent(Arc::clone(&wake), Arc::clone(&phase))?;
        tokio::spawn(send_heartbeat());
    }
    let kinds = claimed_kinds(&config.capabilities, options)?;
    check_engine().map_err(anyhow::Error::msg)?;
    let data = Data::open(config).await?;
    check_furniture(config)?;
    let memory = options.memory.map_or_else(|| config.job_memory(), |mib| mib << 20);
    let busy = watch::Sender::new(false);
    let _admin = match options.admin {
        Some(address) => Some(WorkerAdmin::start(address, config, &data, busy.subscribe()).await?),
        None => None,
    };
    let name = registration::unique_name(&*data.clock);
    let pack = watch::Sender::new(None);
    let registration =
        Registration::start(&data.store, name.clone(), NodeRole::Worker, kinds.clone(), pack.subscribe());
    let signing: Option<Arc<dyn Signing>> = match config.credentials.enabled {
        true => {
            let signer = Signer::open(config, &*data.store).await?;
            let signing = ConfinedSigning { signer, data_dir: config.data_dir.clone(), memory };
            if let Err(error) = signing.check() {
                tracing::error!(error, "media are published without Content Credentials until this is corrected");
            }
            Some(Arc::new(signing))
        }
        false => None,
    };
    let worker = Worker {
        name,
        capacity: data.capacity(config),
        store: data.store,
        media: data.media,
        engines: Arc::new(ConfinedEngines::new(memory)),
        signing,
        kinds,
        data_dir: config.data_dir.clone(),
        sources: config.sources.clone(),
        pace: Pace::default(),
        busy,
        pack,
    };
    let ended = worker.run(&wake, phases).await;
    registration.end().await;
    Ok(ended)
}

/// Drains the worker on SIGTERM, and stops it after `drain`, on another signal, or on SIGINT at once.
async fn obey_signals(
    (mut terminate, mut interrupt): (Signal, Signal),
    drain: Duration,
    phase: Arc<watch::Sender<Phase>>,
) {
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
    let kinds: Vec<JobType> = all.filter(|kind| kind.is_quick() || !options.quick).collect();
    // The server has warned of the kinds that its workers do not claim.
    ensure!(
        options.supervised || !kinds.is_empty(),
        "every kind of job needs a capability ([capabilities]) that this worker lacks: add --capability"
    );
    Ok(kinds)
}

/// Logs which pieces of the operator's furniture cannot be used, without delaying the worker.
fn check_furniture(config: &Config) -> std::io::Result<()> {
    let config = config.clone();
    let check = move || match furniture::check(&config) {
        Ok(furniture) => {
            for fault in furniture.faults {
                tracing::warn!(%fault, "skipping a piece of the operator's furniture");
            }
        }
        Err(error) => tracing::warn!(error = format!("{error:#}"), "cannot check the operator's furniture"),
    };
    std::thread::Builder::new().name("furniture".into()).spawn(check)?;
    Ok(())
}

/// Writes a byte to stdout periodically, to show the parent that this process is not frozen.
async fn send_heartbeat() {
    let mut beat = tokio::time::interval(HEARTBEAT);
    loop {
        beat.tick().await;
        let mut stdout = std::io::stdout().lock();
        if stdout.write_all(b"\n").and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}

/// Wakes the worker for each byte on stdin, and stops it when stdin closes, which also happens if the parent is killed.
fn listen_to_parent(wake: Arc<Notify>, phase: Arc<watch::Sender<Phase>>) -> std::io::Result<()> {
    let listen = move || {
        let mut stdin = std::io::stdin().lock();
        let mut bytes = [0u8; 64];
        while matches!(stdin.read(&mut bytes), Ok(1..)) {
            wake.notify_one();
        }
        let _ = phase.send(Phase::Stopping);
    };
    std::thread::Builder::new().name("parent".into()).spawn(listen)?;
    Ok(())
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

    #[test]
    fn a_quick_worker_of_the_server_claims_only_quick_kinds() {
        let quick = ["--supervised", "--quick"];
        assert_eq!(kinds(&quick).unwrap(), [JobType::VirtualStaging]);
        let with_gpu = kinds(&[&quick[..], &["--capability", "gpu"]].concat()).unwrap();
        assert_eq!(with_gpu, [JobType::ImageEnhance, JobType::VirtualStaging]);
    }
}
