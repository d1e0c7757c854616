//! What a photo calls for, judged on a reduced copy.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::color::{exact_lightness, lab, lightness, linear, luminance, luminance_of};
use crate::intent::{Intent, SharedIntent};
use crate::photo::Linear;
use crate::window::box_mean;
use crate::{Photo, Wishes};

use super::tone::{BASE_EPSILON, BASE_RADIUS};
use super::white::{self, Estimates, White};
use super::{Strengths, guided};

/// Where a photo was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scene {
    /// In a room.
    Indoors,
    /// Under the sky.
    Outdoors,
}

/// What was found, and what follows.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) scene: Scene,
    /// Whether it was surely taken under the sky: what is shown is changed only then.
    pub(crate) is_surely_outdoors: bool,
    pub(crate) finished: bool,
    /// Standard deviation of noise, on a scale of 0 to 100.
    pub(crate) noise: f32,
    pub(crate) strengths: Strengths,
    /// Its middle lightness, L* of weighted quartiles, after white balance.
    pub(crate) middle: f32,
    /// What the photo is to be given, for others of its listing.
    pub(crate) intent: Intent,
}

/// L* of what had `lightness`, after some stops of exposure.
pub(crate) fn lit(lightness: f32, stops: f32) -> f32 {
    exact_lightness((luminance_of(lightness) * stops.exp2()).min(1.0))
}

/// Noise above which a photo counts as noisy.
const NOISY: f32 = 1.2;
/// The noise of the worst camera that is to be taken for noise.
const MOST_NOISE: f32 = 3.0;

/// Mean chroma from which a photo is as colorful as it may be.
const MUCH_COLOR: f32 = 20.0;
/// Mean distance of lightness from the local base at which a photo has all the detail it can bear.
const RICH: f32 = 3.4;

