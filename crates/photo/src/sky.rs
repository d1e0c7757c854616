//! The sky of a photo: where it is, and another one in its place where that is asked for.
mod matte;
mod paint;

pub use matte::{Matte, matte};
pub(crate) use paint::{Sky, coverage, replace};
