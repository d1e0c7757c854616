//! Pictures and resampling.
//!
//! Positions are continuous: the first pixel covers 0 to 1, its center is at 0.5.

use aerie_register::Plane;

/// An sRGB picture with 8 bits per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green, blue, row by row from the top left.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Creates a picture from `width * height` pixels.
    ///
    /// # Panics
    /// If the number of pixels does not match.
    #[must_use]
    pub fn new(width: usize, height: usize, pixels: Vec<[u8; 3]>) -> Self {
        assert_eq!(pixels.len(), width * height, "number of pixels");
        Self { width, height, pixels }
    }

    /// Creates a picture from `width * height` pixels with 16 bits per channel.
    ///
    /// # Panics
    /// If the number of pixels does not match.
    #[must_use]
    pub fn of_16_bits(width: usize, height: usize, pixels: &[[u16; 3]]) -> Self {
        Self::new(width, height, pixels.iter().map(|pixel| pixel.map(|v| (v / 257) as u8)).collect())
    }

    /// Converts to values of 0 to 255, resized by area average.
    pub(crate) fn image(&self, width: usize, height: usize) -> Image {
        resized((self.width, self.height), (width, height), |i| self.pixels[i].map(f32::from))
    }
}

/// An sRGB picture of floats. Values may leave 0 to 255.
#[derive(Debug, Clone)]
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<[f32; 3]>,
}

impl Image {
    /// Resizes by area average; when enlarging, each pixel is spread over its area.
    pub(crate) fn resized(&self, width: usize, height: usize) -> Self {
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        resized((self.width, self.height), (width, height), |i| self.values[i])
    }

    /// Samples by cubic (Catmull-Rom) interpolation, clamped at the edge.
    pub(crate) fn cubic(&self, x: f32, y: f32) -> [f32; 3] {
        let (x, y) = (x - 0.5, y - 0.5);
        let (i, j) = (x.floor(), y.floor());
        let (wx, wy) = (catmull_rom(x - i), catmull_rom(y - j));
        let (i, j) = (i as isize - 1, j as isize - 1);
        let mut sum = [0.0; 3];
        for (v, wy) in wy.iter().enumerate() {
            let row = (j + v as isize).clamp(0, self.height as isize - 1) as usize * self.width;
            for (u, wx) in wx.iter().enumerate() {
                let column = (i + u as isize).clamp(0, self.width as isize - 1) as usize;
                let p = self.values[row + column];
                (0..3).for_each(|c| sum[c] += wx * wy * p[c]);
            }
        }
        sum
    }

    /// BT.601 luma, which drawing tools and JPEG preserve best.
    pub(crate) fn luma(&self) -> Plane {
        let values = self.values.iter().map(|p| 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]).collect();
        Plane { width: self.width, height: self.height, values }
    }

    /// One channel.
    pub(crate) fn channel(&self, channel: usize) -> Plane {
        let values = self.values.iter().map(|p| p[channel]).collect();
        Plane { width: self.width, height: self.height, values }
    }
}

/// Resizes by area average.
pub(crate) fn resized(from: (usize, usize), to: (usize, usize), pixel: impl Fn(usize) -> [f32; 3]) -> Image {
    let (width, height) = to;
    if from == to {
        return Image { width, height, values: (0..width * height).map(pixel).collect() };
    }
    let columns = spans(from.0, width);
    let mut across = vec![[0.0_f32; 3]; width * from.1];
    for (y, out) in across.chunks_exact_mut(width).enumerate() {
        for (span, out) in columns.iter().zip(out) {
            for (i, weight) in span.weights.iter().enumerate() {
                let p = pixel(y * from.0 + span.first + i);
                (0..3).for_each(|c| out[c] += weight * p[c]);
            }
        }
    }
    let mut values = vec![[0.0_f32; 3]; width * height];
    for (span, out) in spans(from.1, height).iter().zip(values.chunks_exact_mut(width)) {
        for (i, weight) in span.weights.iter().enumerate() {
            let row = &across[(span.first + i) * width..][..width];
            for (p, out) in row.iter().zip(out.iter_mut()) {
                (0..3).for_each(|c| out[c] += weight * p[c]);
            }
        }
    }
    Image { width, height, values }
}

fn catmull_rom(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [0.5 * (-t3 + 2.0 * t2 - t), 0.5 * (3.0 * t3 - 5.0 * t2 + 2.0), 0.5 * (-3.0 * t3 + 4.0 * t2 + t), 0.5 * (t3 - t2)]
}

/// The source pixels and their weights for one target pixel, in one dimension.
struct Span {
    first: usize,
    weights: Vec<f32>,
}

fn spans(from: usize, to: usize) -> Vec<Span> {
    let scale = from as f64 / to as f64;
    (0..to)
        .map(|i| {
            let (low, high) = (i as f64 * scale, (i + 1) as f64 * scale);
            let first = (low.floor() as usize).min(from - 1);
            let last = ((high.ceil() as usize).max(first + 1)).min(from);
            let covered = |p: usize| (high.min((p + 1) as f64) - low.max(p as f64)).max(0.0);
            let total: f64 = (first..last).map(covered).sum();
            let weights = (first..last).map(|p| (covered(p) / total) as f32).collect();
            Span { first, weights }
        })
        .collect()
}

/// The quantile at `share`, 0 for no values. Reorders them.
pub(crate) fn quantile(values: &mut [f32], share: f64) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let at = ((values.len() - 1) as f64 * share).round() as usize;
    *values.select_nth_unstable_by(at, f32::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resizing_keeps_the_mean_and_cubic_sampling_reproduces_gradients() {
        let values: Vec<[f32; 3]> = (0..64).map(|i| [(i % 8) as f32 + 0.5, (i / 8) as f32 + 0.5, 3.0]).collect();
        let image = Image { width: 8, height: 8, values };
        let half = image.resized(3, 5);
        let mean = half.values.iter().map(|p| p[0]).sum::<f32>() / 15.0;
        assert!((mean - 4.0).abs() < 1e-4, "{mean}");
        let [x, y, _] = image.cubic(3.3, 4.6);
        assert!((x - 3.3).abs() < 1e-4 && (y - 4.6).abs() < 1e-4, "{x} {y}");
    }
}
