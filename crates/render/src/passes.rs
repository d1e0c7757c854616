//! The drawing of one frame: what is uploaded once, and the passes that every frame runs.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};
use std::ops::Range;

use crate::gpu::Gpu;
use crate::ground_mesh::Mesh;
use crate::marking::{Drawn, Placed};
use crate::pipelines::{Pipelines, Targets, frame_group};
use crate::scene::{Camera, Frustum, Light, PlantVertex, Scene, SolidVertex};
use crate::shadow::{self, Caster};
use crate::{bake, textures};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FrameUniform {
    view_proj: Mat4,
    eye: Vec4,
    sun_direction: Vec4,
    sun_colour: Vec4,
    sky_light: Vec4,
    bounce_light: Vec4,
    haze_density: Vec4,
    haze_colour: Vec4,
    zenith_colour: Vec4,
    horizon_colour: Vec4,
    shadow: [Mat4; 2],
    inverse_view_proj: Mat4,
    grade: Vec4,
}

impl FrameUniform {
    fn new(light: &Light, focus: Vec3, shadow: [Mat4; 2]) -> Self {
        Self {
            view_proj: Mat4::IDENTITY,
            eye: Vec4::ZERO,
            sun_direction: light.sun_direction.extend(0.0),
            sun_colour: light.sun_colour.extend(0.0),
            sky_light: light.sky.extend(0.0),
            bounce_light: light.bounce.extend(0.0),
            haze_density: light.haze_density.extend(0.0),
            haze_colour: light.haze.extend(0.0),
            zenith_colour: light.zenith.extend(0.0),
            horizon_colour: light.horizon.extend(0.0),
            shadow,
            inverse_view_proj: Mat4::IDENTITY,
            grade: Vec4::new(light.exposure, light.saturation, focus.x, focus.y),
        }
    }
}

struct GroundDraw {
    group: wgpu::BindGroup,
    /// What of the indices is dry, and what may be wet.
    ranges: [Range<u32>; 2],
    /// Which of the dry ground's programs draws it.
    grained: bool,
}

/// Programs of the ground: dry without grain, dry, and wet.
struct GroundPipelines {
    plain: wgpu::RenderPipeline,
    grained: wgpu::RenderPipeline,
    wet: wgpu::RenderPipeline,
}

/// A scene on the device, with its light baked, ready to be drawn from anywhere.
pub(crate) struct Stage {
    uniform: wgpu::Buffer,
    frame: FrameUniform,
    frame_group: wgpu::BindGroup,
    noise_group: wgpu::BindGroup,
    sky: wgpu::RenderPipeline,
    ground: GroundPipelines,
    /// The ground with a marking on it, where the scene has one.
    marked: Option<(wgpu::RenderPipeline, Placed)>,
    /// Walls, roofs, plain: for what the near shadow map holds, and for the rest.
    solids: [[wgpu::RenderPipeline; 3]; 2],
    plants: wgpu::RenderPipeline,
    ground_vertices: wgpu::Buffer,
    ground_indices: wgpu::Buffer,
    ground_draws: Vec<GroundDraw>,
    solid_vertices: wgpu::Buffer,
    solid_indices: wgpu::Buffer,
    plant_vertices: wgpu::Buffer,
    plant_indices: wgpu::Buffer,
    boxes: Boxes,
}

/// What is culled: corners of the chunks and what each draws.
struct Boxes {
    solids: Vec<crate::scene::SolidChunk>,
    plants: Vec<crate::scene::PlantChunk>,
}

