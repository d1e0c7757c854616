//! Copies of the database, while it is in use.

use std::collections::BTreeSet;
use std::path::Path;

use aerie_domain::JobId;
use rusqlite::{Connection, OpenFlags};

use super::rows::{json, parsed};
use crate::StoreError;

/// Writes a copy of the database in `file` to `to`, which must not be there: all of it as it was in one moment, while
/// others read and write.
///
/// # Errors
/// When it cannot be read or written.
pub fn copy_database(file: &Path, to: &Path) -> Result<(), StoreError> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    db.busy_timeout(super::BUSY_TIMEOUT)?;
    let to_text = to.to_str().ok_or_else(|| StoreError::Backend(format!("{} is not UTF-8", to.display())))?;
    db.execute("VACUUM INTO ?1", [to_text])?;
    // SQLite leaves that to us.
    let synced = std::fs::File::open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| StoreError::Backend(error.to_string()))
}

/// Calls `each` with every job of a database that nobody writes to, and the keys of its media, unless they have expired.
///
/// # Errors
/// When it cannot be read.
pub fn each_jobs_media(file: &Path, mut each: impl FnMut(JobId, BTreeSet<String>)) -> Result<(), StoreError> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statement = db.prepare(
        "SELECT id, iif(expired_at IS NULL, media, '{}'), iif(expired_at IS NULL, input_media, '{}') FROM jobs",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        type Keys = std::collections::BTreeMap<String, String>;
        let (media, came_in): (Keys, Keys) = (json(row, 1)?, json(row, 2)?);
        each(parsed(row, 0)?, media.into_values().chain(came_in.into_values()).collect());
    }
    Ok(())
}

/// Looks through a whole database for damage.
///
/// # Errors
/// What is wrong with it.
pub fn check_database(file: &Path) -> Result<(), StoreError> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let found: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Backend(found)) }
}
