//! Construction of textures, mip levels, buffers, bind groups and full-screen pipelines.

use crate::gpu::Gpu;

/// Side of the noise tile, texels.
pub(crate) const NOISE_TEXELS: u32 = 256;

/// Hashes integers to 0..1, the same on every machine.
fn hash_to_unit(x: u32, y: u32, seed: u32) -> f32 {
    let mut n = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    n ^= n >> 15;
    n = n.wrapping_mul(0x2C1B_3C6D);
    n ^= n >> 12;
    n = n.wrapping_mul(0x297A_2D39);
    n ^= n >> 15;
    (n & 0xFF_FFFF) as f32 / 16_777_215.0
}

/// Value noise that repeats after `period` cells.
fn value_noise(x: f32, y: f32, period: u32, seed: u32) -> f32 {
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = (x - i, y - j);
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(u), smooth(v));
    let at = |dx: u32, dy: u32| hash_to_unit((i as u32 + dx) % period, (j as u32 + dy) % period, seed);
    let low = at(0, 0) * (1.0 - u) + at(1, 0) * u;
    let high = at(0, 1) * (1.0 - u) + at(1, 1) * u;
    low * (1.0 - v) + high * v
}

/// Fractal sum of `octaves` from `cells` cells a side, scaled to about 0..1 with mean 0.5.
fn fractal(x: f32, y: f32, cells: u32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 1.0, 0.0);
    for octave in 0..octaves {
        let period = cells << octave;
        sum += weight * value_noise(x * period as f32, y * period as f32, period, seed + octave);
        total += weight;
        weight *= 0.55;
    }
    ((sum / total - 0.5) * 1.7 + 0.5).clamp(0.0, 1.0)
}

/// A tiling noise texture with all mip levels: coarse noise in red, fine noise in green.
pub(crate) fn noise_tile(gpu: &Gpu) -> wgpu::TextureView {
    let mut level = Vec::with_capacity((NOISE_TEXELS * NOISE_TEXELS * 2) as usize);
    for y in 0..NOISE_TEXELS {
        for x in 0..NOISE_TEXELS {
            let (u, v) = (x as f32 / NOISE_TEXELS as f32, y as f32 / NOISE_TEXELS as f32);
            level.push((fractal(u, v, 5, 5, 11) * 255.0) as u8);
            level.push((fractal(u, v, 24, 4, 71) * 255.0) as u8);
        }
    }
    let levels = NOISE_TEXELS.ilog2() + 1;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("noise"),
        size: wgpu::Extent3d { width: NOISE_TEXELS, height: NOISE_TEXELS, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rg8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let mut side = NOISE_TEXELS;
    for mip in 0..levels {
        upload(gpu, &texture, mip, side, side, 2, &level);
        let half = (side / 2).max(1) as usize;
        let mut next = Vec::with_capacity(half * half * 2);
        for y in 0..half {
            for x in 0..half {
                for channel in 0..2 {
                    let at = |dx: usize, dy: usize| {
                        let (x, y) = ((2 * x + dx) % side as usize, (2 * y + dy) % side as usize);
                        u32::from(level[(y * side as usize + x) * 2 + channel])
                    };
                    next.push(((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8);
                }
            }
        }
        level = next;
        side = half as u32;
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Writes texels into one mip level of a texture.
pub(crate) fn upload(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    mip_level: u32,
    width: u32,
    height: u32,
    texel_bytes: u32,
    data: &[u8],
) {
    gpu.queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        },
        data,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * texel_bytes),
            rows_per_image: Some(height),
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}

/// A buffer filled with `data`.
pub(crate) fn buffer(gpu: &Gpu, label: &str, data: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = (data.len() as u64).next_multiple_of(4).max(16);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    if !data.is_empty() {
        gpu.queue.write_buffer(&buffer, 0, data);
    }
    buffer
}

/// Waits for all submitted work, which frees the staging memory of uploads.
pub(crate) fn settle(gpu: &Gpu) {
    gpu.queue.submit([]);
    // The next call on the device reports its loss.
    let _ = gpu.device.poll(wgpu::PollType::Wait { submission_index: None, timeout: None });
}

/// Address mode of a sampler.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Edge {
    /// Repeats the texture.
    Repeated,
    /// Clamps to the outermost texels.
    Clamped,
    /// Mirrors the texture.
    Mirrored,
}

/// A bilinear sampler with nearest mip level: shaders choose the level themselves, and trilinear filtering would double the cost
/// of a tap on a CPU.
pub(crate) fn sampler(gpu: &Gpu, edge: Edge) -> wgpu::Sampler {
    let mode = match edge {
        Edge::Repeated => wgpu::AddressMode::Repeat,
        Edge::Clamped => wgpu::AddressMode::ClampToEdge,
        Edge::Mirrored => wgpu::AddressMode::MirrorRepeat,
    };
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("linear"),
        address_mode_u: mode,
        address_mode_v: mode,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Nearest,
        ..Default::default()
    })
}

