//! Exposure fusion (Mertens, Kautz and Van Reeth 2007): pictures are blended level by level of their Laplacian pyramids, each
//! pixel weighted by its contrast, saturation and exposure. Pictures are added one after the other, so that memory does not grow
//! with their number.

use aerie_register::Plane;
use rayon::prelude::*;

use super::placed::Placed;
use super::pyramid;

/// Encoded value that counts as exposed best, and the standard deviation around it.
const BEST: f32 = 0.57;
const SPREAD: f32 = 0.2;
/// Weight of a pixel without contrast, saturation or exposure: where all are poor, they share.
const LEAST: f32 = 1e-9;
/// Fused values that are kept apart: blending coarse levels drives the brightest parts beyond white, and the darkest below black.
const LEAST_FUSED: f32 = -0.3;
const MOST_FUSED: f32 = 1.6;
/// They are compressed into the ranges between these, so that windows and shadows keep their detail.
const SHOULDER: f32 = 0.72;
const WHITE: f32 = 0.985;
const TOE: f32 = 0.16;
const BLACK: f32 = 0.03;
/// Steps of the finest level per unit of its range, 0 to 1.
const FINE: f32 = 16_384.0;

/// Row `y` of the weights of an exposure, not normalized.
pub(super) fn weigh(placed: &Placed, [width, height]: [usize; 2], y: usize, out: &mut [f32]) {
    let row = |y: usize| &placed.pixels[y * width..(y + 1) * width];
    let (above, own, below) = (row(y.saturating_sub(1)), row(y), row((y + 1).min(height - 1)));
    for (x, out) in out.iter_mut().enumerate() {
        let (left, right) = (own[x.saturating_sub(1)], own[(x + 1).min(width - 1)]);
        let center = own[x].map(|v| f32::from(v) / 65_535.0);
        let contrast = (gray(left) + gray(right) + gray(above[x]) + gray(below[x]) - 4.0 * gray(own[x])).abs();
        let mean = (center[0] + center[1] + center[2]) / 3.0;
        let saturation = (center.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / 3.0).sqrt();
        let exposure: f32 = center.iter().map(|v| (v - BEST).powi(2)).sum::<f32>() / (2.0 * SPREAD * SPREAD);
        let weight = (contrast + 0.01).sqrt() * (saturation + 0.02).sqrt() * (-exposure).exp() + LEAST;
        *out = weight * f32::from(placed.usable[y * width + x]) / 255.0;
    }
}

fn gray(pixel: [u16; 3]) -> f32 {
    (0.299 * f32::from(pixel[0]) + 0.587 * f32::from(pixel[1]) + 0.114 * f32::from(pixel[2])) / 65_535.0
}

/// Pyramid of the fused picture.
pub(super) struct Fusion {
    size: [usize; 2],
    /// Finest level of red, green and blue, in steps of 1 / [`FINE`].
    fine: [Vec<i16>; 3],
    /// Levels from half the size down.
    coarse: [Vec<Plane>; 3],
}

impl Fusion {
    pub(super) fn new(size: [usize; 2]) -> Self {
        let fine = || vec![0; size[0] * size[1]];
        let coarse = || pyramid::sizes_below(size).into_iter().map(Plane::zero).collect();
        Self { size, fine: [fine(), fine(), fine()], coarse: [coarse(), coarse(), coarse()] }
    }

