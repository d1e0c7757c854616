//! Where the second camera stood in the room of the first, and how well that explains a feature seen by both.

use aerie_photo::room::Camera;
use glam::{DMat3, DVec2, DVec3};

use super::observation::Depth;

/// Number of unknowns.
pub(super) const UNKNOWNS: usize = 10;

/// The unknowns: the turn from the second room axes to the first ones; place of the second camera over the floor, meters of the first
/// view, and the logarithm of its height; then, for each camera, what its tilt about X and Y lacks, and the logarithm of the factor of
/// its focal length.
pub(super) type Unknowns = [f64; UNKNOWNS];

/// Places of the unknowns.
pub(super) const YAW: usize = 0;
pub(super) const X: usize = 1;
pub(super) const HEIGHT: usize = 3;
pub(super) const TILTS: [usize; 2] = [4, 7];
pub(super) const FOCALS: [usize; 2] = [6, 9];

/// A feature seen in both photos.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Pixels off the middle of each photo.
    pub(super) offsets: [DVec2; 2],
    /// Directions in the room axes of each view, by the cameras as they were estimated.
    pub(super) rays: [DVec3; 2],
    /// Distances by each view.
    pub(super) depths: [Depth; 2],
}

/// Two cameras in the axes of the first view's room.
pub(super) struct Rig {
    /// From camera to room axes of the first view, and focal lengths.
    turns: [DMat3; 2],
    focals: [f64; 2],
    /// Places of the cameras.
    pub(super) places: [DVec3; 2],
    /// Height of the second camera over its height by the second view.
    pub(super) scale: f64,
}

/// How well a pose explains a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    /// Tangent of the angle between the seen and the expected direction in the second photo, as a vector.
    pub(super) off: DVec3,
    /// Logarithm of the distance over that by the room's shape, by each view; 0 where that is unknown.
    pub(super) deeper: [f64; 2],
    /// The place.
    pub(super) place: DVec3,
}

/// Relative uncertainty of distances by the room's shape: on the floor, and on walls.
pub(super) const FLOOR_SPREAD: f64 = 0.05;
pub(super) const SURFACE_SPREAD: f64 = 0.15;

impl Rig {
    /// The cameras of two views by the unknowns. `eyes` are their heights by their own views, meters.
    pub(super) fn new(cameras: [&Camera; 2], eyes: [f64; 2], unknowns: &Unknowns) -> Self {
        let tilted = |i: usize| {
            let tilt = DMat3::from_rotation_x(unknowns[TILTS[i]]) * DMat3::from_rotation_y(unknowns[TILTS[i] + 1]);
            tilt * cameras[i].rotation.transpose()
        };
        let height = unknowns[HEIGHT].exp();
        Self {
            turns: [tilted(0), DMat3::from_rotation_z(unknowns[YAW]) * tilted(1)],
            focals: [0, 1].map(|i| cameras[i].focal * unknowns[FOCALS[i]].exp()),
            places: [DVec3::Z * eyes[0], DVec3::new(unknowns[X], unknowns[X + 1], height)],
            scale: height / eyes[1],
        }
    }

    /// Direction of a pixel off the middle of a photo in the axes of the first view, unit length.
    pub(super) fn ray(&self, camera: usize, offset: DVec2) -> DVec3 {
        (self.turns[camera] * (offset / self.focals[camera]).extend(1.0)).normalize()
    }

    /// Pixel off the middle of a photo of a direction; `None` behind the camera.
    pub(super) fn offset(&self, camera: usize, ray: DVec3) -> Option<DVec2> {
        let seen = self.turns[camera].transpose() * ray;
        (seen.z > 1e-6).then(|| seen.truncate() / seen.z * self.focals[camera])
    }

    /// Where a direction meets the floor, if within 40 m.
    pub(super) fn on_floor(&self, camera: usize, ray: DVec3) -> Option<DVec3> {
        let place = self.places[camera];
        let reach = place.z / -ray.z;
        (ray.z < 0.0 && reach < 40.0).then(|| place + ray * reach)
    }

    /// Distance of a feature by the room's shape, and its relative uncertainty.
    fn expected(&self, camera: usize, ray: DVec3, depth: Depth) -> Option<(f64, f64)> {
        match depth {
            Depth::Floor => (ray.z < -0.01).then(|| (self.places[camera].z / -ray.z, FLOOR_SPREAD)),
            Depth::Surface(reach) => Some((if camera == 0 { reach } else { reach * self.scale }, SURFACE_SPREAD)),
            Depth::Unknown => None,
        }
    }

    /// How well the cameras explain a pair, at its most likely distance. `spread` is the uncertainty of directions, radians; `None`
    /// where that lies behind a camera.
    pub(super) fn fit(&self, pair: &Pair, spread: f64) -> Option<Fit> {
        let rays = [0, 1].map(|i| self.ray(i, pair.offsets[i]));
        let expected = [0, 1].map(|i| self.expected(i, rays[i], pair.depths[i]));
        let between = self.places[0] - self.places[1];
        let start = match expected {
            [Some((reach, _)), _] => reach,
            [None, Some((reach, _))] => (self.places[1] + rays[1] * reach - self.places[0]).length(),
            [None, None] => 8.0,
        };
        let at = |log: f64| {
            let reach = log.exp();
            let way = rays[0] * reach + between;
            let along = way.dot(rays[1]);
            let off = (way - rays[1] * along) / along.max(1e-6);
            let deeper = [
                expected[0].map_or(0.0, |(e, _)| (reach / e).ln()),
                expected[1].map_or(0.0, |(e, _)| (way.length() / e).ln()),
            ];
            let doubts = [0, 1].map(|i| deeper[i] / expected[i].map_or(1.0, |e| e.1));
            // A distance that contradicts the shape by much is no evidence against it.
            let cost: f64 = doubts.iter().map(|d| d * d / (1.0 + d * d / 9.0)).sum();
            let cost = off.length_squared() / (spread * spread) + cost + if along > 0.0 { 0.0 } else { 1e9 };
            (cost, off, deeper, along)
        };
        let log = least(|log| at(log).0, start.ln());
        let (_, off, deeper, along) = at(log);
        (along > 0.0).then(|| Fit { off, deeper, place: self.places[0] + rays[0] * log.exp() })
    }
}

/// The least of a function of a logarithm of a distance around a start: by a coarse search, then by parabolas.
fn least(cost: impl Fn(f64) -> f64, start: f64) -> f64 {
    let (mut best, mut lowest) = (start, cost(start));
    for step in [-1.2, -0.8, -0.5, -0.3, -0.15, -0.07, 0.07, 0.15, 0.3, 0.5, 0.8, 1.2, 2.0] {
        let value = cost(start + step);
        if value < lowest {
            (best, lowest) = (start + step, value);
        }
    }
    let mut width = 0.04;
    for _ in 0..4 {
        let (a, c) = (cost(best - width), cost(best + width));
        let bend = a + c - 2.0 * lowest;
        if bend <= 1e-12 {
            break;
        }
        let next = best + (width * (a - c) / (2.0 * bend)).clamp(-0.15, 0.15);
        let value = cost(next);
        if value < lowest {
            (best, lowest) = (next, value);
        }
        width *= 0.4;
    }
    best
}
