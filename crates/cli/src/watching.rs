//! What the server looks after while it serves: whether it could do its work, and how full the disk is.

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::{Check, Readiness};
use aerie_storage::{JobStore, Room};
use anyhow::{Context, ensure};
use serde::Deserialize;
use tokio::process::Command;
use tokio::task::JoinSet;

use crate::sweeping::Sweeper;

/// Time between looks whether the database can be written to, and how long that may take.
const DATABASE_EVERY: Duration = Duration::from_secs(5);
const DATABASE_WITHIN: Duration = Duration::from_secs(15);

/// Time between looks at the encoder and the renderer, and how long they may take.
const ENGINES_EVERY: Duration = Duration::from_secs(60);
const ENGINES_WITHIN: Duration = Duration::from_secs(45);

/// Media are counted with so small a share of the time, and at most so often.
const COUNTING_SHARE: u32 = 50;
const COUNTED_EVERY: Duration = Duration::from_secs(10);

/// Watches until it is dropped.
pub(crate) struct Watching {
    _tasks: JoinSet<()>,
}

impl Watching {
    /// Begins to look; at the encoder and the renderer only where workers of this server need them.
    pub(crate) fn start(
        store: &Arc<dyn JobStore>,
        room: &Arc<Room>,
        readiness: &Arc<Readiness>,
        has_workers: bool,
        sweeper: Sweeper,
    ) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(watch_database(Arc::clone(store), Arc::clone(readiness)));
        tasks.spawn(count_media(Arc::clone(room)));
        tasks.spawn(sweeper.run());
        if has_workers {
            tasks.spawn(watch_engines(Arc::clone(readiness)));
        }
        Self { _tasks: tasks }
    }
}

async fn watch_database(store: Arc<dyn JobStore>, readiness: Arc<Readiness>) {
    loop {
        let written = tokio::time::timeout(DATABASE_WITHIN, store.store_check_writing()).await;
        let fault = match written {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("a write takes longer than {DATABASE_WITHIN:?}")),
        };
        note(&readiness, Check::Database, fault.as_deref());
        tokio::time::sleep(DATABASE_EVERY).await;
    }
}

async fn count_media(room: Arc<Room>) {
    loop {
        let (counted, started) = (Arc::clone(&room), Instant::now());
        let _ = tokio::task::spawn_blocking(move || counted.count_media()).await;
        tokio::time::sleep((started.elapsed() * COUNTING_SHARE).max(COUNTED_EVERY)).await;
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
        // A look that was ended from outside says nothing of what it looked for.
        let found = match look_at_engines().await {
            Err(_) => look_at_engines().await,
            found => found,
        };
        for (check, what) in [(Check::Encoder, "encoder"), (Check::Renderer, "graphics device")] {
            let fault = match &found {
                Ok(found) => match found.iter().find(|found| found.what == what) {
                    Some(found) if found.ok => None,
                    Some(found) => Some(found.found.clone()),
                    None => Some("it was not looked at".to_owned()),
                },
                Err(error) => Some(format!("{error:#}")),
            };
            note(&readiness, check, fault.as_deref());
        }
        tokio::time::sleep(ENGINES_EVERY).await;
    }
}

/// In a child, for a graphics driver may take its process along.
async fn look_at_engines() -> anyhow::Result<Vec<Found>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("check-engines").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(ENGINES_WITHIN, command.output()).await.context("the look takes too long")??;
    ensure!(ended.status.success(), "the look ended with {}", ended.status);
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
