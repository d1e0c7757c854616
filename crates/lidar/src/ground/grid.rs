//! Grids of heights, and how they are collected point by point.

use super::fill;

/// Size of a cell, meters.
pub const CELL: f64 = 1.0;
/// Largest grid; tiles of national surveys have 1 to 2 million square meters.
const MAX_CELLS: usize = 1 << 24;
/// Cells of a side of a tile.
const TILE: usize = 64;
/// Heights kept for each cell.
const SAMPLES: usize = 6;
/// Meters per step of a kept height.
const STEP: f64 = 0.01;
/// Heights of the ground on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundGrid {
    pub(super) origin: [f64; 2],
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Heights of the centers of cells, row by row from the south-west; NaN where unknown.
    pub(super) heights: Vec<f32>,
}

impl GroundGrid {
    /// South-western corner.
    #[must_use]
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Heights of the centers of cells, row by row from the south-west; NaN where unknown.
    #[must_use]
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Height of the ground at a position, interpolated between cells; none outside and in large gaps.
    #[must_use]
    pub fn height(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let (column, row) = ((x - self.origin[0]) / CELL - 0.5, (y - self.origin[1]) / CELL - 0.5);
        self.cell(column.round(), row.round())?;
        let (left, low) = (column.floor(), row.floor());
        let (right_share, high_share) = (column - left, row - low);
        let mut sum = [0.0; 2];
        for (dx, across) in [(0.0, 1.0 - right_share), (1.0, right_share)] {
            for (dy, up) in [(0.0, 1.0 - high_share), (1.0, high_share)] {
                if let Some(height) = self.cell(left + dx, low + dy) {
                    sum[0] += height * across * up;
                    sum[1] += across * up;
                }
            }
        }
        (sum[1] > 0.0).then(|| sum[0] / sum[1])
    }

    fn cell(&self, column: f64, row: f64) -> Option<f64> {
        // Half a cell outside is still on the grid's area.
        let inside = |at: f64, count: usize| (-0.5..count as f64).contains(&at).then(|| at.max(0.0) as usize);
        let (column, row) = (inside(column, self.columns)?, inside(row, self.rows)?);
        let height = *self.heights.get(row * self.columns + column)?;
        (!height.is_nan()).then_some(f64::from(height))
    }
}

/// Collects points of the ground, in bounded memory: 14 bytes per square meter of the tiles that have points.
#[derive(Debug)]
pub struct GroundBuilder {
    origin: [f64; 2],
    columns: usize,
    rows: usize,
    tiles: Vec<Option<Box<Tile>>>,
}

#[derive(Debug, Clone)]
struct Tile {
    base: f64,
    samples: Vec<[u16; SAMPLES]>,
    counts: Vec<u16>,
}

impl GroundBuilder {
    /// A builder for an area: west, south, east and north. None if it is empty or larger than 16 square kilometers.
    #[must_use]
    pub fn new(bounds: [f64; 4]) -> Option<Self> {
        let Frame { origin, columns, rows } = Frame::new(bounds)?;
        let tiles = vec![None; columns.div_ceil(TILE) * rows.div_ceil(TILE)];
        Some(Self { origin, columns, rows, tiles })
    }

    /// Adds a point of the ground. Points outside the area are ignored.
    pub fn add(&mut self, [x, y, z]: [f64; 3]) {
        let frame = Frame { origin: self.origin, columns: self.columns, rows: self.rows };
        let Some([column, row]) = frame.cell([x, y]) else { return };
        let index = row / TILE * self.columns.div_ceil(TILE) + column / TILE;
        let tile = self.tiles[index].get_or_insert_with(|| {
            let base = z - STEP * f64::from(u16::MAX / 2);
            Box::new(Tile { base, samples: vec![[0; SAMPLES]; TILE * TILE], counts: vec![0; TILE * TILE] })
        });
        let step = (z - tile.base) / STEP;
        if (0.0..=f64::from(u16::MAX)).contains(&step) {
            tile.add(row % TILE * TILE + column % TILE, step.round() as u16);
        }
    }

    /// The heights of the ground: medians of cells, without isolated outliers; gaps of up to about 50 m are interpolated.
    #[must_use]
    pub fn finish(self) -> GroundGrid {
        let mut heights = vec![f32::NAN; self.columns * self.rows];
        let across = self.columns.div_ceil(TILE);
        for (index, tile) in self.tiles.into_iter().enumerate() {
            let Some(tile) = tile else { continue };
            let (left, low) = (index % across * TILE, index / across * TILE);
            for row in low..(low + TILE).min(self.rows) {
                for column in left..(left + TILE).min(self.columns) {
                    heights[row * self.columns + column] = tile.median((row - low) * TILE + column - left);
                }
            }
        }
        fill::remove_spikes(&mut heights, self.columns);
        fill::fill(&mut heights, self.columns, self.rows);
        GroundGrid { origin: self.origin, columns: self.columns, rows: self.rows, heights }
    }
}

impl Tile {
    /// Keeps a fair sample of the heights of a cell, chosen by a hash of their number.
    fn add(&mut self, cell: usize, step: u16) {
        let count = self.counts[cell];
        let slot = if usize::from(count) < SAMPLES {
            usize::from(count)
        } else {
            let hash = (u64::from(count) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            (hash % (u64::from(count) + 1)) as usize
        };
        if let Some(sample) = self.samples[cell].get_mut(slot) {
            *sample = step;
        }
        self.counts[cell] = count.saturating_add(1);
    }

    fn median(&self, cell: usize) -> f32 {
        let mut samples = self.samples[cell];
        let samples = &mut samples[..SAMPLES.min(usize::from(self.counts[cell]))];
        samples.sort_unstable();
        let Some(&high) = samples.get(samples.len() / 2) else { return f32::NAN };
        let low = samples[(samples.len() - 1) / 2];
        (self.base + STEP * (f64::from(high) + f64::from(low)) / 2.0) as f32
    }
}

/// Position and size of a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) origin: [f64; 2],
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Frame {
    pub(super) fn new([west, south, east, north]: [f64; 4]) -> Option<Self> {
        let origin = [(west / CELL).floor() * CELL, (south / CELL).floor() * CELL];
        let count = |from: f64, to: f64| {
            let count = ((to - from) / CELL).floor() + 1.0;
            (count >= 1.0 && count <= MAX_CELLS as f64).then_some(count as usize)
        };
        let (columns, rows) = (count(origin[0], east)?, count(origin[1], north)?);
        columns.checked_mul(rows).filter(|&cells| cells <= MAX_CELLS)?;
        Some(Self { origin, columns, rows })
    }

    pub(super) fn cell(&self, [x, y]: [f64; 2]) -> Option<[usize; 2]> {
        let (column, row) = ((x - self.origin[0]) / CELL, (y - self.origin[1]) / CELL);
        let is_inside = column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64;
        is_inside.then_some([column as usize, row as usize])
    }
}
