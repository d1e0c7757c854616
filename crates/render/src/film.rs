//! The loop that draws a film: frame after frame, each converted to NV12 on the device and handed to a sink.

use std::sync::mpsc;

use crate::gpu::Gpu;
use crate::marking::Drawn;
use crate::passes::Stage;
use crate::pipelines::Targets;
use crate::scene::{Camera, Scene};
use crate::textures::Edge;
use crate::{RenderError, textures};

/// Size and look of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picture {
    /// Width, pixels, a multiple of 4.
    pub width: u32,
    /// Height, pixels, a multiple of 2.
    pub height: u32,
    /// Samples along each axis of a pixel: 1 for none, 1.41 for two samples a pixel (three on two pixels across and four on
    /// three down, where the height is a multiple of 6), 2 for four.
    pub supersampling: f32,
    /// Darkening towards the corners, 0 for none.
    pub vignette: f32,
}

impl Picture {
    /// Bytes of one frame in NV12.
    #[must_use]
    pub fn frame_bytes(&self) -> usize {
        (self.width * self.height * 3 / 2) as usize
    }

    /// Whether each texel of the drawn picture is read once.
    fn is_gathered(&self) -> bool {
        self.supersampling > 1.2 && self.supersampling < 1.8 && self.height.is_multiple_of(6)
    }

    /// Texels of the drawn picture: across, down.
    fn drawn(&self) -> [u32; 2] {
        if self.is_gathered() {
            return [self.width / 2 * 3, self.height / 3 * 4];
        }
        [self.width, self.height].map(|pixels| ((pixels as f32 * self.supersampling / 4.0).round() * 4.0) as u32)
    }
}

/// A scene ready to be filmed.
pub struct Studio<'g> {
    stage: Stage,
    reel: Reel<'g>,
}

/// Frames in flight between drawing and reading back.
const IN_FLIGHT: usize = 2;

impl<'g> Studio<'g> {
    /// Uploads the scene and bakes its light.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the device refuses the scene.
    pub fn new(gpu: &'g Gpu, scene: &Scene, picture: Picture) -> Result<Self, RenderError> {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let stage = Stage::new(gpu, scene, picture.height);
        let reel = Reel::new(gpu, picture);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(RenderError::Device(error.to_string()));
        }
        Ok(Self { stage, reel })
    }

    /// Draws `count` frames in order and gives each to `sink` as NV12 (BT.709, limited range).
    ///
    /// # Errors
    /// Whatever `sink` returns, and [`RenderError::Device`].
    pub fn film(
        &self,
        count: u32,
        camera: impl Fn(u32) -> Camera,
        sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.film_marked(count, |frame| (camera(frame), Drawn::NOTHING), sink)
    }

    /// The same, with so much of the scene's marking in each frame.
    ///
    /// # Errors
    /// Whatever `sink` returns, and [`RenderError::Device`].
    pub fn film_marked(
        &self,
        count: u32,
        shot: impl Fn(u32) -> (Camera, Drawn),
        sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let Reel { gpu, targets, picture, .. } = &self.reel;
        let draw = |frame, encoder: &mut wgpu::CommandEncoder| {
            let (camera, drawn) = shot(frame);
            self.stage.draw(gpu, encoder, (&camera, drawn), targets, picture);
        };
        self.reel.run(count, draw, sink)
    }
}

/// The way of a drawn picture to NV12 and back from the device.
pub(crate) struct Reel<'g> {
    pub(crate) gpu: &'g Gpu,
    pub(crate) targets: Targets,
    pub(crate) picture: Picture,
    converter: Converter,
}

impl<'g> Reel<'g> {
    pub(crate) fn new(gpu: &'g Gpu, picture: Picture) -> Self {
        let [width, height] = picture.drawn();
        let targets = Targets::new(gpu, width, height);
        let converter = Converter::new(gpu, &targets, picture);
        Self { gpu, targets, picture, converter }
    }

    /// Has `count` frames drawn into the targets, in order, and gives each to `sink` as NV12 (BT.709, limited range).
    pub(crate) fn run(
        &self,
        count: u32,
        draw: impl Fn(u32, &mut wgpu::CommandEncoder),
        mut sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let mut in_flight = std::collections::VecDeque::new();
        for frame in 0..count {
            in_flight.push_back((frame, self.submit(frame, &draw)));
            if in_flight.len() == IN_FLIGHT
                && let Some((frame, mapped)) = in_flight.pop_front()
            {
                self.hand_over(frame, &mapped, &mut sink)?;
            }
        }
        while let Some((frame, mapped)) = in_flight.pop_front() {
            self.hand_over(frame, &mapped, &mut sink)?;
        }
        Ok(())
    }

