//! Projection from the ground to pixels of a frame.

use aerie_geodata::place::{Place, Point};
use aerie_render::scene::Camera;
use glam::{DMat4, DVec2, DVec4, dvec2};

/// A camera's projection.
pub(super) struct View {
    to_clip: DMat4,
    size: DVec2,
}

impl View {
    /// The projection of a camera to frames of this size.
    pub(super) fn of(camera: &Camera, size: DVec2) -> Self {
        Self { to_clip: camera.view_projection((size.x / size.y) as f32).as_dmat4(), size }
    }

    /// Pixel of a point on the ground. `None` behind the camera.
    pub(super) fn pixel(&self, place: &Place, at: Point) -> Option<DVec2> {
        self.above(place, at, 0.0)
    }

    /// Pixel of a point this high above the ground, meters. `None` behind the camera.
    pub(super) fn above(&self, place: &Place, at: Point, height: f64) -> Option<DVec2> {
        let clip = self.to_clip * DVec4::new(at[0], at[1], place.terrain.height(at) + height, 1.0);
        (clip.w > 1.0).then(|| dvec2(clip.x / clip.w + 1.0, 1.0 - clip.y / clip.w) * 0.5 * self.size)
    }
}
