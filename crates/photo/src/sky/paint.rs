//! A procedural clear sky with a few high clouds, composited behind the matte.
//!
//! The sky pales toward the horizon with the optical path, is lighter on the side that the scene is lit from, and has clouds
//! on a distant plane, which foreshorten toward the horizon. The horizon lies at the lower end of the original sky. Its luminance
//! follows that of the scene, so that it is not brighter than daylight.

use rayon::prelude::*;

use super::Matte;
use crate::Photo;
use crate::box_mean;
use crate::guided_filter::{Coefficients, GuidedFilter};
use crate::photo::Linear;
use aerie_math::color::{encoded, lab, lightness, linear, luminance};

/// Coverage from which a pixel shows nothing but sky.
const SURE: u8 = 250;
/// Distance of the sky to both sides of a wire, pixels of the matte.
const BESIDE: usize = 3;
/// L* by which a wire is darker than the sky on both sides: kept in part, and wholly.
const WIRE: [f32; 2] = [5.0, 12.0];

/// Full-size coverage of the sky, 0 to 255: the matte refined to the edges of the photo, without wires, masts and twigs, which are
/// too thin for the matte.
pub(crate) fn coverage(photo: &Photo, reduced: &Linear, matte: &Matte) -> Vec<u8> {
    let guide_of = |v: [f32; 3]| v[0] - 0.7 * v[2];
    let guide: Vec<f32> = reduced.pixels.par_iter().map(|p| guide_of(lab(*p))).collect();
    let coefficients = GuidedFilter::new(&guide, matte.width, matte.height, 2, 2.0).coefficients(&matte.alpha);
    let fits = Coefficients { width: matte.width, height: matte.height, values: coefficients };
    let plain: Vec<[f32; 2]> = matte.alpha.iter().map(|a| [0.0, *a]).collect();
    let plain = Coefficients { width: matte.width, height: matte.height, values: plain };
    let light: Vec<f32> = reduced.pixels.iter().map(|p| lightness(luminance(*p))).collect();
    let columns: Vec<usize> = (0..photo.width).map(|x| x * matte.width / photo.width).collect();
    let mut coverage = vec![0_u8; photo.pixels.len()];
    coverage.par_chunks_mut(photo.width).enumerate().for_each(|(y, row)| {
        let (fitted, plain) = (fits.row(y, photo.height, photo.width), plain.row(y, photo.height, photo.width));
        let v = y * matte.height / photo.height;
        let around = |y: usize| &light[y * matte.width..(y + 1) * matte.width];
        let (own, above) = (around(v), around(v.saturating_sub(BESIDE)));
        let below = around((v + BESIDE).min(matte.height - 1));
        for (x, out) in row.iter_mut().enumerate() {
            let rough = plain[x][1];
            if rough < 0.01 {
                continue;
            }
            let alpha = if (0.01..=0.99).contains(&rough) {
                let value = guide_of(lab(linear(photo.pixels[y * photo.width + x])));
                (fitted[x][0] * value + fitted[x][1]).clamp(0.0, 1.0)
            } else {
                rough
            };
            let u = columns[x];
            let across = own[u.saturating_sub(BESIDE)].min(own[(u + BESIDE).min(matte.width - 1)]);
            let sky = across.max(above[u].min(below[u]));
            let darker = sky - lightness(luminance(linear(photo.pixels[y * photo.width + x])));
            let wire = ((darker - WIRE[0]) / (WIRE[1] - WIRE[0])).clamp(0.0, 1.0);
            *out = (alpha * (1.0 - wire) * 255.0 + 0.5) as u8;
        }
    });
    coverage
}

