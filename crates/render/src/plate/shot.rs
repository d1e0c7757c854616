//! A frame of a plate: the planes that the photo is projected onto, and the camera.

use glam::{Mat3, Vec3};

/// Maximum number of planes of a surface.
pub const MAX_PLANES: usize = 6;
/// Maximum number of planes that meet in a convex corner.
pub const MAX_CORNER_PLANES: usize = 3;
/// Maximum number of surfaces.
pub const MAX_SURFACES: usize = 2;

/// Planes that a photo is projected onto. The dot product of a plane and a ray is the inverse distance along the ray.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    /// The nearest plane is visible, as inside a room; at most [`MAX_PLANES`].
    pub planes: Vec<Vec3>,
    /// Planes that meet in a convex corner: the farthest of them counts as one more plane. At most [`MAX_CORNER_PLANES`].
    pub corner: Vec<Vec3>,
}

/// A camera pose, and the surfaces as seen from it.
#[derive(Debug, Clone)]
pub struct Pose {
    /// Maps a pixel of the film, homogeneous, to a direction.
    pub ray: Mat3,
    /// Position relative to that of the photo.
    pub position: Vec3,
    /// One for each of [`Pixels::covers`](super::Pixels::covers).
    pub surfaces: Vec<Surface>,
}

/// One frame.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Pose when the shutter opens.
    pub opened: Pose,
    /// Pose when it closes.
    pub closed: Pose,
    /// Exposure factor.
    pub gain: f32,
    /// Whether to show the photo itself, pixel for pixel.
    pub is_photo: bool,
    /// Indices of the visible bodies, from the farthest to the nearest, each with its bounds on the frame, pixels: left, top,
    /// right, bottom.
    pub bodies: Vec<(usize, [f32; 4])>,
}

/// A matrix as the columns of a uniform.
pub(super) fn columns(matrix: Mat3) -> [[f32; 4]; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.extend(0.0).to_array())
}
