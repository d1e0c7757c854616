//! The owner's steps of a markup.

use aerie_domain::{Job, JobId, JobType, MarkupEffect, MarkupStage, MarkupStep, OrgId, variant_keys};
use aerie_storage::Annotation;
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
    let Some(mut job) = markup(db, org_id, id)? else { return Ok(None) };
    let place = variant_keys(&job).iter().position(|key| *key == orientation);
    MarkupStage::of(&job).take(MarkupStep::Select { known: place.is_some() })?;
    job.output.insert("selected_orientation".into(), Value::from(orientation));
    // The enhanced picture of the variant: the same file under another field.
    let enhanced = place.and_then(|place| job.media.get(&format!("/orientation_variants/{place}/enhanced_url")));
    if let Some(key) = enhanced.cloned() {
        job.media.insert("/selected_url".into(), key);
    }
    job.updated_at = now;
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
    let Some(mut job) = markup(db, org_id, id)? else { return Ok(None) };
    let same = job.annotation.as_ref() == Some(&with.body);
    if MarkupStage::of(&job).take(MarkupStep::Annotate { same })? == MarkupEffect::Repeat {
        return Ok(Some(job));
    }
    job.output.extend(with.output.fields.clone());
    job.media.extend(with.output.media.clone());
    job.annotation = Some(with.body.clone());
    job.status = job.status.after(aerie_domain::JobEvent::Complete).unwrap_or(aerie_domain::JobStatus::Completed);
    (job.updated_at, job.completed_at) = (now, Some(now));
    write(db, &job)?;
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
