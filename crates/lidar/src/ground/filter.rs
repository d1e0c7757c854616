//! The ground in files without classes: a progressive morphological filter on the lowest echoes.

use super::fill;
use super::grid::{CELL, Frame, GroundGrid};
use super::morphology::open;

/// Radii of the squares that remove things from the surface, cells: cars first, then houses, then blocks.
const RADII: [usize; 10] = [1, 2, 3, 5, 7, 10, 14, 19, 25, 32];
/// Steepest ground that is kept, as rise over run, and the height that is always kept, meters.
const SLOPE: f32 = 0.12;
const LEAST_STEP: f32 = 0.25;
/// Points this close to the surface are ground, meters, and the share of the local slope that is added.
const TOLERANCE: f64 = 0.25;
const SLOPE_TOLERANCE: f64 = 0.75;

/// The lowest last echo of each cell.
#[derive(Debug)]
pub struct Lowest {
    frame: Frame,
    heights: Vec<f32>,
}

/// The ground that the lowest echoes suggest.
#[derive(Debug)]
pub struct Surface(GroundGrid);

impl Lowest {
    /// A collector for an area: west, south, east and north. None if it is empty or larger than 16 square kilometers.
    #[must_use]
    pub fn new(bounds: [f64; 4]) -> Option<Self> {
        let frame = Frame::new(bounds)?;
        Some(Self { frame, heights: vec![f32::NAN; frame.columns * frame.rows] })
    }

    /// Adds a last echo.
    pub fn add(&mut self, [x, y, z]: [f64; 3]) {
        if let Some([column, row]) = self.frame.cell([x, y]) {
            let cell = &mut self.heights[row * self.frame.columns + column];
            *cell = cell.min(z as f32);
        }
    }

    /// Removes everything that stands on the ground.
    #[must_use]
    pub fn finish(self) -> Surface {
        let Frame { origin, columns, rows } = self.frame;
        let mut heights = self.heights;
        fill::remove_spikes(&mut heights, columns);
        let mut surface = heights.clone();
        for (step, &radius) in RADII.iter().enumerate() {
            let opened = open(&surface, columns, rows, radius);
            let before = step.checked_sub(1).map_or(0, |step| RADII[step]);
            let highest = LEAST_STEP + SLOPE * (radius - before) as f32 * CELL as f32;
            for ((height, surface), opened) in heights.iter_mut().zip(&surface).zip(&opened) {
                if surface - opened > highest {
                    *height = f32::NAN;
                }
            }
            surface = opened;
        }
        drop(surface);
        fill::fill(&mut heights, columns, rows);
        Surface(GroundGrid { origin, columns, rows, heights })
    }
}

impl Surface {
    /// Whether a point lies on the ground.
    #[must_use]
    pub fn is_ground(&self, [x, y, z]: [f64; 3]) -> bool {
        let Some(height) = self.0.height([x, y]) else { return false };
        let along = |dx: f64, dy: f64| self.0.height([x + dx, y + dy]).map_or(0.0, |other| (other - height).abs());
        let slope = along(1.0, 0.0).max(along(-1.0, 0.0)).max(along(0.0, 1.0)).max(along(0.0, -1.0));
        (z - height).abs() <= TOLERANCE + SLOPE_TOLERANCE * slope.min(1.0)
    }
}
