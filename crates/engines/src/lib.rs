//! One file per generation kind. Local files and a progress callback in, local files out.
//!
//! To add a kind, start at `aerie_domain::kinds`.
pub mod doctor;
pub mod drone_footage;
pub mod engine;
pub mod footage;
pub mod image_enhance;
pub mod inspect_room;
mod location;
pub mod markup;
pub mod markup_video;
pub mod overlay;
mod photos;
mod pin;
mod report;
mod silhouette;
mod timing;
pub mod video_clip;
pub mod virtual_staging;
mod warnings;

use aerie_domain::JobType;
pub use aerie_geodata::Sources;
use serde::de::DeserializeOwned;

pub use doctor::{Finding, doctor};
pub use engine::{Cancel, EngineContext, EngineError, Notes, Origin, Parent, Produced, ProducedFile, Progress};

/// Runs the engine of a kind on a job's input.
///
/// # Errors
/// The engine's error. An input that does not belong to the kind is [`EngineError::Retry`], because only a bug in Aerie can
/// cause it.
pub fn run(job_type: JobType, input: &serde_json::Value, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    match job_type {
        JobType::DroneFootage => drone_footage::run(&request(input)?, context),
        JobType::ImageEnhance => image_enhance::run(&request(input)?, context),
        JobType::Markup => markup::run(&request(input)?, context),
        JobType::MarkupVideo => markup_video::run(&request(input)?, context),
        JobType::VideoClip => video_clip::run(&request(input)?, context),
        JobType::VirtualStaging => virtual_staging::run(&request(input)?, context),
    }
}

/// What an engine needs besides the files of its job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// Map data in the data folder or a published pack, and online sources.
    pub maps: bool,
    /// The operator's own furniture.
    pub furniture: bool,
    /// The graphics device.
    pub graphics: bool,
    /// The encoder.
    pub encoder: bool,
}

/// What the engine of a kind needs; it gets nothing else (`aerie run-engine`).
#[must_use]
pub const fn needs(job_type: JobType) -> Needs {
    const NOTHING: Needs = Needs { maps: false, furniture: false, graphics: false, encoder: false };
    match job_type {
        JobType::DroneFootage | JobType::MarkupVideo => Needs { maps: true, graphics: true, encoder: true, ..NOTHING },
        JobType::ImageEnhance => NOTHING,
        JobType::Markup => Needs { maps: true, graphics: true, ..NOTHING },
        JobType::VideoClip => Needs { graphics: true, encoder: true, ..NOTHING },
        JobType::VirtualStaging => Needs { furniture: true, ..NOTHING },
    }
}

fn request<T: DeserializeOwned>(input: &serde_json::Value) -> Result<T, EngineError> {
    T::deserialize(input).map_err(|e| EngineError::Retry(format!("the stored input is not a request: {e}")))
}
