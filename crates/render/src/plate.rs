//! A photo seen from a moving camera: projected onto a few planes, with depth billboards in front (2.5D projection).

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Vec3};

mod bodies;
mod shot;

pub use self::bodies::{Bodies, Body, MAX_BODIES};
pub use self::shot::{MAX_CORNER_PLANES, MAX_PLANES, MAX_SURFACES, Pose, Shot, Surface};

use self::bodies::BodyPass;
use self::shot::columns;
use crate::gpu::Gpu;
use crate::picture::Picture;
use crate::readback::Readback;
use crate::{RenderError, textures};

/// Pixels of the photo, four bytes each: red, green, blue, and an unused one.
#[derive(Debug, Clone, Copy)]
pub struct Pixels<'a> {
    /// The frame at the film's size, shown unchanged where [`Shot::is_photo`] is set.
    pub fitted: &'a [u8],
    /// The whole photo, with four texels per pixel of the film.
    pub double: &'a [u8],
    /// Size of `double`, texels: width, height.
    pub double_size: [u32; 2],
    /// The scene without the cut-out foreground, at the size of `double`, where something is cut out.
    pub behind: Option<&'a [u8]>,
    /// Coverage of each surface, from the nearest to the farthest; the last is opaque. Empty for a single opaque surface.
    pub covers: &'a [Cover<'a>],
    /// Maximum number of planes of a surface, and whether any has a corner.
    pub most: (usize, bool),
    /// Bodies in front of the surfaces; `double` is the photo without them then.
    pub bodies: Option<Bodies<'a>>,
}

/// The part of the photo on a surface.
#[derive(Debug, Clone, Copy)]
pub struct Cover<'a> {
    /// Whether it shows [`Pixels::behind`] rather than the photo.
    pub is_behind: bool,
    /// Opacity of the surface, 0 to 255, at half the size of [`Pixels::double`]; opaque without it.
    pub mask: Option<&'a [u8]>,
}

/// Renders frames of a photo from a moving camera.
pub struct PlateRenderer<'g> {
    readback: Readback<'g>,
    photo: Mat3,
    /// For each surface: 1 where it shows the background, the number of its mask, 1 where it has a mask.
    covers: [[u32; 4]; MAX_SURFACES],
    uniform: wgpu::Buffer,
    group: wgpu::BindGroup,
    pipeline: wgpu::RenderPipeline,
    bodies: Option<BodyPass>,
}

impl<'g> PlateRenderer<'g> {
    /// Uploads a photo. `photo` projects a point, homogeneous, to [`Pixels::double`]: 0 to 1 across and down.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the photo is too large for the device or its memory.
    pub fn new(gpu: &'g Gpu, pixels: Pixels<'_>, photo: Mat3, picture: Picture) -> Result<Self, RenderError> {
        let scopes = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
            .map(|filter| gpu.device.push_error_scope(filter));
        let readback = Readback::new(gpu, Picture { supersampling: 1.0, ..picture });
        let uniform = textures::buffer(gpu, "shot", &[0; size_of::<Uniform>()], wgpu::BufferUsages::UNIFORM);
        let layout = textures::layout(
            gpu,
            "plate",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                array_entry(2),
                textures::sampler_entry(3, wgpu::SamplerBindingType::Filtering),
                array_entry(4),
            ],
        );
        let fitted = texture(gpu, "fitted", [picture.width, picture.height], &[pixels.fitted], 4)
            .create_view(&wgpu::TextureViewDescriptor::default());
        let doubles: Vec<&[u8]> = std::iter::once(pixels.double).chain(pixels.behind).collect();
        let double = array_view(&texture(gpu, "double", pixels.double_size, &doubles, 4));
        let whole = [Cover { is_behind: false, mask: None }];
        let given = if pixels.covers.is_empty() { &whole[..] } else { pixels.covers };
        if given.len() > MAX_SURFACES {
            return Err(RenderError::Device(format!("{} surfaces, of at most {MAX_SURFACES}", given.len())));
        }
        let given_masks: Vec<&[u8]> = given.iter().filter_map(|cover| cover.mask).collect();
        let masks = if given_masks.is_empty() {
            texture(gpu, "masks", [1, 1], &[&[0]], 1)
        } else {
            texture(gpu, "masks", pixels.double_size.map(|side| side / 2), &given_masks, 1)
        };
        let mut covers = [[0; 4]; MAX_SURFACES];
        let mut number = 0;
        for (to, cover) in covers.iter_mut().zip(given) {
            *to = [u32::from(cover.is_behind), number, u32::from(cover.mask.is_some()), 0];
            number += to[2];
        }
        let group = textures::bind(
            gpu,
            "plate",
            &layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&fitted),
                wgpu::BindingResource::TextureView(&double),
                wgpu::BindingResource::Sampler(&textures::sampler(gpu, textures::Edge::Mirrored)),
                wgpu::BindingResource::TextureView(&array_view(&masks)),
            ],
        );
        let (planes, cornered) = pixels.most;
        let constants = [
            ("SURFACES", given.len() as f64),
            ("PLANES", planes.min(MAX_PLANES) as f64),
            ("CORNERED", f64::from(u8::from(cornered))),
        ];
        let pipeline = pipeline(gpu, &layout, if pixels.covers.is_empty() { "whole" } else { "cut" }, &constants);
        if pixels.bodies.is_some_and(|bodies| bodies.each.len() > MAX_BODIES) {
            return Err(RenderError::Device(format!("more than {MAX_BODIES} bodies")));
        }
        let bodies = pixels.bodies.map(|bodies| BodyPass::new(gpu, &bodies));
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                return Err(RenderError::Device(error.to_string()));
            }
        }
        Ok(Self { readback, photo, covers, uniform, group, pipeline, bodies })
    }

    /// Renders `count` frames in order and passes each to `sink` as NV12 (BT.709, limited range).
    ///
    /// # Errors
    /// Whatever `sink` returns, and [`RenderError::Device`].
    pub fn render(
        &self,
        count: u32,
        shot: impl Fn(u32) -> Shot,
        sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let draw = |frame, encoder: &mut wgpu::CommandEncoder| {
            let shot = shot(frame);
            let uniform = Uniform::of(&shot, self);
            self.readback.gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("plate"),
                color_attachments: &[Some(textures::color_target(&self.readback.targets.color, None))],
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.draw(0..3, 0..1);
            drop(pass);
            if let Some(bodies) = &self.bodies {
                bodies.draw(self.readback.gpu, encoder, &self.readback.targets, &shot, self.photo);
            }
        };
        self.readback.run(count, draw, sink)
    }
}

