//! Paints the albedo of the ground, tile by tile, in top view.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::tile::{COLOR, TILE, texture, window};
use crate::gpu::Gpu;
use crate::scene::{GroundLevel, Orthophoto, PaintVertex, Scene};
use crate::textures::{self, Edge};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PaintUniform {
    window: [f32; 4],
    orthophoto: [f32; 4],
}

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

pub(super) struct Painter {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    vertices: wgpu::Buffer,
    /// Bounding box of each triangle, topmost first.
    bounds: Vec<[Vec2; 2]>,
    noise: wgpu::TextureView,
    samplers: [wgpu::Sampler; 2],
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    pub(super) albedo: wgpu::TextureView,
}

/// An orthophoto on the device, and its area.
pub(super) struct GpuOrthophoto {
    view: wgpu::TextureView,
    place: [f32; 4],
}

impl Painter {
    pub(super) fn new(gpu: &Gpu, scene: &Scene, noise: &wgpu::TextureView) -> Self {
        let module = textures::shader(gpu, "paint", &[include_str!("../shaders/paint.wgsl")]);
        let layout = textures::layout(
            gpu,
            "paint",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(2, wgpu::SamplerBindingType::Filtering),
                textures::texture_entry(3, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(4, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("paint"),
            layout: Some(&textures::pipeline_layout(gpu, &[&layout])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex_main"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<PaintVertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x4, 2 => Float32x2, 3 => Float32x2],
                })],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: 4, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("paint"),
                compilation_options: Default::default(),
                targets: &[Some(COLOR.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        // Topmost first, with the rank as depth, so that each texel is shaded once.
        let mut top_first = scene.paint.clone();
        top_first.reverse();
        let count = top_first.len() as f32;
        for (rank, triangle) in top_first.chunks_exact_mut(3).enumerate() {
            let depth = (rank * 3) as f32 / count;
            triangle.iter_mut().for_each(|v| v.grain[1] = depth);
            triangle.reverse();
        }
        let vertices = textures::buffer(gpu, "paint", bytemuck::cast_slice(&top_first), wgpu::BufferUsages::VERTEX);
        let bounds = top_first.chunks_exact(3).map(|triangle| {
            let corners = || triangle.iter().map(|v| Vec2::from_array(v.position));
            [corners().fold(Vec2::INFINITY, Vec2::min), corners().fold(Vec2::NEG_INFINITY, Vec2::max)]
        });
        let view = |texture: wgpu::Texture| texture.create_view(&Default::default());
        Self {
            pipeline,
            layout,
            vertices,
            bounds: bounds.collect(),
            noise: noise.clone(),
            samplers: [textures::sampler(gpu, Edge::Repeated), textures::sampler(gpu, Edge::Clamped)],
            samples: view(texture(gpu, "paint samples", COLOR, TILE, 4, 1)),
            depth: view(texture(gpu, "paint order", DEPTH, TILE, 4, 1)),
            albedo: view(texture(gpu, "albedo", COLOR, TILE, 1, 1)),
        }
    }

    /// Uploads an orthophoto; without one, a single texel that is never sampled.
    pub(super) fn orthophoto(&self, gpu: &Gpu, orthophoto: Option<&Orthophoto>) -> GpuOrthophoto {
        let (side, rgba) = orthophoto.map_or((1, &[0; 4][..]), |d| (d.side, &d.rgba));
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("orthophoto"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: COLOR,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        textures::upload(gpu, &texture, 0, side, side, 4, rgba);
        let place = orthophoto.map_or([0.0; 4], |d| [d.center.x, d.center.y, d.half_extent, 1.0]);
        GpuOrthophoto { view: texture.create_view(&Default::default()), place }
    }

    /// Paints a tile into the top left corner of `albedo`.
    pub(super) fn paint(&self, gpu: &Gpu, scene: &Scene, tile: &GroundLevel, orthophoto: &GpuOrthophoto) {
        debug_assert!(tile.texels <= TILE && scene.paint.len() == 3 * self.bounds.len());
        let uniform = PaintUniform { window: window(tile), orthophoto: orthophoto.place };
        let group = textures::bind_numbers(
            gpu,
            "paint",
            &self.layout,
            &uniform,
            &[
                wgpu::BindingResource::TextureView(&self.noise),
                wgpu::BindingResource::Sampler(&self.samplers[0]),
                wgpu::BindingResource::TextureView(&orthophoto.view),
                wgpu::BindingResource::Sampler(&self.samplers[1]),
            ],
        );
        let (low, high) = (tile.center - tile.half_extent, tile.center + tile.half_extent);
        let touches = |[least, greatest]: &[Vec2; 2]| least.cmple(high).all() && greatest.cmpge(low).all();
        let indices: Vec<u32> = (0..)
            .step_by(3)
            .zip(&self.bounds)
            .filter(|(_, bounds)| touches(bounds))
            .flat_map(|(first, _)| first..first + 3)
            .collect();
        let index_buffer = textures::buffer(gpu, "tile", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("paint"),
                color_attachments: &[Some(textures::color_target(&self.samples, Some(&self.albedo)))],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &self.depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_viewport(0.0, 0.0, tile.texels as f32, tile.texels as f32, 0.0, 1.0);
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.set_vertex_buffer(0, self.vertices.slice(..));
            pass.set_index_buffer(index_buffer.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..indices.len() as u32, 0, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}