/// Judges a photo by itself and by its reduced copy.
pub(crate) fn judge(photo: &Photo, reduced: &Linear, wishes: &Wishes, shared: Option<&SharedIntent>) -> Judged {
    let estimates = Estimates::of(reduced);
    let (scene, is_surely_outdoors) = match wishes.indoors {
        Some(true) => (Scene::Indoors, false),
        Some(false) => (Scene::Outdoors, true),
        None => scene(photo.light_value, reduced, estimates.as_ref().map_or([1.0; 3], Estimates::for_any_scene)),
    };
    let noise = noise(photo.width, photo.height, |i| photo.pixels[i]);
    // By daylight no camera is as noisy: that is gravel and leaves.
    let noise = if scene == Scene::Outdoors && noise > MOST_NOISE { 0.0 } else { noise.min(MOST_NOISE) };
    let aim = shared.and_then(|s| s.aim(scene));
    let white = match &estimates {
        Some(estimates) if !wishes.keep_white => {
            let white = estimates.balance(scene, aim.map(|a| (a.left, a.weight))).sparing_whites(reduced);
            if scene == Scene::Outdoors { white.sparing_sky(reduced) } else { white }
        }
        _ => White::AS_IT_IS,
    };
    let White { mut gains, mut shift, left } = white;
    let mut values = Vec::with_capacity(reduced.pixels.len());
    let mut chroma = 0.0_f64;
    for pixel in &reduced.pixels {
        let [l, a, b] = lab([0, 1, 2].map(|c| pixel[c] * gains[c]));
        values.push(l.min(100.0));
        chroma += f64::from(a.hypot(b));
    }
    let chroma = (chroma / reduced.pixels.len() as f64) as f32;
    values.sort_unstable_by(f32::total_cmp);
    let quantile = |share: f32| values[((values.len() - 1) as f32 * share) as usize];
    let weighted = 0.6 * quantile(0.5) + 0.25 * quantile(0.75) + 0.15 * quantile(0.25);
    let (target, least_middle) = match scene {
        Scene::Indoors => (73.0, 62.0),
        Scene::Outdoors => (57.0, 45.0),
    };
    let called = (luminance_of(target) / luminance_of(weighted).max(1e-4)).log2() * 0.7;
    let most = if noise > NOISY { 1.0 } else { 1.6 };
    let called = called.clamp(0.0, most);
    let finished = called < 0.15 && shift < 1.5 && quantile(0.95) > 86.0 && quantile(0.5) > least_middle;
    let nearly = if finished { 1.0 / 3.0 } else { 1.0 };
    let mut exposure = called * nearly;
    let lit = |stops: f32| lit(weighted, stops);
    if let Some(aim) = aim {
        let wanted = lit(exposure) + aim.weight * (aim.lightness - lit(exposure));
        let towards = (luminance_of(wanted) / luminance_of(weighted).max(1e-4)).log2();
        // Like the others, within reason: by at most half a stop, and never darker than it came.
        exposure = towards.clamp(exposure - 0.5, exposure + 0.5).clamp(0.0, most);
    }
    let intent = Intent { scene, left, lightness: lit(exposure) };
    if wishes.warmth != 0.0 {
        gains = white::warmed(gains, wishes.warmth);
        shift += wishes.warmth.abs();
    }
    // Light makes colors stronger: what is colorful already is to become no more so.
    let enlivened = (lit(exposure) + 16.0) / (weighted + 16.0);
    let allowed = MUCH_COLOR.max(chroma) / (chroma * enlivened).max(1.0);
    let vibrance = (0.16 * (1.0 - chroma / 26.0).max(0.0) * nearly).min(allowed - 1.0).max(-0.12);
    let vibrance = if wishes.keep_vibrance { 0.0 } else { vibrance };
    // What is light already, or has no depths, would only turn flat.
    let lift = (1.0 - (weighted - target + 2.0) / 9.0).clamp(0.0, 1.0)
        * (1.0 - (quantile(0.05) - 25.0) / 25.0).clamp(0.3, 1.0);
    // What is rich in detail has had it brought out, or needs none.
    let plain = ((RICH - detail(reduced)) / 0.8).clamp(0.25, 1.0);
    let strengths = Strengths {
        gains,
        shift,
        exposure: if wishes.keep_exposure { 0.0 } else { exposure } + wishes.exposure,
        // It makes room for what exposure lightens; alone it would only darken what is light.
        highlights: 0.30 * nearly * (exposure.max(wishes.exposure) / 0.3).clamp(0.0, 1.0) * wishes.contrast.min(1.0),
        shadows: 0.45 * nearly * lift * wishes.contrast.min(1.0),
        windows: if scene == Scene::Indoors { wishes.windows } else { 0.0 },
        detail: 1.0 + 0.22 * nearly * plain.max(wishes.contrast - 1.0) * wishes.contrast,
        vibrance: vibrance + wishes.vibrance,
        whites: if wishes.keep_white || wishes.warmth != 0.0 { 0.0 } else { 0.3 * nearly },
        sharpening: 0.45 * nearly * plain.max(wishes.sharpness - 1.0) * wishes.sharpness,
        noise: if noise > NOISY || wishes.noise > 1.0 { noise * wishes.noise } else { 0.0 },
    };
    Judged { scene, is_surely_outdoors, finished, noise, strengths, middle: weighted, intent }
}

/// Indoors or outdoors: by the camera's light value, else by what the picture shows. A blue or blown, smooth top is a
/// sky, and leaves are green and rough; a room is smooth and rather warm. Weights were fitted by
/// logistic regression on a thousand listing photos. Also whether it is surely outdoors: pale or blue walls and ceilings
/// look like skies, yet have no leaves under them.
fn scene(light_value: Option<f32>, reduced: &Linear, gains: [f32; 3]) -> (Scene, bool) {
    match light_value {
        Some(value) if value <= 8.0 => return (Scene::Indoors, false),
        Some(value) if value >= 11.0 => return (Scene::Outdoors, true),
        _ => {}
    }
    let (width, height) = (reduced.width, reduced.height);
    let balanced = |p: &[f32; 3]| lab([0, 1, 2].map(|c| p[c] * gains[c]));
    let values: Vec<[f32; 3]> = reduced.pixels.par_iter().map(balanced).collect();
    let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
    let radius = (width.min(height) / 100).max(1);
    let mean = box_mean(&plane, width, height, radius);
    let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
    let square = box_mean(&squares, width, height, radius);
    let is_smooth = |i: usize| square[i] - mean[i] * mean[i] < 6.25;
    let top = width * (height / 4).max(1);
    let share = |range: std::ops::Range<usize>, test: &dyn Fn(usize) -> bool| {
        let length = range.len().max(1) as f32;
        range.filter(|i| test(*i)).count() as f32 / length
    };
    let lower: f32 = plane[values.len() / 2..].iter().sum::<f32>() / (values.len() - values.len() / 2) as f32;
    let leaves = share(0..values.len(), &|i| values[i][1] < -5.0 && values[i][2] > 5.0 && !is_smooth(i));
    let odds = [
        (8.5, share(0..top, &|i| is_smooth(i) && values[i][0] > 30.0 && values[i][2] < -7.0)),
        (2.0, share(0..top, &|i| values[i][1] < 3.0 && values[i][2] < -4.0)),
        (6.4, share(0..top, &|i| is_smooth(i) && values[i][0] > (lower + 30.0).max(80.0))),
        (17.1, leaves),
        (-11.6, share(0..values.len(), &is_smooth)),
        (-5.7, share(0..values.len(), &|i| values[i][1] > 0.0 && values[i][2] > 12.0)),
    ];
    let sum: f32 = 3.2 + odds.iter().map(|(weight, share)| weight * share).sum::<f32>();
    (if sum > 0.0 { Scene::Outdoors } else { Scene::Indoors }, sum > 1.6 && leaves > 0.008)
}

