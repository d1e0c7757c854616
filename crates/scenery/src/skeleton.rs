//! Straight skeletons: an outline whose edges all move inward at one speed, and the strips that they sweep.
//!
//! Aichholzer, Aurenhammer, Alberts and Gärtner, "A novel type of skeleton for polygons" (1995), as a simulation: advance to
//! the next event (an edge vanishes, or a reflex corner meets an edge), update the loops, repeat. Every pair is tested, as
//! footprints have a dozen corners or so.

use aerie_geodata::place::{Polygon, Ring};
use glam::{DVec2, dvec2};

use crate::shape;

/// Maximum number of corners, holes included.
const MAX_CORNERS: usize = 64;
/// Distance below which corners coincide, meters.
const EPSILON: f64 = 1e-5;

/// The trapezoid or triangle that an edge sweeps between two events.
pub(crate) struct Strip {
    /// Direction of the edge.
    pub(crate) along: DVec2,
    /// Its ends before and after.
    pub(crate) before: [DVec2; 2],
    pub(crate) after: [DVec2; 2],
    /// How far the edge has moved in, before and after, meters.
    pub(crate) depth: [f64; 2],
}

/// An outline moved inward.
pub(crate) struct Shrunk {
    pub(crate) strips: Vec<Strip>,
    /// Remaining rings: outlines counter-clockwise, holes clockwise.
    pub(crate) left: Vec<Ring>,
    /// How far the edges moved: less than requested where nothing remained earlier.
    pub(crate) depth: f64,
}

#[derive(Clone, Copy)]
struct Corner {
    at: DVec2,
    /// The edge that starts here.
    edge: usize,
    speed: DVec2,
}

enum Event {
    Vanishing,
    /// A corner (loop and index) meets the edge that starts at another one.
    Meeting((usize, usize), (usize, usize)),
}

/// Moves all edges inward by up to `until` meters. `None` where the outline has too many corners or the result fails its area
/// check.
pub(crate) fn shrink(polygon: &Polygon, until: f64) -> Option<Shrunk> {
    let mut edges = Vec::new();
    let mut loops: Vec<Vec<Corner>> = Vec::new();
    for ring in std::iter::once(&polygon.outer).chain(&polygon.holes) {
        let mut corners = Vec::new();
        for i in 0..ring.len() {
            let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
            let Some(along) = (b - a).try_normalize() else { continue };
            corners.push(Corner { at: a, edge: edges.len(), speed: DVec2::ZERO });
            edges.push(along);
        }
        loops.push(corners);
    }
    if edges.len() > MAX_CORNERS {
        return None;
    }
    let wanted = shape::area(&polygon.outer).abs() - polygon.holes.iter().map(|h| shape::area(h).abs()).sum::<f64>();
    let mut front = Front { edges, loops, strips: Vec::new(), depth: 0.0 };
    for _ in 0..6 * MAX_CORNERS {
        front.tidy();
        if front.loops.is_empty() || until - front.depth < EPSILON {
            break;
        }
        front.set_speeds()?;
        let (step, event) = front.next(until - front.depth);
        front.advance(step);
        if let Some(Event::Meeting(corner, edge)) = event {
            front.split(corner, edge);
        }
    }
    if until - front.depth >= EPSILON && !front.loops.is_empty() {
        return None;
    }
    let left: Vec<Ring> = front.loops.iter().map(|corners| corners.iter().map(|c| c.at.to_array()).collect()).collect();
    let swept: f64 =
        front.strips.iter().map(Strip::area).sum::<f64>() + left.iter().map(|r| shape::area(r)).sum::<f64>();
    let sound = front.strips.iter().all(|s| s.area() > -0.02);
    (sound && (swept - wanted).abs() < 0.01 * wanted + 0.02).then_some(Shrunk {
        strips: front.strips,
        left,
        depth: front.depth,
    })
}

impl Strip {
    fn area(&self) -> f64 {
        let ring = [self.before[0], self.before[1], self.after[1], self.after[0]].map(|p| p.to_array());
        shape::area(&ring)
    }
}

/// The moving edges.
struct Front {
    edges: Vec<DVec2>,
    loops: Vec<Vec<Corner>>,
    strips: Vec<Strip>,
    depth: f64,
}

