//! Searches scale and position by FFT correlation, over the scales that cropping or adding a frame can produce, and over
//! small rotations.

use rustfft::algorithm::Radix4;
use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftDirection};

use super::affine::Affine;
use super::level::downscaled;
use crate::picture::Plane;

/// Side of the transform; large enough for both pictures side by side.
const SIDE: usize = 256;
/// Longer side of the downscaled annotated picture.
const DOWNSCALED: usize = 120;
/// Ratio between successive scales.
const STEP: f64 = 1.012;
/// The same where rotations are searched, too.
const ROTATED_STEP: f64 = 1.024;
/// Sines of rotations: 1.2 and 2.4 degrees to each side. Refinement reaches a degree farther.
const ROTATIONS: [f64; 4] = [-0.042, -0.021, 0.021, 0.042];

/// The scale and shift at which the two pictures correlate best.
pub(super) fn search(a: &Plane, c: &Plane) -> Option<Affine> {
    correlate(a, c, &[0.0], STEP)
}

/// The rotation, scale and shift at which the two pictures correlate best.
pub(super) fn search_rotated(a: &Plane, c: &Plane) -> Option<Affine> {
    correlate(a, c, &ROTATIONS, ROTATED_STEP)
}

fn correlate(a: &Plane, c: &Plane, rotations: &[f64], step: f64) -> Option<Affine> {
    let down = (a.width.max(a.height) as f64 / DOWNSCALED as f64).max(1.0);
    let small = downscaled(a, down);
    let down = a.width as f64 / small.width as f64;
    let transform = Transform::new();
    let turned: Vec<(Affine, Vec<Complex32>)> = rotations
        .iter()
        .map(|sine| {
            let turn = rotation(*sine, small.width, small.height);
            (turn, transform.forward(&rotated(&small, &turn).normalized(4)))
        })
        .collect();

    // Clean pixels per annotated pixel. The annotated picture may be cropped, or have a frame around it.
    let (across, along) = (c.width as f64 / a.width as f64, c.height as f64 / a.height as f64);
    let (low, high) = (0.55 * across.min(along), 1.25 * across.max(along));
    let mut best: Option<(f32, Affine)> = None;
    let mut scale = low;
    while scale <= high {
        let reduced = downscaled(c, (scale * down).max(1.0));
        let (sx, sy) = (c.width as f64 / reduced.width as f64, c.height as f64 / reduced.height as f64);
        // A larger picture would wrap around.
        if reduced.width <= SIDE && reduced.height <= SIDE {
            let of_clean = transform.forward(&reduced.normalized(4));
            for (turn, of_annotated) in &turned {
                let (score, dx, dy) = transform.peak(of_annotated, of_clean.clone(), &reduced, &small);
                if best.is_none_or(|(b, _)| score > b) {
                    // Downscaled annotated pixel p is, turned, at p + d on the downscaled clean picture.
                    let map = Affine::scaling(sx, sy, dx * sx, dy * sy);
                    let shrink = Affine::scaling(1.0 / down, 1.0 / down, 0.0, 0.0);
                    best = Some((score, map.after(turn).after(&shrink)));
                }
            }
        }
        scale *= step;
    }
    best.map(|(_, map)| map)
}

/// The rotation about the middle of a picture, clockwise on screen.
fn rotation(sin: f64, width: usize, height: usize) -> Affine {
    let cos = (1.0 - sin * sin).sqrt();
    let [x, y] = [0.5 * width as f64, 0.5 * height as f64];
    Affine([cos, -sin, x - cos * x + sin * y, sin, cos, y - sin * x - cos * y])
}

/// A picture turned by a map, clamped at its edge.
fn rotated(plane: &Plane, turn: &Affine) -> Plane {
    let Some(back) = turn.inverse() else { return plane.clone() };
    let at = |i: usize| {
        let [x, y] = back.map([(i % plane.width) as f64 + 0.5, (i / plane.width) as f64 + 0.5]);
        plane.linear(x as f32, y as f32)
    };
    Plane::new(plane.width, plane.height, (0..plane.values.len()).map(at).collect())
}

/// The transforms of this one size. The crate's planner would bring every algorithm for every size, which take longer to compile than
/// the rest of this crate.
struct Transform {
    forward: Radix4<f32>,
    inverse: Radix4<f32>,
}

impl Transform {
    fn new() -> Self {
        Self { forward: Radix4::new(SIDE, FftDirection::Forward), inverse: Radix4::new(SIDE, FftDirection::Inverse) }
    }

    fn forward(&self, plane: &Plane) -> Vec<Complex32> {
        let mut values = vec![Complex32::default(); SIDE * SIDE];
        for (row, out) in plane.values.chunks_exact(plane.width).zip(values.chunks_exact_mut(SIDE)) {
            for (v, out) in row.iter().zip(out) {
                out.re = *v;
            }
        }
        run(&self.forward, &mut values);
        values
    }

    /// The highest correlation, and its shift from the annotated to the clean picture.
    fn peak(
        &self,
        annotated: &[Complex32],
        mut product: Vec<Complex32>,
        clean: &Plane,
        small: &Plane,
    ) -> (f32, f64, f64) {
        for (c, a) in product.iter_mut().zip(annotated) {
            *c *= a.conj();
        }
        run(&self.inverse, &mut product);
        let signed = |v: usize, positive: usize| if v < positive { v as f64 } else { v as f64 - SIDE as f64 };
        let (mut score, mut shift) = (0.0, (0.0, 0.0));
        for (i, value) in product.iter().enumerate() {
            let (dx, dy) = (signed(i % SIDE, clean.width), signed(i / SIDE, clean.height));
            let overlap = |d: f64, a: usize, c: usize| (d + a as f64).min(c as f64) - d.max(0.0);
            let (w, h) = (overlap(dx, small.width, clean.width), overlap(dy, small.height, clean.height));
            // At least half of either picture must overlap the other: a screenshot may show more than the picture.
            let least = (small.width * small.height).min(clean.width * clean.height) as f64;
            if w.max(0.0) * h.max(0.0) < 0.5 * least.max(0.6 * (small.width * small.height) as f64) {
                continue;
            }
            let value = value.re / (SIDE * SIDE) as f32 / (w * h) as f32;
            if value > score {
                (score, shift) = (value, (dx, dy));
            }
        }
        (score, shift.0, shift.1)
    }
}

/// Transforms rows and transposes, twice: a two-dimensional transform in the original orientation.
fn run(fft: &Radix4<f32>, values: &mut [Complex32]) {
    for _ in 0..2 {
        fft.process(values);
        for y in 0..SIDE {
            for x in 0..y {
                values.swap(y * SIDE + x, x * SIDE + y);
            }
        }
    }
}
