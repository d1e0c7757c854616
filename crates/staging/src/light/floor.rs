//! Objects on the floor, and where the sun falls on it.

use aerie_math::color::luminance;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::shell::{Shell, Window, inside};
use crate::grid::Grid;
use crate::space::Surface;

/// Difference of tint, and darkness relative to the floor, from which something is an object rather than floor.
const ODD_TINT: f32 = 0.30;
const DARK: f32 = 0.22;
/// Smallest area of an obstacle, square meters, and largest, as a share of the visible floor: more is the floor itself.
const OBSTACLE: [f32; 2] = [0.05, 0.25];
/// Brightness relative to the darker floor nearby at which sunlight begins, and at which it is certain.
const SUN: [f32; 2] = [2.2, 3.2];
/// Largest factor of sunlight, and radius of the neighborhood that is compared, meters.
const MAX_SUN: f32 = 5.0;
const NEIGHBORHOOD: f32 = 1.5;

/// Strength of color from which a floor is not gray, and the share of it below which a place is washed out by a reflection.
const GRAY: f32 = 0.12;
const WASHED: f32 = 0.8;
/// Distance from a window's mirror image within which light counts as its reflection, meters.
const AROUND_MIRRORED: f32 = 0.4;
/// Radiance from which a wall is as bright as a window.
const CLIPPED: f32 = 0.8;

/// The visible floor: tint and brightness of each cell, and their medians.
struct Tints {
    cells: Vec<usize>,
    tints: Vec<(Vec3, f32)>,
    usual: Vec3,
    level: f32,
}

impl Tints {
    fn is_odd(&self, at: usize) -> bool {
        let (tint, light) = self.tints[at];
        (tint - self.usual).abs().max_element() > ODD_TINT || light < DARK * self.level
    }
}

/// Color without brightness, and brightness.
fn tint(value: Vec3) -> (Vec3, f32) {
    let light = luminance(value.to_array()).max(0.004);
    (value / (light + 0.02), light)
}

impl Shell {
    fn tints(&self) -> Option<Tints> {
        let grid = &self.faces[0];
        let cells: Vec<usize> = (0..grid.values.len()).filter(|i| self.seen[0][*i]).collect();
        let tints: Vec<(Vec3, f32)> = cells.iter().map(|i| tint(grid.values[*i])).collect();
        if tints.len() < 50 {
            return None;
        }
        let median = |of: &dyn Fn(&(Vec3, f32)) -> f32| {
            let mut values: Vec<f32> = tints.iter().map(of).collect();
            values.sort_by(f32::total_cmp);
            values[values.len() / 2]
        };
        let usual = Vec3::new(median(&|t| t.0.x), median(&|t| t.0.y), median(&|t| t.0.z));
        let level = median(&|t| t.1);
        Some(Tints { cells, tints, usual, level })
    }

    /// Points of the floor that are covered or hidden by something as high as the camera, such as a column or an open door.
    /// Furniture there would be drawn over it. Such an object hides the wall behind it too; a patch of sun or a reflection does
    /// not.
    #[must_use]
    pub fn obstacles(&self) -> Vec<Vec2> {
        let Some(t) = self.tints() else { return Vec::new() };
        let grid = &self.faces[0];
        let columns = grid.size.x as usize;
        let walls: Vec<Vec3> = (0..self.space.sides.len()).map(|side| self.median_color(side)).collect();
        let mut odd = vec![false; grid.values.len()];
        for (at, i) in t.cells.iter().enumerate() {
            let (tint, light) = t.tints[at];
            // A glossy floor takes the tint of what it reflects.
            let shines = light > t.level && (tint - 1.0).length() < (t.usual - 1.0).length();
            let place = grid.middle(*i);
            odd[*i] =
                t.is_odd(at) && !shines && self.space.clearance(place) > 0.12 && self.is_wall_hidden(place, &walls);
        }
        let near = |i: usize| {
            let (x, y) = (i % columns, i / columns);
            let rows = y.saturating_sub(1)..(y + 2).min(grid.size.y as usize);
            rows.flat_map(move |v| (x.saturating_sub(1)..(x + 2).min(columns)).map(move |u| v * columns + u))
        };
        let solid: Vec<bool> = (0..odd.len()).map(|i| odd[i] && near(i).filter(|n| odd[*n]).count() >= 6).collect();
        let area = grid.cell.element_product();
        let most = OBSTACLE[1] * t.cells.len() as f32 * area;
        let (mut taken, mut places) = (vec![false; odd.len()], Vec::new());
        for start in 0..odd.len() {
            if !solid[start] || taken[start] {
                continue;
            }
            let (mut open, mut cells) = (vec![start], Vec::new());
            taken[start] = true;
            while let Some(i) = open.pop() {
                cells.push(grid.middle(i));
                for n in near(i).filter(|n| solid[*n]) {
                    if !std::mem::replace(&mut taken[n], true) {
                        open.push(n);
                    }
                }
            }
            if (OBSTACLE[0]..=most).contains(&(cells.len() as f32 * area)) {
                places.extend(cells);
            }
        }
        places
    }