/// Replaces the sky; `coverage` is the full-size matte.
pub(crate) fn replace(photo: &mut Photo, coverage: &[u8], matte: &Matte) {
    let (width, height) = (photo.width, photo.height);
    let reduced = photo.reduced(matte.width.max(matte.height));
    let old = mean_sky(&reduced, matte);
    let view = View::of(&reduced, matte);
    photo.pixels.par_chunks_mut(width).zip(coverage.par_chunks(width)).enumerate().for_each(|(y, (row, coverage))| {
        let v = y * reduced.height / height;
        for (x, (pixel, cover)) in row.iter_mut().zip(coverage).enumerate() {
            if *cover == 0 {
                continue;
            }
            let own = linear(*pixel);
            let new = view.color((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32);
            let was = old[v * reduced.width + x * reduced.width / width];
            let mut alpha = f32::from(*cover) / 255.0;
            if *cover < SURE {
                // No more of the sky than its light: a crown against it is no veil.
                alpha = (0..3).map(|c| own[c] / was[c].max(0.02)).fold(alpha, f32::min);
            }
            // Foreground color, with the old sky's contribution removed.
            let foreground = [0, 1, 2].map(|c| (own[c] - alpha * was[c]).clamp(0.0, (1.0 - alpha) * own[c].max(0.02)));
            *pixel = encoded([0, 1, 2].map(|c| foreground[c] + alpha * new[c]));
        }
    });
}

/// Local color of the old sky, extended to partly covered pixels.
fn mean_sky(reduced: &Linear, matte: &Matte) -> Vec<[f32; 3]> {
    let (width, height) = (matte.width, matte.height);
    let sure: Vec<f32> = matte.alpha.iter().map(|a| if *a > 0.9 { 1.0 } else { 0.0 }).collect();
    let radius = (width.max(height) / 40).max(2);
    let weight = box_mean(&sure, width, height, radius);
    let planes = [0, 1, 2].map(|c| {
        let values: Vec<f32> = reduced.pixels.iter().zip(&sure).map(|(p, s)| p[c] * s).collect();
        box_mean(&values, width, height, radius)
    });
    let whole: f32 = sure.iter().sum::<f32>().max(1.0);
    let mean = [0, 1, 2].map(|c| reduced.pixels.iter().zip(&sure).map(|(p, s)| p[c] * s).sum::<f32>() / whole);
    (0..weight.len())
        .map(|i| if weight[i] > 0.01 { [0, 1, 2].map(|c| planes[c][i] / weight[i]) } else { mean })
        .collect()
}

/// View of the new sky.
struct View {
    /// Lower end of the sky, as a share of the height from the top.
    horizon: f32,
    /// Height divided by width.
    aspect: f32,
    /// Side that the light comes from: -1 left to 1 right.
    side: f32,
    /// Factor on the luminance of a sunny sky.
    light: f32,
}

impl View {
    fn of(reduced: &Linear, matte: &Matte) -> Self {
        let (width, height) = (matte.width, matte.height);
        let rows: Vec<f32> =
            (0..height).map(|y| matte.alpha[y * width..(y + 1) * width].iter().sum::<f32>() / width as f32).collect();
        let lower_end = (0..height).rev().find(|y| rows[*y] > 0.03).unwrap_or(0) as f32 / height as f32;
        let (mut left, mut right, mut all) = ((0.0_f32, 0.0_f32), (0.0_f32, 0.0_f32), Vec::new());
        for (i, pixel) in reduced.pixels.iter().enumerate() {
            let open = 1.0 - matte.alpha[i];
            if open < 0.5 {
                continue;
            }
            let y = luminance(*pixel);
            all.push(y);
            let half = if i % width < width / 2 { &mut left } else { &mut right };
            *half = (half.0 + y, half.1 + 1.0);
        }
        all.sort_unstable_by(f32::total_cmp);
        let bright = all.get(all.len() * 9 / 10).copied().unwrap_or(0.5);
        let (l, r) = (left.0 / left.1.max(1.0), right.0 / right.1.max(1.0));
        Self {
            horizon: (lower_end + 0.02).clamp(0.15, 1.0),
            aspect: height as f32 / width as f32,
            side: ((r - l) / (r + l).max(1e-3) * 2.0).clamp(-1.0, 1.0),
            // A clear sky near the horizon is slightly brighter than a sunlit wall.
            light: (1.25 * bright).clamp(0.88, 1.05),
        }
    }

    /// Linear light at a position in shares of width and height.
    fn color(&self, x: f32, y: f32) -> [f32; 3] {
        const ZENITH: [f32; 3] = [0.075, 0.26, 0.70];
        const HORIZON: [f32; 3] = [0.50, 0.72, 0.95];
        // Elevation for a usual lens: 0 at the horizon, 1 at about 45 degrees.
        let up = ((self.horizon - y) * self.aspect * 1.25).max(0.0);
        // The optical path falls with the reciprocal sine of the elevation.
        let air = 1.0 / (1.0 + 5.0 * up);
        let haze = air * air;
        let sided = 1.0 + 0.10 * self.side * (2.0 * x - 1.0) * (1.0 - up.min(1.0));
        let clear = [0, 1, 2].map(|c| (ZENITH[c] + (HORIZON[c] - ZENITH[c]) * haze) * self.light * sided);
        let cloud = clouds(x, up) * (1.0 - 0.5 * haze);
        let white = [0.90, 0.91, 0.93].map(|v| (v * self.light).min(0.93));
        [0, 1, 2].map(|c| (clear[c] + (white[c] - clear[c]) * cloud).min(0.95))
    }
}

/// Coverage of high, stretched clouds, 0 to 0.75: fractal noise on a plane overhead.
fn clouds(x: f32, up: f32) -> f32 {
    let far = 1.0 / (up + 0.22);
    let (u, v) = ((x - 0.5) * far * 1.3 + 7.3, far * 1.7 + 3.1);
    // Domain warping hides the lattice.
    let (bend, turn) = (noise(u * 0.8 + 11.0, v * 0.8) - 0.5, noise(u * 0.8, v * 0.8 + 23.0) - 0.5);
    let mut sum = 0.0;
    let (mut size, mut weight) = (0.8, 0.42);
    for _ in 0..7 {
        sum += weight * noise((u + 1.4 * bend) * size, (v + 1.4 * turn) * size * 1.35);
        size *= 2.03;
        weight *= 0.60;
    }
    let cover = ((sum - 0.47) / 0.42).clamp(0.0, 1.0);
    0.75 * cover * cover * (3.0 - 2.0 * cover)
}

/// Value noise, 0 to 1.
fn noise(x: f32, y: f32) -> f32 {
    let (i, j) = (x.floor(), y.floor());
    let (s, t) = (x - i, y - j);
    let (s, t) = (s * s * (3.0 - 2.0 * s), t * t * (3.0 - 2.0 * t));
    let at = |di: i32, dj: i32| {
        let mut h = (i as i32 + di).wrapping_mul(374_761_393) ^ (j as i32 + dj).wrapping_mul(668_265_263);
        h = (h ^ (h >> 13)).wrapping_mul(1_274_126_177);
        ((h ^ (h >> 16)) & 0xFFFF) as f32 / 65_535.0
    };
    let (top, bottom) = (at(0, 0) + (at(1, 0) - at(0, 0)) * s, at(0, 1) + (at(1, 1) - at(0, 1)) * s);
    top + (bottom - top) * t
}
