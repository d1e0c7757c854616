//! Where the ground ends: the lowest edge of what stands on it, per column of a photo.
//!
//! Colors and textures of the lower part of the photo are compared with those above the horizon; the edge is the path from left to
//! right that separates the two best (dynamic programming). Upright lines do not lie on the ground.

use aerie_math::color::lab;
use aerie_photo::lines::Segment;
use aerie_photo::room::Camera;
use aerie_photo::scene::{Region, Regions};
use aerie_photo::sky::Matte;
use aerie_photo::{Photo, PhotoScene, box_mean};
use glam::{DVec2, DVec3};

use super::palette::Palette;

/// Longer side of the copy that is looked at.
const SIDE: usize = 224;
/// Cost of a step of one row between neighboring columns, and the most that a jump costs.
const STEP: f32 = 1.2;
const JUMP: f32 = 26.0;
/// Sine of the largest angle to the zenith of an upright line, and its least length as a share of the photo's height.
const ALONG: f64 = 0.035;
const LONG: f64 = 0.025;
/// Odds along an upright line, per pixel.
const UPRIGHT: f32 = 4.0;
/// Widest gap that is closed: the width by this, to each side.
const GAPS: usize = 30;
/// Weight of the odds of the photo's regions.
const REGIONS: f32 = 0.6;
/// Weight of an edge of lightness along the path.
const CONTRAST: f32 = 0.25;

/// The lower edge of what stands on the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundEdge {
    /// Row of the edge in each of its columns, in pixels of the photo; the photo's height where no ground is seen.
    pub rows: Vec<f64>,
    /// Pixels of the photo to a column.
    pub step: f64,
    /// Mean odds by which the ground below differs from what stands above.
    pub margin: f64,
}

impl GroundEdge {
    /// Finds the edge.
    #[must_use]
    pub fn find(photo: &Photo, scene: &PhotoScene, camera: &Camera, sky: Option<&Matte>) -> Self {
        let view = View::of(photo, camera, sky);
        let mut odds = view.odds();
        view.hear(&mut odds, &scene.regions);
        view.deny_uprights(&mut odds, &scene.segments);
        let rows = closed(&view.path(&odds), view.width / GAPS);
        let step = photo.width as f64 / view.width as f64;
        let down = photo.height as f64 / view.height as f64;
        let near = (view.height / 12).max(2);
        let (mut sum, mut count) = (0.0, 1e-9);
        for (x, row) in rows.iter().enumerate() {
            for y in row.saturating_sub(near)..(row + near).min(view.height) {
                let odd = f64::from(odds[y * view.width + x]).clamp(-3.0, 3.0);
                sum += if y >= *row { odd } else { -odd };
                count += 1.0;
            }
        }
        Self { rows: rows.iter().map(|row| *row as f64 * down).collect(), step, margin: sum / count }
    }

    /// Share of the columns in which the edge lies above a row.
    #[must_use]
    pub fn share_above(&self, row: f64) -> f64 {
        self.rows.iter().filter(|edge| **edge < row).count() as f64 / self.rows.len().max(1) as f64
    }

    /// Points of the edge, in pixels of the photo.
    pub fn points(&self) -> impl Iterator<Item = DVec2> {
        self.rows.iter().enumerate().map(|(x, row)| DVec2::new((x as f64 + 0.5) * self.step, *row))
    }
}

/// Fills narrow gaps between columns whose edge is lower: between the pickets of a fence and the legs of a table.
fn closed(rows: &[usize], reach: usize) -> Vec<usize> {
    let over = |rows: &[usize], pick: fn(usize, usize) -> usize| -> Vec<usize> {
        let window = |x: usize| &rows[x.saturating_sub(reach)..(x + reach + 1).min(rows.len())];
        (0..rows.len()).map(|x| window(x).iter().copied().fold(rows[x], pick)).collect()
    };
    over(&over(rows, usize::max), usize::min)
}

/// Whether a segment runs toward the zenith, and is long enough to be more than texture.
pub(super) fn is_upright(segment: &Segment, camera: &Camera) -> bool {
    let zenith = camera.vanishing_point(DVec3::Z);
    let middle = DVec2::from_array(segment.middle());
    let toward = (zenith.truncate() - middle * zenith.z).normalize_or_zero();
    let along = DVec2::from_array(segment.direction());
    along.perp_dot(toward).abs() <= ALONG && segment.length() >= LONG * camera.height as f64
}

/// A reduced photo.
struct View<'a> {
    width: usize,
    height: usize,
    camera: &'a Camera,
    /// Pixels of the photo to a pixel.
    scale: f64,
    /// L*, a*, b* and texture.
    features: Vec<[f32; 4]>,
    sky: Vec<f32>,
}

impl<'a> View<'a> {
    fn of(photo: &Photo, camera: &'a Camera, sky: Option<&Matte>) -> Self {
        let reduced = photo.reduced(SIDE);
        let (width, height) = (reduced.width, reduced.height);
        let tones: Vec<[f32; 3]> = reduced.pixels.iter().map(|p| lab(*p)).collect();
        let light: Vec<f32> = tones.iter().map(|t| t[0]).collect();
        let squares: Vec<f32> = light.iter().map(|v| v * v).collect();
        let (mean, square) = (box_mean(&light, width, height, 2), box_mean(&squares, width, height, 2));
        let features = (0..tones.len())
            .map(|i| {
                let [l, a, b] = tones[i];
                [l, a, b, (square[i] - mean[i] * mean[i]).max(0.0).sqrt()]
            })
            .collect();
        let sky_at = |i: usize| {
            sky.map_or(0.0, |sky| {
                let (x, y) = (i % width * sky.width / width, i / width * sky.height / height);
                sky.alpha[y * sky.width + x] * sky.confidence
            })
        };
        let sky = (0..width * height).map(sky_at).collect();
        Self { width, height, camera, scale: photo.width as f64 / width as f64, features, sky }
    }

