//! Windows and lamps: parts of walls and of the ceiling that are far brighter than the rest.

use aerie_photo::color::luminance;
use glam::Vec2;

use super::{Shell, Window};
use crate::space::Surface;

/// Least area, square meters, and least share of its rectangle that is bright.
const LEAST_AREA: f32 = 0.30;
const LEAST_FILL: f32 = 0.5;
/// Bars between panes that are bridged, meters.
const BARS: f32 = 0.12;
/// Luminance that a lamp at least has in a photo.
const LAMP: f32 = 0.93;

pub(super) fn windows(shell: &Shell) -> Vec<Window> {
    let lights = |face: usize| {
        let grid = &shell.faces[face];
        (0..grid.values.len()).filter(move |i| shell.seen[face][*i]).map(move |i| luminance(grid.values[i].to_array()))
    };
    let mut all: Vec<f32> = (2..shell.faces.len()).flat_map(lights).collect();
    if all.len() < 50 {
        return Vec::new();
    }
    all.sort_by(f32::total_cmp);
    let usual = all[all.len() * 35 / 100];
    let bright = (1.5 * usual).clamp(0.40, 0.93);
    let walls = (0..shell.space.sides.len()).map(Surface::Wall);
    let windows = walls.flat_map(|wall| bright_parts(shell, wall, bright, BARS, [LEAST_AREA, f32::MAX])).collect();
    largest(windows, 8)
}

/// Lamps in the ceiling: small parts that the photo could not hold, while the ceiling round them it could.
pub(super) fn lamps(shell: &Shell) -> Vec<Window> {
    let grid = &shell.faces[1];
    let seen = (0..grid.values.len()).filter(|i| shell.seen[1][*i]);
    let mut lights: Vec<f32> = seen.map(|i| luminance(grid.values[i].to_array())).collect();
    if lights.len() < 50 {
        return Vec::new();
    }
    lights.sort_by(f32::total_cmp);
    let usual = lights[lights.len() / 2];
    if usual > LAMP / 1.35 {
        return Vec::new();
    }
    let mut found = bright_parts(shell, Surface::Ceiling, LAMP, 0.0, [0.002, 0.5]);
    // Where the ceiling grows bright towards a window it is no lamp.
    let stands_out = |lamp: &Window| {
        let wide = [lamp.rect[0] - 0.2, lamp.rect[1] + 0.2];
        let is_about = |at: Vec2| super::inside(wide, at) && !super::inside(lamp.rect, at);
        let about: Vec<f32> = (0..grid.values.len())
            .filter(|i| shell.seen[1][*i] && is_about(grid.middle(*i)))
            .map(|i| luminance(grid.values[i].to_array()))
            .collect();
        !about.is_empty() && about.iter().sum::<f32>() < 0.72 * about.len() as f32
    };
    found.retain(|lamp| lamp.rect.iter().all(|corner| shell.space.clearance(*corner) > 0.2) && stands_out(lamp));
    largest(found, 12)
}

fn largest(mut found: Vec<Window>, most: usize) -> Vec<Window> {
    let area = |w: &Window| (w.rect[1] - w.rect[0]).element_product();
    found.sort_by(|a, b| area(b).total_cmp(&area(a)));
    found.truncate(most);
    found
}

