//! The contracts of every store and limiter, on PostgreSQL.

use std::path::Path;
use std::sync::Arc;

use aerie_domain::Clock;
use aerie_storage::{Limiter, Store};
use aerie_storage_postgres::{PostgresStore, TimeSource};

use crate::database::Database;

async fn open(_: &Path, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
    let database = Database::create_migrated().await;
    Arc::new(PostgresStore::open(&database.parsed(), 8, TimeSource::Clock(clock)).await.unwrap())
}

aerie_storage::contract_tests!(
    #[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
    open
);

async fn open_limiter(clock: Arc<dyn Clock>) -> Arc<dyn Limiter> {
    let database = Database::create_migrated().await;
    Arc::new(PostgresStore::open(&database.parsed(), 8, TimeSource::Clock(clock)).await.unwrap())
}

aerie_storage::limiter_contract_tests!(
    #[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
    open_limiter
);
