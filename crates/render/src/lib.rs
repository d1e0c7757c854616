//! Renders scenes and plates to frames, and encodes frames as video.
//!
//! Knows nothing of maps or rooms. One renderer, in WGSL on wgpu, serves GPU and CPU.

mod bake;
mod bloom;
pub mod caption;
pub mod encode;
mod gpu;
mod gpu_scene;
mod ground;
mod ground_mesh;
pub mod label;
pub mod marking;
pub mod pan;
pub mod pen;
mod picture;
mod pipelines;
pub mod plate;
mod readback;
pub mod scene;
mod scene_renderer;
mod shadow;
mod solids;
pub mod still;
mod textures;

pub use bloom::bloom;
pub use gpu::Gpu;
pub use picture::Picture;
pub use scene_renderer::SceneRenderer;

/// Errors of rendering and encoding.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No usable driver.
    #[error(
        "no Vulkan device: {0}; install Mesa's software driver (Debian: apt install mesa-vulkan-drivers libvulkan1) or a GPU driver"
    )]
    NoDevice(String),
    /// The device failed.
    #[error("the graphics device failed: {0}")]
    Device(String),
    /// The encoder could not start or failed.
    #[error("ffmpeg: {0}")]
    Encoder(String),
    /// Reading or writing a file failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The caller asked to stop.
    #[error("canceled")]
    Canceled,
}
