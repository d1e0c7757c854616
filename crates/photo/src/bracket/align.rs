//! Alignment of two exposures: a shift by threshold bitmaps, then a homography by least squares on pictures whose contrast is
//! normalized locally, which look alike at every exposure (inverse compositional: Baker and Matthews 2004), from coarse to fine.

use rayon::prelude::*;

use super::homography::{Frame, Homography};
use super::pyramid::Plane;
use super::threshold_bitmap;
use crate::Photo;
use crate::box_filter::box_mean;
use aerie_math::color::{encoded, luminance};

/// Longer side of the pictures that are aligned, pixels.
const SIDE: usize = 2048;
/// Longer sides of the coarsest level, and of those on which the map is refined.
const COARSEST: usize = 40;
const REFINED: usize = 100;
/// Longer side of the level that starts are compared on.
const COMPARED: usize = 300;
/// Radius of the neighborhood whose contrast is normalized, pixels.
const RADIUS: usize = 6;
/// Standard deviation that counts as noise, encoded.
const NOISE: f32 = 2.5;
/// Encoded values within which a pixel is not near clipping.
const USABLE: std::ops::Range<f32> = 3.0..252.0;
/// Normalized contrast from which a pixel has texture, and difference that counts half.
const TEXTURED: f32 = 4.0;
const ROBUST: f32 = 0.6;
/// Most pixels that are compared on a level.
const SAMPLES: usize = 200_000;
const ROUNDS: usize = 20;
/// Cells of a grid across and down; how many of them need texture for a homography, and for a turn.
const CELLS: usize = 5;
const CELLS_OF_A_HOMOGRAPHY: usize = 13;
const CELLS_OF_A_TURN: usize = 4;
/// Correlation above which no other start is tried.
const GOOD: f32 = 0.75;
/// Turns that are tried otherwise, degrees.
const TURNS: [f64; 6] = [0.0, 1.0, -1.0, 2.5, -2.5, 4.0];
/// Greatest move of a corner beyond the shift, as a share of the longer side; what is more is no bracket.
const MOST_MOVED: f64 = 0.09;
/// Move of a corner below which an exposure is left as it is, pixels; and the loss of correlation that this may cost.
const STILL: f64 = 0.25;
const STILL_LOSS: f32 = 0.004;

/// Luma of an exposure, reduced, on levels from fine to coarse.
pub(super) struct Levels(Vec<Level>);

struct Level {
    luma: Plane,
    /// Luma with its contrast normalized.
    normal: Vec<f32>,
    /// Whether a pixel is neither clipped nor crushed, and whether it has texture.
    usable: Vec<bool>,
    textured: Vec<bool>,
}

/// How an exposure is aligned with another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alignment {
    /// From the reference to the exposure.
    pub(super) map: Homography,
    /// Correlation of the normalized pictures, -1 to 1.
    pub(super) correlation: f32,
    /// Share of the picture in which both have texture.
    pub(super) texture: f32,
}

impl Levels {
    pub(super) fn of(photo: &Photo) -> Self {
        let reduced = photo.reduced(SIDE);
        let luma = |p: &[f32; 3]| f32::from(encoded([luminance(*p); 3])[1]) / 257.0;
        let (width, height) = (reduced.width, reduced.height);
        let mut luma = Plane { width, height, values: reduced.pixels.par_iter().map(luma).collect() };
        let mut levels = Vec::new();
        while luma.width.max(luma.height) > COARSEST && luma.width.min(luma.height) > 2 * RADIUS {
            let half = luma.halved();
            levels.push(Level::of(luma));
            luma = half;
        }
        levels.push(Level::of(luma));
        Self(levels)
    }

    /// Mean luma, 0 to 255.
    pub(super) fn brightness(&self) -> f32 {
        let luma = &self.0[self.0.len() - 1].luma.values;
        luma.iter().sum::<f32>() / luma.len() as f32
    }

    fn finest(&self) -> [usize; 2] {
        self.0[0].size()
    }
}

