//! Render targets, the bind group that all frame pipelines share, and their construction.

use crate::gpu::Gpu;
use crate::shadow::DepthMaps;
use crate::textures;

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The render targets of a frame.
pub(crate) struct Targets {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) color: wgpu::TextureView,
    pub(crate) depth: wgpu::TextureView,
}

impl Targets {
    pub(crate) fn new(gpu: &Gpu, width: u32, height: u32) -> Self {
        let texture = |label, format, usage| {
            gpu.device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                })
                .create_view(&Default::default())
        };
        Self {
            width,
            height,
            color: texture("picture", COLOR, wgpu::TextureUsages::TEXTURE_BINDING),
            depth: texture("depth", DEPTH, wgpu::TextureUsages::empty()),
        }
    }
}

/// Bind group 0 of every frame pipeline: the frame uniform and the shadow maps.
pub(crate) fn frame_group(
    gpu: &Gpu,
    uniform: &wgpu::Buffer,
    depth: &DepthMaps,
) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
    let layout = textures::layout(
        gpu,
        "frame",
        &[
            textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
            textures::texture_entry(1, wgpu::TextureSampleType::Depth, true),
            textures::sampler_entry(2, wgpu::SamplerBindingType::Comparison),
        ],
    );
    let compare = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("sun"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let group = textures::bind(
        gpu,
        "frame",
        &layout,
        &[
            uniform.as_entire_binding(),
            wgpu::BindingResource::TextureView(&depth.sun),
            wgpu::BindingResource::Sampler(&compare),
        ],
    );
    (layout, group)
}

/// Creates pipelines that draw into a frame.
pub(crate) struct Pipelines<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) frame_layout: &'a wgpu::BindGroupLayout,
}

impl Pipelines<'_> {
    /// Creates a pipeline.
    #[expect(clippy::too_many_arguments, reason = "one call per pipeline, each argument differs")]
    pub(crate) fn make(
        &self,
        label: &str,
        module: &wgpu::ShaderModule,
        (vertex, fragment): (&str, &str),
        further: &[&wgpu::BindGroupLayout],
        stride: u64,
        attributes: &[wgpu::VertexAttribute],
        cull: bool,
    ) -> wgpu::RenderPipeline {
        self.with(label, module, (vertex, fragment), &[], further, stride, attributes, cull)
    }

    /// Creates a pipeline with override constants of the fragment shader.
    #[expect(clippy::too_many_arguments, reason = "one call per pipeline, each argument differs")]
    pub(crate) fn with(
        &self,
        label: &str,
        module: &wgpu::ShaderModule,
        (vertex, fragment): (&str, &str),
        constants: &[(&str, f64)],
        further: &[&wgpu::BindGroupLayout],
        stride: u64,
        attributes: &[wgpu::VertexAttribute],
        cull: bool,
    ) -> wgpu::RenderPipeline {
        let groups: Vec<_> = std::iter::once(self.frame_layout).chain(further.iter().copied()).collect();
        let buffers = [Some(wgpu::VertexBufferLayout {
            array_stride: stride,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes,
        })];
        self.gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(&textures::pipeline_layout(self.gpu, &groups)),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: if stride == 0 { &[] } else { &buffers },
            },
            primitive: wgpu::PrimitiveState { cull_mode: cull.then_some(wgpu::Face::Back), ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(stride != 0),
                depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
                targets: &[Some(COLOR.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
