//! Frames of small scenes.

#![cfg(test)]

mod frames;
mod plate;

use std::sync::OnceLock;

use aerie_render::Gpu;

/// Returns the graphics device, which is opened once for all tests.
fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::open().expect("a graphics device"))
}