impl Level {
    fn of(luma: Plane) -> Self {
        let (width, height) = (luma.width, luma.height);
        let mean = box_mean(&luma.values, width, height, RADIUS);
        let squares: Vec<f32> = luma.values.iter().map(|v| v * v).collect();
        let squares = box_mean(&squares, width, height, RADIUS);
        let spread: Vec<f32> = squares.iter().zip(&mean).map(|(s, m)| (s - m * m).max(0.0).sqrt()).collect();
        let normal = luma.values.iter().zip(&mean).zip(&spread);
        let normal = normal.map(|((v, m), s)| ((v - m) / (s + NOISE)).clamp(-3.0, 3.0)).collect();
        let usable: Vec<bool> =
            luma.values.iter().zip(&mean).map(|(v, m)| USABLE.contains(v) && USABLE.contains(m)).collect();
        let textured = spread.iter().zip(&usable).map(|(s, u)| *u && *s > TEXTURED).collect();
        Self { luma, normal, usable, textured }
    }

    fn size(&self) -> [usize; 2] {
        [self.luma.width, self.luma.height]
    }

    /// Normalized luma between pixels; none outside and where the nearest pixel is clipped.
    fn at(&self, x: f64, y: f64) -> Option<f32> {
        let [width, height] = self.size();
        if !(x >= 0.0 && y >= 0.0 && x < (width - 1) as f64 && y < (height - 1) as f64) {
            return None;
        }
        let (left, top) = (x as usize, y as usize);
        let (right, down) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let nearest = (top + usize::from(down > 0.5)) * width + left + usize::from(right > 0.5);
        if !self.usable[nearest] {
            return None;
        }
        let i = top * width + left;
        let row = |i: usize| self.normal[i] + right * (self.normal[i + 1] - self.normal[i]);
        Some(row(i) + down * (row(i + width) - row(i)))
    }
}

/// What a map may do: as much as the texture supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Model {
    Shift,
    Turn,
    Homography,
}

impl Model {
    fn parameters(self) -> usize {
        match self {
            Self::Shift => 2,
            Self::Turn => 4,
            Self::Homography => 8,
        }
    }

    /// Derivatives of a point by the parameters, at the identity, times the gradient at the point.
    fn derivatives(self, [u, v]: [f64; 2], [du, dv]: [f64; 2]) -> [f64; 8] {
        match self {
            Self::Shift => [du, dv, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Self::Turn => [du, dv, u * du + v * dv, u * dv - v * du, 0.0, 0.0, 0.0, 0.0],
            Self::Homography => {
                let along = -(u * du + v * dv);
                [du, dv, u * du, v * du, u * dv, v * dv, u * along, v * along]
            }
        }
    }

    fn map(self, p: [f64; 8]) -> Homography {
        match self {
            Self::Shift => Homography([[1.0, 0.0, p[0]], [0.0, 1.0, p[1]], [0.0, 0.0, 1.0]]),
            Self::Turn => Homography([[1.0 + p[2], -p[3], p[0]], [p[3], 1.0 + p[2], p[1]], [0.0, 0.0, 1.0]]),
            Self::Homography => Homography([[1.0 + p[2], p[3], p[0]], [p[4], 1.0 + p[5], p[1]], [p[6], p[7], 1.0]]),
        }
    }
}

/// Coordinates of the pixels of a level; `scale` is the number of pixels of the finest level per pixel, which are those at
/// multiples of it.
#[derive(Clone, Copy)]
struct Grid {
    frame: Frame,
    scale: f64,
}

impl Grid {
    fn point(&self, x: usize, y: usize) -> [f64; 2] {
        self.frame.point([x, y].map(|v| v as f64 * self.scale + 0.5))
    }

