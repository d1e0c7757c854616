//! Analysis of a photo on a reduced copy, and the strengths of changes that follow from it.

use crate::consistency::{ListingLooks, Look};
use crate::guided_filter::Coefficients;
use crate::photo::Linear;
use crate::prompt::EnhanceOptions;
use crate::setting::{DAYLIGHT, Scene, SettingEstimate};
use crate::sky::{Matte, matte};
use crate::{Photo, noise};
use aerie_math::color::{lab, lightness, luminance, luminance_of};

use super::backlight::Backlight;
use super::strengths::Strengths;
use super::tone::{BASE_EPSILON, BASE_RADIUS, lit};
use super::white_balance::{self, Estimates, WhiteBalance};

/// Result of the analysis.
#[derive(Debug, Clone)]
pub(crate) struct Analysis {
    pub(crate) scene: Scene,
    /// Whether it is certainly an exterior: material changes are made only then.
    pub(crate) is_surely_outdoors: bool,
    /// Whether it is certainly a room: mixed light is corrected only there.
    pub(crate) is_surely_indoors: bool,
    /// Whether it was edited before.
    pub(crate) finished: bool,
    /// Standard deviation of noise, on a scale of 0 to 100.
    pub(crate) noise: f32,
    pub(crate) strengths: Strengths,
    /// Middle lightness (L*, weighted quartiles) after white balance.
    pub(crate) middle: f32,
    /// Intended look, for other photos of its listing.
    pub(crate) look: Look,
}

/// Probability of an exterior below which the sky is surely no wall.
const SURELY_INDOORS: f32 = 0.2;

/// Noise above which a photo counts as noisy.
const NOISY: f32 = 1.2;
/// Noise of the worst cameras; more is texture.
const MOST_NOISE: f32 = 3.0;

/// Least confidence of a sky whose color is not taken for that of the light.
const LEAST_SKY_CONFIDENCE: f32 = 0.6;
/// Lightness of blown-out windows, and lightness from which the rest of a picture is not dark.
const BLOWN: f32 = 94.0;
const DARK: f32 = 56.0;

/// Lightness of the sky from which it is day, where the ground is no lighter than the sky, and from which it is day in any case; it
/// is evening for certain from the second value down.
const DAY: [f32; 2] = [66.0, 46.0];
const DAY_OVER_LIGHT_GROUND: [f32; 2] = [38.0, 30.0];
/// How much lighter than the sky the light part of the ground may be, L*, to count as no lighter, and to count as lighter.
const LIGHTER: [f32; 2] = [0.0, 8.0];
/// Hue of a sunset, in a*, and chroma that shows it.
const RED: f32 = 4.0;
const GLOW: f32 = 14.0;
/// What the evening leaves of the exposure, of the correction of color, and of the opening of a dark front against the sky.
const EXPOSURE_IN_THE_EVENING: f32 = 0.55;
const WHITE_IN_THE_EVENING: f32 = 0.2;
const OPENING_IN_THE_EVENING: f32 = 0.3;

/// Compression of shadows at most. Outdoors, deep shade gives a photo its depth: blind judges called lawns and trees that were
/// opened as far as rooms flat and hazy.
const OPENED_SHADOWS: f32 = 0.45;
const OPENED_SHADOWS_OUTDOORS: f32 = 0.32;

/// Exposure of a photo merged from several exposures at most, stops; what is left of the lift of its shadows; and the share of
/// the exposure that its windows are spared. The merge has already lightened what is dark and darkened what is light.
const EXPOSURE_OF_MERGED: f32 = 0.6;
const SHADOWS_OF_MERGED: f32 = 0.4;
const WINDOWS_OF_MERGED: f32 = 0.5;

/// Mean chroma above which saturation is not increased.
const SATURATED: f32 = 20.0;
/// Mean deviation of lightness from its local base above which detail is not enhanced.
const RICH: f32 = 3.4;

