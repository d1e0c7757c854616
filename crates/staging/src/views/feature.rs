//! Corners of rectified pictures, and what they look like (after Shi and Tomasi 1994, Lowe 2004, Arandjelović and Zisserman 2012).
//!
//! Pictures are rectified, so that descriptors are upright; they are found at several sizes, as that alone depends on the distance.

use aerie_register::{CELLS, Descriptor, Histogram};
use glam::DVec2;
use rayon::prelude::*;

use super::sheet::Sheet;

/// Side of the part of a picture that a descriptor describes, pixels.
const PATCH: usize = 24;
/// Sizes, and the ratio between neighbors.
const SIZES: usize = 7;
const RATIO: f64 = 0.8;
/// Least response of a corner: the square of a gradient in lightness per pixel.
const LEAST_RESPONSE: f32 = 1.5e-5;
/// Side of the squares of which each gives its best corners, pixels, and how many.
const SQUARE: usize = 40;
const BEST: usize = 2;

/// A corner with its descriptor.
pub(super) struct Feature {
    /// Place in the sheet, pixels.
    pub(super) at: DVec2,
    /// Descriptor of unit length.
    pub(super) look: Descriptor,
}

/// The corners of a sheet.
pub(super) fn features(sheet: &Sheet) -> Vec<Feature> {
    let mut found = Vec::new();
    let mut level = Level { width: sheet.width, height: sheet.height, light: sheet.light.clone() };
    let mut scale = 1.0;
    for _ in 0..SIZES {
        if level.width.min(level.height) < 2 * PATCH {
            break;
        }
        let smooth = level.smoothed();
        let slopes = smooth.slopes();
        let corners = corners(&smooth, &slopes);
        found.par_extend(corners.into_par_iter().filter_map(|[x, y]| {
            let look = described(&smooth, &slopes, x, y)?;
            Some(Feature { at: DVec2::new(x as f64 + 0.5, y as f64 + 0.5) / scale, look })
        }));
        level = smooth.reduced();
        scale *= RATIO;
    }
    found
}

/// A sheet in one size.
struct Level {
    width: usize,
    height: usize,
    light: Vec<f32>,
}

impl Level {
    /// Smoothed by the binomial filter of five; unknown pixels stay unknown.
    fn smoothed(&self) -> Self {
        Self { light: binomial(&self.light, self.width, self.height), ..*self }
    }

    /// Slope to the right and down; NaN at unknown pixels.
    fn slopes(&self) -> Vec<[f32; 2]> {
        let (width, height) = (self.width, self.height);
        let mut slopes = vec![[f32::NAN; 2]; width * height];
        slopes.par_chunks_mut(width).enumerate().filter(|(y, _)| (1..height - 1).contains(y)).for_each(|(y, row)| {
            for (x, slope) in row.iter_mut().enumerate().take(width - 1).skip(1) {
                let i = y * width + x;
                let across = self.light[i + 1] - self.light[i - 1];
                *slope = [across / 2.0, (self.light[i + width] - self.light[i - width]) / 2.0];
            }
        });
        slopes
    }

    /// Smaller by [`RATIO`], bilinear.
    fn reduced(&self) -> Self {
        let (width, height) = ((self.width as f64 * RATIO) as usize, (self.height as f64 * RATIO) as usize);
        let mut light = vec![f32::NAN; width * height];
        light.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                let u = ((x as f64 + 0.5) / RATIO - 0.5).min(self.width as f64 - 1.001).max(0.0);
                let v = ((y as f64 + 0.5) / RATIO - 0.5).min(self.height as f64 - 1.001).max(0.0);
                let i = v as usize * self.width + u as usize;
                let (s, t) = (u.fract() as f32, v.fract() as f32);
                let upper = self.light[i] * (1.0 - s) + self.light[i + 1] * s;
                let lower = self.light[i + self.width] * (1.0 - s) + self.light[i + self.width + 1] * s;
                *out = upper * (1.0 - t) + lower * t;
            }
        });
        Self { width, height, light }
    }
}

