//! Rows of jobs, as all modules that read or insert them know them.

use aerie_domain::{Job, JobId, JobStatus, JobType, MarkupRefusal};
use aerie_storage::NewJob;
use aerie_storage::backend::queued_job;
use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use crate::error::Result;
use crate::rows::{json, named, parsed, parsed_or_none, time, time_or_none};

/// The columns that [`job`] reads. A macro, so that a statement that every request needs is a constant.
macro_rules! columns {
    () => {
        "id, org_id, job_type, status, input, output, media, unit_price_cents, request_id, attempt, \
         created_at, updated_at, completed_at, input_media, parent_id, annotation, notes, expired_at, pack"
    };
}

pub(crate) use columns;

pub(crate) const COLUMNS: &str = columns!();

pub(crate) fn job(row: &Row<'_>) -> rusqlite::Result<Job> {
    Ok(Job {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        job_type: named(row, 2, JobType::from_name)?,
        status: named(row, 3, JobStatus::from_name)?,
        input: json(row, 4)?,
        output: json(row, 5)?,
        media: json(row, 6)?,
        unit_price_cents: row.get(7)?,
        request_id: parsed(row, 8)?,
        attempt: row.get(9)?,
        created_at: time(row, 10)?,
        updated_at: time(row, 11)?,
        completed_at: time_or_none(row, 12)?,
        input_media: json(row, 13)?,
        parent_id: if row.get_ref(14)? == ValueRef::Null { None } else { Some(parsed(row, 14)?) },
        annotation: if row.get_ref(15)? == ValueRef::Null { None } else { Some(json(row, 15)?) },
        notes: json(row, 16)?,
        expired_at: time_or_none(row, 17)?,
        pack: parsed_or_none(row, 18)?,
    })
}

pub(crate) fn insert(db: &Connection, new: &NewJob, now: Timestamp) -> Result<Job> {
    if let Some(parent) = new.parent_id
        && has_active_child(db, parent)?
    {
        return Err(MarkupRefusal::VideoInProgress.into());
    }
    let job = queued_job(new, now);
    db.prepare_cached(
        "INSERT INTO jobs (id, org_id, job_type, status, input, unit_price_cents, request_id, created_at, updated_at,
             input_media, parent_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)",
    )?
    .execute(params![
        job.id.to_string(),
        job.org_id.to_string(),
        job.job_type.as_str(),
        job.status.as_str(),
        job.input.to_string(),
        job.unit_price_cents,
        job.request_id.to_string(),
        now.as_millisecond(),
        to_json(&job.input_media)?,
        job.parent_id.map(|id| id.to_string()),
    ])?;
    Ok(job)
}

pub(crate) fn has_active_child(db: &Connection, parent: JobId) -> Result<bool> {
    let found = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM jobs WHERE parent_id = ?1 AND status IN ('queued', 'running'))")?
        .query_row([parent.to_string()], |row| row.get(0))?;
    Ok(found)
}

pub(crate) fn to_json(value: &impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// Condition on the job of a lease: worker and attempt as claimed, and still running.
pub(crate) const HELD: &str = "id = :id AND worker = :worker AND attempt = :attempt AND status = 'running'";
