//! The schema, version by version, in the PostgreSQL schema `aerie`.
//!
//! A released version is never edited: append the next one to [`MIGRATIONS`]. Binaries of two versions use one database while a
//! fleet is upgraded, so a change is made in two releases:
//!
//! 1. Expand: add tables, columns with constant defaults, functions and indexes, which the previous binary ignores. `oldest`
//!    stays as it is.
//! 2. Contract: remove what only binaries before the expansion used, and raise `oldest` to the version of the expansion.
//!    Binaries that know less than `oldest` then refuse to start.
//!
//! The previous binary is under load meanwhile, and the tables are large:
//!
//! - `sql` runs in one transaction. Each of its statements waits at most [`LOCK_TIMEOUT`] for a lock, because requests queue
//!   behind one that waits; then all of it is rolled back and tried again. Statements that lock what requests use come last, and
//!   none reads or writes a whole table.
//! - `CREATE OR REPLACE FUNCTION` locks no table: statements that are running finish with the old body. `CREATE OR REPLACE TRIGGER`
//!   and `ALTER TABLE` lock the table until the end of the transaction.
//! - An index of a table of an earlier version goes to `indexes`: it is built without blocking writes, before `sql`. An index of a
//!   new column needs a version of its own after that of the column.
//!
//! `tests/postgres/postgres_upgrade.rs` has an example of both: versions that exist in tests only.
//!
//! # Invariants
//!
//! - The previous binary works while the schema is upgraded and afterwards; the upgrade makes no statement wait for longer than
//!   [`LOCK_TIMEOUT`]. Tests: `nodes_of_the_version_before_work_without_a_long_wait_while_a_new_one_upgrades_the_schema`,
//!   `a_newer_schema_is_used_while_it_supports_this_version_and_refused_afterwards`,
//!   `a_version_that_contracts_the_schema_refuses_binaries_of_before_its_expansion_only`.
//! - An upgrade happens once, and an interrupted one is finished by the next start. Tests:
//!   `processes_that_start_at_once_upgrade_the_schema_once`, `an_upgrade_that_was_interrupted_is_finished_by_the_next_start`.

use std::time::Duration;

use aerie_storage::StoreError;
use deadpool_postgres::{Client, ClientWrapper};
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;

use crate::error::{Error, Result, text};
use crate::pool::Pool;

/// A version of the schema.
#[derive(Clone, Copy)]
pub(crate) struct Migration {
    pub(crate) sql: &'static str,
    /// Indexes of tables of earlier versions, built while the tables are in use: the name, and what follows `ON`.
    pub(crate) indexes: &'static [(&'static str, &'static str)],
    /// The lowest latest version of a binary that can still use the database.
    pub(crate) oldest: i64,
}

/// The versions that this binary knows.
pub(crate) const MIGRATIONS: &[Migration] =
    &[Migration { sql: include_str!("../migrations/1.sql"), indexes: &[], oldest: 1 }];

/// Key of the advisory lock: "Aerie".
const LOCK: i64 = 0x41_6572_6965;

/// How often a process that waits for the lock asks for it.
const LOCK_INTERVAL: Duration = Duration::from_millis(250);

/// How long a statement waits for a lock on a table: requests wait as long.
const LOCK_TIMEOUT: &str = "1s";

/// How often a statement is tried, and how long requests have in between.
const ATTEMPTS: u32 = 60;
const PAUSE: Duration = Duration::from_secs(2);

/// Settings of the connection. An index takes as long as it takes, and waits for transactions without blocking others. The session
/// of a process that is frozen, or whose machine has vanished, ends with its lock.
const SETTINGS: &str = "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = '60s'";

/// Upgrades the schema to the last of these versions, under an advisory lock: processes that start at the same time do it once.
pub(crate) async fn migrate(pool: &Pool, migrations: &[Migration]) -> Result<()> {
    let latest = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    let client = pool.client().await?;
    // A process that starts on a current schema takes no lock.
    if check(found(&**client).await?, latest)? == latest {
        return Ok(());
    }
    // Not given back to the pool but closed, so that the server releases the lock however this ends.
    let mut client = Client::take(client);
    client.batch_execute(SETTINGS).await?;
    lock(&client).await?;
    let found = found(&*client).await?;
    let version = check(found, latest)?;
    if found.is_none() {
        return Ok(create(&mut client, migrations).await?);
    }
    for (number, migration) in (1..).zip(migrations).filter(|(number, _)| *number > version) {
        for (name, on) in migration.indexes {
            build(&client, name, on).await?;
        }
        upgrade(&mut client, number, migration).await?;
        tracing::info!(version = number, "upgraded the schema of the database");
    }
    Ok(())
}

