//! Workers of this process: tasks that run jobs. Engines run in processes of their own, so a photo that crashes its engine costs one attempt.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::Metrics;
use aerie_domain::JobType;
use aerie_storage::NodeRole;
use aerie_worker::{Pace, Phase, Signing, Worker};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::data::Data;
use crate::engine_child::ConfinedEngines;
use crate::furniture;
use crate::registration::{self, Registration};
use crate::signing::{ConfinedSigning, Signer};

/// Delay before a worker that ended by an error is restarted: doubles each time, up to `LONGEST_WAIT`.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A worker that ran for this long was able to start, so the delay is reset.
const HEALTHY_AFTER: Duration = Duration::from_secs(30);

/// Time for a worker to release its job; then its lease expires.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// What workers of a process share.
pub(crate) struct Workplace {
    config: Config,
    data: Data,
    engines: Arc<ConfinedEngines>,
    signing: Option<Arc<dyn Signing>>,
}

impl Workplace {
    /// Opens it, and checks what workers need.
    ///
    /// # Errors
    /// When the authority that signs cannot be opened.
    pub(crate) async fn open(config: &Config, data: Data) -> anyhow::Result<Self> {
        let memory = config.job_memory();
        let signing: Option<Arc<dyn Signing>> = match config.credentials.enabled {
            true => {
                let signer = Signer::open(config, &*data.store).await?;
                let signing = Arc::new(ConfinedSigning { signer, data_dir: config.data_dir.clone(), memory });
                let checked = Arc::clone(&signing);
                let check = move || {
                    if let Err(error) = checked.check() {
                        tracing::error!(
                            error,
                            "media are published without Content Credentials until this is corrected"
                        );
                    }
                };
                std::thread::Builder::new().name("signing".into()).spawn(check)?;
                Some(signing)
            }
            false => None,
        };
        // Last, as what comes before is tried again after a failure.
        check_furniture(config)?;
        Ok(Self { config: config.clone(), data, engines: Arc::new(ConfinedEngines::new(memory)), signing })
    }

    pub(crate) fn data(&self) -> &Data {
        &self.data
    }

    /// Runs jobs of these kinds until the phase changes.
    pub(crate) async fn work(
        &self,
        kinds: Vec<JobType>,
        wake: &Notify,
        phases: watch::Receiver<Phase>,
        busy: watch::Sender<bool>,
    ) {
        let Data { store, clock, media, .. } = &self.data;
        let name = registration::unique_name(&**clock);
        let pack = watch::Sender::new(None);
        let registration = Registration::start(store, name.clone(), NodeRole::Worker, kinds.clone(), pack.subscribe());
        let worker = Worker {
            name,
            capacity: self.data.capacity(&self.config),
            store: Arc::clone(store),
            media: media.clone(),
            engines: Arc::clone(&self.engines) as _,
            signing: self.signing.clone(),
            kinds,
            data_dir: self.config.data_dir.clone(),
            sources: self.config.sources.clone(),
            pace: Pace::default(),
            busy,
            pack,
        };
        worker.run(wake, phases).await;
        registration.end().await;
    }
}

/// Logs which pieces of the operator's furniture cannot be used, without delaying the start.
fn check_furniture(config: &Config) -> std::io::Result<()> {
    let config = config.clone();
    let check = move || match furniture::check(&config) {
        Ok(furniture) => {
            for fault in furniture.faults {
                tracing::warn!(%fault, "skipping a piece of the operator's furniture");
            }
        }
        Err(error) => tracing::warn!(error = format!("{error:#}"), "cannot check the operator's furniture"),
    };
    std::thread::Builder::new().name("furniture".into()).spawn(check)?;
    Ok(())
}

/// The workers of a server, on threads of their own: however busy the API is, leases are renewed.
pub(crate) struct Workers {
    phase: watch::Sender<Phase>,
    tasks: Vec<JoinHandle<()>>,
    /// Always there, until it is dropped.
    runtime: Option<Runtime>,
}

