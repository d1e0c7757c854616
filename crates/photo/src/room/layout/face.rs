//! Faces of a box-shaped room, and their distances from the camera.

use glam::DVec3;

/// A face of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// The floor.
    Floor,
    /// The ceiling.
    Ceiling,
    /// The wall to the left, across X.
    Left,
    /// The wall to the right, across X.
    Right,
    /// The wall ahead, across Y.
    Far,
}

impl Face {
    /// All faces, by index.
    pub const ALL: [Face; 5] = [Face::Floor, Face::Ceiling, Face::Left, Face::Right, Face::Far];

    /// Axis of its normal: 0 X, 1 Y, 2 Z.
    #[must_use]
    pub fn axis(self) -> usize {
        match self {
            Face::Floor | Face::Ceiling => 2,
            Face::Left | Face::Right => 0,
            Face::Far => 1,
        }
    }

    /// Its name in messages and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Face::Floor => "floor",
            Face::Ceiling => "ceiling",
            Face::Left => "left wall",
            Face::Right => "right wall",
            Face::Far => "far wall",
        }
    }
}

/// Distances from the camera to the faces, in camera heights: the floor is at 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distances {
    /// Up to the ceiling.
    pub ceiling: f64,
    /// To the wall on the left.
    pub left: f64,
    /// To the wall on the right.
    pub right: f64,
    /// To the wall ahead.
    pub far: f64,
}

impl Distances {
    /// For each face, coefficients on a ray in room axes; the greatest value is that of the face it meets.
    pub(super) fn coefficients(&self) -> [DVec3; 5] {
        [-DVec3::Z, DVec3::Z / self.ceiling, -DVec3::X / self.left, DVec3::X / self.right, DVec3::Y / self.far]
    }
}

/// Index of the greatest function at a pixel.
pub(super) fn greatest(functions: &[DVec3; 5], place: DVec3) -> usize {
    let mut best = 0;
    let mut value = functions[0].dot(place);
    for (i, function) in functions.iter().enumerate().skip(1) {
        let v = function.dot(place);
        if v > value {
            (best, value) = (i, v);
        }
    }
    best
}
