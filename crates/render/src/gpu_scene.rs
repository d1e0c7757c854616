//! A scene on the device, and the passes that draw a frame of it.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec4};

use crate::gpu::Gpu;
use crate::ground::{Ground, GroundBuffers};
use crate::marking::MarkingState;
use crate::picture::Picture;
use crate::pipelines::{Pipelines, Targets, frame_group};
use crate::scene::{Camera, Frustum, PlantChunk, PlantVertex, Scene};
use crate::shadow::{self, Caster};
use crate::solids::{Programs, SolidBuffers};
use crate::textures::Edge;
use crate::{bake, textures};

/// Increase of the haze's density per meter of distance.
const DEEPENING: f32 = 1.0 / 4000.0;
/// Beyond the farthest ground, meters.
const EVERYWHERE: f32 = 1e6;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FrameUniform {
    view_proj: Mat4,
    eye: Vec4,
    sun_direction: Vec4,
    sun_color: Vec4,
    sky_light: Vec4,
    bounce_light: Vec4,
    haze_density: Vec4,
    haze_color: Vec4,
    zenith_color: Vec4,
    horizon_color: Vec4,
    shadow: [Mat4; shadow::SHADOW_REACH.len()],
    inverse_view_proj: Mat4,
    grade: Vec4,
    known: Vec4,
}

impl FrameUniform {
    fn new(scene: &Scene, shadow: [Mat4; shadow::SHADOW_REACH.len()]) -> Self {
        let (light, focus) = (&scene.light, scene.focus);
        let [low, high] = scene.known.unwrap_or([Vec2::splat(-EVERYWHERE), Vec2::splat(EVERYWHERE)]);
        Self {
            view_proj: Mat4::IDENTITY,
            eye: Vec4::ZERO,
            sun_direction: light.sun_direction.extend(0.0),
            sun_color: light.sun_color.extend(0.0),
            sky_light: light.sky.extend(0.0),
            bounce_light: light.bounce.extend(0.0),
            haze_density: Vec4::new(0.5 * light.haze_density * std::f32::consts::LOG2_E, DEEPENING, 0.0, 0.0),
            haze_color: light.haze.extend(0.0),
            zenith_color: light.zenith.extend(0.0),
            horizon_color: light.horizon.extend(0.0),
            shadow,
            inverse_view_proj: Mat4::IDENTITY,
            grade: Vec4::new(light.exposure, light.saturation, focus.x, focus.y),
            known: Vec4::new(low.x, low.y, high.x, high.y),
        }
    }
}

/// A scene on the device, with its light baked.
pub(crate) struct GpuScene {
    uniform: wgpu::Buffer,
    frame: FrameUniform,
    frame_group: wgpu::BindGroup,
    noise_group: wgpu::BindGroup,
    sky: wgpu::RenderPipeline,
    ground: Ground,
    solids: SolidBuffers,
    programs: Programs,
    plants: wgpu::RenderPipeline,
    plant_vertices: wgpu::Buffer,
    plant_indices: wgpu::Buffer,
    plant_chunks: Vec<PlantChunk>,
}

