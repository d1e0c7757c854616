//! Sky detection and replacement.
mod matte;
mod paint;

pub use matte::{Matte, matte};
pub(crate) use paint::{coverage, replace};
