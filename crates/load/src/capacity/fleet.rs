//! The fleet: API nodes with their clients, and workers, each with a store of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aerie_domain::{ApiKey, JobType, KeyHash, KeyId, OrgId, Scopes};
use aerie_math::Rng;
use aerie_storage::{Claim, JobQueue, Limiter, MaintenanceStore, Node, NodeRole, StoreError, TenantStore, Wakes};
use aerie_storage_postgres::PostgresStore;
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::model::{API_CONNECTIONS, API_NODES, BEAT, HEARTBEAT, KINDS, Kind, Plan, READS};
use crate::clients::{AMPLE, LEASE};
use crate::jobs::{ORGANIZATIONS, new_job, organization, output};
use crate::server::Server;

/// Time in which hundreds of connections are opened and their statements prepared, before anything is measured.
pub(super) const WARM_UP: Duration = Duration::from_secs(15);

/// What a caller of the API needs.
#[derive(Clone, Copy)]
struct Caller {
    org_id: OrgId,
    hash: KeyHash,
}

/// A running fleet, which ends when this is dropped.
pub(super) struct Fleet {
    pub(super) day: Arc<Day>,
    nodes: JoinSet<()>,
    workers: JoinSet<()>,
}

/// What the tasks of a fleet share.
pub(super) struct Day {
    pub(super) plan: Plan,
    /// The hour of the day at which it started, and when.
    from: (f64, Instant),
    pub(super) counts: Counts,
}

/// What has happened so far.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) submitted: AtomicU64,
    pub(super) completed: AtomicU64,
    /// Operations that failed.
    pub(super) errors: AtomicU64,
    /// Claims that found nothing.
    pub(super) empty: AtomicU64,
    /// Microseconds of runs at the speed of the day, by group: those of the engines, and those of the database, which is no
    /// faster than real.
    pub(super) busy: [AtomicU64; 2],
    /// Times between submit and claim since they were last read.
    waits: Mutex<Vec<Duration>>,
}

impl Counts {
    /// The times between submit and claim since the last call, sorted.
    pub(super) fn waits(&self) -> Vec<Duration> {
        let mut waits = std::mem::take(&mut *self.waits.lock().unwrap_or_else(PoisonError::into_inner));
        waits.sort_unstable();
        waits
    }

    /// The value, or `None` after counting the error.
    fn noted<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result.inspect_err(|_| _ = self.errors.fetch_add(1, Ordering::Relaxed)).ok()
    }
}

impl Fleet {
    /// Starts the workers, and the API nodes at this hour of the day, which may be before midnight.
    pub(super) async fn start(server: &Server, plan: Plan, hour: f64) -> Self {
        let mut stores = Vec::new();
        for (group, number) in plan.workers.iter().enumerate() {
            for worker in 0..*number {
                stores.push((group, format!("{group}-{worker}"), server.store(4).await));
            }
        }
        let mut apis = Vec::new();
        for _ in 0..API_NODES {
            apis.push(server.store(API_CONNECTIONS).await);
        }
        let mut callers = Vec::new();
        for number in 1..=ORGANIZATIONS {
            let (org_id, key) = (organization(number), ApiKey::generate().expect("randomness"));
            apis[0].key_create(org_id, &key, Scopes::ALL, None).await.expect("a database");
            callers.push(Caller { org_id, hash: key.hash() });
        }
        let day = Arc::new(Day { plan, from: (hour, Instant::now()), counts: Counts::default() });
        let (mut nodes, mut workers) = (JoinSet::new(), JoinSet::new());
        for (group, name, store) in stores {
            workers.spawn(beat(Arc::clone(&day), Arc::clone(&store), name.clone(), NodeRole::Worker));
            workers.spawn(work(Arc::clone(&day), store, name, group));
        }
        let callers: Arc<[Caller]> = callers.into();
        for (number, store) in apis.into_iter().enumerate() {
            workers.spawn(beat(Arc::clone(&day), Arc::clone(&store), format!("api-{number}"), NodeRole::Api));
            nodes.spawn(serve(Arc::clone(&day), store, number as u64, Arc::clone(&callers)));
        }
        Self { day, nodes, workers }
    }

    /// Ends the arrivals, waits until the queue has been worked off, for ten minutes of the day at most, and stops the workers.
    pub(super) async fn stop(mut self) {
        self.nodes.shutdown().await;
        let (counts, ended) = (&self.day.counts, Instant::now());
        let left = || counts.submitted.load(Ordering::Relaxed) > counts.completed.load(Ordering::Relaxed);
        while left() && ended.elapsed() < self.day.compressed(600.0) {
            sleep(Duration::from_millis(100)).await;
        }
        self.workers.abort_all();
        while let Some(ended) = self.workers.join_next().await {
            assert!(ended.is_err_and(|error| error.is_cancelled()), "a worker has panicked");
        }
    }
}

impl Day {
    /// The hour of the day.
    fn hour(&self) -> f64 {
        self.from.0 + self.from.1.elapsed().as_secs_f64() * self.plan.compress / 3600.0
    }

    /// When an hour of the day begins.
    pub(super) fn at(&self, hour: f64) -> Instant {
        self.from.1 + Duration::from_secs_f64((hour - self.from.0) * 3600.0 / self.plan.compress)
    }

    /// Time that `seconds` of the day take.
    fn compressed(&self, seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds / self.plan.compress)
    }
}

