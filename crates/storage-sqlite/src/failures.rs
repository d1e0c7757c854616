//! Failed jobs by organization and UTC day.

use aerie_domain::OrgId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;
use crate::quota;

/// Records that a job that was submitted at `created_at` has failed: it no longer counts against the quota, but against the
/// failed jobs of the day.
pub(crate) fn record(db: &Connection, org_id: &str, created_at: i64, now: i64) -> Result<()> {
    quota::release(db, org_id, created_at)?;
    db.prepare_cached(
        "INSERT INTO failed_jobs (org_id, day, jobs) VALUES (?1, date(?2 / 1000, 'unixepoch'), 1)
         ON CONFLICT DO UPDATE SET jobs = iif(day = excluded.day, jobs + 1, 1), day = excluded.day",
    )?
    .execute(params![org_id, now])?;
    Ok(())
}

/// The organization's jobs that have failed in the UTC day of `now`.
pub(crate) fn today(db: &Connection, org_id: OrgId, now: i64) -> Result<i64> {
    let failed = db
        .prepare_cached("SELECT jobs FROM failed_jobs WHERE org_id = ?1 AND day = date(?2 / 1000, 'unixepoch')")?
        .query_row(params![org_id.to_string(), now], |row| row.get(0))
        .optional()?;
    Ok(failed.unwrap_or(0))
}
