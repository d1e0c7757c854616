//! A job.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::{BadInput, ContentHash, JobId, JobInput, JobStatus, JobType, OrgId, RequestId};

/// A job in the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Identity.
    pub id: JobId,
    /// Its owner.
    pub org_id: OrgId,
    /// Its kind.
    pub job_type: JobType,
    /// Status.
    pub status: JobStatus,
    /// The stored JSON of the request. Views show it unchanged, whatever version stored it; [`Job::request`] reads it.
    pub input: Value,
    /// Media keys of the stored copies of pictures that `input` links to, by JSON Pointer.
    pub input_media: BTreeMap<String, String>,
    /// The job that it continues: a markup video's markup.
    pub parent_id: Option<JobId>,
    /// The annotation that completed it, as it was sent (markup only).
    pub annotation: Option<Value>,
    /// Its output without links to media.
    pub output: Map<String, Value>,
    /// Media keys by JSON Pointer into `output`. Links are not stored, because they are signed each time the job is shown.
    pub media: BTreeMap<String, String>,
    /// Notes of its engine for later jobs; never shown.
    pub notes: Map<String, Value>,
    /// Price in cents, frozen at submit.
    pub unit_price_cents: i64,
    /// The request that submitted it.
    pub request_id: RequestId,
    /// Number of the current or last claim; 0 before the first.
    pub attempt: u32,
    /// When it was submitted.
    pub created_at: Timestamp,
    /// When it last changed in the API.
    pub updated_at: Timestamp,
    /// When it was completed. Set only by `completed`.
    pub completed_at: Option<Timestamp>,
    /// When its media were removed for their age. The rest of the job stays.
    pub expired_at: Option<Timestamp>,
    /// The published pack that its last run read; `None` where it read none, or those of the data folder.
    pub pack: Option<ContentHash>,
}

/// The field of a job's `input` that makes it a preview.
pub const PREVIEW: &str = "preview";

/// Returns true if a stored `input` is that of a preview, as [`is_preview`](aerie_engine_api::JobRequest::is_preview) does, without
/// reading the rest of it.
#[must_use]
pub fn is_preview(input: &Value) -> bool {
    input.get(PREVIEW).and_then(Value::as_bool).unwrap_or(false)
}

impl Job {
    /// Reads its `input`.
    ///
    /// # Errors
    /// When another version has stored it, which knows other values.
    pub fn request(&self) -> Result<JobInput, BadInput> {
        JobInput::read(self.job_type, &self.input)
    }
}
