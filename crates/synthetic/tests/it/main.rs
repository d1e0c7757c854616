//! What is said of synthetic rooms.

#![cfg(test)]

mod truth;
