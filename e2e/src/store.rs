//! The database of a server under test, opened beside it.

use std::path::Path;
use std::sync::Arc;

use aerie_domain::{Clock, SystemClock};
use aerie_storage::Store;
use aerie_storage_sqlite::SqliteStore;

/// Opens the database of a data folder.
///
/// # Panics
/// When it cannot be opened.
#[must_use]
pub fn open_store(data: &Path) -> Arc<dyn Store> {
    open_database(&data.join("aerie.db"), Arc::new(SystemClock))
}

/// Opens a database file, on a clock.
///
/// # Panics
/// When it cannot be opened.
#[must_use]
pub fn open_database(file: &Path, clock: Arc<dyn Clock>) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(file, clock).expect("the database opens"))
}

/// Checks a database for damage.
///
/// # Panics
/// When it is damaged.
pub fn check_database(file: &Path) {
    aerie_storage_sqlite::check_database(file).expect("the database is not damaged");
}
