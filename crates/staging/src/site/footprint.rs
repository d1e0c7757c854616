//! Stretches of walls and footprints of pieces.

use glam::Vec2;

/// Free depth in front of a door, meters.
pub(super) const BEFORE_DOOR: f32 = 0.85;
/// Width of a cell along walls and on the floor, meters.
pub(super) const STEP: f32 = 0.1;

/// A door or a passage in a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Door {
    /// The side whose wall it is in.
    pub side: usize,
    /// Where it begins and ends along the wall, meters.
    pub across: [f32; 2],
}

/// A footprint: a rectangle on the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    /// Its middle.
    pub center: Vec2,
    /// Half its width and depth.
    pub half: Vec2,
    /// Rotation from X toward Y, radians.
    pub yaw: f32,
}

impl Footprint {
    /// Corners, counter-clockwise.
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        let turn = Vec2::from_angle(self.yaw);
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| self.center + turn.rotate(self.half * Vec2::new(x, y)))
    }

    /// Widened on all sides.
    #[must_use]
    pub fn wider(mut self, by: f32) -> Self {
        self.half += by;
        self
    }

    /// Whether two overlap, by separating axes.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.corners(), other.corners());
        let axes =
            [self.yaw, other.yaw].into_iter().flat_map(|yaw| [Vec2::from_angle(yaw), Vec2::from_angle(yaw).perp()]);
        axes.into_iter().all(|axis| {
            let span = |c: &[Vec2; 4]| {
                let along = c.map(|p| p.dot(axis));
                (along.iter().copied().fold(f32::MAX, f32::min), along.iter().copied().fold(f32::MIN, f32::max))
            };
            let ((a0, a1), (b0, b1)) = (span(&a), span(&b));
            a0 < b1 && b0 < a1
        })
    }

    /// How far a place is from it; 0 inside.
    #[must_use]
    pub fn distance(&self, place: Vec2) -> f32 {
        let local = Vec2::from_angle(-self.yaw).rotate(place - self.center).abs() - self.half;
        local.max(Vec2::ZERO).length()
    }

    /// Distances at which a ray from the camera enters and leaves it; `None` if it passes by.
    #[must_use]
    pub fn crossed(&self, way: Vec2) -> Option<[f32; 2]> {
        let turn = Vec2::from_angle(-self.yaw);
        let (from, ray) = (turn.rotate(-self.center), turn.rotate(way));
        let (a, b) = ((-self.half - from) / ray, (self.half - from) / ray);
        let (near, far) = (a.min(b).max_element().max(0.0), a.max(b).min_element());
        (near < far).then_some([near, far])
    }
}
