//! Jobs whose media are to be looked at, because some may not be needed.

use aerie_domain::JobId;
use aerie_storage::backend::{LEFTOVERS_WAIT, milliseconds};
use rusqlite::{Connection, params};

use crate::error::Result;

/// Notes a job, to be looked at from `due_at` on; the later of two times counts.
pub(crate) fn expect(db: &Connection, org_id: &str, job_id: &str, due_at: i64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO leftovers (job_id, org_id, due_at) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET due_at = max(due_at, excluded.due_at)",
    )?
    .execute(params![job_id, org_id, due_at])?;
    Ok(())
}

/// Notes a job that ended with files that nobody may need.
pub(crate) fn ended(db: &Connection, org_id: &str, job_id: &str, now: i64) -> Result<()> {
    expect(db, org_id, job_id, now + milliseconds(LEFTOVERS_WAIT))
}

/// Notes a job that expired.
pub(crate) fn expired(db: &Connection, org_id: &str, job_id: &str, now: i64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO leftovers (job_id, org_id, due_at) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET due_at = min(due_at, excluded.due_at)",
    )?
    .execute(params![job_id, org_id, now])?;
    Ok(())
}

/// Forgets a job that has its row now.
pub(crate) fn submitted(db: &Connection, job_id: JobId) -> Result<()> {
    db.prepare_cached("DELETE FROM leftovers WHERE job_id = ?1")?.execute([job_id.to_string()])?;
    Ok(())
}
