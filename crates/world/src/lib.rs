//! Map data in, a [`place::Place`] out.
pub mod place;
