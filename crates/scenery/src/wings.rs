//! Decomposes a rectilinear footprint into rectangular wings, each with its own roof.

use aerie_geodata::place::Polygon;
use glam::{DVec2, dvec2};

use crate::shape;

/// A wing: a rectangle with a ridge along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wing {
    /// Center of the rectangle.
    pub(crate) center: DVec2,
    /// Unit vector along the ridge.
    pub(crate) along: DVec2,
    /// Half the length along the ridge, meters.
    pub(crate) half_length: f64,
    /// Half the width across the ridge, meters.
    pub(crate) half_width: f64,
    /// Whether the ends (back, front) are free; the others run into another wing's roof.
    pub(crate) free: [bool; 2],
    /// How far the ridge extends into the other wing's roof at each end, meters.
    pub(crate) runs_on: [f64; 2],
}

/// Lines closer than this are merged, meters.
const SNAP: f64 = 0.9;

/// How far an outline may reach beyond its wings, meters: less than the roof's overhang.
const BEYOND: f64 = 0.3;
/// How far a wing may reach beyond the outline, meters.
const SHORT: f64 = 0.9;

impl Wing {
    /// How far a point is beyond its sides and beyond its ends, meters; negative inside.
    pub(crate) fn beyond(&self, p: DVec2) -> [f64; 2] {
        let from = p - self.center;
        [from.dot(self.along.perp()).abs() - self.half_width, from.dot(self.along).abs() - self.half_length]
    }