/// Rectangles about the parts of a face that are at least as bright as `bright`, gaps of `bars` meters bridged; of areas
/// within a range.
fn bright_parts(shell: &Shell, surface: Surface, bright: f32, bars: f32, areas: [f32; 2]) -> Vec<Window> {
    let face = super::number(surface);
    let grid = &shell.faces[face];
    let (columns, rows) = (grid.size.x as i32, grid.size.y as i32);
    let is_bright = |i: usize| shell.seen[face][i] && luminance(grid.values[i].to_array()) >= bright;
    let mask: Vec<bool> = (0..grid.values.len()).map(is_bright).collect();
    let reach = (Vec2::splat(bars) / grid.cell / 2.0).ceil().as_ivec2();
    let near = |x: i32, y: i32| {
        (-reach.y..=reach.y).any(|v| {
            (-reach.x..=reach.x).any(|u| {
                let (x, y) = (x + u, y + v);
                (0..columns).contains(&x) && (0..rows).contains(&y) && mask[(y * columns + x) as usize]
            })
        })
    };
    let wide: Vec<bool> = (0..mask.len() as i32).map(|i| near(i % columns, i / columns)).collect();
    let mut taken = vec![false; mask.len()];
    let mut found = Vec::new();
    for start in 0..mask.len() {
        if taken[start] || !wide[start] {
            continue;
        }
        let (mut open, mut cells) = (vec![start], Vec::new());
        taken[start] = true;
        while let Some(i) = open.pop() {
            if mask[i] {
                cells.push(i);
            }
            let (x, y) = (i as i32 % columns, i as i32 / columns);
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                let next = (y * columns + x) as usize;
                if (0..columns).contains(&x) && (0..rows).contains(&y) && wide[next] && !taken[next] {
                    taken[next] = true;
                    open.push(next);
                }
            }
        }
        if cells.is_empty() {
            continue;
        }
        let at = |i: &usize| grid.middle(*i);
        let low = cells.iter().map(at).fold(Vec2::MAX, Vec2::min) - grid.cell / 2.0;
        let high = cells.iter().map(at).fold(Vec2::MIN, Vec2::max) + grid.cell / 2.0;
        let area = (high - low).element_product();
        let fill = cells.len() as f32 * grid.cell.element_product() / area;
        if !(areas[0]..=areas[1]).contains(&area) || fill < LEAST_FILL {
            continue;
        }
        let within: Vec<usize> =
            (0..mask.len()).filter(|i| shell.seen[face][*i] && super::inside([low, high], grid.middle(*i))).collect();
        let radiance = within.iter().map(|i| grid.values[*i]).sum::<glam::Vec3>() / within.len().max(1) as f32;
        found.push(Window { surface, rect: [low, high], radiance, chance: 0.0 });
    }
    found
}

impl Shell {
    /// Whether the photo shows a wall, and only bare wall, in a rectangle on it; the rectangle is widened by `margin`.
    #[must_use]
    pub fn is_bare(&self, side: usize, rect: [Vec2; 2], margin: f32) -> bool {
        let (face, surface) = (side + 2, Surface::Wall(side));
        let grid = &self.faces[face];
        let [low, high] = [rect[0] - margin, rect[1] + margin];
        let [least, most] = self.space.extent(surface);
        if low.x < least.x || high.x > most.x || high.y > most.y {
            return false;
        }
        let wall = self.usual(side);
        let level = luminance(wall.to_array()).max(0.01);
        let (mut all, mut odd) = (0.0_f32, 0.0_f32);
        for i in 0..grid.values.len() {
            if !super::inside([low, high], grid.middle(i)) {
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

    /// The color that a wall mostly has: the median of each channel.
    pub(crate) fn usual(&self, side: usize) -> glam::Vec3 {
        let face = side + 2;
        let grid = &self.faces[face];
        let kept: Vec<usize> = (0..grid.values.len())
            .filter(|i| {
                let at = grid.middle(*i);
                self.seen[face][*i] && !self.windows.iter().any(|w| w.side() == Some(side) && super::inside(w.rect, at))
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
        glam::Vec3::new(median(0), median(1), median(2))
    }

    /// Share of a strip of wall, from the floor to `up` meters, that is unlike the wall, by cells of `step` along it.
    pub(crate) fn oddness(&self, side: usize, up: [f32; 2], step: f32) -> Vec<Option<f32>> {
        let face = side + 2;
        let grid = &self.faces[face];
        let wall = self.usual(side);
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

/// Whether a place on a wall may be of the wall's paint, in more light or less.
pub(super) fn is_like(value: glam::Vec3, usual: glam::Vec3) -> bool {
    let (light, level) = (luminance(value.to_array()).max(0.002), luminance(usual.to_array()).max(0.01));
    (light / level).ln().abs() < 0.9 && (value / light - usual / level).abs().max_element() < 0.25
}
