//! Searches scale and position by FFT correlation, over the scales that cropping or adding a frame can produce.

use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

use super::affine::Affine;
use super::level::downscaled;
use crate::picture::Plane;

/// Side of the transform; large enough for both pictures side by side.
const SIDE: usize = 256;
/// Longer side of the downscaled annotated picture.
const DOWNSCALED: usize = 120;
/// Ratio between successive scales.
const STEP: f64 = 1.012;

/// The scale and shift at which the two pictures correlate best.
pub(super) fn search(a: &Plane, c: &Plane) -> Option<Affine> {
    let down = (a.width.max(a.height) as f64 / DOWNSCALED as f64).max(1.0);
    let small = downscaled(a, down);
    let down = a.width as f64 / small.width as f64;
    let transform = Transform::new();
    let of_annotated = transform.forward(&small.normalized(4));

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
            let (score, dx, dy) = transform.peak(&of_annotated, &reduced.normalized(4), &small);
            if best.is_none_or(|(b, _)| score > b) {
                // Downscaled annotated pixel p is at p + d on the downscaled clean picture.
                let map = Affine::scaling(sx / down, sy / down, dx * sx, dy * sy);
                best = Some((score, map));
            }
        }
        scale *= STEP;
    }
    best.map(|(_, map)| map)
}

struct Transform {
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
}

impl Transform {
    fn new() -> Self {
        let mut planner = FftPlanner::new();
        Self { forward: planner.plan_fft_forward(SIDE), inverse: planner.plan_fft_inverse(SIDE) }
    }

    fn forward(&self, plane: &Plane) -> Vec<Complex32> {
        let mut values = vec![Complex32::default(); SIDE * SIDE];
        for (row, out) in plane.values.chunks_exact(plane.width).zip(values.chunks_exact_mut(SIDE)) {
            for (v, out) in row.iter().zip(out) {
                out.re = *v;
            }
        }
        run(self.forward.as_ref(), &mut values);
        values
    }

    /// The highest correlation, and its shift from the annotated to the clean picture.
    fn peak(&self, annotated: &[Complex32], clean: &Plane, small: &Plane) -> (f32, f64, f64) {
        let mut product = self.forward(clean);
        for (c, a) in product.iter_mut().zip(annotated) {
            *c *= a.conj();
        }
        run(self.inverse.as_ref(), &mut product);
        let signed = |v: usize, positive: usize| if v < positive { v as f64 } else { v as f64 - SIDE as f64 };
        let (mut score, mut shift) = (0.0, (0.0, 0.0));
        for (i, value) in product.iter().enumerate() {
            let (dx, dy) = (signed(i % SIDE, clean.width), signed(i / SIDE, clean.height));
            let overlap = |d: f64, a: usize, c: usize| (d + a as f64).min(c as f64) - d.max(0.0);
            let (w, h) = (overlap(dx, small.width, clean.width), overlap(dy, small.height, clean.height));
            // At least half of the annotated picture must overlap the clean one.
            if w.max(0.0) * h.max(0.0) < 0.5 * (small.width * small.height) as f64 {
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
fn run(fft: &dyn Fft<f32>, values: &mut [Complex32]) {
    for _ in 0..2 {
        fft.process(values);
        for y in 0..SIDE {
            for x in 0..y {
                values.swap(y * SIDE + x, x * SIDE + y);
            }
        }
    }
}
