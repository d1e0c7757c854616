//! State that the endpoints share.

use std::sync::Arc;

use aerie_disclosure::Profiles;
use aerie_domain::{Clock, Plans, Prices};
use aerie_fetch::{Fetcher, Poster};
use aerie_storage::{Capacity, Limiter, MediaLinks, MediaStore, Store};

use crate::{
    Addresses, BadKeys, Delivery, Environment, Fetching, InProgress, Measuring, Metrics, MetricsReaders, Readiness,
    Streams, TruthPages, base_path,
};

/// State that the endpoints share.
pub struct ApiState {
    /// Jobs, organizations, keys and usage.
    pub store: Arc<dyn Store>,
    /// Media files.
    pub media: MediaStore,
    /// How clients get media.
    pub delivery: Delivery,
    /// Signs links to media.
    pub links: MediaLinks,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Configured prices; a job's price is frozen at submit.
    pub prices: Prices,
    /// Plans, which limit the requests per key.
    pub plans: Plans,
    /// Counts each key's requests, and each address's bad keys.
    pub limiter: Arc<dyn Limiter>,
    /// Delays responses to clients that try bad keys.
    pub bad_keys: BadKeys,
    /// Requests with an `Idempotency-Key` that are being answered.
    pub in_progress: InProgress,
    /// Pictures that are being fetched.
    pub fetching: Fetching,
    /// Measures boundaries drawn on pictures.
    pub measuring: Arc<dyn Measuring>,
    /// Suggests addresses of the imported map.
    pub addresses: Arc<dyn Addresses>,
    /// Whether the console is served.
    pub console: bool,
    /// Start of links to this service: scheme, authority and, if a proxy removes one from the paths of requests, a path. Without a
    /// trailing slash.
    pub base_url: String,
    /// Which deployment this is.
    pub environment: Environment,
    /// Fetches the pictures that requests link to.
    pub intake: Fetcher,
    /// Checks the URLs of webhooks.
    pub webhooks: Poster,
    /// Disclosure profiles by name.
    pub profiles: Arc<Profiles>,
    /// Public pages that show altered pictures beside their originals.
    pub truth_pages: TruthPages,
    /// Streams of events that are open.
    pub streams: Streams,
    /// Capacity of the disks; without it, new jobs are refused.
    pub capacity: Arc<Capacity>,
    /// What the service lacks, reported by `/readyz`.
    pub readiness: Arc<Readiness>,
    /// Metrics of this process.
    pub metrics: Arc<Metrics>,
    /// Who may read `/metrics`.
    pub metrics_readers: MetricsReaders,
    /// Called after each submit, to wake the workers.
    pub submitted: Arc<dyn Fn() + Send + Sync>,
}

impl ApiState {
    /// The path of `base_url`, such as `/aerie`; empty without one.
    pub(crate) fn base_path(&self) -> &str {
        base_path::of(&self.base_url)
    }
}