impl Front {
    /// Removes vanished edges, spikes and empty loops.
    fn tidy(&mut self) {
        let edges = &self.edges;
        for corners in &mut self.loops {
            loop {
                let n = corners.len();
                if n < 3 {
                    break;
                }
                // Remove a vanished edge with its first corner: the previous edge extends to its second.
                if let Some(i) = (0..n).find(|&i| corners[i].at.distance(corners[(i + 1) % n].at) < EPSILON) {
                    corners.remove(i);
                    continue;
                }
                let turns_back =
                    |i: usize| edges[corners[(i + n - 1) % n].edge].dot(edges[corners[i].edge]) < -1.0 + 1e-9;
                let Some(i) = (0..n).find(|&i| turns_back(i)) else { break };
                let (before, after) = ((i + n - 1) % n, (i + 1) % n);
                let lengths = [before, after].map(|k| corners[k].at.distance(corners[i].at));
                if lengths[0] < lengths[1] {
                    corners[before].edge = corners[i].edge;
                }
                corners.remove(i);
            }
        }
        self.loops.retain(|corners| {
            let ring: Ring = corners.iter().map(|c| c.at.to_array()).collect();
            ring.len() >= 3 && shape::area(&ring).abs() > 1e-4
        });
    }

    /// Sets the velocity of each corner, such that both its edges move at unit speed.
    fn set_speeds(&mut self) -> Option<()> {
        for corners in &mut self.loops {
            let n = corners.len();
            let inwards: Vec<DVec2> = corners.iter().map(|c| self.edges[c.edge].perp()).collect();
            for i in 0..n {
                let (a, b) = (inwards[(i + n - 1) % n], inwards[i]);
                let determinant = a.perp_dot(b);
                corners[i].speed = if determinant.abs() > 1e-7 {
                    dvec2(b.y - a.y, a.x - b.x) / determinant
                } else if a.dot(b) > 0.0 {
                    a
                } else {
                    return None;
                };
            }
        }
        Some(())
    }

    /// The next event, and the distance to it, at most `most`.
    fn next(&self, most: f64) -> (f64, Option<Event>) {
        let (mut least, mut event) = (most, None);
        for corners in &self.loops {
            let n = corners.len();
            for i in 0..n {
                let (a, b) = (corners[i], corners[(i + 1) % n]);
                let along = self.edges[a.edge];
                let shrinking = -(b.speed - a.speed).dot(along);
                if shrinking > 1e-9 {
                    let time = ((b.at - a.at).dot(along) / shrinking).max(0.0);
                    if time < least {
                        (least, event) = (time, Some(Event::Vanishing));
                    }
                }
            }
        }
        for (l, corners) in self.loops.iter().enumerate() {
            let n = corners.len();
            for i in 0..n {
                let before = (i + n - 1) % n;
                if self.edges[corners[before].edge].perp_dot(self.edges[corners[i].edge]) > -1e-7 {
                    continue;
                }
                for (m, others) in self.loops.iter().enumerate() {
                    for j in 0..others.len() {
                        if (l, i) == (m, j) || (l, before) == (m, j) {
                            continue;
                        }
                        if let Some(time) = self.meets(corners[i], others[j], others[(j + 1) % others.len()])
                            && time < least - 1e-9
                        {
                            (least, event) = (time, Some(Event::Meeting((l, i), (m, j))));
                        }
                    }
                }
            }
        }
        (least, event)
    }

    /// Distance after which a corner meets the edge from `a` to `b`, if it does.
    fn meets(&self, corner: Corner, a: Corner, b: Corner) -> Option<f64> {
        let along = self.edges[a.edge];
        let inwards = along.perp();
        let ahead = inwards.dot(corner.at - a.at);
        let closing = 1.0 - inwards.dot(corner.speed);
        if closing < 1e-9 || ahead < -1e-7 {
            return None;
        }
        let time = ahead.max(0.0) / closing;
        let there = (corner.at + corner.speed * time).dot(along);
        let (from, to) = ((a.at + a.speed * time).dot(along), (b.at + b.speed * time).dot(along));
        (there > from + EPSILON && there < to - EPSILON).then_some(time)
    }

    fn advance(&mut self, step: f64) {
        for corners in &mut self.loops {
            let n = corners.len();
            let after = |c: &Corner| c.at + c.speed * step;
            for i in 0..n {
                let (a, b) = (&corners[i], &corners[(i + 1) % n]);
                if step > 1e-7 {
                    self.strips.push(Strip {
                        along: self.edges[a.edge],
                        before: [a.at, b.at],
                        after: [after(a), after(b)],
                        depth: [self.depth, self.depth + step],
                    });
                }
            }
            for corner in corners {
                corner.at = after(corner);
            }
        }
        self.depth += step;
    }

