//! Result of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::links::Mode;
use super::plan::{Action, Process};

/// Result of a run, as in the file of results.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Seed of the run.
    pub seed: u64,
    /// Whether media were in a bucket; otherwise in a folder.
    #[serde(default)]
    pub has_objects: bool,
    /// Hash of the binary that was tested.
    #[serde(default)]
    pub binary: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Number of faults that took effect, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Submits that were acknowledged, and jobs that ended with each status.
    pub acknowledged: u64,
    /// Requests that were sent for them: more than one where a response was missing.
    pub sends: u64,
    /// Jobs that were completed, each with one usage event and readable media.
    pub completed: u64,
    /// Jobs that failed, none with a usage event.
    pub failed: u64,
    /// Jobs of more than one attempt.
    pub repeated: u64,
    /// Responses by method and status; 0 if there was none.
    pub answers: BTreeMap<String, u64>,
    /// Times that a node ended by itself.
    pub exits: u32,
    /// Seconds from the end of the last fault until everything worked.
    pub recovery: f64,
    /// Seconds until API nodes said that they were not ready, for each fault that kept them from working.
    pub not_ready: Vec<f64>,
    /// What was violated.
    pub violations: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slowest = self.not_ready.iter().copied().fold(0.0, f64::max);
        write!(
            f,
            "seed {}: {:.0} s, {} acknowledged with {} requests, {} completed, {} failed, {} of several attempts, recovered \
             in {:.1} s, not ready within {slowest:.1} s ({} times), {} nodes ended by themselves, {} violations; faults: {:?}; \
             responses: {:?}",
            self.seed,
            self.seconds,
            self.acknowledged,
            self.sends,
            self.completed,
            self.failed,
            self.repeated,
            self.recovery,
            self.not_ready.len(),
            self.exits,
            self.violations.len(),
            self.faults,
            self.answers
        )
    }
}

/// The kind of a fault, for counting.
pub(super) fn name(action: Action) -> String {
    let process = |process| match process {
        Process::Api(_) => "API node",
        Process::Worker(_) => "worker",
        Process::Primary => "database",
        Process::Standby => "replica",
        Process::Objects => "S3",
    };
    match action {
        Action::Kill(killed) => format!("kill {}", process(killed)),
        Action::Freeze(frozen) => format!("freeze {}", process(frozen)),
        Action::FailOver => "kill database, fail over".to_owned(),
        Action::Break(_, service, mode) => {
            let mode = match mode {
                Mode::Open => "nothing",
                Mode::Cut => "cut",
                Mode::Slow(_) => "slow",
                Mode::Frozen => "freeze",
                Mode::HalfOpen => "half-open",
            };
            format!("{mode} connections to {service:?}")
        }
    }
}

/// Copies the logs of a run that failed.
pub(super) fn keep_logs(folder: &Path, to: &Path, outcome: &Outcome) {
    std::fs::create_dir_all(to).expect("a folder for logs");
    let logs =
        [folder.to_owned(), folder.join("database")].into_iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    for file in logs.flatten().flatten().map(|entry| entry.path()) {
        if let (Some("log"), Some(name)) = (file.extension().and_then(|name| name.to_str()), file.file_name()) {
            std::fs::copy(&file, to.join(name)).expect("a copy of a log");
        }
    }
    let text = serde_json::to_string_pretty(outcome).expect("JSON");
    std::fs::write(to.join("outcome.json"), text).expect("a file");
}
