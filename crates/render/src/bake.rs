//! What is worked out once for a whole film: the painted and lit ground, and the light on the plants.

mod above;
mod lighter;
mod painter;

use glam::Vec2;

use crate::gpu::Gpu;
use crate::scene::{GroundLevel, Plants, Scene};
use crate::shadow::DepthMaps;
use crate::textures;
use lighter::Lighter;
use painter::Painter;

/// Side of the tiles in which ground is painted and lit, texels: with four samples a texel, a whole window at once would
/// take half a gigabyte.
const TILE: u32 = 512;

/// Center, half extent and texel of a window, as the shaders take it.
pub(crate) fn window(level: &GroundLevel) -> [f32; 4] {
    [level.center.x, level.center.y, level.half_extent, 2.0 * level.half_extent / level.texels as f32]
}

/// A square part of a window.
struct Tile {
    /// How many of the window's levels of detail are finer than any in which it is seen.
    spared: u32,
    /// Left and top in the level of detail in which it is painted, texels.
    at: [u32; 2],
    window: GroundLevel,
}

/// Levels of detail that may be left out; what is painted gets too small to be worth a pass of its own.
const MOST_SPARED: u32 = 3;

/// The tiles of a window (its number among all) that are seen in a picture of `rows`, but for those that lie well within the
/// finer one, which is drawn there.
fn tiles(scene: &Scene, index: usize, rows: u32) -> Vec<Tile> {
    let level = &scene.ground_levels[index];
    let finer = index.checked_sub(1).map(|finer| &scene.ground_levels[finer]);
    // A picture has one level of detail: it is laid down as fine as the window is.
    let most_spared = if scene.drapes.get(index).is_some() { 0 } else { MOST_SPARED };
    let side = TILE.min(level.texels);
    let half = level.half_extent * side as f32 / level.texels as f32;
    let count = level.texels / side;
    let mut out = Vec::new();
    for j in 0..count {
        for i in 0..count {
            let from_corner = |k: u32| (2 * k + 1) as f32 * half - level.half_extent;
            // Rows run from the north.
            let center = level.center + Vec2::new(from_corner(i), -from_corner(j));
            let hidden = |finer: &GroundLevel| {
                let room = finer.half_extent * 0.85 - half;
                (center - finer.center).abs().max_element() < room
            };
            if finer.is_some_and(hidden) {
                continue;
            }
            if let Some(detail) = scene.ground_detail(center, half, rows) {
                // Not every camera is asked: a little finer than what they say.
                let texels = 0.8 * detail * level.texels as f32 / (2.0 * level.half_extent);
                let spared = (texels.max(1.0).log2() as u32).min(most_spared);
                let window = GroundLevel { center, half_extent: half, texels: side >> spared };
                out.push(Tile { spared, at: [(i * side) >> spared, (j * side) >> spared], window });
            }
        }
    }
    out
}

/// The ground as it was lit.
pub(crate) struct LitGround {
    /// A texture with all its levels for each window.
    pub(crate) windows: Vec<wgpu::Texture>,
    /// What water mirrors: how high what stands on the ground rises.
    pub(crate) banks: wgpu::TextureView,
    /// Where `banks` lies: center, half extent.
    pub(crate) banks_at: [f32; 4],
}

/// Paints and lights each window of the ground for a picture of `rows`.
pub(crate) fn ground(
    gpu: &Gpu,
    scene: &Scene,
    depth: &DepthMaps,
    frame_layout: &wgpu::BindGroupLayout,
    frame: &wgpu::BindGroup,
    noise: &wgpu::TextureView,
    rows: u32,
) -> LitGround {
    let painter = Painter::new(gpu, scene, noise);
    let mut lighter = Lighter::new(gpu, scene, depth);
    let windows = scene
        .ground_levels
        .iter()
        .enumerate()
        .map(|(index, level)| {
            let lit = texture(gpu, "lit ground", COLOR, level.texels, 1, level.texels.ilog2() + 1);
            let drape = painter.drape(gpu, scene.drapes.get(index));
            let tiles = tiles(scene, index, rows);
            let mips = textures::Mips::new(gpu, lit.format());
            for mip in 0..lit.mip_level_count() {
                // What was painted finer is filtered first; the rest is painted over what that leaves empty.
                let mut clear = mip == 0;
                if mip > 0 {
                    mips.fill(gpu, &lit, mip);
                }
                let target = textures::one_level(&lit, mip);
                for tile in tiles.iter().filter(|tile| tile.spared == mip) {
                    painter.paint(gpu, scene, &tile.window, &drape);
                    lighter.light(gpu, scene, ((frame_layout, frame), &painter.albedo), tile, &target, clear);
                    clear = false;
                }
            }
            lit
        })
        .collect();
    LitGround { windows, banks: lighter.banks, banks_at: above::banks_at(scene) }
}

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

fn texture(gpu: &Gpu, label: &str, format: wgpu::TextureFormat, side: u32, samples: u32, mips: u32) -> wgpu::Texture {
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

/// Bytes of a plant vertex after its light is baked: position and color.
pub(crate) const LIT_PLANT_BYTES: u64 = 16;

/// Lights the plants: a vertex buffer of positions and colors.
pub(crate) fn plants(
    gpu: &Gpu,
    plants: &Plants,
    raw: &wgpu::Buffer,
    frame_layout: &wgpu::BindGroupLayout,
    frame: &wgpu::BindGroup,
) -> wgpu::Buffer {
    let lit = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("lit plants"),
        size: (plants.vertices.len() as u64 * LIT_PLANT_BYTES).max(16),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX,
        mapped_at_creation: false,
    });
    if plants.vertices.is_empty() {
        return lit;
    }
    let module = textures::shader(
        gpu,
        "light plants",
        &[
            include_str!("shaders/light.wgsl"),
            include_str!("shaders/shadow_tap.wgsl"),
            include_str!("shaders/light_plants.wgsl"),
        ],
    );
    let layout = textures::layout(
        gpu,
        "light plants",
        &[
            textures::buffer_entry(0, wgpu::BufferBindingType::Storage { read_only: true }),
            textures::buffer_entry(1, wgpu::BufferBindingType::Storage { read_only: false }),
        ],
    );
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("light plants"),
        layout: Some(&textures::pipeline_layout(gpu, &[frame_layout, &layout])),
        module: &module,
        entry_point: Some("light"),
        compilation_options: Default::default(),
        cache: None,
    });
    let group = textures::bind(gpu, "light plants", &layout, &[raw.as_entire_binding(), lit.as_entire_binding()]);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, frame, &[]);
        pass.set_bind_group(1, &group, &[]);
        let groups = (plants.vertices.len() as u32).div_ceil(64);
        let rows = groups.div_ceil(32_768);
        pass.dispatch_workgroups(groups.div_ceil(rows), rows, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    lit
}
