//! Windows and tiles of the baked ground, and their textures.

use crate::gpu::Gpu;
use crate::scene::GroundLevel;

pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A square texture that is drawn into and then read.
pub(super) fn texture(
    gpu: &Gpu,
    label: &str,
    format: wgpu::TextureFormat,
    side: u32,
    samples: u32,
    mips: u32,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: mips,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })
}

/// Side of the tiles in which ground is painted and lit, texels: a whole window with four samples per texel would take half a
/// gigabyte.
pub(super) const TILE: u32 = 512;

/// Center, half extent and texel size of a window, as the shaders expect.
pub(crate) fn window(level: &GroundLevel) -> [f32; 4] {
    [level.center.x, level.center.y, level.half_extent, 2.0 * level.half_extent / level.texels as f32]
}

/// A square part of a window, painted and lit in one pass.
pub(super) struct Tile {
    /// Number of the window's finest mip levels that no camera needs here.
    pub(super) skipped_mips: u32,
    /// Left and top in the mip level that it is painted in, texels.
    pub(super) at: [u32; 2],
    pub(super) window: GroundLevel,
}
