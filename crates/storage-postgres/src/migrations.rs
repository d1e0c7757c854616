//! The schema, version by version, in the PostgreSQL schema `aerie`.
//!
//! A released version is never edited: append the next one to [`MIGRATIONS`]. Binaries of two versions may use one database
//! while a fleet is upgraded, so a change is made in two releases:
//!
//! 1. Expand: add tables, columns with defaults and indexes, which the previous binary ignores. `oldest` stays as it is.
//! 2. Contract: remove what only binaries before the expansion used, and raise `oldest` to the version of the expansion.
//!    Binaries that know less than `oldest` then refuse to start.

use aerie_storage::StoreError;
use deadpool_postgres::{Client, GenericClient};

use crate::error::Result;

/// A version of the schema.
struct Migration {
    sql: &'static str,
    /// The lowest latest version of a binary that can still use the database.
    oldest: i64,
}

const MIGRATIONS: &[Migration] = &[
    Migration { sql: include_str!("../migrations/1.sql"), oldest: 1 },
    Migration { sql: include_str!("../migrations/3.sql"), oldest: 1 },
];

/// Key of the advisory lock: "Aerie".
const LOCK: i64 = 0x41_6572_6965;

/// Upgrades the schema under an advisory lock: processes that start at the same time do it once.
pub(crate) async fn migrate(client: &mut Client) -> Result<()> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    // A process that starts on a current schema takes no lock.
    if check(found(&*client).await?, known)? == known {
        return Ok(());
    }
    let transaction = client.transaction().await?;
    transaction.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'").await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    let version = check(found(&transaction).await?, known)?;
    if version == 0 {
        transaction.batch_execute(CREATE).await?;
    }
    for (number, migration) in (1..).zip(MIGRATIONS).filter(|(number, _)| *number > version) {
        transaction.batch_execute(migration.sql).await?;
        let number: i64 = number;
        transaction
            .execute("UPDATE schema_version SET version = $1, oldest = $2", &[&number, &migration.oldest])
            .await?;
        tracing::info!(version = number, "upgraded the schema of the database");
    }
    Ok(transaction.commit().await?)
}

const CREATE: &str = "
    CREATE SCHEMA IF NOT EXISTS aerie;
    CREATE TABLE schema_version (version bigint NOT NULL, oldest bigint NOT NULL);
    INSERT INTO schema_version VALUES (0, 0);";

/// The version of the database and the oldest one that it supports; `None` for a new database.
async fn found(db: &impl GenericClient) -> Result<Option<(i64, i64)>> {
    let tables = "SELECT count(*), count(*) FILTER (WHERE tablename = 'schema_version') FROM pg_tables
                  WHERE schemaname = 'aerie'";
    let row = db.query_one(tables, &[]).await?;
    let (tables, own): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    if own == 0 && tables > 0 {
        return Err(StoreError::ForeignDatabase("the schema `aerie`".to_owned()).into());
    }
    if own == 0 {
        return Ok(None);
    }
    let row = db.query_one("SELECT version, oldest FROM aerie.schema_version", &[]).await?;
    Ok(Some((row.try_get(0)?, row.try_get(1)?)))
}

/// Returns the version from which to upgrade: at most `known`, if the database is newer but supports this version.
fn check(found: Option<(i64, i64)>, known: i64) -> Result<i64, StoreError> {
    match found {
        None => Ok(0),
        Some((version, oldest)) if oldest > known => Err(StoreError::NewerSchema { found: version, known }),
        Some((version, _)) => Ok(version.min(known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_schema_is_used_while_it_supports_this_version_and_refused_afterwards() {
        assert_eq!(check(None, 3).unwrap(), 0);
        assert_eq!(check(Some((2, 1)), 3).unwrap(), 2);
        assert_eq!(check(Some((5, 3)), 3).unwrap(), 3);
        assert!(matches!(check(Some((5, 4)), 3), Err(StoreError::NewerSchema { found: 5, known: 3 })));
    }

    #[test]
    fn no_version_supports_only_binaries_that_do_not_exist_yet() {
        let mut oldest = 1;
        for (number, migration) in (1..).zip(MIGRATIONS) {
            assert!((oldest..=number).contains(&migration.oldest), "version {number}");
            oldest = migration.oldest;
        }
    }
}