    /// Adds an exposure. `weights` are normalized: over all exposures, those of a pixel add up to 65535.
    pub(super) fn add(&mut self, pixels: &[[u16; 3]], weights: &[u16]) {
        let width = self.size[0];
        let share = |y: usize, out: &mut [f32]| {
            let row = &weights[y * width..(y + 1) * width];
            out.iter_mut().zip(row).for_each(|(out, w)| *out = f32::from(*w) / 65_535.0);
        };
        let shares = pyramid::below(self.size, share);
        for (c, (fine, coarse)) in self.fine.iter_mut().zip(&mut self.coarse).enumerate() {
            let channel = |y: usize, out: &mut [f32]| {
                let row = &pixels[y * width..(y + 1) * width];
                out.iter_mut().zip(row).for_each(|(out, p)| *out = f32::from(p[c]) / 65_535.0);
            };
            let own = pyramid::below(self.size, channel);
            fine.par_chunks_mut(width).enumerate().for_each(|(y, sums)| {
                let [mut value, mut low, mut part] = [vec![0.0; width], vec![0.0; width], vec![0.0; width]];
                channel(y, &mut value);
                share(y, &mut part);
                pyramid::expanded_row(&own[0], y, &mut low);
                for (x, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.saturating_add(((value[x] - low[x]) * part[x] * FINE).round() as i16);
                }
            });
            for (level, sums) in coarse.iter_mut().enumerate() {
                let (own, lower, share) = (&own[level], own.get(level + 1), &shares[level]);
                let width = sums.width;
                sums.values.par_chunks_mut(width).enumerate().for_each(|(y, sums)| {
                    let mut low = vec![0.0; width];
                    if let Some(lower) = lower {
                        pyramid::expanded_row(lower, y, &mut low);
                    }
                    for (x, sum) in sums.iter_mut().enumerate() {
                        let at = y * width + x;
                        *sum += (own.values[at] - low[x]) * share.values[at];
                    }
                });
            }
        }
    }

    /// Writes the fused picture into `pixels`.
    pub(super) fn finish(self, pixels: &mut [[u16; 3]]) {
        let width = self.size[0];
        for (c, (fine, mut coarse)) in self.fine.into_iter().zip(self.coarse).enumerate() {
            while coarse.len() > 1 {
                let (Some(low), Some(level)) = (coarse.pop(), coarse.last_mut()) else { break };
                let width = level.width;
                level.values.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
                    let mut expanded = vec![0.0; width];
                    pyramid::expanded_row(&low, y, &mut expanded);
                    row.iter_mut().zip(expanded).for_each(|(v, low)| *v += low);
                });
            }
            let low = &coarse[0];
            pixels.par_chunks_mut(width).zip(fine.par_chunks(width)).enumerate().for_each(|(y, (out, fine))| {
                let mut expanded = vec![0.0; width];
                pyramid::expanded_row(low, y, &mut expanded);
                for ((out, fine), low) in out.iter_mut().zip(fine).zip(expanded) {
                    out[c] = stored(low + f32::from(*fine) / FINE);
                }
            });
        }
        let [least, most] = extremes(pixels);
        pixels.par_iter_mut().for_each(|pixel| {
            let rgb = pixel.map(restored);
            let (dark, light) = (mean(rgb), greatest(rgb));
            let scale = if light > SHOULDER { shoulder(light, most) / light } else { 1.0 };
            let lift = if dark < TOE { toe(dark, least) - dark } else { 0.0 };
            *pixel = rgb.map(|v| ((v * scale + lift).clamp(0.0, 1.0) * 65_535.0).round() as u16);
        });
    }
}

/// A fused value as it is kept until the extremes are known, and back.
fn stored(value: f32) -> u16 {
    ((value.clamp(LEAST_FUSED, MOST_FUSED) - LEAST_FUSED) / (MOST_FUSED - LEAST_FUSED) * 65_535.0).round() as u16
}

fn restored(value: u16) -> f32 {
    f32::from(value) / 65_535.0 * (MOST_FUSED - LEAST_FUSED) + LEAST_FUSED
}

fn mean(rgb: [f32; 3]) -> f32 {
    (rgb[0] + rgb[1] + rgb[2]) / 3.0
}

fn greatest(rgb: [f32; 3]) -> f32 {
    rgb[0].max(rgb[1]).max(rgb[2])
}

