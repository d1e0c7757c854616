//! `aerie worker`: runs jobs from the queue.

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use aerie_domain::{JobType, RequestId};
use aerie_worker::{Pace, Worker};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, watch};

use crate::arguments;
use crate::config::Config;
use crate::data::Data;
use crate::engine_child::ConfinedEngines;
use crate::furniture::Furniture;
use crate::supervisor::HEARTBEAT;

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
    let (stop, stopped) = watch::channel(false);
    let stop = Arc::new(stop);
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let (mut signal, stop) = (signal(kind)?, Arc::clone(&stop));
        tokio::spawn(async move {
            signal.recv().await;
            stop.send(true)
        });
    }
    let wake = Arc::new(Notify::new());
    if options.supervised {
        listen_to_parent(Arc::clone(&wake), Arc::clone(&stop))?;
        tokio::spawn(send_heartbeat());
    }
    let data = Data::open(config).await?;
    check_furniture(&config.data_dir)?;
    let memory = options.memory.map_or_else(|| config.job_memory(), |mib| mib << 20);
    let worker = Worker {
        name: format!("{}-{}", std::process::id(), RequestId::new(data.clock.now())),
        capacity: data.capacity(config),
        store: data.store,
        media: data.media,
        engines: Arc::new(ConfinedEngines::new(memory)),
        kinds: JobType::ALL.into_iter().filter(|kind| kind.is_quick() || !options.quick).collect(),
        data_dir: config.data_dir.clone(),
        sources: config.sources.clone(),
        pace: Pace::default(),
    };
    Ok(worker.run(&wake, stopped).await)
}

/// Logs which pieces of the operator's furniture cannot be used, without delaying the worker.
fn check_furniture(data_dir: &Path) -> std::io::Result<()> {
    let data_dir = data_dir.to_owned();
    let check = move || match Furniture::check(&data_dir) {
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
fn listen_to_parent(wake: Arc<Notify>, stop: Arc<watch::Sender<bool>>) -> std::io::Result<()> {
    let listen = move || {
        let mut stdin = std::io::stdin().lock();
        let mut bytes = [0u8; 64];
        while matches!(stdin.read(&mut bytes), Ok(1..)) {
            wake.notify_one();
        }
        let _ = stop.send(true);
    };
    std::thread::Builder::new().name("parent".into()).spawn(listen)?;
    Ok(())
}
