//! Faces of a measured roof, cleaned up.

use std::collections::BTreeMap;

use aerie_geodata::place::{MeasuredRoof, Point};
use glam::{DVec2, DVec3};

use crate::shape;

/// Corners closer than this are merged, meters.
const MERGED: f64 = 0.03;
/// Minimum area of a face seen from above, square meters.
const MIN_AREA: f64 = 0.02;

/// A face of a roof.
pub(crate) struct Face {
    /// Its number in the roof.
    pub(crate) index: usize,
    /// Corners, counter-clockwise seen from above; `z` in meters above the datum.
    pub(crate) corners: Vec<DVec3>,
    /// The corners seen from above.
    ring: Vec<Point>,
    /// Direction of the steepest ascent, meters of rise per meter.
    pub(crate) slope: DVec2,
    middle: DVec3,
    /// Lowest and highest corner of its bounding box.
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Face {
    fn new(index: usize, mut corners: Vec<DVec3>) -> Option<Self> {
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let ring_of = |corners: &[DVec3]| -> Vec<Point> { corners.iter().map(|c| [c.x, c.y]).collect() };
        let n = corners.len();
        if n < 3 {
            return None;
        }
        let area = shape::area(&ring_of(&corners));
        if area.is_nan() || area.abs() < MIN_AREA {
            return None;
        }
        if area < 0.0 {
            corners.reverse();
        }
        let middle = corners.iter().sum::<DVec3>() / n as f64;
        let normal =
            (0..n).fold(DVec3::ZERO, |sum, i| sum + (corners[i] - middle).cross(corners[(i + 1) % n] - middle));
        let slope = -normal.truncate() / normal.z;
        let low = corners.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = corners.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let ring = ring_of(&corners);
        (slope.is_finite() && middle.is_finite()).then_some(Self { index, corners, ring, slope, middle, low, high })
    }

    /// Height of its plane at a point, within the heights of its corners.
    pub(crate) fn height(&self, at: DVec2) -> f64 {
        (self.middle.z + (at - self.middle.truncate()).dot(self.slope)).clamp(self.low.z, self.high.z)
    }

    /// Whether a point lies below it, seen from above.
    pub(crate) fn covers(&self, at: DVec2) -> bool {
        at.cmpge(self.low.truncate()).all()
            && at.cmple(self.high.truncate()).all()
            && shape::inside_ring(at, &self.ring)
    }

    /// Its outline seen from above.
    pub(crate) fn ring(&self) -> &[Point] {
        &self.ring
    }

    /// Its edges.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        let n = self.corners.len();
        (0..n).map(move |i| (self.corners[i], self.corners[(i + 1) % n]))
    }
}

/// The faces of a roof whose heights count from `ground`, with corners merged that all but coincide.
pub(crate) fn faces(roof: &MeasuredRoof, ground: f64) -> Vec<Face> {
    let mut merged = Merged::default();
    let mut face = |(index, ring): (usize, &Vec<[f64; 3]>)| {
        let corners: Vec<DVec3> = ring.iter().map(|&c| DVec3::from(c) + DVec3::Z * ground).collect();
        if corners.iter().any(|corner| !corner.is_finite()) {
            return None;
        }
        Face::new(index, corners.into_iter().map(|corner| merged.corner(corner)).collect())
    };
    roof.faces.iter().enumerate().filter_map(&mut face).collect()
}

/// Corners met so far, by cell.
#[derive(Default)]
struct Merged(BTreeMap<[i64; 3], Vec<DVec3>>);

impl Merged {
    /// The first corner met that is close to this one.
    fn corner(&mut self, corner: DVec3) -> DVec3 {
        let cell = (corner / MERGED).floor().to_array().map(|v| v as i64);
        for k in 0..27 {
            let near = [cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1];
            let met = self.0.get(&near).into_iter().flatten().find(|met| met.distance(corner) < MERGED);
            if let Some(met) = met {
                return *met;
            }
        }
        self.0.entry(cell).or_default().push(corner);
        corner
    }
}
