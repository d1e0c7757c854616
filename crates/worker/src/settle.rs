//! Ends of a run that publish nothing: failed, retried or released.

use std::time::Duration;

use aerie_domain::{Failure, FailureCode, MAX_RUNS};
use aerie_storage::{Claim, Lease, MediaError, StoreError};

use crate::Worker;

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
            return self.fail(claim, Failure { code: FailureCode::EngineError, message }).await;
        }
        let wait = self.pace.retry_wait * 2u32.pow(claim.run.saturating_sub(1));
        self.settle("retry", || self.store.job_retry(&claim.lease, wait)).await;
    }

    pub(crate) async fn release(&self, lease: &Lease) {
        tracing::info!("released: worker shutting down");
        self.settle("release", || self.store.job_release(lease)).await;
    }

    /// Whether an error says that media on another machine cannot be reached.
    pub(crate) fn is_outage(&self, error: &MediaError) -> bool {
        self.media.is_remote() && matches!(error, MediaError::Backend(_))
    }

    /// Returns a job whose media cannot be reached; the run does not count. Then waits, so that jobs are not claimed and
    /// returned over and over.
    pub(crate) async fn wait_for_media(&self, lease: &Lease, reason: &str) {
        tracing::warn!(reason, "released: the media store cannot be reached");
        self.settle("release", || self.store.job_release(lease)).await;
        tokio::time::sleep(self.pace.outage_wait).await;
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
