//! Exemplar-based inpainting behind an edge, with patches of the photo itself (Criminisi, Perez and Toyama, "Region Filling and Object
//! Removal by Exemplar-Based Inpainting", 2004).

use rayon::prelude::*;

/// Width of the filled band, as a share of the longer side: more than a moving camera ever reveals.
const BAND: f64 = 0.02;
/// Half the side of a patch, and radius of the search, as shares of the longer side.
const PATCH: f64 = 0.0026;
const SEARCH: f64 = 0.03;
/// Step of the search, pixels.
const STEP: usize = 2;

/// A picture that is being filled.
pub(crate) struct Canvas<'a> {
    pub(super) pixels: Vec<[f32; 3]>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Region of each pixel; pixels are filled from their own region only.
    pub(super) zones: &'a [u8],
    /// Confidence of each pixel: 1 in the photo, 0 where it is to be filled.
    confidence: Vec<f32>,
    is_open: Vec<bool>,
    radius: usize,
}

impl<'a> Canvas<'a> {
    /// `pixels` where they are known, and a first guess elsewhere.
    pub(crate) fn new(
        pixels: Vec<[f32; 3]>,
        [width, height]: [usize; 2],
        zones: &'a [u8],
        is_known: impl Fn(usize) -> bool,
    ) -> Self {
        let known: Vec<bool> = (0..pixels.len()).map(is_known).collect();
        let side = width.max(height) as f64;
        let band = (BAND * side).ceil() as u32;
        let away = distances(&known, width, height);
        let is_open: Vec<bool> = away.iter().map(|d| (1..=band).contains(d)).collect();
        let confidence = known.iter().map(|k| f32::from(u8::from(*k))).collect();
        let radius = ((PATCH * side).round() as usize).max(3);
        Self { pixels, width, height, zones, confidence, is_open, radius }
    }

    /// Fills the band along the known pixels.
    pub(crate) fn fill(mut self) -> Vec<[f32; 3]> {
        let sources: Vec<bool> = self.confidence.iter().map(|c| *c >= 1.0).collect();
        let mut front: Vec<usize> = (0..self.pixels.len()).filter(|i| self.is_front(*i)).collect();
        while !front.is_empty() {
            let priority = |i: &usize| (self.trust(*i) * (self.edge(*i) + 0.05), usize::MAX - i);
            let best = front
                .par_iter()
                .map(|i| (priority(i), *i))
                .max_by(|a, b| a.0.0.total_cmp(&b.0.0).then(a.0.1.cmp(&b.0.1)));
            let Some((_, at)) = best else { break };
            let trust = self.trust(at);
            let like = self.like(at, &sources);
            let (x, y, radius) = (at % self.width, at / self.width, self.radius);
            for v in y.saturating_sub(radius)..(y + radius + 1).min(self.height) {
                for u in x.saturating_sub(radius)..(x + radius + 1).min(self.width) {
                    let i = v * self.width + u;
                    if self.is_open[i] && self.zones[i] == self.zones[at] {
                        if let Some(like) = like {
                            let from = (like / self.width + v - y) * self.width + like % self.width + u - x;
                            self.pixels[i] = self.pixels[from];
                        }
                        self.is_open[i] = false;
                        self.confidence[i] = trust * 0.98;
                    }
                }
            }
            front.retain(|i| self.is_open[*i]);
            let reach = radius + 1;
            for v in y.saturating_sub(reach)..(y + reach + 1).min(self.height) {
                for u in x.saturating_sub(reach)..(x + reach + 1).min(self.width) {
                    let i = v * self.width + u;
                    if self.is_front(i) && !front.contains(&i) {
                        front.push(i);
                    }
                }
            }
        }
        self.pixels
    }

    /// Whether a pixel is to be filled and lies beside one that is not.
    fn is_front(&self, i: usize) -> bool {
        let (x, y, width) = (i % self.width, i / self.width, self.width);
        let is_full = |j: usize| self.confidence[j] > 0.0 && self.zones[j] == self.zones[i];
        self.is_open[i]
            && ((x > 0 && is_full(i - 1))
                || (x + 1 < width && is_full(i + 1))
                || (y > 0 && is_full(i - width))
                || (y + 1 < self.height && is_full(i + width)))
    }

    fn patch(&self, at: usize) -> impl Iterator<Item = (isize, isize, usize)> {
        let (x, y) = ((at % self.width) as isize, (at / self.width) as isize);
        let (radius, width, height) = (self.radius as isize, self.width as isize, self.height as isize);
        (-radius..=radius).flat_map(move |v| {
            (-radius..=radius).filter_map(move |u| {
                let is_in = x + u >= 0 && y + v >= 0 && x + u < width && y + v < height;
                is_in.then(|| (u, v, ((y + v) * width + x + u) as usize))
            })
        })
    }

    /// Mean confidence of the patch around a pixel.
    fn trust(&self, at: usize) -> f32 {
        let (sum, count) = self.patch(at).fold((0.0, 0.0), |(s, n), (.., i)| (s + self.confidence[i], n + 1.0));
        sum / count
    }

