//! White balance: a blend of four illuminant estimators that fail on different images.
//!
//! Shades of gray (Finlayson and Trezzi 2004), first and second order gray edge (van de Weijer, Gevers and Gijsenij 2007), and
//! the mean of pixels that are nearly gray under the other three. All are equivariant to a color cast, and so is a blend whose
//! weights sum to one. Weights, and the residual warmth of professionally edited photos, were fitted on listing photos with
//! synthetic casts and validated on others.
use rayon::prelude::*;

use crate::box_mean;
use crate::photo::Linear;
use crate::setting::Scene;
use crate::sky::Matte;
use aerie_math::color::{lab, luminance};

/// Greatest correction of red or blue relative to green, natural logarithm.
const MOST: f32 = 0.8;
/// Pixels at or above this are nearly clipped and carry no color.
const CLIPPED: f32 = 0.90;
/// Least share of usable pixels; with fewer, the illuminant is not estimated.
const LEAST_USABLE: f32 = 0.05;

/// The greatest correction outdoors, and the share of it that a blue sky takes away.
const MOST_OUTDOORS: f32 = 0.25;
const UNDER_BLUE: f32 = 0.8;
/// Clear sky: greatest logarithm of red over green, least logarithm of blue over green.
const BLUE: [f32; 2] = [-0.12, 0.25];
/// Nearly blown-out sky: the same limits, and its least luminance.
const PALE_BLUE: [f32; 2] = [-0.15, 0.06];
const PALE: f32 = 0.55;

/// Greatest chroma of nearly white pixels, and the least share of them that counts as evidence.
const NEARLY_WHITE: f32 = 12.0;
const LEAST_WHITES: f32 = 0.06;
/// Least share of sky that counts as evidence.
const LEAST_SKY: f32 = 0.04;
/// Deviation of lightness of what is smooth, and chroma of what is colorful.
const SMOOTH: f32 = 1.6;
const COLORFUL: f32 = 10.0;
/// Fractions of a correction that are tried.
const SHARES: [f32; 5] = [1.0, 0.8, 0.6, 0.4, 0.2];

/// Natural logarithms of red and blue over green.
pub(crate) type Chroma = [f32; 2];

/// A white balance correction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WhiteBalance {
    /// Gains of linear red, green and blue.
    pub(crate) gains: [f32; 3],
    /// Size of the cast that they remove, in a*, b* at L* 75.
    pub(crate) shift: f32,
    /// Residual cast.
    pub(crate) left: Chroma,
}

impl WhiteBalance {
    /// No change.
    pub(crate) const NONE: Self = Self { gains: [1.0; 3], shift: 0.0, left: [0.0; 2] };

    /// Weakens the correction until it leaves a blue sky blue rather than purple.
    pub(crate) fn preserving_sky(self, reduced: &Linear) -> Self {
        let is_sky = |p: &&[f32; 3]| p.iter().all(|v| *v > 0.0005) && is_blue(p);
        let sky: Vec<[f32; 3]> = reduced.pixels.iter().filter(is_sky).copied().collect();
        if (sky.len() as f32) < LEAST_SKY * reduced.pixels.len() as f32 {
            return self;
        }
        let redness = |gains: [f32; 3]| {
            let of = |p: &[f32; 3]| f64::from(lab([0, 1, 2].map(|c| p[c] * gains[c]))[1]);
            (sky.iter().map(of).sum::<f64>() / sky.len() as f64) as f32
        };
        let most = redness([1.0; 3]).max(0.0) + 1.5;
        let share = SHARES.into_iter().find(|s| redness(self.gains.map(|g| g.powf(*s))) <= most);
        self.weakened(share.unwrap_or(0.0))
    }

    /// A fraction of the correction.
    pub(crate) fn weakened(self, share: f32) -> Self {
        let kept = [0, 2].map(|c| (1.0 - share) * (self.gains[1] / self.gains[c]).ln());
        Self {
            gains: normalized(self.gains.map(|g| g.powf(share))),
            shift: self.shift * share,
            left: [self.left[0] + kept[0], self.left[1] + kept[1]],
        }
    }

