//! `aerie worker`: takes jobs from the queue.

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
use crate::supervisor::BEAT;

pub(crate) fn run(config: &Config, options: &arguments::Worker) -> anyhow::Result<ExitCode> {
    bound_memory(config.worker_memory);
    // The engine has a thread of its own; what is left is little.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let ended = runtime.block_on(work(config, options))?;
    // A thread of the runtime may wait in a read of stdin that never ends.
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
        tokio::spawn(tell_parent());
    }
    let data = Data::open(config)?;
    for fault in aerie_engines::virtual_staging::own_pieces(&config.data_dir).1 {
        tracing::warn!(%fault, "a piece of the operator's furniture is left out");
    }
    let worker = Worker {
        name: format!("{}-{}", std::process::id(), RequestId::new(data.clock.now())),
        store: data.store,
        media: data.media,
        engines: Arc::new(InstalledEngines),
        kinds: JobType::ALL.into_iter().filter(|kind| kind.is_quick() || !options.quick).collect(),
        data_dir: config.data_dir.clone(),
        sources: config.sources.clone(),
        room: config.room()?,
        pace: Pace::default(),
    };
    Ok(worker.run(&wake, stopped).await)
}

/// Bounds the memory of this process and of the encoders that it starts, in MiB: what asks for more ends an attempt, not
/// the machine.
fn bound_memory(most: NonZeroU32) {
    let most = Some(u64::from(most.get()) << 20);
    if let Err(error) = setrlimit(Resource::Data, Rlimit { current: most, maximum: most }) {
        tracing::warn!(%error, "the worker's memory is not bounded");
    }
}

/// Each byte on stdout tells the parent that this process is not frozen.
async fn tell_parent() {
    let mut beat = tokio::time::interval(BEAT);
    loop {
        beat.tick().await;
        let mut stdout = std::io::stdout().lock();
        if stdout.write_all(b"\n").and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}

/// Each byte on stdin is a wake; its end is the parent's, by will or by kill -9, and so ours.
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