    fn submit(&self, frame: u32, draw: &impl Fn(u32, &mut wgpu::CommandEncoder)) -> Mapped {
        let slot = frame as usize % IN_FLIGHT;
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        draw(frame, &mut encoder);
        self.converter.convert(&mut encoder, self.picture, slot);
        let index = self.gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        self.converter.staging[slot].map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only when the film was given up.
            let _ = sender.send(result);
        });
        Mapped { slot, index, receiver }
    }

    fn hand_over(
        &self,
        frame: u32,
        mapped: &Mapped,
        sink: &mut impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.gpu
            .device
            .poll(wgpu::PollType::Wait { submission_index: Some(mapped.index.clone()), timeout: None })
            .map_err(|e| RenderError::Device(e.to_string()))?;
        let device = |e: &dyn std::fmt::Display| RenderError::Device(e.to_string());
        mapped.receiver.recv().map_err(|e| device(&e))?.map_err(|e| device(&e))?;
        let staging = &self.converter.staging[mapped.slot];
        let result = {
            let view = staging.get_mapped_range(..).map_err(|e| device(&e))?;
            sink(frame, &view)
        };
        staging.unmap();
        result
    }
}

struct Mapped {
    slot: usize,
    index: wgpu::SubmissionIndex,
    receiver: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// The pass from the drawn picture to NV12, and the buffers it comes back through.
struct Converter {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    output: wgpu::Buffer,
    staging: Vec<wgpu::Buffer>,
}

impl Converter {
    fn new(gpu: &Gpu, targets: &Targets, picture: Picture) -> Self {
        let module = textures::shader(gpu, "nv12", &[include_str!("shaders/nv12.wgsl")]);
        let layout = textures::layout(
            gpu,
            "nv12",
            &[
                textures::buffer_entry(0, wgpu::BufferBindingType::Uniform),
                textures::texture_entry(1, wgpu::TextureSampleType::Float { filterable: true }, false),
                textures::sampler_entry(2, wgpu::SamplerBindingType::Filtering),
                textures::buffer_entry(3, wgpu::BufferBindingType::Storage { read_only: false }),
            ],
        );
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("nv12"),
            layout: Some(&textures::pipeline_layout(gpu, &[&layout])),
            module: &module,
            entry_point: Some(if picture.is_gathered() { "gather" } else { "convert" }),
            compilation_options: Default::default(),
            cache: None,
        });
        let mut size = [0u8; 16];
        size[..4].copy_from_slice(&picture.width.to_le_bytes());
        size[4..8].copy_from_slice(&picture.height.to_le_bytes());
        size[8..12].copy_from_slice(&picture.vignette.to_le_bytes());
        // A picture drawn at its own size is taken texel by texel.
        let spread: f32 = if picture.supersampling > 1.0 { 0.25 } else { 0.0 };
        size[12..].copy_from_slice(&spread.to_le_bytes());
        let uniform = textures::buffer(gpu, "size", &size, wgpu::BufferUsages::UNIFORM);
        let make = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: picture.frame_bytes() as u64,
                usage,
                mapped_at_creation: false,
            })
        };
        let output = make("nv12", wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let staging = (0..IN_FLIGHT)
            .map(|_| make("read back", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST))
            .collect();
        let group = textures::bind(
            gpu,
            "nv12",
            &layout,
            &[
                uniform.as_entire_binding(),
                wgpu::BindingResource::TextureView(&targets.color),
                wgpu::BindingResource::Sampler(&textures::sampler(gpu, Edge::Clamped)),
                output.as_entire_binding(),
            ],
        );
        Self { pipeline, group, output, staging }
    }

    fn convert(&self, encoder: &mut wgpu::CommandEncoder, picture: Picture, slot: usize) {
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            let rows = if picture.is_gathered() { 6 } else { 2 };
            pass.dispatch_workgroups((picture.width / 4).div_ceil(8), (picture.height / rows).div_ceil(8), 1);
        }
        encoder.copy_buffer_to_buffer(&self.output, 0, &self.staging[slot], 0, self.output.size());
    }
}
