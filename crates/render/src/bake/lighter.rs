//! Multiplies the painted ground by its light.

use bytemuck::{Pod, Zeroable};
use glam::Mat4;
use std::collections::BTreeMap;

use super::above;
use super::tile::{COLOR, Tile, window};
use crate::gpu::Gpu;
use crate::scene::{Frustum, GroundLevel, Scene};
use crate::shadow::{self, DepthMaps};
use crate::textures;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct LightUniform {
    window: [f32; 4],
    place: [f32; 4],
    terrain: [[f32; 4]; 3],
    tops: [f32; 4],
}

pub(super) struct Lighter {
    module: wgpu::ShaderModule,
    /// Created on demand, by shadow maps used and whether the tile is fine.
    pipelines: BTreeMap<(u32, bool), wgpu::RenderPipeline>,
    sun_views: [Mat4; shadow::SHADOW_REACH.len()],
    layout: wgpu::BindGroupLayout,
    heights: wgpu::TextureView,
    open: wgpu::TextureView,
    /// The reflection map.
    pub(super) reflections: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl Lighter {
    pub(super) fn new(gpu: &Gpu, scene: &Scene, depth: &DepthMaps) -> Self {
        let module = textures::shader(
            gpu,
            "bake",
            &[
                include_str!("../shaders/light.wgsl"),
                include_str!("../shaders/shadow_tap.wgsl"),
                include_str!("../shaders/terrain.wgsl"),
                include_str!("../shaders/bake.wgsl"),
            ],
        );
        let layout = textures::layout(
            gpu,
            "bake",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::texture_entry(2, wgpu::TextureSampleType::Float { filterable: false }, false),
                textures::texture_entry(3, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(4, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let heights = above::heights(gpu, &scene.terrain);
        let open = above::open_sky(gpu, scene, depth, &heights);
        let reflections = above::reflections(gpu, scene, depth, &heights);
        let sampler = textures::sampler(gpu, textures::Edge::Clamped);
        Self {
            module,
            pipelines: BTreeMap::new(),
            sun_views: depth.sun_views,
            layout,
            heights,
            open,
            reflections,
            sampler,
        }
    }

    /// The pipeline for a tile, by the shadow maps that cover it and its resolution.
    fn pipeline(
        &mut self,
        gpu: &Gpu,
        scene: &Scene,
        frame_layout: &wgpu::BindGroupLayout,
        tile: &GroundLevel,
    ) -> &wgpu::RenderPipeline {
        let (low, high) = scene.heights_of(tile.center, tile.half_extent);
        let half = tile.half_extent + 1.0;
        let (min, max) = ((tile.center - half).extend(low - 1.0), (tile.center + half).extend(high + 1.0));
        let maps = match () {
            () if shadow::holds(&self.sun_views[0], min, max) => 0,
            () if !Frustum::new(&self.sun_views[0]).sees(min, max) => 1,
            () => 2,
        };
        let near = window(tile)[3] < 0.2;
        // Number and spacing of the shadow samples: the far map's wide texels would show as steps in a single sample.
        let (sun_samples, spread) = match () {
            () if near => (5, 0.13),
            () if maps == 0 => (2, 0.1),
            () => (4, 0.36),
        };
        self.pipelines.entry((maps, near)).or_insert_with(|| {
            let constants = [("maps", f64::from(maps)), ("sun_samples", f64::from(sun_samples)), ("spread", spread)];
            let layouts = [frame_layout, &self.layout];
            textures::full_screen_with(gpu, "bake", &self.module, ("bake", &constants), &layouts, COLOR)
        })
    }

    /// Lights a painted tile into its part of a window's texture; the first one clears the rest.
    pub(super) fn light(
        &mut self,
        gpu: &Gpu,
        scene: &Scene,
        ((frame_layout, frame), albedo): ((&wgpu::BindGroupLayout, &wgpu::BindGroup), &wgpu::TextureView),
        tile: &Tile,
        target: &wgpu::TextureView,
        first: bool,
    ) {
        let [left, top, side] = [tile.at[0], tile.at[1], tile.window.texels].map(|v| v as f32);
        let uniform = LightUniform {
            window: window(&tile.window),
            place: [left, top, side, 0.0],
            terrain: above::grids(scene),
            tops: above::tops(scene),
        };
        let group = textures::bind_numbers(
            gpu,
            "bake",
            &self.layout,
            &uniform,
            &[
                wgpu::BindingResource::TextureView(albedo),
                wgpu::BindingResource::TextureView(&self.heights),
                wgpu::BindingResource::TextureView(&self.open),
                wgpu::BindingResource::Sampler(&self.sampler),
            ],
        );
        let mut attachment = textures::color_target(target, None);
        if !first {
            attachment.ops.load = wgpu::LoadOp::Load;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("bake"),
                color_attachments: &[Some(attachment)],
                ..Default::default()
            });
            pass.set_viewport(left, top, side, side, 0.0, 1.0);
            pass.set_pipeline(self.pipeline(gpu, scene, frame_layout, &tile.window));
            pass.set_bind_group(0, frame, &[]);
            pass.set_bind_group(1, &group, &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}