    fn corners(&self) -> [DVec2; 4] {
        let corner =
            |x: f64, y: f64| self.center + self.along * self.half_length * x + self.along.perp() * self.half_width * y;
        [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
    }
}

/// Whether roofs over wings follow an outline: no wall stands beside or above them, and they do not float beyond the walls.
pub(crate) fn fit(wings: &[Wing], footprint: &Polygon) -> bool {
    let rings = || std::iter::once(&footprint.outer).chain(&footprint.holes);
    let is_under = |p: DVec2| wings.iter().any(|wing| wing.beyond(p).iter().all(|by| *by < BEYOND));
    let is_within =
        |p: DVec2| shape::inside(p, footprint) || rings().any(|ring| shape::distance_to_ring(p, ring) < SHORT);
    let along = |ring: &[[f64; 2]]| -> Vec<DVec2> {
        let edge = |i: usize| (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        (0..ring.len()).map(edge).flat_map(|(a, b)| [a, a.lerp(b, 0.5)]).collect()
    };
    rings().flat_map(|ring| along(ring)).all(is_under) && wings.iter().flat_map(Wing::corners).all(is_within)
}

/// Rectangle in the footprint's own frame.
#[derive(Clone, Copy)]
struct Rect {
    min: DVec2,
    max: DVec2,
}

/// Decomposes a footprint, main wing first; `None` where it is not rectilinear or has too many corners.
pub(crate) fn wings(footprint: &Polygon, across: bool) -> Option<Vec<Wing>> {
    let axis = main_axis(footprint)?;
    let turn = |p: DVec2| dvec2(p.dot(axis), p.dot(axis.perp()));
    let rings: Vec<Vec<DVec2>> = std::iter::once(&footprint.outer)
        .chain(&footprint.holes)
        .map(|ring| ring.iter().map(|&p| turn(shape::vec(p))).collect())
        .collect();
    let lines = |pick: fn(DVec2) -> f64| {
        let mut all: Vec<f64> = rings.iter().flatten().map(|&p| pick(p)).collect();
        all.sort_by(f64::total_cmp);
        let mut groups: Vec<(f64, f64)> = Vec::new();
        for v in all {
            match groups.last_mut() {
                Some((sum, count)) if v - *sum / *count < SNAP => {
                    *sum += v;
                    *count += 1.0;
                }
                _ => groups.push((v, 1.0)),
            }
        }
        groups.into_iter().map(|(sum, count)| sum / count).collect::<Vec<f64>>()
    };
    let (xs, ys) = (lines(|p| p.x), lines(|p| p.y));
    if xs.len() < 2 || ys.len() < 2 || xs.len() > 14 || ys.len() > 14 {
        return None;
    }
    let (columns, rows) = (xs.len() - 1, ys.len() - 1);
    let back = |p: DVec2| axis * p.x + axis.perp() * p.y;
    let filled: Vec<bool> = (0..columns * rows)
        .map(|c| {
            let (i, j) = (c % columns, c / columns);
            let middle = dvec2((xs[i] + xs[i + 1]) * 0.5, (ys[j] + ys[j + 1]) * 0.5);
            shape::inside(back(middle), footprint)
        })
        .collect();
    let cell_area = |c: usize| (xs[c % columns + 1] - xs[c % columns]) * (ys[c / columns + 1] - ys[c / columns]);
    let total: f64 = (0..filled.len()).filter(|&c| filled[c]).map(cell_area).sum();
    let polygon_area =
        shape::area(&footprint.outer).abs() - footprint.holes.iter().map(|h| shape::area(h).abs()).sum::<f64>();
    if (total - polygon_area).abs() > 0.07 * polygon_area + 2.0 {
        return None;
    }
    let mut covered = vec![false; filled.len()];
    let mut out: Vec<Wing> = Vec::new();
    let mut earlier: Vec<Rect> = Vec::new();
    while out.len() < 9 {
        // Find the rectangle of filled cells that adds the most area.
        let mut best: Option<(f64, [usize; 4])> = None;
        for j0 in 0..rows {
            for i0 in 0..columns {
                for j1 in j0..rows {
                    for i1 in i0..columns {
                        let cells = || (j0..=j1).flat_map(|j| (i0..=i1).map(move |i| j * columns + i));
                        if !cells().all(|c| filled[c]) {
                            break;
                        }
                        let gain: f64 = cells().filter(|&c| !covered[c]).map(cell_area).sum();
                        // On a tie, prefer the smaller one, which overlaps less.
                        let size: f64 = cells().map(cell_area).sum();
                        let score = gain - 1e-4 * size;
                        if gain > 0.0 && best.is_none_or(|(s, _)| score > s) {
                            best = Some((score, [i0, i1, j0, j1]));
                        }
                    }
                }
            }
        }
        let Some((gain, [i0, i1, j0, j1])) = best else { break };
        if !out.is_empty() && gain < 5.0 {
            break;
        }
        let fresh: Vec<usize> =
            (j0..=j1).flat_map(|j| (i0..=i1).map(move |i| j * columns + i)).filter(|&c| !covered[c]).collect();
        let range = |pick: &dyn Fn(usize) -> usize| {
            (fresh.iter().map(|&c| pick(c)).min().unwrap_or(0), fresh.iter().map(|&c| pick(c)).max().unwrap_or(0))
        };
        let ((a0, a1), (b0, b1)) = (range(&|c| c % columns), range(&|c| c / columns));
        let rect = Rect { min: dvec2(xs[a0], ys[b0]), max: dvec2(xs[a1 + 1], ys[b1 + 1]) };
        fresh.iter().for_each(|&c| covered[c] = true);
        out.push(wing_of(rect, &earlier, across, axis));
        earlier.push(rect);
    }
    Some(out)
}

fn wing_of(rect: Rect, earlier: &[Rect], across: bool, axis: DVec2) -> Wing {
    let size = rect.max - rect.min;
    // Half the depth of the earlier wing that a side touches.
    let touch = |side: usize| -> Option<f64> {
        earlier.iter().find_map(|e| {
            let (d, o) = (side / 2, 1 - side / 2);
            let overlap = rect.max[o].min(e.max[o]) - rect.min[o].max(e.min[o]);
            let (mine, theirs) = if side.is_multiple_of(2) { (rect.min[d], e.max[d]) } else { (rect.max[d], e.min[d]) };
            let depth = (e.max[d] - e.min[d]) * 0.5;
            ((mine - theirs).abs() < 0.05 && overlap > 0.6 * (rect.max[o] - rect.min[o])).then_some(depth)
        })
    };
    let mut long = usize::from(size.y > size.x);
    if earlier.is_empty() {
        long = if across { 1 - long } else { long };
    } else {
        let touching = (0..4).find(|&s| touch(s).is_some());
        if let Some(side) = touching {
            long = side / 2;
        }
    }
    let runs_on = [touch(2 * long), touch(2 * long + 1)];
    let (center, half) = ((rect.min + rect.max) * 0.5, (rect.max - rect.min) * 0.5);
    let along = if long == 0 { axis } else { axis.perp() };
    Wing {
        center: axis * center.x + axis.perp() * center.y,
        along,
        half_length: half[long],
        half_width: half[1 - long],
        free: runs_on.map(|r| r.is_none()),
        runs_on: runs_on.map(Option::unwrap_or_default),
    }
}

/// The direction that most edges are parallel or perpendicular to; `None` where none dominates.
fn main_axis(footprint: &Polygon) -> Option<DVec2> {
    let ring = &footprint.outer;
    let edges: Vec<DVec2> =
        (0..ring.len()).map(|i| shape::vec(ring[(i + 1) % ring.len()]) - shape::vec(ring[i])).collect();
    // Quadrupling the angles makes all four directions of a rectilinear outline coincide.
    let sum = edges.iter().fold(DVec2::ZERO, |sum, e| sum + DVec2::from_angle(4.0 * e.to_angle()) * e.length());
    let axis = DVec2::from_angle(sum.to_angle() / 4.0);
    let total: f64 = edges.iter().map(|e| e.length()).sum();
    let aligned: f64 = edges
        .iter()
        .filter(|e| {
            let d = e.normalize_or_zero();
            d.dot(axis).abs().max(d.perp_dot(axis).abs()) > 0.975
        })
        .map(|e| e.length())
        .sum();
    (aligned > 0.88 * total).then_some(axis)
}

/// The smallest bounding rectangle aligned with an edge of a footprint, as one wing.
pub(crate) fn bounding_wing(footprint: &Polygon, across: bool) -> Wing {
    let ring: Vec<DVec2> = footprint.outer.iter().map(|&p| shape::vec(p)).collect();
    let mut best: Option<(f64, DVec2, DVec2, DVec2)> = None;
    for i in 0..ring.len() {
        let axis = (ring[(i + 1) % ring.len()] - ring[i]).normalize_or(DVec2::X);
        let turned = ring.iter().map(|p| dvec2(p.dot(axis), p.dot(axis.perp())));
        let (min, max) = turned.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let area = (max - min).x * (max - min).y;
        if best.is_none_or(|(a, ..)| area < a) {
            best = Some((area, axis, min, max));
        }
    }
    let (_, axis, min, max) = best.unwrap_or((0.0, DVec2::X, DVec2::ZERO, DVec2::ONE));
    wing_of(Rect { min, max }, &[], across, axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(points: &[[f64; 2]]) -> Polygon {
        Polygon { outer: points.to_vec(), holes: vec![] }
    }

    #[test]
    fn a_rectangle_is_one_wing_along_its_longer_side() {
        let wings = wings(&polygon(&[[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]]), false).unwrap_or_default();
        assert_eq!(wings.len(), 1);
        assert!((wings[0].half_length - 6.0).abs() < 1e-9 && (wings[0].half_width - 4.0).abs() < 1e-9);
        assert_eq!(wings[0].free, [true, true]);
    }

    #[test]
    fn an_l_shape_is_a_main_wing_and_one_that_runs_into_it() {
        let l = polygon(&[[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [8.0, 8.0], [8.0, 18.0], [0.0, 18.0]]);
        let wings = wings(&l, false).unwrap_or_default();
        assert_eq!(wings.len(), 2);
        assert_eq!(wings[1].free.iter().filter(|f| **f).count(), 1);
    }

    #[test]
    fn a_triangle_has_no_wings() {
        assert!(wings(&polygon(&[[0.0, 0.0], [12.0, 0.0], [5.0, 9.0]]), false).is_none());
    }
}
