//! Admission of new jobs: idempotency key, duplicates, limits, quota.
//!
//! A submit first locks the row of its organization, so that what it reads stays true until it commits, on every node: no
//! two submits take the last place of a quota or a queue, or the same idempotency key.

use aerie_domain::{Job, JobId, OrgId};
use aerie_storage::{NewJob, RecordedAnswer, StoreError, SubmitRefusal};
use deadpool_postgres::Transaction;
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::pool::row;
use crate::rows::{number, number_or_none, time};
use crate::{failures, idempotency, jobs, leftovers, quota};

pub(crate) async fn submit(
    db: &Transaction<'_>,
    new: &NewJob,
    given: Option<i64>,
) -> Result<Result<Job, SubmitRefusal>> {
    let org = lock(db, new.org_id, given).await?;
    let (quota, reject_duplicates): (Option<u32>, bool) = (number_or_none(&org, 0)?, org.try_get(1)?);
    let now: Timestamp = time(&org, 2)?;
    if let Some(key) = &new.idempotency_key
        && let Some(replay) = idempotency::find(db, new.org_id, key, Some(now.as_millisecond())).await?
    {
        return Ok(Err(SubmitRefusal::Replay(replay)));
    }
    if reject_duplicates && let Some(active) = active_like(db, new).await? {
        return Ok(Err(SubmitRefusal::Duplicate(active)));
    }
    if let Some(limit) = new.limits.queued_jobs
        && queued(db, new.org_id).await? >= u64::from(limit)
    {
        return Ok(Err(SubmitRefusal::QueueFull { limit }));
    }
    if let Some(limit) = new.limits.failed_per_day
        && failures::today(db, new.org_id, now).await? >= u64::from(limit)
    {
        return Ok(Err(SubmitRefusal::TooManyFailed { limit }));
    }
    if let Some(quota) = quota
        && quota::used(db, new.org_id, now).await? >= u64::from(quota)
    {
        return Ok(Err(SubmitRefusal::QuotaExhausted { quota }));
    }
    let job = jobs::insert(db, new, now).await?;
    quota::reserve(db, new.org_id, now).await?;
    if !new.input_media.is_empty() {
        leftovers::submitted(db, new.id).await?;
    }
    if let Some(key) = &new.idempotency_key {
        idempotency::record(db, new.org_id, key, &RecordedAnswer::Submitted(job.id), now).await?;
    }
    Ok(Ok(job))
}

/// Locks the organization's row until the transaction ends; returns quota, whether duplicates are rejected, and the time.
pub(crate) async fn lock(db: &Transaction<'_>, org_id: OrgId, given: Option<i64>) -> Result<Row> {
    let statement = "SELECT monthly_quota, reject_duplicates, now_ms($2) FROM organizations WHERE id = $1
                     FOR NO KEY UPDATE";
    let found = row(db, statement, &[&org_id.0, &given]).await?;
    found.ok_or_else(|| Error(StoreError::Backend(format!("there is no organization {org_id}"))))
}

/// The organization's queued jobs of all kinds.
async fn queued(db: &Transaction<'_>, org_id: OrgId) -> Result<u64> {
    let statement = "SELECT coalesce(sum(jobs), 0)::bigint FROM job_counts WHERE org_id = $1 AND status = 'queued'";
    let found = row(db, statement, &[&org_id.0]).await?;
    found.map_or(Ok(0), |row| number(&row, 0))
}

/// An active job of the same kind with the same input.
async fn active_like(db: &Transaction<'_>, new: &NewJob) -> Result<Option<JobId>> {
    let statement = "SELECT id FROM jobs WHERE org_id = $1 AND status IN ('queued', 'running') AND job_type = $2
                         AND hashtextextended(input, 0) = hashtextextended($3, 0) AND input = $3 LIMIT 1";
    let found = row(db, statement, &[&new.org_id.0, &new.job_type.as_str(), &new.input.to_string()]).await?;
    Ok(found.map(|row| row.try_get::<_, Uuid>(0)).transpose()?.map(JobId))
}
