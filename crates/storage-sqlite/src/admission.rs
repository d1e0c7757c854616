//! Admission of new jobs: idempotency key, duplicates, limits, quota.

use aerie_domain::{Job, JobId, JobLimits, OrgId};
use aerie_storage::{NewJob, RecordedAnswer, SubmitRefusal};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;
use crate::rows::parsed;
use crate::{failures, idempotency, job_rows, leftovers, quota};

pub(crate) fn submit(db: &Connection, new: &NewJob, now: Timestamp) -> Result<Result<Job, SubmitRefusal>> {
    if let Some(key) = &new.idempotency_key
        && let Some(replay) = idempotency::find(db, new.org_id, key, now)?
    {
        return Ok(Err(SubmitRefusal::Replay(replay)));
    }
    let (quota, reject_duplicates) = terms(db, new.org_id)?;
    if reject_duplicates && let Some(active) = active_like(db, new)? {
        return Ok(Err(SubmitRefusal::Duplicate(active)));
    }
    if let Some(refusal) = no_room(db, new.org_id, (1, quota, new.limits), now)? {
        return Ok(Err(refusal));
    }
    let job = job_rows::insert(db, new, now)?;
    quota::reserve(db, new.org_id, 1, now)?;
    if !new.input_media.is_empty() {
        leftovers::submitted(db, new.id)?;
    }
    if let Some(key) = &new.idempotency_key {
        idempotency::record(db, new.org_id, key, &RecordedAnswer::Submitted(job.id), now)?;
    }
    Ok(Ok(job))
}

/// Quota of the organization, and whether it rejects duplicates.
pub(crate) fn terms(db: &Connection, org_id: OrgId) -> Result<(Option<u32>, bool)> {
    let terms = db
        .prepare_cached("SELECT monthly_quota, reject_duplicates FROM organizations WHERE id = ?1")?
        .query_row([org_id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(terms)
}

/// The limit that has no room for so many jobs.
pub(crate) fn no_room(
    db: &Connection,
    org_id: OrgId,
    (jobs, quota, limits): (usize, Option<u32>, JobLimits),
    now: Timestamp,
) -> Result<Option<SubmitRefusal>> {
    let jobs = u64::try_from(jobs).unwrap_or(u64::MAX);
    if let Some(limit) = limits.queued_jobs
        && queued(db, org_id)? + jobs > u64::from(limit)
    {
        return Ok(Some(SubmitRefusal::QueueFull { limit }));
    }
    if let Some(limit) = limits.failed_per_day
        && failures::today(db, org_id, now.as_millisecond())? >= i64::from(limit)
    {
        return Ok(Some(SubmitRefusal::TooManyFailed { limit }));
    }
    if let Some(quota) = quota
        && quota::used(db, org_id, now)? + jobs > u64::from(quota)
    {
        return Ok(Some(SubmitRefusal::QuotaExhausted { quota }));
    }
    Ok(None)
}

/// The organization's queued jobs of all kinds.
fn queued(db: &Connection, org_id: OrgId) -> Result<u64> {
    let jobs: i64 = db
        .prepare_cached("SELECT coalesce(sum(jobs), 0) FROM job_counts WHERE org_id = ?1 AND status = 'queued'")?
        .query_row([org_id.to_string()], |row| row.get(0))?;
    Ok(u64::try_from(jobs).unwrap_or(0))
}

/// An active job of the same kind with the same input.
pub(crate) fn active_like(db: &Connection, new: &NewJob) -> Result<Option<JobId>> {
    let found = db
        .prepare_cached(
            "SELECT id FROM jobs WHERE org_id = ?1 AND status IN ('queued', 'running') AND job_type = ?2 AND input = ?3
             LIMIT 1",
        )?
        .query_row(
            params![new.org_id.to_string(), new.input.job_type().as_str(), new.input.to_stored().to_string()],
            |row| parsed(row, 0),
        )
        .optional()?;
    Ok(found)
}
