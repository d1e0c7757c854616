//! The JSON of events, the same in streams and in webhooks.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{JobId, JobType};

/// The statuses of a job that are events: `job.STATUS`.
pub const JOB_EVENTS: [&str; 5] = ["job.queued", "job.running", "job.awaiting_input", "job.completed", "job.failed"];

/// A message of this type, in streams of events and in webhooks alike.
#[must_use]
pub fn event_message(kind: &str, at: Timestamp, data: &Value) -> Value {
    json!({"type": kind, "timestamp": format!("{at:.3}"), "data": data})
}

/// The data of a message about a job; `status` is the last part of the event's type. Links to media are not part of it: they are
/// bound to nobody, and messages are kept by third parties.
#[must_use]
pub fn job_data(job_id: JobId, job_type: JobType, status: &str) -> Value {
    json!({"job_id": job_id, "job_type": job_type, "status": status})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JobStatus;

    #[test]
    fn every_status_of_a_job_is_an_event() {
        let names: Vec<String> = JobStatus::ALL.iter().map(|status| format!("job.{}", status.as_str())).collect();
        assert!(names.iter().all(|name| JOB_EVENTS.contains(&name.as_str())) && names.len() == JOB_EVENTS.len());
    }

    #[test]
    fn a_message_has_type_time_and_data() {
        let id: JobId = "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27".parse().unwrap();
        let data = job_data(id, JobType::VideoClip, "completed");
        let message = event_message("job.completed", "2026-03-10T12:00:00.25Z".parse().unwrap(), &data);
        let expected = json!({
            "type": "job.completed",
            "timestamp": "2026-03-10T12:00:00.250Z",
            "data": {"job_id": id, "job_type": "video_clip", "status": "completed"},
        });
        assert_eq!(message, expected);
    }
}
