//! Light of a pixel: white balance, exposure, local tone and colour strength in one step.

use crate::colour::{exact_lightness, lightness, luminance, luminance_of};

use super::{Strengths, judge};

/// Lightness from which exposure gives way, so that highlights keep their differences.
const SPARED_FROM: f32 = 66.0;
/// Radius of the base, as a share of the shorter side; and the lightness whose square tells texture from edge.
pub(crate) const BASE_RADIUS: usize = 16;
pub(crate) const BASE_EPSILON: f32 = 100.0;
/// Nothing is pushed past this share of full by a change; what was beyond stays where it was.
const HEADROOM: f32 = 0.985;
const STEPS: usize = 2048;

/// Everything that a pixel and its base need.
#[derive(Debug, Clone)]
pub(crate) struct Tone {
    gains: [f32; 3],
    curve: Vec<f32>,
    pivot: f32,
    highlights: f32,
    shadows: f32,
    windows: f32,
    detail: f32,
    vibrance: f32,
}

impl Tone {
    /// `middle` is the median lightness of the photo as it came in.
    pub(crate) fn new(strengths: &Strengths, middle: f32) -> Self {
        let curve: Vec<f32> =
            (0..=STEPS).map(|i| exposed(i as f32 * 100.0 / STEPS as f32, strengths.exposure)).collect();
        let mut tone = Self {
            gains: strengths.gains,
            curve,
            pivot: 50.0,
            highlights: strengths.highlights,
            shadows: strengths.shadows,
            windows: strengths.windows,
            detail: strengths.detail,
            vibrance: strengths.vibrance,
        };
        tone.pivot = tone.lightened(middle).clamp(35.0, 75.0);
        tone
    }

    /// Balanced light of a pixel, its lightness, and the largest channel it came with.
    pub(crate) fn balanced(&self, rgb: [f32; 3]) -> ([f32; 3], f32) {
        let balanced = [rgb[0] * self.gains[0], rgb[1] * self.gains[1], rgb[2] * self.gains[2]];
        (balanced, lightness(luminance(balanced)))
    }

    fn lightened(&self, lightness: f32) -> f32 {
        let place = lightness.clamp(0.0, 100.0) * (STEPS as f32 / 100.0);
        let i = (place as usize).min(STEPS - 1);
        self.curve[i] + (self.curve[i + 1] - self.curve[i]) * (place - i as f32)
    }

    /// A pixel of linear light, given its base's coefficients.
    pub(crate) fn pixel(&self, rgb: [f32; 3], coefficients: [f32; 2]) -> [f32; 3] {
        let (balanced, own) = self.balanced(rgb);
        let base = (coefficients[0] * own + coefficients[1]).clamp(0.0, 100.0);
        let (lit, lit_base) = (self.lightened(own), self.lightened(base));
        // Parabolas that leave black, the middle and white where they are.
        let from_middle = lit_base - self.pivot;
        let compressed = if from_middle < 0.0 {
            lit_base - self.shadows * from_middle * lit_base / self.pivot
        } else {
            lit_base - self.highlights * from_middle * (100.0 - lit_base) / (100.0 - self.pivot)
        };
        // Windows: where it was light before any exposure, some of the exposure goes back, and a little more.
        let window = self.windows * ((base - 78.0) / 14.0).clamp(0.0, 1.0);
        let compressed = compressed + window * ((base - 3.0).min(compressed) - compressed);
        let wanted = compressed + self.detail * (lit - lit_base);
        let lightness = wanted.clamp(lit.min(2.0), lit.max(99.0));
        let y = luminance_of(lightness);
        let scale = y / luminance(balanced).max(1e-6);
        let scaled = balanced.map(|v| v * scale);
        let most = rgb[0].max(rgb[1]).max(rgb[2]);
        within(self.enlivened(scaled, y), y, most.clamp(HEADROOM, 1.0))
    }

    /// Vibrance: dull colours gain more than strong ones.
    fn enlivened(&self, rgb: [f32; 3], y: f32) -> [f32; 3] {
        let most = rgb[0].max(rgb[1]).max(rgb[2]);
        let least = rgb[0].min(rgb[1]).min(rgb[2]);
        if most <= 1e-5 || self.vibrance == 0.0 {
            return rgb;
        }
        let saturation = (most - least) / most;
        let factor = 1.0 + self.vibrance * if self.vibrance > 0.0 { (1.0 - saturation).max(0.0) } else { 1.0 };
        // Not past the gamut at the dark end.
        let factor = if least < y { factor.min(y / (y - least)) } else { factor };
        rgb.map(|v| y + (v - y) * factor)
    }
}

/// Fits a colour under `most` at its own luminance: towards grey, not by cutting channels, which would turn its hue.
fn within(rgb: [f32; 3], y: f32, most: f32) -> [f32; 3] {
    let top = rgb[0].max(rgb[1]).max(rgb[2]);
    if top <= most {
        return rgb;
    }
    if y >= most {
        return [y.min(1.0); 3];
    }
    let share = (most - y) / (top - y);
    rgb.map(|v| y + (v - y) * share)
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
    fn a_colour_too_strong_for_its_lightness_keeps_its_luminance() {
        let fitted = within([1.4, 0.5, 0.2], luminance([1.4, 0.5, 0.2]), 0.985);
        assert!((luminance(fitted) - luminance([1.4, 0.5, 0.2])).abs() < 1e-4, "{fitted:?}");
        assert!(fitted[0] <= 0.9851, "{fitted:?}");
    }
}
