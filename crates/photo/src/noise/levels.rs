//! Noise by brightness.

use rayon::prelude::*;

use super::cosine::{SIDE, forward};
use crate::Photo;

const BINS: usize = 8;
/// Most blocks that are analyzed.
const BLOCKS: usize = 20_000;
/// Share of the blocks of a brightness that is taken for flat: those with the least energy in low frequencies.
const FLAT: f32 = 0.12;
const LEAST_FLAT: usize = 10;
/// Noise of a sensor by brightness, in sRGB, as a factor on that of light gray; and by how much a camera may differ.
const SENSOR: [f32; BINS] = [1.7, 1.5, 1.3, 1.15, 1.05, 1.0, 0.95, 0.9];
const MOST_UNUSUAL: f32 = 1.2;

/// Standard deviations of noise by brightness, in the plane's units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels([f32; BINS]);

/// Energies of one block: of low frequencies, and per coefficient of higher ones across, down and diagonally.
struct Energies {
    low: f32,
    high: [f32; 3],
}

impl Levels {
    /// Estimates the noise of a plane from the higher frequencies of its flattest blocks, by the brightness of `guide` from 0 to
    /// 255 (after Ponomarenko et al. 2007). Noise has them in all directions, texture mostly in one: the least counts.
    pub(crate) fn of(plane: &[f32], guide: &[f32], width: usize, height: usize) -> Self {
        let (across, down) = (width / SIDE, height / SIDE);
        let step = ((across * down) as f32 / BLOCKS as f32).sqrt().ceil().max(1.0) as usize;
        let analyzed: Vec<(usize, Energies)> = (0..down)
            .into_par_iter()
            .step_by(step)
            .flat_map_iter(|y| (0..across).step_by(step).map(move |x| (x * SIDE, y * SIDE)))
            .filter_map(|(x, y)| {
                let rows = |of: &[f32]| -> [[f32; SIDE]; SIDE] {
                    std::array::from_fn(|v| std::array::from_fn(|u| of[(y + v) * width + x + u]))
                };
                let light = rows(guide);
                let light = light.as_flattened();
                // Clipping hides noise.
                if light.iter().any(|v| !(3.0..=252.0).contains(v)) {
                    return None;
                }
                let mean = light.iter().sum::<f32>() / light.len() as f32;
                Some(((mean as usize * BINS / 256).min(BINS - 1), energies(&forward(&rows(plane)))))
            })
            .collect();
        let mut bins: [Option<f32>; BINS] = [None; BINS];
        for (bin, level) in bins.iter_mut().enumerate() {
            let mut own: Vec<&Energies> = analyzed.iter().filter(|b| b.0 == bin).map(|b| &b.1).collect();
            own.sort_by(|a, b| a.low.total_cmp(&b.low));
            let count = (own.len() as f32 * FLAT) as usize;
            if count >= LEAST_FLAT {
                let mean = |i: usize| own[..count].iter().map(|e| e.high[i]).sum::<f32>() / count as f32;
                *level = Some(mean(0).min(mean(1)).min(mean(2)).sqrt());
            }
        }
        // Where all blocks have texture, the level is that of the least textured brightness.
        let mut ratios: Vec<f32> = (0..BINS).filter_map(|i| bins[i].map(|level| level / SENSOR[i])).collect();
        ratios.sort_unstable_by(f32::total_cmp);
        let base = ratios.get(ratios.len() / 4).copied().unwrap_or(0.0);
        Self(std::array::from_fn(|i| {
            let usual = base * SENSOR[i];
            bins[i].map_or(usual, |level| level.clamp(usual / MOST_UNUSUAL, usual * MOST_UNUSUAL))
        }))
    }

    /// Estimates the noise of the luma of a photo.
    pub(crate) fn of_luma(photo: &Photo) -> Self {
        let luma = luma(photo);
        Self::of(&luma, &luma, photo.width, photo.height)
    }

    /// That of middle gray.
    pub(crate) fn middle(&self) -> f32 {
        self.at(128.0)
    }

    /// Standard deviation at a brightness from 0 to 255.
    pub(crate) fn at(&self, light: f32) -> f32 {
        let place = (light * (BINS as f32 / 256.0) - 0.5).clamp(0.0, (BINS - 1) as f32);
        let bin = place as usize;
        let next = (bin + 1).min(BINS - 1);
        self.0[bin] + (self.0[next] - self.0[bin]) * (place - bin as f32)
    }
}

/// Luma of all pixels, 0 to 255.
pub(crate) fn luma(photo: &Photo) -> Vec<f32> {
    let of = |p: &[u16; 3]| (0.299 * f32::from(p[0]) + 0.587 * f32::from(p[1]) + 0.114 * f32::from(p[2])) / 257.0;
    photo.pixels.par_iter().map(of).collect()
}

fn energies(block: &[[f32; SIDE]; SIDE]) -> Energies {
    let (mut low, mut high) = (0.0, [0.0; 3]);
    for (v, row) in block.iter().enumerate() {
        for (u, value) in row.iter().enumerate() {
            let square = value * value;
            match (u, v) {
                (3..=5, 0..=2) => high[0] += square / 9.0,
                (0..=2, 3..=5) => high[1] += square / 9.0,
                (3..=5, 3..=5) => high[2] += square / 9.0,
                (0..=2, 0..=2) if u + v > 0 => low += square,
                _ => {}
            }
        }
    }
    Energies { low, high }
}
