//! Guided filter (He, Sun and Tang 2013) with linear coefficients that can be applied to a larger image (fast guided filter, He
//! and Sun 2015): the result is `a * guide + b`, smooth where the guide is, with edges where it has edges.

use crate::box_mean;

/// Coefficients `[a, b]` at each pixel of a reduced image.
#[derive(Debug, Clone)]
pub(crate) struct Coefficients {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<[f32; 2]>,
}

impl Coefficients {
    /// Filters a plane by itself; contrast well below the square root of `epsilon` is smoothed.
    pub(crate) fn of(plane: &[f32], width: usize, height: usize, radius: usize, epsilon: f32) -> Self {
        let mean = box_mean(plane, width, height, radius);
        let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
        let square = box_mean(&squares, width, height, radius);
        let (mut a, mut b) = (vec![0.0; plane.len()], vec![0.0; plane.len()]);
        for i in 0..plane.len() {
            let variance = (square[i] - mean[i] * mean[i]).max(0.0);
            a[i] = variance / (variance + epsilon);
            b[i] = mean[i] * (1.0 - a[i]);
        }
        let (a, b) = (box_mean(&a, width, height, radius), box_mean(&b, width, height, radius));
        Self { width, height, values: a.into_iter().zip(b).map(|(a, b)| [a, b]).collect() }
    }

    /// Coefficients of one row, interpolated to an image of another size.
    pub(crate) fn row(&self, y: usize, of_height: usize, of_width: usize) -> Vec<[f32; 2]> {
        let mut row = vec![[0.0; 2]; of_width];
        self.resampled(of_width, of_height).row(y, &mut row);
        row
    }

    /// Interpolates to an image of another size.
    pub(crate) fn resampled(&self, width: usize, height: usize) -> Resampled<'_> {
        Resampled { base: self, height, columns: (0..width).map(|x| between(x, width, self.width)).collect() }
    }
}

/// Coefficients interpolated to another size.
pub(crate) struct Resampled<'a> {
    base: &'a Coefficients,
    height: usize,
    columns: Vec<(usize, usize, f32)>,
}

impl Resampled<'_> {
    /// Coefficients at each pixel of one row.
    pub(crate) fn row(&self, y: usize, out: &mut [[f32; 2]]) {
        let line = self.line(y);
        for (out, (x0, x1, u)) in out.iter_mut().zip(&self.columns) {
            *out = mixed(line[*x0], line[*x1], *u);
        }
    }

    /// Coefficients at every `step`th pixel of one row.
    pub(crate) fn every(&self, y: usize, step: usize) -> impl Iterator<Item = [f32; 2]> {
        let line = self.line(y);
        self.columns.iter().step_by(step).map(move |(x0, x1, u)| mixed(line[*x0], line[*x1], *u))
    }

    fn line(&self, y: usize) -> Vec<[f32; 2]> {
        let (y0, y1, v) = between(y, self.height, self.base.height);
        let row = |y: usize| &self.base.values[y * self.base.width..(y + 1) * self.base.width];
        row(y0).iter().zip(row(y1)).map(|(a, b)| mixed(*a, *b, v)).collect()
    }
}

/// Filter with a guide plane, whose statistics are computed once.
pub(crate) struct GuidedFilter<'a> {
    plane: &'a [f32],
    mean: Vec<f32>,
    variance: Vec<f32>,
    width: usize,
    height: usize,
    radius: usize,
    epsilon: f32,
}

impl<'a> GuidedFilter<'a> {
    pub(crate) fn new(plane: &'a [f32], width: usize, height: usize, radius: usize, epsilon: f32) -> Self {
        let mean = box_mean(plane, width, height, radius);
        let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
        let square = box_mean(&squares, width, height, radius);
        let variance = square.iter().zip(&mean).map(|(s, m)| (s - m * m).max(0.0)).collect();
        Self { plane, mean, variance, width, height, radius, epsilon }
    }

    /// Smooths a plane, preserving the guide's edges.
    pub(crate) fn filtered(&self, of: &[f32]) -> Vec<f32> {
        let coefficients = self.coefficients(of);
        coefficients.iter().zip(self.plane).map(|([a, b], v)| a * v + b).collect()
    }

    /// Coefficients `[a, b]` of the result `a * guide + b` at each pixel.
    pub(crate) fn coefficients(&self, of: &[f32]) -> Vec<[f32; 2]> {
        let window = |plane: &[f32]| box_mean(plane, self.width, self.height, self.radius);
        let products: Vec<f32> = of.iter().zip(self.plane).map(|(o, v)| o * v).collect();
        let (mean, product) = (window(of), window(&products));
        let (mut a, mut b) = (vec![0.0; of.len()], vec![0.0; of.len()]);
        for i in 0..of.len() {
            a[i] = (product[i] - mean[i] * self.mean[i]) / (self.variance[i] + self.epsilon);
            b[i] = mean[i] - a[i] * self.mean[i];
        }
        window(&a).into_iter().zip(window(&b)).map(|(a, b)| [a, b]).collect()
    }
}

/// The two of `to` samples around the center of pixel `at` of `of`, and the weight of the second.
fn between(at: usize, of: usize, to: usize) -> (usize, usize, f32) {
    let place = ((at as f32 + 0.5) * to as f32 / of as f32 - 0.5).clamp(0.0, (to - 1) as f32);
    let first = place as usize;
    (first, (first + 1).min(to - 1), place - first as f32)
}

fn mixed(a: [f32; 2], b: [f32; 2], share: f32) -> [f32; 2] {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}
