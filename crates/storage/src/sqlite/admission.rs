//! Whether a new job is taken on: quota, duplicates, and whether the same request has come before.

use aerie_domain::{Job, JobId, OrgId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::rows::parsed;
use super::{answers, jobs};
use crate::{Answer, NewJob, Refusal, StoreError};

pub(super) fn submit(db: &Connection, new: &NewJob, now: Timestamp) -> Result<Result<Job, Refusal>, StoreError> {
    if let Some(once) = &new.once
        && let Some(earlier) = answers::find(db, new.org_id, once, now)?
    {
        return Ok(Err(Refusal::CameBefore(earlier)));
    }
    let (quota, reject_duplicates): (Option<u32>, bool) = db
        .prepare_cached("SELECT monthly_quota, reject_duplicates FROM organisations WHERE id = ?1")?
        .query_row([new.org_id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if reject_duplicates && let Some(active) = active_like(db, new)? {
        return Ok(Err(Refusal::Duplicate(active)));
    }
    if let Some(quota) = quota
        && quota_used(db, new.org_id, now)? >= u64::from(quota)
    {
        return Ok(Err(Refusal::QuotaUsedUp { quota }));
    }
    let job = jobs::insert(db, new, now)?;
    db.prepare_cached(
        "INSERT INTO quota_use (org_id, month, jobs) VALUES (?1, strftime('%Y-%m', ?2 / 1000, 'unixepoch'), 1)
         ON CONFLICT DO UPDATE SET jobs = jobs + 1",
    )?
    .execute(params![new.org_id.to_string(), now.as_millisecond()])?;
    if let Some(once) = &new.once {
        answers::keep(db, new.org_id, once, &Answer::Submitted(job.id), now)?;
    }
    Ok(Ok(job))
}

/// A job that has not ended and was asked for in the same words.
fn active_like(db: &Connection, new: &NewJob) -> Result<Option<JobId>, StoreError> {
    let found = db
        .prepare_cached(
            "SELECT id FROM jobs WHERE org_id = ?1 AND status IN ('queued', 'running') AND job_type = ?2 AND input = ?3
             LIMIT 1",
        )?
        .query_row(params![new.org_id.to_string(), new.job_type.as_str(), new.input.to_string()], |row| parsed(row, 0))
        .optional()?;
    Ok(found)
}

pub(super) fn quota_used(db: &Connection, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
    let used = db
        .prepare_cached(
            "SELECT jobs FROM quota_use WHERE org_id = ?1 AND month = strftime('%Y-%m', ?2 / 1000, 'unixepoch')",
        )?
        .query_row(params![org_id.to_string(), at.as_millisecond()], |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(used.map_or(0, |used| u64::try_from(used).unwrap_or(0)))
}

/// A job that failed, or that was removed before it ended, does not count: neither in its month nor in any other.
pub(super) fn release_quota(db: &Connection, org_id: &str, created_at: i64) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE quota_use SET jobs = jobs - 1
         WHERE org_id = ?1 AND month = strftime('%Y-%m', ?2 / 1000, 'unixepoch') AND jobs > 0",
    )?
    .execute(params![org_id, created_at])?;
    Ok(())
}
