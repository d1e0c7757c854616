//! Points of a picture that can be found again in another: extrema of differences of Gaussians with histograms of gradients, after
//! Lowe, "Distinctive image features from scale-invariant keypoints" (2004), without rotation, as photos of property are upright,
//! and compared by square roots (Arandjelović and Zisserman, 2012).

use glam::DVec2;
use rayon::prelude::*;

/// Blur of the first level of an octave, of the picture itself, and levels to an octave.
const FIRST_BLUR: f32 = 1.6;
const OWN_BLUR: f32 = 0.5;
const LEVELS: usize = 3;
/// Minimum contrast of an extremum, and maximum ratio of its curvatures.
const LEAST_CONTRAST: f32 = 0.008;
const MOST_EDGE: f32 = 10.0;
/// Shortest side of an octave, pixels.
const LEAST_SIDE: usize = 24;
/// Number of features that are kept, those of most contrast.
const MOST_FEATURES: usize = 2500;
/// Cells across a descriptor, directions in each, and the size of a cell in blurs.
const CELLS: usize = 4;
const DIRECTIONS: usize = 8;
const CELL: f32 = 3.0;
/// Length of a descriptor.
pub(super) const LENGTH: usize = CELLS * CELLS * DIRECTIONS;

/// A picture of lightness, 0 to 1, row by row.
#[derive(Debug, Clone)]
pub struct Gray {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Lightness.
    pub values: Vec<f32>,
}

/// A point that can be found again.
#[derive(Debug, Clone)]
pub(super) struct Feature {
    /// Pixels from the top left corner.
    pub(super) at: DVec2,
    contrast: f32,
    pub(super) descriptor: [u8; LENGTH],
}

/// Finds the features of a picture.
pub(super) fn features(picture: &Gray) -> Vec<Feature> {
    let mut found = Vec::new();
    let mut base = blurred(picture, (FIRST_BLUR.powi(2) - OWN_BLUR.powi(2)).sqrt());
    let mut scale = 1.0;
    while base.width.min(base.height) >= LEAST_SIDE {
        let octave = Octave::of(base);
        let extrema = octave.extrema();
        found.par_extend(extrema.into_par_iter().map(|extremum| octave.feature(&extremum, scale)));
        base = halved(&octave.blurs[LEVELS]);
        scale *= 2.0;
    }
    found.sort_by(|a, b| b.contrast.total_cmp(&a.contrast));
    found.truncate(MOST_FEATURES);
    found
}

/// Blurs of one size of the picture, and their differences.
struct Octave {
    blurs: Vec<Gray>,
    differences: Vec<Vec<f32>>,
}

/// A place in an octave.
struct Extremum {
    level: usize,
    at: [f32; 2],
    contrast: f32,
}

impl Octave {
    fn of(base: Gray) -> Self {
        let step = 2f32.powf(1.0 / LEVELS as f32);
        let mut blurs = vec![base];
        for level in 1..LEVELS + 3 {
            let before = FIRST_BLUR * step.powi(level as i32 - 1);
            blurs.push(blurred(&blurs[level - 1], before * (step * step - 1.0).sqrt()));
        }
        let difference = |pair: &[Gray]| pair[1].values.iter().zip(&pair[0].values).map(|(b, a)| b - a).collect();
        let differences = blurs.windows(2).map(difference).collect();
        Self { blurs, differences }
    }

    fn extrema(&self) -> Vec<Extremum> {
        let (width, height) = (self.blurs[0].width, self.blurs[0].height);
        let mut found = Vec::new();
        for level in 1..=LEVELS {
            let rows: Vec<Vec<Extremum>> = (2..height - 2)
                .into_par_iter()
                .map(|y| (2..width - 2).filter_map(|x| self.extremum(level, x, y)).collect())
                .collect();
            found.extend(rows.into_iter().flatten());
        }
        found
    }

    fn extremum(&self, level: usize, x: usize, y: usize) -> Option<Extremum> {
        let width = self.blurs[0].width;
        let at = |l: usize, dx: i32, dy: i32| {
            self.differences[l][(y as i32 + dy) as usize * width + (x as i32 + dx) as usize]
        };
        let value = at(level, 0, 0);
        if value.abs() < 0.8 * LEAST_CONTRAST {
            return None;
        }
        let sign = value.signum();
        let around = (level - 1..=level + 1).flat_map(|l| (0..9).map(move |i| (l, i % 3 - 1, i / 3 - 1)));
        let mut others = around.filter(|other| *other != (level, 0, 0));
        if others.any(|(l, dx, dy)| sign * at(l, dx, dy) >= sign * value) {
            return None;
        }
        // The vertex of the parabola in the picture; the level stays.
        let gradient = [(at(level, 1, 0) - at(level, -1, 0)) / 2.0, (at(level, 0, 1) - at(level, 0, -1)) / 2.0];
        let xx = at(level, 1, 0) + at(level, -1, 0) - 2.0 * value;
        let yy = at(level, 0, 1) + at(level, 0, -1) - 2.0 * value;
        let xy = (at(level, 1, 1) + at(level, -1, -1) - at(level, 1, -1) - at(level, -1, 1)) / 4.0;
        let product = xx * yy - xy * xy;
        if product <= 0.0 || (xx + yy).powi(2) / product > (MOST_EDGE + 1.0).powi(2) / MOST_EDGE {
            return None;
        }
        let by = [-(yy * gradient[0] - xy * gradient[1]) / product, -(xx * gradient[1] - xy * gradient[0]) / product];
        if by.iter().any(|by| by.abs() > 1.0) {
            return None;
        }
        let contrast = (value + (gradient[0] * by[0] + gradient[1] * by[1]) / 2.0).abs();
        (contrast >= LEAST_CONTRAST).then(|| Extremum { level, at: [x as f32 + by[0], y as f32 + by[1]], contrast })
    }

