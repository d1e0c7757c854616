//! One thin file per generation kind. Local files and a progress callback in, local files out.
//!
//! # Adding a kind
//! Write `<kind>.rs` with a `run(&Request, &EngineContext) -> Result<Produced, EngineError>` beside
//! [`drone_footage`], then name it in [`run`].
pub mod doctor;
pub mod drone_footage;
pub mod engine;
mod flown;
pub mod image_enhance;
pub mod inspect_room;
pub mod markup;
pub mod markup_video;
pub mod overlaid;
mod photos;
mod pinned;
mod told;
pub mod video_clip;
pub mod virtual_staging;

use aerie_domain::JobType;
pub use aerie_geodata::Sources;
use serde::de::DeserializeOwned;

pub use doctor::{Finding, doctor};
pub use engine::{Cancel, EngineContext, EngineError, Notes, Parent, Produced, ProducedFile, Progress};

/// Runs the engine of a kind on a job's input.
///
/// # Errors
/// What the engine says; an input that is not one of the kind's is [`EngineError::Retry`], as only a fault of ours
/// can bring it here.
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

fn request<T: DeserializeOwned>(input: &serde_json::Value) -> Result<T, EngineError> {
    T::deserialize(input).map_err(|e| EngineError::Retry(format!("the stored input is not a request: {e}")))
}
