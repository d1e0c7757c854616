//! Guided filter of a plane by itself (He, Sun and Tang 2013), as coefficients that a larger picture can use (He and
//! Sun 2015): the base is `a * value + b`, smooth where the plane is, with edges where it has edges.

use rayon::prelude::*;

/// Coefficients of the base at each pixel of the reduced plane.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) coefficients: Vec<[f32; 2]>,
}

impl Base {
    /// Filters a plane with a window of `radius` pixels; differences well under the root of `epsilon` are smoothed.
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
        Self { width, height, coefficients: a.into_iter().zip(b).map(|(a, b)| [a, b]).collect() }
    }

    /// Coefficients between the pixels of one row, for a picture `width` pixels across.
    pub(crate) fn row(&self, y: usize, of_height: usize, of_width: usize) -> Vec<[f32; 2]> {
        let mut row = vec![[0.0; 2]; of_width];
        self.enlarged(of_width, of_height).row(y, &mut row);
        row
    }

    /// As the base of a picture of another size.
    pub(crate) fn enlarged(&self, width: usize, height: usize) -> Enlarged<'_> {
        Enlarged { base: self, height, columns: (0..width).map(|x| between(x, width, self.width)).collect() }
    }
}

/// A base for a picture of another size, its columns' places known.
pub(crate) struct Enlarged<'a> {
    base: &'a Base,
    height: usize,
    columns: Vec<(usize, usize, f32)>,
}

impl Enlarged<'_> {
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
        let row = |y: usize| &self.base.coefficients[y * self.base.width..(y + 1) * self.base.width];
        row(y0).iter().zip(row(y1)).map(|(a, b)| mixed(*a, *b, v)).collect()
    }
}

/// A plane by which others are filtered (He, Sun and Tang 2013, with one guide).
pub(crate) struct Guide<'a> {
    plane: &'a [f32],
    mean: Vec<f32>,
    variance: Vec<f32>,
    width: usize,
    height: usize,
    radius: usize,
    epsilon: f32,
}

impl<'a> Guide<'a> {
    pub(crate) fn new(plane: &'a [f32], width: usize, height: usize, radius: usize, epsilon: f32) -> Self {
        let mean = box_mean(plane, width, height, radius);
        let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
        let square = box_mean(&squares, width, height, radius);
        let variance = square.iter().zip(&mean).map(|(s, m)| (s - m * m).max(0.0)).collect();
        Self { plane, mean, variance, width, height, radius, epsilon }
    }

    /// A plane, smoothed but for the guide's edges.
    pub(crate) fn filtered(&self, of: &[f32]) -> Vec<f32> {
        let coefficients = self.coefficients(of);
        coefficients.iter().zip(self.plane).map(|([a, b], v)| a * v + b).collect()
    }

    /// The filter as `a * guide + b` at each pixel, which a larger guide can use.
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

/// The two samples of `to` round the centre of pixel `at` of `of`, and the share of the second.
fn between(at: usize, of: usize, to: usize) -> (usize, usize, f32) {
    let place = ((at as f32 + 0.5) * to as f32 / of as f32 - 0.5).clamp(0.0, (to - 1) as f32);
    let first = place as usize;
    (first, (first + 1).min(to - 1), place - first as f32)
}

fn mixed(a: [f32; 2], b: [f32; 2], share: f32) -> [f32; 2] {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// Mean over a square window, cut at the borders.
pub(crate) fn box_mean(plane: &[f32], width: usize, height: usize, radius: usize) -> Vec<f32> {
    let mut across = vec![0.0; plane.len()];
    across.par_chunks_mut(width).zip(plane.par_chunks(width)).for_each(|(out, row)| {
        running(width, radius, |i| row[i], |i, mean| out[i] = mean);
    });
    let mut down = vec![0.0; plane.len()];
    // In double precision, columns side by side, so that memory is walked in order.
    let mut sums = vec![0.0_f64; width];
    let add = |sums: &mut [f64], y: usize, sign: f64| {
        sums.iter_mut().zip(&across[y * width..(y + 1) * width]).for_each(|(s, v)| *s += sign * f64::from(*v));
    };
    (0..radius.min(height)).for_each(|y| add(&mut sums, y, 1.0));
    for y in 0..height {
        if y + radius < height {
            add(&mut sums, y + radius, 1.0);
        }
        if y > radius {
            add(&mut sums, y - radius - 1, -1.0);
        }
        let count = ((y + radius + 1).min(height) - y.saturating_sub(radius)) as f64;
        let row = &mut down[y * width..(y + 1) * width];
        row.iter_mut().zip(&sums).for_each(|(out, s)| *out = (s / count) as f32);
    }
    down
}

fn running(length: usize, radius: usize, value: impl Fn(usize) -> f32, mut put: impl FnMut(usize, f32)) {
    let mut sum: f64 = (0..radius.min(length)).map(|i| f64::from(value(i))).sum();
    for i in 0..length {
        if i + radius < length {
            sum += f64::from(value(i + radius));
        }
        if i > radius {
            sum -= f64::from(value(i - radius - 1));
        }
        let count = (i + radius + 1).min(length) - i.saturating_sub(radius);
        put(i, (sum / count as f64) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_window_is_that_of_its_pixels() {
        let (width, height, radius) = (7, 5, 2);
        let plane: Vec<f32> = (0..width * height).map(|i| ((i * 37) % 11) as f32).collect();
        let means = box_mean(&plane, width, height, radius);
        for y in 0..height {
            for x in 0..width {
                let (mut sum, mut count) = (0.0, 0.0);
                for v in y.saturating_sub(radius)..(y + radius + 1).min(height) {
                    for u in x.saturating_sub(radius)..(x + radius + 1).min(width) {
                        sum += plane[v * width + u];
                        count += 1.0;
                    }
                }
                assert!((means[y * width + x] - sum / count).abs() < 1e-4, "at {x}, {y}");
            }
        }
    }
}
