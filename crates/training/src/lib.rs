//! Training data for the network that segments photos: imagined rooms and houses, rendered with the truth of every pixel.
//!
//! [`rooms::imagine`] furnishes and builds a room from a seed, or a house with its garden and street; [`view::render`] renders
//! geometry and light without materials; [`dress::sample`] gives a view random materials, a weather, an exposure and the faults of a
//! photo. One view makes many different samples. Everything is drawn by this code: no photo of anyone is used.
pub mod dress;
mod exposure;
mod exteriors;
mod finish;
mod materials;
mod outdoor_materials;
pub mod rooms;
pub mod scene;
mod tones;
pub mod view;
pub mod view_file;
mod weather;
mod window_view;

pub use scene::{Label, Scene};

/// Colors of the classes in pictures that people look at.
pub const TINTS: [[u8; 3]; 17] = [
    [150, 100, 50],
    [230, 210, 160],
    [240, 240, 240],
    [90, 200, 255],
    [200, 60, 200],
    [255, 150, 60],
    [220, 60, 60],
    [120, 160, 255],
    [90, 220, 60],
    [140, 140, 140],
    [20, 80, 220],
    [255, 220, 60],
    [150, 40, 40],
    [20, 110, 40],
    [255, 0, 150],
    [255, 255, 120],
    [180, 255, 180],
];
