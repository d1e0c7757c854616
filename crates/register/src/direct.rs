//! Direct alignment of two pictures: least squares on lightness whose contrast is normalized locally, which looks alike at every exposure
//! (inverse compositional: Baker and Matthews 2004).

use std::ops::Range;

use aerie_math::linear;
use rayon::prelude::*;

use crate::{Frame, Homography, Plane};

/// Radius of the neighborhood whose contrast is normalized, in pixels.
const RADIUS: usize = 6;
/// Standard deviation that counts as noise, of 255.
const NOISE: f32 = 2.5;
/// Minimum standard deviation of a neighborhood with texture, of 255.
const MIN_TEXTURE: f32 = 4.0;
/// Difference of normalized lightness from which a pixel loses weight.
const ROBUST: f32 = 0.6;
/// Maximum number of pixels that are compared.
const MAX_SAMPLES: usize = 200_000;
/// Maximum number of steps.
const MAX_ROUNDS: usize = 20;
/// Motion of a corner below which the map is found, in pixels.
const STILL: f64 = 0.003;

/// A picture at one size.
pub struct Level {
    /// Lightness, 0 to 255.
    pub luma: Plane,
    /// Converts pixels, counted from the center of the first, to points.
    frame: Frame,
    /// Lightness of normalized contrast, -3 to 3.
    pub normal: Plane,
    /// Pixels that are neither clipped nor crushed.
    usable: Vec<bool>,
    /// Usable pixels with texture.
    pub textured: Vec<bool>,
}

/// The motions that a map may be composed of: as many as the texture supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warp {
    /// Shift.
    Shift,
    /// Shift, rotation and scale.
    Similarity,
    /// Shift and scale across and down.
    Scaling,
    /// Affine map.
    Affine,
    /// Homography.
    Homography,
}

impl Warp {
    /// Derivatives of a point by the parameters, at the identity, times the gradient at the point.
    fn derivatives(self, [u, v]: [f64; 2], [du, dv]: [f64; 2]) -> [f64; 8] {
        let along = -(u * du + v * dv);
        match self {
            Self::Shift => [du, dv, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Self::Similarity => [du, dv, -along, u * dv - v * du, 0.0, 0.0, 0.0, 0.0],
            Self::Scaling => [du, dv, u * du, v * dv, 0.0, 0.0, 0.0, 0.0],
            Self::Affine => [du, dv, u * du, v * du, u * dv, v * dv, 0.0, 0.0],
            Self::Homography => [du, dv, u * du, v * du, u * dv, v * dv, u * along, v * along],
        }
    }

    fn map(self, [x, y, a, b, c, d, e, f]: [f64; 8]) -> Homography {
        match self {
            Self::Similarity => Homography::affine([1.0 + a, -b, x, b, 1.0 + a, y]),
            Self::Scaling => Homography::affine([1.0 + a, 0.0, x, 0.0, 1.0 + b, y]),
            Self::Shift | Self::Affine | Self::Homography => {
                Homography([[1.0 + a, b, x], [c, 1.0 + d, y], [e, f, 1.0]])
            }
        }
    }
}

impl Level {
    /// Normalizes the contrast of a picture. Pixels outside `usable`, of 255, are clipped or crushed.
    #[must_use]
    pub fn of(luma: Plane, frame: Frame, usable: &Range<f32>) -> Self {
        let mean = luma.box_mean(RADIUS).values;
        let squares = Plane { values: luma.values.iter().map(|v| v * v).collect(), ..luma };
        let squares = squares.box_mean(RADIUS).values;
        let spread: Vec<f32> = squares.iter().zip(&mean).map(|(s, m)| (s - m * m).max(0.0).sqrt()).collect();
        let normal = luma.values.iter().zip(&mean).zip(&spread);
        let normal = normal.map(|((v, m), s)| ((v - m) / (s + NOISE)).clamp(-3.0, 3.0)).collect();
        let usable: Vec<bool> =
            luma.values.iter().zip(&mean).map(|(v, m)| usable.contains(v) && usable.contains(m)).collect();
        let textured = spread.iter().zip(&usable).map(|(s, u)| *u && *s > MIN_TEXTURE).collect();
        Self { normal: Plane { values: normal, ..luma }, luma, frame, usable, textured }
    }

    /// The levels of a picture, each half the size of the one before, until the longer side is `coarsest` pixels or less.
    #[must_use]
    pub fn pyramid(mut luma: Plane, coarsest: usize, usable: &Range<f32>) -> Vec<Self> {
        let frame = Frame::of(luma.size());
        let mut levels = Vec::new();
        loop {
            let step = (1_usize << levels.len()) as f64;
            let is_last = luma.width.max(luma.height) <= coarsest || luma.width.min(luma.height) <= 2 * RADIUS;
            let half = luma.halved();
            levels.push(Self::of(luma, frame.copy([0.5; 2], [step; 2]), usable));
            if is_last {
                return levels;
            }
            luma = half;
        }
    }

