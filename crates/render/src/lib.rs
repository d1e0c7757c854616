//! A scene in, frames out: the renderer, and the encoder that takes its frames.
//!
//! Knows nothing of maps, rooms or photographs. One renderer, in WGSL over wgpu, for GPU and CPU alike.

mod bake;
mod bloom;
mod bodies;
pub mod caption;
pub mod encode;
pub mod film;
mod gpu;
mod ground;
mod ground_mesh;
pub mod label;
pub mod marking;
pub mod pan;
mod passes;
pub mod pen;
mod pipelines;
pub mod plate;
pub mod scene;
mod shadow;
mod solid_bodies;
pub mod still;
mod textures;

pub use bloom::bloom;
pub use gpu::Gpu;

/// What can go wrong while drawing.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No driver that can draw.
    #[error(
        "no Vulkan device: {0}; install Mesa's software driver (Debian: apt install mesa-vulkan-drivers libvulkan1) or a GPU driver"
    )]
    NoDevice(String),
    /// The device failed while drawing.
    #[error("the graphics device failed: {0}")]
    Device(String),
    /// The encoder could not be started or stopped early.
    #[error("ffmpeg: {0}")]
    Encoder(String),
    /// Reading or writing a file failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The caller asked to stop.
    #[error("canceled")]
    Canceled,
}
