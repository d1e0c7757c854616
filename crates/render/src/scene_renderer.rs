//! Renders a scene: frame after frame, each handed to a sink as NV12.

use crate::RenderError;
use crate::gpu::Gpu;
use crate::gpu_scene::GpuScene;
use crate::marking::MarkingState;
use crate::picture::Picture;
use crate::readback::Readback;
use crate::scene::{Camera, Scene};

/// Renders frames of a scene.
pub struct SceneRenderer<'g> {
    scene: GpuScene,
    readback: Readback<'g>,
}

impl<'g> SceneRenderer<'g> {
    /// Uploads the scene and bakes its light.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the device refuses the scene.
    pub fn new(gpu: &'g Gpu, scene: &Scene, picture: Picture) -> Result<Self, RenderError> {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let scene = GpuScene::new(gpu, scene, picture.height);
        let readback = Readback::new(gpu, picture);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(RenderError::Device(error.to_string()));
        }
        Ok(Self { scene, readback })
    }

    /// Renders `count` frames in order and passes each to `sink` as NV12 (BT.709, limited range).
    ///
    /// # Errors
    /// Whatever `sink` returns, and [`RenderError::Device`].
    pub fn render(
        &self,
        count: u32,
        camera: impl Fn(u32) -> Camera,
        sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        self.render_marked(count, |frame| (camera(frame), MarkingState::HIDDEN), sink)
    }

    /// Renders frames like [`Self::render`], with the state of the scene's marking in each frame.
    ///
    /// # Errors
    /// Whatever `sink` returns, and [`RenderError::Device`].
    pub fn render_marked(
        &self,
        count: u32,
        shot: impl Fn(u32) -> (Camera, MarkingState),
        sink: impl FnMut(u32, &[u8]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let Readback { gpu, targets, picture, .. } = &self.readback;
        let draw = |frame, encoder: &mut wgpu::CommandEncoder| {
            let (camera, drawn) = shot(frame);
            self.scene.draw(gpu, encoder, (&camera, drawn), targets, picture);
        };
        self.readback.run(count, draw, sink)
    }
}
