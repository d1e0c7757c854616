//! Semantic segmentation of a photo.

use aerie_segmentation::INPUT_SIDE;
pub use aerie_segmentation::{Class, Edge, FineClass, SIDE, Segmentation};

use crate::Photo;
use crate::photo::Linear;
use aerie_math::color::encoded;

/// Segments a photo of a room.
#[must_use]
pub fn segment(photo: &Photo) -> Segmentation {
    of_input(&photo.scaled(INPUT_SIDE, INPUT_SIDE), photo.width as f64 / photo.height as f64)
}

/// Segments a reduced photo; for a rough view, as details of the photo are lost twice.
pub(crate) fn segment_reduced(reduced: &Linear) -> Segmentation {
    of_input(&reduced.scaled(INPUT_SIDE, INPUT_SIDE), reduced.width as f64 / reduced.height as f64)
}

fn of_input(input: &Linear, aspect: f64) -> Segmentation {
    let picture: Vec<[f32; 3]> =
        input.pixels.iter().map(|p| encoded(*p).map(|v| f32::from(v) / f32::from(u16::MAX))).collect();
    Segmentation::of(&picture, aspect)
}
