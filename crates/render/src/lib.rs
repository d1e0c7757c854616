//! Renders scenes and plates to frames, and encodes frames as video.
//!
//! Independent of maps and rooms. One renderer, in WGSL on wgpu, serves GPU and CPU.
//!
//! # How a film is rendered
//!
//! Only the camera moves, so all light that does not depend on it is computed once per film.
//!
//! - Shadow maps (`shadow.rs`): three layers for the sun, fine around the property, near and far, and a map of the solids from above.
//! - Ground (`bake.rs`, `paint.wgsl`, `bake.wgsl`): land cover, lots, roads and markings are painted as triangles into nested square
//!   windows ([`scene::GroundLevel`]), with sun, shadow, sky light and the visible share of the sky multiplied in. They are painted in
//!   tiles, only where a camera looks ([`scene::Scene::views`]), and coarser where no camera comes near. A frame then needs two texture
//!   fetches per pixel, and one for grain.
//! - Plants (`light_plants.wgsl`): small opaque cards around a dark core; no alpha blending. A compute pass bakes wrapped and transmitted
//!   light into their vertices.
//! - Façades and roofs (`solids.wgsl`): windows, doors and tiles are computed in the fragment shader and filtered over the pixel's
//!   footprint, so that patterns fade instead of shimmering.
//! - Water (`ground.wgsl`): the reflected view ray is sampled four times in a mipmapped map of heights above ground (`reflections.wgsl`).
//! - Drawing (`gpu_scene.rs`): frustum culling, front to back, reversed depth. Variants of a surface are pipelines, not branches: a
//!   software device evaluates both sides of a branch. Ground beyond the map dissolves in haze, which claims nothing about it.
//! - Samples (`picture.rs`, `nv12.wgsl`): a frame is drawn larger than the video, with two samples per pixel on a software device and
//!   four on a GPU, then reduced and converted to NV12 in one compute pass, which halves the readback. Two frames are in flight.
//! - Finished frames: very bright areas spread slightly (`bloom.rs`); tiny-skia draws text and outlines into transparent layers, which
//!   are blended in (`layer.rs`).
//! - Encoding (`encode.rs`): ffmpeg is a child process that reads frames from a pipe. A dropped encoder stops it and removes the file.
//!
//! # Invariants
//!
//! - A shot marked as the photo reproduces it pixel for pixel; layers move in front of their background. Tests:
//!   `the_photo_is_shown_to_the_pixel`, `what_is_cut_out_moves_before_what_lies_far_behind`.
//! - The same scene gives the same frames on one device. The encoder is bit-exact; no test compares whole videos. Test in `scenery`:
//!   `the_same_place_gives_the_same_frame_byte_for_byte`.

mod bake;
mod bloom;
pub mod caption;
pub mod encode;
mod gpu;
mod gpu_scene;
mod ground;
mod ground_mesh;
pub mod label;
pub mod layer;
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
mod text;
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
