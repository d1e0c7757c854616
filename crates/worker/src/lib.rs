//! Takes jobs, runs their engines and publishes what they make.
//!
//! A job may run twice, but counts once. A worker holds a lease, which it renews from the claim until the job is settled;
//! when it stalls, another worker claims the job with a higher attempt. The media keys of outputs contain the attempt, so
//! that two attempts never overwrite each other, and only the holder of the lease publishes: files first, then the row.
//!
//! # Invariants
//!
//! - Files are stored before the row that names them, and files of other attempts are deleted after it. Test:
//!   `a_job_is_run_and_published_with_its_files`.
//! - A lost lease stops the engine and publishes nothing. Tests: `a_lost_lease_stops_the_engine_and_publishes_nothing`,
//!   `a_worker_suspended_past_its_lease_discards_its_output`.
//! - A commit whose reply is lost may have taken effect: files are deleted only when the database has refused the row. The sweep
//!   decides about the rest. Test: `a_completion_that_is_committed_after_its_connection_was_lost_has_its_files`.
//! - While a bucket cannot be used, jobs wait and no run counts. A probe object distinguishes an outage from a problem with one file,
//!   which counts. Tests: `while_a_bucket_is_unreachable_no_run_counts_and_the_job_completes_when_it_is_reachable_again`,
//!   `what_a_run_has_made_is_stored_when_the_bucket_is_reachable_again`, `a_job_whose_files_alone_are_refused_fails_after_three_runs`.
//! - A draining worker finishes its job and claims no other; a stopping one releases it, even while it stores files. Tests:
//!   `a_draining_worker_finishes_its_job_and_claims_no_other`,
//!   `a_worker_that_stops_while_files_cannot_be_stored_releases_the_job_at_once`; in `e2e`:
//!   `a_worker_that_is_terminated_finishes_its_job_and_claims_no_other`,
//!   `a_second_signal_or_the_end_of_the_time_releases_the_job_without_counting_the_run`.
//! - An engine that does not stop costs one attempt. Test: `an_engine_that_hangs_is_left_behind_and_the_job_runs_again`.
//! - Workers are woken by submits and poll as a fallback. Tests: `a_wake_starts_a_job_without_waiting_for_the_next_poll`,
//!   `idle_workers_poll_less_often_and_never_less_than_every_four_seconds`.
mod attempt;
mod content_credentials;
mod engines;
mod inputs;
mod lease;
mod packs;
mod publish;
mod settle;
mod stages;
mod work_folder;

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{ContentHash, JobType};
use aerie_engine_api::Sources;
use aerie_storage::{Capacity, MediaStore, OutOfCapacity, Store, Wakes};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

pub use content_credentials::{Signed, Signing, embed_credentials};
pub use engines::Engines;
pub use packs::pack_folder;

/// Times and limits of a worker.
#[derive(Debug, Clone)]
pub struct Pace {
    /// How long a lease lasts without a heartbeat.
    pub lease: Duration,
    /// Time between heartbeats. Several fit into a lease, because a busy machine delays them.
    pub heartbeat: Duration,
    /// Time between looks whether the job is still the worker's: it may have been canceled.
    pub check: Duration,
    /// Time between polls of the queue when nothing wakes the worker.
    pub poll: Duration,
    /// Longest time between polls where the store reports submits by every process. An expired lease is found by polling only,
    /// and a job that is retried.
    pub idle_poll: Duration,
    /// Wait before a failed run is retried; doubled each time.
    pub retry_wait: Duration,
    /// Maximum time of a run; after it, the engine is assumed to hang.
    pub run_limit: Duration,
    /// How long a canceled engine may take to stop.
    pub stop_limit: Duration,
    /// When media on another machine cannot be reached: time between attempts to store what a run has made, and between looks
    /// whether the worker can claim the next job.
    pub outage_wait: Duration,
    /// How long media may take to be written and read before they count as unreachable.
    pub outage_check: Duration,
    /// How long a worker holds on to what it has made while it cannot be stored.
    pub outage_patience: Duration,
    /// After the published pack could not be fetched: how long the worker claims only jobs that need none.
    pub pack_wait: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(15),
            heartbeat: Duration::from_secs(4),
            check: Duration::from_secs(1),
            poll: Duration::from_secs(1),
            idle_poll: Duration::from_secs(4),
            retry_wait: Duration::from_secs(2),
            run_limit: Duration::from_secs(30 * 60),
            stop_limit: Duration::from_secs(10),
            outage_wait: Duration::from_secs(3),
            outage_check: Duration::from_secs(5),
            outage_patience: Duration::from_secs(90),
            pack_wait: Duration::from_secs(30),
        }
    }
}

/// Whether a worker goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// It claims jobs and runs them.
    #[default]
    Working,
    /// It claims no more jobs, and exits when the job in progress has ended.
    Draining,
    /// It releases the job in progress, whose run does not count, and exits.
    Stopping,
}

