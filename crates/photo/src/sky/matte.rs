//! Sky matte: region growing from the top of the image over smooth, sky-colored pixels, reclassification by color models of the
//! region and of the rest, and refinement to image edges by a guided filter.
//!
//! Nothing is learned: a sky is light or blue, smooth at the scale of leaves and tiles, and connected to the upper border or
//! visible through small gaps. What stands in it is darker: ridges and horizons are cut along their edge ([`skyline`]), and
//! dark, rough pixels are trees.

mod features;
mod models;
mod skyline;

use rayon::prelude::*;

use crate::box_mean;
use crate::guided_filter::GuidedFilter;
use crate::photo::Linear;
use features::Features;
use models::{ColorClusters, QuadraticFit};

/// Least share of the image that counts as sky.
const LEAST_SHARE: f32 = 0.015;
/// Number of reclassifications.
const ROUNDS: usize = 4;
/// Greatest difference of color (CIE 1976) between two parts of one sky that nothing connects.
const SAME_SKY: f32 = 14.0;
/// Mean -b* from which a sky is blue, and mean b* from which a pale wall is warm.
const BLUE: f32 = 12.0;
const WARM: f32 = 2.0;
/// Greatest median texture of a sky, L*: hills in haze are bluish too, but rougher.
const MOST_TEXTURE: f32 = 2.0;

/// Sky matte of a reduced image.
#[derive(Debug, Clone, PartialEq)]
pub struct Matte {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Coverage row by row: 1 is sky.
    pub alpha: Vec<f32>,
    /// Share of the image that is sky.
    pub share: f32,
    /// Share of sky pixels that are certainly sky.
    pub confidence: f32,
}

impl Matte {
    /// A matte without any sky.
    #[must_use]
    pub fn none() -> Self {
        Self { width: 1, height: 1, alpha: vec![0.0], share: 0.0, confidence: 0.0 }
    }
}

/// Detects the sky in a reduced image; `None` if there is none.
#[must_use]
pub fn matte(reduced: &Linear) -> Option<Matte> {
    let features = Features::of(reduced);
    let mut sky = skyline::above(&features, features.grown());
    if share(&sky) < LEAST_SHARE {
        return None;
    }
    let mut alpha: Vec<f32> = sky.iter().map(|s| f32::from(u8::from(*s))).collect();
    for round in 0..ROUNDS {
        let odds = features.classified(&sky)?;
        alpha = features.refined(&odds, 3 + (ROUNDS - round));
        sky = skyline::above(&features, features.connected(&alpha));
        if share(&sky) < LEAST_SHARE {
            return None;
        }
    }
    for (a, s) in alpha.iter_mut().zip(features.dilated(&sky)) {
        *a = if s { *a } else { 0.0 };
    }
    // Stretches the range so that its ends are certain.
    alpha.iter_mut().for_each(|a| *a = ((*a - 0.12) / 0.76).clamp(0.0, 1.0));
    let total: f32 = alpha.iter().sum();
    let sure = alpha.iter().filter(|a| **a > 0.9).count() as f32;
    let confidence = sure / alpha.iter().filter(|a| **a > 0.1).count().max(1) as f32;
    let share = total / alpha.len() as f32;
    let is_sky = share >= LEAST_SHARE && features.is_plausible(&alpha);
    is_sky.then_some(Matte { width: features.width, height: features.height, alpha, share, confidence })
}

fn share(mask: &[bool]) -> f32 {
    mask.iter().filter(|m| **m).count() as f32 / mask.len() as f32
}

impl Features {
    /// Likeness to the color of sky, 0 to 1: any blue, white, cloud gray, or sunset glow.
    fn likeness(&self, i: usize) -> f32 {
        let [l, a, b] = self.lab[i];
        let chroma = a.hypot(b);
        let blue = ramp(-b - 0.8 * a.max(0.0), 4.0, 12.0) * ramp(l, 5.0, 14.0);
        let white = ramp(l, 62.0, 82.0) * ramp(-chroma, -14.0, -7.0);
        let glow = 0.5 * ramp(l, 60.0, 75.0) * ramp(-chroma, -40.0, -25.0) * ramp(a, -3.0, 2.0);
        blue.max(white).max(glow)
    }

    /// Region grown from the upper border over slowly changing pixels, and from the upper parts of the sides where they have the
    /// color of the sky above: mountains and walls reach the sides too.
    fn grown(&self) -> Vec<bool> {
        let (width, height) = (self.width, self.height);
        let mut sky = vec![false; self.lab.len()];
        self.grow(&mut sky, (0..width).flat_map(|x| [x, x + width]));
        self.drop_walls(&mut sky);
        let near = (share(&sky) >= LEAST_SHARE).then(|| self.surroundings(&sky));
        let sides = (0..height / 3).flat_map(|y| [y * width, (y + 1) * width - 1]);
        self.grow(
            &mut sky,
            sides.filter(|i| near.as_ref().is_none_or(|near| apart(self.lab[*i], near[*i]) < SAME_SKY)),
        );
        sky
    }

