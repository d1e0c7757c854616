//! How much of a frame buildings fill.

use aerie_geodata::place::{Building, Place, Point};
use aerie_math::geometry::convex_hull;
use aerie_render::scene::Camera;
use glam::{DVec2, DVec3};

use crate::property;
use crate::shape;

/// Distance from the property up to which neighbors are compared with it, meters.
const REACH: f64 = 160.0;

/// The property and its neighbors, as corners of their walls.
pub(super) struct Framing {
    own: Vec<DVec3>,
    neighbors: Vec<Vec<DVec3>>,
    aspect: f64,
}

impl Framing {
    pub(super) fn of(place: &Place, own: &[DVec3], aspect: f64) -> Self {
        let center = shape::centroid(&place.property.footprint.outer);
        let is_neighbor = |&(index, building): &(usize, &Building)| {
            building.base <= 0.0
                && !property::is_property(place, index)
                && shape::vec(building.footprint.outer[0]).distance(center) < REACH
        };
        let neighbors = place.buildings.iter().enumerate().filter(is_neighbor);
        let corners = |building: &Building| {
            let foot = |&p: &Point| shape::vec(p).extend(place.terrain.height(p));
            let rise = DVec3::Z * building.ridge;
            building.footprint.outer.iter().map(foot).flat_map(|foot| [foot, foot + rise]).collect()
        };
        Self { own: own.to_vec(), neighbors: neighbors.map(|(_, b)| corners(b)).collect(), aspect }
    }

    /// The share of the frame that the property fills, relative to the neighbor that fills most.
    pub(super) fn lead(&self, camera: &Camera) -> f64 {
        let most = self.neighbors.iter().map(|corners| share(camera, self.aspect, corners)).fold(0.0, f64::max);
        share(camera, self.aspect, &self.own) / most.max(1e-6)
    }
}

/// Share of the frame that the convex hull of points fills.
fn share(camera: &Camera, aspect: f64, points: &[DVec3]) -> f64 {
    let view = camera.view_projection(aspect as f32).as_dmat4();
    let seen: Vec<Point> = points
        .iter()
        .map(|p| view * p.extend(1.0))
        // What is beside or behind the camera is out of the frame.
        .filter(|clip| clip.w > 1.0)
        .map(|clip| [clip.x / clip.w, clip.y / clip.w])
        .collect();
    let mut ring = convex_hull(seen);
    for side in [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y] {
        ring = shape::cut(&ring, -side, side);
    }
    if ring.len() < 3 { 0.0 } else { shape::area(&ring).abs() * 0.25 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_the_frame_is_that_of_the_part_inside_it() {
        let camera = Camera {
            eye: glam::Vec3::new(0.0, 0.0, 10.0),
            target: glam::Vec3::ZERO,
            up: glam::Vec3::Y,
            field: std::f32::consts::FRAC_PI_2,
        };
        // The frame shows 20 by 20 meters of the ground.
        let square = |x: f64, half: f64| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (0.2, 0.1)]
                .map(|(u, v)| DVec3::new(x + u * half, v * half, 0.0))
        };
        assert!((share(&camera, 1.0, &square(0.0, 5.0)) - 0.25).abs() < 1e-5);
        assert!((share(&camera, 1.0, &square(10.0, 5.0)) - 0.125).abs() < 1e-5);
        assert!(share(&camera, 1.0, &square(30.0, 5.0)) < 1e-9);
    }
}
