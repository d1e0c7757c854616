//! What is worked out once from depth maps seen from straight above: how open the sky is over the ground, and how high what
//! stands on the ground rises over it, which is what water mirrors.

use bytemuck::{Pod, Zeroable};

use super::texture;
use crate::gpu::Gpu;
use crate::scene::Scene;
use crate::shadow::{BANKS_REACH, BANKS_TEXELS, DepthMaps, TOPS_REACH, TOPS_SPAN};
use crate::textures;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct AboveUniform {
    /// Center x, y, half extent of the depth maps; their top height.
    place: [f32; 4],
    grid: [f32; 4],
}

/// Side of the map of open sky, texels.
const OPEN_TEXELS: u32 = 1024;

/// Where the map of tops and of open sky lies, as the shaders take it.
pub(super) fn tops(scene: &Scene) -> [f32; 4] {
    [scene.focus.x, scene.focus.y, TOPS_REACH, TOPS_SPAN]
}

/// Where the map of what water mirrors lies.
pub(super) fn banks_at(scene: &Scene) -> [f32; 4] {
    [scene.focus.x, scene.focus.y, BANKS_REACH, TOPS_SPAN]
}

/// Where the terrain's samples lie, as the shaders take it.
pub(super) fn grid(scene: &Scene) -> [f32; 4] {
    let terrain = &scene.terrain;
    [terrain.min.x, terrain.min.y, terrain.spacing, terrain.columns as f32]
}

/// Works out the map of open sky.
pub(super) fn open_sky(gpu: &Gpu, scene: &Scene, depth: &DepthMaps, heights: &wgpu::TextureView) -> wgpu::TextureView {
    let open = texture(gpu, "openness", wgpu::TextureFormat::R8Unorm, OPEN_TEXELS, 1, 1);
    let source = include_str!("../shaders/openness.wgsl");
    let numbers = AboveUniform { place: tops(scene), grid: grid(scene) };
    fill(gpu, (source, "open"), &open, &numbers, heights, &[&depth.tops]);
    open.create_view(&Default::default())
}

/// Works out how high what stands on the ground rises, with all levels of detail; an empty map where there is no water.
pub(super) fn banks(gpu: &Gpu, scene: &Scene, depth: &DepthMaps, heights: &wgpu::TextureView) -> wgpu::TextureView {
    let format = wgpu::TextureFormat::Rg8Unorm;
    let Some([all, solid]) = &depth.banks else {
        return texture(gpu, "banks", format, 1, 1, 1).create_view(&Default::default());
    };
    let banks = texture(gpu, "banks", format, BANKS_TEXELS, 1, BANKS_TEXELS.ilog2() + 1);
    let numbers = AboveUniform { place: banks_at(scene), grid: grid(scene) };
    fill(gpu, (include_str!("../shaders/banks.wgsl"), "banks"), &banks, &numbers, heights, &[all, solid]);
    let mips = textures::Mips::new(gpu, format);
    (1..banks.mip_level_count()).for_each(|mip| mips.fill(gpu, &banks, mip));
    banks.create_view(&Default::default())
}

/// Runs a fragment program once for every texel of `target`.
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
