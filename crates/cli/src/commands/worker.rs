//! `aerie worker`: takes jobs from the queue.

use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;

use aerie_domain::RequestId;
use aerie_worker::{InstalledEngines, Pace, Worker};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, watch};

use crate::arguments;
use crate::config::Config;
use crate::data::Data;

pub(crate) fn run(config: &Config, options: &arguments::Worker) -> anyhow::Result<ExitCode> {
    // The engine has a thread of its own; what is left is little.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let ended = runtime.block_on(work(config, options.supervised))?;
    // A thread of the runtime may wait in a read of stdin that never ends.
    runtime.shutdown_background();
    match ended {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(stuck) => Err(stuck.into()),
    }
}

async fn work(config: &Config, supervised: bool) -> anyhow::Result<Result<(), aerie_worker::EngineStuck>> {
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
    if supervised {
        listen_to_parent(Arc::clone(&wake), Arc::clone(&stop))?;
    }
    let data = Data::open(config)?;
    let worker = Worker {
        name: format!("{}-{}", std::process::id(), RequestId::new(data.clock.now())),
        store: data.store,
        media: data.media,
        engines: Arc::new(InstalledEngines),
        data_dir: config.data_dir.clone(),
        pace: Pace::default(),
    };
    Ok(worker.run(&wake, stopped).await)
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
