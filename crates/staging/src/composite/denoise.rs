//! Denoises traced light, never texture: irradiance is filtered apart from albedo by an edge-stopping à-trous wavelet (Dammertz et
//! al. 2010).

use aerie_math::color::luminance;
use glam::Vec3;
use rayon::prelude::*;

use crate::monitor::Monitor;

/// Accumulated samples of one surface in a pixel; means once all are taken.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    /// Number of samples, then their share.
    pub(super) cover: f32,
    /// Number of samples with light.
    pub(super) lit: f32,
    pub(super) albedo: Vec3,
    /// Irradiance.
    pub(super) light: Vec3,
    /// Reflected light.
    pub(super) gloss: Vec3,
    /// Emitted light.
    pub(super) shine: Vec3,
    pub(super) normal: Vec3,
    pub(super) depth: f32,
    /// Share that is on top of a rug.
    pub(super) flat: f32,
    pub(super) part: u32,
}

impl Sample {
    fn finish(&mut self, samples: u32) {
        if self.cover > 0.0 {
            self.albedo /= self.cover;
            self.normal = self.normal.normalize_or(Vec3::Z);
            self.depth /= self.cover;
            self.flat /= self.cover;
            self.shine /= self.cover;
            self.light /= self.lit.max(1.0);
            self.gloss /= self.lit.max(1.0);
            self.cover /= samples as f32;
        }
    }

    fn color(&self) -> Vec3 {
        self.albedo * self.light / std::f32::consts::PI + self.gloss + self.shine
    }
}

/// The two surfaces that a pixel shows most of. Kept apart, each is denoised with its like: an edge between two is as clean as they
/// are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layers {
    both: [Sample; 2],
    clear: Clear,
    /// Rays traced.
    rays: u32,
}

/// What a pixel shows of the room through glass: the share of it, and that share times the tint.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clear {
    pub(super) share: f32,
    pub(super) tint: Vec3,
}

impl Layers {
    /// The layer that a hit belongs to: that of its part and direction, an empty one, or the more similar.
    pub(super) fn of(&mut self, part: u32, normal: Vec3) -> &mut Sample {
        let [first, second] = &self.both;
        let likeness = |s: &Sample| s.normal.normalize_or(normal).dot(normal) - if s.part == part { 0.0 } else { 2.0 };
        let belongs = |s: &Sample| s.cover > 0.0 && likeness(s) > ALIKE;
        let index = if first.cover == 0.0 || belongs(first) {
            0
        } else if second.cover == 0.0 || belongs(second) {
            1
        } else {
            usize::from(likeness(second) > likeness(first))
        };
        let layer = &mut self.both[index];
        if layer.cover == 0.0 {
            layer.part = part;
        }
        layer
    }

    /// Whether more than one surface was met.
    pub(super) fn is_edge(&self) -> bool {
        self.both[1].cover > 0.0
    }

    /// Adds a sample that shows the room through glass.
    pub(super) fn pass(&mut self, passed: Vec3) {
        self.clear.share += passed.max_element();
        self.clear.tint += passed;
    }

    pub(super) fn finish(&mut self, samples: u32, rays: u32) {
        self.both.iter_mut().for_each(|s| s.finish(samples));
        self.clear.share /= samples as f32;
        self.clear.tint /= samples as f32;
        if self.both[1].cover > self.both[0].cover {
            self.both.swap(0, 1);
        }
        self.rays = rays;
    }
}

/// How much the logarithm of the usual light of furniture is drawn to that of the room.
const SOFTENED: f32 = 0.2;
/// The shares of the usual light between which light on rugs is drawn together.
const DARKEST: f32 = 0.08;
const BRIGHTEST: f32 = 1.6;
/// Share of the usual light that reaches the darkest places: photos show no black under furniture.
const LEAST: f32 = 0.05;
/// Samples with light below which a layer takes that of surfaces that lie less in its direction: the edge of a board has no other.
const FEW: f32 = 5.0;
/// Cosine between the normals of one surface in a pixel.
const ALIKE: f32 = 0.7;

