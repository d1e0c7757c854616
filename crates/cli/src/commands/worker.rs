//! `aerie worker`: runs jobs from the queue.

use std::io::{Read, Write};
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::sync::Arc;

use aerie_domain::{JobType, RequestId};
use aerie_worker::{InstalledEngines, Pace, Worker};
use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, watch};

use crate::arguments;
use crate::config::Config;
use crate::data::Data;
use crate::supervisor::HEARTBEAT;

pub(crate) fn run(config: &Config, options: &arguments::Worker) -> anyhow::Result<ExitCode> {
    limit_memory(config.worker_memory);
    // Engines run on their own thread; one more is enough for the rest.
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
    let data = Data::open(config)?;
    for fault in aerie_engines::virtual_staging::own_pieces(&config.data_dir).1 {
        tracing::warn!(%fault, "skipping a piece of the operator's furniture");
    }
    let worker = Worker {
        name: format!("{}-{}", std::process::id(), RequestId::new(data.clock.now())),
        store: data.store,
        capacity: data.media.capacity(&config.data_dir, config.disk_limits()),
        media: data.media.store().clone(),
        engines: Arc::new(InstalledEngines),
        kinds: JobType::ALL.into_iter().filter(|kind| kind.is_quick() || !options.quick).collect(),
        data_dir: config.data_dir.clone(),
        sources: config.sources.clone(),
        pace: Pace::default(),
    };
    Ok(worker.run(&wake, stopped).await)
}

/// Limits the memory of this process and of the encoders that it starts, in MiB: a job that needs more loses an attempt
/// instead of exhausting the machine.
fn limit_memory(most: NonZeroU32) {
    let most = Some(u64::from(most.get()) << 20);
    if let Err(error) = setrlimit(Resource::Data, Rlimit { current: most, maximum: most }) {
        tracing::warn!(%error, "cannot limit the worker's memory");
    }
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
