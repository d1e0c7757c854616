//! Bodies in front of a plate's planes: depth billboards cut out of the photo.

use bytemuck::{Pod, Zeroable};
use glam::Mat3;

use super::shot::{Shot, columns};
use crate::gpu::Gpu;
use crate::pipelines::{DEPTH, Targets};
use crate::textures;

/// Maximum number of bodies.
pub const MAX_BODIES: usize = 96;

/// Textures of all bodies.
#[derive(Debug, Clone, Copy)]
pub struct Bodies<'a> {
    /// Premultiplied colors and alpha, four bytes per texel, at twice the size of `nearness`.
    pub colors: &'a [u8],
    /// Inverse depth along the photo's optical axis, normalized to -1 to 1, as half-precision bits.
    pub nearness: &'a [u16],
    /// Size of `nearness`, texels: width, height.
    pub size: [u32; 2],
    /// Each body.
    pub each: &'a [Body],
}

/// Position of a body in the photo and the textures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Its bounds in the photo, 0 to 1: left, top, right, bottom.
    pub photo: [f32; 4],
    /// Its bounds in the textures, 0 to 1.
    pub texels: [f32; 4],
    /// Inverse depth: at a texel of 0, the increment for a texel of 1, and the mean.
    pub near: [f32; 3],
}

pub(super) struct BodyPass {
    uniform: wgpu::Buffer,
    group: wgpu::BindGroup,
    pipeline: wgpu::RenderPipeline,
    each: Vec<Body>,
}

impl BodyPass {
    pub(super) fn new(gpu: &Gpu, bodies: &Bodies<'_>) -> Self {
        let uniform = textures::buffer(gpu, "bodies", &[0; size_of::<Uniform>()], wgpu::BufferUsages::UNIFORM);
        let filtered = wgpu::TextureSampleType::Float { filterable: true };
        let layout = textures::layout(
            gpu,
            "bodies",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, filtered, false),
                textures::texture_entry(2, filtered, false),
                textures::sampler_entry(3, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let texture = |format, [width, height]: [u32; 2], texel_bytes, data: &[u8]| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("bodies"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            textures::upload(gpu, &texture, 0, width, height, texel_bytes, data);
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let colors = texture(wgpu::TextureFormat::Rgba8Unorm, bodies.size.map(|side| 2 * side), 4, bodies.colors);
        let nearness = texture(wgpu::TextureFormat::R16Float, bodies.size, 2, bytemuck::cast_slice(bodies.nearness));
        let group = textures::bind(
            gpu,
            "bodies",
            &layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&colors),
                wgpu::BindingResource::TextureView(&nearness),
                wgpu::BindingResource::Sampler(&textures::sampler(gpu, textures::Edge::Mirrored)),
            ],
        );
        Self { uniform, group, pipeline: pipeline(gpu, &layout), each: bodies.each.to_vec() }
    }

    /// Draws a shot's bodies over the target.
    pub(super) fn draw(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        shot: &Shot,
        photo: Mat3,
    ) {
        let shown = &shot.bodies[..shot.bodies.len().min(MAX_BODIES)];
        if shown.is_empty() || shot.is_photo {
            return;
        }
        let mut each = [UniformBody::zeroed(); MAX_BODIES];
        for (to, (number, screen)) in each.iter_mut().zip(shown) {
            let Body { photo, texels, near: [at, step, mean] } = self.each[*number];
            *to = UniformBody { photo, texels, screen: *screen, near: [at, step, mean, 0.0] };
        }
        let uniform = Uniform {
            opened_far: columns(photo * shot.opened.ray),
            opened_near: (photo * shot.opened.position).extend(0.0).to_array(),
            closed_far: columns(photo * shot.closed.ray),
            closed_near: (photo * shot.closed.position).extend(0.0).to_array(),
            frame: [targets.width as f32, targets.height as f32, shot.gain, 0.0],
            each,
        };
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let kept = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("bodies"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target: None,
                ops: kept,
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..4, 0..shown.len() as u32);
    }
}

fn pipeline(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> wgpu::RenderPipeline {
    let module = textures::shader(gpu, "bodies", &[include_str!("../shaders/bodies.wgsl")]);
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("bodies"),
        layout: Some(&textures::pipeline_layout(gpu, &[layout])),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::LessEqual),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("body"),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: wgpu::TextureFormat::Rgba8Unorm,
                blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct UniformBody {
    photo: [f32; 4],
    texels: [f32; 4],
    screen: [f32; 4],
    near: [f32; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Uniform {
    opened_far: [[f32; 4]; 3],
    opened_near: [f32; 4],
    closed_far: [[f32; 4]; 3],
    closed_near: [f32; 4],
    frame: [f32; 4],
    each: [UniformBody; MAX_BODIES],
}
