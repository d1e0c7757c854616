//! Background checks of the server: whether it is ready to work, and how full the disk is.

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::{Check, Readiness};
use aerie_storage::{Capacity, MaintenanceStore, MediaStore, Store};
use anyhow::{Context, ensure};
use serde::Deserialize;
use tokio::process::Command;
use tokio::task::JoinSet;

use crate::sweeping::Sweeper;

/// Interval and timeout of the check that the database accepts writes.
const DATABASE_EVERY: Duration = Duration::from_secs(5);
const DATABASE_TIMEOUT: Duration = Duration::from_secs(15);

/// Interval and timeout of the check of encoder and renderer.
const ENGINES_EVERY: Duration = Duration::from_secs(60);
const ENGINES_TIMEOUT: Duration = Duration::from_secs(45);

/// Measuring the media takes at most one fiftieth of the time, with a minimum wait in between.
const MEASURING_SHARE: u32 = 50;
const MEASURED_EVERY: Duration = Duration::from_secs(10);

/// Runs the checks until it is dropped.
pub(crate) struct Watching {
    _tasks: JoinSet<()>,
}

impl Watching {
    /// Starts the checks; encoder and renderer are checked only if this server runs workers.
    pub(crate) fn start(
        store: &Arc<dyn Store>,
        capacity: &Arc<Capacity>,
        readiness: &Arc<Readiness>,
        has_workers: bool,
        sweeper: Sweeper,
    ) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(watch_database(Arc::clone(store) as Arc<dyn MaintenanceStore>, Arc::clone(readiness)));
        tasks.spawn(measure_media(sweeper.media.store().clone(), Arc::clone(capacity)));
        tasks.spawn(sweeper.run());
        if has_workers {
            tasks.spawn(watch_engines(Arc::clone(readiness)));
        }
        Self { _tasks: tasks }
    }
}

async fn watch_database(store: Arc<dyn MaintenanceStore>, readiness: Arc<Readiness>) {
    loop {
        let written = tokio::time::timeout(DATABASE_TIMEOUT, store.store_check_write()).await;
        let fault = match written {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("a write takes longer than {DATABASE_TIMEOUT:?}")),
        };
        note(&readiness, Check::Database, fault.as_deref());
        tokio::time::sleep(DATABASE_EVERY).await;
    }
}

async fn measure_media(media: MediaStore, capacity: Arc<Capacity>) {
    loop {
        let started = Instant::now();
        match media.media_size().await {
            Ok(size) => capacity.set_media_size(size),
            Err(error) => tracing::warn!(%error, "the size of the media could not be measured"),
        }
        tokio::time::sleep((started.elapsed() * MEASURING_SHARE).max(MEASURED_EVERY)).await;
    }
}

/// What `aerie check-engines` prints.
#[derive(Deserialize)]
struct Found {
    what: String,
    ok: bool,
    found: String,
}

async fn watch_engines(readiness: Arc<Readiness>) {
    loop {
        // Retry once: a check that was killed says nothing about the engines.
        let found = match check_engines().await {
            Err(_) => check_engines().await,
            found => found,
        };
        for (check, what) in [(Check::Encoder, "encoder"), (Check::Renderer, "graphics device")] {
            let fault = match &found {
                Ok(found) => match found.iter().find(|found| found.what == what) {
                    Some(found) if found.ok => None,
                    Some(found) => Some(found.found.clone()),
                    None => Some("not checked".to_owned()),
                },
                Err(error) => Some(format!("{error:#}")),
            };
            note(&readiness, check, fault.as_deref());
        }
        tokio::time::sleep(ENGINES_EVERY).await;
    }
}

/// Runs `aerie check-engines` in a child process, because a crashing graphics driver takes its process down.
async fn check_engines() -> anyhow::Result<Vec<Found>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("check-engines").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(ENGINES_TIMEOUT, command.output()).await.context("the check takes too long")??;
    ensure!(ended.status.success(), "the check ended with {}", ended.status);
    Ok(serde_json::from_slice(&ended.stdout)?)
}

fn note(readiness: &Readiness, check: Check, fault: Option<&str>) {
    if !readiness.found(check, fault.is_none()) {
        return;
    }
    let check = check.as_str();
    match fault {
        Some(fault) => tracing::warn!(check, fault, "not ready"),
        None => tracing::info!(check, "ready again"),
    }
}
