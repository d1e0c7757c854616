//! A job as the API shows it.

use aerie_domain::{Job, JobId, JobStatus};
use aerie_engine_api::Medium;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::envelope::iso;
use crate::{ApiState, disclosures};

/// The field of `output` that says when its media were removed. The links remain, so that `output` keeps its shape; they return
/// 404.
const EXPIRED: &str = "media_expired_at";

/// Job creation result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JobCreated {
    /// Identifier of the new job.
    #[schema(format = "uuid")]
    job_id: String,
    /// `queued` at creation.
    status: JobStatus,
}

impl JobCreated {
    /// The response to a submit. A replayed one says `queued`, too, whatever the job's status is by then.
    pub(crate) fn queued(job_id: JobId) -> Self {
        Self { job_id: job_id.to_string(), status: JobStatus::Queued }
    }
}

/// A job.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Job)]
pub(crate) struct JobView {
    /// Job identifier.
    #[schema(format = "uuid")]
    id: String,
    /// What the job makes.
    #[schema(example = "drone_footage")]
    job_type: &'static str,
    /// Status.
    status: JobStatus,
    /// What was submitted.
    #[schema(value_type = Object)]
    input: Value,
    /// Result data. Its content depends on job type and status.
    #[schema(value_type = Object)]
    output: Map<String, Value>,
    /// ISO 8601 timestamp.
    #[schema(format = "date-time")]
    created_at: String,
    /// ISO 8601 timestamp.
    #[schema(format = "date-time")]
    updated_at: String,
    /// ISO 8601 timestamp. `null` until the job is completed.
    #[schema(format = "date-time", required)]
    completed_at: Option<String>,
}

impl JobView {
    /// The job with its whole output.
    pub(crate) fn whole(mut job: Job, state: &ApiState) -> Self {
        let output = output_of(&mut job, state);
        Self::with_output(job, output)
    }

    /// The job as a list shows it: a completed video with its `video_url` alone.
    pub(crate) fn in_list(mut job: Job, state: &ApiState) -> Self {
        let mut output = output_of(&mut job, state);
        if job.job_type.kind().medium == Medium::Video && job.status == JobStatus::Completed {
            output.retain(|field, _| field == "video_url" || field == EXPIRED);
        }
        Self::with_output(job, output)
    }

    fn with_output(job: Job, output: Map<String, Value>) -> Self {
        Self {
            id: job.id.to_string(),
            job_type: job.job_type.as_str(),
            status: job.status,
            input: job.input,
            output,
            created_at: iso(job.created_at),
            updated_at: iso(job.updated_at),
            completed_at: job.completed_at.map(iso),
        }
    }
}

/// Takes the job's output, with freshly signed links to its media.
pub(crate) fn output_of(job: &mut Job, state: &ApiState) -> Map<String, Value> {
    let mut output = std::mem::take(&mut job.output);
    if let Some(disclosed) = disclosures::of(job, &output, state) {
        output.insert(disclosures::FIELD.to_owned(), disclosed);
    }
    if let Some(expired) = job.expired_at {
        output.insert(EXPIRED.to_owned(), iso(expired).into());
    }
    for (pointer, key) in &job.media {
        let link = Value::String(format!("{}{}", state.base_url, state.links.sign(key, state.clock.now())));
        // A link is a field of the output or of an object within it.
        match pointer.rsplit_once('/') {
            Some(("", field)) => {
                output.insert(field.to_owned(), link);
            }
            Some((parent, field)) => {
                let mut whole = Value::Object(std::mem::take(&mut output));
                if let Some(Value::Object(parent)) = whole.pointer_mut(parent) {
                    parent.insert(field.to_owned(), link);
                }
                if let Value::Object(whole) = whole {
                    output = whole;
                }
            }
            None => tracing::error!(job = %job.id, pointer, "not a JSON Pointer into the output"),
        }
    }
    output
}
