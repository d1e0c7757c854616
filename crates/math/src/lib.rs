//! Plane geometry, linear equations, colors and seeded random numbers, shared by every crate that needs them.

pub mod banded;
pub mod color;
pub mod geometry;
pub mod linear;
pub mod rng;

pub use banded::BandedPolygons;
pub use rng::Rng;
