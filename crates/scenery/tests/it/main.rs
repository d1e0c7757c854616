//! Scenery and flights over it.

#![cfg(test)]

mod aerial;
mod coplanar;
mod flight_checks;
mod flights;
mod marking;
mod measurements;
mod pictures;

use std::sync::OnceLock;

use aerie_render::Gpu;

/// Returns the graphics device, which is opened once for all tests.
fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::open().expect("a graphics device"))
}
