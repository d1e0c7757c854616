//! Figures for whoever watches the service.

use std::time::Duration;

use aerie_domain::{JobStatus, JobType};
use jiff::Timestamp;

/// What there is to do, and what there was: of all organizations, over all processes on the same store.
#[derive(Debug, Clone, Default)]
pub struct QueueFigures {
    /// How many jobs there are of a kind in a status; pairs that never were are left out.
    pub jobs: Vec<(JobType, JobStatus, u64)>,
    /// When the oldest queued job of a kind was submitted.
    pub oldest_queued: Vec<(JobType, Timestamp)>,
    /// What engines' stages have taken.
    pub engine_time: Vec<EngineTime>,
}

/// What one stage of an engine has taken since the store was made.
#[derive(Debug, Clone)]
pub struct EngineTime {
    /// Which engine.
    pub kind: JobType,
    /// Which stage, as the engine names it.
    pub stage: String,
    /// Runs that came to it.
    pub runs: u64,
    /// Their time in it together.
    pub time: Duration,
}
