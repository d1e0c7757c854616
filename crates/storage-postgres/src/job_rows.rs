//! Rows of jobs, as all modules that read or insert them know them.

use aerie_domain::{Job, JobId, JobStatus, JobType, MarkupRefusal, OrgId, RequestId};
use aerie_storage::NewJob;
use aerie_storage::backend::queued_job;
use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::Result;
use crate::pool::{execute, row};
use crate::rows::{json, json_or_none, named, number, parsed_or_none, time, time_or_none};

/// The columns that [`job`] reads.
pub(crate) const COLUMNS: &str = "jobs.id, jobs.org_id, jobs.job_type, jobs.status, input, output, media, \
     unit_price_cents, request_id, attempt, created_at, updated_at, completed_at, input_media, parent_id, annotation, \
     notes, expired_at, pack";

pub(crate) fn job(row: &Row) -> Result<Job> {
    Ok(Job {
        id: JobId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        job_type: named(row, 2, JobType::from_name)?,
        status: named(row, 3, JobStatus::from_name)?,
        input: json(row, 4)?,
        output: json(row, 5)?,
        media: json(row, 6)?,
        unit_price_cents: row.try_get(7)?,
        request_id: RequestId(row.try_get(8)?),
        attempt: number(row, 9)?,
        created_at: time(row, 10)?,
        updated_at: time(row, 11)?,
        completed_at: time_or_none(row, 12)?,
        input_media: json(row, 13)?,
        parent_id: row.try_get::<_, Option<Uuid>>(14)?.map(JobId),
        annotation: json_or_none(row, 15)?,
        notes: json(row, 16)?,
        expired_at: time_or_none(row, 17)?,
        pack: parsed_or_none(row, 18)?,
    })
}

/// Inserts a job. The organization's row is locked, so that no other job of the same parent is inserted meanwhile.
pub(crate) async fn insert(db: &Transaction<'_>, new: &NewJob, now: Timestamp) -> Result<Job> {
    if let Some(parent) = new.parent_id
        && has_active_child(db, parent).await?
    {
        return Err(MarkupRefusal::VideoInProgress.into());
    }
    let job = queued_job(new, now);
    let statement = "INSERT INTO jobs (id, org_id, job_type, status, input, unit_price_cents, request_id, created_at,
                         updated_at, input_media, parent_id, listing)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)";
    let listing = new.input.request().listing_id().map(|id| Value::from(id).to_string());
    execute(
        db,
        statement,
        &[
            &job.id.0,
            &job.org_id.0,
            &job.job_type.as_str(),
            &job.status.as_str(),
            &job.input.to_string(),
            &job.unit_price_cents,
            &job.request_id.0,
            &now.as_millisecond(),
            &serde_json::to_string(&job.input_media)?,
            &job.parent_id.map(|id| id.0),
            &listing,
        ],
    )
    .await?;
    Ok(job)
}

pub(crate) async fn has_active_child(db: &impl GenericClient, parent: JobId) -> Result<bool> {
    let statement = "SELECT 1 FROM jobs WHERE parent_id = $1 AND status IN ('queued', 'running') LIMIT 1";
    Ok(row(db, statement, &[&parent.0]).await?.is_some())
}

/// Condition on the job of a lease: worker and attempt as claimed, and still running.
pub(crate) const HELD: &str = "id = $1 AND worker = $2 AND attempt = $3 AND status = 'running'";
