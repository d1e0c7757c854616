//! Ends of a run that publish nothing: failed, retried or released.

use std::time::Duration;

use aerie_domain::{Failure, FailureCode, MAX_RUNS};
use aerie_storage::{Claim, Lease, MediaError, StoreError};
use tokio::sync::watch;

use crate::{Phase, Worker};

/// A job that was returned so often without a counted run is not returned again: its next run counts.
const MAX_RELEASES: u32 = 100;

impl Worker {
    pub(crate) async fn fail(&self, claim: &Claim, failure: Failure) {
        tracing::info!(code = ?failure.code, reason = failure.message, "failed");
        let lease = &claim.lease;
        self.settle("fail", || self.store.job_fail(lease, failure.clone())).await;
    }

    /// Returns the job to be run again, or fails it when it has used up its runs.
    pub(crate) async fn retry(&self, claim: &Claim, reason: &str) {
        tracing::warn!(run = claim.run, reason, "the run failed");
        if claim.run >= MAX_RUNS {
            let message = format!("The engine failed {MAX_RUNS} times; the job is not billed. Submit it again later.");
            return self.fail(claim, Failure::new(FailureCode::EngineError, message)).await;
        }
        let wait = self.pace.retry_wait * 2u32.pow(claim.run.saturating_sub(1));
        self.settle("retry", || self.store.job_retry(&claim.lease, wait)).await;
    }

    pub(crate) async fn release(&self, lease: &Lease) {
        tracing::info!("released: worker shutting down");
        self.settle("release", || self.store.job_release(lease)).await;
    }

    /// Whether an error is due to media on another machine that cannot be used: then a small object cannot be written and read
    /// either. Otherwise something is wrong with the one object.
    pub(crate) async fn is_outage(&self, error: &MediaError) -> bool {
        let may_be = self.media.is_remote() && matches!(error, MediaError::Backend(_) | MediaError::NotFound);
        may_be && !self.can_use_media().await
    }

    async fn can_use_media(&self) -> bool {
        matches!(tokio::time::timeout(self.pace.outage_check, self.media.media_check_use()).await, Ok(Ok(())))
    }

    /// Returns a job whose media cannot be reached; the run does not count, unless the job was returned very often. Then waits
    /// until they can be reached, so that jobs are not claimed and returned over and over.
    pub(crate) async fn wait_for_media(&self, claim: &Claim, reason: &str, phase: &mut watch::Receiver<Phase>) {
        if claim.lease.attempt.saturating_sub(claim.run) >= MAX_RELEASES {
            return self.retry(claim, &format!("the media store fails again and again: {reason}")).await;
        }
        tracing::warn!(reason, "released: the media store cannot be reached");
        self.settle("release", || self.store.job_release(&claim.lease)).await;
        self.busy.send_replace(false);
        let reachable = async {
            while !self.can_use_media().await {
                tokio::time::sleep(self.pace.outage_wait).await;
            }
        };
        tokio::select! {
            () = reachable => {}
            _ = phase.wait_for(|phase| *phase != Phase::Working) => {}
        }
    }

    /// Returns a job whose pack cannot be fetched; the run does not count.
    pub(crate) async fn wait_for_pack(&self, lease: &Lease, reason: &str) {
        let seconds = self.pace.pack_wait.as_secs();
        tracing::warn!(
            reason,
            "released: the published pack cannot be fetched; jobs that need it wait for {seconds} s"
        );
        self.settle("release", || self.store.job_release(lease)).await;
    }

    /// Records how the run ended, with retries. If the store keeps failing, the lease expires and the job is run again.
    async fn settle<F>(&self, operation: &str, record: impl Fn() -> F)
    where
        F: Future<Output = Result<(), StoreError>>,
    {
        for wait in [100, 500, 2000] {
            match record().await {
                Ok(()) => return,
                Err(StoreError::LeaseLost) => return tracing::warn!(operation, "the lease was already lost"),
                Err(error) => tracing::warn!(operation, %error, "the store failed"),
            }
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
    }
}
