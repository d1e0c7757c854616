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
    /// Finer heights around the property, where they were measured.
    #[serde(default)]
    pub near: Option<NearGround>,
}

/// Finer heights of the ground around the property. Its rim has the heights of the coarse terrain, so that the two join without a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearGround {
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
}

impl NearGround {
    /// Height above the datum at a local point, bilinear; `None` outside.
    #[must_use]
    pub fn height(&self, at: Point) -> Option<f64> {
        let [fx, fy] = [0, 1].map(|axis| (at[axis] - self.min[axis]) / self.spacing);
        let is_inside = |f: f64, count: usize| count > 1 && (0.0..=(count - 1) as f64).contains(&f);
        (is_inside(fx, self.columns) && is_inside(fy, self.rows))
            .then(|| bilinear(&self.heights, [self.columns, self.rows], [fx, fy]))
    }
}

/// The value at a position in samples of a grid of at least two by two, clamped at the rim.
fn bilinear(heights: &[f32], [columns, rows]: [usize; 2], [fx, fy]: [f64; 2]) -> f64 {
    let (fx, fy) = (fx.clamp(0.0, (columns - 1) as f64), fy.clamp(0.0, (rows - 1) as f64));
    let (i, j) = ((fx as usize).min(columns - 2), (fy as usize).min(rows - 2));
    let (u, v) = (fx - i as f64, fy - j as f64);
    let at = |i: usize, j: usize| f64::from(heights[j * columns + i]);
    let south = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
    let north = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
    south * (1.0 - v) + north * v
}

impl Terrain {
    /// Height above the datum at a local point, bilinear, clamped at the rim; meters. That of [`Self::near`] where it reaches.
    #[must_use]
    pub fn height(&self, at: Point) -> f64 {
        self.near.as_ref().and_then(|near| near.height(at)).unwrap_or_else(|| self.coarse_height(at))
    }

    /// As [`Self::height`], without [`Self::near`].
    #[must_use]
    pub fn coarse_height(&self, [x, y]: Point) -> f64 {
        if self.columns < 2 || self.rows < 2 {
            return 0.0;
        }
        let at = [(x - self.min[0]) / self.spacing, (y - self.min[1]) / self.spacing];
        bilinear(&self.heights, [self.columns, self.rows], at)
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
            near: None,
        }
    }
}
