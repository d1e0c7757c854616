//! Points of a picture that can be found again in another: extrema of differences of Gaussians with histograms of gradients (Lowe 2004),
//! without rotation, as pictures are upright, and compared by square roots (Arandjelović and Zisserman 2012).

use std::f32::consts::TAU;

use glam::DVec2;
use rayon::prelude::*;

use crate::Plane;

/// Blur of the first level of an octave, in pixels.
const FIRST_BLUR: f32 = 1.6;
/// Blur that a picture is taken to have, in pixels.
const OWN_BLUR: f32 = 0.5;
/// Levels per octave.
const LEVELS: usize = 3;
/// Maximum ratio of the curvatures of an extremum: edges have more.
const MAX_CURVATURE_RATIO: f32 = 10.0;
/// Minimum shorter side of an octave, in pixels.
const MIN_SIDE: usize = 24;
/// Cells across a descriptor.
pub const CELLS: usize = 4;
/// Directions of gradients per cell.
const DIRECTIONS: usize = 8;
/// Size of a cell, in blurs of its level.
const CELL: f32 = 3.0;
/// Maximum share of the length of a descriptor that one entry has, so that one strong edge does not decide.
const MAX_ENTRY: f32 = 0.2;

/// Length of a descriptor.
const LENGTH: usize = CELLS * CELLS * DIRECTIONS;

/// Histograms of gradients around a point, of length 1.
pub type Descriptor = [f32; LENGTH];

/// A point that can be found again.
#[derive(Debug, Clone)]
pub struct Feature {
    /// Pixels from the top left corner.
    pub at: DVec2,
    /// Describes the surroundings.
    pub descriptor: Descriptor,
}

/// Which features are found.
#[derive(Debug, Clone, Copy)]
pub struct Sensitivity {
    /// Minimum contrast of an extremum, in units of the picture.
    pub min_contrast: f32,
    /// Maximum number of features; those of most contrast are kept.
    pub max_features: usize,
}

/// Finds the features of a picture. Those whose surroundings include unknown pixels are left out.
#[must_use]
pub fn features(picture: &Plane, sensitivity: Sensitivity) -> Vec<Feature> {
    let (mut octaves, mut extrema) = (Vec::new(), Vec::new());
    let mut base = picture.blurred((FIRST_BLUR.powi(2) - OWN_BLUR.powi(2)).sqrt());
    while base.width.min(base.height) >= MIN_SIDE {
        let octave = Octave::of(base);
        extrema.extend(octave.extrema(octaves.len(), sensitivity.min_contrast));
        base = octave.blurs[LEVELS].every_other();
        octaves.push(octave);
    }
    extrema.sort_by(|a, b| b.contrast.total_cmp(&a.contrast));
    extrema.truncate(sensitivity.max_features);
    extrema.par_iter().filter_map(|extremum| octaves[extremum.octave].feature(extremum)).collect()
}

/// Blurs of one size of the picture, and their differences.
struct Octave {
    blurs: Vec<Plane>,
    differences: Vec<Vec<f32>>,
}

/// A place in an octave.
struct Extremum {
    octave: usize,
    level: usize,
    at: [f32; 2],
    contrast: f32,
}

impl Octave {
    fn of(base: Plane) -> Self {
        let step = 2f32.powf(1.0 / LEVELS as f32);
        let mut blurs = vec![base];
        for level in 1..LEVELS + 3 {
            let before = FIRST_BLUR * step.powi(level as i32 - 1);
            blurs.push(blurs[level - 1].blurred(before * (step * step - 1.0).sqrt()));
        }
        let difference = |pair: &[Plane]| pair[1].values.iter().zip(&pair[0].values).map(|(b, a)| b - a).collect();
        let differences = blurs.windows(2).map(difference).collect();
        Self { blurs, differences }
    }

    fn extrema(&self, octave: usize, min_contrast: f32) -> Vec<Extremum> {
        let [width, height] = self.blurs[0].size();
        let rows = (1..=LEVELS).flat_map(|level| (2..height - 2).map(move |y| (level, y))).collect::<Vec<_>>();
        let of_row = |&(level, y): &(usize, usize)| {
            (2..width - 2).filter_map(move |x| self.extremum(octave, [level, x, y], min_contrast))
        };
        rows.par_iter().flat_map_iter(of_row).collect()
    }

