//! Takes jobs, runs their engines and publishes what they make.
//!
//! A job may run twice, and counts once: a worker holds a lease, which it renews while the engine runs; when it stalls,
//! another claims the job with a higher attempt. Outputs lie under a key that contains the attempt, so that the two
//! never meet, and only the holder of the lease publishes: files first, then the row.
mod attempt;
mod engines;
mod publish;
mod stages;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::JobType;
use aerie_engines::Sources;
use aerie_storage::{JobStore, MediaStore, NoRoom, Room, StoreError};
use tokio::sync::{Notify, watch};

pub use engines::{Engines, InstalledEngines};

/// How a worker paces itself.
#[derive(Debug, Clone)]
pub struct Pace {
    /// How long a claim lasts without a heartbeat.
    pub lease: Duration,
    /// Time between heartbeats: several fit into a lease, for a busy machine delays them.
    pub heartbeat: Duration,
    /// Time between looks at the queue when nothing wakes the worker.
    pub poll: Duration,
    /// Wait before a run that failed is tried again; doubled each time.
    pub retry_wait: Duration,
    /// Longest run; past it the engine is taken to hang.
    pub run_limit: Duration,
    /// How long an engine that was told to stop may take to do so.
    pub stop_limit: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(15),
            heartbeat: Duration::from_secs(4),
            poll: Duration::from_secs(1),
            retry_wait: Duration::from_secs(2),
            run_limit: Duration::from_secs(30 * 60),
            stop_limit: Duration::from_secs(10),
        }
    }
}

/// Takes one job at a time.
pub struct Worker {
    /// Who holds the leases: unlike any other worker's name, past and future.
    pub name: String,
    /// The rows.
    pub store: Arc<dyn JobStore>,
    /// The media.
    pub media: MediaStore,
    /// What does the work.
    pub engines: Arc<dyn Engines>,
    /// The kinds of job to take: of those that there is an engine for.
    pub kinds: Vec<JobType>,
    /// The data folder; attempts work in `work/JOB/ATTEMPT` inside it.
    pub data_dir: PathBuf,
    /// Online sources that are switched on.
    pub sources: Sources,
    /// The disk's room: without it, jobs stay queued.
    pub room: Room,
    /// How it paces itself.
    pub pace: Pace,
}

/// An engine would not stop: the process has to end, for a thread cannot be ended from outside.
#[derive(Debug, thiserror::Error)]
#[error("the engine did not stop when it was told to; this process ends, so that the next one starts clean")]
pub struct EngineStuck;

impl Worker {
    /// Takes jobs until `stop` turns true (or its sender is gone); a job in hand is then released, and the run does not
    /// count. `wake` saves waiting for the next look at the queue.
    ///
    /// # Errors
    /// When an engine hangs.
    pub async fn run(&self, wake: &Notify, mut stop: watch::Receiver<bool>) -> Result<(), EngineStuck> {
        self.clean_up().await;
        let mut kinds = self.engines.kinds();
        kinds.retain(|kind| self.kinds.contains(kind));
        tracing::info!(worker = self.name, ?kinds, "ready for jobs");
        let (mut failures, mut waits) = (0, false);
        while !*stop.borrow() {
            // Interest is registered before the look at the queue: a wake that comes in between is not lost.
            let woken = wake.notified();
            let room = self.room.for_run();
            self.tell_room(room, &mut waits);
            let claimed = match room {
                Ok(()) => self.store.job_claim(&kinds, &self.name, self.pace.lease).await,
                // What cannot be kept is not made: three runs would fail the job.
                Err(_) => Ok(None),
            };
            match claimed {
                Ok(Some(claim)) => {
                    failures = 0;
                    self.attempt(claim, &mut stop).await?;
                    continue;
                }
                Ok(None) => failures = 0,
                Err(error) => {
                    failures += 1;
                    tracing::warn!(%error, failures, "the queue could not be asked");
                }
            }
            tokio::select! {
                () = woken => {}
                () = tokio::time::sleep(self.pace.poll) => {}
                changed = stop.changed() => if changed.is_err() { break },
            }
        }
        Ok(())
    }

    /// Logs when the worker begins to wait for room on the disk, and when it has it again.
    fn tell_room(&self, room: Result<(), NoRoom>, waits: &mut bool) {
        match room {
            Err(reason) if !*waits => tracing::warn!(%reason, "no job is taken until there is room on the disk"),
            Ok(()) if *waits => tracing::info!("there is room on the disk again"),
            _ => {}
        }
        *waits = room.is_err();
    }

    /// Removes working folders that a process killed in mid-run left behind, where the job has ended meanwhile.
    async fn clean_up(&self) {
        let Ok(entries) = std::fs::read_dir(self.data_dir.join("work")) else { return };
        for entry in entries.flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let ended = match self.store.job_get(None, id).await {
                Ok(job) => job.is_none_or(|job| job.status.is_terminal()),
                Err(StoreError::Closed) => return,
                Err(_) => false,
            };
            if ended && let Err(error) = std::fs::remove_dir_all(entry.path()) {
                tracing::warn!(%error, job = %id, "a working folder could not be removed");
            }
        }
    }
}