    /// Reconnects the loops where a corner met an edge: one becomes two, or two become one.
    fn split(&mut self, (l, i): (usize, usize), (m, j): (usize, usize)) {
        let corner = self.loops[l][i];
        let edge = self.loops[m][j].edge;
        let turned = |corners: &[Corner], from: usize, to: usize| -> Vec<Corner> {
            let n = corners.len();
            let count = (to + n - from) % n + 1;
            (0..count).map(|k| corners[(from + k) % n]).collect()
        };
        let onto_edge = Corner { edge, ..corner };
        if l == m {
            let corners = self.loops.swap_remove(l);
            let n = corners.len();
            let mut one = vec![corner];
            one.extend(turned(&corners, (i + 1) % n, j));
            let mut other = vec![onto_edge];
            other.extend(turned(&corners, (j + 1) % n, (i + n - 1) % n));
            self.loops.extend([one, other]);
        } else {
            let (own, met) = (self.loops[l].clone(), self.loops[m].clone());
            let mut joined = vec![corner];
            joined.extend(turned(&own, (i + 1) % own.len(), (i + own.len() - 1) % own.len()));
            joined.push(onto_edge);
            joined.extend(turned(&met, (j + 1) % met.len(), j));
            self.loops[l] = joined;
            self.loops.remove(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_math::Rng;

    fn polygon(points: &[[f64; 2]]) -> Polygon {
        Polygon { outer: points.to_vec(), holes: vec![] }
    }

    #[test]
    fn a_rectangle_shrinks_to_its_ridge() {
        let shrunk = shrink(&polygon(&[[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]]), f64::INFINITY).unwrap();
        assert!((shrunk.depth - 4.0).abs() < 1e-6 && shrunk.left.is_empty());
        assert_eq!(shrunk.strips.len(), 4);
    }

    #[test]
    fn an_l_a_u_and_a_cross_shrink_to_half_their_width_and_their_strips_cover_them() {
        let l = [[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [8.0, 8.0], [8.0, 18.0], [0.0, 18.0]];
        let u =
            [[0.0, 0.0], [30.0, 0.0], [30.0, 20.0], [22.0, 20.0], [22.0, 8.0], [9.0, 8.0], [9.0, 20.0], [0.0, 20.0]];
        let t =
            [[0.0, 0.0], [30.0, 0.0], [30.0, 8.0], [18.0, 8.0], [18.0, 20.0], [11.0, 20.0], [11.0, 8.0], [0.0, 8.0]];
        for (outline, least) in [(&l[..], 4.0), (&u[..], 4.0), (&t[..], 4.0)] {
            let shrunk = shrink(&polygon(outline), f64::INFINITY).expect("it shrinks");
            assert!(shrunk.left.is_empty() && shrunk.depth >= least - 1e-6, "{}", shrunk.depth);
        }
    }

    #[test]
    fn a_courtyard_stays_open_and_its_roof_slopes_to_both_sides() {
        let court = Polygon {
            outer: vec![[0.0, 0.0], [40.0, 0.0], [40.0, 30.0], [0.0, 30.0]],
            holes: vec![vec![[12.0, 10.0], [12.0, 20.0], [28.0, 20.0], [28.0, 10.0]]],
        };
        let shrunk = shrink(&court, f64::INFINITY).expect("it shrinks");
        assert!((shrunk.depth - 6.0).abs() < 1e-6, "{}", shrunk.depth);
    }

    #[test]
    fn nearly_every_oblique_outline_shrinks() {
        let mut rng = Rng::new(7);
        let mut failed = 0;
        for _ in 0..400 {
            let n = 3 + (rng.next_u64() % 14) as usize;
            let outline: Vec<[f64; 2]> = (0..n)
                .map(|i| {
                    let angle = (i as f64 + 0.3 * f64::from(rng.unit_f32())) * std::f64::consts::TAU / n as f64;
                    (DVec2::from_angle(angle) * f64::from(rng.range_f32(5.0, 16.0))).to_array()
                })
                .collect();
            // `shrink` checks that its result covers the outline.
            failed += usize::from(shrink(&polygon(&outline), f64::INFINITY).is_none());
        }
        assert!(failed <= 8, "{failed} of 400");
    }
}
