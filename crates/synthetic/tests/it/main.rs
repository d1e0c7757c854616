//! Ground truth of synthetic rooms.

#![cfg(test)]

mod truth;
