//! Maps derived from the top-down depth maps: sky openness over the ground, and heights above ground for reflections in water.

use bytemuck::{Pod, Zeroable};

use super::tile::texture;
use crate::gpu::Gpu;
use crate::scene::{HeightField, Scene};
use crate::shadow::{DepthMaps, REFLECTION_REACH, REFLECTION_TEXELS, TOPS_REACH, TOPS_SPAN};
use crate::textures;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct AboveUniform {
    /// Center x, y, half extent of the depth maps; their top height.
    place: [f32; 4],
    terrain: [[f32; 4]; 3],
}

/// Side of the sky openness map, texels.
const OPEN_TEXELS: u32 = 1024;

/// Area of the top-down depth map and the sky openness map, as the shaders expect.
pub(super) fn tops(scene: &Scene) -> [f32; 4] {
    [scene.focus.x, scene.focus.y, TOPS_REACH, TOPS_SPAN]
}

/// Area of the reflection map.
pub(super) fn reflections_at(scene: &Scene) -> [f32; 4] {
    [scene.focus.x, scene.focus.y, REFLECTION_REACH, TOPS_SPAN]
}

/// The grids of the terrain's samples, as `terrain.wgsl` expects.
pub(super) fn grids(scene: &Scene) -> [[f32; 4]; 3] {
    let terrain = &scene.terrain;
    let grid = |field: &HeightField| [field.min.x, field.min.y, field.spacing, 0.0];
    let size = |field: &HeightField| [field.columns as f32, field.rows as f32];
    let near = terrain.near.as_deref();
    let ([columns, rows], [near_columns, near_rows]) = (size(terrain), near.map_or([0.0; 2], size));
    [grid(terrain), near.map_or([0.0, 0.0, 1.0, 0.0], grid), [columns, rows, near_columns, near_rows]]
}

/// The texture of the terrain's heights: the rows of the whole, then those of its finer part.
pub(super) fn heights(gpu: &Gpu, terrain: &HeightField) -> wgpu::TextureView {
    let fields: Vec<&HeightField> = std::iter::once(terrain).chain(terrain.near.as_deref()).collect();
    let width = fields.iter().map(|field| field.columns).max().unwrap_or(1);
    let rows = fields.iter().flat_map(|field| field.heights.chunks_exact(field.columns).take(field.rows));
    let mut texels = Vec::new();
    for row in rows {
        texels.extend_from_slice(row);
        texels.resize(texels.len().next_multiple_of(width), 0.0);
    }
    let (width, height) = (width as u32, (texels.len() / width) as u32);
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("heights"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    textures::upload(gpu, &texture, 0, width, height, 4, bytemuck::cast_slice(&texels));
    texture.create_view(&Default::default())
}

/// Renders the sky openness map.
pub(super) fn open_sky(gpu: &Gpu, scene: &Scene, depth: &DepthMaps, heights: &wgpu::TextureView) -> wgpu::TextureView {
    let open = texture(gpu, "openness", wgpu::TextureFormat::R8Unorm, OPEN_TEXELS, 1, 1);
    let source = include_str!("../shaders/openness.wgsl");
    let numbers = AboveUniform { place: tops(scene), terrain: grids(scene) };
    fill(gpu, (source, "open"), &open, &numbers, heights, &[&depth.tops]);
    open.create_view(&Default::default())
}

/// Renders the reflection map with all mip levels; a single texel where there is no water.
pub(super) fn reflections(
    gpu: &Gpu,
    scene: &Scene,
    depth: &DepthMaps,
    heights: &wgpu::TextureView,
) -> wgpu::TextureView {
    let format = wgpu::TextureFormat::Rg8Unorm;
    let Some([all, solid]) = &depth.reflections else {
        return texture(gpu, "reflections", format, 1, 1, 1).create_view(&Default::default());
    };
    let reflections = texture(gpu, "reflections", format, REFLECTION_TEXELS, 1, REFLECTION_TEXELS.ilog2() + 1);
    let numbers = AboveUniform { place: reflections_at(scene), terrain: grids(scene) };
    fill(
        gpu,
        (include_str!("../shaders/reflections.wgsl"), "reflections"),
        &reflections,
        &numbers,
        heights,
        &[all, solid],
    );
    let mips = textures::Mips::new(gpu, format);
    (1..reflections.mip_level_count()).for_each(|mip| mips.fill(gpu, &reflections, mip));
    reflections.create_view(&Default::default())
}

/// Runs a fragment shader for every texel of `target`.
fn fill(
    gpu: &Gpu,
    (source, entry): (&str, &str),
    target: &wgpu::Texture,
    numbers: &AboveUniform,
    heights: &wgpu::TextureView,
    maps: &[&wgpu::TextureView],
) {
    let module = textures::shader(gpu, entry, &[include_str!("../shaders/terrain.wgsl"), source]);
    let mut entries = vec![
        textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
        textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: false }, false),
    ];
    entries.extend((2..).zip(maps).map(|(at, _)| textures::texture_entry(at, wgpu::TextureSampleType::Depth, false)));
    let layout = textures::layout(gpu, entry, &entries);
    let pipeline = textures::full_screen(gpu, entry, &module, entry, &[&layout], target.format());
    let views = std::iter::once(heights).chain(maps.iter().copied());
    let resources: Vec<_> = views.map(wgpu::BindingResource::TextureView).collect();
    let group = textures::bind_numbers(gpu, entry, &layout, numbers, &resources);
    let target = textures::one_level(target, 0);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(entry),
            color_attachments: &[Some(textures::color_target(&target, None))],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
    gpu.queue.submit([encoder.finish()]);
}
