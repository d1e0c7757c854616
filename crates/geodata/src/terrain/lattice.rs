//! Resamples the heights of a source, on its own regular lattice, to a grid around a place.

use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::interpolation::catmull_rom;

/// Samples read beyond the grid's edge, for the interpolation.
const MARGIN: i64 = 3;
/// Maximum size of the window read from a source, samples.
const LARGEST: usize = 64 << 20;

/// A square grid around the origin.
pub(super) struct Grid {
    /// Local coordinate of the first sample in both directions, meters.
    pub(super) min: f64,
    pub(super) spacing: f64,
    /// Number of samples per row, and of rows.
    pub(super) count: usize,
}

impl Grid {
    pub(super) fn new(reach: f64, spacing: f64) -> Self {
        let count = (2.0 * reach / spacing).ceil() as usize + 1;
        Self { min: -spacing * (count - 1) as f64 / 2.0, spacing, count }
    }

    pub(super) fn len(&self) -> usize {
        self.count * self.count
    }

    /// Positions of the samples, row by row from the south-west.
    pub(super) fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let at = |i: usize| self.min + i as f64 * self.spacing;
        (0..self.count).flat_map(move |j| (0..self.count).map(move |i| [at(i), at(j)]))
    }
}

/// The samples of a source, at integer coordinates that increase eastward and northward.
pub(super) trait Lattice {
    /// Converts longitude and latitude to sample coordinates.
    fn position(&self, at: [f64; 2]) -> [f64; 2];

    /// The height of a sample, meters; `None` where unknown.
    fn sample(&mut self, x: i64, y: i64) -> Result<Option<f32>, GeodataError>;
}

/// The heights of one source, resampled to a grid.
pub(super) struct Sheet {
    /// Meters above sea level, interpolated where unknown.
    pub(super) heights: Vec<f64>,
    pub(super) known: Vec<bool>,
}

/// Resamples a lattice to a grid; `None` where none of it is known, or the lattice is too fine to read it all.
pub(super) fn sheet(lattice: &mut dyn Lattice, frame: &LocalFrame, grid: &Grid) -> Result<Option<Sheet>, GeodataError> {
    let reach = -grid.min;
    let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
        .map(|[x, y]: [f64; 2]| lattice.position(frame.geographic([x * reach, y * reach])));
    let low = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min).floor() as i64 - MARGIN;
    let high = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max).ceil() as i64 + MARGIN;
    let (x0, y0) = (low(0), low(1));
    let (columns, rows) = ((high(0) - x0 + 1) as usize, (high(1) - y0 + 1) as usize);
    if columns.saturating_mul(rows) > LARGEST {
        return Ok(None);
    }
    let mut window = Window { x0, y0, columns, rows, heights: Vec::with_capacity(columns * rows) };
    for y in 0..rows as i64 {
        for x in 0..columns as i64 {
            window.heights.push(lattice.sample(x0 + x, y0 + y)?);
        }
    }
    let known: Vec<bool> = window.heights.iter().map(Option::is_some).collect();
    if !fill_voids(&mut window.heights, columns) {
        return Ok(None);
    }
    let mut out = Sheet { heights: Vec::with_capacity(grid.len()), known: Vec::with_capacity(grid.len()) };
    for at in grid.points() {
        let [x, y] = lattice.position(frame.geographic(at));
        out.heights.push(window.height(x, y));
        let (i, j) = ((x.round() as i64 - x0) as usize, (y.round() as i64 - y0) as usize);
        out.known.push(known[j.min(rows - 1) * columns + i.min(columns - 1)]);
    }
    Ok(Some(out))
}

/// Samples around a place, row by row from the south-west.
struct Window {
    x0: i64,
    y0: i64,
    columns: usize,
    rows: usize,
    heights: Vec<Option<f32>>,
}

impl Window {
    /// Height at sample coordinates, by Catmull-Rom interpolation in both directions.
    fn height(&self, x: f64, y: f64) -> f64 {
        let (fx, fy) = (x - self.x0 as f64, y - self.y0 as f64);
        let (i, j) = (fx.floor() as i64, fy.floor() as i64);
        let (wx, wy) = (catmull_rom(fx - fx.floor()), catmull_rom(fy - fy.floor()));
        let at = |i: i64, j: i64| {
            let (i, j) = (i.clamp(0, self.columns as i64 - 1) as usize, j.clamp(0, self.rows as i64 - 1) as usize);
            f64::from(self.heights[j * self.columns + i].unwrap_or(0.0))
        };
        let mut sum = 0.0;
        for (b, wy) in wy.iter().enumerate() {
            for (a, wx) in wx.iter().enumerate() {
                sum += wx * wy * at(i + a as i64 - 1, j + b as i64 - 1);
            }
        }
        sum
    }
}

/// Fills unknown heights with a smooth surface, like a soap film spanning the hole; returns `false` where nothing is
/// known.
pub(super) fn fill_voids(heights: &mut [Option<f32>], columns: usize) -> bool {
    let holes: Vec<usize> = (0..heights.len()).filter(|i| heights[*i].is_none()).collect();
    if holes.len() == heights.len() {
        return false;
    }
    let rows = heights.len() / columns;
    // Initial guess: spread known heights ring by ring into the hole. Then relax to a smooth surface.
    let mut open = holes.clone();
    while !open.is_empty() {
        let mut spread = Vec::new();
        for &i in &open {
            let near: Vec<f32> = neighbors(i, columns, rows).filter_map(|n| heights[n]).collect();
            if !near.is_empty() {
                spread.push((i, near.iter().sum::<f32>() / near.len() as f32));
            }
        }
        for (i, height) in &spread {
            heights[*i] = Some(*height);
        }
        open.retain(|i| heights[*i].is_none());
    }
    for _ in 0..200 {
        for &i in &holes {
            let near = neighbors(i, columns, rows).filter_map(|n| heights[n]);
            let (sum, n) = near.fold((0.0, 0), |(s, n), h| (s + h, n + 1));
            heights[i] = Some(sum / n.max(1) as f32);
        }
    }
    true
}

pub(super) fn neighbors(i: usize, columns: usize, rows: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (i % columns, i / columns);
    let west = (x > 0).then(|| i - 1);
    let east = (x + 1 < columns).then_some(i + 1);
    let south = (y > 0).then(|| i - columns);
    let north = (y + 1 < rows).then_some(i + columns);
    [west, east, south, north].into_iter().flatten()
}
