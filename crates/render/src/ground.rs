//! Draws the ground: its mesh, the textured windows, and a marking on it.

use glam::Vec3;
use std::ops::Range;

use crate::bake::{self, LitGround};
use crate::gpu::Gpu;
use crate::ground_mesh::Mesh;
use crate::marking::{GpuMarking, MarkingState};
use crate::pipelines::Pipelines;
use crate::scene::Scene;
use crate::shadow::Caster;
use crate::textures::{self, Edge};

/// The ground's mesh on the device.
pub(crate) struct GroundBuffers {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
    /// Index ranges of each window: dry, and possibly wet.
    ranges: Vec<[Range<u32>; 2]>,
}

impl GroundBuffers {
    pub(crate) fn new(gpu: &Gpu, scene: &Scene) -> Self {
        let Mesh { vertices, indices, ranges } = Mesh::of(scene);
        let upload = |bytes, usage| textures::buffer(gpu, "ground", bytes, usage);
        Self {
            count: indices.len() as u32,
            vertices: upload(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX),
            indices: upload(bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            ranges,
        }
    }

    pub(crate) fn caster(&self) -> Caster<'_> {
        Caster {
            vertices: &self.vertices,
            stride: 12,
            indices: &self.indices,
            parts: vec![(Vec3::splat(-1e5), Vec3::splat(1e5), 0..self.count)],
        }
    }

    /// Whether there may be water anywhere.
    pub(crate) fn is_wet(&self) -> bool {
        self.ranges.iter().any(|[_, wet]| !wet.is_empty())
    }
}

/// A window of the ground.
struct Window {
    group: wgpu::BindGroup,
    ranges: [Range<u32>; 2],
    /// Whether its fine grain is drawn.
    grained: bool,
}

/// The ground of a scene, ready to be drawn.
pub(crate) struct Ground {
    buffers: GroundBuffers,
    windows: Vec<Window>,
    plain: wgpu::RenderPipeline,
    grained: wgpu::RenderPipeline,
    wet: wgpu::RenderPipeline,
    /// Pipeline and data of the marking, where the scene has one.
    marked: Option<(wgpu::RenderPipeline, GpuMarking)>,
}

impl Ground {
    pub(crate) fn new(
        gpu: &Gpu,
        scene: &Scene,
        buffers: GroundBuffers,
        lit: &LitGround,
        noise: &wgpu::TextureView,
        pipelines: &Pipelines<'_>,
    ) -> Self {
        let picture = wgpu::TextureSampleType::Float { filterable: true };
        let layout = textures::layout(
            gpu,
            "ground",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, picture, false),
                textures::sampler_entry(2, wgpu::SamplerBindingType::Filtering),
                textures::texture_entry(3, picture, false),
                textures::sampler_entry(4, wgpu::SamplerBindingType::Filtering),
                textures::texture_entry(5, picture, false),
            ],
        );
        let [clamped, mirrored, repeated] =
            [Edge::Clamped, Edge::Mirrored, Edge::Repeated].map(|edge| textures::sampler(gpu, edge));
        let outermost = scene.ground_levels.len().saturating_sub(1);
        let window = |(index, ranges): (usize, &[Range<u32>; 2])| {
            let uniform = [bake::window(&scene.ground_levels[index]), lit.reflections_at];
            let view = lit.windows[index].create_view(&Default::default());
            let group = textures::bind_numbers(
                gpu,
                "ground",
                &layout,
                &uniform,
                &[
                    wgpu::BindingResource::TextureView(&view),
                    // The area beyond the outermost window is visible, too.
                    wgpu::BindingResource::Sampler(if index == outermost { &mirrored } else { &clamped }),
                    wgpu::BindingResource::TextureView(noise),
                    wgpu::BindingResource::Sampler(&repeated),
                    wgpu::BindingResource::TextureView(&lit.reflections),
                ],
            );
            // Farther windows are too distant for their grain to show.
            Window { group, ranges: ranges.clone(), grained: index == 0 }
        };
        let windows = buffers.ranges.iter().enumerate().map(window).collect();
        let sources = [include_str!("shaders/light.wgsl"), include_str!("shaders/ground.wgsl")];
        let module = textures::shader(gpu, "ground", &sources);
        let attributes = wgpu::vertex_attr_array![0 => Float32x3];
        let program = |grained: bool, wet: bool| {
            let constants = [("grained", f64::from(u8::from(grained))), ("wet", f64::from(u8::from(wet)))];
            let entries = ("vertex_main", "ground");
            pipelines.with("ground", &module, entries, &constants, &[&layout], 12, &attributes, true)
        };
        let marked = scene.marking.as_ref().and_then(|marking| GpuMarking::new(gpu, marking)).map(|placed| {
            let sources = [sources[0], sources[1], include_str!("shaders/marking.wgsl")];
            let module = textures::shader(gpu, "marked ground", &sources);
            let groups = [&layout, &placed.layout];
            let pipeline =
                pipelines.make("marked ground", &module, ("vertex_main", "marked"), &groups, 12, &attributes, true);
            (pipeline, placed)
        });
        let (plain, grained, wet) = (program(false, false), program(true, false), program(true, true));
        Self { buffers, windows, plain, grained, wet, marked }
    }

    /// Draws the ground with its marking; `texels` is the number of the target's texels per pixel of the finished picture, along
    /// each axis.
    pub(crate) fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, drawn: MarkingState, texels: f32) {
        let marked = self.marked.as_ref().filter(|_| drawn != MarkingState::HIDDEN);
        if let Some((pipeline, placed)) = marked {
            placed.show(gpu, drawn, texels);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, &placed.group, &[]);
        }
        pass.set_vertex_buffer(0, self.buffers.vertices.slice(..));
        pass.set_index_buffer(self.buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
        for window in &self.windows {
            pass.set_bind_group(1, &window.group, &[]);
            let dry = if window.grained { &self.grained } else { &self.plain };
            for (range, pipeline) in window.ranges.iter().zip([dry, &self.wet]) {
                if range.is_empty() {
                    continue;
                }
                if marked.is_none() {
                    pass.set_pipeline(pipeline);
                }
                pass.draw_indexed(range.clone(), 0, 0..1);
            }
        }
    }
}
