//! The frame loop: each drawn frame is converted to NV12 on the device, read back and handed to a sink.

use std::sync::mpsc;

use crate::gpu::Gpu;
use crate::picture::Picture;
use crate::pipelines::Targets;
use crate::textures::Edge;
use crate::{RenderError, textures};

/// Frames in flight between drawing and readback.
const IN_FLIGHT: usize = 2;

/// Render targets, their conversion to NV12 and the way back from the device.
pub(crate) struct Readback<'g> {
    pub(crate) gpu: &'g Gpu,
    pub(crate) targets: Targets,
    pub(crate) picture: Picture,
    converter: Converter,
}

impl<'g> Readback<'g> {
    pub(crate) fn new(gpu: &'g Gpu, picture: Picture) -> Self {
        let [width, height] = picture.drawn_size();
        let targets = Targets::new(gpu, width, height);
        let converter = Converter::new(gpu, &targets, picture);
        Self { gpu, targets, picture, converter }
    }

    /// Calls `draw` to draw `count` frames into the targets, in order, and passes each to `sink` as NV12 (BT.709, limited range).
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
            // The receiver is gone only when rendering was abandoned.
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

/// The pass that converts the drawn picture to NV12, and the staging buffers.
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
        // Without supersampling, each pixel is its own texel.
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
