//! Tone mapping of pixels: white balance, exposure, local tone and saturation in one pass.

use aerie_math::color::{exact_lightness, lightness, luminance, luminance_of};

use super::strengths::Strengths;

/// L* above which exposure is rolled off to preserve highlight contrast.
const SPARED_FROM: f32 = 66.0;
/// Radius of the base layer as a fraction of the shorter side, and the squared L* contrast that separates texture from edges.
pub(crate) const BASE_RADIUS: usize = 16;
pub(crate) const BASE_EPSILON: f32 = 100.0;
/// Greatest channel value that a change produces; brighter pixels keep theirs.
const HEADROOM: f32 = 0.985;
/// Deviation from the base layer (L*) at which clarity has half its effect: less is grain.
const GRAIN: f32 = 2.5;
/// L* below which color is mostly sensor noise.
const BLACK: f32 = 9.0;
/// L* above which shadows are lifted fully: lifting deeper ones would flatten the image.
const DEPTHS: f32 = 28.0;
/// Share of the exposure of a dark part that its bright surroundings get.
const KEPT_OF_EXPOSURE: f32 = 0.15;
/// Steps of the lookup tables over lightness, far finer than 8 bits.
const STEPS: usize = 4096;
/// Pixels computed side by side, so that the compiler vectorizes.
const LANES: usize = 32;

type Lanes = [f32; LANES];

/// Tone mapping of a pixel and its base layer.
#[derive(Debug, Clone)]
pub(crate) struct Tone {
    gains: [f32; 3],
    curve: Vec<f32>,
    /// By lightness of the base layer: after exposure, after local compression, and the factor on contrast between them.
    local: Vec<[f32; 3]>,
    detail: f32,
    vibrance: f32,
    whites: f32,
    /// Whether nearly black pixels get lighter.
    lifts_blacks: bool,
}

impl Tone {
    /// `middle` is the median lightness of the original.
    pub(crate) fn new(strengths: &Strengths, middle: f32) -> Self {
        // With two lightnesses, the exposure is a curve over the base layer instead.
        let apart = strengths.backlight.map_or(0.0, |parts| parts.degree);
        let curve: Vec<f32> = (0..=STEPS)
            .map(|i| {
                let own = i as f32 * 100.0 / STEPS as f32;
                apart * own + (1.0 - apart) * exposed(own, strengths.exposure)
            })
            .collect();
        let opened = strengths.backlight.map(|parts| {
            let kept = parts.light + KEPT_OF_EXPOSURE * (exposed(parts.light, strengths.exposure) - parts.light);
            parts.curve(lit(parts.dark, strengths.exposure), kept)
        });
        let mut tone = Self {
            gains: strengths.gains,
            curve,
            local: Vec::new(),
            detail: strengths.detail,
            vibrance: strengths.vibrance,
            whites: strengths.whites,
            lifts_blacks: strengths.exposure > 0.1 || strengths.shadows > 0.1,
        };
        let pivot = tone.lightened(middle).clamp(35.0, 75.0);
        let local = (0..=STEPS).map(|i| {
            let base = i as f32 * 100.0 / STEPS as f32;
            let lit = tone.curve[i];
            let usual = compressed(strengths, pivot, base, lit);
            let Some(opened) = opened else { return [lit, usual, 1.0] };
            let made = usual + apart * (opened.at(base) - usual);
            // Light scales contrast with it.
            [lit, made, ((made + 16.0) / (lit + 16.0)).clamp(0.8, 2.0)]
        });
        tone.local = local.collect();
        tone
    }

    fn lightened(&self, lightness: f32) -> f32 {
        self.curve[step(lightness)]
    }

    /// Maps pixels of linear light, given the coefficients of their base layer.
    pub(crate) fn apply(&self, pixels: &mut [[f32; 3]], coefficients: &[[f32; 2]]) {
        for (pixels, coefficients) in pixels.chunks_mut(LANES).zip(coefficients.chunks(LANES)) {
            let mut rgb = [[0.0; LANES]; 3];
            for (i, pixel) in pixels.iter().enumerate() {
                (0..3).for_each(|c| rgb[c][i] = pixel[c]);
            }
            let (mut own, mut y) = ([0.0; LANES], [0.0; LANES]);
            let [mut lit, mut lit_base, mut compressed, mut contrast] = [[0.0; LANES]; 4];
            for i in 0..LANES {
                y[i] = luminance([0, 1, 2].map(|c| rgb[c][i] * self.gains[c]));
            }
            for (i, coefficients) in coefficients.iter().enumerate() {
                own[i] = lightness(y[i]);
                lit[i] = self.lightened(own[i]);
                [lit_base[i], compressed[i], contrast[i]] =
                    self.local[step(coefficients[0] * own[i] + coefficients[1])];
            }
            self.lanes(&mut rgb, &Lookups { y, own, lit, lit_base, compressed, contrast });
            for (i, pixel) in pixels.iter_mut().enumerate() {
                *pixel = [rgb[0][i], rgb[1][i], rgb[2][i]];
            }
        }
    }

