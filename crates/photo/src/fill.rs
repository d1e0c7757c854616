//! Colors that are not known, from those round them: changing as little as they can.

use rayon::prelude::*;

/// Pixels of a level: red, green, blue, each times how much is known of the pixel, and that.
struct Level {
    width: usize,
    height: usize,
    pixels: Vec<[f32; 4]>,
}

impl Level {
    /// At half the size: what is known counts.
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
                // Known at all is known well enough: else the unknown would grow paler level by level.
                if out[3] > 1.0 {
                    *out = out.map(|v| v / out[3]);
                }
            }
        });
        Self { width, height, pixels }
    }

    /// Fills what is not known from a level of half the size that is known everywhere.
    fn filled_from(&mut self, half: &Self) {
        let width = self.width;
        self.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                if pixel[3] < 1.0 {
                    let coarse = half.between((x as f32 - 0.5) / 2.0, (y as f32 - 0.5) / 2.0);
                    let rest = 1.0 - pixel[3];
                    *pixel = [0, 1, 2, 3].map(|c| pixel[c] + rest * coarse[c]);
                }
            }
        });
    }

    fn between(&self, x: f32, y: f32) -> [f32; 4] {
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

/// Fills the pixels of a picture (three values each) that are not known, smoothly from those that are, which stay. Nothing
/// changes where none is known.
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
    fn what_is_known_stays_and_what_is_not_lies_between_what_is_round_it() {
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
