//! Publishes the output of an engine: files first, on disk, then the row.

use std::time::Duration;

use aerie_domain::{Job, JobStatus};
use aerie_engine_api::Produced;
use aerie_storage::{Claim, JobOutput, MediaError, StoreError};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::lease::{Ended, LeaseKeeper, stopping};
use crate::{Phase, Worker};

impl Worker {
    /// Stores the files and completes the job; when the lease is lost meanwhile, the files are discarded. A worker that shuts down
    /// returns the job at once.
    pub(crate) async fn publish(
        &self,
        claim: &Claim,
        produced: &Produced,
        keeper: &mut LeaseKeeper<'_>,
        phase: &mut watch::Receiver<Phase>,
    ) {
        let started = Instant::now();
        let output = loop {
            let store = self.store_files(claim, produced);
            tokio::pin!(store);
            let error = match keeper.hold_until_stop(phase, &mut store).await {
                Ended::Done(Ok(output)) => break output,
                Ended::Done(Err(error)) => error,
                // What was stored until now is deleted when another attempt completes the job, or by the sweep.
                Ended::Stopped => return self.release(&claim.lease).await,
                Ended::LeaseLost | Ended::TimedOut => {
                    tracing::warn!("the lease was lost; the output is discarded");
                    // The upload ends first: a file that appears after the clean-up would stay.
                    tokio::select! {
                        _ = store => self.delete_made(claim).await,
                        () = stopping(phase) => {}
                    }
                    return;
                }
            };
            let is_outage = match keeper.hold_until_stop(phase, self.is_outage(&error)).await {
                Ended::Done(is_outage) => is_outage,
                Ended::Stopped => return self.release(&claim.lease).await,
                Ended::LeaseLost | Ended::TimedOut => return self.delete_made(claim).await,
            };
            if !is_outage {
                self.delete_made(claim).await;
                return self.retry(claim, &format!("the files could not be stored: {error}")).await;
            }
            if started.elapsed() >= self.pace.outage_patience {
                return self.wait_for_media(claim, &error.to_string(), phase).await;
            }
            tracing::warn!(%error, "the files cannot be stored yet");
            match keeper.hold_until_stop(phase, tokio::time::sleep(self.pace.outage_wait)).await {
                Ended::Done(()) => {}
                Ended::Stopped => return self.release(&claim.lease).await,
                Ended::LeaseLost | Ended::TimedOut => return self.delete_made(claim).await,
            }
        };
        match keeper.hold_row(self.complete(claim, output, phase)).await {
            Ok(()) => {
                tracing::info!(publish_seconds = started.elapsed().as_secs_f64(), "completed");
                let (made, input) = (attempt_prefix(&claim.job, claim.lease.attempt), input_prefix(&claim.job));
                if let Err(error) = self.media.media_delete(&job_prefix(&claim.job), &[&made, &input]).await {
                    tracing::warn!(%error, "files of earlier attempts could not be deleted");
                }
            }
            Err(StoreError::LeaseLost) => {
                tracing::warn!("not completed: the lease was lost");
                self.discard(claim).await;
            }
            // The commit may have arrived, or arrive yet: the files stay. If they are not needed, whoever completes the job deletes
            // them, or the sweep.
            Err(error) => {
                tracing::warn!(%error, "not completed");
                if *phase.borrow() == Phase::Stopping {
                    self.release(&claim.lease).await;
                }
            }
        }
    }

    async fn store_files(&self, claim: &Claim, produced: &Produced) -> Result<JobOutput, MediaError> {
        let mut output =
            JobOutput { fields: produced.fields.clone(), notes: produced.notes.clone(), ..JobOutput::default() };
        for file in &produced.files {
            let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or(&file.field);
            let key = format!("{}/{name}", attempt_prefix(&claim.job, claim.lease.attempt));
            self.media.media_put(&key, &file.path).await?;
            output.media.insert(format!("/{}", file.field), key);
        }
        for (field, source) in &produced.originals {
            if let Some(key) = claim.job.input_media.get(&format!("/{source}")) {
                output.media.insert(format!("/{field}"), key.clone());
            }
        }
        Ok(output)
    }

    /// Completes the job or asks its owner for input. Retries while the store fails, unless the worker shuts down.
    async fn complete(
        &self,
        claim: &Claim,
        output: JobOutput,
        phase: &mut watch::Receiver<Phase>,
    ) -> Result<(), StoreError> {
        let lease = &claim.lease;
        let mut last = StoreError::Closed;
        for wait in [100, 500, 2000, 5000] {
            let stored = if claim.job.job_type.kind().asks_for_input {
                self.store.job_ask_input(lease, output.clone()).await
            } else {
                self.store.job_complete(lease, output.clone()).await
            };
            match stored {
                Ok(()) => return Ok(()),
                Err(StoreError::LeaseLost) => return Err(StoreError::LeaseLost),
                Err(error) => {
                    tracing::warn!(%error, "the store failed");
                    last = error;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(wait)) => {}
                () = stopping(phase) => break,
            }
        }
        Err(last)
    }

    /// Deletes this attempt's files if it is certain that the job was not and will not be completed with them.
    async fn discard(&self, claim: &Claim) {
        // Better an orphaned file than a dead link; the sweep deletes it.
        let Ok(job) = self.store.job_get(None, claim.job.id).await else { return };
        if job.is_none_or(|job| has_done_without(&job, claim.lease.attempt)) {
            self.delete_made(claim).await;
        }
    }

    async fn delete_made(&self, claim: &Claim) {
        if let Err(error) = self.media.media_delete(&attempt_prefix(&claim.job, claim.lease.attempt), &[]).await {
            tracing::warn!(%error, "files of this attempt could not be deleted");
        }
    }
}

/// Whether a job cannot be completed by an attempt any more, and was not.
fn has_done_without(job: &Job, attempt: u32) -> bool {
    let made = format!("{}/", attempt_prefix(job, attempt));
    let has_run_since = job.attempt > attempt || !matches!(job.status, JobStatus::Queued | JobStatus::Running);
    has_run_since && !job.media.values().any(|key| key.starts_with(&made))
}

fn job_prefix(job: &Job) -> String {
    format!("{}/{}", job.org_id, job.id)
}

fn attempt_prefix(job: &Job, attempt: u32) -> String {
    format!("{}/{attempt}", job_prefix(job))
}

/// Prefix of our copies of the pictures that the input links to.
fn input_prefix(job: &Job) -> String {
    format!("{}/input", job_prefix(job))
}
