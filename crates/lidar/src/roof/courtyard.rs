//! The first cells of an outline: itself, or the pieces around its courtyards.

use std::collections::BTreeMap;

use aerie_math::geometry::{counter_clockwise, distance, signed_area};

use super::mosaic::{Mosaic, cross, edges};

/// Largest number of corners of an outline.
const MOST_CORNERS: usize = 2000;

/// Cells of an outline: one, or where there are holes, as many as needed for each to have none. `None` if the rings cross themselves or
/// each other.
pub(super) fn cells(outer: &[[f64; 2]], holes: &[Vec<[f64; 2]>], direction: [f64; 2]) -> Option<Mosaic> {
    let mut rings = vec![counter_clockwise(without_repeats(outer))];
    for hole in holes {
        let mut ring = counter_clockwise(without_repeats(hole));
        ring.reverse();
        if ring.len() >= 3 && signed_area(&ring) < -0.05 {
            rings.push(ring);
        }
    }
    let corners: Vec<[f64; 2]> = rings.iter().flatten().copied().collect();
    if rings[0].len() < 3 || corners.len() > MOST_CORNERS {
        return None;
    }
    let fixed = corners.len();
    let mut first = 0;
    let mut indices: Vec<Vec<usize>> = Vec::new();
    for ring in &rings {
        indices.push((first..first + ring.len()).collect());
        first += ring.len();
    }
    let borders: Vec<(usize, usize)> = indices.iter().flat_map(|ring| edges(ring)).collect();
    if crossing(&corners, &borders) {
        return None;
    }
    if indices.len() == 1 {
        return Some(Mosaic::new(corners, indices, fixed));
    }
    let mut bridges = Bridges { corners, borders, links: Vec::new() };
    for ring in &indices[1..] {
        for sign in [1.0, -1.0] {
            let along = direction.map(|part| part * sign);
            let position =
                |corner: usize| bridges.corners[corner][0] * along[0] + bridges.corners[corner][1] * along[1];
            let from = ring.iter().copied().max_by(|&a, &b| position(a).total_cmp(&position(b)).then(b.cmp(&a)))?;
            bridges.build(from, along)?;
        }
    }
    let cells = bridges.trace()?;
    Some(Mosaic::new(bridges.corners, cells, fixed))
}

/// The ring without corners that repeat the one before.
fn without_repeats(ring: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(ring.len());
    for &corner in ring {
        if kept.last().is_none_or(|&last| distance(last, corner) > 1e-4) {
            kept.push(corner);
        }
    }
    while kept.len() > 1 && distance(kept[0], kept[kept.len() - 1]) <= 1e-4 {
        kept.pop();
    }
    kept
}

/// Whether any two edges cross that have no common corner.
fn crossing(corners: &[[f64; 2]], borders: &[(usize, usize)]) -> bool {
    borders.iter().enumerate().any(|(at, &(a, b))| {
        borders[at + 1..].iter().any(|&(p, q)| {
            a != p && a != q && b != p && b != q && cross(corners[a], corners[b], corners[p], corners[q])
        })
    })
}

/// Cuts from the holes to other rings.
struct Bridges {
    corners: Vec<[f64; 2]>,
    borders: Vec<(usize, usize)>,
    links: Vec<(usize, usize)>,
}

impl Bridges {
    /// Cuts from a corner in a direction up to the next border.
    fn build(&mut self, from: usize, [dx, dy]: [f64; 2]) -> Option<()> {
        let [x, y] = self.corners[from];
        let mut best: Option<(f64, usize, [f64; 2])> = None;
        for (index, &(a, b)) in self.borders.iter().enumerate() {
            if a == from || b == from {
                continue;
            }
            let [p, q] = [self.corners[a], self.corners[b]].map(|[px, py]| dx * (py - y) - dy * (px - x));
            if (p > 0.0) == (q > 0.0) {
                continue;
            }
            let share = p / (p - q);
            let [ax, ay] = self.corners[a];
            let [bx, by] = self.corners[b];
            let hit = [ax + share * (bx - ax), ay + share * (by - ay)];
            let far = dx * (hit[0] - x) + dy * (hit[1] - y);
            if far > 1e-6 && best.is_none_or(|(least, ..)| far < least) {
                best = Some((far, index, hit));
            }
        }
        let (_, index, hit) = best?;
        let (a, b) = self.borders[index];
        let to = match [a, b].into_iter().find(|&end| distance(self.corners[end], hit) < 0.05) {
            Some(end) => end,
            None => {
                self.corners.push(hit);
                let corner = self.corners.len() - 1;
                self.borders[index] = (a, corner);
                self.borders.push((corner, b));
                corner
            }
        };
        if !self.links.contains(&(from, to)) {
            self.links.extend([(from, to), (to, from)]);
        }
        Some(())
    }

    /// Follows the edges around each cell. `None` if a cell is not a simple ring.
    fn trace(&self) -> Option<Vec<Vec<usize>>> {
        let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(a, b) in self.borders.iter().chain(&self.links) {
            next.entry(a).or_default().push(b);
        }
        let angle = |from: usize, to: usize| {
            let ([x, y], [tx, ty]) = (self.corners[from], self.corners[to]);
            (ty - y).atan2(tx - x)
        };
        let mut left: BTreeMap<(usize, usize), ()> =
            self.borders.iter().chain(&self.links).map(|&edge| (edge, ())).collect();
        let mut cells = Vec::new();
        while let Some((&first, ())) = left.iter().next() {
            let mut ring = Vec::new();
            let mut edge = first;
            while left.remove(&edge).is_some() {
                ring.push(edge.0);
                let (from, at) = edge;
                // The next edge is the first one clockwise from the way back.
                let back = angle(at, from);
                let turn = |to: usize| (back - angle(at, to)).rem_euclid(std::f64::consts::TAU);
                let to = next
                    .get(&at)?
                    .iter()
                    .copied()
                    .filter(|&to| to != from)
                    .min_by(|&a, &b| turn(a).total_cmp(&turn(b)))?;
                edge = (at, to);
            }
            let mut sorted = ring.clone();
            sorted.sort_unstable();
            if edge != first || sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
            cells.push(ring);
        }
        Some(cells)
    }
}
