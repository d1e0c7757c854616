//! Later versions of the schema, for tests of upgrades.

use aerie_storage::StoreError;

use crate::migrations::{MIGRATIONS, Migration};
use crate::{PostgresStore, PostgresUrl, TimeSource};

/// A version of the schema after the last one.
#[derive(Debug, Clone, Copy)]
pub struct LaterVersion {
    /// Its statements.
    pub sql: &'static str,
    /// Indexes of existing tables: the name, and what follows `ON`.
    pub indexes: &'static [(&'static str, &'static str)],
    /// The lowest latest version of a binary that can still use the database.
    pub oldest: i64,
}

/// Opens the database as a binary of later versions does, and upgrades its schema to the last of them.
///
/// # Errors
/// As [`PostgresStore::open`].
pub async fn open_later(
    url: &PostgresUrl,
    connections: usize,
    time: TimeSource,
    later: &[LaterVersion],
) -> Result<PostgresStore, StoreError> {
    let later = later.iter().map(|&LaterVersion { sql, indexes, oldest }| Migration { sql, indexes, oldest });
    let migrations: Vec<Migration> = MIGRATIONS.iter().copied().chain(later).collect();
    PostgresStore::open_with(url, connections, time, &migrations).await
}