impl Stage {
    /// Uploads a scene and bakes its light, as fine as pictures of `rows` show it.
    pub(crate) fn new(gpu: &Gpu, scene: &Scene, rows: u32) -> Self {
        let Mesh { vertices: ground_mesh, indices: ground_index, ranges } = Mesh::of(scene);
        let ground_vertices =
            textures::buffer(gpu, "ground", bytemuck::cast_slice(&ground_mesh), wgpu::BufferUsages::VERTEX);
        let ground_indices =
            textures::buffer(gpu, "ground", bytemuck::cast_slice(&ground_index), wgpu::BufferUsages::INDEX);
        let solid_vertices =
            textures::buffer(gpu, "solids", bytemuck::cast_slice(&scene.solids.vertices), wgpu::BufferUsages::VERTEX);
        let solid_indices =
            textures::buffer(gpu, "solids", bytemuck::cast_slice(&scene.solids.indices), wgpu::BufferUsages::INDEX);
        let raw_plants = textures::buffer(
            gpu,
            "plants",
            bytemuck::cast_slice(&scene.plants.vertices),
            wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE,
        );
        let plant_indices =
            textures::buffer(gpu, "plants", bytemuck::cast_slice(&scene.plants.indices), wgpu::BufferUsages::INDEX);

        textures::settle(gpu);
        let whole = |c: &crate::scene::SolidChunk| (c.min, c.max, c.ranges[0].start..c.ranges[2].end);
        let solid_parts: Vec<_> = scene.solids.chunks.iter().map(whole).collect();
        let solid_caster = || Caster {
            vertices: &solid_vertices,
            stride: size_of::<SolidVertex>() as u64,
            indices: &solid_indices,
            parts: solid_parts.clone(),
        };
        let all = [
            solid_caster(),
            Caster {
                vertices: &raw_plants,
                stride: size_of::<PlantVertex>() as u64,
                indices: &plant_indices,
                parts: scene.plants.chunks.iter().map(|c| (c.min, c.max, c.range.clone())).collect(),
            },
            Caster {
                vertices: &ground_vertices,
                stride: 12,
                indices: &ground_indices,
                parts: vec![(Vec3::splat(-1e5), Vec3::splat(1e5), 0..ground_index.len() as u32)],
            },
        ];
        let depth = shadow::draw(gpu, scene.focus, scene.light.sun_direction, &all, &[solid_caster()]);

        let frame = FrameUniform::new(&scene.light, scene.focus, depth.sun_views);
        let uniform = textures::buffer(gpu, "frame", bytemuck::bytes_of(&frame), wgpu::BufferUsages::UNIFORM);
        let (frame_layout, frame_group) = frame_group(gpu, &uniform, &depth);
        let noise = textures::noise_tile(gpu);
        let repeat = textures::sampler(gpu, true);
        let noise_layout = textures::layout(
            gpu,
            "noise",
            &[
                textures::texture_entry(0, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(1, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let noise_group = textures::bind(
            gpu,
            "noise",
            &noise_layout,
            &[wgpu::BindingResource::TextureView(&noise), wgpu::BindingResource::Sampler(&repeat)],
        );

        // Plants first, so that what they were lit from is gone before the ground takes its room.
        let plant_vertices = bake::plants(gpu, &scene.plants, &raw_plants, &frame_layout, &frame_group);
        drop(raw_plants);
        textures::settle(gpu);
        let lit_ground = bake::ground(gpu, scene, &depth, &frame_layout, &frame_group, &noise, rows);

        let ground_layout = textures::layout(
            gpu,
            "ground",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(2, wgpu::SamplerBindingType::Filtering),
                textures::texture_entry(3, wgpu::TextureSampleType::Float { filterable: true }, false),
            ],
        );
        let mirror = textures::sampler(gpu, false);
        let ground_draws = scene
            .ground_levels
            .iter()
            .zip(&lit_ground)
            .zip(ranges)
            .enumerate()
            .map(|(index, ((level, lit), ranges))| {
                let uniform = textures::buffer(
                    gpu,
                    "level",
                    bytemuck::bytes_of(&bake::window(level)),
                    wgpu::BufferUsages::UNIFORM,
                );
                let group = textures::bind(
                    gpu,
                    "ground",
                    &ground_layout,
                    &[
                        uniform.as_entire_binding(),
                        wgpu::BindingResource::TextureView(&lit.create_view(&Default::default())),
                        wgpu::BindingResource::Sampler(&mirror),
                        wgpu::BindingResource::TextureView(&noise),
                    ],
                );
                // Farther windows are seen from where their grain has melted into one tone.
                GroundDraw { group, ranges, grained: index == 0 }
            })
            .collect();

        let pipelines = Pipelines { gpu, frame_layout: &frame_layout };
        let light = include_str!("shaders/light.wgsl");
        let tap = include_str!("shaders/shadow_tap.wgsl");
        let sky_module = textures::shader(gpu, "sky", &[light, include_str!("shaders/sky.wgsl")]);
        let ground_module = textures::shader(gpu, "ground", &[light, include_str!("shaders/ground.wgsl")]);
        let solid_module = textures::shader(gpu, "solids", &[light, tap, include_str!("shaders/solids.wgsl")]);
        let plant_module = textures::shader(gpu, "plants", &[light, include_str!("shaders/plants.wgsl")]);
        let solid_attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm8x4, 2 => Float32x2, 3 => Uint32x4];
        let marked = scene.marking.as_ref().and_then(|marking| Placed::new(gpu, marking)).map(|placed| {
            let sources = [light, include_str!("shaders/ground.wgsl"), include_str!("shaders/marking.wgsl")];
            let pipeline = pipelines.make(
                "marked ground",
                &textures::shader(gpu, "marked ground", &sources),
                ("place", "marked"),
                &[&ground_layout, &placed.layout],
                12,
                &wgpu::vertex_attr_array![0 => Float32x3],
                true,
            );
            (pipeline, placed)
        });
        let ground = |grained: bool, wet: bool| {
            let constants = [("grained", f64::from(u8::from(grained))), ("wet", f64::from(u8::from(wet)))];
            pipelines.with(
                "ground",
                &ground_module,
                ("place", "ground"),
                &constants,
                &[&ground_layout],
                12,
                &wgpu::vertex_attr_array![0 => Float32x3],
                true,
            )
        };
        let solid = |entry, maps: u32| {
            pipelines.with(
                entry,
                &solid_module,
                ("place", entry),
                &[("maps", f64::from(maps))],
                &[&noise_layout],
                size_of::<SolidVertex>() as u64,
                &solid_attributes,
                true,
            )
        };
        Self {
            frame,
            frame_group,
            noise_group,
            sky: pipelines.make("sky", &sky_module, ("corner", "sky"), &[&noise_layout], 0, &[], false),
            ground: GroundPipelines {
                plain: ground(false, false),
                grained: ground(true, false),
                wet: ground(true, true),
            },
            marked,
            solids: [0, 2].map(|maps| [solid("wall", maps), solid("roof", maps), solid("plain", maps)]),
            plants: pipelines.make(
                "plants",
                &plant_module,
                ("place", "plant"),
                &[],
                bake::LIT_PLANT_BYTES,
                &wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4],
                false,
            ),
            uniform,
            ground_vertices,
            ground_indices,
            ground_draws,
            solid_vertices,
            solid_indices,
            plant_vertices,
            plant_indices,
            boxes: Boxes { solids: scene.solids.chunks.clone(), plants: scene.plants.chunks.clone() },
        }
    }

    /// Draws the scene into `colour` of `width` by `height` texels; `rows` is the height of the finished picture, which
    /// sets how much detail patterns keep.
    pub(crate) fn draw(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (camera, drawn): (&Camera, Drawn),
        targets: &Targets,
        rows: u32,
    ) {
        let aspect = targets.width as f32 / targets.height as f32;
        let view_proj = camera.view_projection(aspect);
        let frame = FrameUniform {
            view_proj,
            inverse_view_proj: view_proj.inverse(),
            eye: camera.eye.extend(2.0 * (camera.field * 0.5).tan() / rows as f32),
            ..self.frame
        };
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&frame));
        if let Some((_, placed)) = &self.marked {
            placed.show(gpu, drawn, targets.height as f32 / rows as f32);
        }
        let frustum = Frustum::new(&view_proj);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(textures::colour_target(&targets.colour, None))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        // Near to far, so that what is hidden is not shaded.
        let distance = |min: Vec3, max: Vec3| ((min + max) * 0.5).distance_squared(camera.eye);
        let mut plants: Vec<_> = self.boxes.plants.iter().filter(|c| frustum.sees(c.min, c.max)).collect();
        plants.sort_by(|a, b| distance(a.min, a.max).total_cmp(&distance(b.min, b.max)));
        let mut solids: Vec<_> = self.boxes.solids.iter().filter(|c| frustum.sees(c.min, c.max)).collect();
        solids.sort_by(|a, b| distance(a.min, a.max).total_cmp(&distance(b.min, b.max)));

