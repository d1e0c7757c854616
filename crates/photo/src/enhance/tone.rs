//! Light of a pixel: white balance, exposure, local tone and color strength in one step.

use crate::color::{exact_lightness, lightness, luminance, luminance_of};

use super::{Strengths, judge};

/// Lightness from which exposure gives way, so that highlights keep their differences.
const SPARED_FROM: f32 = 66.0;
/// Radius of the base, as a share of the shorter side; and the lightness whose square tells texture from edge.
pub(crate) const BASE_RADIUS: usize = 16;
pub(crate) const BASE_EPSILON: f32 = 100.0;
/// Nothing is pushed past this share of full by a change; what was beyond stays where it was.
const HEADROOM: f32 = 0.985;
/// Differences from the base that are half brought out, L*: less is grain.
const GRAIN: f32 = 2.5;
/// L* under which a pixel's color is more of the camera's than of the thing's.
const BLACK: f32 = 9.0;
/// L* from which shadows are lifted whole: depths stay deep, or the picture turns flat.
const DEPTHS: f32 = 28.0;
/// Steps of the tables by lightness: differences between them are far under what eight bits tell.
const STEPS: usize = 4096;
/// Pixels that are reckoned side by side, so that the compiler takes several with one instruction.
const LANES: usize = 32;

type Lanes = [f32; LANES];

/// Everything that a pixel and its base need.
#[derive(Debug, Clone)]
pub(crate) struct Tone {
    gains: [f32; 3],
    curve: Vec<f32>,
    /// By the base's lightness: after exposure, and what becomes of that.
    local: Vec<[f32; 2]>,
    detail: f32,
    vibrance: f32,
    whites: f32,
    /// Whether what is nearly black gets lighter.
    is_darkness_lit: bool,
}

impl Tone {
    /// `middle` is the median lightness of the photo as it came in.
    pub(crate) fn new(strengths: &Strengths, middle: f32) -> Self {
        let curve: Vec<f32> =
            (0..=STEPS).map(|i| exposed(i as f32 * 100.0 / STEPS as f32, strengths.exposure)).collect();
        let mut tone = Self {
            gains: strengths.gains,
            curve,
            local: Vec::new(),
            detail: strengths.detail,
            vibrance: strengths.vibrance,
            whites: strengths.whites,
            is_darkness_lit: strengths.exposure > 0.1 || strengths.shadows > 0.1,
        };
        let pivot = tone.lightened(middle).clamp(35.0, 75.0);
        let local = (0..=STEPS).map(|i| {
            let base = i as f32 * 100.0 / STEPS as f32;
            let lit = tone.curve[i];
            [lit, compressed(strengths, pivot, base, lit)]
        });
        tone.local = local.collect();
        tone
    }

    fn lightened(&self, lightness: f32) -> f32 {
        self.curve[step(lightness)]
    }

    /// Changes pixels of linear light, given their base's coefficients.
    pub(crate) fn light(&self, pixels: &mut [[f32; 3]], coefficients: &[[f32; 2]]) {
        for (pixels, coefficients) in pixels.chunks_mut(LANES).zip(coefficients.chunks(LANES)) {
            let mut rgb = [[0.0; LANES]; 3];
            for (i, pixel) in pixels.iter().enumerate() {
                (0..3).for_each(|c| rgb[c][i] = pixel[c]);
            }
            let (mut own, mut y) = ([0.0; LANES], [0.0; LANES]);
            let [mut lit, mut lit_base, mut compressed] = [[0.0; LANES]; 3];
            for i in 0..LANES {
                y[i] = luminance([0, 1, 2].map(|c| rgb[c][i] * self.gains[c]));
            }
            for (i, coefficients) in coefficients.iter().enumerate() {
                own[i] = lightness(y[i]);
                lit[i] = self.lightened(own[i]);
                [lit_base[i], compressed[i]] = self.local[step(coefficients[0] * own[i] + coefficients[1])];
            }
            self.lanes(&mut rgb, &Seen { y, own, lit, lit_base, compressed });
            for (i, pixel) in pixels.iter_mut().enumerate() {
                *pixel = [rgb[0][i], rgb[1][i], rgb[2][i]];
            }
        }
    }

