//! Keeps the lease on a job, from the claim until the job is settled.

use std::time::Duration;

use aerie_storage::{JobQueue, Lease, StoreError};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until};

use crate::{Pace, Phase};

/// Renews one lease.
pub(crate) struct LeaseKeeper<'a> {
    queue: &'a dyn JobQueue,
    lease: &'a Lease,
    /// How long each renewal lasts.
    duration: Duration,
    heartbeat: Interval,
    /// When to ask whether the lease was lost: a canceled job must end soon.
    check: Interval,
}

/// How supervised work ended.
pub(crate) enum Ended<T> {
    Done(T),
    LeaseLost,
    /// The worker is shutting down.
    Stopped,
    TimedOut,
}

/// What ends work early, besides a lost lease.
pub(crate) struct Limits<'a> {
    pub(crate) phase: &'a mut watch::Receiver<Phase>,
    pub(crate) deadline: Instant,
}

impl<'a> LeaseKeeper<'a> {
    /// Keeps a lease that has just been claimed: the first renewal is due after one period.
    pub(crate) fn start(queue: &'a dyn JobQueue, lease: &'a Lease, pace: &Pace) -> Self {
        let every = |period: Duration| {
            let mut interval = interval_at(Instant::now() + period, period);
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
            interval
        };
        Self { queue, lease, duration: pace.lease, heartbeat: every(pace.heartbeat), check: every(pace.check) }
    }

    /// Runs `work` while renewing the lease; `None` as soon as the lease is lost.
    pub(crate) async fn hold<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        loop {
            tokio::select! {
                // The lease first: a process that was suspended finds both finished work and a late heartbeat, and must
                // not go on if the lease is lost.
                biased;
                _ = self.heartbeat.tick() => match self.queue.job_heartbeat(self.lease, self.duration).await {
                    Ok(()) => {}
                    Err(StoreError::LeaseLost) => return None,
                    Err(error) => tracing::warn!(%error, "the lease could not be renewed"),
                },
                _ = self.check.tick() => match self.queue.job_is_held(self.lease).await {
                    Ok(true) => {}
                    Ok(false) => return None,
                    // The next renewal will tell.
                    Err(error) => tracing::debug!(%error, "the lease could not be checked"),
                },
                done = &mut work => return Some(done),
            }
        }
    }

    /// Runs `work` that changes the job's row, while renewing the lease; it finds out by itself whether the lease is lost. Both go
    /// on side by side: a renewal may wait for the row, which a transaction of `work` has locked.
    pub(crate) async fn hold_row<T>(&mut self, work: impl Future<Output = T>) -> T {
        let renewals = async {
            loop {
                self.heartbeat.tick().await;
                match self.queue.job_heartbeat(self.lease, self.duration).await {
                    Ok(()) => {}
                    Err(StoreError::LeaseLost) => return,
                    Err(error) => tracing::warn!(%error, "the lease could not be renewed"),
                }
            }
        };
        tokio::pin!(work);
        tokio::select! {
            biased;
            done = &mut work => done,
            () = renewals => work.await,
        }
    }

    /// As [`LeaseKeeper::hold`], until the worker shuts down.
    pub(crate) async fn hold_until_stop<T>(
        &mut self,
        phase: &mut watch::Receiver<Phase>,
        work: impl Future<Output = T>,
    ) -> Ended<T> {
        let until_stop = async {
            tokio::select! {
                biased;
                done = work => Ended::Done(done),
                () = stopping(phase) => Ended::Stopped,
            }
        };
        self.hold(until_stop).await.unwrap_or(Ended::LeaseLost)
    }

    /// As [`LeaseKeeper::hold`], until the worker shuts down or time is up.
    pub(crate) async fn supervise<T>(&mut self, limits: &mut Limits<'_>, work: impl Future<Output = T>) -> Ended<T> {
        let limited = async {
            tokio::select! {
                biased;
                done = work => Ended::Done(done),
                () = stopping(limits.phase) => Ended::Stopped,
                () = sleep_until(limits.deadline) => Ended::TimedOut,
            }
        };
        self.hold(limited).await.unwrap_or(Ended::LeaseLost)
    }
}

/// Waits until the worker shuts down; a dropped sender means the same.
pub(crate) async fn stopping(phase: &mut watch::Receiver<Phase>) {
    let _ = phase.wait_for(|phase| *phase == Phase::Stopping).await;
}
