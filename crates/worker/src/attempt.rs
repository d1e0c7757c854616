//! One attempt at one job: inputs, the engine on a thread of its own, and the output, all under the lease.

use std::convert::Infallible;
use std::sync::Arc;

use aerie_domain::Failure;
use aerie_engine_api::{Cancel, EngineContext, EngineError, Produced, Progress};
use aerie_storage::pack_files::PackError;
use aerie_storage::{Claim, Lease, StoreError};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;
use tracing::Instrument;

use crate::content_credentials::embed_credentials;
use crate::inputs::{InputError, Inputs};
use crate::lease::{Ended, LeaseKeeper, Limits};
use crate::packs::PackInUse;
use crate::stages::StageClock;
use crate::{Attempted, Phase, Worker};

/// The result of a run, before it is recorded.
enum Outcome {
    Produced(Produced),
    Fail(Failure),
    Retry(String),
    /// The media store cannot be reached: nothing is wrong with the job.
    Outage(String),
    /// The published pack cannot be fetched: nothing is wrong with the job.
    PackMissing(String),
    Release,
    LeaseLost,
    /// The engine did not stop, and may still change its files.
    LeftBehind,
}

impl Worker {
    /// Runs a claimed job and settles it.
    pub(crate) async fn attempt(&self, claim: Claim, phase: &mut watch::Receiver<Phase>) -> Attempted {
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
            let attempted = self.run_attempt(&claim, phase).await;
            tracing::debug!(seconds = started.elapsed().as_secs_f64(), "attempt ended");
            attempted
        }
        .instrument(span)
        .await
    }

    async fn run_attempt(&self, claim: &Claim, phase: &mut watch::Receiver<Phase>) -> Attempted {
        let mut keeper = LeaseKeeper::start(&*self.store, &claim.lease, &self.pace);
        let mut limits = Limits { phase, deadline: Instant::now() + self.pace.run_limit };
        let mut stages = None;
        let outcome = match self.pack(claim, &mut keeper, &mut limits).await {
            Err(outcome) => outcome,
            Ok(pack) => match keeper.supervise(&mut limits, self.inputs_fetch(claim)).await {
                Ended::Done(Ok(inputs)) => {
                    let stages = stages.insert(Arc::new(StageClock::start()));
                    self.run_engine(claim, (inputs, pack), &mut keeper, &mut limits, stages).await
                }
                Ended::Done(Err(InputError::Media(error))) if self.is_outage(&error).await => {
                    Outcome::Outage(error.to_string())
                }
                Ended::Done(Err(error)) => Outcome::Retry(error.to_string()),
                Ended::TimedOut => Outcome::Retry("fetching the inputs took too long".into()),
                Ended::Stopped => Outcome::Release,
                Ended::LeaseLost => Outcome::LeaseLost,
            },
        };
        let mut attempted = Attempted::Settled;
        let stage_times = stages.map(|stages| stages.spent());
        match outcome {
            Outcome::Produced(produced) => self.publish(claim, &produced, &mut keeper, limits.phase).await,
            Outcome::Fail(failure) => self.fail(claim, failure).await,
            Outcome::Retry(reason) => self.retry(claim, &reason).await,
            Outcome::Outage(reason) => self.wait_for_media(claim, &reason, limits.phase).await,
            Outcome::PackMissing(reason) => {
                self.wait_for_pack(&claim.lease, &reason).await;
                attempted = Attempted::PackMissing;
            }
            Outcome::Release => self.release(&claim.lease).await,
            Outcome::LeaseLost => tracing::warn!("the lease was lost; the output is discarded"),
            Outcome::LeftBehind => return attempted,
        }
        self.work_folder_remove(&claim.lease).await;
        // Last, because nothing waits for it.
        if let Some(stage_times) = stage_times
            && let Err(error) = self.store.stage_time_add(claim.job.job_type, stage_times).await
        {
            tracing::debug!(%error, "the time of the run's stages was not recorded");
        }
        attempted
    }

    /// The published pack, if the engine reads one. The time that fetching it takes does not count as that of the run.
    async fn pack(
        &self,
        claim: &Claim,
        keeper: &mut LeaseKeeper<'_>,
        limits: &mut Limits<'_>,
    ) -> Result<Option<PackInUse>, Outcome> {
        if !Self::needs_pack(claim.job.job_type) {
            return Ok(None);
        }
        let pack = match keeper.supervise(limits, self.pack_take(claim)).await {
            Ended::Done(Ok(pack)) => pack,
            Ended::Done(Err(PackError::Store(StoreError::LeaseLost))) | Ended::LeaseLost => {
                return Err(Outcome::LeaseLost);
            }
            Ended::Done(Err(error)) => return Err(Outcome::PackMissing(error.to_string())),
            Ended::TimedOut => return Err(Outcome::PackMissing("fetching it took too long".to_owned())),
            Ended::Stopped => return Err(Outcome::Release),
        };
        limits.deadline = Instant::now() + self.pace.run_limit;
        Ok(pack)
    }

    /// Runs the engine until it ends, or cancels it when the run has to end before.
    async fn run_engine(
        &self,
        claim: &Claim,
        inputs: (Inputs, Option<PackInUse>),
        keeper: &mut LeaseKeeper<'_>,
        limits: &mut Limits<'_>,
        stages: &Arc<StageClock>,
    ) -> Outcome {
        let cancel = Cancel::default();
        // Also when this task panics.
        let _canceling = cancel.on_drop();
        let mut engine = self.start_engine(inputs, &cancel, stages);
        let reported = async {
            tokio::select! {
                biased;
                ended = &mut engine => ended,
                never = self.report_progress(&claim.lease, stages) => match never {},
            }
        };
        let outcome = match keeper.supervise(limits, reported).await {
            Ended::Done(Ok(Ok(produced))) => return Outcome::Produced(produced),
            Ended::Done(Ok(Err(EngineError::Fail(failure)))) => return Outcome::Fail(failure),
            Ended::Done(Ok(Err(EngineError::Retry(reason)))) => return Outcome::Retry(reason),
            Ended::Done(Ok(Err(EngineError::Canceled))) => {
                return Outcome::Retry("the engine canceled itself".into());
            }
            Ended::Done(Err(_)) => return Outcome::Retry("the engine's thread died".into()),
            Ended::TimedOut => Outcome::Retry("the run took too long".into()),
            Ended::Stopped => Outcome::Release,
            Ended::LeaseLost => Outcome::LeaseLost,
        };
        cancel.cancel();
        if tokio::time::timeout(self.pace.stop_limit, &mut engine).await.is_err() {
            // Its process was killed, and waits for a disk or a driver; a thread cannot be killed.
            tracing::error!("the engine does not stop: its thread is left behind");
            // After a timeout the lease is left to expire; on shutdown, other workers may start at once.
            if matches!(outcome, Outcome::Release) {
                self.release(&claim.lease).await;
            }
            return Outcome::LeftBehind;
        }
        outcome
    }

    /// Records how far the engine is, for as long as it runs.
    async fn report_progress(&self, lease: &Lease, stages: &StageClock) -> Infallible {
        let mut reported = None;
        loop {
            tokio::time::sleep(self.pace.check).await;
            let reached = stages.reached();
            if reported.as_ref() == Some(&reached) {
                continue;
            }
            match self.store.progress_report(lease, &reached.0, reached.1).await {
                Ok(()) => reported = Some(reached),
                Err(error) => tracing::debug!(%error, "the progress was not recorded"),
            }
        }
    }

    fn start_engine(
        &self,
        (inputs, pack): (Inputs, Option<PackInUse>),
        cancel: &Cancel,
        stages: &Arc<StageClock>,
    ) -> oneshot::Receiver<Result<Produced, EngineError>> {
        let (sender, receiver) = oneshot::channel();
        let (engines, data_dir, sources) = (Arc::clone(&self.engines), self.data_dir.clone(), self.sources.clone());
        let (cancel, stages) = (cancel.clone(), Arc::clone(stages));
        let signing = self.signing.clone();
        let span = tracing::Span::current();
        let run = move || {
            let _in_span = span.enter();
            let progress = |progress: Progress<'_>| {
                stages.at(progress.stage, progress.done, progress.total);
                tracing::trace!(stage = progress.stage, done = progress.done, total = progress.total, "progress");
            };
            let context = EngineContext {
                data_dir: &data_dir,
                pack_dir: pack.as_ref().map_or(&data_dir, |pack| &pack.folder),
                sources: &sources,
                out_dir: &inputs.out_dir,
                inputs: &inputs.pictures,
                listing: &inputs.listing,
                parent: inputs.parent.as_ref(),
                progress: &progress,
                cancel: &cancel,
            };
            let run = || {
                let mut produced = engines.run(&inputs.request, &context)?;
                if let Some(signing) = &signing {
                    embed_credentials(&**signing, &inputs.request, &context, &mut produced)?;
                }
                Ok(produced)
            };
            // The hook has printed the panic; nothing that it may have left half done is used again.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
                .unwrap_or_else(|_| Err(EngineError::Retry("the engine panicked".into())));
            // Nobody waits when the lease is lost.
            let _ = sender.send(result);
        };
        if let Err(error) = std::thread::Builder::new().name("engine".into()).spawn(run) {
            tracing::warn!(%error, "the engine's thread could not be started");
        }
        receiver
    }
}
