//! Pinhole camera with its rotation relative to the room.

use glam::{DMat3, DVec2, DVec3};

/// A pinhole camera with square pixels and without distortion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Focal length in pixels.
    pub focal: f64,
    /// The principal point in pixels.
    pub center: DVec2,
    /// From room axes to camera axes: the columns are X (right), Y (away) and Z (up) in camera axes.
    pub rotation: DMat3,
}

impl Camera {
    /// Camera pitched up by `pitch`, rolled clockwise by `roll` and turned to the right of Y by `yaw`, radians, with a centered
    /// principal point.
    #[must_use]
    pub fn turned(width: usize, height: usize, focal: f64, pitch: f64, roll: f64, yaw: f64) -> Self {
        // Room to camera axes without rotation: Y becomes forward, Z becomes up.
        let level = DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y);
        let turn = DMat3::from_rotation_z(-roll) * DMat3::from_rotation_x(-pitch) * level * DMat3::from_rotation_z(yaw);
        Self { width, height, focal, center: middle(width, height), rotation: turn }
    }

    /// Unit direction of a pixel in camera axes.
    #[must_use]
    pub fn sight(&self, pixel: DVec2) -> DVec3 {
        ((pixel - self.center) / self.focal).extend(1.0).normalize()
    }

    /// Unit direction of a pixel in room axes.
    #[must_use]
    pub fn ray(&self, pixel: DVec2) -> DVec3 {
        self.rotation.transpose() * self.sight(pixel)
    }

    /// Projects a point, relative to the camera in room axes; `None` behind the camera.
    #[must_use]
    pub fn pixel(&self, place: DVec3) -> Option<DVec2> {
        let seen = self.rotation * place;
        (seen.z > 1e-9).then(|| self.center + seen.truncate() / seen.z * self.focal)
    }

    /// Vanishing point of a direction in room axes, in homogeneous pixel coordinates `(x, y, w)`; at infinity where w is 0.
    #[must_use]
    pub fn vanishing_point(&self, direction: DVec3) -> DVec3 {
        let seen = self.rotation * direction;
        (seen.truncate() * self.focal + self.center * seen.z).extend(seen.z)
    }

    /// Up, in camera axes.
    #[must_use]
    pub fn up(&self) -> DVec3 {
        self.rotation.z_axis
    }

    /// Upward pitch, radians.
    #[must_use]
    pub fn pitch(&self) -> f64 {
        self.up().z.clamp(-1.0, 1.0).asin()
    }

    /// Clockwise roll, radians: verticals lean to the left in the image.
    #[must_use]
    pub fn roll(&self) -> f64 {
        let up = self.up();
        (-up.x).atan2(-up.y)
    }

    /// Yaw to the right of Y, radians.
    #[must_use]
    pub fn yaw(&self) -> f64 {
        let forward = self.rotation.transpose() * DVec3::Z;
        forward.x.atan2(forward.y)
    }

    /// Horizon `a x + b y + c = 0` with `a² + b² = 1`, positive below the horizon.
    #[must_use]
    pub fn horizon(&self) -> [f64; 3] {
        let up = self.up();
        let line = DVec3::new(up.x, up.y, up.z * self.focal - up.truncate().dot(self.center));
        let norm = -line.truncate().length().max(1e-12);
        (line / norm).to_array()
    }
}

/// Center of an image, the default principal point.
pub(crate) fn middle(width: usize, height: usize) -> DVec2 {
    DVec2::new(width as f64, height as f64) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_recovered_from_the_rotation() {
        for (pitch, roll, yaw) in [(0.0, 0.0, 0.0), (0.1, -0.05, 0.4), (-0.3, 0.1, -0.7)] {
            let camera = Camera::turned(1200, 800, 900.0, pitch, roll, yaw);
            assert!((camera.pitch() - pitch).abs() < 1e-9, "pitch {}", camera.pitch());
            assert!((camera.roll() - roll).abs() < 1e-9, "roll {}", camera.roll());
            assert!((camera.yaw() - yaw).abs() < 1e-9, "yaw {}", camera.yaw());
        }
    }

    #[test]
    fn a_camera_that_looks_down_sees_the_horizon_high_and_the_floor_below_it() {
        let camera = Camera::turned(1200, 800, 900.0, -0.2, 0.0, 0.1);
        let [a, b, c] = camera.horizon();
        let above = |p: DVec2| a * p.x + b * p.y + c < 0.0;
        assert!(!above(DVec2::new(600.0, 400.0)) && above(DVec2::new(600.0, 10.0)));
        let floor = camera.pixel(DVec3::new(0.3, 4.0, -1.4)).expect("in front");
        assert!(!above(floor));
    }

    #[test]
    fn the_ray_of_a_projected_point_passes_through_it() {
        let camera = Camera::turned(1200, 800, 700.0, 0.1, 0.03, -0.5);
        let place = DVec3::new(-1.0, 3.0, 0.7);
        let ray = camera.ray(camera.pixel(place).expect("in front"));
        assert!(ray.dot(place.normalize()) > 1.0 - 1e-12);
    }

    #[test]
    fn a_positive_yaw_turns_to_the_right() {
        let camera = Camera::turned(1200, 800, 700.0, 0.0, 0.0, 0.3);
        // Turned to the right, the camera sees Y on the left.
        assert!(camera.pixel(DVec3::Y).expect("in front").x < 600.0);
    }
}
