//! What the markup workflow reads from a job.

use serde_json::Value;

use crate::{Job, MarkupStage};

impl MarkupStage {
    /// The stage of a markup job.
    #[must_use]
    pub fn of(job: &Job) -> Self {
        Self::new(job.status, &job.output, job.expired_at.is_some())
    }
}

/// Keys of a markup job's variants, in the order of its output.
#[must_use]
pub fn variant_keys(job: &Job) -> Vec<&str> {
    let variants = job.output.get("orientation_variants").and_then(Value::as_array);
    variants.into_iter().flatten().filter_map(|variant| variant.get("key").and_then(Value::as_str)).collect()
}
