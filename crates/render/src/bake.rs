//! Bakes what does not change during a film: the painted and lit ground, and the light on plants.

mod above;
mod lighter;
mod painter;
mod tile;

pub(crate) use self::tile::window;

use glam::Vec2;

use self::lighter::Lighter;
use self::painter::Painter;
use self::tile::{COLOR, TILE, Tile, texture};
use crate::gpu::Gpu;
use crate::scene::{GroundLevel, Plants, Scene};
use crate::shadow::DepthMaps;
use crate::textures;

/// Maximum number of mip levels that a tile may skip; smaller tiles are not worth a pass.
const MAX_SKIPPED_MIPS: u32 = 3;

/// The tiles of window `index` that are visible in a picture of `rows`, except those well inside the next finer window, which is
/// drawn there instead.
fn tiles(scene: &Scene, index: usize, rows: u32) -> Vec<Tile> {
    let level = &scene.ground_levels[index];
    let finer = index.checked_sub(1).map(|finer| &scene.ground_levels[finer]);
    // An orthophoto has a single level of detail, so it is painted at the window's resolution.
    let max_skipped = if scene.orthophotos.get(index).is_some() { 0 } else { MAX_SKIPPED_MIPS };
    let side = TILE.min(level.texels);
    let half = level.half_extent * side as f32 / level.texels as f32;
    let count = level.texels / side;
    let mut out = Vec::new();
    for j in 0..count {
        for i in 0..count {
            let from_corner = |k: u32| (2 * k + 1) as f32 * half - level.half_extent;
            // Rows start in the north.
            let center = level.center + Vec2::new(from_corner(i), -from_corner(j));
            let hidden = |finer: &GroundLevel| {
                let room = finer.half_extent * 0.85 - half;
                (center - finer.center).abs().max_element() < room
            };
            if finer.is_some_and(hidden) {
                continue;
            }
            if let Some(detail) = scene.ground_detail(center, half, rows) {
                // Only some cameras are sampled: paint slightly finer than they need.
                let texels = 0.8 * detail * level.texels as f32 / (2.0 * level.half_extent);
                let skipped_mips = (texels.max(1.0).log2() as u32).min(max_skipped);
                let window = GroundLevel { center, half_extent: half, texels: side >> skipped_mips };
                out.push(Tile { skipped_mips, at: [(i * side) >> skipped_mips, (j * side) >> skipped_mips], window });
            }
        }
    }
    out
}

/// The baked ground.
pub(crate) struct LitGround {
    /// A texture with all mip levels for each window.
    pub(crate) windows: Vec<wgpu::Texture>,
    /// Heights above ground of what water reflects.
    pub(crate) reflections: wgpu::TextureView,
    /// Area of `reflections`: center, half extent.
    pub(crate) reflections_at: [f32; 4],
}

/// Paints and lights all windows of the ground for a picture of `rows`.
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
            let orthophoto = painter.orthophoto(gpu, scene.orthophotos.get(index));
            let tiles = tiles(scene, index, rows);
            let mips = textures::Mips::new(gpu, lit.format());
            for mip in 0..lit.mip_level_count() {
                // Filter the finer tiles first, then paint this level's own tiles into the gaps.
                let mut clear = mip == 0;
                if mip > 0 {
                    mips.fill(gpu, &lit, mip);
                }
                let target = textures::one_level(&lit, mip);
                for tile in tiles.iter().filter(|tile| tile.skipped_mips == mip) {
                    painter.paint(gpu, scene, &tile.window, &orthophoto);
                    lighter.light(gpu, scene, ((frame_layout, frame), &painter.albedo), tile, &target, clear);
                    clear = false;
                }
            }
            lit
        })
        .collect();
    LitGround { windows, reflections: lighter.reflections, reflections_at: above::reflections_at(scene) }
}

/// Size of a lit plant vertex, bytes: position and color.
pub(crate) const LIT_PLANT_BYTES: u64 = 16;

/// Lights the plants; returns a vertex buffer of positions and colors.
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
