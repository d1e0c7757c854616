//! The owner's steps of a markup, as changes of its job.

use aerie_domain::{Job, JobEvent, JobStatus, MarkupEffect, MarkupRefusal, MarkupStage, MarkupStep, variant_keys};
use jiff::Timestamp;
use serde_json::Value;

use crate::Annotation;

/// The markup with this variant selected.
///
/// # Errors
/// When the step is not allowed now.
pub fn markup_selected(mut job: Job, orientation: &str, now: Timestamp) -> Result<Job, MarkupRefusal> {
    let place = variant_keys(&job).iter().position(|key| *key == orientation);
    MarkupStage::of(&job).take(MarkupStep::Select { known: place.is_some() })?;
    job.output.insert("selected_orientation".into(), Value::from(orientation));
    // The enhanced picture of the variant: the same file under another field.
    let enhanced = place.and_then(|place| job.media.get(&format!("/orientation_variants/{place}/enhanced_url")));
    if let Some(key) = enhanced.cloned() {
        job.media.insert("/selected_url".into(), key);
    }
    job.updated_at = now;
    Ok(job)
}

/// The markup completed with this annotation, and whether it is the first: the same annotation again changes nothing.
///
/// # Errors
/// When the step is not allowed now.
pub fn markup_annotated(mut job: Job, with: &Annotation, now: Timestamp) -> Result<(Job, bool), MarkupRefusal> {
    let same = job.annotation.as_ref() == Some(&with.body);
    if MarkupStage::of(&job).take(MarkupStep::Annotate { same })? == MarkupEffect::Repeat {
        return Ok((job, false));
    }
    job.output.extend(with.output.fields.clone());
    job.media.extend(with.output.media.clone());
    job.annotation = Some(with.body.clone());
    job.status = job.status.after(JobEvent::Complete).unwrap_or(JobStatus::Completed);
    (job.updated_at, job.completed_at) = (now, Some(now));
    Ok((job, true))
}