/// A shader module from concatenated sources.
pub(crate) fn shader(gpu: &Gpu, label: &str, parts: &[&str]) -> wgpu::ShaderModule {
    gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(parts.concat().into()),
    })
}

/// Layout entry of a texture.
pub(crate) fn texture_entry(
    binding: u32,
    sample_type: wgpu::TextureSampleType,
    array: bool,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT | wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Texture {
            sample_type,
            view_dimension: if array { wgpu::TextureViewDimension::D2Array } else { wgpu::TextureViewDimension::D2 },
            multisampled: false,
        },
        count: None,
    }
}

/// Layout entry of a sampler.
pub(crate) fn sampler_entry(binding: u32, kind: wgpu::SamplerBindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT | wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Sampler(kind),
        count: None,
    }
}

/// Layout entry of a buffer.
pub(crate) fn buffer_entry(binding: u32, kind: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    let visibility = match kind {
        wgpu::BufferBindingType::Uniform => wgpu::ShaderStages::all(),
        wgpu::BufferBindingType::Storage { .. } => wgpu::ShaderStages::COMPUTE,
    };
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer { ty: kind, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}

/// A bind group layout.
pub(crate) fn layout(gpu: &Gpu, label: &str, entries: &[wgpu::BindGroupLayoutEntry]) -> wgpu::BindGroupLayout {
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
}

/// A bind group whose bindings are numbered from 0.
pub(crate) fn bind(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> = resources
        .iter()
        .enumerate()
        .map(|(i, resource)| wgpu::BindGroupEntry { binding: i as u32, resource: resource.clone() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// A bind group whose first binding is a new uniform buffer that holds `numbers`.
pub(crate) fn bind_numbers<T: bytemuck::Pod>(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    numbers: &T,
    further: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let uniform = buffer(gpu, label, bytemuck::bytes_of(numbers), wgpu::BufferUsages::UNIFORM);
    let resources: Vec<_> = std::iter::once(uniform.as_entire_binding()).chain(further.iter().cloned()).collect();
    bind(gpu, label, layout, &resources)
}

/// A pipeline layout over bind group layouts.
pub(crate) fn pipeline_layout(gpu: &Gpu, groups: &[&wgpu::BindGroupLayout]) -> wgpu::PipelineLayout {
    let groups: Vec<_> = groups.iter().map(|g| Some(*g)).collect();
    gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}

/// A pipeline that runs a fragment shader for every texel of its target; its vertex shader is called `corner`.
pub(crate) fn full_screen(
    gpu: &Gpu,
    label: &str,
    module: &wgpu::ShaderModule,
    fragment: &str,
    groups: &[&wgpu::BindGroupLayout],
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    full_screen_with(gpu, label, module, (fragment, &[]), groups, format)
}

/// A full-screen pipeline with override constants of the fragment shader.
pub(crate) fn full_screen_with(
    gpu: &Gpu,
    label: &str,
    module: &wgpu::ShaderModule,
    (fragment, constants): (&str, &[(&str, f64)]),
    groups: &[&wgpu::BindGroupLayout],
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(&pipeline_layout(gpu, groups)),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("corner"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(fragment),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Fills mip levels by downsampling.
pub(crate) struct Mips {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    linear: wgpu::Sampler,
}

impl Mips {
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let module = shader(gpu, "mip", &[include_str!("shaders/mip.wgsl")]);
        let layout = layout(
            gpu,
            "mip",
            &[
                texture_entry(0, wgpu::TextureSampleType::Float { filterable: true }, false),
                sampler_entry(1, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let pipeline = full_screen(gpu, "mip", &module, "halve", &[&layout], format);
        Self { layout, pipeline, linear: sampler(gpu, Edge::Clamped) }
    }

    /// Fills mip level `mip`, from 1 on.
    pub(crate) fn fill(&self, gpu: &Gpu, texture: &wgpu::Texture, mip: u32) {
        let group = bind(
            gpu,
            "mip",
            &self.layout,
            &[
                wgpu::BindingResource::TextureView(&one_level(texture, mip - 1)),
                wgpu::BindingResource::Sampler(&self.linear),
            ],
        );
        let target = one_level(texture, mip);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("mip"),
                color_attachments: &[Some(color_target(&target, None))],
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}

/// A view of one mip level.
pub(crate) fn one_level(texture: &wgpu::Texture, mip: u32) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        base_mip_level: mip,
        mip_level_count: Some(1),
        ..Default::default()
    })
}

/// A color attachment that is cleared to black first.
pub(crate) fn color_target<'a>(
    view: &'a wgpu::TextureView,
    resolve_target: Option<&'a wgpu::TextureView>,
) -> wgpu::RenderPassColorAttachment<'a> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
    }
}