    /// Weakens the correction until light, nearly white areas (ceilings, walls) are no further from neutral than before.
    pub(crate) fn preserving_whites(self, reduced: &Linear) -> Self {
        let is_white = |p: &&[f32; 3]| {
            let [l, a, b] = lab(**p);
            (60.0..98.0).contains(&l) && a.hypot(b) < NEARLY_WHITE
        };
        let whites: Vec<[f32; 3]> = reduced.pixels.iter().filter(is_white).copied().collect();
        if (whites.len() as f32) < LEAST_WHITES * reduced.pixels.len() as f32 {
            return self;
        }
        // Green and pink are more conspicuous than slight warmth, which is acceptable.
        let off = |gains: [f32; 3]| {
            let mut sums = [0.0_f64; 2];
            for pixel in &whites {
                let [_, a, b] = lab([0, 1, 2].map(|c| pixel[c] * gains[c]));
                sums = [sums[0] + f64::from(a), sums[1] + f64::from(b)];
            }
            let [a, b] = sums.map(|s| (s / whites.len() as f64) as f32);
            (1.5 * a).hypot(b - 1.0)
        };
        let before = off([1.0; 3]);
        let share = SHARES.into_iter().find(|s| off(self.gains.map(|g| g.powf(*s))) <= before + 0.25);
        self.weakened(share.unwrap_or(0.0))
    }
}

/// Weights of the estimators for a scene.
struct Weights {
    /// Of shades of gray, first order gray edge, second order gray edge, nearly gray pixels.
    blend: [f32; 4],
    /// Estimate on professionally edited photos: wood, plants and skies are not gray on average.
    usual: Chroma,
    /// Casts between which the correction ramps from none to full, as errors on neutral photos are mostly small.
    from: f32,
    whole: f32,
}

const INDOORS: Weights = Weights { blend: [0.22, 0.0, 0.46, 0.32], usual: [0.040, -0.015], from: 0.0, whole: 0.14 };
const OUTDOORS: Weights = Weights { blend: [0.08, 0.40, 0.37, 0.15], usual: [0.034, 0.012], from: 0.0, whole: 0.20 };

/// Illuminant estimates of an image.
pub(crate) struct Estimates {
    /// Estimates, in the order of [`Weights::blend`].
    by: [Chroma; 4],
    /// Share of pixels that are as blue as a clear sky.
    blue: f32,
}

impl Estimates {
    /// `None` if too few pixels are usable.
    pub(crate) fn of(reduced: &Linear) -> Option<Self> {
        estimates(&reduced.halved(), |_| true)
    }

    /// Estimates from what is not sky, nor another smooth and colorful area in the upper part of an exterior: a sunset, a painted wall.
    /// `None` if too few pixels are usable.
    pub(crate) fn under(reduced: &Linear, sky: Option<&Matte>) -> Option<Self> {
        let half = reduced.halved();
        let (width, height) = (half.width, half.height);
        let values: Vec<[f32; 3]> = half.pixels.par_iter().map(|p| lab(*p)).collect();
        let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
        let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
        let (mean, square) = (box_mean(&plane, width, height, 2), box_mean(&squares, width, height, 2));
        let is_sky = |i: usize| {
            sky.is_some_and(|sky| {
                let (x, y) = ((i % width) * sky.width / width, (i / width) * sky.height / height);
                sky.alpha[y * sky.width + x] >= 0.1
            })
        };
        let is_smooth = |i: usize| square[i] - mean[i] * mean[i] < SMOOTH * SMOOTH;
        let is_colorful = |i: usize| values[i][1].hypot(values[i][2]) > COLORFUL;
        let is_upper = |i: usize| 5 * (i / width) < 3 * height;
        let left_out = |i: usize| is_sky(i) || (is_upper(i) && is_smooth(i) && is_colorful(i));
        let left_out: Vec<f32> = (0..values.len()).map(|i| f32::from(u8::from(left_out(i)))).collect();
        // Its edges have its color, too.
        let near = box_mean(&left_out, width, height, 4);
        estimates(&half, |i| near[i] < 1e-4)
    }

    fn light(&self, weights: &Weights) -> Chroma {
        [0, 1].map(|c| {
            let blended: f32 = self.by.iter().zip(weights.blend).map(|(e, w)| e[c] * w).sum();
            blended - weights.usual[c]
        })
    }

    /// Agreement of the estimators: 1 if they agree, a half where they differ by as much as the cast.
    fn trust(&self, weights: &Weights, light: Chroma) -> f32 {
        let off = |e: &Chroma| (e[0] - weights.usual[0] - light[0]).hypot(e[1] - weights.usual[1] - light[1]);
        let apart: f32 = self.by.iter().zip(weights.blend).map(|(e, w)| off(e) * w).sum();
        let times = light[0].hypot(light[1]) / apart.max(1e-3);
        (0.5 * times).clamp(0.0, 1.0)
    }

