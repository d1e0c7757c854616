//! One thin file per generation kind. Local files and a progress callback in, local files out.
pub mod engine;

pub use engine::{Cancel, EngineContext, EngineError, Produced, ProducedFile, Progress};
