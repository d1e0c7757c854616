//! Admission of new jobs: idempotency key, duplicates, limits, quota.
//!
//! A submit first locks the row of its organization, so that what it reads stays true until it commits, on every node: no
//! two submits take the last place of a quota or a queue, or the same idempotency key.
//!
//! # Invariants
//!
//! - Quotas, queue limits and idempotency keys hold over all nodes. Test: `quotas_queue_limits_and_idempotency_keys_hold_over_nodes`.
//! - Submits for listings on several nodes never exceed the quota. Test in `storage`:
//!   `concurrent_submits_for_listings_never_exceed_the_quota`.

use aerie_domain::{Job, JobId, JobLimits, OrgId};
use aerie_storage::{NewJob, RecordedAnswer, StoreError, SubmitRefusal};
use deadpool_postgres::Transaction;
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::pool::row;
use crate::rows::{number, number_or_none, time};
use crate::{failures, idempotency, job_rows, leftovers, quota};

pub(crate) async fn submit(
    db: &Transaction<'_>,
    new: &NewJob,
    given: Option<i64>,
) -> Result<Result<Job, SubmitRefusal>> {
    let terms = Terms::locked(db, new.org_id, given).await?;
    if let Some(key) = &new.idempotency_key
        && let Some(replay) = idempotency::find(db, new.org_id, key, Some(terms.now.as_millisecond())).await?
    {
        return Ok(Err(SubmitRefusal::Replay(replay)));
    }
    if terms.reject_duplicates
        && let Some(active) = active_like(db, new).await?
    {
        return Ok(Err(SubmitRefusal::Duplicate(active)));
    }
    if let Some(refusal) = no_room(db, new.org_id, (1, new.limits), &terms).await? {
        return Ok(Err(refusal));
    }
    let job = job_rows::insert(db, new, terms.now).await?;
    quota::reserve(db, new.org_id, 1, terms.now).await?;
    if !new.input_media.is_empty() {
        leftovers::submitted(db, new.id).await?;
    }
    if let Some(key) = &new.idempotency_key {
        idempotency::record(db, new.org_id, key, &RecordedAnswer::Submitted(job.id), terms.now).await?;
    }
    Ok(Ok(job))
}

/// Terms of an organization whose row is locked, and the time.
pub(crate) struct Terms {
    pub(crate) quota: Option<u32>,
    pub(crate) reject_duplicates: bool,
    pub(crate) now: Timestamp,
}

impl Terms {
    pub(crate) async fn locked(db: &Transaction<'_>, org_id: OrgId, given: Option<i64>) -> Result<Self> {
        let org = lock(db, org_id, given).await?;
        Ok(Self { quota: number_or_none(&org, 0)?, reject_duplicates: org.try_get(1)?, now: time(&org, 2)? })
    }
}

/// The limit that has no room for so many jobs.
pub(crate) async fn no_room(
    db: &Transaction<'_>,
    org_id: OrgId,
    (jobs, limits): (usize, JobLimits),
    terms: &Terms,
) -> Result<Option<SubmitRefusal>> {
    let jobs = u64::try_from(jobs).unwrap_or(u64::MAX);
    if let Some(limit) = limits.queued_jobs
        && queued(db, org_id).await? + jobs > u64::from(limit)
    {
        return Ok(Some(SubmitRefusal::QueueFull { limit }));
    }
    if let Some(limit) = limits.failed_per_day
        && failures::today(db, org_id, terms.now).await? >= u64::from(limit)
    {
        return Ok(Some(SubmitRefusal::TooManyFailed { limit }));
    }
    if let Some(quota) = terms.quota
        && quota::used(db, org_id, terms.now).await? + jobs > u64::from(quota)
    {
        return Ok(Some(SubmitRefusal::QuotaExhausted { quota }));
    }
    Ok(None)
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
pub(crate) async fn active_like(db: &Transaction<'_>, new: &NewJob) -> Result<Option<JobId>> {
    let statement = "SELECT id FROM jobs WHERE org_id = $1 AND status IN ('queued', 'running') AND job_type = $2
                         AND hashtextextended(input, 0) = hashtextextended($3, 0) AND input = $3 LIMIT 1";
    let (kind, input) = (new.input.job_type().as_str(), new.input.to_stored().to_string());
    let found = row(db, statement, &[&new.org_id.0, &kind, &input]).await?;
    Ok(found.map(|row| row.try_get::<_, Uuid>(0)).transpose()?.map(JobId))
}
