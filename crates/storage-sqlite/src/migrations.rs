//! The schema, version by version.
//!
//! A released version is never edited: append the next one to [`MIGRATIONS`]. `user_version` is the number of versions that
//! a database has.
//!
//! Not by `rusqlite_migration`, although it counts versions the same way: it reads the version before it begins its
//! transaction, so that of two processes that open an old database at once, one fails on a table that already exists. (It
//! also needs an older `rusqlite`.)

use aerie_storage::StoreError;
use rusqlite::{Connection, TransactionBehavior};

use crate::error::Result;

/// "Aer1": marks the file as Aerie's, so that a wrong path in the configuration cannot damage another program's database.
const APPLICATION_ID: i64 = 0x4165_7231;

/// "Aeri": the mark of builds before 0.1.0, which counted other versions.
pub(crate) const EARLIER_APPLICATION_ID: i64 = 0x4165_7269;

const MIGRATIONS: &[&str] = &[include_str!("../migrations/1.sql")];

/// Upgrades the schema, in one transaction that reads the version: processes that start at the same time do it once.
pub(crate) fn migrate(connection: &mut Connection, name: &str) -> Result<()> {
    upgrade(connection, name, MIGRATIONS)
}

fn upgrade(connection: &mut Connection, name: &str, migrations: &[&str]) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let (application, found) = versions(&transaction)?;
    let known = number(migrations);
    if (application, found, tables) != (0, 0, 0) {
        check(application, found, known, name)?;
    }
    for migration in &migrations[usize::try_from(found).unwrap_or(0)..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", known)?;
    Ok(transaction.commit()?)
}

/// Checks that the database has a schema that this version knows; returns its `application_id` and `user_version`.
pub(crate) fn check_version(db: &Connection, name: &str) -> Result<(i64, i64)> {
    let (application, found) = versions(db)?;
    check(application, found, number(MIGRATIONS), name)?;
    Ok((application, found))
}

/// Checks that the database has the schema that [`migrate`] upgrades to.
pub(crate) fn check_current(db: &Connection, name: &str) -> Result<()> {
    let (_, found) = check_version(db, name)?;
    refuse_older(found, number(MIGRATIONS), name)
}

fn refuse_older(found: i64, known: i64, name: &str) -> Result<()> {
    if found == known {
        return Ok(());
    }
    let text = format!(
        "{name} has schema version {found} of an earlier version of Aerie: back it up, then let this version upgrade it \
         (aerie admin org list), and try again"
    );
    Err(StoreError::Unusable(text).into())
}

fn check(application: i64, found: i64, known: i64, name: &str) -> Result<(), StoreError> {
    match application {
        EARLIER_APPLICATION_ID => Err(StoreError::EarlierBuild),
        APPLICATION_ID if found > known => Err(StoreError::NewerSchema { found, known }),
        APPLICATION_ID if found > 0 => Ok(()),
        _ => Err(StoreError::ForeignDatabase(name.to_owned())),
    }
}

/// Returns `application_id` and `user_version`.
fn versions(db: &Connection) -> Result<(i64, i64)> {
    let pragma = |name| db.pragma_query_value(None, name, |row| row.get(0));
    Ok((pragma("application_id")?, pragma("user_version")?))
}

fn number(migrations: &[&str]) -> i64 {
    i64::try_from(migrations.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
