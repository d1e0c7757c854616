//! The owner's steps of a markup.

use aerie_domain::{Job, JobId, OrgId};
use aerie_storage::Annotation;
use aerie_storage::backend::{markup_annotated, markup_selected};
use deadpool_postgres::Transaction;
use jiff::Timestamp;
use serde_json::Value;

use crate::error::Result;
use crate::jobs::{COLUMNS, job};
use crate::pool::{execute, row};

/// The markup, locked until the transaction ends.
async fn markup(db: &Transaction<'_>, org_id: OrgId, id: JobId) -> Result<Option<Job>> {
    let statement =
        format!("SELECT {COLUMNS} FROM jobs WHERE id = $1 AND org_id = $2 AND job_type = 'markup' FOR UPDATE");
    row(db, &statement, &[&id.0, &org_id.0]).await?.map(|row| job(&row)).transpose()
}

pub(crate) async fn select(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: JobId,
    orientation: &str,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id).await? else { return Ok(None) };
    let job = markup_selected(job, orientation, now)?;
    write(db, &job).await?;
    Ok(Some(job))
}

pub(crate) async fn annotate(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: JobId,
    with: &Annotation,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id).await? else { return Ok(None) };
    let (job, is_first) = markup_annotated(job, with, now)?;
    if is_first {
        write(db, &job).await?;
    }
    Ok(Some(job))
}

/// Writes what a step may change.
async fn write(db: &Transaction<'_>, job: &Job) -> Result<()> {
    let statement = "UPDATE jobs SET status = $2, output = $3, media = $4, annotation = $5, updated_at = $6,
                         completed_at = $7
                     WHERE id = $1";
    execute(
        db,
        statement,
        &[
            &job.id.0,
            &job.status.as_str(),
            &serde_json::to_string(&job.output)?,
            &serde_json::to_string(&job.media)?,
            &job.annotation.as_ref().map(Value::to_string),
            &job.updated_at.as_millisecond(),
            &job.completed_at.map(Timestamp::as_millisecond),
        ],
    )
    .await?;
    Ok(())
}
