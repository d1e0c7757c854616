//! Plane geometry, linear equations and seeded random numbers, shared by every crate that needs them.

pub mod banded;
pub mod geometry;
pub mod linear;
pub mod rng;

pub use banded::BandedPolygons;
pub use rng::Rng;
