//! What of the ground a camera sees past buildings and trees, to within a meter or two.

use aerie_geodata::place::{Place, Point};
use glam::{DVec3, Vec3};

use crate::obstacles::Obstacles;
use crate::shape;

/// Meters before a point within which nothing hides it: the grid that obstacles stand on is coarse.
const NEAR: f64 = 2.5;

/// Knows what stands before what.
pub struct Sight<'p> {
    place: &'p Place,
    obstacles: Obstacles,
}

impl<'p> Sight<'p> {
    /// For points of ground within `reach` meters of the origin.
    #[must_use]
    pub fn new(place: &'p Place, reach: f64) -> Self {
        Self { place, obstacles: Obstacles::new(place, reach + 120.0, false) }
    }

    /// Whether the ground at a point is seen from `eye`.
    #[must_use]
    pub fn sees(&self, eye: Vec3, at: Point) -> bool {
        let eye: DVec3 = eye.as_dvec3();
        let ground = self.place.terrain.height(at);
        let from = shape::vec(at);
        let distance = eye.truncate().distance(from);
        let mut along = NEAR;
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
