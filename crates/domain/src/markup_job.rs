//! What the markup workflow reads from a job.

use serde_json::Value;

use crate::{Job, JobInput, MarkupRefusal, MarkupStage, MarkupStep};

impl MarkupStage {
    /// The stage of a markup job.
    #[must_use]
    pub fn of(job: &Job) -> Self {
        Self::new(job.status, &job.output, job.expired_at.is_some())
    }
}

/// Makes a request one for a video of this markup, unless another is queued or running.
///
/// # Errors
/// When the markup has no video at its stage.
pub fn continue_markup(markup: &Job, has_active_video: bool, input: &mut JobInput) -> Result<(), MarkupRefusal> {
    MarkupStage::of(markup).take(MarkupStep::Video { active: has_active_video })?;
    if let JobInput::MarkupVideo(video) = input {
        video.markup_job_id = Some(markup.id.0);
        video.address = markup.input["address"].as_str().unwrap_or_default().to_owned();
    }
    Ok(())
}

/// Keys of a markup job's variants, in the order of its output.
#[must_use]
pub fn variant_keys(job: &Job) -> Vec<&str> {
    let variants = job.output.get("orientation_variants").and_then(Value::as_array);
    variants.into_iter().flatten().filter_map(|variant| variant.get("key").and_then(Value::as_str)).collect()
}
