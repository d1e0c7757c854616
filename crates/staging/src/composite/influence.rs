//! Effect of furniture on the light in the room: the ratio of irradiance with and without it, estimated with the same rays, and
//! its reflection in a glossy floor.

use aerie_math::color::luminance;
use glam::{DVec2, Vec2, Vec3};
use rayon::prelude::*;

use crate::effort::Effort;
use crate::grid::Grid;
use crate::light::{Shell, Window, inside};
use crate::monitor::Monitor;
use crate::sampling::{Sampler, cosine_direction};
use crate::space::Surface;
use crate::trace::{Scene, fresnel};

/// Changes below the first are dropped, changes above the second kept whole.
const FADE: [f32; 2] = [0.08, 0.15];
/// Smallest and largest ratio.
const CLAMP: [f32; 2] = [0.1, 1.3];
/// How much partial shadows are deepened. Light that is fitted to one photo comes from more directions than the light of the room,
/// which leaves shadows too weak.
const DEEPENED: f32 = 0.4;
const DEEPENED_ON_FLOOR: f32 = 0.5;

/// Share of its light that the floor keeps where hardly any reaches it: photos of rooms show no black under furniture.
pub(super) const REMAINING: f32 = 0.15;

/// Most of its light that a wall or the ceiling loses, and height below the ceiling in which shadows on walls fade, meters.
const ON_WALL: f32 = 0.5;
const ON_CEILING: f32 = 0.08;
const BELOW_CEILING: f32 = 0.8;
/// How much of the tint of light that furniture reflects is kept.
const TINT: f32 = 0.15;
/// Most light that a floor adds as a reflection of furniture.
const SHINE: f32 = 0.05;

/// Map of the change of light in the room, smaller than the picture.
pub(super) struct Influence {
    columns: usize,
    rows: usize,
    step: f64,
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    surface: Surface,
    place: Vec3,
    ratio: Vec3,
    shine: Vec3,
}

impl Influence {
    pub(super) fn of(shell: &Shell, scene: &Scene, effort: &Effort, seed: u32, monitor: &Monitor<'_>) -> Self {
        let space = &shell.space;
        let (width, height) = (space.camera.width, space.camera.height);
        let step = (width.max(height) as f64 / effort.side as f64).max(1.0);
        let (columns, rows) = ((width as f64 / step).ceil() as usize + 1, (height as f64 / step).ceil() as usize + 1);
        let polish = gloss(shell);
        let seen = |i: usize| {
            let ray = space.ray(DVec2::new((i % columns) as f64, (i / columns) as f64) * step);
            let (reach, surface) = space.intersect(space.eye, ray);
            (ray, Cell { surface, place: space.eye + ray * reach, ratio: Vec3::ONE, shine: Vec3::ZERO })
        };
        let traced = |i: usize| {
            let (ray, cell) = seen(i);
            let Cell { surface, place, .. } = cell;
            if monitor.is_canceled() {
                return cell;
            }
            let mut sampler = Sampler::new(i as u32, seed ^ 0x51AB);
            let on = space.on_face(surface, place);
            let is_it = |w: &Window| w.side().is_some() && w.surface == surface && inside(w.rect, on);
            let is_window = shell.windows.iter().any(is_it);
            let normal = space.normal(surface);
            let ratio =
                if is_window { Vec3::ONE } else { ratio(shell, scene, place, normal, effort.rays, &mut sampler) };
            let shine = if surface == Surface::Floor && polish > 0.02 {
                mirror(shell, scene, place, ray, polish, effort.rays / 4, &mut sampler)
            } else {
                Vec3::ZERO
            };
            Cell { ratio, shine, ..cell }
        };
        // Every second cell of every second row is traced; the others only where those around them differ.
        let half = columns.div_ceil(2);
        let coarse: Vec<Cell> = (0..half * rows.div_ceil(2))
            .into_par_iter()
            .map(|i| traced(i / half * 2 * columns + i % half * 2))
            .collect();
        let cells: Vec<Cell> = (0..columns * rows)
            .into_par_iter()
            .map(|i| {
                let (x, y) = (i % columns, i / columns);
                if x.is_multiple_of(2) && y.is_multiple_of(2) {
                    return coarse[y / 2 * half + x / 2];
                }
                if x + 1 >= columns || y + 1 >= rows {
                    return traced(i);
                }
                let corner = |u: usize, v: usize| &coarse[v.div_ceil(2) * half + u.div_ceil(2)];
                let low = |k: usize| k - k % 2;
                let around = [corner(x, y), corner(low(x), y), corner(x, low(y)), corner(low(x), low(y))];
                let cell = seen(i).1;
                if around.iter().all(|c| c.surface == cell.surface && is_alike(c, around[0])) {
                    let mean = |of: fn(&Cell) -> Vec3| around.iter().map(|c| of(c)).sum::<Vec3>() / 4.0;
                    Cell { ratio: mean(|c| c.ratio), shine: mean(|c| c.shine), ..cell }
                } else {
                    traced(i)
                }
            })
            .collect();
        let mut influence = Self { columns, rows, step, cells };
        influence.normalize();
        for step in [1, 2, 4, 8] {
            influence.smooth(step);
        }
        for cell in &mut influence.cells {
            let by = if cell.surface == Surface::Floor { DEEPENED_ON_FLOOR } else { DEEPENED };
            cell.ratio = faded(deepened(cell.ratio, by));
            cell.ratio = match cell.surface {
                Surface::Floor => cell.ratio,
                Surface::Wall(_) => on_wall(cell.ratio, shell.space.height - cell.place.z),
                Surface::Ceiling => cell.ratio.max(Vec3::splat(1.0 - ON_CEILING)),
            };
            if cell.shine.abs().max_element() < 0.003 {
                cell.shine = Vec3::ZERO;
            }
        }
        influence
    }