/// Mean distance of lightness from its local base.
fn detail(reduced: &Linear) -> f32 {
    let plane: Vec<f32> = reduced.pixels.iter().map(|p| lightness(luminance(*p))).collect();
    let radius = (reduced.width.min(reduced.height) / BASE_RADIUS).max(1);
    let base = guided::Base::of(&plane, reduced.width, reduced.height, radius, BASE_EPSILON);
    let apart = plane.iter().zip(&base.coefficients).map(|(v, [a, b])| f64::from((v - a * v - b).abs()));
    (apart.sum::<f64>() / plane.len() as f64) as f32
}

/// Noise by Immerkaer's operator (1996) on flat patches alone, 0 to 100: patches whose means vary no more than noise of
/// that size would make them vary. Texture fails that. 0 where too few patches are flat.
pub(crate) fn noise(width: usize, height: usize, pixel: impl Fn(usize) -> [u16; 3] + Sync) -> f32 {
    const SIDE: usize = 16;
    let (across, down) = (width / SIDE, height / SIDE);
    let step = (((across * down) as f32 / 6000.0).sqrt().ceil() as usize).max(1);
    let patches: Vec<(usize, usize)> =
        (0..down).step_by(step).flat_map(|y| (0..across).step_by(step).map(move |x| (x, y))).collect();
    let mut flat: Vec<f32> = patches
        .par_iter()
        .filter_map(|(x, y)| {
            let mut patch = [[0.0_f32; SIDE]; SIDE];
            for (v, row) in patch.iter_mut().enumerate() {
                for (u, value) in row.iter_mut().enumerate() {
                    *value = lightness(luminance(linear(pixel((y * SIDE + v) * width + x * SIDE + u))));
                }
            }
            sigma_of_flat(&patch)
        })
        .collect();
    if flat.len() < 12 {
        return 0.0;
    }
    flat.sort_unstable_by(f32::total_cmp);
    flat[flat.len() / 4]
}

fn sigma_of_flat(patch: &[[f32; 16]; 16]) -> Option<f32> {
    let mean = patch.as_flattened().iter().sum::<f32>() / 256.0;
    // Near black and white, clipping hides noise.
    if !(8.0..=94.0).contains(&mean) {
        return None;
    }
    let mut response = 0.0;
    for y in 1..15 {
        for x in 1..15 {
            let at = |dx: usize, dy: usize| patch[y + dy - 1][x + dx - 1];
            let corners = at(0, 0) + at(2, 0) + at(0, 2) + at(2, 2);
            let sides = at(1, 0) + at(0, 1) + at(2, 1) + at(1, 2);
            response += (corners - 2.0 * sides + 4.0 * at(1, 1)).abs();
        }
    }
    let sigma = response / 196.0 * (std::f32::consts::FRAC_PI_2).sqrt() / 6.0;
    let mut spread = 0.0_f32;
    for y in 0..4 {
        for x in 0..4 {
            let block: f32 = (0..16).map(|i| patch[4 * y + i / 4][4 * x + i % 4]).sum::<f32>() / 16.0;
            spread += (block - mean).powi(2) / 16.0;
        }
    }
    (spread.sqrt() < (0.6 * sigma).max(0.5)).then_some(sigma)
}

/// L* of the white of a photo lightened by `stops`.
pub(crate) fn white_after(stops: f32) -> f32 {
    exact_lightness(stops.exp2())
}