    /// How far below the horizon a pixel lies: 0 on it, 1 at the lower edge of the photo.
    fn below(&self, i: usize) -> f32 {
        let at = |x: f64, y: f64| -self.camera.ray(DVec2::new(x, y) * self.scale).z;
        let column = (i % self.width) as f64 + 0.5;
        let lowest = at(column, self.height as f64).max(0.05);
        (at(column, (i / self.width) as f64 + 0.5) / lowest) as f32
    }

    /// Logarithm of the odds that a pixel shows the ground.
    fn odds(&self) -> Vec<f32> {
        let below: Vec<f32> = (0..self.features.len()).map(|i| self.below(i)).collect();
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (i, share) in below.iter().enumerate() {
            if *share > 0.62 {
                low.push(self.features[i]);
            } else if *share < 0.04 && self.sky[i] < 0.3 {
                high.push(self.features[i]);
            }
        }
        let (low, high) = (Palette::fit(&low), Palette::fit(&high));
        (0..below.len())
            .map(|i| {
                let likely = match (&low, &high) {
                    (Some(low), Some(high)) => {
                        (low.density(&self.features[i]) - high.density(&self.features[i])).clamp(-3.0, 3.0)
                    }
                    _ => 0.0,
                };
                let share = below[i];
                let usual = if share < 0.0 { -4.0 } else { -2.0 + 4.0 * (share / 0.6).min(1.0) };
                likely + usual - 4.0 * self.sky[i]
            })
            .collect()
    }

    /// Adds what is known of the regions of the photo.
    fn hear(&self, odds: &mut [f32], regions: &Regions) {
        for (i, odds) in odds.iter_mut().enumerate() {
            let share = |at: usize, of: usize| (at as f64 + 0.5) / of as f64;
            let at = [share(i % self.width, self.width), share(i / self.width, self.height)];
            let ground = regions.any(&Region::GROUND, at).clamp(0.02, 0.98);
            *odds += REGIONS * libm::logf(ground / (1.0 - ground));
        }
    }

    /// Lines toward the zenith stand on the ground.
    fn deny_uprights(&self, odds: &mut [f32], segments: &[Segment]) {
        for segment in segments.iter().filter(|segment| is_upright(segment, self.camera)) {
            let length = segment.length() / self.scale;
            let [a, b] = [segment.a, segment.b].map(|p| DVec2::from_array(p) / self.scale);
            let steps = length.ceil() as usize;
            for n in 0..=steps {
                let at = a + (b - a) * (n as f64 / steps as f64);
                for x in [at.x - 0.5, at.x + 0.5] {
                    let (x, y) = (x.max(0.0) as usize, at.y.max(0.0) as usize);
                    if x < self.width && y < self.height {
                        odds[y * self.width + x] -= UPRIGHT;
                    }
                }
            }
        }
    }

    /// First row of the ground in each column.
    fn path(&self, odds: &[f32]) -> Vec<usize> {
        let (width, height) = (self.width, self.height);
        // Cost of each row as the first of the ground.
        let costs: Vec<Vec<f32>> = (0..width)
            .map(|x| {
                let mut cost = vec![0.0; height + 1];
                for y in (0..height).rev() {
                    cost[y] = cost[y + 1] - odds[y * width + x];
                }
                for (y, cost) in cost.iter_mut().enumerate().take(height).skip(1) {
                    let step = self.features[y * width + x][0] - self.features[(y - 1) * width + x][0];
                    *cost -= CONTRAST * step.abs().min(20.0);
                }
                cost
            })
            .collect();
        let mut total = costs[0].clone();
        let mut came: Vec<Vec<usize>> = Vec::with_capacity(width);
        for cost in &costs[1..] {
            // A step costs its height, up to that of a jump: two passes and the best of all.
            let (least, from) = total
                .iter()
                .enumerate()
                .fold((f32::INFINITY, 0), |best, (y, value)| if *value < best.0 { (*value, y) } else { best });
            let mut reached: Vec<(f32, usize)> = total.iter().copied().zip(0..).collect();
            for y in 1..=height {
                if reached[y - 1].0 + STEP < reached[y].0 {
                    reached[y] = (reached[y - 1].0 + STEP, reached[y - 1].1);
                }
            }
            for y in (0..height).rev() {
                if reached[y + 1].0 + STEP < reached[y].0 {
                    reached[y] = (reached[y + 1].0 + STEP, reached[y + 1].1);
                }
            }
            for value in &mut reached {
                if least + JUMP < value.0 {
                    *value = (least + JUMP, from);
                }
            }
            total = cost.iter().zip(&reached).map(|(cost, before)| cost + before.0).collect();
            came.push(reached.into_iter().map(|before| before.1).collect());
        }
        let mut at = (0..=height).min_by(|a, b| total[*a].total_cmp(&total[*b])).unwrap_or(height);
        let mut rows = vec![at];
        for from in came.iter().rev() {
            at = from[at];
            rows.push(at);
        }
        rows.reverse();
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_pickets_are_closed_and_a_single_post_stays_thin() {
        let picket = |x: usize| if (20..60).contains(&x) && x % 5 < 2 || x == 80 { 90 } else { 50 };
        let rows: Vec<usize> = (0..100).map(picket).collect();
        let closed = closed(&rows, 4);
        assert!((20..56).all(|x| closed[x] == 90), "{closed:?}");
        assert_eq!(closed.iter().filter(|row| **row == 90).count() - (20..62).filter(|x| closed[*x] == 90).count(), 1);
    }
}
