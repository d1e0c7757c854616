//! A height map of all obstacles, for flights that must avoid them and keep the property in view.

use aerie_geodata::place::Place;
use glam::{DVec2, dvec2};

use crate::bridges;
use crate::grounds;
use crate::measured::{self, Face};
use crate::shape;
use crate::tunnels;

/// Meters between cells.
const CELL: f64 = 2.0;

/// How far a building reaches beyond its outline, meters: gutters, and half a cell.
const BESIDE: f64 = 1.2 + CELL * 0.5;
/// Height of chimneys and railings above a roof, meters.
const ABOVE: f64 = 0.8;

/// Tops of ground, buildings and trees on a square grid around the origin.
pub(crate) struct Obstacles {
    reach: f64,
    side: usize,
    tops: Vec<f32>,
}

impl Obstacles {
    /// Covers `reach` meters around the origin; leaves out the property's own building when `without_property`.
    pub(crate) fn new(place: &Place, reach: f64, without_property: bool) -> Self {
        let side = (2.0 * reach / CELL).ceil() as usize;
        let mut grid = Self { reach, side, tops: Vec::with_capacity(side * side) };
        for j in 0..side {
            for i in 0..side {
                grid.tops.push(place.terrain.height(grid.center(i, j).to_array()) as f32);
            }
        }
        let grounds = grounds::of(place);
        for (building, base) in place.buildings.iter().zip(&grounds) {
            let center = shape::centroid(&building.footprint.outer);
            let own = shape::inside(center, &place.property.footprint)
                || Some(&building.footprint) == place.property.building.map(|b| &place.buildings[b].footprint);
            if without_property && own {
                continue;
            }
            if let Some(roof) = &building.measured {
                for face in measured::faces(roof, *base) {
                    grid.raise_face(&face);
                }
                continue;
            }
            let ground = building.footprint.outer.iter().map(|&p| place.terrain.height(p)).fold(f64::MIN, f64::max);
            let top = (ground + building.ridge + ABOVE) as f32;
            let ring: Vec<DVec2> = building.footprint.outer.iter().map(|&p| shape::vec(p)).collect();
            let low = ring.iter().copied().fold(DVec2::INFINITY, DVec2::min) - 1.0;
            let high = ring.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max) + 1.0;
            grid.raise(low, high, top, |p| {
                shape::inside_ring(p, &building.footprint.outer)
                    || shape::distance_to_ring(p, &building.footprint.outer) < BESIDE
            });
        }
        for tree in &place.trees {
            let at = shape::vec(tree.at);
            let top = (place.terrain.height(tree.at) + tree.height) as f32;
            let radius = tree.crown * 0.5 + CELL * 0.5;
            grid.raise(at - radius, at + radius, top, |p| p.distance(at) < radius);
        }
        for course in bridges::courses(place) {
            for (at, height) in course.line.iter().zip(&course.heights) {
                let radius = course.half + CELL;
                let top = (height + bridges::PARAPET) as f32;
                grid.raise(*at - radius, *at + radius, top, |p| p.distance(*at) < radius);
            }
        }
        for portal in tunnels::portals(place) {
            let (at, radius) = (portal.mouth, portal.reach() + CELL);
            grid.raise(at - radius, at + radius, portal.top as f32 + 0.3, |p| p.distance(at) < radius);
        }
        grid
    }

    fn center(&self, i: usize, j: usize) -> DVec2 {
        dvec2((i as f64 + 0.5) * CELL - self.reach, (j as f64 + 0.5) * CELL - self.reach)
    }

    /// Raises the cells on and beside a face of a roof: to its height there, and not to that of its highest point.
    fn raise_face(&mut self, face: &Face) {
        let (low, high) = (face.low.truncate() - BESIDE, face.high.truncate() + BESIDE);
        let index = |v: f64| ((v + self.reach) / CELL).floor().clamp(0.0, self.side as f64) as usize;
        for j in index(low.y)..(index(high.y) + 1).min(self.side) {
            for i in index(low.x)..(index(high.x) + 1).min(self.side) {
                let at = self.center(i, j);
                if face.covers(at) || shape::distance_to_ring(at, face.ring()) < BESIDE {
                    // The highest point of the face within reach.
                    let uphill = at + face.slope.normalize_or_zero() * BESIDE;
                    let cell = &mut self.tops[j * self.side + i];
                    *cell = cell.max((face.height(uphill) + ABOVE) as f32);
                }
            }
        }
    }

    fn raise(&mut self, low: DVec2, high: DVec2, top: f32, covers: impl Fn(DVec2) -> bool) {
        let index = |v: f64| ((v + self.reach) / CELL).floor().clamp(0.0, self.side as f64) as usize;
        for j in index(low.y)..(index(high.y) + 1).min(self.side) {
            for i in index(low.x)..(index(high.x) + 1).min(self.side) {
                if covers(self.center(i, j)) {
                    let cell = &mut self.tops[j * self.side + i];
                    *cell = cell.max(top);
                }
            }
        }
    }

    /// The highest top within `radius` meters of a point; `f32::MIN` outside the grid.
    pub(crate) fn highest(&self, at: DVec2, radius: f64) -> f64 {
        let index = |v: f64| ((v + self.reach) / CELL).floor().clamp(0.0, self.side as f64) as usize;
        let mut top = f32::MIN;
        for j in index(at.y - radius)..(index(at.y + radius) + 1).min(self.side) {
            for i in index(at.x - radius)..(index(at.x + radius) + 1).min(self.side) {
                if self.center(i, j).distance(at) <= radius + CELL {
                    top = top.max(self.tops[j * self.side + i]);
                }
            }
        }
        f64::from(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bridge_is_an_obstacle() {
        let mut place = crate::fixtures::empty_place(None);
        place.ways = vec![crate::fixtures::way("way/1", vec![[-80.0, 0.0], [80.0, 0.0]], true)];
        let highest = |place: &Place, at| Obstacles::new(place, 100.0, true).highest(at, 1.0);
        assert!(highest(&place, DVec2::ZERO) > 1.0 && highest(&place, dvec2(0.0, 40.0)) < 0.1);
        place.ways.push(crate::fixtures::way("way/2", vec![[0.0, -50.0], [0.0, 50.0]], false));
        assert!(highest(&place, DVec2::ZERO) > 6.0);
    }
}
