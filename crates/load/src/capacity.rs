//! A day of a fleet whose engines sleep, beside the capacity model of `docs/operate-fleet.md`.
mod fleet;
pub mod model;
pub mod push;
mod sample;
pub mod simulation;
