//! Noise estimation: one number for a photo, and standard deviations by brightness.

pub(crate) mod cosine;
pub(crate) mod levels;

use rayon::prelude::*;

use crate::Photo;
use aerie_math::color::{lightness, linear, luminance};
use levels::Levels;

/// Noise of a photo: standard deviation of L* on flat patches, by Immerkaer's operator (1996); 0 if there are too few.
#[must_use]
pub fn noise(photo: &Photo) -> f32 {
    estimate(photo.width, photo.height, |i| photo.pixels[i])
}

/// The least of an estimate of [`noise`] and of the photo's [`Levels`]: a fabric that differs in all directions looks flat to the
/// former.
pub(crate) fn confirmed(photo: &Photo, estimate: f32) -> f32 {
    // L* has 100 steps where sRGB has 255.
    estimate.min(Levels::of_luma(photo).middle() / 2.55)
}

/// Noise of pixels given by index. Flat patches are those whose local means vary no more than noise of the measured size would
/// make them vary, and that differ as much across as down, which excludes texture such as the grain of wood.
pub(crate) fn estimate(width: usize, height: usize, pixel: impl Fn(usize) -> [u16; 3] + Sync) -> f32 {
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
    // Clipping hides noise near black and white.
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
    let [mut across, mut down] = [1e-3_f32; 2];
    for y in 0..15 {
        for x in 0..15 {
            across += (patch[y][x + 1] - patch[y][x]).powi(2);
            down += (patch[y + 1][x] - patch[y][x]).powi(2);
        }
    }
    let is_even = across < MOST_DIRECTED * down && down < MOST_DIRECTED * across;
    (is_even && spread.sqrt() < (0.6 * sigma).max(0.5)).then_some(sigma)
}

/// Greatest ratio of the squared differences across and down on a patch without texture; that of noise on 225 pixels is below.
const MOST_DIRECTED: f32 = 1.6;
