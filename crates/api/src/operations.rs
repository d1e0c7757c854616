//! State of the endpoints for operators, which servers and workers have.

use std::sync::Arc;

use aerie_domain::Clock;
use aerie_storage::{Capacity, MediaStore, Store};
use axum::extract::FromRef;

use crate::{ApiState, Environment, Metrics, MetricsReaders, Readiness};

/// State of `/healthz`, `/readyz` and `/metrics`.
#[derive(Clone)]
pub struct Operations {
    /// The database.
    pub store: Arc<dyn Store>,
    /// The media.
    pub media: MediaStore,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Which deployment this is.
    pub environment: Environment,
    /// Capacity of the disks.
    pub capacity: Arc<Capacity>,
    /// What the process lacks.
    pub readiness: Arc<Readiness>,
    /// Metrics of this process.
    pub metrics: Arc<Metrics>,
    /// Who may read `/metrics`.
    pub metrics_readers: MetricsReaders,
}

impl ApiState {
    /// The state of the endpoints for operators.
    #[must_use]
    pub fn operations(&self) -> Operations {
        Operations {
            store: Arc::clone(&self.store),
            media: self.media.clone(),
            clock: Arc::clone(&self.clock),
            environment: self.environment,
            capacity: Arc::clone(&self.capacity),
            readiness: Arc::clone(&self.readiness),
            metrics: Arc::clone(&self.metrics),
            metrics_readers: self.metrics_readers.clone(),
        }
    }
}

impl FromRef<Arc<ApiState>> for Operations {
    fn from_ref(state: &Arc<ApiState>) -> Self {
        state.operations()
    }
}