    fn feature(&self, extremum: &Extremum, scale: f32) -> Feature {
        let step = 2f32.powf(extremum.level as f32 / LEVELS as f32);
        let descriptor = described(&self.blurs[extremum.level], extremum.at, CELL * FIRST_BLUR * step);
        let [x, y] = extremum.at.map(|v| f64::from(v * scale + 0.5));
        Feature { at: DVec2::new(x, y), contrast: extremum.contrast, descriptor }
    }
}

/// Histograms of the gradients around a point; `cell` is the size of a cell in pixels.
fn described(picture: &Gray, [x, y]: [f32; 2], cell: f32) -> [u8; LENGTH] {
    let half = CELLS as f32 / 2.0;
    let reach = (cell * (half + 0.5)).ceil() as i32;
    let (left, top) = (x.round() as i32, y.round() as i32);
    let value = |x: i32, y: i32| {
        let column = x.clamp(0, picture.width as i32 - 1) as usize;
        picture.values[y.clamp(0, picture.height as i32 - 1) as usize * picture.width + column]
    };
    let mut bins = [0f32; LENGTH];
    for v in top - reach..=top + reach {
        for u in left - reach..=left + reach {
            let offset = [(u as f32 - x) / cell, (v as f32 - y) / cell];
            // Cell coordinates: -1 to the number of cells.
            let place = offset.map(|o| o + half - 0.5);
            if place.iter().any(|p| *p <= -1.0 || *p >= CELLS as f32) {
                continue;
            }
            let gradient = [value(u + 1, v) - value(u - 1, v), value(u, v + 1) - value(u, v - 1)];
            let strength = gradient[0].hypot(gradient[1]);
            let weight = strength * (-(offset[0].powi(2) + offset[1].powi(2)) / (2.0 * half * half)).exp();
            let turn = gradient[1].atan2(gradient[0]).rem_euclid(std::f32::consts::TAU) / std::f32::consts::TAU;
            spread(&mut bins, place, turn * DIRECTIONS as f32, weight);
        }
    }
    let most = 0.2 * bins.iter().map(|b| b * b).sum::<f32>().sqrt();
    bins.iter_mut().for_each(|bin| *bin = bin.min(most));
    let sum = bins.iter().sum::<f32>().max(1e-12);
    bins.map(|bin| (512.0 * (bin / sum).sqrt()).min(255.0) as u8)
}

/// Adds a gradient to the eight bins around it.
fn spread(bins: &mut [f32; LENGTH], [x, y]: [f32; 2], direction: f32, weight: f32) {
    let (column, row, turn) = (x.floor(), y.floor(), direction.floor());
    for i in 0..8 {
        let step = [(i & 1) as f32, ((i >> 1) & 1) as f32, ((i >> 2) & 1) as f32];
        let (u, v) = (column + step[0], row + step[1]);
        if u < 0.0 || v < 0.0 || u >= CELLS as f32 || v >= CELLS as f32 {
            continue;
        }
        let share = |value: f32, low: f32, step: f32| if step > 0.0 { value - low } else { 1.0 - (value - low) };
        let part = share(x, column, step[0]) * share(y, row, step[1]) * share(direction, turn, step[2]);
        let bin = (turn + step[2]) as usize % DIRECTIONS;
        bins[(v as usize * CELLS + u as usize) * DIRECTIONS + bin] += weight * part;
    }
}

/// A Gaussian blur.
fn blurred(picture: &Gray, sigma: f32) -> Gray {
    let radius = (3.0 * sigma).ceil() as usize;
    let kernel: Vec<f32> =
        (0..=2 * radius).map(|i| (-(i as f32 - radius as f32).powi(2) / (2.0 * sigma * sigma)).exp()).collect();
    let sum: f32 = kernel.iter().sum();
    let kernel: Vec<f32> = kernel.iter().map(|k| k / sum).collect();
    let (width, height) = (picture.width, picture.height);
    let mut across = vec![0f32; width * height];
    across.par_chunks_mut(width).zip(picture.values.par_chunks(width)).for_each(|(to, from)| {
        let padded: Vec<f32> = (0..width + 2 * radius).map(|x| from[x.saturating_sub(radius).min(width - 1)]).collect();
        for (x, to) in to.iter_mut().enumerate() {
            *to = padded[x..].iter().zip(&kernel).map(|(v, k)| v * k).sum();
        }
    });
    let mut values = vec![0f32; width * height];
    values.par_chunks_mut(width).enumerate().for_each(|(y, to)| {
        for (i, k) in kernel.iter().enumerate() {
            let row = (y + i).saturating_sub(radius).min(height - 1);
            to.iter_mut().zip(&across[row * width..]).for_each(|(to, v)| *to += k * v);
        }
    });
    Gray { width, height, values }
}

/// Every other pixel, from the first on.
fn halved(picture: &Gray) -> Gray {
    let (width, height) = (picture.width / 2, picture.height / 2);
    let values = (0..width * height).map(|i| picture.values[i / width * 2 * picture.width + i % width * 2]).collect();
    Gray { width, height, values }
}