/// An API node: jobs arrive at random times, as often as the hour has it.
async fn serve(day: Arc<Day>, store: Arc<PostgresStore>, number: u64, callers: Arc<[Caller]>) {
    let (mut rng, mut next, mut clients) = (Rng::scattered(number + 1), Instant::now(), JoinSet::new());
    loop {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an hour of the day")]
        let rate = day.plan.arrivals(day.hour() as usize) / API_NODES as f64;
        next += Duration::from_secs_f64(-(1.0 - rng.unit_f64()).ln() / rate);
        sleep_until(next).await;
        let mut left = rng.unit_f64() * 1e6;
        let kind = KINDS.iter().find(|kind| {
            left -= kind.jobs;
            left < 0.0
        });
        let kind = kind.unwrap_or(&KINDS[0]);
        let caller = callers[usize::try_from(rng.next_u64() % callers.len() as u64).unwrap_or(0)];
        clients.spawn(client(Arc::clone(&day), Arc::clone(&store), caller, kind));
        while clients.try_join_next().is_some() {}
    }
}

/// A client submits a job and reads it ten times; it gives up at an error.
async fn client(day: Arc<Day>, store: Arc<PostgresStore>, caller: Caller, kind: &'static Kind) -> Option<()> {
    authenticate(&day, &store, caller).await?;
    let job = new_job(caller.org_id, kind.kind);
    let id = job.id;
    if !job.input_media.is_empty() {
        day.counts.noted(store.leftovers_expect(caller.org_id, id, Duration::from_secs(3600)).await)?;
    }
    day.counts.noted(store.job_submit(job).await)?.expect("no limit is reached");
    day.counts.submitted.fetch_add(1, Ordering::Relaxed);
    for _ in 0..READS {
        sleep(day.compressed(kind.seconds * 0.2)).await;
        authenticate(&day, &store, caller).await?;
        day.counts.noted(store.job_get(Some(caller.org_id), id).await)?.expect("it is there");
    }
    Some(())
}

/// What a request to the API does first.
async fn authenticate(day: &Day, store: &PostgresStore, caller: Caller) -> Option<()> {
    let key: KeyId = day.counts.noted(store.key_find(caller.hash).await)?.expect("the key is valid").key.id;
    day.counts.noted(store.request_admit(key.into(), AMPLE).await)?;
    Some(())
}

/// A node notes that it is there.
async fn beat(day: Arc<Day>, store: Arc<PostgresStore>, name: String, role: NodeRole) {
    let node =
        Node { name, role, version: "0".into(), kinds: JobType::ALL.to_vec(), host: "simulated".into(), pack: None };
    loop {
        let _ = day.counts.noted(store.node_beat(&node).await);
        sleep(day.compressed(BEAT)).await;
    }
}

/// A worker, with the waits of `aerie_worker::Worker::run`.
async fn work(day: Arc<Day>, store: Arc<PostgresStore>, name: String, group: usize) {
    let kinds: Vec<JobType> = KINDS.iter().filter(|kind| kind.group == group).map(|kind| kind.kind).collect();
    let (mut wakes, mut polls) = (store.job_wakes(&kinds).expect("PostgreSQL has them"), 0_u32);
    loop {
        let Wakes { is_listening, .. } = *wakes.borrow_and_update();
        let claimed = day.counts.noted(store.job_claim(&kinds, &name, LEASE).await);
        if let Some(Some(claim)) = &claimed {
            polls = 0;
            let _ = run(&day, &store, claim, group).await;
            continue;
        }
        day.counts.empty.fetch_add(1, Ordering::Relaxed);
        let wait = if is_listening { f64::from(1_u32 << polls.min(2)) * 0.875 } else { 1.0 };
        tokio::select! {
            _ = wakes.changed() => {}
            () = sleep(day.compressed(wait)) => polls += 1,
        }
    }
}

/// Sleeps as long as the engine would run, and renews the claim meanwhile.
async fn run(day: &Day, store: &PostgresStore, claim: &Claim, group: usize) -> Option<()> {
    let begun = Instant::now();
    let (job, lease, counts) = (&claim.job, &claim.lease, &day.counts);
    let waited = job.updated_at.duration_since(job.created_at).unsigned_abs();
    counts.waits.lock().unwrap_or_else(PoisonError::into_inner).push(waited);
    let kind = KINDS.iter().find(|kind| kind.kind == job.job_type)?;
    let end = begun + day.compressed(kind.seconds);
    let mut renewal = begun + day.compressed(HEARTBEAT);
    while renewal < end {
        sleep_until(renewal).await;
        counts.noted(store.job_heartbeat(lease, LEASE).await)?;
        renewal += day.compressed(HEARTBEAT);
    }
    sleep_until(end).await;
    let mut output = output(job.org_id, job.id, lease.attempt);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bytes of a file")]
    let bytes = (kind.media * (0.5 + Rng::from_name(&job.id.to_string()).unit_f64())) as u64;
    output.fields.insert("bytes".to_owned(), Value::from(bytes.to_string()));
    counts.noted(store.job_complete(lease, output).await)?;
    counts.completed.fetch_add(1, Ordering::Relaxed);
    let (took, engine) = (begun.elapsed(), end - begun);
    let busy = engine + took.saturating_sub(engine).div_f64(day.plan.compress);
    counts.busy[group].fetch_add(u64::try_from(busy.as_micros()).unwrap_or(0), Ordering::Relaxed);
    counts.noted(store.stage_time_add(job.job_type, vec![("run".to_owned(), took)]).await)
}
