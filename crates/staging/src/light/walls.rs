//! Which parts of a wall are bare, and which are doors, shelves or pictures.

use aerie_math::color::luminance;
use glam::{Vec2, Vec3};

use super::shell::{Shell, inside};
use crate::space::Surface;

impl Shell {
    /// Whether the photo shows bare wall, and nothing else, in a rectangle on a wall widened by `margin`.
    #[must_use]
    pub fn is_bare(&self, side: usize, rect: [Vec2; 2], margin: f32) -> bool {
        let (face, surface) = (side + 2, Surface::Wall(side));
        let grid = &self.faces[face];
        let [low, high] = [rect[0] - margin, rect[1] + margin];
        let [least, most] = self.space.extent(surface);
        if low.x < least.x || high.x > most.x || high.y > most.y {
            return false;
        }
        let wall = self.median_color(side);
        let level = luminance(wall.to_array()).max(0.01);
        let (mut all, mut odd) = (0.0_f32, 0.0_f32);
        for i in 0..grid.values.len() {
            if !inside([low, high], grid.middle(i)) {
                continue;
            }
            if !self.seen[face][i] {
                return false;
            }
            all += 1.0;
            let value = grid.values[i];
            let light = luminance(value.to_array()).max(0.002);
            let tint = (value / light - wall / level).abs().max_element();
            if (light / level).ln().abs() > 0.45 || tint > 0.22 {
                odd += 1.0;
            }
        }
        all > 3.0 && odd / all < 0.03
    }

    /// The usual color of a wall: the median of each channel.
    pub(crate) fn median_color(&self, side: usize) -> Vec3 {
        let face = side + 2;
        let grid = &self.faces[face];
        let kept: Vec<usize> = (0..grid.values.len())
            .filter(|i| {
                let at = grid.middle(*i);
                self.seen[face][*i] && !self.windows.iter().any(|w| w.side() == Some(side) && inside(w.rect, at))
            })
            .collect();
        if kept.is_empty() {
            return self.ambient;
        }
        let median = |c: usize| {
            let mut values: Vec<f32> = kept.iter().map(|i| grid.values[*i][c]).collect();
            values.sort_by(f32::total_cmp);
            values[values.len() / 2]
        };
        Vec3::new(median(0), median(1), median(2))
    }

    /// How rough a wall looks: the median change of the logarithm of its light from cell to cell. Paint has little, brick and stone much.
    pub(crate) fn roughness(&self, side: usize) -> f32 {
        let face = side + 2;
        let grid = &self.faces[face];
        let light = |i: usize| {
            let at = grid.middle(i);
            let is_wall = self.seen[face][i]
                && (0.3..2.2).contains(&at.y)
                && !self.windows.iter().any(|w| w.side() == Some(side) && inside(w.rect, at));
            is_wall.then(|| luminance(grid.values[i].to_array()).max(0.002).ln())
        };
        let mut steps: Vec<f32> =
            (1..grid.values.len()).filter_map(|i| Some((light(i)? - light(i - 1)?).abs())).collect();
        steps.sort_by(f32::total_cmp);
        steps.get(steps.len() / 2).copied().unwrap_or(0.0)
    }

    /// Share of a strip of wall that does not look like the wall, per `step` meters along it. `up` is the range of heights.
    pub(crate) fn oddness(&self, side: usize, up: [f32; 2], step: f32) -> Vec<Option<f32>> {
        let face = side + 2;
        let grid = &self.faces[face];
        let wall = self.median_color(side);
        let level = luminance(wall.to_array()).max(0.01);
        let count = (self.space.sides[side].length() / step).ceil().max(1.0) as usize;
        let mut sums = vec![(0.0_f32, 0.0_f32); count];
        for i in 0..grid.values.len() {
            let at = grid.middle(i);
            if !self.seen[face][i] || at.y < up[0] || at.y > up[1] {
                continue;
            }
            let value = grid.values[i];
            let light = luminance(value.to_array()).max(0.002);
            let tint = (value / light - wall / level).abs().max_element();
            let odd = (light / level).ln().abs() > 0.55 || tint > 0.30;
            let sum = &mut sums[((at.x / step) as usize).min(count - 1)];
            *sum = (sum.0 + f32::from(u8::from(odd)), sum.1 + 1.0);
        }
        sums.into_iter().map(|(odd, all)| (all > 2.0).then(|| odd / all)).collect()
    }
}

/// Whether a color may be the paint of the wall in more or less light.
pub(super) fn is_like(value: Vec3, usual: Vec3) -> bool {
    let (light, level) = (luminance(value.to_array()).max(0.002), luminance(usual.to_array()).max(0.01));
    (light / level).ln().abs() < 0.9 && (value / light - usual / level).abs().max_element() < 0.25
}
