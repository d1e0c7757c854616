//! One attempt at one job: the engine on a thread of its own, the lease kept meanwhile.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{Failure, FailureCode, MAX_RUNS};
use aerie_engines::{Cancel, EngineContext, EngineError, Notes, Parent, Produced, Progress};
use aerie_storage::{Claim, Lease, MediaError, StoreError};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior};
use tracing::Instrument;

use crate::stages::StageClock;
use crate::{EngineStuck, Worker};

/// Photos of a listing that a new one is brought together with.
const MOST_OF_A_LISTING: u32 = 100;

/// What an attempt works with.
struct Material {
    out_dir: PathBuf,
    /// Copies of pictures, by the fields that link to them.
    inputs: BTreeMap<String, PathBuf>,
    listing: Vec<Notes>,
    parent: Option<Parent>,
}

/// Why an attempt cannot begin.
#[derive(Debug, thiserror::Error)]
enum Unready {
    #[error("{0}")]
    Media(#[from] MediaError),
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Folder(#[from] std::io::Error),
}

/// How the time with the engine ended.
enum Run {
    Ended(Result<Produced, EngineError>),
    LeaseLost,
    Stopped,
    TooLong,
}

impl Worker {
    /// Runs a claimed job and settles it. Only a hanging engine is an error: all else is the job's matter.
    pub(crate) async fn attempt(&self, claim: Claim, stop: &mut watch::Receiver<bool>) -> Result<(), EngineStuck> {
        let span = tracing::info_span!(
            "job",
            request_id = %claim.job.request_id,
            job = %claim.job.id,
            kind = %claim.job.job_type,
            attempt = claim.lease.attempt,
        );
        async {
            let started = Instant::now();
            tracing::info!(run = claim.run, "claimed");
            let stuck = self.attempt_inner(&claim, stop).await;
            tracing::debug!(seconds = started.elapsed().as_secs_f64(), "let go");
            stuck
        }
        .instrument(span)
        .await
    }

    async fn attempt_inner(&self, claim: &Claim, stop: &mut watch::Receiver<bool>) -> Result<(), EngineStuck> {
        let material = match self.material(claim).await {
            Ok(material) => material,
            Err(error) => {
                self.remove_working_folder(&claim.lease);
                self.try_again(claim, &format!("it could not be made ready: {error}")).await;
                return Ok(());
            }
        };
        let cancel = Cancel::default();
        let stages = Arc::new(StageClock::start());
        let mut engine = self.start_engine(claim, material, &cancel, &stages);
        let run = self.keep_lease(&claim.lease, &mut engine, stop).await;
        let spent = stages.spent();
        if !matches!(run, Run::Ended(_)) {
            cancel.cancel();
            if tokio::time::timeout(self.pace.stop_limit, &mut engine).await.is_err() {
                tracing::error!("the engine does not stop");
                // The lease is left to run out, where the run went on too long; where it was stopped, others may start.
                if matches!(run, Run::Stopped) {
                    self.release(&claim.lease).await;
                }
                return Err(EngineStuck);
            }
        }
        match run {
            Run::Ended(Ok(produced)) => self.publish(claim, &produced).await,
            Run::Ended(Err(EngineError::Fail { code, message })) => self.fail(claim, Failure { code, message }).await,
            Run::Ended(Err(EngineError::Retry(reason))) => self.try_again(claim, &reason).await,
            Run::Ended(Err(EngineError::Canceled)) => self.try_again(claim, "canceled by itself").await,
            Run::TooLong => self.try_again(claim, "the run took too long").await,
            Run::Stopped => self.release(&claim.lease).await,
            Run::LeaseLost => tracing::warn!("the lease was lost; what was made is thrown away"),
        }
        self.remove_working_folder(&claim.lease);
        // Last, for nothing waits for it.
        if let Err(error) = self.store.engine_time_add(claim.job.job_type, spent).await {
            tracing::debug!(%error, "the run's times are not counted");
        }
        Ok(())
    }

    /// Renews the lease until the engine ends, the lease is lost, the worker is told to stop, or time is up.
    async fn keep_lease(
        &self,
        lease: &Lease,
        engine: &mut oneshot::Receiver<Result<Produced, EngineError>>,
        stop: &mut watch::Receiver<bool>,
    ) -> Run {
        let mut heartbeat = tokio::time::interval(self.pace.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = Instant::now() + self.pace.run_limit;
        loop {
            tokio::select! {
                // First of all, whether the lease still holds: a process that was stopped for long finds both a
                // finished engine and a late heartbeat, and must not go on to publish.
                biased;
                _ = heartbeat.tick() => match self.store.job_heartbeat(lease, self.pace.lease).await {
                    Ok(()) => {}
                    Err(StoreError::LeaseLost) => return Run::LeaseLost,
                    Err(error) => tracing::warn!(%error, "the lease could not be renewed"),
                },
                result = &mut *engine => {
                    let died = || EngineError::Retry("the engine's thread died".into());
                    return Run::Ended(result.unwrap_or_else(|_| Err(died())));
                }
                () = told_to_stop(stop) => return Run::Stopped,
                () = tokio::time::sleep_until(end) => return Run::TooLong,
            }
        }
    }

    fn start_engine(
        &self,
        claim: &Claim,
        material: Material,
        cancel: &Cancel,
        stages: &Arc<StageClock>,
    ) -> oneshot::Receiver<Result<Produced, EngineError>> {
        let (sender, receiver) = oneshot::channel();
        let (engines, data_dir, sources) = (Arc::clone(&self.engines), self.data_dir.clone(), self.sources.clone());
        let (job, cancel, stages) = (claim.job.clone(), cancel.clone(), Arc::clone(stages));
        let span = tracing::Span::current();
        let run = move || {
            let _in_span = span.enter();
            let progress = |progress: Progress| {
                stages.at(progress.stage);
                tracing::trace!(stage = progress.stage, done = progress.done, total = progress.total, "progress");
            };
            let context = EngineContext {
                data_dir: &data_dir,
                sources: &sources,
                out_dir: &material.out_dir,
                inputs: &material.inputs,
                listing: &material.listing,
                parent: material.parent.as_ref(),
                progress: &progress,
                cancel: &cancel,
            };
            let run = || engines.run(job.job_type, &job.input, &context);
            // A panic has been printed by the hook; nothing that it may have left half done is used again.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
                .unwrap_or_else(|_| Err(EngineError::Retry("the engine panicked".into())));
            // Nobody waits any more when the lease was lost.
            let _ = sender.send(result);
        };
        if let Err(error) = std::thread::Builder::new().name("engine".into()).spawn(run) {
            tracing::warn!(%error, "no thread for the engine");
        }
        receiver
    }

    pub(crate) async fn fail(&self, claim: &Claim, failure: Failure) {
        tracing::info!(code = ?failure.code, reason = failure.message, "failed");
        let lease = &claim.lease;
        self.settle("fail", || self.store.job_fail(lease, failure.clone())).await;
    }

    /// Hands the job back to be run again, or fails it when it has been run as often as it may.
    pub(crate) async fn try_again(&self, claim: &Claim, reason: &str) {
        tracing::warn!(run = claim.run, reason, "the run came to nothing");
        if claim.run >= MAX_RUNS {
            let message = format!("The engine failed {MAX_RUNS} times; the job is not billed. Submit it again later.");
            return self.fail(claim, Failure { code: FailureCode::EngineError, message }).await;
        }
        let wait = self.pace.retry_wait * 2u32.pow(claim.run.saturating_sub(1));
        self.settle("hand back", || self.store.job_retry(&claim.lease, wait)).await;
    }

    async fn release(&self, lease: &Lease) {
        tracing::info!("released, for this worker stops");
        self.settle("release", || self.store.job_release(lease)).await;
    }

    /// Tells the store how the job ended, again when the store has a bad moment; if it keeps failing, the lease runs
    /// out and the job is run again.
    async fn settle<F>(&self, what: &str, tell: impl Fn() -> F)
    where
        F: Future<Output = Result<(), StoreError>>,
    {
        for wait in [100, 500, 2000] {
            match tell().await {
                Ok(()) => return,
                Err(StoreError::LeaseLost) => return tracing::warn!(what, "the lease was lost before"),
                Err(error) => tracing::warn!(what, %error, "the store did not take it"),
            }
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
    }

    /// An empty folder for what the attempt makes, and copies of the pictures that it is made from. Folders of earlier
    /// attempts at the job are removed: nobody reads them any more.
    async fn material(&self, claim: &Claim) -> Result<Material, Unready> {
        let of_attempt = self.working_folder(&claim.lease)?;
        let (in_dir, out_dir) = (of_attempt.join("in"), of_attempt.join("out"));
        std::fs::create_dir(&in_dir)?;
        std::fs::create_dir(&out_dir)?;
        let mut inputs = BTreeMap::new();
        for (pointer, key) in &claim.job.input_media {
            let name = key.rsplit('/').next().unwrap_or(key);
            let copy = in_dir.join(name);
            self.media.media_fetch(key, &copy).await?;
            inputs.insert(pointer.trim_start_matches('/').to_owned(), copy);
        }
        let listing = match claim.job.input.pointer("/options/listing_id").and_then(|listing| listing.as_str()) {
            None => Vec::new(),
            Some(listing) => {
                let (org_id, kind) = (claim.job.org_id, claim.job.job_type);
                self.store.listing_notes(org_id, kind, listing, MOST_OF_A_LISTING).await?
            }
        };
        let parent = self.parent(claim, &in_dir).await?;
        Ok(Material { out_dir, inputs, listing, parent })
    }

    /// What the job that this one goes on from has come to, with copies of its pictures.
    async fn parent(&self, claim: &Claim, in_dir: &Path) -> Result<Option<Parent>, Unready> {
        let Some(id) = claim.job.parent_id else { return Ok(None) };
        // One that was removed meanwhile is for the engine to tell.
        let Some(job) = self.store.job_get(Some(claim.job.org_id), id).await? else { return Ok(None) };
        let mut pictures = BTreeMap::new();
        for (pointer, key) in &job.media {
            let field = pointer.trim_start_matches('/');
            if field.contains('/') {
                continue;
            }
            let copy = in_dir.join(format!("parent_{field}"));
            self.media.media_fetch(key, &copy).await?;
            pictures.insert(field.to_owned(), copy);
        }
        Ok(Some(Parent { output: job.output, notes: job.notes, pictures }))
    }

    fn working_folder(&self, lease: &Lease) -> std::io::Result<PathBuf> {
        let of_job = self.data_dir.join("work").join(lease.job_id.to_string());
        match std::fs::remove_dir_all(&of_job) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let of_attempt = of_job.join(lease.attempt.to_string());
        std::fs::create_dir_all(&of_attempt)?;
        Ok(of_attempt)
    }

    fn remove_working_folder(&self, lease: &Lease) {
        let of_job = self.data_dir.join("work").join(lease.job_id.to_string());
        // Only this attempt's: another worker may be at the next one.
        let removed = std::fs::remove_dir_all(of_job.join(lease.attempt.to_string()));
        if let Err(error) = removed
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the working folder could not be removed");
        }
        // Fails while another attempt's folder is in it, as it should.
        let _ = std::fs::remove_dir(of_job);
    }
}

async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    // A sender that is gone is as good as a word.
    let _ = stop.wait_for(|stop| *stop).await;
}
