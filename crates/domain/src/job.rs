//! A job and its life.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{JobId, JobType, OrgId, RequestId};

/// How often a job is run before it is given up.
pub const MAX_RUNS: u32 = 3;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// Waits for a worker.
    Queued,
    /// A worker has it, or has lost it and another will take it.
    Running,
    /// Waits for its owner (markup alone).
    AwaitingInput,
    /// Done, and billed.
    Completed,
    /// Given up, and not billed.
    Failed,
}

/// What can happen to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEvent {
    /// A worker takes it, for the first time or after another lost it.
    Claim,
    /// The worker could not finish and hands it back, to be taken again.
    HandBack,
    /// The worker made what its owner has to choose from.
    AskInput,
    /// The work is done.
    Complete,
    /// The work cannot be done.
    Fail,
}

impl JobStatus {
    /// Every status.
    pub const ALL: [JobStatus; 5] =
        [JobStatus::Queued, JobStatus::Running, JobStatus::AwaitingInput, JobStatus::Completed, JobStatus::Failed];

    /// The name in the contract and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            JobStatus::Queued => "queued",
            JobStatus::Running => "running",
            JobStatus::AwaitingInput => "awaiting_input",
            JobStatus::Completed => "completed",
            JobStatus::Failed => "failed",
        }
    }

    /// The status of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Whether nothing happens to it any more.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, JobStatus::Completed | JobStatus::Failed)
    }

    /// Where `event` leads from here; `None` when it is not legal here. A job that is tried again stays `running` in
    /// public, and a terminal status never changes.
    #[must_use]
    pub const fn after(self, event: JobEvent) -> Option<JobStatus> {
        use JobEvent::{AskInput, Claim, Complete, Fail, HandBack};
        match (self, event) {
            (JobStatus::Queued, Claim) => Some(JobStatus::Running),
            (JobStatus::Running, Claim | HandBack) => Some(JobStatus::Running),
            (JobStatus::Running, AskInput) => Some(JobStatus::AwaitingInput),
            (JobStatus::Running | JobStatus::AwaitingInput, Complete) => Some(JobStatus::Completed),
            (JobStatus::Running, Fail) => Some(JobStatus::Failed),
            _ => None,
        }
    }
}

impl std::fmt::Display for JobStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A job as the store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Identity.
    pub id: JobId,
    /// Whose it is.
    pub org_id: OrgId,
    /// What it makes.
    pub job_type: JobType,
    /// Where it stands.
    pub status: JobStatus,
    /// What was submitted: known fields, defaults not filled in.
    pub input: Value,
    /// Where in `input` links to pictures stand, as JSON Pointers, and the keys under which our copies of them lie.
    pub input_media: BTreeMap<String, String>,
    /// The job that it goes on from: a markup video's markup.
    pub parent_id: Option<JobId>,
    /// The annotation that completed it, as it was sent (markup alone).
    pub annotation: Option<Value>,
    /// What came of it, but for links to media.
    pub output: Map<String, Value>,
    /// Where in `output` links to media belong, as JSON Pointers, and the media's keys in the media store. Links are
    /// signed afresh each time the job is shown, which is why they are not kept.
    pub media: BTreeMap<String, String>,
    /// What the engine keeps for itself and for the jobs that go on from this one; never shown.
    pub notes: Map<String, Value>,
    /// The price in cents, frozen at submit.
    pub unit_price_cents: i64,
    /// The request that submitted it.
    pub request_id: RequestId,
    /// Number of the current or last claim; 0 before the first.
    pub attempt: u32,
    /// When it was submitted.
    pub created_at: Timestamp,
    /// When it last changed in public.
    pub updated_at: Timestamp,
    /// When it was completed; set by `completed` alone.
    pub completed_at: Option<Timestamp>,
    /// When its media were removed for their age; what else is known of it stays.
    pub expired_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transition_is_as_the_table_says() {
        use JobEvent::{AskInput, Claim, Complete, Fail, HandBack};
        use JobStatus::{AwaitingInput, Completed, Failed, Queued, Running};
        let events = [Claim, HandBack, AskInput, Complete, Fail];
        let table: [(JobStatus, [Option<JobStatus>; 5]); 5] = [
            (Queued, [Some(Running), None, None, None, None]),
            (Running, [Some(Running), Some(Running), Some(AwaitingInput), Some(Completed), Some(Failed)]),
            (AwaitingInput, [None, None, None, Some(Completed), None]),
            (Completed, [None; 5]),
            (Failed, [None; 5]),
        ];
        for (from, row) in table {
            for (event, to) in events.into_iter().zip(row) {
                assert_eq!(from.after(event), to, "{from} after {event:?}");
            }
        }
    }

    #[test]
    fn a_terminal_status_is_one_that_nothing_leaves() {
        let events = [JobEvent::Claim, JobEvent::HandBack, JobEvent::AskInput, JobEvent::Complete, JobEvent::Fail];
        for status in JobStatus::ALL {
            assert_eq!(status.is_terminal(), events.iter().all(|event| status.after(*event).is_none()), "{status}");
        }
    }

    #[test]
    fn status_names_are_the_same_in_json_and_read_back() {
        for status in JobStatus::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
            assert_eq!(JobStatus::from_name(status.as_str()), Some(status));
        }
    }
}
