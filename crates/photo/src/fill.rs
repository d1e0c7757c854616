//! Smooth fill of missing pixels by push-pull interpolation (Gortler, Grzeszczuk, Szeliski and Cohen 1996).

use rayon::prelude::*;

/// A pyramid level: red, green and blue, premultiplied by the weight in the last channel.
struct Level {
    width: usize,
    height: usize,
    pixels: Vec<[f32; 4]>,
}

impl Level {
    /// The next coarser level: the weighted mean of known pixels.
    fn halved(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut pixels = vec![[0.0; 4]; width * height];
        pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                for v in 2 * y..(2 * y + 2).min(self.height) {
                    for u in 2 * x..(2 * x + 2).min(self.width) {
                        let pixel = self.pixels[v * self.width + u];
                        (0..4).for_each(|c| out[c] += pixel[c]);
                    }
                }
                // A weight above 1 is normalized; smaller weights stay premultiplied.
                if out[3] > 1.0 {
                    *out = out.map(|v| v / out[3]);
                }
            }
        });
        Self { width, height, pixels }
    }

    /// Fills missing pixels from the next coarser level, which has none.
    fn filled_from(&mut self, half: &Self) {
        let width = self.width;
        self.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                if pixel[3] < 1.0 {
                    let coarse = half.bilinear((x as f32 - 0.5) / 2.0, (y as f32 - 0.5) / 2.0);
                    let rest = 1.0 - pixel[3];
                    *pixel = [0, 1, 2, 3].map(|c| pixel[c] + rest * coarse[c]);
                }
            }
        });
    }

    fn bilinear(&self, x: f32, y: f32) -> [f32; 4] {
        let clamped = |v: f32, side: usize| v.clamp(0.0, side as f32 - 1.0);
        let (x, y) = (clamped(x, self.width), clamped(y, self.height));
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (fx, fy) = (x - left as f32, y - top as f32);
        let at = |u: usize, v: usize| self.pixels[v * self.width + u];
        let (a, b, c, d) = (at(left, top), at(right, top), at(left, below), at(right, below));
        [0, 1, 2, 3].map(|i| (a[i] * (1.0 - fx) + b[i] * fx) * (1.0 - fy) + (c[i] * (1.0 - fx) + d[i] * fx) * fy)
    }
}

/// Fills missing pixels smoothly from the known ones, which stay as they are. Does nothing if no pixel is known.
pub fn fill(pixels: &mut [[f32; 3]], width: usize, height: usize, is_known: impl Fn(usize) -> bool + Sync) {
    let known: Vec<[f32; 4]> = pixels
        .par_iter()
        .enumerate()
        .map(|(i, [r, g, b])| if is_known(i) { [*r, *g, *b, 1.0] } else { [0.0; 4] })
        .collect();
    if known.iter().all(|p| p[3] == 0.0) {
        return;
    }
    let mut levels = vec![Level { width, height, pixels: known }];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        levels.push(last.halved());
    }
    for at in (0..levels.len() - 1).rev() {
        let (fine, coarse) = levels.split_at_mut(at + 1);
        fine[at].filled_from(&coarse[0]);
    }
    for (pixel, level) in pixels.iter_mut().zip(&levels[0].pixels) {
        *pixel = [level[0], level[1], level[2]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_pixels_stay_and_missing_ones_are_interpolated() {
        let (width, height) = (37, 23);
        let slope = |i: usize| [(i % width) as f32, (i / width) as f32, 5.0];
        let hole = |i: usize| (10..20).contains(&(i % width)) && (6..15).contains(&(i / width));
        let mut pixels: Vec<[f32; 3]> =
            (0..width * height).map(|i| if hole(i) { [900.0; 3] } else { slope(i) }).collect();
        fill(&mut pixels, width, height, |i| !hole(i));
        for (i, pixel) in pixels.iter().enumerate() {
            let off = (0..3).map(|c| (pixel[c] - slope(i)[c]).abs()).fold(0.0, f32::max);
            assert!(off <= if hole(i) { 6.0 } else { 0.0 }, "{i}: {pixel:?}");
        }
    }
}