    /// The arithmetic of [`Self::light`]: without branches, for the reason given at [`LANES`].
    fn lanes(&self, rgb: &mut [Lanes; 3], seen: &Seen) {
        let [red, green, blue] = rgb;
        let has_vibrance = if self.vibrance > 0.0 { 1.0 } else { 0.0 };
        let lit_darkness = if self.is_darkness_lit { 1.0 } else { 0.0 };
        for i in 0..LANES {
            let (own, lit) = (seen.own[i], seen.lit[i]);
            let came = greater(red[i], greater(green[i], blue[i]));
            // What differs by less than texture does is grain, or a wall's: it is brought out no more than the light does.
            let apart = lit - seen.lit_base[i];
            let told = apart * apart / (apart * apart + GRAIN * GRAIN);
            let wanted = seen.compressed[i] + apart + (self.detail - 1.0) * told * apart;
            let wanted = lesser(greater(wanted, lesser(lit, 2.0)), greater(lit, 99.0));
            let cubed = (wanted + 16.0) * (1.0 / 116.0);
            let y = if wanted <= 8.0 { wanted * (1.0 / 903.3) } else { cubed * cubed * cubed };
            let scale = y / greater(seen.y[i], 1e-6);
            let r = red[i] * self.gains[0] * scale;
            let g = green[i] * self.gains[1] * scale;
            let b = blue[i] * self.gains[2] * scale;
            // Vibrance: dull colors gain more than strong ones, and what is nearly gray nothing. What is light and
            // nearly white loses some of its tint, and what was nearly black all: there it is the camera's.
            let (most, least) = (greater(r, greater(g, b)), lesser(r, lesser(g, b)));
            let saturation = (most - least) / greater(most, 1e-5);
            let colored = smooth((saturation - 0.05) * (1.0 / 0.15));
            let dull = 1.0 - has_vibrance * (1.0 - (1.0 - saturation) * colored);
            let white = self.whites * (1.0 - colored) * smooth((own - 60.0) * (1.0 / 20.0));
            let black = 1.0 - lit_darkness * (1.0 - smooth(own * (1.0 / BLACK)));
            let factor = (1.0 + self.vibrance * dull) * (1.0 - white) * black;
            // Not past the gamut at the dark end.
            let factor = lesser(factor, y / greater(y - least, 1e-6));
            // Under the top at its own luminance: towards gray, not by cutting channels, which would turn its hue.
            let top = lesser(greater(came, HEADROOM), 1.0);
            let reach = factor * (most - y);
            let factor = factor * lesser(greater(top - y, 0.0) / greater(reach, 1e-6), 1.0);
            red[i] = y + (r - y) * factor;
            green[i] = y + (g - y) * factor;
            blue[i] = y + (b - y) * factor;
        }
    }
}

/// What [`Tone::light`] looks up for each pixel.
struct Seen {
    /// Luminance after white balance, and its lightness.
    y: Lanes,
    own: Lanes,
    /// The pixel and its base after exposure, and what becomes of the base.
    lit: Lanes,
    lit_base: Lanes,
    compressed: Lanes,
}

/// As one instruction: there is no NaN here.
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The step of the tables nearest to a lightness.
fn step(lightness: f32) -> usize {
    const WHOLE: f32 = 8_388_608.0;
    // Beside this number floats are whole numbers: the sum rounds, and its last bits are the step.
    let place = lesser(greater(lightness * (STEPS as f32 / 100.0), 0.0), STEPS as f32);
    (place + WHOLE).to_bits() as usize & (2 * STEPS - 1)
}

