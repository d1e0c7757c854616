//! Jobs that count against quotas, by organization and UTC month.

use aerie_domain::OrgId;
use aerie_storage::backend::utc_month;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;

/// Counts new jobs.
pub(crate) fn reserve(db: &Connection, org_id: OrgId, jobs: usize, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO quota_use (org_id, month, jobs) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET jobs = jobs + excluded.jobs",
    )?
    .execute(params![org_id.to_string(), utc_month(now), i64::try_from(jobs).unwrap_or(i64::MAX)])?;
    Ok(())
}

pub(crate) fn used(db: &Connection, org_id: OrgId, at: Timestamp) -> Result<u64> {
    let used = db
        .prepare_cached("SELECT jobs FROM quota_use WHERE org_id = ?1 AND month = ?2")?
        .query_row(params![org_id.to_string(), utc_month(at)], |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(used.map_or(0, |used| u64::try_from(used).unwrap_or(0)))
}

/// Stops counting a job that failed or was deleted before it ended, in the month it was submitted in.
pub(crate) fn release(db: &Connection, org_id: &str, created_at: i64) -> Result<()> {
    db.prepare_cached(
        "UPDATE quota_use SET jobs = jobs - 1
         WHERE org_id = ?1 AND month = strftime('%Y-%m', ?2 / 1000, 'unixepoch') AND jobs > 0",
    )?
    .execute(params![org_id, created_at])?;
    Ok(())
}
