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

use aerie_domain::JobInput;
use aerie_engine_api::{EngineContext, EngineError, Produced};

pub use doctor::doctor;

/// Runs the engine of a request's kind.
///
/// # Errors
/// The engine's error.
pub fn run(input: &JobInput, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    match input {
        JobInput::DroneFootage(request) => drone_footage::run(request, context),
        JobInput::ImageEnhance(request) => image_enhance::run(request, context),
        JobInput::Markup(request) => markup::run(request, context),
        JobInput::MarkupVideo(request) => markup_video::run(request, context),
        JobInput::VideoClip(request) => video_clip::run(request, context),
        JobInput::VirtualStaging(request) => virtual_staging::run(request, context),
    }
}
