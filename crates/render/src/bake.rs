//! What is worked out once for a whole film: the painted and lit ground, and the light on the plants.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2};
use std::collections::BTreeMap;

use crate::gpu::Gpu;
use crate::scene::{Drape, Frustum, GroundLevel, PaintVertex, Plants, Scene};
use crate::shadow::{DepthMaps, TOPS_REACH, TOPS_SPAN};
use crate::{shadow, textures};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PaintUniform {
    window: [f32; 4],
    drape: [f32; 4],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct LightUniform {
    window: [f32; 4],
    place: [f32; 4],
    grid: [f32; 4],
    tops: [f32; 4],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct OpenUniform {
    tops: [f32; 4],
    grid: [f32; 4],
}

/// Side of the tiles in which ground is painted and lit, texels: with four samples a texel, a whole window at once would
/// take half a gigabyte.
const TILE: u32 = 512;
/// Side of the map of open sky, texels.
const OPEN_TEXELS: u32 = 1024;

/// Centre, half extent and texel of a window, as the shaders take it.
pub(crate) fn window(level: &GroundLevel) -> [f32; 4] {
    [level.centre.x, level.centre.y, level.half_extent, 2.0 * level.half_extent / level.texels as f32]
}

/// A square part of a window.
struct Tile {
    /// How many of the window's levels of detail are finer than any in which it is seen.
    spared: u32,
    /// Left and top in the level of detail in which it is painted, texels.
    at: [u32; 2],
    window: GroundLevel,
}

/// Levels of detail that may be left out; what is painted gets too small to be worth a pass of its own.
const MOST_SPARED: u32 = 3;

/// The tiles of a window (its number among all) that are seen in a picture of `rows`, but for those that lie well within the
/// finer one, which is drawn there.
fn tiles(scene: &Scene, index: usize, rows: u32) -> Vec<Tile> {
    let level = &scene.ground_levels[index];
    let finer = index.checked_sub(1).map(|finer| &scene.ground_levels[finer]);
    // A picture has one level of detail: it is laid down as fine as the window is.
    let most_spared = if scene.drapes.get(index).is_some() { 0 } else { MOST_SPARED };
    let side = TILE.min(level.texels);
    let half = level.half_extent * side as f32 / level.texels as f32;
    let count = level.texels / side;
    let mut out = Vec::new();
    for j in 0..count {
        for i in 0..count {
            let from_corner = |k: u32| (2 * k + 1) as f32 * half - level.half_extent;
            // Rows run from the north.
            let centre = level.centre + Vec2::new(from_corner(i), -from_corner(j));
            let hidden = |finer: &GroundLevel| {
                let room = finer.half_extent * 0.85 - half;
                (centre - finer.centre).abs().max_element() < room
            };
            if finer.is_some_and(hidden) {
                continue;
            }
            if let Some(detail) = scene.ground_detail(centre, half, rows) {
                // Not every camera is asked: a little finer than what they say.
                let texels = 0.8 * detail * level.texels as f32 / (2.0 * level.half_extent);
                let spared = (texels.max(1.0).log2() as u32).min(most_spared);
                let window = GroundLevel { centre, half_extent: half, texels: side >> spared };
                out.push(Tile { spared, at: [(i * side) >> spared, (j * side) >> spared], window });
            }
        }
    }
    out
}

/// Paints and lights each window of the ground for a picture of `rows`; a texture with all its levels for each.
pub(crate) fn ground(
    gpu: &Gpu,
    scene: &Scene,
    depth: &DepthMaps,
    frame_layout: &wgpu::BindGroupLayout,
    frame: &wgpu::BindGroup,
    noise: &wgpu::TextureView,
    rows: u32,
) -> Vec<wgpu::Texture> {
    let painter = Painter::new(gpu, scene, noise);
    let mut lighter = Lighter::new(gpu, scene, depth);
    scene
        .ground_levels
        .iter()
        .enumerate()
        .map(|(index, level)| {
            let lit = texture(gpu, "lit ground", COLOUR, level.texels, 1, level.texels.ilog2() + 1);
            let drape = painter.drape(gpu, scene.drapes.get(index));
            let tiles = tiles(scene, index, rows);
            let mips = textures::Mips::new(gpu, lit.format());
            for mip in 0..lit.mip_level_count() {
                // What was painted finer is filtered first; the rest is painted over what that leaves empty.
                let mut clear = mip == 0;
                if mip > 0 {
                    mips.fill(gpu, &lit, mip);
                }
                let target = textures::one_level(&lit, mip);
                for tile in tiles.iter().filter(|tile| tile.spared == mip) {
                    painter.paint(gpu, scene, &tile.window, &drape);
                    lighter.light(gpu, scene, ((frame_layout, frame), &painter.albedo), tile, &target, clear);
                    clear = false;
                }
            }
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
    /// Corners of what each triangle covers, topmost first: least and greatest.
    bounds: Vec<[Vec2; 2]>,
    noise: wgpu::TextureView,
    samplers: [wgpu::Sampler; 2],
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    albedo: wgpu::TextureView,
}

/// A picture from above on the device, and where it lies.
struct Draped {
    view: wgpu::TextureView,
    place: [f32; 4],
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
                textures::texture_entry(3, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(4, wgpu::SamplerBindingType::Filtering),
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
            samplers: [textures::sampler(gpu, true), textures::sampler(gpu, false)],
            samples: view(texture(gpu, "paint samples", COLOUR, TILE, 4, 1)),
            depth: view(texture(gpu, "paint order", DEPTH, TILE, 4, 1)),
            albedo: view(texture(gpu, "albedo", COLOUR, TILE, 1, 1)),
        }
    }

    /// Uploads a picture from above; where there is none, a texel that is not looked at.
    fn drape(&self, gpu: &Gpu, drape: Option<&Drape>) -> Draped {
        let (side, rgba) = drape.map_or((1, &[0; 4][..]), |d| (d.side, &d.rgba));
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("drape"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: COLOUR,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        textures::upload(gpu, &texture, 0, side, side, 4, rgba);
        let place = drape.map_or([0.0; 4], |d| [d.centre.x, d.centre.y, d.half_extent, 1.0]);
        Draped { view: texture.create_view(&Default::default()), place }
    }

    /// Paints a tile into `albedo`, from its corner on.
    fn paint(&self, gpu: &Gpu, scene: &Scene, tile: &GroundLevel, drape: &Draped) {
        debug_assert!(tile.texels <= TILE && scene.paint.len() == 3 * self.bounds.len());
        let uniform = PaintUniform { window: window(tile), drape: drape.place };
        let uniform = textures::buffer(gpu, "level", bytemuck::bytes_of(&uniform), wgpu::BufferUsages::UNIFORM);
        let group = textures::bind(
            gpu,
            "paint",
            &self.layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&self.noise),
                wgpu::BindingResource::Sampler(&self.samplers[0]),
                wgpu::BindingResource::TextureView(&drape.view),
                wgpu::BindingResource::Sampler(&self.samplers[1]),
            ],
        );
        let (low, high) = (tile.centre - tile.half_extent, tile.centre + tile.half_extent);
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
                color_attachments: &[Some(textures::colour_target(&self.samples, Some(&self.albedo)))],
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

struct Lighter {
    module: wgpu::ShaderModule,
    /// Made as they are asked for: which shadow maps, and whether near.
    pipelines: BTreeMap<(u32, bool), wgpu::RenderPipeline>,
    sun_views: [Mat4; 2],
    layout: wgpu::BindGroupLayout,
    heights: wgpu::TextureView,
    open: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

/// Where the map of tops and of open sky lies, as the shaders take it.
fn tops(scene: &Scene) -> [f32; 4] {
    [scene.focus.x, scene.focus.y, TOPS_REACH, TOPS_SPAN]
}

/// Where the terrain's samples lie, as the shaders take it.
fn grid(scene: &Scene) -> [f32; 4] {
    let terrain = &scene.terrain;
    [terrain.min.x, terrain.min.y, terrain.spacing, terrain.columns as f32]
}

/// Works out the map of open sky.
fn open_sky(gpu: &Gpu, scene: &Scene, depth: &DepthMaps, heights: &wgpu::TextureView) -> wgpu::TextureView {
    let module = textures::shader(
        gpu,
        "openness",
        &[include_str!("shaders/terrain.wgsl"), include_str!("shaders/openness.wgsl")],
    );
    let layout = textures::layout(
        gpu,
        "openness",
        &[
            textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
            textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: false }, false),
            textures::texture_entry(2, wgpu::TextureSampleType::Depth, false),
        ],
    );
    let format = wgpu::TextureFormat::R8Unorm;
    let pipeline = textures::full_screen(gpu, "openness", &module, "open", &[&layout], format);
    let uniform = OpenUniform { tops: tops(scene), grid: grid(scene) };
    let uniform = textures::buffer(gpu, "openness", bytemuck::bytes_of(&uniform), wgpu::BufferUsages::UNIFORM);
    let group = textures::bind(
        gpu,
        "openness",
        &layout,
        &[
            uniform.as_entire_binding(),
            wgpu::BindingResource::TextureView(heights),
            wgpu::BindingResource::TextureView(&depth.tops),
        ],
    );
    let open = texture(gpu, "openness", format, OPEN_TEXELS, 1, 1).create_view(&Default::default());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("openness"),
            color_attachments: &[Some(textures::colour_target(&open, None))],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
    gpu.queue.submit([encoder.finish()]);
    open
}

impl Lighter {
    fn new(gpu: &Gpu, scene: &Scene, depth: &DepthMaps) -> Self {
        let module = textures::shader(
            gpu,
            "bake",
            &[
                include_str!("shaders/light.wgsl"),
                include_str!("shaders/shadow_tap.wgsl"),
                include_str!("shaders/terrain.wgsl"),
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
                textures::texture_entry(3, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(4, wgpu::SamplerBindingType::Filtering),
            ],
        );
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
        let heights = heights.create_view(&Default::default());
        let open = open_sky(gpu, scene, depth, &heights);
        let sampler = textures::sampler(gpu, false);
        Self { module, pipelines: BTreeMap::new(), sun_views: depth.sun_views, layout, heights, open, sampler }
    }

    /// The program for a tile: by which shadow maps reach it, and how fine it is.
    fn pipeline(
        &mut self,
        gpu: &Gpu,
        scene: &Scene,
        frame_layout: &wgpu::BindGroupLayout,
        tile: &GroundLevel,
    ) -> &wgpu::RenderPipeline {
        let (low, high) = scene.heights_of(tile.centre, tile.half_extent);
        let half = tile.half_extent + 1.0;
        let (min, max) = ((tile.centre - half).extend(low - 1.0), (tile.centre + half).extend(high + 1.0));
        let maps = match () {
            () if shadow::holds(&self.sun_views[0], min, max) => 0,
            () if !Frustum::new(&self.sun_views[0]).sees(min, max) => 1,
            () => 2,
        };
        let near = window(tile)[3] < 0.2;
        self.pipelines.entry((maps, near)).or_insert_with(|| {
            let constants = [("maps", f64::from(maps)), ("near", f64::from(u8::from(near)))];
            let layouts = [frame_layout, &self.layout];
            textures::full_screen_with(gpu, "bake", &self.module, ("bake", &constants), &layouts, COLOUR)
        })
    }

    /// Lights a painted tile into its place in a window's texture; the first one clears what lies round it.
    fn light(
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
            grid: grid(scene),
            tops: tops(scene),
        };
        let uniform = textures::buffer(gpu, "level", bytemuck::bytes_of(&uniform), wgpu::BufferUsages::UNIFORM);
        let group = textures::bind(
            gpu,
            "bake",
            &self.layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(albedo),
                wgpu::BindingResource::TextureView(&self.heights),
                wgpu::BindingResource::TextureView(&self.open),
                wgpu::BindingResource::Sampler(&self.sampler),
            ],
        );
        let mut attachment = textures::colour_target(target, None);
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
