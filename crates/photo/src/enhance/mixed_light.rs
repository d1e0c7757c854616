//! Mixed light: lamps and daylight in one room.
//!
//! One white balance suits only one of two lights. Along a wall or a ceiling the color of light changes slowly, that of paint at edges: as
//! in Retinex (Land and McCann 1971), slow changes of warmth over nearly neutral surfaces are taken for light, sudden ones for paint. The
//! field of warmth that has the slow changes alone is found by least squares, and what differs from its middle is removed in part. A wall
//! of one color keeps it, and so do things.

use rayon::prelude::*;

use crate::guided_filter::{Coefficients, Resampled};
use crate::photo::Linear;
use crate::report::{Adjustment, rounded};
use aerie_math::color::{lightness, luminance};

/// Longer side of the field, pixels.
const SIDE: usize = 128;
/// Nearly neutral: greatest warmth and greatest tint, as natural logarithms of ratios of channels.
const NEUTRAL: f32 = 0.34;
const TINTED: f32 = 0.11;
/// Least and greatest lightness of surfaces that show the color of light.
const LIGHTNESS: std::ops::Range<f32> = 30.0..97.0;
/// Change of warmth from one cell to the next above which it is paint.
const SUDDEN: f32 = 0.035;
/// Weight of unknown differences.
const UNKNOWN: f32 = 0.06;
/// Least share of the picture that shows the color of light.
const LEAST_SEEN: f32 = 0.12;
const ROUNDS: usize = 400;
/// Over-relaxation.
const RELAXED: f32 = 1.94;
/// Share of the difference that is removed, and the most of it.
const REMOVED: f32 = 0.65;
const MOST: f32 = 0.16;
/// Least difference that is worth a change, between the 5th and the 95th percentile.
const LEAST: f32 = 0.05;

/// Warmth of the light at each place, to be removed.
#[derive(Debug, Clone)]
pub(crate) struct MixedLight {
    /// Natural logarithm of the factor on blue, and of one over the factor on red.
    field: Coefficients,
    /// Difference between the warmest and the coolest light.
    pub(crate) range: f32,
}

impl MixedLight {
    /// Finds the light of a room after white balance with `gains`; `None` if it is of one color.
    pub(crate) fn find(reduced: &Linear, gains: [f32; 3]) -> Option<Self> {
        let (width, height, cells) = cells(reduced, gains);
        let seen = cells.iter().filter(|c| c.is_some()).count();
        if (seen as f32) < LEAST_SEEN * cells.len() as f32 || width < 8 || height < 8 {
            return None;
        }
        let mut field = solved(&cells, width, height);
        let mut sorted: Vec<f32> = field.iter().zip(&cells).filter(|(_, c)| c.is_some()).map(|(f, _)| *f).collect();
        sorted.sort_unstable_by(f32::total_cmp);
        let quantile = |share: f32| sorted[((sorted.len() - 1) as f32 * share) as usize];
        let (middle, range) = (quantile(0.5), quantile(0.95) - quantile(0.05));
        if range < LEAST {
            return None;
        }
        field.iter_mut().for_each(|f| *f = (REMOVED * (*f - middle)).clamp(-MOST, MOST));
        let values = field.into_iter().map(|f| [f, 0.0]).collect();
        Some(Self { field: Coefficients { width, height, values }, range: REMOVED * range })
    }

    /// The change, for the report.
    pub(crate) fn change(&self) -> Adjustment {
        Adjustment {
            name: "mixed_light",
            amount: rounded(self.range),
            unit: "difference of warmth removed",
            material: false,
        }
    }

    /// The field for pictures of a size.
    pub(crate) fn resampled(&self, width: usize, height: usize) -> Resampled<'_> {
        self.field.resampled(width, height)
    }

    /// A copy of a picture in light of one color.
    pub(crate) fn removed_from(&self, reduced: &Linear) -> Linear {
        let field = self.resampled(reduced.width, reduced.height);
        let mut pixels = reduced.pixels.clone();
        pixels.par_chunks_mut(reduced.width).enumerate().for_each(|(y, row)| {
            let mut warmth = vec![[0.0; 2]; row.len()];
            field.row(y, &mut warmth);
            remove(row, &warmth);
        });
        Linear { width: reduced.width, height: reduced.height, pixels }
    }
}

/// Removes warmth from a row of linear light, at its luminance.
pub(crate) fn remove(row: &mut [[f32; 3]], warmth: &[[f32; 2]]) {
    for (pixel, [warmth, _]) in row.iter_mut().zip(warmth) {
        // The exponential, to the second order: warmth is small.
        let factor = |w: f32| 1.0 + w + 0.5 * w * w;
        let made = [pixel[0] * factor(-warmth), pixel[1], pixel[2] * factor(*warmth)];
        let scale = luminance(*pixel) / luminance(made).max(1e-6);
        *pixel = made.map(|v| v * scale);
    }
}