    /// Removes pale regions in a warm color that are apart from a blue sky: walls that reach the upper border.
    fn drop_walls(&self, sky: &mut [bool]) {
        let parts = self.parts(sky);
        let blueness = |part: &[usize]| -part.iter().map(|i| self.lab[*i][2]).sum::<f32>() / part.len().max(1) as f32;
        let least = (LEAST_SHARE * sky.len() as f32) as usize;
        let mut blue = vec![false; sky.len()];
        parts.iter().filter(|p| p.len() >= least && blueness(p) > BLUE).flatten().for_each(|i| blue[*i] = true);
        if !blue.contains(&true) {
            return;
        }
        let beside = self.dilated(&blue);
        for part in parts.iter().filter(|p| blueness(p) < -WARM && !p.iter().any(|i| beside[*i])) {
            part.iter().for_each(|i| sky[*i] = false);
        }
    }

    /// Connected parts of a mask.
    fn parts(&self, mask: &[bool]) -> Vec<Vec<usize>> {
        let mut seen = vec![false; mask.len()];
        let mut parts = Vec::new();
        for first in 0..mask.len() {
            if !mask[first] || seen[first] {
                continue;
            }
            seen[first] = true;
            let mut part = vec![first];
            let mut next = 0;
            while next < part.len() {
                for j in self.neighbors(part[next]) {
                    if mask[j] && !seen[j] {
                        seen[j] = true;
                        part.push(j);
                    }
                }
                next += 1;
            }
            parts.push(part);
        }
        parts
    }

    fn grow(&self, sky: &mut [bool], seeds: impl Iterator<Item = usize>) {
        let mut open: Vec<usize> = Vec::new();
        let is_seed = |i: usize| self.likeness(i) > 0.5 && self.texture[i] < 2.0;
        for i in seeds {
            if i < sky.len() && !sky[i] && is_seed(i) {
                sky[i] = true;
                open.push(i);
            }
        }
        while let Some(i) = open.pop() {
            for j in self.neighbors(i) {
                let step = (0..3).map(|c| (self.lab[i][c] - self.lab[j][c]).powi(2)).sum::<f32>();
                if !sky[j] && self.texture[j] < 3.0 && step < 9.0 && self.likeness(j) > 0.25 {
                    sky[j] = true;
                    open.push(j);
                }
            }
        }
    }

    /// Mean color of the sky around each pixel, or of all sky where there is none near.
    fn surroundings(&self, sky: &[bool]) -> Vec<[f32; 3]> {
        let weights: Vec<f32> = sky.iter().map(|s| f32::from(u8::from(*s))).collect();
        let radius = (self.width / 6).max(1);
        let mean = |plane: &[f32]| box_mean(plane, self.width, self.height, radius);
        let weight = mean(&weights);
        let whole = weights.iter().sum::<f32>().max(1.0);
        let planes = [0, 1, 2].map(|c| {
            let values: Vec<f32> = self.lab.iter().zip(&weights).map(|(v, w)| v[c] * w).collect();
            (mean(&values), values.iter().map(|v| f64::from(*v)).sum::<f64>() as f32 / whole)
        });
        let at = |i: usize| {
            if weight[i] > 1e-3 {
                [0, 1, 2].map(|c| planes[c].0[i] / weight[i])
            } else {
                [0, 1, 2].map(|c| planes[c].1)
            }
        };
        (0..weight.len()).map(at).collect()
    }

    fn neighbors(&self, i: usize) -> impl Iterator<Item = usize> {
        let (x, width, count) = (i % self.width, self.width, self.lab.len());
        let left = (x > 0).then(|| i - 1);
        let right = (x + 1 < width).then_some(i + 1);
        let up = (i >= width).then(|| i - width);
        let down = (i + width < count).then_some(i + width);
        [left, right, up, down].into_iter().flatten()
    }

    /// Probability of sky for each pixel, by color models of the current sky and of the rest.
    fn classified(&self, sky: &[bool]) -> Option<Vec<f32>> {
        let inside = QuadraticFit::fit(self, sky)?;
        let sky_clusters = ColorClusters::fit(self, sky, 4)?;
        let near = self.surroundings(sky);
        // Smooth pixels near the edge of the sky may be sky that was not reached.
        let grown = self.dilated(sky);
        let rest: Vec<bool> = (0..sky.len()).map(|i| !sky[i] && (!grown[i] || self.texture[i] > 4.0)).collect();
        let rest_clusters = ColorClusters::fit(self, &rest, 8);
        let end = self.lower_end(sky);
        let probabilities = (0..sky.len()).into_par_iter().map(|i| {
            let place = (i / self.width) as f32 / self.height as f32;
            let own = inside.distance(self, i).min(sky_clusters.distance(self, i) + 1.0);
            let other = rest_clusters.as_ref().map_or(12.0, |k| k.distance(self, i));
            // Penalty below the lower end of the sky.
            let below = 14.0 * ramp(place, end[i % self.width], end[i % self.width] + 0.10);
            let rough = 0.6 * (self.texture[i] - 2.5).clamp(0.0, 6.0);
            // Leaves and twigs are darker than the sky around them, and rough; a dark cloud is smooth.
            let dark = ramp(near[i][0] - self.lab[i][0], 10.0, 18.0) * ramp(self.texture[i], 1.5, 3.0);
            let odds =
                (other.min(24.0) - own.min(24.0)) * 0.5 + 4.0 * (self.likeness(i) - 0.35) - below - rough - 14.0 * dark;
            1.0 / (1.0 + (-odds).exp())
        });
        Some(probabilities.collect())
    }