        pass.set_pipeline(&self.plants);
        pass.set_vertex_buffer(0, self.plant_vertices.slice(..));
        pass.set_index_buffer(self.plant_indices.slice(..), wgpu::IndexFormat::Uint32);
        for chunk in plants {
            pass.draw_indexed(chunk.range.clone(), 0, 0..1);
        }
        pass.set_bind_group(1, &self.noise_group, &[]);
        pass.set_vertex_buffer(0, self.solid_vertices.slice(..));
        pass.set_index_buffer(self.solid_indices.slice(..), wgpu::IndexFormat::Uint32);
        let near =
            |chunk: &crate::scene::SolidChunk| shadow::holds(&self.frame.shadow[0], chunk.min - 1.0, chunk.max + 1.0);
        let (near, far): (Vec<_>, Vec<_>) = solids.into_iter().partition(|c| near(c));
        for (pipelines, chunks) in self.solids.iter().zip([near, far]) {
            for (finish, pipeline) in pipelines.iter().enumerate() {
                pass.set_pipeline(pipeline);
                for chunk in chunks.iter().filter(|c| !c.ranges[finish].is_empty()) {
                    pass.draw_indexed(chunk.ranges[finish].clone(), 0, 0..1);
                }
            }
        }
        let marked = self.marked.as_ref().filter(|_| drawn != Drawn::NOTHING);
        if let Some((pipeline, placed)) = marked {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, &placed.group, &[]);
        }
        pass.set_vertex_buffer(0, self.ground_vertices.slice(..));
        pass.set_index_buffer(self.ground_indices.slice(..), wgpu::IndexFormat::Uint32);
        for draw in &self.ground_draws {
            pass.set_bind_group(1, &draw.group, &[]);
            let dry = if draw.grained { &self.ground.grained } else { &self.ground.plain };
            for (range, pipeline) in draw.ranges.iter().zip([dry, &self.ground.wet]) {
                if range.is_empty() {
                    continue;
                }
                if marked.is_none() {
                    pass.set_pipeline(pipeline);
                }
                pass.draw_indexed(range.clone(), 0, 0..1);
            }
        }
        pass.set_pipeline(&self.sky);
        pass.set_bind_group(1, &self.noise_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