/// Warmth of each cell that shows the color of light.
fn cells(reduced: &Linear, gains: [f32; 3]) -> (usize, usize, Vec<Option<f32>>) {
    let step = reduced.width.max(reduced.height).div_ceil(SIDE).max(1);
    let (width, height) = (reduced.width / step, reduced.height / step);
    let cell = |i: usize| {
        let (left, top) = (i % width * step, i / width * step);
        let mut sum = [0.0_f32; 3];
        let mut all = 0;
        for y in top..top + step {
            for pixel in &reduced.pixels[y * reduced.width + left..][..step] {
                let balanced = [0, 1, 2].map(|c| pixel[c] * gains[c]);
                if balanced.iter().all(|v| *v > 0.002) {
                    (0..3).for_each(|c| sum[c] += balanced[c]);
                    all += 1;
                }
            }
        }
        let mean = sum.map(|s| s / all.max(1) as f32);
        if all < step * step || !LIGHTNESS.contains(&lightness(luminance(mean))) {
            return None;
        }
        let (red, blue) = ((mean[0] / mean[1]).ln(), (mean[2] / mean[1]).ln());
        let (warmth, tint) = ((red - blue) / 2.0, (red + blue) / 2.0);
        (warmth.abs() < NEUTRAL && tint.abs() < TINTED).then_some(warmth)
    };
    (width, height, (0..width * height).map(cell).collect())
}

/// The field whose differences are those of the cells where they are slow, and none elsewhere, by successive over-relaxation.
fn solved(cells: &[Option<f32>], width: usize, height: usize) -> Vec<f32> {
    let link = |i: usize, j: usize| match (cells[i], cells[j]) {
        (Some(a), Some(b)) if (a - b).abs() < SUDDEN => (1.0, a - b),
        _ => (UNKNOWN, 0.0),
    };
    let mut field = vec![0.0_f32; cells.len()];
    for round in 0..ROUNDS {
        // Red and black cells in turn, for faster convergence.
        for i in (0..cells.len()).filter(|i| (i % width + i / width + round).is_multiple_of(2)) {
            let (x, y) = (i % width, i / width);
            let (mut sum, mut weights) = (0.0, 1e-5);
            let mut add = |j: usize| {
                let (weight, by) = link(i, j);
                sum += weight * (field[j] + by);
                weights += weight;
            };
            if x > 0 {
                add(i - 1);
            }
            if x + 1 < width {
                add(i + 1);
            }
            if y > 0 {
                add(i - width);
            }
            if y + 1 < height {
                add(i + width);
            }
            field[i] += RELAXED * (sum / weights - field[i]);
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [usize; 2] = [256, 160];

    fn picture(color: impl Fn(f32, f32) -> [f32; 3]) -> Linear {
        let [width, height] = SIZE;
        let at = |i: usize| color((i % width) as f32 / width as f32, (i / width) as f32 / height as f32);
        Linear { width, height, pixels: (0..width * height).map(at).collect() }
    }

    fn warmth(p: [f32; 3]) -> f32 {
        ((p[0] / p[1]).ln() - (p[2] / p[1]).ln()) / 2.0
    }

    #[test]
    fn a_white_wall_between_a_lamp_and_a_window_becomes_of_one_color() {
        let lit = picture(|x, _| {
            let warm = 0.14 * (x - 0.5);
            [0.6 * warm.exp(), 0.6, 0.6 * (-warm).exp()]
        });
        let light = MixedLight::find(&lit, [1.0; 3]).expect("two lights");
        let even = light.removed_from(&lit);
        let across = |p: &Linear| warmth(p.pixels[80 * 256 + 245]) - warmth(p.pixels[80 * 256 + 10]);
        assert!(across(&even) < 0.5 * across(&lit), "{} {}", across(&even), across(&lit));
        let (before, after) = (luminance(lit.pixels[80 * 256 + 245]), luminance(even.pixels[80 * 256 + 245]));
        assert!((before - after).abs() < 1e-4);
    }

    #[test]
    fn a_beige_wall_beside_a_white_one_keeps_its_color() {
        let painted = picture(|x, _| if x < 0.5 { [0.6, 0.6, 0.6] } else { [0.62, 0.56, 0.46] });
        assert!(MixedLight::find(&painted, [1.0; 3]).is_none());
    }
}
