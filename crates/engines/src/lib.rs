//! One file per generation kind. Local files and a progress callback in, local files out.
//!
//! To add a kind, start at `aerie_engine_api::kinds`.
//!
//! # Invariants
//!
//! - A clip begins or ends with its photo, and discloses filled areas. Tests:
//!   `a_clip_starts_or_ends_with_its_photo_and_has_the_requested_duration`,
//!   `a_house_is_filmed_in_front_of_its_sky_and_filled_areas_are_disclosed`,
//!   `a_furnished_room_is_filmed_with_its_furniture_before_the_walls_and_filled_areas_are_disclosed`.
//! - Layers of a staged picture apply only to that very file. Test:
//!   `a_staged_room_is_filmed_with_its_furniture_as_bodies_and_layers_of_other_pictures_are_ignored`.
//! - A film shows its photos in their order, and reads all of them before it renders the first. Tests:
//!   `a_film_goes_through_its_photos_along_what_two_of_them_share_and_fades_into_the_other`,
//!   `a_bad_photo_is_named_before_anything_is_filmed`.
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

use aerie_engine_api::{EngineContext, EngineError, JobInput, Produced};

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
