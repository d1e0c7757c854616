//! What tests of other crates need to know about a database file, or to do to it; and faults of its connection.

mod faults;

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;

use aerie_domain::{JobStatus, JobType};
use aerie_storage::StoreError;
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::error::Result;
use crate::migrations::EARLIER_APPLICATION_ID;
use crate::rows::{json, named};

pub use faults::Faults;
pub(crate) use faults::{KeyCache, Readers, Writer};

/// A job that a test inserts as if it had been run long ago.
#[derive(Debug, Clone)]
pub struct StoredJob {
    /// A UUID; the usage event of a completed job has the same.
    pub id: String,
    /// The kind.
    pub kind: JobType,
    /// The status.
    pub status: JobStatus,
    /// The request.
    pub input: Value,
    /// Its media, as in [`JobOutput::media`](aerie_storage::JobOutput::media).
    pub media: Value,
    /// When it was submitted and last changed, in milliseconds since 1970.
    pub at: i64,
}

/// How often a job was run, and how it ended.
#[derive(Debug, Clone)]
pub struct Runs {
    /// The job's status.
    pub status: JobStatus,
    /// Runs that count against the limit.
    pub runs: u32,
    /// The request.
    pub input: Value,
    /// The output.
    pub output: Value,
}

/// Inserts jobs of an organization, and a usage event for each that is completed, in one transaction.
///
/// # Errors
/// When the database cannot be written to.
pub fn insert_jobs(file: &Path, org: &str, jobs: impl Iterator<Item = StoredJob>) -> Result<(), StoreError> {
    insert(file, org, jobs).map_err(StoreError::from)
}

/// Marks a database as builds before 0.1.0 did.
///
/// # Errors
/// When the database cannot be written to.
pub fn mark_earlier_build(file: &Path) -> Result<(), StoreError> {
    let marked = Connection::open(file).and_then(|db| db.pragma_update(None, "application_id", EARLIER_APPLICATION_ID));
    marked.map_err(|error| crate::error::Error::from(error).into())
}

/// The runs of every job.
///
/// # Errors
/// When the database cannot be read.
pub fn list_runs(file: &Path) -> Result<Vec<Runs>, StoreError> {
    runs(file).map_err(StoreError::from)
}

/// Renames the table of jobs, so that every operation on jobs fails.
///
/// # Errors
/// When the database cannot be written to.
pub fn break_jobs(file: &Path) -> Result<(), StoreError> {
    let rename = "PRAGMA foreign_keys = OFF; ALTER TABLE jobs RENAME TO secret_table";
    let renamed = Connection::open(file).and_then(|db| db.execute_batch(rename));
    renamed.map_err(|error| crate::error::Error::from(error).into())
}

/// Overwrites pages of a table in the database file, as a faulty disk does: every page, or all but the root and the ends.
/// Returns how many.
///
/// # Errors
/// When the file cannot be read or written.
pub fn damage_table(file: &Path, table: &str, is_everywhere: bool) -> Result<usize, StoreError> {
    damage(file, table, is_everywhere).map_err(StoreError::from)
}

fn damage(file: &Path, table: &str, is_everywhere: bool) -> Result<usize> {
    let db = Connection::open(file)?;
    // So that no page is read from the `-wal` file.
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let size: u64 = db.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0))?.into();
    let mut pages: Vec<u64> = db
        .prepare("SELECT pageno FROM dbstat WHERE name = ?1 AND (?2 OR pagetype = 'leaf') ORDER BY path")?
        .query_map(params![table, is_everywhere], |row| row.get::<_, u32>(0).map(u64::from))?
        .collect::<rusqlite::Result<_>>()?;
    if !is_everywhere {
        let (from, to) = (pages.len() / 3, pages.len() * 2 / 3);
        pages = pages[from..to].to_vec();
    }
    drop(db);
    let file = OpenOptions::new().write(true).open(file)?;
    for page in &pages {
        file.write_all_at(&[0xa5; 512], (page - 1) * size)?;
    }
    file.sync_all()?;
    Ok(pages.len())
}

fn insert(file: &Path, org: &str, jobs: impl Iterator<Item = StoredJob>) -> Result<()> {
    let mut db = Connection::open(file)?;
    let transaction = db.transaction()?;
    {
        let mut job = transaction.prepare(
            "INSERT INTO jobs (id, org_id, job_type, status, input, output, media, unit_price_cents, request_id,
                 attempt, runs, created_at, updated_at, completed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, '{\"duration\":10.0}', ?6, 1500, ?1, 1, 1, ?7, ?7, ?8)",
        )?;
        let mut event = transaction.prepare(
            "INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at)
             VALUES (?1, ?2, ?1, ?3, 1500, ?4)",
        )?;
        for new in jobs {
            let completed_at = (new.status == JobStatus::Completed).then_some(new.at);
            let (input, media) = (new.input.to_string(), new.media.to_string());
            let (kind, status) = (new.kind.as_str(), new.status.as_str());
            job.execute(params![new.id, org, kind, status, input, media, new.at, completed_at])?;
            if completed_at.is_some() {
                event.execute(params![new.id, org, new.kind.event_type(), new.at])?;
            }
        }
    }
    Ok(transaction.commit()?)
}

fn runs(file: &Path) -> Result<Vec<Runs>> {
    let db = Connection::open(file)?;
    let mut statement = db.prepare("SELECT status, runs, input, output FROM jobs")?;
    let rows = statement.query_map([], |row| {
        let status = named(row, 0, JobStatus::from_name)?;
        Ok(Runs { status, runs: row.get(1)?, input: json(row, 2)?, output: json(row, 3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