/// Analyzes a photo and its reduced copy.
pub(crate) fn analyze(
    photo: &Photo,
    reduced: &Linear,
    options: &EnhanceOptions,
    shared: Option<&ListingLooks>,
) -> Analysis {
    let estimates = Estimates::of(reduced);
    let (scene, is_surely_outdoors, is_surely_indoors) = match options.indoors {
        Some(true) => (Scene::Indoors, false, true),
        Some(false) => (Scene::Outdoors, true, false),
        None => {
            let setting = SettingEstimate::of_reduced(photo.light_value, reduced);
            (setting.scene(), setting.is_surely_outdoors(), setting.outdoors < SURELY_INDOORS)
        }
    };
    let noise = noise::estimate(photo.width, photo.height, |i| photo.pixels[i]);
    let noise = if noise > NOISY { noise::confirmed(photo, noise) } else { noise };
    // No camera is that noisy in daylight: it is gravel and leaves.
    let noise = if scene == Scene::Outdoors && noise > MOST_NOISE { 0.0 } else { noise.min(MOST_NOISE) };
    let target_look = shared.and_then(|s| s.target(scene));
    let sky = (scene == Scene::Outdoors).then(|| matte(&reduced.halved())).flatten();
    let sky = sky.filter(|sky| sky.confidence >= LEAST_SKY_CONFIDENCE);
    // The color of the sky is not that of the light.
    let estimates = match scene {
        Scene::Outdoors => Estimates::under(reduced, sky.as_ref()).or(estimates),
        Scene::Indoors => estimates,
    };
    let evening = sky.as_ref().map_or(0.0, |sky| evening(photo.light_value, reduced, sky));
    let by_evening = |left: f32| 1.0 - evening * (1.0 - left);
    let white = match &estimates {
        Some(estimates) if !options.keep_white => {
            let white = estimates.balance(scene, target_look.map(|t| (t.left, t.weight))).preserving_whites(reduced);
            match scene {
                Scene::Outdoors => white.preserving_sky(reduced).weakened(by_evening(WHITE_IN_THE_EVENING)),
                Scene::Indoors => white,
            }
        }
        _ => WhiteBalance::NONE,
    };
    let WhiteBalance { mut gains, mut shift, left } = white;
    let mut values = Vec::with_capacity(reduced.pixels.len());
    let mut chroma = 0.0_f64;
    let mut own = Vec::with_capacity(reduced.pixels.len());
    for pixel in &reduced.pixels {
        let [l, a, b] = lab([0, 1, 2].map(|c| pixel[c] * gains[c]));
        own.push(l.min(100.0));
        chroma += f64::from(a.hypot(b));
    }
    let chroma = (chroma / reduced.pixels.len() as f64) as f32;
    values.extend(&own);
    values.sort_unstable_by(f32::total_cmp);
    let quantile = |share: f32| values[((values.len() - 1) as f32 * share) as usize];
    let is_merged = photo.exposures > 1;
    let mut backlight = backlit(&own, reduced, scene, sky.as_ref()).filter(|_| !is_merged);
    if let Some((parts, _)) = &mut backlight {
        parts.degree *= by_evening(OPENING_IN_THE_EVENING);
    }
    let weighted = middle(&values);
    let weighted = backlight.as_ref().map_or(weighted, |(parts, dark)| weighted + parts.degree * (dark - weighted));
    let (target, least_middle) = match scene {
        Scene::Indoors => (73.0, 62.0),
        Scene::Outdoors => (57.0, 45.0),
    };
    let needed = (luminance_of(target) / luminance_of(weighted).max(1e-4)).log2() * 0.7;
    let needed = needed * by_evening(EXPOSURE_IN_THE_EVENING);
    let most = if noise > NOISY { 1.0 } else { 1.6 };
    let most = if backlight.is_some() { most + 0.4 } else { most };
    let most = if is_merged { EXPOSURE_OF_MERGED } else { most };
    let needed = needed.clamp(0.0, most);
    let finished = needed < 0.15 && shift < 1.5 && quantile(0.95) > 86.0 && quantile(0.5) > least_middle;
    let restraint = if finished { 1.0 / 3.0 } else { 1.0 };
    let mut exposure = needed * restraint;
    let lit = |stops: f32| lit(weighted, stops);
    if let Some(look) = target_look {
        let wanted = lit(exposure) + look.weight * (look.lightness - lit(exposure));
        let toward = (luminance_of(wanted) / luminance_of(weighted).max(1e-4)).log2();
        // Toward the other photos by at most half a stop, and never darker than the original.
        exposure = toward.clamp(exposure - 0.5, exposure + 0.5).clamp(0.0, most);
    }
    let look = Look { scene, left, lightness: lit(exposure) };
    if options.warmth != 0.0 {
        gains = white_balance::warmed(gains, options.warmth);
        shift += options.warmth.abs();
    }
    // Exposure increases chroma: colorful photos are not to become more colorful.
    let chroma_gain = (lit(exposure) + 16.0) / (weighted + 16.0);
    let allowed = SATURATED.max(chroma) / (chroma * chroma_gain).max(1.0);
    let vibrance = (0.16 * (1.0 - chroma / 26.0).max(0.0) * restraint).min(allowed - 1.0).max(-0.12);
    let vibrance = if options.keep_vibrance { 0.0 } else { vibrance };
    // Lifting shadows of a photo that is light or has no deep shadows would only flatten it.
    let lift = (1.0 - (weighted - target + 2.0) / 9.0).clamp(0.0, 1.0)
        * (1.0 - (quantile(0.05) - 25.0) / 25.0).clamp(0.3, 1.0);
    // Photos rich in detail need no clarity.
    let plain = ((RICH - detail(reduced)) / 0.8).clamp(0.25, 1.0);
    // Makes room for highlights that exposure lifts; without exposure it would only darken them.
    let lifted = (exposure.max(options.exposure) / 0.3).clamp(0.0, 1.0);
    let highlights = 0.30 * restraint * lifted * options.contrast.min(1.0);
    let opening = match scene {
        Scene::Indoors => OPENED_SHADOWS,
        Scene::Outdoors => OPENED_SHADOWS_OUTDOORS,
    };
    let opening = if is_merged { SHADOWS_OF_MERGED * opening } else { opening };
    let spared = if is_merged { WINDOWS_OF_MERGED } else { 0.0 };
    let shadows = opening * restraint * lift * options.contrast.min(1.0) * by_evening(OPENING_IN_THE_EVENING);
    let strengths = Strengths {
        gains,
        shift,
        exposure: if options.keep_exposure { 0.0 } else { exposure } + options.exposure,
        backlight: backlight.map(|(parts, _)| parts).filter(|_| exposure > 0.0 && !options.keep_exposure),
        highlights: if options.keep_highlights { 0.0 } else { highlights } + options.highlights,
        shadows: if options.keep_shadows { 0.0 } else { shadows } + options.shadows,
        windows: if scene == Scene::Indoors { options.windows.max(spared) } else { 0.0 },
        detail: 1.0 + 0.22 * restraint * plain.max(options.contrast - 1.0) * options.contrast,
        vibrance: vibrance + options.vibrance,
        whites: if options.keep_white || options.warmth != 0.0 { 0.0 } else { 0.3 * restraint },
        sharpening: 0.45 * restraint * plain.max(options.sharpness - 1.0) * options.sharpness,
        noise: if noise > NOISY || options.noise > 1.0 { noise * options.noise } else { 0.0 },
        noise_factor: options.noise,
    };
    Analysis { scene, is_surely_outdoors, is_surely_indoors, finished, noise, strengths, middle: weighted, look }
}

