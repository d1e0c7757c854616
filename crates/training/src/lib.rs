//! Training data for the network that segments photos of rooms: imagined rooms, rendered with the truth of every pixel.
//!
//! [`rooms::imagine`] furnishes and builds a room from a seed, [`view::render`] renders geometry and light without materials, and
//! [`dress::sample`] gives a view random materials, an exposure and the faults of a photo. One view makes many different samples.
//! Everything is drawn by this code: no photo of anyone is used.
pub mod dress;
mod finish;
pub mod rooms;
pub mod scene;
pub mod view;

pub use scene::{Label, Scene};
