//! Denoises traced light, never texture: irradiance is filtered apart from albedo by an edge-stopping à-trous wavelet (Dammertz et
//! al. 2010).

use glam::Vec3;
use rayon::prelude::*;

use crate::monitor::Monitor;

/// Accumulated samples of a pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    pub(super) cover: f32,
    pub(super) albedo: Vec3,
    /// Irradiance.
    pub(super) light: Vec3,
    /// Reflected light.
    pub(super) gloss: Vec3,
    /// Emitted light.
    pub(super) shine: Vec3,
    pub(super) normal: Vec3,
    pub(super) depth: f32,
    pub(super) part: u32,
    /// Rays traced.
    pub(super) rays: u32,
}

/// The pixels that show furniture.
pub(super) struct Film {
    width: usize,
    /// For each pixel of the picture its index in the lists, or `u32::MAX`.
    pub(super) slots: Vec<u32>,
    /// Indices of pixels of the picture.
    pub(super) pixels: Vec<u32>,
    samples: Vec<Sample>,
    pub(super) cover: Vec<f32>,
}

impl Film {
    pub(super) fn new(width: usize, covered: &[bool]) -> Self {
        let mut slots = vec![u32::MAX; covered.len()];
        let mut pixels = Vec::new();
        for (i, is_covered) in covered.iter().enumerate() {
            if *is_covered {
                slots[i] = pixels.len() as u32;
                pixels.push(i as u32);
            }
        }
        Self { width, slots, pixels, samples: Vec::new(), cover: Vec::new() }
    }

    pub(super) fn take(&mut self, samples: Vec<Sample>) {
        self.cover = samples.iter().map(|s| s.cover).collect();
        self.samples = samples;
    }

    /// Rays traced.
    pub(super) fn rays(&self) -> u64 {
        self.samples.iter().map(|s| u64::from(s.rays)).sum()
    }

    /// Radiance of furniture in a pixel.
    pub(super) fn color(&self, slot: usize) -> Vec3 {
        let s = &self.samples[slot];
        s.albedo * s.light / std::f32::consts::PI + s.gloss + s.shine
    }

    pub(super) fn denoise(&mut self, monitor: &Monitor<'_>) {
        for step in [1_i32, 2, 4, 8] {
            if monitor.is_canceled() {
                return;
            }
            let is_first = step == 1;
            let next: Vec<(Vec3, Vec3)> =
                (0..self.samples.len()).into_par_iter().map(|i| self.smoothed(i, step, is_first)).collect();
            for (sample, (light, gloss)) in self.samples.iter_mut().zip(next) {
                sample.light = light;
                if step <= 2 {
                    sample.gloss = gloss;
                }
            }
        }
    }

    fn smoothed(&self, slot: usize, step: i32, is_first: bool) -> (Vec3, Vec3) {
        const KERNEL: [f32; 3] = [0.375, 0.25, 0.0625];
        let own = &self.samples[slot];
        if own.cover == 0.0 {
            return (own.light, own.gloss);
        }
        let at = self.pixels[slot] as usize;
        let (x, y) = ((at % self.width) as i32, (at / self.width) as i32);
        let rows = (self.slots.len() / self.width) as i32;
        let tone = |v: Vec3| (v.element_sum() / 3.0).max(1e-4).ln();
        let (mut light, mut gloss, mut all) = (Vec3::ZERO, Vec3::ZERO, 0.0_f32);
        for v in -2..=2_i32 {
            for u in -2..=2_i32 {
                let (px, py) = (x + u * step, y + v * step);
                if px < 0 || py < 0 || px >= self.width as i32 || py >= rows {
                    continue;
                }
                let other = self.slots[py as usize * self.width + px as usize];
                if other == u32::MAX {
                    continue;
                }
                let s = &self.samples[other as usize];
                if s.cover == 0.0 {
                    continue;
                }
                let alike = own.normal.dot(s.normal).max(0.0).powi(24);
                let apart = (own.depth - s.depth).abs() / (own.depth * 0.004 * (step as f32) + 0.004);
                let same = if own.part == s.part { 1.0 } else { 0.25 };
                // Preserves real differences of light; the first pass is too noisy to see them.
                let differs =
                    if is_first { 0.0 } else { (tone(own.light) - tone(s.light)) / (1.3 / (step as f32).sqrt()) };
                let weight = KERNEL[u.unsigned_abs() as usize]
                    * KERNEL[v.unsigned_abs() as usize]
                    * alike
                    * (-apart * 0.5).exp()
                    * (-(differs * differs)).exp()
                    * same
                    * s.cover;
                light += s.light * weight;
                gloss += s.gloss * weight;
                all += weight;
            }
        }
        if all > 0.0 { (light / all, gloss / all) } else { (own.light, own.gloss) }
    }
}
