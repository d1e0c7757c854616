//! Bounds of the horizon by what a photo shows: ceilings and the sky lie above it, floors below it.

use crate::segmentation::{Class, SIDE, Segmentation};
use crate::setting::SettingEstimate;
use crate::sky::Matte;

/// Least probability of a cell that counts, and least share of such cells.
const SURE: f32 = 0.7;
const LEAST: f32 = 0.02;
/// Least confidence of a sky, and least share of columns that it reaches into.
const CLEAR_SKY: f32 = 0.85;
const LEAST_COLUMNS: f32 = 0.1;
/// Share of cells or columns that may lie beyond a bound by mistake.
const STRAY: f32 = 0.06;

/// Rows between which the horizon lies, as shares of the height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// It is not above this.
    pub above: f64,
    /// It is not below this.
    pub below: f64,
}

impl Bounds {
    /// Nothing is known.
    pub const NONE: Self = Self { above: f64::NEG_INFINITY, below: f64::INFINITY };

    /// Bounds by the network indoors, by the sky outdoors; none if they contradict each other.
    #[must_use]
    pub fn of(setting: &SettingEstimate, network: &Segmentation, sky: Option<&Matte>) -> Self {
        let mut bounds = Self::NONE;
        if setting.outdoors > 0.5 {
            let sky = sky.filter(|sky| sky.confidence > CLEAR_SKY);
            bounds.above = sky.and_then(lower_edge).unwrap_or(bounds.above);
        } else {
            let rows = |class: Class| {
                let cells = network.classes().iter().enumerate().filter(|(_, c)| c[class as usize] > SURE);
                let rows: Vec<usize> = cells.map(|(i, _)| i / SIDE).collect();
                (rows.len() as f32 > LEAST * (SIDE * SIDE) as f32).then_some(rows)
            };
            let share = |row: usize| (row as f64 + 0.5) / SIDE as f64;
            let at = |rows: Vec<usize>, part: f32| rows[((rows.len() - 1) as f32 * part) as usize];
            bounds.above = rows(Class::Ceiling).map_or(bounds.above, |rows| share(at(rows, 1.0 - STRAY)));
            bounds.below = rows(Class::Floor).map_or(bounds.below, |rows| share(at(rows, STRAY)));
        }
        if bounds.above < bounds.below { bounds } else { Self::NONE }
    }

    /// The row within the bounds that is nearest to a usual one, a little off the bounds.
    #[must_use]
    pub fn nearest(&self, usual: f64) -> f64 {
        const OFF: f64 = 0.02;
        let (from, to) = (self.above + OFF, self.below - OFF);
        if from > to { 0.5 * (from + to) } else { usual.clamp(from, to) }
    }

    /// How much they restrict a horizon that is usually within a fifth of the height around `usual`, 0 to 1.
    #[must_use]
    pub fn strength(&self, usual: f64) -> f64 {
        let width = self.below.min(usual + 0.2) - self.above.max(usual - 0.2);
        (1.0 - width / 0.4).clamp(0.0, 1.0)
    }

    /// Rows by which a horizon misses them, as a share of the height.
    #[must_use]
    pub fn miss(&self, row: f64) -> f64 {
        (self.above - row).max(row - self.below).max(0.0)
    }
}

/// Lower edge of the sky in the columns where it reaches lowest.
fn lower_edge(sky: &Matte) -> Option<f64> {
    let lowest = |x: usize| (0..sky.height).rev().find(|y| sky.alpha[y * sky.width + x] > 0.8);
    let mut edges: Vec<usize> = (0..sky.width).filter_map(lowest).collect();
    edges.sort_unstable();
    let is_wide = edges.len() as f32 > LEAST_COLUMNS * sky.width as f32;
    is_wide.then(|| (edges[((edges.len() - 1) as f32 * (1.0 - STRAY)) as usize] + 1) as f64 / sky.height as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_horizon_lies_below_the_lowest_sky_and_near_where_it_usually_is() {
        let (width, height) = (100, 60);
        // A hill at the left, a plain at the right.
        let alpha = (0..width * height).map(|i| if i / width < 20 + (i % width) / 10 { 1.0 } else { 0.0 }).collect();
        let sky = Matte { width, height, alpha, share: 0.4, confidence: 1.0 };
        let edge = lower_edge(&sky).unwrap();
        assert!((edge - 29.0 / 60.0).abs() < 0.02, "{edge}");
        let bounds = Bounds { above: edge, ..Bounds::NONE };
        assert!(bounds.nearest(0.47) > edge && bounds.nearest(0.7) == 0.7);
        assert!(bounds.miss(0.3) > 0.1 && bounds.miss(0.6) == 0.0);
    }
}
