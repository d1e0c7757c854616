//! Raw exposures added up in linear light, before any is made to fit a screen (Robertson, Borman and Stevenson 1999): each shows the same
//! light, times its own exposure, with less noise the longer it was.

use rayon::prelude::*;

use super::placed::Placed;
use super::small::{CLIPPED, Gains};
use aerie_math::color::{encoded, linear};

/// Encoded values between which an exposure stops counting, as it clips.
const CLIPS: [f32; 2] = [CLIPPED * 257.0, 64_500.0];
/// Weight of a clipped pixel: where all exposures clip, the darkest counts.
const LEAST: f32 = 1e-6;

/// Light per pixel, where the reference is 1 at white.
pub(super) struct Radiance {
    sums: Vec<[f32; 3]>,
    weights: Vec<f32>,
}

impl Radiance {
    pub(super) fn new(pixels: usize) -> Self {
        Self { sums: vec![[0.0; 3]; pixels], weights: vec![0.0; pixels] }
    }

    /// Adds an exposure.
    pub(super) fn add(&mut self, placed: &Placed, gains: Gains) {
        let sums = self.sums.par_iter_mut().zip(self.weights.par_iter_mut());
        sums.zip(placed.pixels.par_iter().zip(&placed.usable)).for_each(|((sum, weight), (pixel, usable))| {
            let most = f32::from(pixel[0].max(pixel[1]).max(pixel[2]));
            let unclipped = 1.0 - ((most - CLIPS[0]) / (CLIPS[1] - CLIPS[0])).clamp(0.0, 1.0);
            // Noise of light falls with its square root, and the gain scales both.
            let share = gains[1] * unclipped + LEAST / (gains[1] * gains[1]);
            let share = share * f32::from(*usable) / 255.0;
            let light = linear(*pixel);
            (0..3).for_each(|c| sum[c] += share * light[c] / gains[c]);
            *weight += share;
        });
    }

    /// The light of all exposures together.
    pub(super) fn mean(mut self) -> Vec<[f32; 3]> {
        self.sums.par_iter_mut().zip(&self.weights).for_each(|(sum, weight)| *sum = sum.map(|v| v / weight));
        self.sums
    }
}

/// Light as an exposure would show it that is lighter than the reference by a factor, with the white balance of the reference.
pub(super) fn exposed(light: &[[f32; 3]], gain: f32) -> Placed {
    let pixels = light.par_iter().map(|light| encoded(light.map(|v| v * gain))).collect();
    Placed { pixels, usable: vec![u8::MAX; light.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(light: [f32; 3]) -> Placed {
        Placed { pixels: vec![encoded(light)], usable: vec![u8::MAX] }
    }

    #[test]
    fn the_longer_exposure_counts_more_until_it_clips() {
        let mut radiance = Radiance::new(1);
        radiance.add(&placed([0.02, 0.02, 0.02]), [1.0; 3]);
        // Four times as long, and of another white balance.
        radiance.add(&placed([0.24 * 1.5, 0.24, 0.24 / 1.5]), [6.0, 4.0, 4.0 / 1.5]);
        let [r, g, b] = radiance.mean()[0];
        let expected = (0.02 + 4.0 * 0.06) / 5.0;
        assert!([r, g, b].iter().all(|v| (v - expected).abs() < 1e-4), "{r} {g} {b}");
    }

    #[test]
    fn where_all_exposures_clip_the_darkest_counts() {
        let mut radiance = Radiance::new(1);
        radiance.add(&placed([1.0; 3]), [1.0; 3]);
        radiance.add(&placed([1.0; 3]), [0.25; 3]);
        assert!(radiance.mean()[0][1] > 3.5);
    }
}
