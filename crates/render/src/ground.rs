//! The ground as frames draw it: its triangles on the device, its windows, the programs that draw them, and a marking on it.

use glam::Vec3;
use std::ops::Range;

use crate::bake::{self, LitGround};
use crate::gpu::Gpu;
use crate::ground_mesh::Mesh;
use crate::marking::{Drawn, Placed};
use crate::pipelines::Pipelines;
use crate::scene::Scene;
use crate::shadow::Caster;
use crate::textures::{self, Edge};

/// The ground's triangles on the device.
pub(crate) struct Body {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
    /// Of each window: what is dry, and what may be wet.
    ranges: Vec<[Range<u32>; 2]>,
}

impl Body {
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

    /// Whether water may lie anywhere.
    pub(crate) fn is_wet(&self) -> bool {
        self.ranges.iter().any(|[_, wet]| !wet.is_empty())
    }
}

/// A window of the ground.
struct Window {
    group: wgpu::BindGroup,
    ranges: [Range<u32>; 2],
    /// Which of the dry ground's programs draws it.
    grained: bool,
}

/// The ground of a scene, ready to be drawn.
pub(crate) struct Ground {
    body: Body,
    windows: Vec<Window>,
    plain: wgpu::RenderPipeline,
    grained: wgpu::RenderPipeline,
    wet: wgpu::RenderPipeline,
    /// The ground with a marking on it, where the scene has one.
    marked: Option<(wgpu::RenderPipeline, Placed)>,
}

impl Ground {
    pub(crate) fn new(
        gpu: &Gpu,
        scene: &Scene,
        body: Body,
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
            let uniform = [bake::window(&scene.ground_levels[index]), lit.banks_at];
            let view = lit.windows[index].create_view(&Default::default());
            let group = textures::bind_numbers(
                gpu,
                "ground",
                &layout,
                &uniform,
                &[
                    wgpu::BindingResource::TextureView(&view),
                    // What lies past the outermost window is seen too.
                    wgpu::BindingResource::Sampler(if index == outermost { &mirrored } else { &clamped }),
                    wgpu::BindingResource::TextureView(noise),
                    wgpu::BindingResource::Sampler(&repeated),
                    wgpu::BindingResource::TextureView(&lit.banks),
                ],
            );
            // Farther windows are seen from where their grain has melted into one tone.
            Window { group, ranges: ranges.clone(), grained: index == 0 }
        };
        let windows = body.ranges.iter().enumerate().map(window).collect();
        let sources = [include_str!("shaders/light.wgsl"), include_str!("shaders/ground.wgsl")];
        let module = textures::shader(gpu, "ground", &sources);
        let attributes = wgpu::vertex_attr_array![0 => Float32x3];
        let program = |grained: bool, wet: bool| {
            let constants = [("grained", f64::from(u8::from(grained))), ("wet", f64::from(u8::from(wet)))];
            let entries = ("place", "ground");
            pipelines.with("ground", &module, entries, &constants, &[&layout], 12, &attributes, true)
        };
        let marked = scene.marking.as_ref().and_then(|marking| Placed::new(gpu, marking)).map(|placed| {
            let sources = [sources[0], sources[1], include_str!("shaders/marking.wgsl")];
            let module = textures::shader(gpu, "marked ground", &sources);
            let groups = [&layout, &placed.layout];
            let pipeline =
                pipelines.make("marked ground", &module, ("place", "marked"), &groups, 12, &attributes, true);
            (pipeline, placed)
        });
        let (plain, grained, wet) = (program(false, false), program(true, false), program(true, true));
        Self { body, windows, plain, grained, wet, marked }
    }

    /// Draws the ground with so much of its marking; `texels` of the target make a pixel of the finished picture.
    pub(crate) fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, drawn: Drawn, texels: f32) {
        let marked = self.marked.as_ref().filter(|_| drawn != Drawn::NOTHING);
        if let Some((pipeline, placed)) = marked {
            placed.show(gpu, drawn, texels);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, &placed.group, &[]);
        }
        pass.set_vertex_buffer(0, self.body.vertices.slice(..));
        pass.set_index_buffer(self.body.indices.slice(..), wgpu::IndexFormat::Uint32);
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