    /// Furniture takes a little light from the whole room. Exposure compensates for that, so that pixels far from furniture keep
    /// their value.
    fn normalize(&mut self) {
        let walls = self.cells.iter().filter(|c| c.surface != Surface::Floor);
        let mut far: Vec<f32> = walls.map(|c| luminance(c.ratio.to_array())).collect();
        if far.len() < 20 {
            return;
        }
        far.sort_by(f32::total_cmp);
        let whole = far[far.len() / 2].clamp(0.75, 1.0);
        for cell in &mut self.cells {
            // Only the overall loss is restored: a fully lit point gets no brighter.
            cell.ratio = (cell.ratio / whole).min(cell.ratio.max(Vec3::ONE));
        }
    }

    fn smooth(&mut self, step: i32) {
        const KERNEL: [f32; 3] = [0.375, 0.25, 0.0625];
        let cells = &self.cells;
        let (columns, rows) = (self.columns as i32, self.rows as i32);
        let next: Vec<(Vec3, Vec3)> = (0..cells.len() as i32)
            .into_par_iter()
            .map(|i| {
                let own = &cells[i as usize];
                let (x, y) = (i % columns, i / columns);
                let (mut ratio, mut shine, mut all) = (Vec3::ZERO, Vec3::ZERO, 0.0);
                for v in -2..=2_i32 {
                    for u in -2..=2_i32 {
                        let (px, py) = (x + u * step, y + v * step);
                        if px < 0 || py < 0 || px >= columns || py >= rows {
                            continue;
                        }
                        let s = &cells[(py * columns + px) as usize];
                        if s.surface != own.surface {
                            continue;
                        }
                        let far = (s.place - own.place).length() / 0.35;
                        // The first pass smooths mere noise.
                        let noise = if step == 1 { 0.30 } else { 0.16 / (step as f32).sqrt() };
                        let differs = (s.ratio - own.ratio).abs().max_element() / noise;
                        let weight = KERNEL[u.unsigned_abs() as usize]
                            * KERNEL[v.unsigned_abs() as usize]
                            * (-(far * far) - differs * differs).exp();
                        ratio += s.ratio * weight;
                        shine += s.shine * weight;
                        all += weight;
                    }
                }
                (ratio / all, shine / all)
            })
            .collect();
        for (cell, (ratio, shine)) in self.cells.iter_mut().zip(next) {
            cell.ratio = ratio;
            cell.shine = shine;
        }
    }

    /// Factor on the light of a pixel, and the light added to it; exactly 1 and 0 where furniture changes nothing.
    pub(super) fn at(&self, shell: &Shell, pixel: DVec2) -> (Vec3, Vec3) {
        let p = pixel / self.step;
        let (x, y) = ((p.x as usize).min(self.columns - 2), (p.y as usize).min(self.rows - 2));
        let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| &self.cells[y * self.columns + x]);
        if corners.iter().all(|c| c.ratio == Vec3::ONE && c.shine == Vec3::ZERO) {
            return (Vec3::ONE, Vec3::ZERO);
        }
        let (u, v) = ((p.x - x as f64) as f32, (p.y - y as f64) as f32);
        let shares = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v];
        let own = if corners.iter().all(|c| c.surface == corners[0].surface) {
            corners[0].surface
        } else {
            shell.space.intersect(shell.space.eye, shell.space.ray(pixel)).1
        };
        let (mut ratio, mut shine, mut all) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for (corner, share) in corners.iter().zip(shares) {
            let weight = (share + 1e-4) * if corner.surface == own { 1.0 } else { 1e-5 };
            ratio += (corner.ratio - Vec3::ONE) * weight;
            shine += corner.shine * weight;
            all += weight;
        }
        (Vec3::ONE + ratio / all, shine / all)
    }
}