/// Runs one job at a time.
pub struct Worker {
    /// Holder of the leases; unique among all workers, past and future.
    pub name: String,
    /// The database.
    pub store: Arc<dyn Store>,
    /// The media.
    pub media: MediaStore,
    /// The engines.
    pub engines: Arc<dyn Engines>,
    /// Signs the files that engines make; without it, they carry no Content Credentials.
    pub signing: Option<Arc<dyn Signing>>,
    /// The kinds of job to claim, of those that the engines support.
    pub kinds: Vec<JobType>,
    /// The data folder; attempts work in `work/JOB/ATTEMPT`, and published packs are copied to `packs/SHA256`.
    pub data_dir: PathBuf,
    /// Online sources that are configured.
    pub sources: Sources,
    /// Capacity of the disks; without it, jobs stay queued.
    pub capacity: Capacity,
    /// Times and limits.
    pub pace: Pace,
    /// Reports whether a job is in progress.
    pub busy: watch::Sender<bool>,
    /// Reports the published pack that the last run which needs one has read.
    pub pack: watch::Sender<Option<ContentHash>>,
}

/// What a run says about the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempted {
    Settled,
    /// The published pack cannot be fetched.
    PackMissing,
}

impl Worker {
    /// Runs jobs until the `phase` changes; a dropped sender means [`Phase::Stopping`]. `wake` saves waiting for the next poll.
    pub async fn run(&self, wake: &Notify, mut phase: watch::Receiver<Phase>) {
        self.work_folders_clean_up().await;
        let mut kinds = self.engines.kinds();
        kinds.retain(|kind| self.kinds.contains(kind));
        tracing::info!(worker = self.name, ?kinds, "ready for jobs");
        let without_pack: Vec<JobType> = kinds.iter().copied().filter(|kind| !Self::needs_pack(*kind)).collect();
        let mut pack_missed: Option<Instant> = None;
        let (mut failures, mut waits) = (0, false);
        let (mut wakes, mut idle_polls) = (self.store.job_wakes(&kinds), 0);
        while *phase.borrow() == Phase::Working {
            // Registered before the queue is polled, so that a wake in between is not lost.
            let woken = wake.notified();
            let is_listening = wakes.as_mut().is_some_and(|wakes| wakes.borrow_and_update().is_listening);
            let capacity = self.capacity.check_run();
            log_capacity(capacity, &mut waits);
            let lacks_pack = pack_missed.is_some_and(|at| at.elapsed() < self.pace.pack_wait);
            let wanted = if lacks_pack { &without_pack } else { &kinds };
            let claimed = match capacity {
                Ok(()) if !wanted.is_empty() => self.store.job_claim(wanted, &self.name, self.pace.lease).await,
                // The output could not be stored, and three such runs would fail the job.
                _ => Ok(None),
            };
            match claimed {
                Ok(Some(claim)) => {
                    (failures, idle_polls) = (0, 0);
                    if *phase.borrow() == Phase::Working {
                        self.busy.send_replace(true);
                        let ended = self.attempt(claim, &mut phase).await;
                        self.busy.send_replace(false);
                        if ended == Attempted::PackMissing {
                            pack_missed = Some(Instant::now());
                        }
                    } else {
                        self.release(&claim.lease).await;
                    }
                    continue;
                }
                Ok(None) => failures = 0,
                Err(error) => {
                    failures += 1;
                    tracing::warn!(%error, failures, "the queue could not be polled");
                }
            }
            let wait = if is_listening { self.pace.idle_wait(idle_polls) } else { self.pace.poll };
            tokio::select! {
                () = woken => {}
                () = changed(&mut wakes) => {}
                () = tokio::time::sleep(wait) => idle_polls += 1,
                changed = phase.changed() => if changed.is_err() { break },
            }
        }
    }
}

impl Pace {
    /// Time until the next poll after so many that found nothing: grows from `poll` to `idle_poll`, less up to a quarter, so that
    /// the polls of a fleet spread.
    fn idle_wait(&self, polls: u32) -> Duration {
        let longest = (self.poll * 2u32.pow(polls.min(8))).min(self.idle_poll);
        let random = RandomState::new().hash_one(polls) % 256;
        longest.mul_f64(1.0 - 0.25 * random as f64 / 255.0)
    }
}

/// Waits until the store reports a submit.
async fn changed(wakes: &mut Option<watch::Receiver<Wakes>>) {
    if let Some(receiver) = wakes
        && receiver.changed().await.is_ok()
    {
        return;
    }
    // Without such a signal, never.
    std::future::pending().await
}

/// Logs when the worker begins to wait for disk space, and when there is enough again.
fn log_capacity(capacity: Result<(), OutOfCapacity>, waits: &mut bool) {
    match capacity {
        Err(reason) if !*waits => tracing::warn!(%reason, "no job is taken until there is room on the disk"),
        Ok(()) if *waits => tracing::info!("there is room on the disk again"),
        _ => {}
    }
    *waits = capacity.is_err();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_workers_poll_less_often_and_never_less_than_every_four_seconds() {
        let pace = Pace::default();
        for (polls, from, to) in
            [(0, 750, 1000), (1, 1500, 2000), (2, 3000, 4000), (3, 3000, 4000), (u32::MAX, 3000, 4000)]
        {
            let wait = pace.idle_wait(polls);
            assert!((Duration::from_millis(from)..=Duration::from_millis(to)).contains(&wait), "{polls}: {wait:?}");
        }
    }
}
