//! Publishes the output of an engine: files first, on disk, then the row.

use std::time::Duration;

use aerie_domain::Job;
use aerie_engines::Produced;
use aerie_storage::{Claim, JobOutput, MediaError, StoreError};
use tokio::time::Instant;

use crate::Worker;
use crate::lease::LeaseKeeper;

impl Worker {
    /// Stores the files and completes the job; when the lease is lost meanwhile, the files are discarded.
    pub(crate) async fn publish(&self, claim: &Claim, produced: &Produced, keeper: &mut LeaseKeeper<'_>) {
        let started = Instant::now();
        let stored = loop {
            let store = self.store_files(claim, produced);
            tokio::pin!(store);
            let Some(stored) = keeper.hold(&mut store).await else {
                tracing::warn!("the lease was lost; the output is discarded");
                // The upload ends first: a file that appears after the clean-up would stay.
                let _ = store.await;
                return self.discard(claim).await;
            };
            match stored {
                Err(error) if self.is_outage(&error) && started.elapsed() < self.pace.outage_patience => {
                    tracing::warn!(%error, "the files cannot be stored yet");
                    if keeper.hold(tokio::time::sleep(self.pace.outage_wait)).await.is_none() {
                        tracing::warn!("the lease was lost; the output is discarded");
                        return self.discard(claim).await;
                    }
                }
                stored => break stored,
            }
        };
        let output = match stored {
            Ok(output) => output,
            Err(error) if self.is_outage(&error) => {
                return self.wait_for_media(&claim.lease, &error.to_string()).await;
            }
            Err(error) => {
                self.discard(claim).await;
                return self.retry(claim, &format!("the files could not be stored: {error}")).await;
            }
        };
        match keeper.hold_row(self.complete(claim, output)).await {
            Ok(()) => {
                tracing::info!(publish_seconds = started.elapsed().as_secs_f64(), "completed");
                let (made, input) = (attempt_prefix(&claim.job, claim.lease.attempt), input_prefix(&claim.job));
                if let Err(error) = self.media.media_delete(&job_prefix(&claim.job), &[&made, &input]).await {
                    tracing::warn!(%error, "files of earlier attempts could not be deleted");
                }
            }
            Err(error) => {
                tracing::warn!(%error, "not completed");
                self.discard(claim).await;
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

    /// Completes the job or asks its owner for input. Retries while the store fails.
    async fn complete(&self, claim: &Claim, output: JobOutput) -> Result<(), StoreError> {
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
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
        Err(last)
    }

    /// Deletes this attempt's files, unless the job was completed with them after all.
    async fn discard(&self, claim: &Claim) {
        match self.store.job_get(None, claim.job.id).await {
            Ok(Some(job)) if job.attempt == claim.lease.attempt && !job.media.is_empty() => return,
            Ok(_) => {}
            // Better an orphaned file than a dead link; the sweep deletes it.
            Err(_) => return,
        }
        if let Err(error) = self.media.media_delete(&attempt_prefix(&claim.job, claim.lease.attempt), &[]).await {
            tracing::warn!(%error, "files of this attempt could not be deleted");
        }
    }
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
