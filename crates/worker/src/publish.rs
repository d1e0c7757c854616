//! Publishing what an engine made: files first, on disk, then the row.

use std::time::Duration;

use aerie_domain::Job;
use aerie_engines::Produced;
use aerie_storage::{Claim, JobOutput, Lease, MediaError, StoreError};
use tokio::time::{Instant, MissedTickBehavior};

use crate::Worker;

impl Worker {
    /// Keeps the files and completes the job; when the lease is lost meanwhile, the files are thrown away.
    pub(crate) async fn publish(&self, claim: &Claim, produced: &Produced) {
        let started = Instant::now();
        let keep = self.keep_files(claim, produced);
        tokio::pin!(keep);
        let kept = tokio::select! {
            kept = &mut keep => kept,
            () = self.lease_lost(&claim.lease) => {
                // To its end all the same: a file that gets its name after the clean-up would stay for ever.
                let _ = keep.await;
                return self.throw_away(claim).await;
            }
        };
        let output = match kept {
            Ok(output) => output,
            Err(error) => {
                self.throw_away(claim).await;
                return self.try_again(claim, &format!("the files could not be kept: {error}")).await;
            }
        };
        match self.complete(claim, output).await {
            Ok(()) => {
                tracing::info!(publish_seconds = started.elapsed().as_secs_f64(), "completed");
                let (made, input) = (attempt_prefix(&claim.job, claim.lease.attempt), input_prefix(&claim.job));
                if let Err(error) = self.media.media_delete(&job_prefix(&claim.job), &[&made, &input]).await {
                    tracing::warn!(%error, "what earlier attempts left could not be removed");
                }
            }
            Err(error) => {
                tracing::warn!(%error, "not completed");
                self.throw_away(claim).await;
            }
        }
    }

    async fn keep_files(&self, claim: &Claim, produced: &Produced) -> Result<JobOutput, MediaError> {
        let mut output =
            JobOutput { fields: produced.fields.clone(), notes: produced.notes.clone(), ..JobOutput::default() };
        for file in &produced.files {
            let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or(file.field);
            let key = format!("{}/{name}", attempt_prefix(&claim.job, claim.lease.attempt));
            self.media.media_put(&key, &file.path).await?;
            output.media.insert(format!("/{}", file.field), key);
        }
        for (field, came_in) in &produced.originals {
            if let Some(key) = claim.job.input_media.get(&format!("/{came_in}")) {
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
                    tracing::warn!(%error, "the store did not take the output");
                    last = error;
                }
            }
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
        Err(last)
    }

    /// Renews the lease; returns when it is another's.
    async fn lease_lost(&self, lease: &Lease) {
        let mut heartbeat = tokio::time::interval(self.pace.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            heartbeat.tick().await;
            if let Err(StoreError::LeaseLost) = self.store.job_heartbeat(lease, self.pace.lease).await {
                return;
            }
        }
    }

    /// Removes this attempt's files, unless the job was completed with them after all.
    async fn throw_away(&self, claim: &Claim) {
        match self.store.job_get(None, claim.job.id).await {
            Ok(Some(job)) if job.attempt == claim.lease.attempt && !job.media.is_empty() => return,
            Ok(_) => {}
            // Rather a file too many than a link to nothing.
            Err(_) => return,
        }
        if let Err(error) = self.media.media_delete(&attempt_prefix(&claim.job, claim.lease.attempt), &[]).await {
            tracing::warn!(%error, "what this attempt made could not be removed");
        }
    }
}

fn job_prefix(job: &Job) -> String {
    format!("{}/{}", job.org_id, job.id)
}

fn attempt_prefix(job: &Job, attempt: u32) -> String {
    format!("{}/{attempt}", job_prefix(job))
}

/// Where our copies of the pictures that the input links to lie.
fn input_prefix(job: &Job) -> String {
    format!("{}/input", job_prefix(job))
}