    /// The strongest edge near a pixel, 0 to 1: edges are carried on first.
    fn edge(&self, at: usize) -> f32 {
        let light = |i: usize| (0.3 * self.pixels[i][0] + 0.6 * self.pixels[i][1] + 0.1 * self.pixels[i][2]) / 255.0;
        let is_full = |i: usize| self.confidence[i] > 0.0;
        let step = |(_, _, i): (isize, isize, usize)| {
            let across = i % self.width + 1 < self.width && is_full(i) && is_full(i + 1);
            let down = i + self.width < self.pixels.len() && is_full(i) && is_full(i + self.width);
            let a = if across { (light(i) - light(i + 1)).abs() } else { 0.0 };
            let b = if down { (light(i) - light(i + self.width)).abs() } else { 0.0 };
            a.max(b)
        };
        self.patch(at).map(step).fold(0.0, f32::max)
    }

    /// Center of the nearby patch that best matches the known part of the patch around a pixel.
    fn like(&self, at: usize, sources: &[bool]) -> Option<usize> {
        let side = self.width.max(self.height) as f64;
        let (x, y) = (at % self.width, at / self.width);
        let (reach, radius) = ((SEARCH * side) as usize, self.radius);
        let known: Vec<(isize, [f32; 3])> = self
            .patch(at)
            .filter(|(.., i)| self.confidence[*i] > 0.0)
            .map(|(u, v, i)| (v * self.width as isize + u, self.pixels[i]))
            .collect();
        let corners: Vec<isize> = self.patch(at).map(|(u, v, _)| v * self.width as isize + u).collect();
        let rows = y.saturating_sub(reach).max(radius)..(y + reach).min(self.height.saturating_sub(radius + 1));
        let cost = |to: usize| {
            let is_source = |by: &isize| {
                let i = (to as isize + by) as usize;
                sources[i] && self.zones[i] == self.zones[at]
            };
            if !corners.iter().step_by(3).all(is_source) || !corners.iter().all(is_source) {
                return f32::INFINITY;
            }
            let (u, v) = (to % self.width, to / self.width);
            // On a tie, prefer the nearer one.
            let away = (u.abs_diff(x) + v.abs_diff(y)) as f32 * 4.0;
            let unlike = known.iter().map(|(by, pixel)| {
                let other = self.pixels[(to as isize + by) as usize];
                (0..3).map(|c| (pixel[c] - other[c]).powi(2)).sum::<f32>()
            });
            unlike.sum::<f32>() / known.len().max(1) as f32 + away
        };
        let best = rows.into_par_iter().step_by(STEP).map(|v| {
            let columns = x.saturating_sub(reach).max(radius)..(x + reach).min(self.width.saturating_sub(radius + 1));
            columns
                .step_by(STEP)
                .map(|u| v * self.width + u)
                .map(|to| (cost(to), to))
                .fold((f32::INFINITY, usize::MAX), |best, new| if new.0 < best.0 { new } else { best })
        });
        let best = best.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        best.0.is_finite().then_some(best.1)
    }
}

/// Steps along both axes to the nearest known pixel; 0 for known ones.
fn distances(known: &[bool], width: usize, height: usize) -> Vec<u32> {
    let mut away: Vec<u32> = known.iter().map(|k| if *k { 0 } else { u32::MAX / 2 }).collect();
    for i in 0..away.len() {
        let left = if i % width > 0 { away[i - 1] + 1 } else { u32::MAX };
        let up = if i >= width { away[i - width] + 1 } else { u32::MAX };
        away[i] = away[i].min(left).min(up);
    }
    for i in (0..away.len()).rev() {
        let right = if i % width + 1 < width { away[i + 1] + 1 } else { u32::MAX };
        let down = if i / width + 1 < height { away[i + width] + 1 } else { u32::MAX };
        away[i] = away[i].min(right).min(down);
    }
    away
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_go_on_behind_an_edge() {
        let (width, height) = (1200, 300);
        // Upright boards of 16 pixels with dark joints, a hole along a slanting edge.
        let board = |i: usize| if i % width % 16 < 3 { [40.0; 3] } else { [200.0, 190.0, 170.0] };
        let hole = |i: usize| (i % width).abs_diff(550 + i / width / 3) < 7 && (60..240).contains(&(i / width));
        let pixels: Vec<[f32; 3]> = (0..width * height).map(|i| if hole(i) { [120.0; 3] } else { board(i) }).collect();
        let zones = vec![0; width * height];
        let filled = Canvas::new(pixels, [width, height], &zones, |i| !hole(i)).fill();
        let off = (0..width * height).filter(|i| (filled[*i][0] - board(*i)[0]).abs() > 30.0).count();
        let holes = (0..width * height).filter(|i| hole(*i)).count();
        assert!(off * 10 < holes, "{off} of {holes} are no boards");
        assert!((0..width * height).all(|i| hole(i) || filled[i] == board(i)), "what is known stays");
    }
}