    fn pixel(&self, point: [f64; 2]) -> [f64; 2] {
        self.frame.pixel(point).map(|v| (v - 0.5) / self.scale)
    }
}

/// Aligns an exposure with another one.
pub(super) fn align(reference: &Levels, other: &Levels) -> Alignment {
    let size = reference.finest();
    let frame = Frame::of(size);
    let grid = |level: usize| Grid { frame, scale: (1_usize << level) as f64 };
    let texture = texture(reference, other);
    let model = match texture.cells {
        CELLS_OF_A_HOMOGRAPHY.. => Model::Homography,
        CELLS_OF_A_TURN.. => Model::Turn,
        _ => Model::Shift,
    };
    let planes = |levels: &Levels| levels.0.iter().map(|level| level.luma.clone()).collect::<Vec<_>>();
    let shift = threshold_bitmap::shift(&planes(reference), &planes(other));
    let shift = shift.map(|v| v as f64 / frame.unit);
    let longer = |level: usize| reference.0[level].luma.width.max(reference.0[level].luma.height);
    let coarsest = (0..reference.0.len()).rev().find(|level| longer(*level) >= REFINED).unwrap_or(0);
    let compared = (0..=coarsest).rev().find(|level| longer(*level) >= COMPARED).unwrap_or(coarsest);
    let refine = |from: usize, to: usize, mut map: Homography, model: Model| {
        for level in (to..=from).rev() {
            map = refined(&reference.0[level], &other.0[level], grid(level), map, model);
        }
        map
    };
    let coarse = if model == Model::Homography { Model::Turn } else { model };
    let judged = |map: Homography| (correlation(&reference.0[compared], &other.0[compared], grid(compared), &map), map);
    let start = |angle: f64, shift: [f64; 2]| {
        judged(refine(coarsest, compared, Homography::moved(angle.to_radians(), shift), coarse))
    };
    let mut best = judged(Homography::IDENTITY);
    let turns: &[f64] = if model == Model::Shift { &TURNS[..1] } else { &TURNS };
    'starts: for turn in turns {
        for shift in [shift, [0.0; 2]] {
            let found = start(*turn, shift);
            if found.0 > best.0 && is_plausible(&found.1, size) {
                best = found;
            }
            if best.0 > GOOD {
                break 'starts;
            }
        }
    }
    let fine = |model: Model| Some(refine(compared, 0, best.1, model)).filter(|map| is_plausible(map, size));
    let correlated = |map: &Homography| correlation(&reference.0[0], &other.0[0], grid(0), map);
    let mut found = (correlated(&best.1), best.1);
    for map in [fine(coarse), fine(model)].into_iter().flatten() {
        let correlation = correlated(&map);
        if correlation > found.0 {
            found = (correlation, map);
        }
    }
    let still = correlated(&Homography::IDENTITY);
    if found.1.reach(size) < STILL || still > found.0 - STILL_LOSS {
        found = (still, Homography::IDENTITY);
    }
    Alignment { map: found.1, correlation: found.0, texture: texture.share }
}

fn is_plausible(map: &Homography, size: [usize; 2]) -> bool {
    map.reach(size) < 2.0 * MOST_MOVED * size[0].max(size[1]) as f64
}

struct Texture {
    share: f32,
    cells: usize,
}

/// Where both exposures have texture, at about the same place.
fn texture(reference: &Levels, other: &Levels) -> Texture {
    let level = (reference.0.len() - 1).min(2);
    let (a, b) = (&reference.0[level], &other.0[level]);
    let [width, height] = a.size();
    let mut cells = [0_usize; CELLS * CELLS];
    for (i, _) in a.textured.iter().zip(&b.textured).enumerate().filter(|(_, (a, b))| **a && **b) {
        cells[(i / width) * CELLS / height * CELLS + (i % width) * CELLS / width] += 1;
    }
    let all = width * height;
    let least = all / (CELLS * CELLS * 30);
    Texture {
        share: cells.iter().sum::<usize>() as f32 / all as f32,
        cells: cells.iter().filter(|count| **count > least).count(),
    }
}

