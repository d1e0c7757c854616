//! What is worked out once for a whole film: the painted and lit ground, and the light on the plants.

use bytemuck::{Pod, Zeroable};

use crate::gpu::Gpu;
use crate::scene::{GroundLevel, PaintVertex, Plants, Scene};
use crate::shadow::{DepthMaps, TOPS_REACH, TOPS_SPAN};
use crate::textures;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct LevelUniform {
    window: [f32; 4],
    grid: [f32; 4],
    tops: [f32; 4],
}

/// Centre, half extent and texel of a window, as the shaders take it.
pub(crate) fn window(level: &GroundLevel) -> [f32; 4] {
    [level.centre.x, level.centre.y, level.half_extent, 2.0 * level.half_extent / level.texels as f32]
}

/// Paints and lights each window of the ground; a texture with all its levels for each.
pub(crate) fn ground(
    gpu: &Gpu,
    scene: &Scene,
    depth: &DepthMaps,
    frame_layout: &wgpu::BindGroupLayout,
    frame: &wgpu::BindGroup,
    noise: &wgpu::TextureView,
) -> Vec<wgpu::Texture> {
    let painter = Painter::new(gpu, scene, noise);
    let lighter = Lighter::new(gpu, scene, frame_layout);
    scene
        .ground_levels
        .iter()
        .map(|level| {
            let albedo = painter.paint(gpu, level);
            let lit = lighter.light(gpu, scene, depth, frame, level, &albedo);
            textures::fill_mips(gpu, &lit);
            lit
        })
        .collect()
}

const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

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

struct Painter {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    vertices: wgpu::Buffer,
    count: u32,
    noise: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl Painter {
    fn new(gpu: &Gpu, scene: &Scene, noise: &wgpu::TextureView) -> Self {
        let module = textures::shader(gpu, "paint", &[include_str!("shaders/paint.wgsl")]);
        let layout = textures::layout(
            gpu,
            "paint",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(2, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("paint"),
            layout: Some(&textures::pipeline_layout(gpu, &[&layout])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("place"),
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
                targets: &[Some(COLOUR.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        // Topmost first, each with its rank as depth.
        let mut top_first = scene.paint.clone();
        top_first.reverse();
        let count = top_first.len() as f32;
        for (rank, triangle) in top_first.chunks_exact_mut(3).enumerate() {
            let depth = (rank * 3) as f32 / count;
            triangle.iter_mut().for_each(|v| v.grain[1] = depth);
            triangle.reverse();
        }
        let vertices = textures::buffer(gpu, "paint", bytemuck::cast_slice(&top_first), wgpu::BufferUsages::VERTEX);
        Self {
            pipeline,
            layout,
            vertices,
            count: scene.paint.len() as u32,
            noise: noise.clone(),
            sampler: textures::sampler(gpu, true),
        }
    }

    fn paint(&self, gpu: &Gpu, level: &GroundLevel) -> wgpu::Texture {
        let uniform = textures::buffer(gpu, "level", bytemuck::bytes_of(&window(level)), wgpu::BufferUsages::UNIFORM);
        let group = textures::bind(
            gpu,
            "paint",
            &self.layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&self.noise),
                wgpu::BindingResource::Sampler(&self.sampler),
            ],
        );
        let samples = texture(gpu, "paint samples", COLOUR, level.texels, 4, 1);
        let albedo = texture(gpu, "albedo", COLOUR, level.texels, 1, 1);
        let depth = texture(gpu, "paint order", DEPTH, level.texels, 4, 1).create_view(&Default::default());
        let (samples_view, albedo_view) =
            (samples.create_view(&Default::default()), albedo.create_view(&Default::default()));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("paint"),
                color_attachments: &[Some(textures::colour_target(&samples_view, Some(&albedo_view)))],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.set_vertex_buffer(0, self.vertices.slice(..));
            pass.draw(0..self.count, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
        albedo
    }
}

struct Lighter {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    heights: wgpu::TextureView,
}

impl Lighter {
    fn new(gpu: &Gpu, scene: &Scene, frame_layout: &wgpu::BindGroupLayout) -> Self {
        let module = textures::shader(
            gpu,
            "bake",
            &[
                include_str!("shaders/light.wgsl"),
                include_str!("shaders/shadow_tap.wgsl"),
                include_str!("shaders/bake.wgsl"),
            ],
        );
        let layout = textures::layout(
            gpu,
            "bake",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::texture_entry(2, wgpu::TextureSampleType::Float { filterable: false }, false),
                textures::texture_entry(3, wgpu::TextureSampleType::Depth, false),
            ],
        );
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("bake"),
            layout: Some(&textures::pipeline_layout(gpu, &[frame_layout, &layout])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("corner"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("bake"),
                compilation_options: Default::default(),
                targets: &[Some(COLOUR.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let (columns, rows) = (scene.terrain.columns as u32, scene.terrain.rows as u32);
        let heights = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("heights"),
            size: wgpu::Extent3d { width: columns, height: rows, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        textures::upload(gpu, &heights, 0, columns, rows, 4, bytemuck::cast_slice(&scene.terrain.heights));
        Self { pipeline, layout, heights: heights.create_view(&Default::default()) }
    }

    fn light(
        &self,
        gpu: &Gpu,
        scene: &Scene,
        depth: &DepthMaps,
        frame: &wgpu::BindGroup,
        level: &GroundLevel,
        albedo: &wgpu::Texture,
    ) -> wgpu::Texture {
        let terrain = &scene.terrain;
        let uniform = LevelUniform {
            window: window(level),
            grid: [terrain.min.x, terrain.min.y, terrain.spacing, terrain.columns as f32],
            tops: [scene.focus.x, scene.focus.y, TOPS_REACH, TOPS_SPAN],
        };
        let uniform = textures::buffer(gpu, "level", bytemuck::bytes_of(&uniform), wgpu::BufferUsages::UNIFORM);
        let group = textures::bind(
            gpu,
            "bake",
            &self.layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&albedo.create_view(&Default::default())),
                wgpu::BindingResource::TextureView(&self.heights),
                wgpu::BindingResource::TextureView(&depth.tops),
            ],
        );
        let lit = texture(gpu, "lit ground", COLOUR, level.texels, 1, level.texels.ilog2() + 1);
        let target = lit.create_view(&wgpu::TextureViewDescriptor { mip_level_count: Some(1), ..Default::default() });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("bake"),
                color_attachments: &[Some(textures::colour_target(&target, None))],
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, frame, &[]);
            pass.set_bind_group(1, &group, &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
        lit
    }
}

/// Bytes of a plant vertex after its light is baked: position and colour.
pub(crate) const LIT_PLANT_BYTES: u64 = 16;

/// Lights the plants: a vertex buffer of positions and colours.
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
