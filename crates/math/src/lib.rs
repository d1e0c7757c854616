//! Plane geometry and seeded random numbers, shared by every crate that needs them.

pub mod geometry;
pub mod rng;

pub use rng::Rng;