/// What becomes of a base that was `base` light and is `lit` after exposure.
fn compressed(strengths: &Strengths, pivot: f32, base: f32, lit: f32) -> f32 {
    // Parabolas that leave black, the middle and white where they are.
    let from_middle = lit - pivot;
    let compressed = if from_middle < 0.0 {
        lit - strengths.shadows * smooth(lit / DEPTHS) * from_middle * lit / pivot
    } else {
        lit - strengths.highlights * from_middle * (100.0 - lit) / (100.0 - pivot)
    };
    // Windows: where it was light before any exposure, some of the exposure goes back, and a little more.
    let window = strengths.windows * ((base - 78.0) / 14.0).clamp(0.0, 1.0);
    compressed + window * ((base - 3.0).min(compressed) - compressed)
}

/// From 0 to 1, with no slope at the ends.
fn smooth(t: f32) -> f32 {
    let t = lesser(greater(t, 0.0), 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Lightness after `stops` of exposure: as in the camera up to where highlights begin, then on a curve that joins
/// with the same slope and ends at white.
fn exposed(own: f32, stops: f32) -> f32 {
    let lit = exact_lightness(luminance_of(own) * stops.exp2());
    if lit <= SPARED_FROM {
        return lit.max(0.0);
    }
    let (beyond, room, reach) = (lit - SPARED_FROM, 100.0 - SPARED_FROM, judge::white_after(stops) - SPARED_FROM);
    SPARED_FROM + beyond / (1.0 + beyond * (reach - room) / (reach * room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_rises_keeps_black_and_white_and_does_nothing_at_no_stops() {
        for stops in [-1.0, -0.3, 0.0, 0.5, 1.6, 2.6] {
            let curve: Vec<f32> = (0..=100).map(|l| exposed(l as f32, stops)).collect();
            assert!(curve.windows(2).all(|w| w[1] > w[0]), "{stops}: {curve:?}");
            assert!(curve[0].abs() < 0.01 && (curve[100] - 100.0).abs() < 0.1, "{stops}: {curve:?}");
        }
        assert!((0..=100).all(|l| (exposed(l as f32, 0.0) - l as f32).abs() < 0.05));
    }

    #[test]
    fn a_color_too_strong_for_its_lightness_keeps_its_luminance() {
        let strengths = Strengths { exposure: 1.0, ..crate::enhance::check::unchanged() };
        let mut pixels = [[0.9, 0.25, 0.1]];
        Tone::new(&strengths, 50.0).light(&mut pixels, &[[1.0, 0.0]]);
        let gray = luminance([0.9, 0.25, 0.1]);
        let mut plain = [[gray; 3]];
        Tone::new(&strengths, 50.0).light(&mut plain, &[[1.0, 0.0]]);
        assert!((luminance(pixels[0]) - luminance(plain[0])).abs() < 2e-3, "{pixels:?} {plain:?}");
        assert!(pixels[0][0] <= 0.9851 && pixels[0][0] > pixels[0][1], "{pixels:?}");
    }

    #[test]
    fn a_wall_near_white_loses_tint_and_a_colored_one_keeps_it() {
        let strengths = Strengths { whites: 0.3, ..crate::enhance::check::unchanged() };
        let mut pixels = [[0.72, 0.70, 0.69], [0.7, 0.5, 0.3], [0.05, 0.049, 0.048]];
        let before = pixels;
        Tone::new(&strengths, 70.0).light(&mut pixels, &[[1.0, 0.0]; 3]);
        let tint = |p: [f32; 3]| p[0] - p[2];
        assert!(tint(pixels[0]) < 0.8 * tint(before[0]), "{pixels:?}");
        for i in [1, 2] {
            assert!((tint(pixels[i]) - tint(before[i])).abs() < 0.01, "{pixels:?}");
        }
    }

    #[test]
    fn grain_is_brought_out_less_than_texture() {
        let strengths = Strengths { detail: 1.22, ..crate::enhance::check::unchanged() };
        let tone = Tone::new(&strengths, 60.0);
        let gain = |apart: f32| {
            let mut pixels = [[luminance_of(60.0 + apart); 3]];
            tone.light(&mut pixels, &[[0.0, 60.0]]);
            (exact_lightness(luminance(pixels[0])) - 60.0) / apart
        };
        assert!(gain(0.8) < 1.05 && gain(10.0) > 1.18, "{} {}", gain(0.8), gain(10.0));
    }
}
