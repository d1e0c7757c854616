//! Copies of a database that is in use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use aerie_domain::JobId;
use aerie_storage::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};
use crate::rows::{json, parsed};

/// Copies the database in `file`, as it is at one moment, to `to`, which must not exist. Others may read and write meanwhile.
/// Only the owner can read the copy.
///
/// # Errors
/// When it cannot be read or written.
pub fn copy_database(file: &Path, to: &Path) -> Result<(), StoreError> {
    copy(file, to).map_err(StoreError::from)
}

/// Calls `each` with every job of a database that nobody writes to, and the keys of its media; expired media are left out.
///
/// # Errors
/// When it cannot be read.
pub fn for_each_jobs_media(file: &Path, each: impl FnMut(JobId, BTreeSet<String>)) -> Result<(), StoreError> {
    jobs_media(file, each).map_err(StoreError::from)
}

/// Checks a whole database for damage.
///
/// # Errors
/// The damage.
pub fn check_database(file: &Path) -> Result<(), StoreError> {
    check(file).map_err(StoreError::from)
}

fn copy(file: &Path, to: &Path) -> Result<()> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    db.busy_timeout(crate::connection::BUSY_TIMEOUT)?;
    let text = to.to_str().ok_or_else(|| StoreError::Backend(format!("{} is not UTF-8", to.display())))?;
    crate::permissions::create(to)?;
    db.execute("VACUUM INTO ?1", [text])?;
    // SQLite does not sync it.
    File::open(to)?.sync_all()?;
    Ok(())
}

fn jobs_media(file: &Path, mut each: impl FnMut(JobId, BTreeSet<String>)) -> Result<()> {
    type Keys = BTreeMap<String, String>;
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statement = db.prepare(
        "SELECT id, iif(expired_at IS NULL, media, '{}'), iif(expired_at IS NULL, input_media, '{}') FROM jobs",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (media, inputs): (Keys, Keys) = (json(row, 1)?, json(row, 2)?);
        each(parsed(row, 0)?, media.into_values().chain(inputs.into_values()).collect());
    }
    Ok(())
}

fn check(file: &Path) -> Result<()> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let found: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Error(StoreError::Backend(found))) }
}
