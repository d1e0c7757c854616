//! The contract of every limiter, on the one of a single process.

use std::sync::Arc;

use aerie_domain::Clock;
use aerie_storage::{DayCounts, Limiter, MemoryLimiter};

async fn open(clock: Arc<dyn Clock>) -> Arc<dyn Limiter> {
    Arc::new(MemoryLimiter::new(DayCounts::in_memory(), clock))
}

aerie_storage::limiter_contract_tests!(open);
