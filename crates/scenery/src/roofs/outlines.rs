//! Roofs over outlines of any shape: gabled, skillion, hipped, truncated, pyramids and domes.

use aerie_geodata::place::{Point, Polygon};
use glam::{DVec2, Vec2, dvec2};

use super::roof::{EDGE, Roof, TUCKED, WallTop};
use crate::mesh::Builder;
use crate::shape;
use crate::skeleton;
use crate::wings::bounding_wing;

impl Roof<'_> {
    /// Two slopes over an outline of any shape, split along the ridge.
    pub(super) fn split(&self, out: &mut Builder, across: bool) -> WallTop {
        let wing = bounding_wing(self.footprint, across);
        let c = wing.along.perp();
        let pitch = self.rise / wing.half_width.max(0.5);
        let top = self.eaves + self.rise;
        let ring = shape::inset(&self.footprint.outer, -self.overhang).unwrap_or_else(|| self.footprint.outer.clone());
        let height = |p: DVec2| top - (p - wing.center).dot(c).abs() * pitch + EDGE * 0.8;
        for side in [1.0, -1.0] {
            let half = shape::cut(&ring, wing.center, c * side);
            if half.len() < 3 {
                continue;
            }
            for triangle in shape::triangles(&Polygon { outer: half, holes: vec![] }) {
                let corners = triangle.map(|p| {
                    let p = shape::vec(p);
                    let down = (p - wing.center).dot(c).abs() as f32;
                    (
                        p,
                        height(p),
                        Vec2::new(
                            (p - wing.center).dot(wing.along) as f32,
                            -down * (1.0 + pitch * pitch).sqrt() as f32,
                        ),
                    )
                });
                self.surface(out, &corners);
            }
        }
        for i in 0..ring.len() {
            let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
            self.edge(out, (a, height(a)), (b, height(b)), -(b - a).perp());
        }
        WallTop::Planes(vec![(wing.center, c, pitch), (wing.center, -c, pitch)], top)
    }

    /// One slope.
    pub(super) fn skillion(&self, out: &mut Builder) -> WallTop {
        let fall = match self.direction {
            Some(bearing) => dvec2(bearing.sin(), bearing.cos()),
            None => bounding_wing(self.footprint, false).along.perp(),
        };
        let spread = |ring: &[Point]| {
            let s = ring.iter().map(|&p| shape::vec(p).dot(fall));
            (s.clone().fold(f64::INFINITY, f64::min), s.fold(f64::NEG_INFINITY, f64::max))
        };
        let (low, high) = spread(&self.footprint.outer);
        let slope = self.rise / (high - low).max(0.5);
        let top = self.eaves + self.rise;
        let origin = fall * low;
        let height = |p: DVec2| top - (p - origin).dot(fall) * slope + EDGE * 0.8;
        let ring =
            shape::inset(&self.footprint.outer, -self.overhang * 0.6).unwrap_or_else(|| self.footprint.outer.clone());
        for triangle in shape::triangles(&Polygon { outer: ring.clone(), holes: self.footprint.holes.clone() }) {
            let corners = triangle.map(|p| {
                let p = shape::vec(p);
                (p, height(p), Vec2::new(p.dot(fall.perp()) as f32, -p.dot(fall) as f32))
            });
            self.surface(out, &corners);
        }
        for i in 0..ring.len() {
            let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
            self.edge(out, (a, height(a)), (b, height(b)), -(b - a).perp());
        }
        WallTop::Planes(vec![(origin, fall, slope)], top)
    }

    /// Rings that shrink toward the middle, for pyramids and domes. Each step: share of the height, share of the outline.
    pub(super) fn rings(&self, out: &mut Builder, steps: &[(f64, f64)]) -> WallTop {
        let center = shape::centroid(&self.footprint.outer);
        let ring =
            shape::inset(&self.footprint.outer, -self.overhang * 0.5).unwrap_or_else(|| self.footprint.outer.clone());
        let n = ring.len();
        let mut below = (0.0, 1.0);
        for &(height, left) in steps {
            for i in 0..n {
                let at = |i: usize, share: f64| center + (shape::vec(ring[i % n]) - center) * share;
                let (z0, z1) = (self.eaves + self.rise * below.0, self.eaves + self.rise * height);
                let run = shape::vec(ring[i]).distance(shape::vec(ring[(i + 1) % n])) as f32;
                let up = self.rise as f32 * (height as f32);
                let mut corners = vec![
                    (at(i, below.1), z0, Vec2::new(0.0, self.rise as f32 * below.0 as f32)),
                    (at(i + 1, below.1), z0, Vec2::new(run, self.rise as f32 * below.0 as f32)),
                    (at(i + 1, left), z1, Vec2::new(run * 0.5, up)),
                ];
                if left > 0.01 {
                    corners.push((at(i, left), z1, Vec2::new(0.0, up)));
                }
                self.surface(out, &corners);
            }
            below = (height, left);
        }
        WallTop::Level(self.eaves)
    }

    /// A slope on every side of an outline of any shape, up to its straight skeleton.
    pub(super) fn hipped(&self, out: &mut Builder) -> Option<WallTop> {
        let inner = skeleton::shrink(self.footprint, f64::INFINITY)?;
        let pitch = self.rise / inner.depth.max(0.5);
        self.slopes(out, pitch, f64::INFINITY)
    }

    /// Slopes of one pitch up to where they meet or are `run` inside the walls, with a flat top on the rest.
    fn slopes(&self, out: &mut Builder, pitch: f64, run: f64) -> Option<WallTop> {
        let outset = shape::inset(&self.footprint.outer, -self.overhang);
        let overhang = if outset.is_some() { self.overhang } else { 0.0 };
        let outer = outset.unwrap_or_else(|| self.footprint.outer.clone());
        let outline = Polygon { outer, holes: self.footprint.holes.clone() };
        let shrunk = skeleton::shrink(&outline, run + overhang)?;
        let lift = EDGE * 0.8;
        let height = |depth: f64| self.eaves + (depth - overhang) * pitch + lift;
        let slope = (1.0 + pitch * pitch).sqrt();
        for strip in &shrunk.strips {
            let corner =
                |p: DVec2, depth: f64| (p, height(depth), Vec2::new(p.dot(strip.along) as f32, (depth * slope) as f32));
            let mut corners = vec![corner(strip.before[0], strip.depth[0]), corner(strip.before[1], strip.depth[0])];
            corners.push(corner(strip.after[1], strip.depth[1]));
            if strip.after[0].distance(strip.after[1]) > 1e-3 {
                corners.push(corner(strip.after[0], strip.depth[1]));
            }
            if strip.before[0].distance(strip.before[1]) < 1e-3 {
                corners.remove(1);
            }
            self.surface(out, &corners);
        }
        let (holes, outlines): (Vec<_>, Vec<_>) = shrunk.left.into_iter().partition(|r| shape::area(r) < 0.0);
        for outer in outlines {
            let within = |hole: &&Vec<Point>| shape::inside_ring(shape::vec(hole[0]), &outer);
            let holes = holes.iter().filter(within).cloned().collect();
            self.cover(out, &Polygon { outer, holes }, height(shrunk.depth));
        }
        for i in 0..outline.outer.len() {
            let (a, b) = (shape::vec(outline.outer[i]), shape::vec(outline.outer[(i + 1) % outline.outer.len()]));
            self.edge(out, (a, height(0.0)), (b, height(0.0)), -(b - a).perp());
        }
        Some(WallTop::Level(self.eaves + TUCKED))
    }

    /// Slopes around the outline up to a flat top; a flat roof where the skeleton fails.
    pub(super) fn truncated(&self, out: &mut Builder, run: f64) -> WallTop {
        match self.slopes(out, self.rise / run.max(0.5), run) {
            Some(top) => top,
            None => self.flat(out),
        }
    }
}
