//! One file per generation kind. Local files and a progress callback in, local files out.
//!
//! To add a kind, start at `aerie_domain::kinds`.
pub mod doctor;
pub mod drone_footage;
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
use aerie_engine_api::{EngineContext, EngineError, Produced};
use serde::de::DeserializeOwned;

pub use doctor::doctor;

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

fn request<T: DeserializeOwned>(input: &serde_json::Value) -> Result<T, EngineError> {
    T::deserialize(input).map_err(|e| EngineError::Retry(format!("the stored input is not a request: {e}")))
}