    /// Whether the wall behind a point, as seen from the camera, does not look like the wall.
    fn is_wall_hidden(&self, place: Vec2, walls: &[Vec3]) -> bool {
        let way = place.extend(0.0).normalize_or(Vec3::Y);
        let (reach, surface) = self.space.intersect(self.space.eye, way);
        let Surface::Wall(side) = surface else { return false };
        let along = self.space.on_face(surface, self.space.eye + way * reach).x;
        let (grid, usual) = (&self.faces[side + 2], walls[side]);
        let (mut all, mut odd) = (0, 0);
        for step in 0..16 {
            let at = Vec2::new(along, 0.15 + 0.07 * step as f32);
            let i = grid.index(at);
            let in_window = self.windows.iter().any(|w| w.surface == surface && inside(w.rect, at));
            if self.seen[side + 2][i] && !in_window {
                all += 1;
                odd += u32::from(!super::walls::is_like(grid.values[i], usual));
            }
        }
        all >= 6 && odd * 10 > all * 6
    }

    /// Factor of sunlight on the light of each cell of the floor, 1 without sun. Reflections of windows do not count.
    pub(crate) fn sunlight(&self) -> Grid {
        let grid = &self.faces[0];
        let light = |i: usize| luminance(grid.values[i].to_array());
        // Sunlight keeps the color of a floor; a reflection washes it out or has another.
        let color = |tint: Vec3| tint / luminance(tint.to_array()).max(1e-3) - 1.0;
        let floor = self.tints().map_or(Vec3::ZERO, |t| color(t.usual));
        let usual = floor.length();
        let way = floor.normalize_or_zero();
        let cells: Vec<(usize, Vec2)> =
            (0..grid.values.len()).filter(|i| self.seen[0][*i]).map(|i| (i, grid.middle(i))).collect();
        let factor = |(i, place): &(usize, Vec2)| {
            let mut about: Vec<f32> = cells
                .iter()
                .step_by(3)
                .filter(|(_, p)| (*p - *place).length() < NEIGHBORHOOD)
                .map(|(j, _)| light(*j))
                .collect();
            let is_washed_out = usual > GRAY && way.dot(color(grid.values[*i])) < WASHED * usual;
            if about.len() < 12 || is_washed_out || self.mirrors_window(*place) {
                return (*i, 1.0);
            }
            let darker = about.len() * 3 / 10;
            let ratio = light(*i) / about.select_nth_unstable_by(darker, f32::total_cmp).1.max(0.005);
            let t = ((ratio - SUN[0]) / (SUN[1] - SUN[0])).clamp(0.0, 1.0);
            (*i, 1.0 + (ratio.min(MAX_SUN) - 1.0) * t * t * (3.0 - 2.0 * t))
        };
        let mut sun = Grid { values: vec![Vec3::ONE; grid.values.len()], ..grid.clone() };
        for (i, factor) in cells.par_iter().map(factor).collect::<Vec<(usize, f32)>>() {
            sun.values[i] = Vec3::splat(factor);
        }
        sun
    }

    /// Whether the camera sees the reflection of a window, or of a wall as bright, at a point of the floor. A floor is not quite flat,
    /// so reflections are longer than what they show.
    fn mirrors_window(&self, place: Vec2) -> bool {
        let way = (place.extend(0.0) - self.space.eye).normalize();
        let from = place.extend(1e-3);
        [-0.12, 0.0, 0.12, 0.24].into_iter().any(|tilt| {
            let up = Vec3::new(way.x, way.y, -way.z + tilt).normalize();
            if up.z <= 0.0 {
                return false;
            }
            let (reach, surface) = self.space.intersect(from, up);
            let on = self.space.on_face(surface, from + up * reach);
            let is_window = |w: &Window| {
                matches!(w.surface, Surface::Wall(_))
                    && w.surface == surface
                    && inside([w.rect[0] - AROUND_MIRRORED, w.rect[1] + AROUND_MIRRORED], on)
            };
            self.windows.iter().any(is_window)
                || (matches!(surface, Surface::Wall(_)) && luminance(self.radiance(surface, on).to_array()) > CLIPPED)
        })
    }
}