/// The mean channel that all but a few pixels stay above, and the greatest channel that all but a few stay below.
fn extremes(pixels: &[[u16; 3]]) -> [f32; 2] {
    const STEPS: usize = 1024;
    let mut counts = [vec![0_usize; STEPS], vec![0_usize; STEPS]];
    for pixel in pixels {
        let rgb = pixel.map(restored);
        for (counts, value) in counts.iter_mut().zip([mean(rgb), greatest(rgb)]) {
            counts[usize::from(stored(value)) * STEPS / 65_536] += 1;
        }
    }
    let few = pixels.len() / 500;
    let least = first_beyond(few, counts[0].iter());
    let most = STEPS - first_beyond(few, counts[1].iter().rev());
    [least, most].map(|step| restored((step * 65_535 / STEPS) as u16))
}

/// Place of the first count up to which there are more than `few`.
fn first_beyond<'a>(few: usize, mut counts: impl Iterator<Item = &'a usize>) -> usize {
    let mut sum = 0;
    let place = counts.position(|count| {
        sum += count;
        sum > few
    });
    place.unwrap_or(0)
}

/// Lifts values between `least` and [`TOE`] so that they begin at [`BLACK`]; those above stay, and there is no bend.
fn toe(value: f32, least: f32) -> f32 {
    let (room, range) = (TOE - BLACK, TOE - least);
    if range <= room {
        return value;
    }
    let left = (1.0 - (TOE - value) / range).max(0.0);
    TOE - room * (1.0 - left.powf(range / room))
}

/// Compresses values between [`SHOULDER`] and `most` so that they end at [`WHITE`]; those below stay, and there is no bend.
fn shoulder(value: f32, most: f32) -> f32 {
    let (room, range) = (WHITE - SHOULDER, most - SHOULDER);
    if range <= room {
        return value;
    }
    let left = (1.0 - (value - SHOULDER) / range).max(0.0);
    SHOULDER + room * (1.0 - left.powf(range / room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fused_with_itself_stays_the_same() {
        let size = [45, 30];
        let pixels: Vec<[u16; 3]> = (0..45 * 30_u16).map(|i| [i * 40, (i % 45) * 1400, 30_000]).collect();
        let mut fusion = Fusion::new(size);
        fusion.add(&pixels, &vec![20_000; pixels.len()]);
        fusion.add(&pixels, &vec![45_535; pixels.len()]);
        let mut fused = vec![[0; 3]; pixels.len()];
        fusion.finish(&mut fused);
        // Up to where highlights are compressed.
        let is_plain =
            |p: &[u16; 3]| p.iter().all(|v| *v < 47_000) && p.iter().map(|v| u32::from(*v)).sum::<u32>() > 32_000;
        let pairs = pixels.iter().zip(&fused).filter(|(p, _)| is_plain(p));
        let apart = pairs.flat_map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c]))).max();
        assert!(apart <= Some(16), "{apart:?}");
    }

    #[test]
    fn what_lies_beyond_white_and_black_keeps_its_order_and_the_rest_stays() {
        let made: Vec<f32> = (-20..=16).map(|v| toe(v as f32 / 100.0, -0.2)).collect();
        assert!(made.is_sorted() && made[0] >= BLACK - 1e-6 && (made[35] - 0.15).abs() < 0.001, "{made:?}");
        assert_eq!(toe(0.1, 0.05), 0.1);
        assert!((shoulder(0.73, 1.3) - 0.73).abs() < 0.001);
        let made: Vec<f32> = (72..=130).map(|v| shoulder(v as f32 / 100.0, 1.3)).collect();
        assert!(made.is_sorted() && made[58] <= WHITE && made[30] < WHITE - 0.02, "{made:?}");
        assert_eq!(shoulder(0.9, 0.95), 0.9);
    }

    #[test]
    fn what_is_clipped_weighs_least() {
        let pixels = [[65_535; 3], [33_000, 31_000, 30_000], [0; 3]].repeat(3);
        let placed = Placed { usable: vec![255; pixels.len()], pixels };
        let mut weights = [0.0; 3];
        weigh(&placed, [3, 3], 1, &mut weights);
        assert!(weights[1] > 20.0 * weights[0] && weights[1] > 20.0 * weights[2], "{weights:?}");
    }
}
