//! Semantic segmentation of a photo.

use aerie_segmentation::INPUT_SIDE;
pub use aerie_segmentation::{Class, Edge, Segmentation};

use crate::Photo;
use crate::color::encoded;

/// Segments a photo of a room.
#[must_use]
pub fn segment(photo: &Photo) -> Segmentation {
    let small = photo.scaled(INPUT_SIDE, INPUT_SIDE);
    let picture: Vec<[f32; 3]> =
        small.pixels.iter().map(|p| encoded(*p).map(|v| f32::from(v) / f32::from(u16::MAX))).collect();
    Segmentation::of(&picture, photo.width as f64 / photo.height as f64)
}