/// An array texture of four bytes per texel or one.
fn texture(gpu: &Gpu, label: &str, [width, height]: [u32; 2], layers: &[&[u8]], texel_bytes: u32) -> wgpu::Texture {
    let single = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let format = if texel_bytes == 4 { wgpu::TextureFormat::Rgba8Unorm } else { wgpu::TextureFormat::R8Unorm };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { depth_or_array_layers: layers.len() as u32, ..single },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let rows = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(width * texel_bytes),
        rows_per_image: Some(height),
    };
    for (layer, data) in layers.iter().enumerate() {
        let origin = wgpu::Origin3d { z: layer as u32, ..wgpu::Origin3d::ZERO };
        gpu.queue.write_texture(wgpu::TexelCopyTextureInfo { origin, ..texture.as_image_copy() }, data, rows, single);
    }
    texture
}

fn array_view(texture: &wgpu::Texture) -> wgpu::TextureView {
    let dimension = Some(wgpu::TextureViewDimension::D2Array);
    texture.create_view(&wgpu::TextureViewDescriptor { dimension, ..Default::default() })
}

fn array_entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let sample_type = wgpu::TextureSampleType::Float { filterable: true };
    let view_dimension = wgpu::TextureViewDimension::D2Array;
    wgpu::BindGroupLayoutEntry {
        ty: wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false },
        ..textures::texture_entry(binding, sample_type, false)
    }
}

fn pipeline(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    program: &str,
    constants: &[(&str, f64)],
) -> wgpu::RenderPipeline {
    let module = textures::shader(gpu, "plate", &[include_str!("shaders/plate.wgsl")]);
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("plate"),
        layout: Some(&textures::pipeline_layout(gpu, &[layout])),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(program),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            targets: &[Some(wgpu::TextureFormat::Rgba8Unorm.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct UniformSurface {
    planes: [[f32; 4]; MAX_PLANES],
    corner: [[f32; 4]; MAX_CORNER_PLANES],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct UniformPose {
    far: [[f32; 4]; 3],
    near: [f32; 4],
    surfaces: [UniformSurface; MAX_SURFACES],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Uniform {
    opened: UniformPose,
    closed: UniformPose,
    covers: [[u32; 4]; MAX_SURFACES],
    gain: f32,
    is_photo: u32,
    rest: [u32; 2],
}

impl Uniform {
    fn of(shot: &Shot, renderer: &PlateRenderer<'_>) -> Self {
        Self {
            opened: UniformPose::of(&shot.opened, renderer.photo),
            closed: UniformPose::of(&shot.closed, renderer.photo),
            covers: renderer.covers,
            gain: shot.gain,
            is_photo: u32::from(shot.is_photo),
            rest: [0; 2],
        }
    }
}

impl UniformPose {
    fn of(pose: &Pose, photo: Mat3) -> Self {
        let mut surfaces = [UniformSurface::zeroed(); MAX_SURFACES];
        let back = pose.ray.transpose();
        let to_uniform = |plane: &Vec3| (back * *plane).extend(0.0).to_array();
        for (to, surface) in surfaces.iter_mut().zip(&pose.surfaces) {
            for (to, plane) in to.planes.iter_mut().zip(&surface.planes) {
                *to = to_uniform(plane);
            }
            // Fewer planes: repeat the first.
            for (i, to) in to.corner.iter_mut().enumerate() {
                *to = surface.corner.get(i).or(surface.corner.first()).map_or([0.0; 4], to_uniform);
            }
        }
        Self { far: columns(photo * pose.ray), near: (photo * pose.position).extend(0.0).to_array(), surfaces }
    }
}