/// The pixels that show furniture.
pub(super) struct Film {
    width: usize,
    /// For each pixel of the picture its index in the lists, or `u32::MAX`.
    pub(super) slots: Vec<u32>,
    /// Indices of pixels of the picture.
    pub(super) pixels: Vec<u32>,
    /// The larger layer of each pixel.
    samples: Vec<Sample>,
    /// The smaller layers, each with the pixel that it belongs to, by pixel.
    seconds: Vec<(u32, Sample)>,
    cover: Vec<f32>,
    /// What pixels show through glass; empty where there is none.
    clear: Vec<Clear>,
    rays: u64,
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
        Self {
            width,
            slots,
            pixels,
            samples: Vec::new(),
            seconds: Vec::new(),
            cover: Vec::new(),
            clear: Vec::new(),
            rays: 0,
        }
    }

    pub(super) fn take(&mut self, traced: Vec<Layers>) {
        self.cover = traced.iter().map(|t| t.both[0].cover + t.both[1].cover).collect();
        self.rays = traced.iter().map(|t| u64::from(t.rays)).sum();
        if traced.iter().any(|t| t.clear.share > 0.0) {
            self.clear = traced.iter().map(|t| t.clear).collect();
        }
        let seconds = traced.iter().enumerate().filter(|(_, t)| t.both[1].cover > 0.0);
        self.seconds = seconds.map(|(slot, t)| (slot as u32, t.both[1])).collect();
        self.samples = traced.into_iter().map(|t| t.both[0]).collect();
    }

    /// Brings the light of furniture nearer to the usual light of the room, as the merged exposures of listing photos do with what stands
    /// in them, and evens out the light on rugs.
    pub(super) fn relight(&mut self, usual: f32) {
        let mut levels: Vec<f32> =
            self.samples.iter().filter(|s| s.cover > 0.5).map(|s| luminance(s.light.to_array())).collect();
        if levels.is_empty() {
            return;
        }
        let middle = levels.len() / 2;
        let middle = levels.select_nth_unstable_by(middle, f32::total_cmp).1.max(1e-6);
        let softened = (middle / usual.max(1e-6)).clamp(0.1, 4.0).powf(-SOFTENED);
        let seconds = self.seconds.iter_mut().map(|s| &mut s.1);
        for sample in self.samples.iter_mut().chain(seconds) {
            let share = (luminance(sample.light.to_array()) / middle).clamp(DARKEST, BRIGHTEST);
            // Shadows on rugs are softer than those on pieces: the room's light reaches them, as it does the floor.
            let light = sample.light * softened * share.powf(-SOFTENED * sample.flat);
            sample.light = (light * light + Vec3::splat((LEAST * usual).powi(2))).map(f32::sqrt);
        }
    }

    /// Share of a pixel that furniture covers, and what it shows through glass; `slot` may be `u32::MAX`.
    pub(super) fn cover(&self, slot: u32) -> (f32, Clear) {
        let slot = slot as usize;
        (self.cover.get(slot).copied().unwrap_or(0.0), self.clear.get(slot).copied().unwrap_or_default())
    }

    /// Rays traced.
    pub(super) fn rays(&self) -> u64 {
        self.rays
    }

    /// Radiance of furniture in a pixel.
    pub(super) fn color(&self, slot: usize) -> Vec3 {
        let first = &self.samples[slot];
        match self.seconds.binary_search_by_key(&(slot as u32), |s| s.0) {
            Ok(i) => {
                let second = &self.seconds[i].1;
                (first.color() * first.cover + second.color() * second.cover) / (first.cover + second.cover)
            }
            Err(_) => first.color(),
        }
    }

    pub(super) fn denoise(&mut self, monitor: &Monitor<'_>) {
        for step in [1_i32, 2, 4, 8] {
            if monitor.is_canceled() {
                return;
            }
            let is_first = step == 1;
            let tones: Vec<f32> = self.samples.par_iter().map(|s| tone(s.light)).collect();
            let smoothed = |(slot, own): (usize, &Sample)| self.smoothed(slot, own, &tones, step, is_first);
            let next: Vec<(Vec3, Vec3)> = self.samples.par_iter().enumerate().map(smoothed).collect();
            let seconds: Vec<(Vec3, Vec3)> =
                self.seconds.par_iter().map(|(slot, own)| smoothed((*slot as usize, own))).collect();
            let all = self.samples.iter_mut().chain(self.seconds.iter_mut().map(|s| &mut s.1));
            for (sample, (light, gloss)) in all.zip(next.into_iter().chain(seconds)) {
                sample.light = light;
                if step <= 2 {
                    sample.gloss = gloss;
                }
            }
        }
    }

    /// Light and gloss of a sample, smoothed. `tones` are those of the larger layers.
    fn smoothed(&self, slot: usize, own: &Sample, tones: &[f32], step: i32, is_first: bool) -> (Vec3, Vec3) {
        const KERNEL: [f32; 3] = [0.375, 0.25, 0.0625];
        if own.cover == 0.0 {
            return (own.light, own.gloss);
        }
        let at = self.pixels[slot] as usize;
        let (x, y) = ((at % self.width) as i32, (at / self.width) as i32);
        let rows = (self.slots.len() / self.width) as i32;
        let own_tone = tone(own.light);
        // Smaller layers are not among the neighbors and count apart.
        let is_second = !std::ptr::eq(own, &raw const self.samples[slot]);
        let mut all = if is_second { KERNEL[0] * KERNEL[0] * own.cover } else { 0.0 };
        let (mut light, mut gloss) = (own.light * all, own.gloss * all);
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
                let alike = own.normal.dot(s.normal).max(0.0).powi(if own.lit < FEW { 6 } else { 24 });
                let apart = (own.depth - s.depth).abs() / (own.depth * 0.004 * (step as f32) + 0.004);
                let same = if own.part == s.part { 1.0 } else { 0.25 };
                // Preserves real differences of light; the first pass is too noisy to see them.
                let differs =
                    if is_first { 0.0 } else { (own_tone - tones[other as usize]) / (1.3 / (step as f32).sqrt()) };
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

/// Logarithm of the brightness of light.
fn tone(light: Vec3) -> f32 {
    (light.element_sum() / 3.0).max(1e-4).ln()
}
