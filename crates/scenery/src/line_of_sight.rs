//! Whether buildings and trees hide a point of the ground from a camera, to within a meter or two.

use aerie_geodata::place::{Place, Point};
use glam::{DVec3, Vec3};

use crate::obstacles::Obstacles;
use crate::shape;

/// Obstacles this near to the point are ignored, meters: their grid is coarse.
const IGNORED: f64 = 2.5;

/// Tests lines of sight over a place.
pub struct LineOfSight<'p> {
    place: &'p Place,
    obstacles: Obstacles,
}

impl<'p> LineOfSight<'p> {
    /// Covers points of the ground within `reach` meters of the origin.
    #[must_use]
    pub fn new(place: &'p Place, reach: f64) -> Self {
        Self { place, obstacles: Obstacles::new(place, reach + 120.0, false) }
    }

    /// Whether the ground at a point is visible from `eye`.
    #[must_use]
    pub fn sees(&self, eye: Vec3, at: Point) -> bool {
        let eye: DVec3 = eye.as_dvec3();
        let ground = self.place.terrain.height(at);
        let from = shape::vec(at);
        let distance = eye.truncate().distance(from);
        let mut along = IGNORED;
        while along < distance {
            let share = along / distance;
            let height = ground + (eye.z - ground) * share;
            if self.obstacles.highest(from.lerp(eye.truncate(), share), 0.0) > height {
                return false;
            }
            along += 1.0;
        }
        true
    }
}