    /// The arithmetic of [`Self::apply`], free of branches for vectorization.
    fn lanes(&self, rgb: &mut [Lanes; 3], looked_up: &Lookups) {
        let [red, green, blue] = rgb;
        let has_vibrance = if self.vibrance > 0.0 { 1.0 } else { 0.0 };
        let lifted_blacks = if self.lifts_blacks { 1.0 } else { 0.0 };
        for i in 0..LANES {
            let (own, lit) = (looked_up.own[i], looked_up.lit[i]);
            let came = greater(red[i], greater(green[i], blue[i]));
            // Deviations smaller than texture are grain: clarity spares them.
            let apart = (lit - looked_up.lit_base[i]) * looked_up.contrast[i];
            let texture = apart * apart / (apart * apart + GRAIN * GRAIN);
            let wanted = looked_up.compressed[i] + apart + (self.detail - 1.0) * texture * apart;
            let wanted = lesser(greater(wanted, lesser(lit, 2.0)), greater(lit, 99.0));
            let cubed = (wanted + 16.0) * (1.0 / 116.0);
            let y = if wanted <= 8.0 { wanted * (1.0 / 903.3) } else { cubed * cubed * cubed };
            let scale = y / greater(looked_up.y[i], 1e-6);
            let r = red[i] * self.gains[0] * scale;
            let g = green[i] * self.gains[1] * scale;
            let b = blue[i] * self.gains[2] * scale;
            // Vibrance raises dull colors more than saturated ones, and grays not at all. Light, nearly white pixels lose part of
            // their tint, lifted blacks all of it, as it is sensor noise.
            let (most, least) = (greater(r, greater(g, b)), lesser(r, lesser(g, b)));
            let saturation = (most - least) / greater(most, 1e-5);
            let colored = smooth((saturation - 0.05) * (1.0 / 0.15));
            let dull = 1.0 - has_vibrance * (1.0 - (1.0 - saturation) * colored);
            let white = self.whites * (1.0 - colored) * smooth((own - 60.0) * (1.0 / 20.0));
            let black = 1.0 - lifted_blacks * (1.0 - smooth(own * (1.0 / BLACK)));
            let factor = (1.0 + self.vibrance * dull) * (1.0 - white) * black;
            // No channel below 0.
            let factor = lesser(factor, y / greater(y - least, 1e-6));
            // No channel above the maximum: desaturated at its luminance, as clipping would shift the hue.
            let top = lesser(greater(came, HEADROOM), 1.0);
            let reach = factor * (most - y);
            let factor = factor * lesser(greater(top - y, 0.0) / greater(reach, 1e-6), 1.0);
            red[i] = y + (r - y) * factor;
            green[i] = y + (g - y) * factor;
            blue[i] = y + (b - y) * factor;
        }
    }
}

/// Values that [`Tone::apply`] looks up for each pixel.
struct Lookups {
    /// Luminance after white balance, and its lightness.
    y: Lanes,
    own: Lanes,
    /// The pixel and its base after exposure, and the base after compression.
    lit: Lanes,
    lit_base: Lanes,
    compressed: Lanes,
    /// Factor on the contrast of the pixel to its base.
    contrast: Lanes,
}

/// Compiles to one instruction, as NaN need not be handled.
pub(super) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

pub(super) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Nearest index of the lookup tables.
fn step(lightness: f32) -> usize {
    const WHOLE: f32 = 8_388_608.0;
    // Floats of this magnitude are integers: the sum rounds, and its low bits are the index.
    let place = lesser(greater(lightness * (STEPS as f32 / 100.0), 0.0), STEPS as f32);
    (place + WHOLE).to_bits() as usize & (2 * STEPS - 1)
}

