//! Photographs of real estate: safe decoding, conservative enhancement, encoding with a report in the metadata, and geometry
//! of rooms.
//!
//! - [`decode()`] reads a file of unknown origin and returns upright sRGB pixels, or an error that suggests a remedy.
//! - [`enhance()`] adjusts white balance, exposure, tone, saturation, noise and sharpness, hardly touches photos that were edited
//!   before, and reports each change with its amount.
//! - [`encode()`] writes JPEG, PNG or WebP with an sRGB profile and the report in its metadata, and without the GPS position.
//! - [`scene`](mod@scene) answers what a photo shows: where it was taken, the camera and horizon, and what each part of it shows.
//! - [`room`] estimates the camera and the layout of a room from line segments.
//!
//! The same file and options give the same bytes, whatever the number of threads.
//!
//! # Invariants
//!
//! - A request that has no effect is reported with the reason. Test: `a_request_that_changes_nothing_is_reported_with_the_reason`.
pub mod alteration;
pub mod border;
pub mod bracket;
pub mod consistency;
mod credentials;
pub mod decode;
mod denoise;
pub mod encode;
pub mod enhance;
pub mod fill;
mod guided_filter;
pub mod layers;
pub mod lines;
pub mod measures;
mod noise;
mod panorama;
pub mod photo;
mod picture;
pub mod prompt;
pub mod report;
pub mod room;
pub mod scene;
pub mod segmentation;
pub mod setting;
pub mod sky;
pub mod upright;

pub use aerie_register::box_mean;
pub use consistency::{ListingLooks, Look};
pub use credentials::without_credentials;
pub use decode::{DecodeError, Rgba, decode, decode_file, decode_file_like, decode_like, decode_rgba};
pub use denoise::denoised;
pub use encode::{EncodeError, EncodedPhoto, Format, OutputOptions, encode, thumbnail};
pub use enhance::{Enhanced, enhance, scene};
pub use fill::fill;
pub use layers::Layers;
pub use measures::Measures;
pub use noise::noise;
pub use panorama::Panorama;
pub use photo::{Linear, Photo, StoredFrame};
pub use picture::Picture;
pub use prompt::{EnhanceOptions, Preset};
pub use report::{Adjustment, Disclosure, Report};
pub use scene::PhotoScene;
pub use segmentation::segment;
pub use setting::{Scene, Setting, SettingEstimate};