impl Workers {
    /// Starts a worker for each of `wakes`, which wake them. With several workers, the first runs only quick kinds, so that a photo never
    /// waits behind a video. The others run those of `kinds`.
    ///
    /// # Errors
    /// When their threads cannot be started.
    pub(crate) fn start(
        config: &Config,
        kinds: &[JobType],
        wakes: &[Arc<Notify>],
        metrics: &Arc<Metrics>,
    ) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let (phase, phases) = watch::channel(Phase::Working);
        let mut tasks = Vec::new();
        if !wakes.is_empty() {
            let (config, kinds, wakes, metrics) = (config.clone(), kinds.to_vec(), wakes.to_vec(), Arc::clone(metrics));
            tasks.push(runtime.spawn(open_and_run(config, kinds, wakes, phases, metrics)));
        }
        Ok(Self { phase, tasks, runtime: Some(runtime) })
    }

    /// Has the workers release their jobs, and waits until they have.
    pub(crate) async fn stop(mut self) {
        let _ = self.phase.send(Phase::Stopping);
        let tasks = std::mem::take(&mut self.tasks);
        let stopped = async {
            for task in tasks {
                let _ = task.await;
            }
        };
        if tokio::time::timeout(STOP_TIMEOUT, stopped).await.is_err() {
            tracing::warn!("a worker did not stop in time; its lease expires");
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // A runtime waits for its threads otherwise, which an asynchronous task must not.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Opens what the workers share, again until that succeeds, and runs them.
async fn open_and_run(
    config: Config,
    kinds: Vec<JobType>,
    wakes: Vec<Arc<Notify>>,
    mut phases: watch::Receiver<Phase>,
    metrics: Arc<Metrics>,
) {
    let mut wait = FIRST_WAIT;
    let place = loop {
        // A database and media of their own: requests must not keep leases from being renewed.
        let opened = async { Workplace::open(&config, Data::open(&config).await?).await };
        match opened.await {
            Ok(place) => break Arc::new(place),
            Err(error) => tracing::warn!(error = format!("{error:#}"), "the workers cannot start yet"),
        }
        if pause(&mut wait, &mut phases).await.is_err() {
            return;
        }
    };
    let several = wakes.len() > 1;
    let tasks = wakes.into_iter().enumerate().map(|(number, wake)| {
        let is_quick = several && number == 0;
        let kinds: Vec<JobType> = kinds.iter().copied().filter(|kind| kind.is_quick() || !is_quick).collect();
        let (place, of_work) = (Arc::clone(&place), phases.clone());
        let work = move || {
            let (place, kinds, wake, phases) = (Arc::clone(&place), kinds.clone(), Arc::clone(&wake), of_work.clone());
            async move { place.work(kinds, &wake, phases, watch::Sender::new(false)).await }
        };
        tokio::spawn(keep_on(work, phases.clone(), Arc::clone(&metrics)))
    });
    for task in tasks.collect::<Vec<_>>() {
        let _ = task.await;
    }
}

/// Waits before another attempt, longer each time.
///
/// # Errors
/// When the workers are to stop.
async fn pause(wait: &mut Duration, phases: &mut watch::Receiver<Phase>) -> Result<(), ()> {
    tokio::select! {
        () = tokio::time::sleep(*wait) => {}
        // A dropped sender also means stop.
        _ = phases.wait_for(|phase| *phase != Phase::Working) => return Err(()),
    }
    *wait = (*wait * 2).min(LONGEST_WAIT);
    Ok(())
}

/// Runs a worker, which `work` makes, until it ends; restarts it when that was by an error.
async fn keep_on<F: Future<Output = ()> + Send + 'static>(
    work: impl Fn() -> F,
    mut phases: watch::Receiver<Phase>,
    metrics: Arc<Metrics>,
) {
    let mut wait = FIRST_WAIT;
    loop {
        let started = Instant::now();
        metrics.worker_started();
        let ended = tokio::spawn(work()).await;
        metrics.worker_ended();
        let Err(error) = ended else { return };
        metrics.worker_restarted();
        tracing::warn!(%error, "a worker ended by an error; it is restarted");
        wait = if started.elapsed() > HEALTHY_AFTER { FIRST_WAIT } else { wait };
        if pause(&mut wait, &mut phases).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_worker_that_ends_by_an_error_is_restarted_until_it_is_to_stop() {
        let (phase, phases) = watch::channel(Phase::Working);
        let starts = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&starts);
        let work = move || {
            let is_third = counted.fetch_add(1, Ordering::Relaxed) == 2;
            async move { assert!(is_third, "a bug") }
        };
        let metrics = Arc::new(Metrics::new(aerie_api::Environment::Development));
        keep_on(work, phases.clone(), Arc::clone(&metrics)).await;
        assert_eq!(starts.load(Ordering::Relaxed), 3, "it has ended by itself");
        phase.send(Phase::Stopping).unwrap();
        keep_on(|| async { panic!("a bug") }, phases, metrics).await;
    }
}
