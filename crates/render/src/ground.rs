//! Draws the ground: its mesh, the textured windows, and a marking on it.

use glam::Vec3;

use crate::bake::{self, LitGround};
use crate::gpu::Gpu;
use crate::ground_mesh::{Mesh, Part};
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
    /// The parts of each window.
    windows: Vec<Vec<Part>>,
}

impl GroundBuffers {
    pub(crate) fn new(gpu: &Gpu, scene: &Scene) -> Self {
        let Mesh { vertices, indices, windows } = Mesh::of(scene);
        let upload = |bytes, usage| textures::buffer(gpu, "ground", bytes, usage);
        Self {
            count: indices.len() as u32,
            vertices: upload(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX),
            indices: upload(bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            windows,
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
        self.windows.iter().flatten().any(|part| part.is_wet)
    }
}

/// A window of the ground.
struct Window {
    group: wgpu::BindGroup,
    parts: Vec<Part>,
    /// Whether its fine grain is drawn.
    grained: bool,
}

/// Pipelines by what they draw: neither grain nor water, grain, or both.
struct Programs([wgpu::RenderPipeline; 3]);

impl Programs {
    fn new(pipeline: impl Fn(&[(&str, f64)]) -> wgpu::RenderPipeline) -> Self {
        let program = |(grained, wet): (bool, bool)| {
            pipeline(&[("grained", f64::from(u8::from(grained))), ("wet", f64::from(u8::from(wet)))])
        };
        Self([(false, false), (true, false), (true, true)].map(program))
    }

    fn of(&self, grained: bool, wet: bool) -> &wgpu::RenderPipeline {
        &self.0[if wet { 2 } else { usize::from(grained) }]
    }
}

/// The ground of a scene, ready to be drawn.
pub(crate) struct Ground {
    buffers: GroundBuffers,
    windows: Vec<Window>,
    programs: Programs,
    /// Pipelines and data of the marking, where the scene has one.
    marked: Option<(Programs, GpuMarking)>,
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
        let window = |(index, parts): (usize, &Vec<Part>)| {
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
            Window { group, parts: parts.clone(), grained: index == 0 }
        };
        let windows = buffers.windows.iter().enumerate().map(window).collect();
        let sources = [include_str!("shaders/light.wgsl"), include_str!("shaders/ground.wgsl")];
        let module = textures::shader(gpu, "ground", &sources);
        let attributes = wgpu::vertex_attr_array![0 => Float32x3];
        let programs = Programs::new(|constants| {
            let entries = ("vertex_main", "ground");
            pipelines.with("ground", &module, entries, constants, &[&layout], 12, &attributes, true)
        });
        let marked = scene.marking.as_ref().and_then(|marking| GpuMarking::new(gpu, marking)).map(|placed| {
            let sources = [sources[0], sources[1], include_str!("shaders/marking.wgsl")];
            let module = textures::shader(gpu, "marked ground", &sources);
            let groups = [&layout, &placed.layout];
            let entries = ("vertex_main", "marked");
            let programs = Programs::new(|constants| {
                pipelines.with("marked ground", &module, entries, constants, &groups, 12, &attributes, true)
            });
            (programs, placed)
        });
        Self { buffers, windows, programs, marked }
    }

    /// Draws the ground with its marking; `texels` is the number of the target's texels per pixel of the finished picture, along
    /// each axis.
    pub(crate) fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, drawn: MarkingState, texels: f32) {
        let marked = self.marked.as_ref().filter(|_| drawn != MarkingState::HIDDEN);
        pass.set_vertex_buffer(0, self.buffers.vertices.slice(..));
        pass.set_index_buffer(self.buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
        if let Some((_, placed)) = marked {
            placed.show(gpu, drawn, texels);
        }
        for window in &self.windows {
            pass.set_bind_group(1, &window.group, &[]);
            for part in &window.parts {
                // The marking is drawn where it may reach alone, as a CPU evaluates all of its shader everywhere.
                match marked.filter(|_| part.is_marked) {
                    Some((programs, placed)) => {
                        pass.set_pipeline(programs.of(window.grained, part.is_wet));
                        pass.set_bind_group(2, &placed.group, &[]);
                    }
                    None => pass.set_pipeline(self.programs.of(window.grained, part.is_wet)),
                }
                pass.draw_indexed(part.range.clone(), 0, 0..1);
            }
        }
    }
}
