//! The JSON of events, the same in streams and in webhooks.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{JobId, JobType, ListingId, ReviewId, ShareLinkId};

/// The statuses of a job that are events: `job.STATUS`.
pub const JOB_EVENTS: [&str; 5] = ["job.queued", "job.running", "job.awaiting_input", "job.completed", "job.failed"];

/// The event of a decision or comment of a viewer of a share link.
pub const REVIEW_EVENT: &str = "listing.reviewed";

/// Every type of event that a webhook can receive.
pub const EVENTS: [&str; 6] =
    ["job.queued", "job.running", "job.awaiting_input", "job.completed", "job.failed", REVIEW_EVENT];

/// What a message about a review names: what was said is read with a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewIds {
    /// The listing.
    pub listing_id: ListingId,
    /// The link that its viewer had.
    pub share_link_id: ShareLinkId,
    /// The review.
    pub review_id: ReviewId,
    /// The photo; `None` for a comment on the whole listing.
    pub photo_id: Option<String>,
}

impl ReviewIds {
    /// The data of a message about the review.
    #[must_use]
    pub fn data(&self) -> Value {
        let Self { listing_id, share_link_id, review_id, photo_id } = self;
        json!({"listing_id": listing_id, "share_link_id": share_link_id, "review_id": review_id, "photo_id": photo_id})
    }
}

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
        assert!(JOB_EVENTS.iter().all(|name| EVENTS.contains(name)) && EVENTS.len() == JOB_EVENTS.len() + 1);
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