/// Whether two cells differ so little that a cell between them needs no rays of its own.
fn is_alike(a: &Cell, b: &Cell) -> bool {
    const LIGHT: f32 = 0.08;
    const SHINE: f32 = 0.01;
    (a.ratio - b.ratio).abs().max_element() < LIGHT && (a.shine - b.shine).abs().max_element() < SHINE
}

/// Deepens shadows between none and full, `by` a share; the deepest keep some of the photo's light.
fn deepened(ratio: Vec3, by: f32) -> Vec3 {
    let deep = ratio - by * ratio * (Vec3::ONE - ratio).max(Vec3::ZERO);
    (deep * deep + REMAINING * REMAINING * (Vec3::ONE - deep * deep).max(Vec3::ZERO)).map(f32::sqrt)
}

/// Shadows on walls are soft, and fade below the ceiling: where that was found too low, they would end in the middle of a wall.
fn on_wall(ratio: Vec3, below_ceiling: f32) -> Vec3 {
    let keep = (below_ceiling / BELOW_CEILING).clamp(0.0, 1.0);
    Vec3::ONE + (ratio.max(Vec3::splat(1.0 - ON_WALL)) - 1.0) * keep
}

/// Fades a ratio to exactly 1 where it hardly differs from 1.
fn faded(ratio: Vec3) -> Vec3 {
    let change = (ratio - 1.0).abs().max_element();
    let t = ((change - FADE[0]) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
    let keep = t * t * (3.0 - 2.0 * t);
    if keep == 0.0 { Vec3::ONE } else { Vec3::ONE + (ratio - 1.0) * keep }
}

fn ratio(shell: &Shell, scene: &Scene, place: Vec3, normal: Vec3, rays: u32, sampler: &mut Sampler) -> Vec3 {
    let from = place + normal * 1e-3;
    let (mut before, mut after) = (Vec3::ZERO, Vec3::ZERO);
    let side = (rays as f32).sqrt() as u32;
    let mut is_touched = false;
    for k in 0..side * side {
        let cell = Vec2::new((k % side) as f32, (k / side) as f32);
        let (pick, at) = (sampler.next(), (cell + sampler.next_2d()) / side as f32);
        if let Some(window) = shell.sample_window(from, normal, pick, at) {
            let facing = normal.dot(window.ray);
            let light = window.radiance * (facing / (window.pdf + facing / std::f32::consts::PI));
            before += light;
            if scene.is_blocked(from, window.ray, window.distance * 0.999) {
                is_touched = true;
            } else {
                after += light;
            }
        }
        let ray = cosine_direction(normal, (cell + sampler.next_2d()) / side as f32);
        let pdf = normal.dot(ray).max(0.0) / std::f32::consts::PI;
        let (reach, surface) = shell.space.intersect(from, ray);
        let light = shell.light_unfurnished(from, ray, reach, surface, pdf) * std::f32::consts::PI;
        before += light;
        // Tracing furniture must not shift the random numbers of the next ray.
        let mut own = *sampler;
        if scene.is_blocked(from, ray, reach) {
            is_touched = true;
            // Both sums use the unfitted light, so errors of the fit cancel.
            let light = scene.light(shell, from, ray, 1, pdf, &mut own);
            after += light.min(shell.ambient() * 3.0) * std::f32::consts::PI;
        } else {
            after += light;
        }
    }
    if !is_touched {
        return Vec3::ONE;
    }
    let whole = luminance(after.to_array()) / luminance(before.to_array()).max(1e-6);
    let ratio = Vec3::splat(whole) * (1.0 - TINT) + after / before.max(Vec3::splat(1e-6)) * TINT;
    ratio.clamp(Vec3::splat(CLAMP[0]), Vec3::splat(CLAMP[1]))
}

/// Reflection of furniture in a glossy floor, less the reflection of the room that it hides.
fn mirror(shell: &Shell, scene: &Scene, place: Vec3, ray: Vec3, polish: f32, rays: u32, sampler: &mut Sampler) -> Vec3 {
    let from = place + Vec3::Z * 1e-3;
    let mut sum = Vec3::ZERO;
    let count = rays.max(4);
    for _ in 0..count {
        let at = sampler.next_2d() - 0.5;
        let facet = Vec3::new(at.x * 0.16, at.y * 0.16, 1.0).normalize();
        let out = ray - facet * (2.0 * ray.dot(facet));
        if out.z <= 0.01 {
            continue;
        }
        let (reach, surface) = shell.space.intersect(from, out);
        if scene.is_blocked(from, out, reach) {
            let mut own = *sampler;
            let furniture = scene.gain * scene.light(shell, from, out, 1, 0.0, &mut own);
            let room = shell.light_unfurnished(from, out, reach, surface, 0.0).min(Vec3::ONE * 1.2);
            sum += (furniture - room) * fresnel(Vec3::splat(0.04), -ray.z).x;
        }
    }
    // Furniture is shown in softer light than that of the fit, which would tint the floor.
    let shine = sum * polish / count as f32;
    let gray = Vec3::splat(luminance(shine.to_array()));
    shine.lerp(gray, 0.5).min(Vec3::splat(SHINE))
}

/// Share of its light that furniture leaves each surface, on a coarse grid, for light reflected back at furniture.
pub(super) fn occlusion(shell: &Shell, scene: &Scene) -> Vec<Grid> {
    let space = &shell.space;
    space
        .surfaces()
        .into_par_iter()
        .map(|surface| {
            let (cell, most) = if surface == Surface::Floor { (0.07, 120) } else { (0.2, 60) };
            let mut grid = Grid::new(space.extent(surface), cell, most, Vec3::ONE);
            if surface == Surface::Ceiling {
                return grid;
            }
            let values: Vec<Vec3> = (0..grid.values.len())
                .into_par_iter()
                .map(|i| {
                    let mut sampler = Sampler::new(i as u32, 991);
                    let place = space.off_face(surface, grid.middle(i));
                    ratio(shell, scene, place, space.normal(surface), 25, &mut sampler)
                })
                .collect();
            grid.values = values;
            grid
        })
        .collect()
}

/// How strongly the floor reflects, estimated from the photo: 0 where bright things above it leave no trace.
fn gloss(shell: &Shell) -> f32 {
    let space = &shell.space;
    let mut rows: Vec<(f32, f32, f32)> = Vec::new();
    let (width, height) = (space.camera.width as f64, space.camera.height as f64);
    for j in 0..70 {
        for i in 0..90 {
            let pixel = DVec2::new((f64::from(i) + 0.5) / 90.0 * width, (f64::from(j) + 0.5) / 70.0 * height);
            let ray = space.ray(pixel);
            let (reach, surface) = space.intersect(space.eye, ray);
            if surface != Surface::Floor {
                continue;
            }
            let place = space.eye + ray * reach;
            let up = Vec3::new(ray.x, ray.y, -ray.z);
            let from = place + Vec3::Z * 1e-3;
            let (reach, met) = space.intersect(from, up);
            let mirrored = luminance(shell.light(from, up, reach, met, 0.0).to_array()).min(4.0);
            let share = fresnel(Vec3::splat(0.04), -ray.z).x;
            let light = luminance(shell.radiance(Surface::Floor, place.truncate()).to_array());
            rows.push((mirrored * share, light, place.y));
        }
    }
    if rows.len() < 200 {
        return 0.3;
    }
    // Among neighbors in a row of the picture, does the light follow the reflection?
    let (mut both, mut own) = (0.0_f32, 0.0_f32);
    for pair in rows.windows(6) {
        let (a, b) = (&pair[0], &pair[5]);
        if (a.2 - b.2).abs() < 0.5 && (a.1 - b.1).abs() < 0.25 {
            both += (a.0 - b.0) * (a.1 - b.1);
            own += (a.0 - b.0).powi(2);
        }
    }
    if own < 1e-6 { 0.3 } else { (both / own).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadows_are_deepened_and_none_is_black() {
        let at = |ratio: f32| deepened(Vec3::splat(ratio), DEEPENED).x;
        assert!(at(0.0) >= REMAINING - 1e-6);
        assert!(at(0.6) < 0.55 && at(0.9) < 0.9);
        assert!((at(1.0) - 1.0).abs() < 1e-6 && (at(1.2) - 1.2).abs() < 1e-6);
        for i in 0..100 {
            let ratio = i as f32 / 100.0;
            assert!(at(ratio) < at(ratio + 0.01), "{ratio}");
        }
    }
}