/// Takes the lock until the connection is closed. Does not wait for it in a statement: an index that the holder builds
/// would wait for the end of that statement.
async fn lock(client: &ClientWrapper) -> Result<()> {
    let mut is_reported = false;
    loop {
        let lock = client.query_one("SELECT pg_try_advisory_lock($1)", &[&LOCK]).await?;
        if lock.try_get(0)? {
            return Ok(());
        }
        if !is_reported {
            tracing::info!("waiting for another process to upgrade the schema of the database");
            is_reported = true;
        }
        tokio::time::sleep(LOCK_INTERVAL).await;
    }
}

/// Creates the schema in an empty database, in one transaction.
async fn create(client: &mut ClientWrapper, migrations: &[Migration]) -> Result<(), tokio_postgres::Error> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(CREATE).await?;
    for (number, migration) in (1..).zip(migrations) {
        for (name, on) in migration.indexes {
            transaction.batch_execute(&format!("CREATE INDEX {name} ON {on}")).await?;
        }
        apply(&*transaction, number, migration).await?;
    }
    transaction.commit().await
}

async fn apply(db: &impl GenericClient, number: i64, migration: &Migration) -> Result<(), tokio_postgres::Error> {
    db.batch_execute(migration.sql).await?;
    db.execute("UPDATE schema_version SET version = $1, oldest = $2", &[&number, &migration.oldest]).await?;
    Ok(())
}

/// Applies a version, again and again while requests hold locks that it needs.
async fn upgrade(client: &mut ClientWrapper, number: i64, migration: &Migration) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let done = async {
            let transaction = client.transaction().await?;
            transaction.batch_execute(&format!("SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")).await?;
            apply(&*transaction, number, migration).await?;
            transaction.commit().await
        };
        match done.await {
            Err(error) if is_conflict(&error) => pause(&error).await,
            done => return Ok(done?),
        }
    }
    Err(blocked())
}

/// Builds an index, also if an earlier run was interrupted, which leaves an invalid one.
async fn build(client: &ClientWrapper, name: &str, on: &str) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let validity = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('aerie.' || $1::text)";
        let statement = match client.query_opt(validity, &[&name]).await? {
            Some(row) if row.try_get(0)? => return Ok(()),
            Some(_) => format!("DROP INDEX CONCURRENTLY {name}"),
            None => {
                tracing::info!(index = name, "building an index; other processes can use the database meanwhile");
                format!("CREATE INDEX CONCURRENTLY {name} ON {on}")
            }
        };
        match client.batch_execute(&statement).await {
            Err(error) if is_conflict(&error) => pause(&error).await,
            done => done?,
        }
    }
    Err(blocked())
}

/// Whether a statement waited too long for a lock, or was ended because others waited for it.
fn is_conflict(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED))
}

async fn pause(error: &tokio_postgres::Error) {
    tracing::info!(why = text(error), "the schema of the database is in use: trying again to upgrade it");
    tokio::time::sleep(PAUSE).await;
}

fn blocked() -> Error {
    let text = "the schema of the database cannot be upgraded, because transactions keep it locked: end them \
                (pg_stat_activity), then start again";
    StoreError::Unusable(text.to_owned()).into()
}

/// `since` is the release from which on versions are counted. Databases of builds before it lack the column.
const CREATE: &str = "
    CREATE SCHEMA IF NOT EXISTS aerie;
    CREATE TABLE schema_version (version bigint NOT NULL, oldest bigint NOT NULL, since text NOT NULL DEFAULT '0.1.0');
    INSERT INTO schema_version VALUES (0, 0);";

/// The version of the database and the oldest one that it supports; `None` for a new database.
async fn found(db: &impl GenericClient) -> Result<Option<(i64, i64)>> {
    let tables = "SELECT count(*), count(*) FILTER (WHERE tablename = 'schema_version'),
                      (SELECT count(*) FROM pg_attribute
                       WHERE attrelid = to_regclass('aerie.schema_version') AND attname = 'since')
                  FROM pg_tables WHERE schemaname = 'aerie'";
    let row = db.query_one(tables, &[]).await?;
    let (tables, own, since): (i64, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if own == 0 && tables > 0 {
        return Err(StoreError::ForeignDatabase("the schema `aerie`".to_owned()).into());
    }
    if own == 0 {
        return Ok(None);
    }
    if since == 0 {
        return Err(StoreError::EarlierBuild.into());
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
