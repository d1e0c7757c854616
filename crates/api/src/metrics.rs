//! Metrics in OpenMetrics text format, which Prometheus reads.
//!
//! No label names an organization, a job or a key: their number is unbounded, and metrics must not reveal who the clients
//! are. Routes are labeled by their templates.

mod readers;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use aerie_domain::JobType;
use aerie_storage::{Capacity, MediaOperation, MediaStore, NodeRole, QueueStats, SeenNode, StoreConnections};
use axum::http::{Method, StatusCode};
use jiff::Timestamp;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::Environment;
use crate::readiness::{Check, Readiness};
pub use readers::MetricsReaders;

/// Bucket bounds of the response time histogram, seconds: a lookup takes a millisecond, a submit that fetches a picture may
/// take ten seconds.
const SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

type Labels<const N: usize> = [(&'static str, String); N];
type Floats = Gauge<f64, AtomicU64>;
type Whole = Gauge<u64, AtomicU64>;

/// A histogram for each route.
type Times = Family<Vec<(&'static str, String)>, Histogram, fn() -> Histogram>;

/// Metrics of this process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Vec<(&'static str, String)>, Counter>,
    times: Times,
    refused: Family<Vec<(&'static str, String)>, Counter>,
    workers: Gauge,
    worker_restarts: Counter,
    /// In a worker: whether it runs a job.
    busy: Option<Gauge>,
}

impl Metrics {
    /// Metrics of a server, all counters at zero.
    #[must_use]
    pub fn new(environment: Environment) -> Self {
        let mut metrics = Self::of_process(environment);
        let registry = &mut metrics.registry;
        registry.register("workers", "Workers of this server", metrics.workers.clone());
        let restarts = metrics.worker_restarts.clone();
        registry.register(
            "worker_restarts",
            "Workers of this server that ended by an error and were restarted",
            restarts,
        );
        metrics
    }

    /// Metrics of a worker.
    #[must_use]
    pub fn of_worker(environment: Environment) -> Self {
        let mut metrics = Self::of_process(environment);
        let busy = Gauge::default();
        metrics.registry.register("worker_busy", "1 while this worker runs a job, otherwise 0", busy.clone());
        Self { busy: Some(busy), ..metrics }
    }

    fn of_process(environment: Environment) -> Self {
        let mut registry = Registry::with_prefix("aerie");
        let environment = format!("{environment:?}").to_lowercase();
        let build = Info::new([("version", env!("CARGO_PKG_VERSION").to_owned()), ("environment", environment)]);
        registry.register("build", "Version and environment", build);
        let requests = Family::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        let times: Times = Family::new_with_constructor(|| Histogram::new(SECONDS));
        let what = "Time from the request head to the response head";
        registry.register_with_unit("http_request_duration", what, Unit::Seconds, times.clone());
        let refused = Family::default();
        registry.register("rate_limited", "Requests refused by the limit per minute or per day", refused.clone());
        let (workers, worker_restarts) = (Gauge::default(), Counter::default());
        Self { registry, requests, times, refused, workers, worker_restarts, busy: None }
    }

    /// Counts an answered request.
    pub(crate) fn answered(&self, method: &Method, route: Option<&str>, status: StatusCode, took: Duration) {
        // Clients can send any method and path, and labels must stay bounded.
        let method = match method.as_str() {
            known @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => known,
            _ => "other",
        };
        let route = route.unwrap_or("none");
        let labels: Labels<3> =
            [("method", method.to_owned()), ("route", route.to_owned()), ("code", status.as_u16().to_string())];
        self.requests.get_or_create(&labels.into()).inc();
        self.times.get_or_create(&vec![("route", route.to_owned())]).observe(took.as_secs_f64());
    }

    /// Counts a request over a rate limit, `minute` or `day`.
    pub(crate) fn rate_limited(&self, limit: &'static str) {
        self.refused.get_or_create(&vec![("limit", limit.to_owned())]).inc();
    }

    /// Counts a worker that started.
    pub fn worker_started(&self) {
        self.workers.inc();
    }

    /// Counts a worker that ended.
    pub fn worker_ended(&self) {
        self.workers.dec();
    }

    /// Counts a worker that ended by an error and was restarted.
    pub fn worker_restarted(&self) {
        self.worker_restarts.inc();
    }

    /// Records whether this worker runs a job.
    pub fn worker_busy(&self, is_busy: bool) {
        if let Some(busy) = &self.busy {
            busy.set(i64::from(is_busy));
        }
    }

    /// Whether this process is a worker.
    pub(crate) fn is_of_worker(&self) -> bool {
        self.busy.is_some()
    }

    /// All metrics as text: those of this process and `given`.
    pub(crate) fn text(&self, given: &Given<'_>) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode_registry(&mut text, &self.registry)?;
        encode_registry(&mut text, &given.registry())?;
        encode_eof(&mut text)?;
        Ok(text)
    }
}

/// Metrics that others keep.
pub(crate) struct Given<'a> {
    pub(crate) fleet: Option<Fleet>,
    pub(crate) connections: Option<StoreConnections>,
    pub(crate) media: &'a MediaStore,
    pub(crate) capacity: &'a Capacity,
    pub(crate) readiness: &'a Readiness,
    pub(crate) now: Timestamp,
}

/// Figures of all processes, from the database.
pub(crate) struct Fleet {
    pub(crate) queue: QueueStats,
    pub(crate) nodes: Vec<SeenNode>,
}

impl Fleet {
    fn nodes(&self, registry: &mut Registry) {
        let nodes: Family<Vec<(&'static str, String)>, Whole> = Family::default();
        registry.register("nodes", "Servers and workers that run, of all machines", nodes.clone());
        for role in NodeRole::ALL {
            let live = self.nodes.iter().filter(|seen| seen.is_live && seen.node.role == role).count();
            nodes.get_or_create(&vec![("role", role.as_str().to_owned())]).set(live as u64);
        }
    }
}

impl Given<'_> {
    fn registry(&self) -> Registry {
        let mut registry = Registry::with_prefix("aerie");
        if let Some(fleet) = &self.fleet {
            self.queue(&fleet.queue, &mut registry);
            fleet.nodes(&mut registry);
        }
        if let Some(connections) = self.connections {
            let by_state: Family<Vec<(&'static str, String)>, Whole> = Family::default();
            registry.register("database_connections", "Connections of this process to the database", by_state.clone());
            let StoreConnections { in_use, idle, waiting } = connections;
            for (state, number) in [("in_use", in_use), ("idle", idle), ("waiting", waiting)] {
                by_state.get_or_create(&vec![("state", state.to_owned())]).set(number as u64);
            }
        }
        let requests: Family<Vec<(&'static str, String)>, Counter> = Family::default();
        registry.register("media_requests", "Requests of this process to the media store", requests.clone());
        for operation in MediaOperation::ALL {
            for (outcome, count) in ["ok", "error"].into_iter().zip(self.media.requests(operation)) {
                let labels: Labels<2> = [("operation", operation.as_str().to_owned()), ("outcome", outcome.to_owned())];
                requests.get_or_create(&labels.into()).inc_by(count);
            }
        }
        self.disk(&mut registry);
        let checks: Family<Vec<(&'static str, String)>, Gauge> = Family::default();
        registry.register("ready", "1 where a check passes, otherwise 0", checks.clone());
        for check in Check::ALL {
            let lacking =
                self.readiness.is_lacking(check) || (check == Check::Disk && self.capacity.check_submit().is_err());
            checks.get_or_create(&vec![("check", check.as_str().to_owned())]).set(i64::from(!lacking));
        }
        registry
    }

    fn queue(&self, queue: &QueueStats, registry: &mut Registry) {
        let jobs: Family<Vec<(&'static str, String)>, Whole> = Family::default();
        registry.register("jobs", "Stored jobs", jobs.clone());
        for (kind, status, count) in &queue.jobs {
            let labels: Labels<2> = [("kind", kind.to_string()), ("status", status.to_string())];
            jobs.get_or_create(&labels.into()).set(*count);
        }
        let oldest: Family<Vec<(&'static str, String)>, Floats> = Family::default();
        let what = "Age of the oldest queued job; 0 if none is queued";
        registry.register_with_unit("queue_age", what, Unit::Seconds, oldest.clone());
        for kind in JobType::ALL {
            let since = queue.oldest_queued.iter().find(|(of, _)| *of == kind);
            let age = since.map_or(0.0, |(_, since)| self.now.duration_since(*since).as_secs_f64().max(0.0));
            oldest.get_or_create(&vec![("kind", kind.to_string())]).set(age);
        }
        let time: Family<Vec<(&'static str, String)>, Counter<f64, AtomicU64>> = Family::default();
        let what = "Time spent in each engine stage, over all workers";
        registry.register_with_unit("engine", what, Unit::Seconds, time.clone());
        let runs: Family<Vec<(&'static str, String)>, Counter> = Family::default();
        registry.register("engine_stages", "Runs that reached each engine stage, over all workers", runs.clone());
        for spent in &queue.stage_time {
            let labels: Labels<2> = [("kind", spent.kind.to_string()), ("stage", spent.stage.clone())];
            let labels: Vec<_> = labels.into();
            time.get_or_create(&labels).inc_by(spent.time.as_secs_f64());
            runs.get_or_create(&labels).inc_by(spent.runs);
        }
    }

    fn disk(&self, registry: &mut Registry) {
        let mut gauge = |name: &str, what: &str, bytes: u64| {
            let value = Whole::default();
            value.set(bytes);
            registry.register_with_unit(name, what, Unit::Bytes, value);
        };
        if let Ok(Some(disk)) = self.capacity.disk() {
            gauge("disk_free", "Free space on the fullest disk in use", disk.free);
            gauge("disk_size", "Size of that disk", disk.total);
        }
        if let Some(bytes) = self.capacity.media_size() {
            gauge("media", "Size of the stored media when last counted", bytes);
        }
    }
}