    /// Limits the correction outdoors, where cameras err little and a strong cast is mostly the color of a wall. A blue sky is
    /// evidence against yellow light.
    fn allowed(&self, scene: Scene, light: Chroma) -> f32 {
        if scene == Scene::Indoors {
            return 1.0;
        }
        let strong = (MOST_OUTDOORS / light[0].hypot(light[1]).max(1e-3)).min(1.0);
        let is_warm = light[0] - light[1] > 0.0;
        let sky = if is_warm { ((self.blue - 0.02) / 0.06).clamp(0.0, 1.0) } else { 0.0 };
        strong * (1.0 - UNDER_BLUE * sky)
    }

    /// The correction; `left` is the residual cast of earlier photos of the listing, with its weight.
    pub(crate) fn balance(&self, scene: Scene, left: Option<(Chroma, f32)>) -> WhiteBalance {
        let weights = match scene {
            Scene::Indoors => INDOORS,
            Scene::Outdoors => OUTDOORS,
        };
        let light = self.light(&weights);
        let own = light.map(|v| v * weights.share(light) * self.trust(&weights, light) * self.allowed(scene, light));
        let removed =
            left.map_or(own, |(left, weight)| [0, 1].map(|c| own[c] + weight * (light[c] - left[c] - own[c])));
        correction(light, removed)
    }
}

