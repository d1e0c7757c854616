//! What the endpoints share.

use std::sync::Arc;

use aerie_domain::{Clock, Plans, Prices};
use aerie_fetch::Fetcher;
use aerie_storage::{JobStore, Limiter, MediaLinks, MediaStore, Room};
use serde::{Deserialize, Serialize};

use crate::{BadKeys, Fetching, InProgress, Measuring, Metrics, MetricsReaders, Readiness};

/// What the endpoints share.
pub struct ApiState {
    /// The rows.
    pub store: Arc<dyn JobStore>,
    /// The media.
    pub media: MediaStore,
    /// Signs links to media.
    pub links: MediaLinks,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Cents by kind, frozen at submit.
    pub prices: Prices,
    /// The plans that organizations may be on.
    pub plans: Plans,
    /// Counts each key's requests.
    pub limiter: Limiter,
    /// Slows those down who try keys.
    pub bad_keys: BadKeys,
    /// Requests that are to take effect once and are being answered.
    pub in_progress: InProgress,
    /// Pictures that are being fetched.
    pub fetching: Fetching,
    /// Measures the boundaries of markups.
    pub measuring: Arc<dyn Measuring>,
    /// Where links to media begin: scheme and authority, with no slash at the end.
    pub base_url: String,
    /// Which deployment this is.
    pub environment: Environment,
    /// Fetches the pictures that requests link to.
    pub intake: Fetcher,
    /// The disk's room: without it, no job is taken on.
    pub room: Arc<Room>,
    /// What was found lacking, told by `/readyz`.
    pub readiness: Arc<Readiness>,
    /// Counts what goes on.
    pub metrics: Arc<Metrics>,
    /// Who may see `/metrics`.
    pub metrics_readers: MetricsReaders,
    /// Told after each submit, to wake the workers.
    pub submitted: Arc<dyn Fn() + Send + Sync>,
}

/// Which deployment this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// One's own machine: loopback alone.
    Development,
    /// For trying out.
    Staging,
    /// For good.
    Production,
}