impl GpuScene {
    /// Uploads a scene and bakes its light, at the resolution that pictures of `rows` need.
    pub(crate) fn new(gpu: &Gpu, scene: &Scene, rows: u32) -> Self {
        let ground = GroundBuffers::new(gpu, scene);
        let solids = SolidBuffers::new(gpu, &scene.solids);
        let raw_plants = textures::buffer(
            gpu,
            "plants",
            bytemuck::cast_slice(&scene.plants.vertices),
            wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE,
        );
        let plant_indices =
            textures::buffer(gpu, "plants", bytemuck::cast_slice(&scene.plants.indices), wgpu::BufferUsages::INDEX);

        textures::settle(gpu);
        let standing = [
            solids.caster(),
            Caster {
                vertices: &raw_plants,
                stride: size_of::<PlantVertex>() as u64,
                indices: &plant_indices,
                parts: scene.plants.chunks.iter().map(|c| (c.min, c.max, c.range.clone())).collect(),
            },
        ];
        let depth = shadow::draw(
            gpu,
            (scene.focus, scene.light.sun_direction),
            &standing,
            &[ground.caster()],
            &[solids.caster()],
            ground.is_wet(),
        );

        let frame = FrameUniform::new(scene, depth.sun_views);
        let uniform = textures::buffer(gpu, "frame", bytemuck::bytes_of(&frame), wgpu::BufferUsages::UNIFORM);
        let (frame_layout, frame_group) = frame_group(gpu, &uniform, &depth);
        let noise = textures::noise_tile(gpu);
        let repeat = textures::sampler(gpu, Edge::Repeated);
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

        // Light the plants first, so that their raw vertices are freed before the ground needs memory.
        let plant_vertices = bake::plants(gpu, &scene.plants, &raw_plants, &frame_layout, &frame_group);
        drop(raw_plants);
        textures::settle(gpu);
        let lit_ground = bake::ground(gpu, scene, &depth, &frame_layout, &frame_group, &noise, rows);

        let pipelines = Pipelines { gpu, frame_layout: &frame_layout };
        let light = include_str!("shaders/light.wgsl");
        let sky_module = textures::shader(gpu, "sky", &[light, include_str!("shaders/sky.wgsl")]);
        let plant_module = textures::shader(gpu, "plants", &[light, include_str!("shaders/plants.wgsl")]);
        Self {
            frame,
            frame_group,
            noise_group,
            sky: pipelines.make("sky", &sky_module, ("corner", "sky"), &[&noise_layout], 0, &[], false),
            ground: Ground::new(gpu, scene, ground, &lit_ground, &noise, &pipelines),
            programs: Programs::new(gpu, &pipelines, &noise_layout),
            solids,
            plants: pipelines.make(
                "plants",
                &plant_module,
                ("vertex_main", "plant"),
                &[],
                bake::LIT_PLANT_BYTES,
                &wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4],
                false,
            ),
            uniform,
            plant_vertices,
            plant_indices,
            plant_chunks: scene.plants.chunks.clone(),
        }
    }

    /// Draws the scene into `targets`; the rows of the finished picture set how much detail patterns keep.
    pub(crate) fn draw(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (camera, drawn): (&Camera, MarkingState),
        targets: &Targets,
        picture: &Picture,
    ) {
        let [width, rows] = [picture.width, picture.height].map(|side| side as f32);
        let aspect = width / rows;
        let view_proj = camera.view_projection(aspect);
        let frame = FrameUniform {
            view_proj,
            inverse_view_proj: view_proj.inverse(),
            eye: camera.eye.extend(2.0 * (camera.field * 0.5).tan() / rows),
            ..self.frame
        };
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&frame));
        let frustum = Frustum::new(&view_proj);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(textures::color_target(&targets.color, None))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        // Near to far, so that hidden fragments are not shaded.
        let distance = |c: &PlantChunk| ((c.min + c.max) * 0.5).distance_squared(camera.eye);
        let mut plants: Vec<_> = self.plant_chunks.iter().filter(|c| frustum.sees(c.min, c.max)).collect();
        plants.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        pass.set_pipeline(&self.plants);
        pass.set_vertex_buffer(0, self.plant_vertices.slice(..));
        pass.set_index_buffer(self.plant_indices.slice(..), wgpu::IndexFormat::Uint32);
        for chunk in plants {
            pass.draw_indexed(chunk.range.clone(), 0, 0..1);
        }
        pass.set_bind_group(1, &self.noise_group, &[]);
        self.solids.draw(&mut pass, &self.programs, (&frustum, camera.eye), &self.frame.shadow);
        let texels = (targets.width as f32 * targets.height as f32 / (width * rows)).sqrt();
        self.ground.draw(gpu, &mut pass, drawn, texels);
        pass.set_pipeline(&self.sky);
        pass.set_bind_group(1, &self.noise_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