impl Weights {
    /// Share of a cast that is removed.
    fn share(&self, light: Chroma) -> f32 {
        let t = ((light[0].hypot(light[1]) - self.from) / (self.whole - self.from)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

/// Correction that removes `removed` of an illuminant.
fn correction(light: Chroma, removed: Chroma) -> WhiteBalance {
    let removed = removed.map(|v| v.clamp(-MOST, MOST));
    let gains = [(-removed[0]).exp(), 1.0, (-removed[1]).exp()];
    let [_, a, b] = lab(at_lightness(gains.map(|g| 1.0 / g), 75.0));
    WhiteBalance { gains: normalized(gains), shift: a.hypot(b), left: [light[0] - removed[0], light[1] - removed[1]] }
}

/// Gains that shift white by `warmth` in b*.
pub(crate) fn warmed(gains: [f32; 3], warmth: f32) -> [f32; 3] {
    let share = warmth / 100.0;
    normalized([gains[0] * (1.0 + share * 0.9), gains[1], gains[2] * (1.0 - share * 1.6)])
}

/// Scales gains to keep the luminance of white.
fn normalized(gains: [f32; 3]) -> [f32; 3] {
    let y = luminance(gains);
    gains.map(|g| g / y)
}

fn at_lightness(rgb: [f32; 3], lightness: f32) -> [f32; 3] {
    let scale = aerie_math::color::luminance_of(lightness) / luminance(rgb);
    rgb.map(|v| v * scale)
}

/// The four estimates; `None` if too few pixels are usable.
fn estimates(reduced: &Linear, is_meant: impl Fn(usize) -> bool) -> Option<Estimates> {
    let (width, height) = (reduced.width, reduced.height);
    let usable: Vec<bool> = reduced
        .pixels
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let most = p[0].max(p[1]).max(p[2]);
            most < CLIPPED && most > 0.01 && p.iter().all(|v| *v > 0.0005) && is_meant(i)
        })
        .collect();
    let count = usable.iter().filter(|u| **u).count();
    if (count as f32) < LEAST_USABLE * usable.len() as f32 {
        return None;
    }
    let shades = mean_of(10, reduced.pixels.iter().zip(&usable).filter(|(_, u)| **u).map(|(p, _)| *p))?;
    let blurred = blurred(reduced);
    // Edges next to clipped pixels are artifacts of clipping.
    let is_clear = |x: usize, y: usize| (y - 2..=y + 2).all(|v| (x - 2..=x + 2).all(|u| usable[v * width + u]));
    let (mut first, mut second, mut edges) = ([0.0_f64; 3], [0.0_f64; 3], 0_usize);
    if width > 6 && height > 6 {
        let rows: Vec<([f64; 3], [f64; 3], usize)> = (2..height - 2)
            .into_par_iter()
            .map(|y| {
                let (mut first, mut second, mut edges) = ([0.0_f64; 3], [0.0_f64; 3], 0_usize);
                for x in (2..width - 2).filter(|x| is_clear(*x, y)) {
                    let at = |u: usize, v: usize| blurred[v * width + u];
                    let (own, left, right) = (at(x, y), at(x - 1, y), at(x + 1, y));
                    let (up, down) = (at(x, y - 1), at(x, y + 1));
                    edges += 1;
                    for c in 0..3 {
                        first[c] += f64::from((right[c] - left[c]).hypot(down[c] - up[c]));
                        second[c] += f64::from((left[c] + right[c] + up[c] + down[c] - 4.0 * own[c]).abs()).powi(3);
                    }
                }
                (first, second, edges)
            })
            .collect();
        for row in rows {
            (0..3).for_each(|c| first[c] += row.0[c]);
            (0..3).for_each(|c| second[c] += row.1[c]);
            edges += row.2;
        }
    }
    let has_edges = edges > usable.len() / 50 && first.iter().chain(&second).all(|v| *v > 0.0);
    let (first, second) = if has_edges { (chroma(first), chroma(second.map(f64::cbrt))) } else { (shades, shades) };
    let start = [0, 1].map(|c| (shades[c] + first[c] + 2.0 * second[c]) / 4.0);
    let near = near_gray(reduced, &usable, count, start);
    // Includes pixels whose blue is clipped, as in pale skies.
    let blue = reduced.pixels.iter().filter(|p| p.iter().all(|v| *v > 0.0005) && is_blue(p)).count();
    Some(Estimates { by: [shades, first, second, near], blue: blue as f32 / usable.len() as f32 })
}

/// Whether a pixel is as blue as a clear or nearly blown-out sky.
fn is_blue(p: &[f32; 3]) -> bool {
    let is = |kind: [f32; 2]| (p[2] / p[1]).ln() > kind[1] && (p[0] / p[1]).ln() < kind[0];
    is(BLUE) || (luminance(*p) > PALE && is(PALE_BLUE))
}

/// Mean of the pixels that are nearly gray under an illuminant, iterated four times.
fn near_gray(reduced: &Linear, usable: &[bool], count: usize, start: Chroma) -> Chroma {
    const NEAR: f32 = 6.0;
    let mut light = start;
    for _ in 0..4 {
        let gains = [(-light[0]).exp(), 1.0, (-light[1]).exp()];
        let scale = 1.0 / gains.iter().copied().fold(1.0, f32::max);
        let gains = gains.map(|g| g * scale);
        let near = |p: &[f32; 3]| {
            let [l, a, b] = lab([p[0] * gains[0], p[1] * gains[1], p[2] * gains[2]]);
            l > 30.0 && a.hypot(b) * 60.0 / l.max(20.0) < NEAR
        };
        let found: Vec<[f32; 3]> =
            reduced.pixels.par_iter().zip(usable).filter(|(p, u)| **u && near(p)).map(|(p, _)| *p).collect();
        if (found.len() as f32) < 0.04 * count as f32 {
            break;
        }
        let Some(next) = mean_of(3, found.into_iter()) else { break };
        light = next;
    }
    light
}

/// Minkowski mean of pixels.
fn mean_of(p: i32, pixels: impl Iterator<Item = [f32; 3]>) -> Option<Chroma> {
    let mut sums = [0.0_f64; 3];
    for pixel in pixels {
        (0..3).for_each(|c| sums[c] += f64::from(pixel[c]).powi(p));
    }
    sums.iter().all(|s| *s > 0.0).then(|| chroma(sums.map(|s| s.powf(1.0 / f64::from(p)))))
}

fn chroma(rgb: [f64; 3]) -> Chroma {
    [(rgb[0] / rgb[1]).ln() as f32, (rgb[2] / rgb[1]).ln() as f32]
}

/// Gaussian blur of one pixel, as a binomial filter of five taps.
fn blurred(reduced: &Linear) -> Vec<[f32; 3]> {
    const TAPS: [f32; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];
    let (width, height) = (reduced.width, reduced.height);
    let pass = |from: &[[f32; 3]], across: bool| {
        let mut to = vec![[0.0_f32; 3]; from.len()];
        to.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                for (i, tap) in TAPS.iter().enumerate() {
                    let (u, v) = if across {
                        ((x + i).saturating_sub(2).min(width - 1), y)
                    } else {
                        (x, (y + i).saturating_sub(2).min(height - 1))
                    };
                    (0..3).for_each(|c| out[c] += tap * from[v * width + u][c]);
                }
            }
        });
        to
    };
    pass(&pass(&reduced.pixels, true), false)
}