/// How surely a photo was taken in the evening, 0 to 1: its sky is dark, or glows red. Its light is what it was taken for. Over
/// ground that is lighter than it, a dark sky is the deep blue one of a sunny day.
fn evening(light_value: Option<f32>, reduced: &Linear, sky: &Matte) -> f32 {
    if light_value.is_some_and(|value| value >= DAYLIGHT) {
        return 0.0;
    }
    let mut sum = [0.0_f32; 2];
    let mut count = 0.0_f32;
    let mut ground = Vec::new();
    for (i, pixel) in reduced.pixels.iter().enumerate() {
        let (x, y) =
            ((i % reduced.width) * sky.width / reduced.width, (i / reduced.width) * sky.height / reduced.height);
        let [l, a, b] = lab(*pixel);
        if sky.alpha[y * sky.width + x] > 0.5 {
            let glow = f32::from(u8::from(a > RED && a.hypot(b) > GLOW && b > -2.0 * a));
            sum = [sum[0] + l, sum[1] + glow];
            count += 1.0;
        } else {
            ground.push(l);
        }
    }
    let [lightness, glow] = sum.map(|v| v / count.max(1.0));
    ground.sort_unstable_by(f32::total_cmp);
    let light_ground = ground.get(ground.len() * 3 / 4).copied().unwrap_or(0.0);
    let share = |value: f32, [none, all]: [f32; 2]| ((value - none) / (all - none)).clamp(0.0, 1.0);
    let is_lighter = share(light_ground - lightness, LIGHTER);
    let [by_day, over_light] = [DAY, DAY_OVER_LIGHT_GROUND].map(|bounds| share(lightness, bounds));
    let dark = by_day + is_lighter * (over_light - by_day);
    dark.max(share(glow, [0.15, 0.35]))
}

