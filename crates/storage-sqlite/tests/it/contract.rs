//! The contract of every store, on SQLite.

use std::path::Path;
use std::sync::Arc;

use aerie_domain::Clock;
use aerie_storage::Store;
use aerie_storage_sqlite::SqliteStore;

async fn open(folder: &Path, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(&folder.join("test.db"), clock).unwrap())
}

aerie_storage::contract_tests!(open);
