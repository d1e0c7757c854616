//! Evidence for regions.

use super::region::{REGIONS, Region};

/// Log likelihoods of each region in each cell. Independent sources add up.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    cells: Vec<[f32; REGIONS]>,
}

impl Evidence {
    /// Evidence from log likelihoods by cell.
    #[must_use]
    pub fn of(cells: Vec<[f32; REGIONS]>) -> Self {
        Self { cells }
    }

    /// Log likelihoods by cell, in the order of [`Region::ALL`].
    #[must_use]
    pub fn cells(&self) -> &[[f32; REGIONS]] {
        &self.cells
    }

    /// A prior: the same relative weight of each region in all `count` cells; regions not named are impossible.
    #[must_use]
    pub fn prior(count: usize, weights: &[(Region, f32)]) -> Self {
        let mut cell = [f32::NEG_INFINITY; REGIONS];
        weights.iter().for_each(|(region, weight)| cell[*region as usize] = libm::logf(*weight));
        Self { cells: vec![cell; count] }
    }

    /// Adds log odds for a region, by cell.
    #[must_use]
    pub fn with(mut self, regions: &[Region], odds: impl Fn(usize) -> f32) -> Self {
        for (i, cell) in self.cells.iter_mut().enumerate() {
            let odds = odds(i);
            regions.iter().for_each(|region| cell[*region as usize] += odds);
        }
        self
    }

    /// Adds another source.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell.iter_mut().zip(more).for_each(|(c, m)| *c += m);
        }
        self
    }

    /// Probabilities of each region in each cell.
    #[must_use]
    pub fn probabilities(&self) -> Vec<[f32; REGIONS]> {
        self.cells.iter().map(softmax).collect()
    }
}

fn softmax(cell: &[f32; REGIONS]) -> [f32; REGIONS] {
    let top = cell.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = cell.map(|v| libm::expf(v - top));
    let sum: f32 = weights.iter().sum();
    weights.map(|w| w / sum)
}