/// Middle of sorted lightnesses: their quartiles, weighted.
fn middle(sorted: &[f32]) -> f32 {
    let quantile = |share: f32| sorted[((sorted.len() - 1) as f32 * share) as usize];
    0.6 * quantile(0.5) + 0.25 * quantile(0.75) + 0.15 * quantile(0.25)
}

/// The dark part of a photo that faces a light source, the sky or blown-out windows, and its middle lightness.
fn backlit(own: &[f32], reduced: &Linear, scene: Scene, sky: Option<&Matte>) -> Option<(Backlight, f32)> {
    let (width, height) = (reduced.width, reduced.height);
    let radius = (width.min(height) / BASE_RADIUS).max(1);
    let base = Coefficients::of(own, width, height, radius, BASE_EPSILON);
    let base: Vec<f32> = base.values.iter().zip(own).map(|([a, b], l)| a * l + b).collect();
    let mut parts = Backlight::find(base.iter().copied())?;
    let is_source = |i: usize| match (scene, sky) {
        _ if own[i] > BLOWN => true,
        (Scene::Outdoors, Some(sky)) => {
            let (x, y) = ((i % width) * sky.width / width, (i / width) * sky.height / height);
            sky.alpha[y * sky.width + x] > 0.5
        }
        _ => false,
    };
    let light: Vec<usize> = (0..own.len()).filter(|i| base[*i] >= parts.between).collect();
    let sources = light.iter().filter(|i| is_source(**i)).count() as f32 / light.len().max(1) as f32;
    let mut dark: Vec<f32> = own.iter().zip(&base).filter(|(_, b)| **b < parts.between).map(|(l, _)| *l).collect();
    dark.sort_unstable_by(f32::total_cmp);
    let dark = middle(&dark);
    // White walls and dark furniture are two lightnesses, too, but nothing there stands against the light.
    parts.degree *= ((sources - 0.35) / 0.3).clamp(0.0, 1.0) * ((DARK - dark) / 12.0).clamp(0.0, 1.0);
    (parts.degree > 0.0).then_some((parts, dark))
}

/// Mean deviation of lightness from its local base.
fn detail(reduced: &Linear) -> f32 {
    let plane: Vec<f32> = reduced.pixels.iter().map(|p| lightness(luminance(*p))).collect();
    let radius = (reduced.width.min(reduced.height) / BASE_RADIUS).max(1);
    let base = Coefficients::of(&plane, reduced.width, reduced.height, radius, BASE_EPSILON);
    let apart = plane.iter().zip(&base.values).map(|(v, [a, b])| f64::from((v - a * v - b).abs()));
    (apart.sum::<f64>() / plane.len() as f64) as f32
}
