//! The states of a job and the transitions between them.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// Maximum number of runs of a job.
pub const MAX_RUNS: u32 = 3;

/// Status of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// Waits for a worker.
    Queued,
    /// A worker has it, or has lost it and another will claim it.
    Running,
    /// Waits for its owner's input.
    AwaitingInput,
    /// Finished and billed.
    Completed,
    /// Given up and not billed.
    Failed,
}

/// An event in the life of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEvent {
    /// A worker claims it, for the first time or after another lost it.
    Claim,
    /// The worker could not finish and returns it to the queue.
    HandBack,
    /// The worker finished, and the owner's input is needed.
    AskInput,
    /// The job is done.
    Complete,
    /// The job cannot be done.
    Fail,
    /// Its owner does not want it any more.
    Cancel,
}

impl JobStatus {
    /// Every status.
    pub const ALL: [Self; Self::VARIANTS.len()] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

    /// The name in the API and in the store.
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

    /// Whether it never changes again.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, JobStatus::Completed | JobStatus::Failed)
    }

    /// The status after `event`, or `None` if the event is not legal here. A job that is run again stays `running` in the API,
    /// and a terminal status never changes.
    #[must_use]
    pub const fn after(self, event: JobEvent) -> Option<JobStatus> {
        use JobEvent::{AskInput, Cancel, Claim, Complete, Fail, HandBack};
        match (self, event) {
            (JobStatus::Queued, Claim) => Some(JobStatus::Running),
            (JobStatus::Running, Claim | HandBack) => Some(JobStatus::Running),
            (JobStatus::Running, AskInput) => Some(JobStatus::AwaitingInput),
            (JobStatus::Running | JobStatus::AwaitingInput, Complete) => Some(JobStatus::Completed),
            (JobStatus::Running, Fail) => Some(JobStatus::Failed),
            // A job that awaits input is billed already.
            (JobStatus::Queued | JobStatus::Running, Cancel) => Some(JobStatus::Failed),
            _ => None,
        }
    }
}

impl std::fmt::Display for JobStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transition_is_as_the_table_says() {
        use JobEvent::{AskInput, Cancel, Claim, Complete, Fail, HandBack};
        use JobStatus::{AwaitingInput, Completed, Failed, Queued, Running};
        let events = [Claim, HandBack, AskInput, Complete, Fail, Cancel];
        let table: [(JobStatus, [Option<JobStatus>; 6]); 5] = [
            (Queued, [Some(Running), None, None, None, None, Some(Failed)]),
            (Running, [Some(Running), Some(Running), Some(AwaitingInput), Some(Completed), Some(Failed), Some(Failed)]),
            (AwaitingInput, [None, None, None, Some(Completed), None, None]),
            (Completed, [None; 6]),
            (Failed, [None; 6]),
        ];
        for (from, row) in table {
            for (event, to) in events.into_iter().zip(row) {
                assert_eq!(from.after(event), to, "{from} after {event:?}");
            }
        }
    }

    #[test]
    fn no_event_leaves_a_terminal_status() {
        use JobEvent::{AskInput, Cancel, Claim, Complete, Fail, HandBack};
        let events = [Claim, HandBack, AskInput, Complete, Fail, Cancel];
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
