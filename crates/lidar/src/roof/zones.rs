//! Chooses the plane of each cell, and unites cells of the same plane.

use std::collections::BTreeMap;

use super::mosaic::Mosaic;
use super::plane::{Line, Plane};
use super::segments::NONE;
use super::subdivide::{Site, distribute};

/// Cost of a border between two planes, square meters of wrong roof per meter.
pub(super) const BORDER: f64 = 0.22;
/// Difference in height at which a site counts as entirely wrong, meters.
pub(super) const WRONG: f64 = 0.3;
/// How far a face may reach above or below the points of its plane, meters.
pub(super) const BEYOND: f64 = 0.45;

/// Cells, the plane of each, and what speaks for it.
pub(super) struct Zones {
    /// The cells.
    pub(super) mosaic: Mosaic,
    /// Index of the plane of each cell.
    pub(super) labels: Vec<usize>,
    /// The planes.
    pub(super) planes: Vec<Plane>,
    /// Heights of the lowest and highest point of each plane.
    pub(super) ranges: Vec<[f64; 2]>,
    /// Sites of each cell.
    pub(super) sites: Vec<Vec<Site>>,
    /// Area of a site.
    pub(super) unit: f64,
}

impl Zones {
    /// Chooses planes and unites cells until nothing changes.
    pub(super) fn settle(&mut self) {
        for cell in 0..self.labels.len() {
            let own = self.present(cell).into_iter().map(|label| (label, self.cost(cell, label)));
            if let Some((label, _)) = own.min_by(|a, b| a.1.total_cmp(&b.1)) {
                self.labels[cell] = label;
            }
        }
        self.relabel();
        self.unite();
        for _ in 0..6 {
            let changed = self.relabel();
            self.unite();
            if !changed {
                break;
            }
        }
        for _ in 0..2 {
            self.limit();
            self.relabel();
            self.unite();
        }
        self.limit();
        self.unite();
    }

    /// Planes at the sites of a cell.
    fn present(&self, cell: usize) -> Vec<usize> {
        let mut labels: Vec<usize> =
            self.sites[cell].iter().filter(|site| site.label != NONE).map(|site| usize::from(site.label)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Area of a cell on which a plane would be wrong.
    fn cost(&self, cell: usize, label: usize) -> f64 {
        let plane = self.planes[label];
        let [low, high] = self.ranges[label];
        let mut wrong = 0.0;
        for site in &self.sites[cell] {
            let z = plane.at(site.at);
            if (z - high).max(low - z) > BEYOND {
                wrong += 2.0;
            } else if site.label != NONE && usize::from(site.label) != label {
                wrong += ((z - self.planes[usize::from(site.label)].at(site.at)).abs() / WRONG).min(1.0);
            }
        }
        // A corner that reaches too far is cut off later, which costs a border.
        if self.beyond(cell, label) > 0.0 {
            wrong += 0.2 / self.unit;
        }
        wrong * self.unit
    }

    /// How far a cell would reach beyond the heights of the points of a plane.
    fn beyond(&self, cell: usize, label: usize) -> f64 {
        let [low, high] = self.ranges[label];
        let heights = self.mosaic.cells[cell].iter().map(|&corner| self.planes[label].at(self.mosaic.corners[corner]));
        heights.fold(0.0, |most, z| f64::max(most, (z - high).max(low - z) - BEYOND))
    }

    /// Changes planes of single cells while that lowers the cost of wrong area and borders together.
    fn relabel(&mut self) -> bool {
        let mut near: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.labels.len()];
        for ((a, b), length) in self.mosaic.borders() {
            near[a].push((b, length));
            near[b].push((a, length));
        }
        let mut known: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let mut changed = false;
        for _ in 0..10 {
            let mut moved = false;
            for (cell, near) in near.iter().enumerate() {
                if self.mosaic.cells[cell].is_empty() {
                    continue;
                }
                let mut candidates = self.present(cell);
                candidates.extend(near.iter().map(|(other, _)| self.labels[*other]));
                candidates.push(self.labels[cell]);
                candidates.sort_unstable();
                candidates.dedup();
                let around: f64 = near.iter().map(|(_, length)| length).sum();
                let mut energy = |label: usize| {
                    let same: f64 =
                        near.iter().filter(|(other, _)| self.labels[*other] == label).map(|(_, length)| length).sum();
                    let cost = *known.entry((cell, label)).or_insert_with(|| self.cost(cell, label));
                    cost + BORDER * (around - same)
                };
                let now = energy(self.labels[cell]);
                let best =
                    candidates.into_iter().map(|label| (label, energy(label))).min_by(|a, b| a.1.total_cmp(&b.1));
                if let Some((label, _)) =
                    best.filter(|(label, least)| *label != self.labels[cell] && *least < now - 1e-9)
                {
                    self.labels[cell] = label;
                    moved = true;
                }
            }
            changed |= moved;
            if !moved {
                break;
            }
        }
        changed
    }

    /// Unites neighboring cells of the same plane, longest borders first.
    fn unite(&mut self) {
        loop {
            let mut pairs: Vec<((usize, usize), f64)> =
                self.mosaic.borders().into_iter().filter(|((a, b), _)| self.labels[*a] == self.labels[*b]).collect();
            pairs.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let mut done = vec![false; self.labels.len()];
            let mut united = false;
            for ((a, b), _) in pairs {
                if !done[a] && !done[b] && self.mosaic.unite(a, b) {
                    (done[a], done[b]) = (true, true);
                    let more = std::mem::take(&mut self.sites[b]);
                    self.sites[a].extend(more);
                    united = true;
                }
            }
            if !united {
                break;
            }
        }
    }

    /// Cuts off what reaches beyond the points of its plane, and makes it level there.
    fn limit(&mut self) {
        let count = self.labels.len();
        for cell in 0..count {
            let label = self.labels[cell];
            if self.mosaic.cells[cell].is_empty() || self.beyond(cell, label) <= 0.0 {
                continue;
            }
            let plane = self.planes[label];
            let steepness = plane.steepness();
            let [low, high] = self.ranges[label];
            for (limit, sign) in [(high + BEYOND - 0.1, 1.0), (low - BEYOND + 0.1, -1.0)] {
                let far = |zones: &Zones, piece: usize| {
                    let heights =
                        zones.mosaic.cells[piece].iter().map(|&corner| plane.at(zones.mosaic.corners[corner]));
                    heights.fold(f64::NEG_INFINITY, |most, z| f64::max(most, (z - limit) * sign)) > 0.1
                };
                if steepness < 0.02 || !far(self, cell) {
                    continue;
                }
                let normal = plane.slope.map(|part| part / steepness);
                let mut pieces = self.mosaic.split(cell, Line { normal, offset: (limit - plane.height) / steepness });
                pieces.push(cell);
                self.labels.resize(self.mosaic.cells.len(), label);
                self.sites.resize(self.mosaic.cells.len(), Vec::new());
                let all = std::mem::take(&mut self.sites[cell]);
                distribute(&self.mosaic, &pieces, all, &mut self.sites);
                self.planes.push(Plane::level(limit));
                self.ranges.push([limit, limit]);
                for piece in pieces {
                    let corners = self.mosaic.cells[piece].iter().map(|&corner| plane.at(self.mosaic.corners[corner]));
                    let least = corners.fold(f64::INFINITY, |least, z| f64::min(least, (z - limit) * sign));
                    if far(self, piece) && least > -0.1 * steepness.max(1.0) {
                        self.labels[piece] = self.planes.len() - 1;
                    }
                }
            }
        }
    }
}