/// Filters a plane by 1, 4, 6, 4, 1 in both directions, repeating its edges.
fn binomial(plane: &[f32], width: usize, height: usize) -> Vec<f32> {
    const WEIGHTS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    let pass = |from: &[f32], along_rows: bool| -> Vec<f32> {
        let mut out = vec![0.0; from.len()];
        out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, value) in row.iter_mut().enumerate() {
                *value = (0..5)
                    .map(|k| {
                        let moved = |at: usize, limit: usize| (at + k).saturating_sub(2).min(limit - 1);
                        let (u, v) = if along_rows { (moved(x, width), y) } else { (x, moved(y, height)) };
                        WEIGHTS[k] * from[v * width + u]
                    })
                    .sum();
            }
        });
        out
    };
    pass(&pass(plane, true), false)
}

/// Places of corners: the smaller eigenvalue of the structure tensor is greatest in the surroundings.
fn corners(level: &Level, slopes: &[[f32; 2]]) -> Vec<[usize; 2]> {
    let (width, height) = (level.width, level.height);
    let product = |a: usize, b: usize| -> Vec<f32> {
        let plane: Vec<f32> =
            slopes.iter().map(|s| if s[0].is_nan() || s[1].is_nan() { 0.0 } else { s[a] * s[b] }).collect();
        binomial(&plane, width, height)
    };
    let (xx, xy, yy) = (product(0, 0), product(0, 1), product(1, 1));
    let response: Vec<f32> = (0..width * height)
        .map(|i| {
            let (half, mixed) = ((xx[i] - yy[i]) / 2.0, xy[i]);
            (xx[i] + yy[i]) / 2.0 - half.hypot(mixed)
        })
        .collect();
    let margin = PATCH / 2 + 1;
    let rows: Vec<usize> = (margin..height.saturating_sub(margin)).step_by(SQUARE).collect();
    let of_rows = |from: &usize| -> Vec<[usize; 2]> {
        (margin..width.saturating_sub(margin))
            .step_by(SQUARE)
            .flat_map(|left| {
                let to = [(left + SQUARE).min(width - margin), (from + SQUARE).min(height - margin)];
                best_in(&response, width, [left, *from], to)
            })
            .collect()
    };
    rows.par_iter().flat_map_iter(of_rows).collect()
}

/// The best corners of a square.
fn best_in(response: &[f32], width: usize, from: [usize; 2], to: [usize; 2]) -> Vec<[usize; 2]> {
    let is_peak = |x: usize, y: usize| {
        let own = response[y * width + x];
        own > LEAST_RESPONSE
            && (y - 2..=y + 2).all(|v| {
                (x - 2..=x + 2).all(|u| {
                    let other = response[v * width + u];
                    own > other || (own == other && (v, u) >= (y, x))
                })
            })
    };
    let mut peaks: Vec<[usize; 2]> =
        (from[1]..to[1]).flat_map(|y| (from[0]..to[0]).map(move |x| [x, y])).filter(|[x, y]| is_peak(*x, *y)).collect();
    peaks.sort_by(|a, b| response[b[1] * width + b[0]].total_cmp(&response[a[1] * width + a[0]]));
    peaks.truncate(BEST);
    peaks
}

/// Descriptor of the surroundings of a pixel; `None` where part of them is unknown.
fn described(level: &Level, slopes: &[[f32; 2]], x: usize, y: usize) -> Option<Descriptor> {
    const CELL: f32 = (PATCH / CELLS) as f32;
    let half = PATCH / 2;
    let mut histogram = Histogram::default();
    for v in 0..PATCH {
        for u in 0..PATCH {
            let [across, down] = slopes[(y + v - half) * level.width + x + u - half];
            let strength = across.hypot(down);
            if strength.is_nan() {
                return None;
            }
            let off = [u, v].map(|at| at as f32 + 0.5 - half as f32);
            let weight = strength * (-(off[0] * off[0] + off[1] * off[1]) / (2.0 * 81.0)).exp();
            let place = off.map(|o| o / CELL + (CELLS as f32 - 1.0) / 2.0);
            histogram.add(place, [across, down], weight);
        }
    }
    histogram.descriptor()
}
