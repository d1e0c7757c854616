//! The surface of the canopy.

use super::echo::{CELL, Echo};

/// Width of the blur that makes crowns of twigs, cells.
const BLUR: f64 = 1.6;
/// Neighbors that an empty cell needs to be a gap in a crown.
const GAP_NEIGHBORS: usize = 5;

/// Heights of the canopy on a grid.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Highest echo of each cell, meters; zero where there is none.
    pub(super) tops: Vec<f32>,
    /// The same, blurred.
    pub(super) blurred: Vec<f32>,
}

impl Surface {
    pub(super) fn of(echoes: &[Echo], columns: usize, rows: usize) -> Self {
        let mut surface = Self { columns, rows, tops: vec![0.0; columns * rows], blurred: Vec::new() };
        for echo in echoes {
            let cell = surface.cell_of(echo);
            surface.tops[cell] = surface.tops[cell].max(echo.height() as f32);
        }
        surface.close_gaps();
        surface.blurred = blur(&surface.tops, columns, rows);
        surface
    }

    /// The cell of an echo.
    pub(super) fn cell_of(&self, echo: &Echo) -> usize {
        let [x, y] = echo.position();
        let (column, row) = ((x / CELL) as usize, (y / CELL) as usize);
        row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)
    }

    /// Center of a cell, meters from the corner of the grid.
    pub(super) fn center(&self, cell: usize) -> [f64; 2] {
        [((cell % self.columns) as f64 + 0.5) * CELL, ((cell / self.columns) as f64 + 0.5) * CELL]
    }

    /// The up to eight cells around a cell.
    pub(super) fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        let (column, row) = (cell % columns, cell / columns);
        (row.saturating_sub(1)..(row + 2).min(rows))
            .flat_map(move |row| {
                (column.saturating_sub(1)..(column + 2).min(columns)).map(move |column| row * columns + column)
            })
            .filter(move |&other| other != cell)
    }

    /// Gives empty cells inside crowns the median height of their neighbors.
    fn close_gaps(&mut self) {
        let original = self.tops.clone();
        for cell in 0..original.len() {
            if original[cell] > 0.0 {
                continue;
            }
            let mut around: Vec<f32> =
                self.neighbors(cell).map(|other| original[other]).filter(|&height| height > 0.0).collect();
            if around.len() >= GAP_NEIGHBORS {
                around.sort_by(f32::total_cmp);
                self.tops[cell] = around[around.len() / 2];
            }
        }
    }
}

/// Blurs a grid; empty cells count as ground, so that crowns are rounded at their edges.
fn blur(grid: &[f32], columns: usize, rows: usize) -> Vec<f32> {
    let reach = (3.0 * BLUR).ceil() as usize;
    let weights: Vec<f32> = (0..=reach).map(|step| (-0.5 * (step as f64 / BLUR).powi(2)).exp() as f32).collect();
    let total: f32 = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
    let pass = |source: &[f32], stride: usize, at: usize, count: usize, cell: usize| {
        let mut sum = weights[0] * source[cell];
        for step in 1..=reach {
            if at >= step {
                sum += weights[step] * source[cell - step * stride];
            }
            if at + step < count {
                sum += weights[step] * source[cell + step * stride];
            }
        }
        sum / total
    };
    let across: Vec<f32> = (0..grid.len()).map(|cell| pass(grid, 1, cell % columns, columns, cell)).collect();
    (0..grid.len()).map(|cell| pass(&across, columns, cell / columns, rows, cell)).collect()
}