    /// Normalized lightness between pixels; `None` outside and where the nearest pixel is clipped.
    fn at(&self, [x, y]: [f64; 2]) -> Option<f32> {
        let [width, height] = self.luma.size();
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
        let row = |i: usize| self.normal.values[i] + right * (self.normal.values[i + 1] - self.normal.values[i]);
        Some(row(i) + down * (row(i + width) - row(i)))
    }

    /// Returns sums over the textured pixels that both pictures show: `add` receives the sums, a pixel, its point, and the values of both.
    /// The first pixel that is compared is `first`, 1 or more, from the left and from the top.
    fn sums<const N: usize>(
        &self,
        other: &Self,
        map: &Homography,
        first: usize,
        add: impl Fn(&mut [f64; N], usize, [f64; 2], [f32; 2]) + Sync,
    ) -> [f64; N] {
        let [width, height] = self.luma.size();
        let step = self.step();
        let rows: Vec<[f64; N]> = (first..height.max(first + 1) - 1)
            .into_par_iter()
            .step_by(step)
            .map(|y| {
                let mut sums = [0.0; N];
                for x in (first..width.max(first + 1) - 1).step_by(step) {
                    let i = y * width + x;
                    if !self.textured[i] {
                        continue;
                    }
                    let point = self.frame.point([x as f64, y as f64]);
                    let Some(value) = other.at(other.frame.pixel(map.apply(point))) else { continue };
                    add(&mut sums, i, point, [self.normal.values[i], value]);
                }
                sums
            })
            .collect();
        std::array::from_fn(|i| rows.iter().map(|row| row[i]).sum())
    }

    /// Distance of the pixels that are compared.
    fn step(&self) -> usize {
        (self.luma.values.len() as f64 / MAX_SAMPLES as f64).sqrt().ceil().max(1.0) as usize
    }

    /// Refines the map from points of this picture to points of another one.
    #[must_use]
    pub fn refined(&self, other: &Self, mut map: Homography, warp: Warp) -> Homography {
        let (width, unit) = (self.luma.width, self.frame.unit);
        let square = Frame { center: unit, unit };
        for _ in 0..MAX_ROUNDS {
            // The lower triangle of the normal equations, then their right side.
            let sums: [f64; 44] = self.sums(other, &map, 1, |sums, i, point, [own, value]| {
                let apart = value - own;
                let weight = f64::from(1.0 / (1.0 + (apart / ROBUST).powi(2)).powi(2));
                let normal = &self.normal.values;
                let gradient = [normal[i + 1] - normal[i - 1], normal[i + width] - normal[i - width]];
                let along = warp.derivatives(point, [0, 1].map(|axis| 0.5 * unit[axis] * f64::from(gradient[axis])));
                let mut at = 0;
                for row in 0..8 {
                    sums[36 + row] += weight * along[row] * f64::from(apart);
                    for column in 0..=row {
                        sums[at] += weight * along[row] * along[column];
                        at += 1;
                    }
                }
            });
            let entry = |row: usize, column: usize| sums[row.max(column) * (row.max(column) + 1) / 2 + row.min(column)];
            let normal: [[f64; 8]; 8] = std::array::from_fn(|row| {
                std::array::from_fn(|column| match entry(row, column) {
                    // Parameters that the warp does not have stay 0.
                    0.0 if row == column => 1.0,
                    sum if row == column => sum * (1.0 + 1e-6),
                    sum => sum,
                })
            });
            let right = std::array::from_fn(|i| sums[36 + i]);
            let Some(change) = linear::solve(normal, right, 1e-9) else { break };
            let Some(back) = warp.map(change).inverse() else { break };
            let moved = back.reach(&square);
            // A large step means that the fit diverged.
            if moved.is_nan() || moved > unit[0] {
                break;
            }
            map = map.after(&back);
            if moved < STILL {
                break;
            }
        }
        map
    }
}

/// Correlation of two pictures where the first has texture, -1 to 1.
#[must_use]
pub fn correlation(reference: &Level, other: &Level, map: &Homography) -> f32 {
    // Not the pixels that a map is refined on, which would favor maps of more parameters.
    let first = reference.step();
    let [product, own, others] = reference.sums(other, map, first, |sums, _, _, values| {
        let [a, b] = values.map(f64::from);
        sums.iter_mut().zip([a * b, a * a, b * b]).for_each(|(sum, value)| *sum += value);
    });
    // Where almost nothing is compared, nothing correlates.
    let least = 0.0005 * reference.luma.values.len() as f64 / reference.step().pow(2) as f64;
    (product / (own.max(least) * others.max(least)).sqrt()) as f32
}