/// Compresses a base layer of L* `base` that exposure brought to `lit`.
fn compressed(strengths: &Strengths, pivot: f32, base: f32, lit: f32) -> f32 {
    // Parabolas with fixed points at black, middle and white.
    let from_middle = lit - pivot;
    let compressed = if from_middle < 0.0 {
        lit - strengths.shadows * smooth(lit / DEPTHS) * from_middle * lit / pivot
    } else {
        lit - strengths.highlights * from_middle * (100.0 - lit) / (100.0 - pivot)
    };
    // Window pull: areas that were bright before lose part of the exposure, and a little more.
    let window = strengths.windows * ((base - 78.0) / 14.0).clamp(0.0, 1.0);
    compressed + window * ((base - 3.0).min(compressed) - compressed)
}

/// Smoothstep from 0 to 1.
fn smooth(t: f32) -> f32 {
    let t = lesser(greater(t, 0.0), 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// L* after exposure: exact up to the highlights, then rolled off with a continuous slope to end at white.
fn exposed(own: f32, stops: f32) -> f32 {
    let lit = exact_lightness(luminance_of(own) * stops.exp2());
    if lit <= SPARED_FROM {
        return lit.max(0.0);
    }
    let (beyond, room, reach) = (lit - SPARED_FROM, 100.0 - SPARED_FROM, white_after(stops) - SPARED_FROM);
    SPARED_FROM + beyond / (1.0 + beyond * (reach - room) / (reach * room))
}

/// L* after exposure by `stops`, without roll-off.
pub(crate) fn lit(lightness: f32, stops: f32) -> f32 {
    exact_lightness((luminance_of(lightness) * stops.exp2()).min(1.0))
}

/// L* of white after exposure by `stops`.
fn white_after(stops: f32) -> f32 {
    exact_lightness(stops.exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exposure_curve_rises_between_fixed_black_and_white_and_is_the_identity_at_zero() {
        for stops in [-1.0, -0.3, 0.0, 0.5, 1.6, 2.6] {
            let curve: Vec<f32> = (0..=100).map(|l| exposed(l as f32, stops)).collect();
            assert!(curve.windows(2).all(|w| w[1] > w[0]), "{stops}: {curve:?}");
            assert!(curve[0].abs() < 0.01 && (curve[100] - 100.0).abs() < 0.1, "{stops}: {curve:?}");
        }
        assert!((0..=100).all(|l| (exposed(l as f32, 0.0) - l as f32).abs() < 0.05));
    }

    #[test]
    fn out_of_gamut_colors_are_desaturated_at_their_luminance() {
        let strengths = Strengths { exposure: 1.0, ..Strengths::UNCHANGED };
        let mut pixels = [[0.9, 0.25, 0.1]];
        Tone::new(&strengths, 50.0).apply(&mut pixels, &[[1.0, 0.0]]);
        let gray = luminance([0.9, 0.25, 0.1]);
        let mut plain = [[gray; 3]];
        Tone::new(&strengths, 50.0).apply(&mut plain, &[[1.0, 0.0]]);
        assert!((luminance(pixels[0]) - luminance(plain[0])).abs() < 2e-3, "{pixels:?} {plain:?}");
        assert!(pixels[0][0] <= 0.9851 && pixels[0][0] > pixels[0][1], "{pixels:?}");
    }

    #[test]
    fn nearly_white_walls_lose_tint_and_colored_ones_keep_it() {
        let strengths = Strengths { whites: 0.3, ..Strengths::UNCHANGED };
        let mut pixels = [[0.72, 0.70, 0.69], [0.7, 0.5, 0.3], [0.05, 0.049, 0.048]];
        let before = pixels;
        Tone::new(&strengths, 70.0).apply(&mut pixels, &[[1.0, 0.0]; 3]);
        let tint = |p: [f32; 3]| p[0] - p[2];
        assert!(tint(pixels[0]) < 0.8 * tint(before[0]), "{pixels:?}");
        for i in [1, 2] {
            assert!((tint(pixels[i]) - tint(before[i])).abs() < 0.01, "{pixels:?}");
        }
    }

    #[test]
    fn clarity_enhances_texture_more_than_grain() {
        let strengths = Strengths { detail: 1.22, ..Strengths::UNCHANGED };
        let tone = Tone::new(&strengths, 60.0);
        let gain = |apart: f32| {
            let mut pixels = [[luminance_of(60.0 + apart); 3]];
            tone.apply(&mut pixels, &[[0.0, 60.0]]);
            (exact_lightness(luminance(pixels[0])) - 60.0) / apart
        };
        assert!(gain(0.8) < 1.05 && gain(10.0) > 1.18, "{} {}", gain(0.8), gain(10.0));
    }
}