    /// Lower end of the sky near each column, as a share of the height.
    fn lower_end(&self, sky: &[bool]) -> Vec<f32> {
        let lowest: Vec<f32> = (0..self.width)
            .map(|x| {
                let last = (0..self.height).rev().find(|y| sky[y * self.width + x]);
                last.map_or(0.0, |y| (y + 1) as f32 / self.height as f32)
            })
            .collect();
        let reach = self.width / 6;
        (0..self.width)
            .map(|x| {
                let near = &lowest[x.saturating_sub(reach)..(x + reach + 1).min(self.width)];
                near.iter().copied().fold(0.0, f32::max)
            })
            .collect()
    }

    /// Probabilities refined to image edges.
    fn refined(&self, odds: &[f32], radius: usize) -> Vec<f32> {
        let guide: Vec<f32> = self.lab.iter().map(|v| v[0] - 0.7 * v[2]).collect();
        let filtered = GuidedFilter::new(&guide, self.width, self.height, radius, 6.0).filtered(odds);
        filtered.into_iter().map(|v| v.clamp(0.0, 1.0)).collect()
    }

    /// Sky that is connected to the top, across gaps of a few pixels as between leaves.
    fn connected(&self, alpha: &[f32]) -> Vec<bool> {
        let is_sky: Vec<bool> = alpha.iter().map(|a| *a > 0.5).collect();
        let wide = self.dilated(&is_sky);
        let mut reached = vec![false; alpha.len()];
        let mut open: Vec<usize> = Vec::new();
        let top: Vec<bool> =
            (0..is_sky.len()).map(|i| is_sky[i] && i < self.width * (self.height / 8).max(2)).collect();
        let near = (share(&top) >= LEAST_SHARE / 3.0).then(|| self.surroundings(&top));
        let is_like = |i: usize| near.as_ref().is_none_or(|near| apart(self.lab[i], near[i]) < SAME_SKY);
        let sides = (0..self.height / 4).flat_map(|y| [y * self.width, (y + 1) * self.width - 1]);
        for i in (0..self.width * 2).chain(sides.filter(|i| is_like(*i))) {
            if is_sky[i] && !reached[i] {
                reached[i] = true;
                open.push(i);
            }
        }
        while let Some(i) = open.pop() {
            for j in self.neighbors(i) {
                if wide[j] && !reached[j] {
                    reached[j] = true;
                    open.push(j);
                }
            }
        }
        (0..alpha.len()).map(|i| is_sky[i] && reached[i]).collect()
    }

    /// A mask, dilated by a few pixels.
    fn dilated(&self, mask: &[bool]) -> Vec<bool> {
        let plane: Vec<f32> = mask.iter().map(|m| f32::from(u8::from(*m))).collect();
        let radius = (self.width.max(self.height) / 100).max(2);
        box_mean(&plane, self.width, self.height, radius).into_iter().map(|v| v > 1e-4).collect()
    }

    /// Rejects ceilings, walls and hills: a sky is blue or brighter than the rest, reaches the upper border, and is smooth.
    fn is_plausible(&self, alpha: &[f32]) -> bool {
        let mut sums = [0.0_f64; 3];
        let (mut weight, mut dark) = (0.0_f64, 0.0_f64);
        for (value, a) in self.lab.iter().zip(alpha) {
            let a = f64::from(*a);
            (0..3).for_each(|c| sums[c] += a * f64::from(value[c]));
            weight += a;
            dark += (1.0 - a) * f64::from(value[0]);
        }
        let mean = sums.map(|s| s / weight.max(1e-9));
        let rest = dark / (alpha.len() as f64 - weight).max(1.0);
        let top: f32 = alpha[..self.width].iter().sum::<f32>() / self.width as f32;
        let is_blue = mean[2] < -5.0;
        let texture = median((0..alpha.len()).filter(|i| alpha[*i] > 0.9).map(|i| self.texture[i]).collect());
        top > 0.08 && (is_blue || mean[0] > rest + 8.0) && texture <= MOST_TEXTURE
    }
}

/// Median of the values, 0 if there are none.
fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

/// Difference of two colors (CIE 1976).
fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt()
}

fn ramp(value: f32, from: f32, to: f32) -> f32 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}
