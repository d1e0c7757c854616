//! Single-channel pictures and their filters.

use rayon::prelude::*;

use crate::box_mean;

/// Binomial low-pass filter (Burt and Adelson 1983).
const TAPS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

/// A single-channel picture, row by row. Unknown pixels are NaN.
#[derive(Debug, Clone)]
pub struct Plane {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Values, usually lightness.
    pub values: Vec<f32>,
}

impl Plane {
    /// Creates a plane from `width * height` values.
    #[must_use]
    pub fn new(width: usize, height: usize, values: Vec<f32>) -> Self {
        Self { width, height, values }
    }

    /// Returns a plane of zeros.
    #[must_use]
    pub fn zero([width, height]: [usize; 2]) -> Self {
        Self { width, height, values: vec![0.0; width * height] }
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Returns the values of row `y`.
    #[must_use]
    pub fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// Computes the low-pass filtered half-size copy of a plane whose rows are given by `row`. Its pixels are centered on every other pixel.
    pub fn halved_from([width, height]: [usize; 2], row: impl Fn(usize, &mut [f32]) + Sync) -> Self {
        let (across, down) = (width.div_ceil(2), height.div_ceil(2));
        let mut values = vec![0.0; across * down];
        values.par_chunks_mut(across).enumerate().for_each(|(y, out)| {
            let (mut sum, mut own) = (vec![0.0; width], vec![0.0; width]);
            for (i, tap) in TAPS.into_iter().enumerate() {
                row((2 * y + i).saturating_sub(2).min(height - 1), &mut own);
                sum.iter_mut().zip(&own).for_each(|(s, v)| *s += tap * v);
            }
            for (x, out) in out.iter_mut().enumerate() {
                let at = |i: usize| sum[(2 * x + i).saturating_sub(2).min(width - 1)];
                *out = TAPS[0] * (at(0) + at(4)) + TAPS[1] * (at(1) + at(3)) + TAPS[2] * at(2);
            }
        });
        Self { width: across, height: down, values }
    }

    /// Computes the low-pass filtered half-size copy.
    #[must_use]
    pub fn halved(&self) -> Self {
        Self::halved_from(self.size(), |y, out| out.copy_from_slice(self.row(y)))
    }

    /// Returns every other pixel, starting with the first.
    #[must_use]
    pub(crate) fn every_other(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let values = (0..width * height).map(|i| self.values[i / width * 2 * self.width + i % width * 2]).collect();
        Self { width, height, values }
    }

    /// Computes a Gaussian blur of standard deviation `sigma`, in pixels, repeating the edges.
    #[must_use]
    pub(crate) fn blurred(&self, sigma: f32) -> Self {
        let radius = (3.0 * sigma).ceil() as usize;
        let kernel: Vec<f32> =
            (0..=2 * radius).map(|i| (-(i as f32 - radius as f32).powi(2) / (2.0 * sigma * sigma)).exp()).collect();
        let sum: f32 = kernel.iter().sum();
        let kernel: Vec<f32> = kernel.iter().map(|k| k / sum).collect();
        let (width, height) = (self.width, self.height);
        let mut across = vec![0_f32; width * height];
        across.par_chunks_mut(width).zip(self.values.par_chunks(width)).for_each(|(to, from)| {
            let padded: Vec<f32> =
                (0..width + 2 * radius).map(|x| from[x.saturating_sub(radius).min(width - 1)]).collect();
            for (i, k) in kernel.iter().enumerate() {
                to.iter_mut().zip(&padded[i..]).for_each(|(to, v)| *to += k * v);
            }
        });
        let mut values = vec![0_f32; width * height];
        values.par_chunks_mut(width).enumerate().for_each(|(y, to)| {
            for (i, k) in kernel.iter().enumerate() {
                let row = (y + i).saturating_sub(radius).min(height - 1);
                to.iter_mut().zip(&across[row * width..]).for_each(|(to, v)| *to += k * v);
            }
        });
        Self { width, height, values }
    }

    /// Computes the mean over squares of `2 * radius + 1` pixels, which are clipped at the edges.
    #[must_use]
    pub fn box_mean(&self, radius: usize) -> Self {
        Self { values: box_mean(&self.values, self.width, self.height, radius), ..*self }
    }

    /// Samples by bilinear interpolation, clamped at the edge. Positions are continuous: the center of the first pixel is at 0.5.
    #[must_use]
    pub fn linear(&self, x: f32, y: f32) -> f32 {
        let x = (x - 0.5).clamp(0.0, (self.width - 1) as f32);
        let y = (y - 0.5).clamp(0.0, (self.height - 1) as f32);
        let (i, j) = ((x as usize).min(self.width.saturating_sub(2)), (y as usize).min(self.height.saturating_sub(2)));
        let (u, v) = (x - i as f32, y - j as f32);
        let (right, below) = (usize::from(self.width > 1), if self.height > 1 { self.width } else { 0 });
        let at = j * self.width + i;
        let top = self.values[at] * (1.0 - u) + self.values[at + right] * u;
        let bottom = self.values[at + below] * (1.0 - u) + self.values[at + below + right] * u;
        top * (1.0 - v) + bottom * v
    }
}
