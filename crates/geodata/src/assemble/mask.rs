//! Coarse raster of the ground on which nothing may be planted.

use aerie_math::geometry;

use crate::place::{Point, Polygon};

/// Side of a cell, meters.
const CELL: f64 = 1.0;

/// The cells of a square around the origin, each taken or free.
pub(super) struct Mask {
    reach: f64,
    side: usize,
    taken: Vec<bool>,
}

impl Mask {
    pub(super) fn new(reach: f64) -> Self {
        let side = (2.0 * reach / CELL).ceil() as usize + 1;
        Self { reach, side, taken: vec![false; side * side] }
    }

    fn cell(&self, v: f64) -> usize {
        ((v + self.reach) / CELL).clamp(0.0, (self.side - 1) as f64) as usize
    }

    /// Whether a point is taken; everything outside the square is.
    pub(super) fn is_taken(&self, [x, y]: Point) -> bool {
        x.abs() >= self.reach || y.abs() >= self.reach || self.taken[self.cell(y) * self.side + self.cell(x)]
    }

    pub(super) fn take_polygon(&mut self, polygon: &Polygon, margin: f64) {
        let mut rings = vec![polygon.outer.clone()];
        rings.extend(polygon.holes.iter().cloned());
        let [_, south, _, north] = geometry::bounds(&polygon.outer);
        for j in self.cell(south)..=self.cell(north) {
            let y = (j as f64 + 0.5) * CELL - self.reach;
            for (from, to) in geometry::level_spans(&rings, y) {
                if to >= -self.reach && from <= self.reach {
                    let (a, b) = (self.cell(from), self.cell(to));
                    self.taken[j * self.side + a..=j * self.side + b].fill(true);
                }
            }
        }
        for ring in &rings {
            let mut closed = ring.clone();
            closed.extend(ring.first().copied());
            self.take_line(&closed, margin);
        }
    }

    /// Takes everything within `margin` meters of a line.
    pub(super) fn take_line(&mut self, line: &[Point], margin: f64) {
        for w in line.windows(2) {
            let b = geometry::bounds(w);
            if b[0] > self.reach || b[1] > self.reach || b[2] < -self.reach || b[3] < -self.reach {
                continue;
            }
            let length = (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1]);
            let steps = (length / CELL).ceil().clamp(1.0, 20_000.0) as usize;
            for i in 0..=steps {
                let t = i as f64 / steps as f64;
                self.take_disc([w[0][0] + t * (w[1][0] - w[0][0]), w[0][1] + t * (w[1][1] - w[0][1])], margin);
            }
        }
    }

    pub(super) fn take_disc(&mut self, [x, y]: Point, radius: f64) {
        if x.abs() > self.reach + radius || y.abs() > self.reach + radius {
            return;
        }
        for j in self.cell(y - radius)..=self.cell(y + radius) {
            for i in self.cell(x - radius)..=self.cell(x + radius) {
                let (cx, cy) = ((i as f64 + 0.5) * CELL - self.reach, (j as f64 + 0.5) * CELL - self.reach);
                if (cx - x).hypot(cy - y) <= radius.max(CELL * 0.75) {
                    self.taken[j * self.side + i] = true;
                }
            }
        }
    }
}
