//! One photo seen from a camera that moves: the photo projected onto a few planes, by the same device, loop and
//! converter as a scene.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Vec3};

use crate::film::{Picture, Reel};
use crate::gpu::Gpu;
use crate::{RenderError, textures};

/// Most planes that a photo may be projected onto.
pub const MOST_PLANES: usize = 6;

/// Pixels of the photo, four bytes each: red, green, blue and one that counts for nothing.
#[derive(Debug, Clone, Copy)]
pub struct Pixels<'a> {
    /// The frame, at the film's size, shown as it is where a shot asks for it.
    pub fitted: &'a [u8],
    /// All that is at hand of the photo, with four texels to a pixel of the film.
    pub double: &'a [u8],
    /// Texels of `double` across and down.
    pub double_size: [u32; 2],
}

/// A camera among the planes.
#[derive(Debug, Clone)]
pub struct Pose {
    /// From a pixel of the film, homogeneous, to a direction.
    pub ray: Mat3,
    /// Where it is, from where the photo was taken.
    pub position: Vec3,
    /// At most [`MOST_PLANES`]: what each gives with a ray is one over the distance that the ray goes to it. What is seen
    /// lies where that is greatest.
    pub planes: Vec<Vec3>,
}

/// One frame.
#[derive(Debug, Clone)]
pub struct Shot {
    /// As the shutter opens.
    pub opened: Pose,
    /// As it closes.
    pub closed: Pose,
    /// Factor on the light.
    pub gain: f32,
    /// Whether the photo itself is shown, pixel for pixel.
    pub is_photo: bool,
}

/// A photo ready to be filmed.
pub struct PlateStudio<'g> {
    reel: Reel<'g>,
    photo: Mat3,
    uniform: wgpu::Buffer,
    group: wgpu::BindGroup,
    pipeline: wgpu::RenderPipeline,
}

impl<'g> PlateStudio<'g> {
    /// Uploads a photo. `photo` takes a place to where the photo shows it, homogeneous: 0 to 1 across and down of
    /// [`Pixels::double`].
    ///
    /// # Errors
    /// [`RenderError::Device`] when the device refuses the photo, for its size or for want of memory.
    pub fn new(gpu: &'g Gpu, pixels: Pixels<'_>, photo: Mat3, picture: Picture) -> Result<Self, RenderError> {
        let scopes = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
            .map(|filter| gpu.device.push_error_scope(filter));
        let reel = Reel::new(gpu, Picture { supersampling: 1.0, ..picture });
        let uniform = textures::buffer(gpu, "shot", &[0; size_of::<Uniform>()], wgpu::BufferUsages::UNIFORM);
        let layout = textures::layout(
            gpu,
            "plate",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::texture_entry(2, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(3, wgpu::SamplerBindingType::Filtering),
            ],
        );
        let fitted = texture(gpu, "fitted", [picture.width, picture.height], pixels.fitted);
        let double = texture(gpu, "double", pixels.double_size, pixels.double);
        let group = textures::bind(
            gpu,
            "plate",
            &layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&fitted),
                wgpu::BindingResource::TextureView(&double),
                wgpu::BindingResource::Sampler(&textures::sampler(gpu, false)),
            ],
        );
        let pipeline = pipeline(gpu, &layout);
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                return Err(RenderError::Device(error.to_string()));
            }
        }
        Ok(Self { reel, photo, uniform, group, pipeline })
    }

    /// Draws `count` frames in order and gives each to `sink` as NV12 (BT.709, limited range).
    ///
    /// # Errors
    /// Whatever `sink` returns, and [`RenderError::Device`].
    pub fn film(
        &self,
        count: u32,
        shot: impl Fn(u32) -> Shot,
        sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let draw = |frame, encoder: &mut wgpu::CommandEncoder| {
            let uniform = Uniform::of(&shot(frame), self.photo);
            self.reel.gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("plate"),
                color_attachments: &[Some(textures::colour_target(&self.reel.targets.colour, None))],
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.draw(0..3, 0..1);
        };
        self.reel.run(count, draw, sink)
    }
}

fn texture(gpu: &Gpu, label: &str, [width, height]: [u32; 2], data: &[u8]) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    textures::upload(gpu, &texture, 0, width, height, 4, data);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn pipeline(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> wgpu::RenderPipeline {
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
            entry_point: Some("photo"),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::TextureFormat::Rgba8Unorm.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct UniformPose {
    ray: [[f32; 4]; 3],
    position: [f32; 4],
    planes: [[f32; 4]; MOST_PLANES],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Uniform {
    opened: UniformPose,
    closed: UniformPose,
    photo: [[f32; 4]; 3],
    gain: f32,
    is_photo: u32,
    rest: [u32; 2],
}

impl Uniform {
    fn of(shot: &Shot, photo: Mat3) -> Self {
        Self {
            opened: UniformPose::of(&shot.opened),
            closed: UniformPose::of(&shot.closed),
            photo: columns(photo),
            gain: shot.gain,
            is_photo: u32::from(shot.is_photo),
            rest: [0; 2],
        }
    }
}

impl UniformPose {
    fn of(pose: &Pose) -> Self {
        let mut planes = [[0.0; 4]; MOST_PLANES];
        for (to, plane) in planes.iter_mut().zip(&pose.planes) {
            *to = plane.extend(0.0).to_array();
        }
        Self { ray: columns(pose.ray), position: pose.position.extend(0.0).to_array(), planes }
    }
}

fn columns(matrix: Mat3) -> [[f32; 4]; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.extend(0.0).to_array())
}
