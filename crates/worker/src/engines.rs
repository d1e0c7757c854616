//! The interface between worker and engines.

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::{EngineContext, EngineError, Produced};

/// Runs engines. A trait, so that the service can run them in confined child processes, and tests can run engines that crash, hang
/// and fail.
pub trait Engines: Send + Sync {
    /// The supported kinds.
    fn kinds(&self) -> Vec<JobType>;

    /// Runs a job's engine on this thread until it ends.
    ///
    /// # Errors
    /// Fail, retry or canceled, as the engine decides.
    fn run(&self, input: &JobInput, context: &EngineContext<'_>) -> Result<Produced, EngineError>;
}
