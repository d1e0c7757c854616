//! Edges of a measured roof, cut into pieces by what lies beside them.

use std::collections::BTreeSet;

use aerie_geodata::place::{Point, Polygon};
use glam::{DVec2, DVec3};

use super::face::Face;
use crate::shape;

/// Distance up to which edges count as one, meters.
const TOLERANCE: f64 = 0.05;
/// Distance up to which an edge of the roof lies on the outline, meters.
const FLUSH: f64 = 0.15;
/// Distance up to which another building adjoins a wall, meters.
const PARTY: f64 = 0.3;
/// How far walls between faces reach below the lower one, meters.
pub(super) const TUCKED: f64 = 0.3;

/// A piece of an edge, with its face to the left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Number of the face.
    pub(super) face: usize,
    pub(super) from: DVec3,
    pub(super) to: DVec3,
    pub(super) below: Below,
}

/// What is below an edge, outside its face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Below {
    /// Another face: its heights at both ends.
    Roof([f64; 2]),
    /// The ground, or the outline of another building.
    Ground { is_party: bool },
    /// The ground, but the wall stands farther in.
    Overhang,
}

/// Cuts the edges of all faces; leaves out those where two faces meet exactly.
pub(super) fn pieces(faces: &[Face], footprint: &Polygon, neighbors: &[&Polygon]) -> Vec<Piece> {
    let key = |(a, b): (DVec3, DVec3)| [a, b].map(|p| p.to_array().map(f64::to_bits));
    let known: BTreeSet<_> = faces.iter().flat_map(Face::edges).map(key).collect();
    let follows = follows(faces, footprint);
    let rings = || std::iter::once(&footprint.outer).chain(&footprint.holes);
    let mut out = Vec::new();
    for (index, face) in faces.iter().enumerate() {
        for (a, b) in face.edges().filter(|&(a, b)| !known.contains(&key((b, a)))) {
            let (low, high) = (a.min(b).truncate() - PARTY, a.max(b).truncate() + PARTY);
            let meets =
                |other: &&Face| other.low.truncate().cmple(high).all() && other.high.truncate().cmpge(low).all();
            let others: Vec<&Face> =
                faces.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, face)| face).filter(meets).collect();
            let line = [a.truncate(), b.truncate()];
            let length = line[0].distance(line[1]);
            if length < 1e-6 {
                continue;
            }
            let mut cuts = vec![0.0, 1.0];
            for other in &others {
                cut(line, other.ring(), TOLERANCE, &mut cuts);
            }
            for ring in rings().filter(|_| follows) {
                cut(line, ring, TOLERANCE, &mut cuts);
            }
            for neighbor in neighbors {
                cut(line, &neighbor.outer, PARTY, &mut cuts);
            }
            cuts.sort_by(f64::total_cmp);
            cuts.dedup_by(|a, b| (*a - *b) * length < 1e-3);
            if let Some(last) = cuts.last_mut() {
                *last = 1.0;
            }
            for pair in cuts.windows(2) {
                let (from, to) = (a.lerp(b, pair[0]), a.lerp(b, pair[1]));
                let from = if pair[0] == 0.0 { a } else { from };
                let to = if pair[1] == 1.0 { b } else { to };
                let below = below(from, to, &others, footprint, follows, neighbors);
                out.push(Piece { face: index, from, to, below });
            }
        }
    }
    out
}

/// Appends where the edges of a ring cross a line or their ends touch it, as shares of the line.
pub(super) fn cut([a, b]: [DVec2; 2], ring: &[Point], tolerance: f64, cuts: &mut Vec<f64>) {
    let (low, high) = (a.min(b) - tolerance, a.max(b) + tolerance);
    let along = (b - a) / a.distance_squared(b);
    for i in 0..ring.len() {
        let (c, d) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        if c.max(d).cmplt(low).any() || c.min(d).cmpgt(high).any() {
            continue;
        }
        if shape::distance_to_segment(c, a, b) < tolerance {
            cuts.push((c - a).dot(along).clamp(0.0, 1.0));
        }
        if let Some(crossing) = shape::intersection(a, b, c, d) {
            cuts.push((crossing - a).dot(along).clamp(0.0, 1.0));
        }
    }
}

/// Whether an outline is that of the roof, so that parts of the roof outside it are overhangs.
fn follows(faces: &[Face], footprint: &Polygon) -> bool {
    let is_near = |p: &DVec3| {
        let p = p.truncate();
        shape::inside(p, footprint) || shape::distance_to_ring(p, &footprint.outer) < 1.5
    };
    let corners = || faces.iter().flat_map(|face| &face.corners);
    let near = corners().filter(|corner| is_near(corner)).count();
    near * 5 >= corners().count() * 4
}

fn below(
    from: DVec3,
    to: DVec3,
    others: &[&Face],
    footprint: &Polygon,
    follows: bool,
    neighbors: &[&Polygon],
) -> Below {
    let middle = (from + to).truncate() * 0.5;
    let outwards = -(to - from).truncate().normalize_or_zero().perp();
    let outside = middle + outwards * TOLERANCE;
    let heights = |face: &Face| [from, to].map(|end| face.height(end.truncate()));
    let beside = || others.iter().filter(|face| face.covers(outside)).map(|face| heights(face));
    let is_lower = |z: &[f64; 2]| z[0] < from.z + TOLERANCE || z[1] < to.z + TOLERANCE;
    let lower = beside().filter(is_lower).max_by(|a, b| (a[0] + a[1]).total_cmp(&(b[0] + b[1])));
    if let Some(z) = lower {
        return Below::Roof(z);
    }
    if beside().next().is_some() {
        return Below::Roof([from.z, to.z]);
    }
    let distance = || {
        let rings = std::iter::once(&footprint.outer).chain(&footprint.holes);
        rings.map(|ring| shape::distance_to_ring(middle, ring)).fold(f64::INFINITY, f64::min)
    };
    if follows && !shape::inside(middle, footprint) && distance() > FLUSH {
        return Below::Overhang;
    }
    let adjoins = |polygon: &&Polygon| shape::inside(middle + outwards * PARTY, polygon);
    Below::Ground { is_party: neighbors.iter().any(adjoins) }
}
