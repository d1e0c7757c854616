//! Copies of a database that is in use.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use aerie_domain::JobId;
use aerie_storage::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};
use crate::rows::{json, parsed};
use crate::{integrity, migrations};

/// Copies the database in `file`, as it is at one moment, to `to`, which must not exist. Others may read and write meanwhile.
/// Only the owner can read the copy.
///
/// # Errors
/// When it cannot be read or written.
pub fn copy_database(file: &Path, to: &Path) -> Result<(), StoreError> {
    copy(file, to).map_err(StoreError::from)
}

/// Calls `each` with every job, upload and truth page of a database that nobody writes to that has media, and their keys; expired media are left
/// out.
///
/// # Errors
/// When it cannot be read.
pub fn for_each_kept_media(file: &Path, each: impl FnMut(JobId, BTreeSet<String>)) -> Result<(), StoreError> {
    kept_media(file, each).map_err(StoreError::from)
}

/// What a copy of a database holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseSummary {
    /// SQLite's `application_id`.
    pub application_id: i64,
    /// SQLite's `user_version`: the version of the schema.
    pub user_version: i64,
    /// Number of jobs.
    pub jobs: u64,
    /// Number of organizations.
    pub organizations: u64,
    /// Number of API keys.
    pub keys: u64,
    /// Number of usage events.
    pub usage_events: u64,
}

/// Checks a whole copy of a database for damage, and that this version can use it. Nobody may write to the copy; nothing is
/// written, and files that belong to it (`-wal`, `-shm`, `-journal`) are not read.
///
/// # Errors
/// The damage, or that the database is of another program or a newer version.
pub fn check_copy(file: &Path) -> Result<DatabaseSummary, StoreError> {
    summary(file).map_err(StoreError::from)
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

fn kept_media(file: &Path, mut each: impl FnMut(JobId, BTreeSet<String>)) -> Result<()> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statement = db.prepare(&media_statement("TRUE"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        each(parsed(row, 0)?, json(row, 1)?);
    }
    Ok(())
}

/// Selects the ids of jobs, uploads and truth pages under a condition on `id` that have media which have not expired, with their keys as an array.
/// Of uploads that share a file, only the first has it.
pub(crate) fn media_statement(condition: &str) -> String {
    format!(
        "SELECT id, (SELECT json_group_array(value) FROM
             (SELECT value FROM json_each(media) UNION SELECT value FROM json_each(input_media)))
         FROM jobs WHERE {condition} AND expired_at IS NULL AND (media <> '{{}}' OR input_media <> '{{}}')
         UNION ALL
         SELECT id, iif(sha256 IS NULL, (SELECT json_group_array(value ->> 'key') FROM json_each(parts)),
             json_array(org_id || '/' || stored_as || '/photo.' || extension))
         FROM uploads WHERE {condition} AND (sha256 IS NOT NULL OR parts <> '[]')
             AND id = (SELECT min(same.id) FROM uploads AS same WHERE same.stored_as = uploads.stored_as)
         UNION ALL
         SELECT id, (SELECT json_group_array(value ->> 'key') FROM json_each(files))
         FROM truth_pages WHERE {condition} AND files <> '[]'"
    )
}

fn check(file: &Path) -> Result<()> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    integrity_check(&db)
}

fn integrity_check(db: &Connection) -> Result<()> {
    integrity::report(db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?)
}

fn summary(file: &Path) -> Result<DatabaseSummary> {
    if std::fs::metadata(file)?.len() == 0 {
        return Err(StoreError::Corrupt("the file is empty".to_owned()).into());
    }
    let text = file.to_str().ok_or_else(|| StoreError::Backend(format!("{} is not UTF-8", file.display())))?;
    let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?;
    let (application_id, user_version) = migrations::check_version(&db, text)?;
    integrity_check(&db)?;
    let count = |table| {
        let rows: i64 = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
        Ok::<_, Error>(u64::try_from(rows).unwrap_or(0))
    };
    Ok(DatabaseSummary {
        application_id,
        user_version,
        jobs: count("jobs")?,
        organizations: count("organizations")?,
        keys: count("api_keys")?,
        usage_events: count("usage_events")?,
    })
}
