//! Tests of the furniture.
mod measures;
