//! A partition of an outline into cells that share corners, and its cuts along lines.

use std::collections::BTreeMap;

use aerie_math::geometry::{distance, ring_contains, signed_area};

use super::plane::Line;

/// Corners this near to a line lie on it, meters.
const SNAP: f64 = 0.04;
/// A line that crosses an edge this near to one of its ends passes through that end, meters.
const SNAP_ALONG: f64 = 0.08;

/// Cells that cover an outline without gaps or overlaps. Each cell is a simple ring, counter-clockwise, of indices into `corners`; where
/// the corner of one cell touches the edge of another, both have that corner.
#[derive(Debug, Clone)]
pub(super) struct Mosaic {
    /// Corners; those of the outline come first.
    pub(super) corners: Vec<[f64; 2]>,
    /// Rings of the cells.
    pub(super) cells: Vec<Vec<usize>>,
    /// Number of corners of the outline.
    pub(super) fixed: usize,
    owners: BTreeMap<(usize, usize), usize>,
}

impl Mosaic {
    /// Cells with the given rings.
    pub(super) fn new(corners: Vec<[f64; 2]>, cells: Vec<Vec<usize>>, fixed: usize) -> Self {
        let mut mosaic = Mosaic { corners, cells, fixed, owners: BTreeMap::new() };
        mosaic.index();
        mosaic
    }

    /// Finds the owner of each edge anew.
    fn index(&mut self) {
        self.owners.clear();
        for cell in 0..self.cells.len() {
            self.own(cell);
        }
    }

    fn own(&mut self, cell: usize) {
        for edge in edges(&self.cells[cell]) {
            self.owners.insert(edge, cell);
        }
    }

    /// Positions of a cell's corners.
    pub(super) fn ring(&self, cell: usize) -> Vec<[f64; 2]> {
        self.cells[cell].iter().map(|&corner| self.corners[corner]).collect()
    }

    /// Area of a cell.
    pub(super) fn area(&self, cell: usize) -> f64 {
        signed_area(&self.ring(cell))
    }

    /// Cell on the left of an edge.
    pub(super) fn owner(&self, from: usize, to: usize) -> Option<usize> {
        self.owners.get(&(from, to)).copied()
    }

    /// Length of the border between each two cells that meet.
    pub(super) fn borders(&self) -> BTreeMap<(usize, usize), f64> {
        let mut borders = BTreeMap::new();
        for (&(a, b), &cell) in &self.owners {
            if let Some(other) = self.owner(b, a).filter(|&other| cell < other) {
                *borders.entry((cell, other)).or_default() += distance(self.corners[a], self.corners[b]);
            }
        }
        borders
    }

    /// Cuts a cell along a line, wherever both pieces have at least some area and width. Returns the new pieces; the cell itself keeps
    /// one.
    pub(super) fn split(&mut self, cell: usize, line: Line) -> Vec<usize> {
        let ring = self.cells[cell].clone();
        let sides: Vec<f64> = ring.iter().map(|&corner| line.side(self.corners[corner])).collect();
        let mut on: Vec<bool> = sides.iter().map(|side| side.abs() < SNAP).collect();
        let crossing = |at: usize| {
            let next = (at + 1) % ring.len();
            let share = sides[at] / (sides[at] - sides[next]);
            let ([ax, ay], [bx, by]) = (self.corners[ring[at]], self.corners[ring[next]]);
            (next, [ax + share * (bx - ax), ay + share * (by - ay)])
        };
        let crosses = |on: &[bool], at: usize| {
            let next = (at + 1) % ring.len();
            !on[at] && !on[next] && (sides[at] > 0.0) != (sides[next] > 0.0)
        };
        for at in 0..ring.len() {
            if crosses(&on, at) {
                let (next, point) = crossing(at);
                if distance(point, self.corners[ring[at]]) < SNAP_ALONG {
                    on[at] = true;
                } else if distance(point, self.corners[ring[next]]) < SNAP_ALONG {
                    on[next] = true;
                }
            }
        }
        let cuts: Vec<(usize, usize, [f64; 2])> = (0..ring.len())
            .filter(|&at| crosses(&on, at))
            .map(|at| {
                let (next, point) = crossing(at);
                (ring[at], ring[next], point)
            })
            .collect();
        let mut touched: Vec<usize> = ring.iter().zip(&on).filter(|(_, on)| **on).map(|(&corner, _)| corner).collect();
        if touched.len() + cuts.len() < 2 {
            return Vec::new();
        }
        for (from, to, point) in cuts {
            touched.push(self.insert(from, to, point));
        }
        touched.sort_by(|&a, &b| line.along(self.corners[a]).total_cmp(&line.along(self.corners[b])).then(a.cmp(&b)));
        let mut pieces = vec![cell];
        for pair in touched.windows(2) {
            if let Some(piece) = pieces.iter().find_map(|&piece| self.chord(piece, pair[0], pair[1])) {
                pieces.push(piece);
            }
        }
        pieces.split_off(1)
    }

