//! Position and orientation of a camera.

use glam::{DMat3, DVec3};

/// A camera that sees the planes of a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Relative to the camera of the photo, camera heights.
    pub position: DVec3,
    /// Rotates the axes of the scene to those of the camera.
    pub rotation: DMat3,
    /// Focal length, pixels of the frame.
    pub focal: f64,
    /// Factor on the light; 1 for the photo's own.
    pub gain: f64,
}
