//! The seam between the queue and the engines.

use aerie_domain::JobType;
use aerie_engines::{EngineContext, EngineError, Produced};
use serde_json::Value;

/// What does the work. A trait, so that tests can put engines in that crash, hang and fail.
pub trait Engines: Send + Sync {
    /// The kinds that there is an engine for.
    fn kinds(&self) -> Vec<JobType>;

    /// Runs a job's engine to its end, on this thread.
    ///
    /// # Errors
    /// As the engine says: fail, retry or canceled.
    fn run(&self, kind: JobType, input: &Value, context: &EngineContext<'_>) -> Result<Produced, EngineError>;
}

/// The engines of this build.
#[derive(Debug, Clone, Copy, Default)]
pub struct InstalledEngines;

impl Engines for InstalledEngines {
    fn kinds(&self) -> Vec<JobType> {
        JobType::ALL.to_vec()
    }

    fn run(&self, kind: JobType, input: &Value, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
        aerie_engines::run(kind, input, context)
    }
}