    /// Adds a corner to an edge, in the cells on both sides.
    fn insert(&mut self, from: usize, to: usize, point: [f64; 2]) -> usize {
        let corner = self.corners.len();
        self.corners.push(point);
        for (a, b) in [(from, to), (to, from)] {
            if let Some(cell) = self.owners.remove(&(a, b)) {
                let at = self.cells[cell].iter().position(|&corner| corner == a).map_or(0, |at| at + 1);
                self.cells[cell].insert(at, corner);
                self.owners.insert((a, corner), cell);
                self.owners.insert((corner, b), cell);
            }
        }
        corner
    }

    /// Cuts a cell from corner to corner. `None` where this leaves the cell or leaves too little on a side.
    fn chord(&mut self, cell: usize, from: usize, to: usize) -> Option<usize> {
        let ring = &self.cells[cell];
        let a = ring.iter().position(|&corner| corner == from)?;
        let b = ring.iter().position(|&corner| corner == to)?;
        let (a, b) = (a.min(b), a.max(b));
        if b - a < 2 || b - a + 2 > ring.len() {
            return None;
        }
        let (start, end) = (self.corners[ring[a]], self.corners[ring[b]]);
        let middle = [(start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0];
        let positions = self.ring(cell);
        let free = edges(ring).all(|(p, q)| {
            [p, q].iter().any(|corner| *corner == from || *corner == to)
                || !cross(start, end, self.corners[p], self.corners[q])
        });
        if !free || !ring_contains(&positions, middle) {
            return None;
        }
        let first = ring[a..=b].to_vec();
        let second: Vec<usize> = ring[b..].iter().chain(&ring[..=a]).copied().collect();
        let least = (0.1 * distance(start, end)).max(0.04);
        let area = |ring: &[usize]| signed_area(&ring.iter().map(|&corner| self.corners[corner]).collect::<Vec<_>>());
        if area(&first) < least || area(&second) < least {
            return None;
        }
        self.cells[cell] = first;
        self.cells.push(second);
        let piece = self.cells.len() - 1;
        self.own(cell);
        self.own(piece);
        Some(piece)
    }

    /// Unites two cells if what results is a simple ring. The second cell becomes empty.
    pub(super) fn unite(&mut self, cell: usize, other: usize) -> bool {
        let ring = &self.cells[cell];
        let n = ring.len();
        let shared: Vec<bool> = edges(ring).map(|(a, b)| self.owner(b, a) == Some(other)).collect();
        let starts: Vec<usize> = (0..n).filter(|&at| shared[at] && !shared[(at + n - 1) % n]).collect();
        let [start] = starts[..] else { return false };
        let length = (0..n).take_while(|step| shared[(start + step) % n]).count();
        let end = start + length;
        let kept: Vec<usize> = (end..=start + n).map(|at| ring[at % n]).collect();
        let theirs = &self.cells[other];
        let m = theirs.len();
        let Some(at) = theirs.iter().position(|&corner| corner == ring[start]) else { return false };
        // Their ring runs from our start of the shared border around to its end.
        let added: Vec<usize> = (1..m.saturating_sub(length)).map(|step| theirs[(at + step) % m]).collect();
        if added.iter().any(|corner| kept.contains(corner)) || theirs[(at + m - length) % m] != ring[end % n] {
            return false;
        }
        for edge in edges(&self.cells[cell]).chain(edges(&self.cells[other])).collect::<Vec<_>>() {
            self.owners.remove(&edge);
        }
        self.cells[cell] = kept.into_iter().chain(added).collect();
        self.cells[other] = Vec::new();
        self.own(cell);
        true
    }

    /// Removes a corner from the cells that have it.
    pub(super) fn remove(&mut self, corner: usize, cells: &[usize]) {
        for &cell in cells {
            let ring: Vec<usize> = self.cells[cell].iter().copied().filter(|&other| other != corner).collect();
            self.exchange(cell, ring);
        }
    }

    /// Gives a cell another ring.
    fn exchange(&mut self, cell: usize, ring: Vec<usize>) {
        for edge in edges(&self.cells[cell]).collect::<Vec<_>>() {
            if self.owners.get(&edge) == Some(&cell) {
                self.owners.remove(&edge);
            }
        }
        self.cells[cell] = ring;
        self.own(cell);
    }

    /// Unites a corner with one that it shares an edge with, if all cells stay simple rings.
    pub(super) fn replace(&mut self, corner: usize, to: usize) -> bool {
        let cells: Vec<usize> = (0..self.cells.len()).filter(|&cell| self.cells[cell].contains(&corner)).collect();
        let mut rings = Vec::new();
        for &cell in &cells {
            let ring = &self.cells[cell];
            let shared = edges(ring).any(|(a, b)| (a, b) == (corner, to) || (b, a) == (corner, to));
            if ring.contains(&to) != shared || (shared && ring.len() < 4) {
                return false;
            }
            let moved: Vec<usize> = if shared {
                ring.iter().copied().filter(|&other| other != corner).collect()
            } else {
                ring.iter().map(|&other| if other == corner { to } else { other }).collect()
            };
            rings.push(moved);
        }
        if !cells.iter().zip(&rings).all(|(_, ring)| self.simple(ring)) {
            return false;
        }
        // Two cells that would share an edge in the same direction would overlap.
        let mut all: Vec<(usize, usize)> = rings.iter().flat_map(|ring| edges(ring)).collect();
        all.sort_unstable();
        if all.windows(2).any(|pair| pair[0] == pair[1])
            || all.iter().any(|edge| self.owners.get(edge).is_some_and(|owner| !cells.contains(owner)))
        {
            return false;
        }
        for (cell, ring) in cells.into_iter().zip(rings) {
            self.exchange(cell, ring);
        }
        true
    }

    /// Whether a ring is counter-clockwise and does not cross itself.
    fn simple(&self, ring: &[usize]) -> bool {
        let all: Vec<(usize, usize)> = edges(ring).collect();
        let place = |corner: usize| self.corners[corner];
        let clear = all.iter().enumerate().all(|(at, &(a, b))| {
            all[at + 1..]
                .iter()
                .all(|&(p, q)| p == a || p == b || q == a || q == b || !cross(place(a), place(b), place(p), place(q)))
        });
        clear && signed_area(&ring.iter().map(|&corner| place(corner)).collect::<Vec<_>>()) > 0.01
    }

    /// Whether the edges of a cell at one of its corners cross no other edge of the cell, were the corner at `position`, and the cell is
    /// still counter-clockwise.
    pub(super) fn fits(&self, cell: usize, corner: usize, position: [f64; 2]) -> bool {
        let ring = &self.cells[cell];
        let place = |other: usize| if other == corner { position } else { self.corners[other] };
        let all: Vec<(usize, usize)> = edges(ring).collect();
        let clear = all.iter().filter(|(a, b)| *a == corner || *b == corner).all(|&(a, b)| {
            all.iter()
                .all(|&(p, q)| p == a || p == b || q == a || q == b || !cross(place(a), place(b), place(p), place(q)))
        });
        clear && signed_area(&ring.iter().map(|&corner| place(corner)).collect::<Vec<_>>()) > 0.01
    }
}

/// Directed edges of a ring of indices.
pub(super) fn edges(ring: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| (*a, *b))
}

/// Whether two segments touch or cross.
pub(super) fn cross(a: [f64; 2], b: [f64; 2], p: [f64; 2], q: [f64; 2]) -> bool {
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    turn(a, b, p) * turn(a, b, q) <= 0.0 && turn(p, q, a) * turn(p, q, b) <= 0.0 && {
        let overlap =
            |axis: usize| a[axis].min(b[axis]) <= p[axis].max(q[axis]) && p[axis].min(q[axis]) <= a[axis].max(b[axis]);
        overlap(0) && overlap(1)
    }
}
