//! Heights of the ground.

use serde::{Deserialize, Serialize};

use super::Point;

/// Terrain heights on a regular grid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Terrain {
    /// Local position of the first (south-west) sample.
    pub min: Point,
    /// Meters between samples.
    pub spacing: f64,
    /// Samples in a row (west to east).
    pub columns: usize,
    /// Rows (south to north).
    pub rows: usize,
    /// Height of each sample above [`Terrain::datum`], meters, row by row from the south.
    pub heights: Vec<f32>,
    /// Meters above sea level of local `z = 0`: the ground at the origin.
    pub datum: f64,
    /// Whether heights come from data; false where there is none and the ground is assumed to be flat.
    pub known: bool,
}

impl Terrain {
    /// Height above the datum at a local point, bilinear, clamped at the rim; meters.
    #[must_use]
    pub fn height(&self, [x, y]: Point) -> f64 {
        if self.columns < 2 || self.rows < 2 {
            return 0.0;
        }
        let fx = ((x - self.min[0]) / self.spacing).clamp(0.0, (self.columns - 1) as f64);
        let fy = ((y - self.min[1]) / self.spacing).clamp(0.0, (self.rows - 1) as f64);
        let (i, j) = ((fx as usize).min(self.columns - 2), (fy as usize).min(self.rows - 2));
        let (u, v) = (fx - i as f64, fy - j as f64);
        let at = |i: usize, j: usize| f64::from(self.heights[j * self.columns + i]);
        let south = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
        let north = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
        south * (1.0 - v) + north * v
    }

    /// A flat terrain with a side of `2 * reach` meters.
    #[must_use]
    pub fn flat(reach: f64, datum: f64) -> Self {
        Self {
            min: [-reach, -reach],
            spacing: 2.0 * reach,
            columns: 2,
            rows: 2,
            heights: vec![0.0; 4],
            datum,
            known: false,
        }
    }
}