    fn extremum(&self, octave: usize, [level, x, y]: [usize; 3], min_contrast: f32) -> Option<Extremum> {
        let width = self.blurs[0].width;
        let at = |l: usize, dx: i32, dy: i32| {
            self.differences[l][(y as i32 + dy) as usize * width + (x as i32 + dx) as usize]
        };
        let value = at(level, 0, 0);
        if value.abs() < 0.8 * min_contrast {
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
        if product <= 0.0 || (xx + yy).powi(2) / product > (MAX_CURVATURE_RATIO + 1.0).powi(2) / MAX_CURVATURE_RATIO {
            return None;
        }
        let by = [-(yy * gradient[0] - xy * gradient[1]) / product, -(xx * gradient[1] - xy * gradient[0]) / product];
        if by.iter().any(|by| by.abs() > 1.0) {
            return None;
        }
        let contrast = (value + (gradient[0] * by[0] + gradient[1] * by[1]) / 2.0).abs();
        (contrast >= min_contrast).then(|| Extremum {
            octave,
            level,
            at: [x as f32 + by[0], y as f32 + by[1]],
            contrast,
        })
    }

    fn feature(&self, extremum: &Extremum) -> Option<Feature> {
        let step = 2f32.powf(extremum.level as f32 / LEVELS as f32);
        let descriptor = described(&self.blurs[extremum.level], extremum.at, CELL * FIRST_BLUR * step)?;
        let scale = (1_u32 << extremum.octave) as f32;
        let [x, y] = extremum.at.map(|v| f64::from(v * scale + 0.5));
        Some(Feature { at: DVec2::new(x, y), descriptor })
    }
}

/// Computes the descriptor of a point; `None` if it is flat or has unknown pixels. `cell` is the size of a cell in pixels.
fn described(picture: &Plane, [x, y]: [f32; 2], cell: f32) -> Option<Descriptor> {
    let half = CELLS as f32 / 2.0;
    let reach = (cell * (half + 0.5)).ceil() as i32;
    let (left, top) = (x.round() as i32, y.round() as i32);
    let value = |x: i32, y: i32| {
        let column = x.clamp(0, picture.width as i32 - 1) as usize;
        picture.values[y.clamp(0, picture.height as i32 - 1) as usize * picture.width + column]
    };
    let mut histogram = Histogram::default();
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
            histogram.add(place, gradient, weight);
        }
    }
    histogram.descriptor()
}

/// Gradients around a point, by cell and direction.
pub struct Histogram([f32; LENGTH]);

impl Default for Histogram {
    fn default() -> Self {
        Self([0.0; LENGTH])
    }
}

impl Histogram {
    /// Adds a gradient, to the right and down, to the eight bins around it. `place` is in cells to the right and down, 0 in the middle of
    /// the first.
    pub fn add(&mut self, [x, y]: [f32; 2], gradient: [f32; 2], weight: f32) {
        let turn = gradient[1].atan2(gradient[0]).rem_euclid(TAU) / TAU * DIRECTIONS as f32;
        let (column, row, direction) = (x.floor(), y.floor(), turn.floor());
        for i in 0..8 {
            let step = [(i & 1) as f32, ((i >> 1) & 1) as f32, ((i >> 2) & 1) as f32];
            let (u, v) = (column + step[0], row + step[1]);
            if u < 0.0 || v < 0.0 || u >= CELLS as f32 || v >= CELLS as f32 {
                continue;
            }
            let share = |value: f32, low: f32, step: f32| if step > 0.0 { value - low } else { 1.0 - (value - low) };
            let part = share(x, column, step[0]) * share(y, row, step[1]) * share(turn, direction, step[2]);
            let bin = (direction + step[2]) as usize % DIRECTIONS;
            self.0[(v as usize * CELLS + u as usize) * DIRECTIONS + bin] += weight * part;
        }
    }

    /// Returns the descriptor; `None` where the surroundings are flat or have unknown pixels.
    #[must_use]
    pub fn descriptor(self) -> Option<Descriptor> {
        let Self(mut bins) = self;
        let length = bins.iter().map(|b| b * b).sum::<f32>().sqrt();
        if length.is_nan() || length < 1e-9 {
            return None;
        }
        bins.iter_mut().for_each(|bin| *bin = bin.min(MAX_ENTRY * length));
        let sum = bins.iter().sum::<f32>();
        Some(bins.map(|bin| (bin / sum).sqrt()))
    }
}

/// Returns the descriptor of the same surroundings turned to the left by `quarters` of a turn.
#[must_use]
pub fn turned(descriptor: &Descriptor, quarters: usize) -> Descriptor {
    (0..quarters % 4).fold(*descriptor, |look, _| {
        let mut next: Descriptor = [0.0; _];
        for (i, value) in look.into_iter().enumerate() {
            let (cell, direction) = (i / DIRECTIONS, i % DIRECTIONS);
            let to = (CELLS - 1 - cell % CELLS) * CELLS + cell / CELLS;
            next[to * DIRECTIONS + (direction + DIRECTIONS - DIRECTIONS / 4) % DIRECTIONS] = value;
        }
        next
    })
}
