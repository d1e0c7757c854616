//! The owner's steps of a markup.

use aerie_domain::{Job, JobId, JobType, OrgId};
use aerie_storage::Annotation;
use aerie_storage::backend::{markup_annotated, markup_selected};
use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::error::Result;
use crate::jobs::{get, to_json};

fn markup(db: &Connection, org_id: OrgId, id: JobId) -> Result<Option<Job>> {
    Ok(get(db, Some(org_id), id)?.filter(|job| job.job_type == JobType::Markup))
}

pub(crate) fn select(
    db: &Connection,
    org_id: OrgId,
    id: JobId,
    orientation: &str,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id)? else { return Ok(None) };
    let job = markup_selected(job, orientation, now)?;
    write(db, &job)?;
    Ok(Some(job))
}

pub(crate) fn annotate(
    db: &Connection,
    org_id: OrgId,
    id: JobId,
    with: &Annotation,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id)? else { return Ok(None) };
    let (job, is_first) = markup_annotated(job, with, now)?;
    if is_first {
        write(db, &job)?;
    }
    Ok(Some(job))
}

/// Writes what a step may change. The job was read in the same transaction, so that nothing needs to be compared.
fn write(db: &Connection, job: &Job) -> Result<()> {
    db.prepare_cached(
        "UPDATE jobs SET status = ?2, output = ?3, media = ?4, annotation = ?5, updated_at = ?6, completed_at = ?7
         WHERE id = ?1",
    )?
    .execute(params![
        job.id.to_string(),
        job.status.as_str(),
        to_json(&job.output)?,
        to_json(&job.media)?,
        job.annotation.as_ref().map(Value::to_string),
        job.updated_at.as_millisecond(),
        job.completed_at.map(Timestamp::as_millisecond),
    ])?;
    Ok(())
}