/// Refines a map on one level.
fn refined(reference: &Level, other: &Level, grid: Grid, mut map: Homography, model: Model) -> Homography {
    let [width, height] = reference.size();
    let step = ((width * height) as f64 / SAMPLES as f64).sqrt().ceil().max(1.0) as usize;
    let unit = grid.frame.unit / grid.scale;
    let count = model.parameters();
    for _ in 0..ROUNDS {
        let rows: Vec<([[f64; 8]; 8], [f64; 8])> = (1..height - 1)
            .into_par_iter()
            .step_by(step)
            .map(|y| {
                let (mut normal, mut right) = ([[0.0; 8]; 8], [0.0; 8]);
                for x in (1..width - 1).step_by(step) {
                    let i = y * width + x;
                    if !reference.textured[i] {
                        continue;
                    }
                    let point = grid.point(x, y);
                    let [u, v] = grid.pixel(map.apply(point));
                    let Some(value) = other.at(u, v) else { continue };
                    let apart = value - reference.normal[i];
                    let weight = f64::from(1.0 / (1.0 + (apart / ROBUST).powi(2)).powi(2));
                    let gradient = [reference.normal[i + 1] - reference.normal[i - 1], {
                        reference.normal[i + width] - reference.normal[i - width]
                    }];
                    let along = model.derivatives(point, gradient.map(|g| f64::from(g) * 0.5 * unit));
                    for r in 0..count {
                        right[r] += weight * along[r] * f64::from(apart);
                        (0..=r).for_each(|c| normal[r][c] += weight * along[r] * along[c]);
                    }
                }
                (normal, right)
            })
            .collect();
        let (mut normal, mut right) = ([[0.0; 8]; 8], [0.0; 8]);
        for (n, r) in &rows {
            for i in 0..count {
                right[i] += r[i];
                (0..=i).for_each(|j| normal[i][j] += n[i][j]);
            }
        }
        let Some(change) = solve(normal, right, count) else { break };
        let Some(back) = model.map(change).inverse() else { break };
        map = map.after(&back);
        if back.reach([2 * unit as usize, 2 * unit as usize]) < 0.003 {
            break;
        }
    }
    map
}

/// Solves symmetric normal equations, given by their lower triangle, by Cholesky's method; none if they are singular.
fn solve(mut a: [[f64; 8]; 8], mut b: [f64; 8], count: usize) -> Option<[f64; 8]> {
    for r in 0..count {
        a[r][r] *= 1.0 + 1e-6;
        for c in 0..=r {
            let sum: f64 = (0..c).map(|k| a[r][k] * a[c][k]).sum();
            if r == c {
                let square = a[r][r] - sum;
                if square.is_nan() || square <= 1e-9 {
                    return None;
                }
                a[r][r] = square.sqrt();
            } else {
                a[r][c] = (a[r][c] - sum) / a[c][c];
            }
        }
        let sum: f64 = (0..r).map(|k| a[r][k] * b[k]).sum();
        b[r] = (b[r] - sum) / a[r][r];
    }
    for r in (0..count).rev() {
        let sum: f64 = (r + 1..count).map(|k| a[k][r] * b[k]).sum();
        b[r] = (b[r] - sum) / a[r][r];
    }
    Some(b)
}

/// Correlation of two normalized pictures where the reference has texture.
fn correlation(reference: &Level, other: &Level, grid: Grid, map: &Homography) -> f32 {
    let [width, height] = reference.size();
    let step = ((width * height) as f64 / SAMPLES as f64).sqrt().ceil().max(1.0) as usize;
    let rows: Vec<[f64; 3]> = (0..height)
        .into_par_iter()
        .step_by(step)
        .map(|y| {
            let mut sums = [0.0; 3];
            for x in (0..width).step_by(step) {
                let i = y * width + x;
                if !reference.textured[i] {
                    continue;
                }
                let [u, v] = grid.pixel(map.apply(grid.point(x, y)));
                let Some(value) = other.at(u, v) else { continue };
                let (a, b) = (f64::from(reference.normal[i]), f64::from(value));
                sums = [sums[0] + a * b, sums[1] + a * a, sums[2] + b * b];
            }
            sums
        })
        .collect();
    let [product, own, others] = [0, 1, 2].map(|i| rows.iter().map(|row| row[i]).sum::<f64>());
    // Where almost nothing is compared, nothing correlates.
    let least = 0.0005 * (width * height) as f64 / (step * step) as f64;
    (product / (own.max(least) * others.max(least)).sqrt()) as f32
}
