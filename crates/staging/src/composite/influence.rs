//! What furniture does to the light on the room: the ratio of irradiance with and without it, over the same rays, and
//! what a glossy floor mirrors.
use glam::{DVec2, Vec2, Vec3};
use rayon::prelude::*;

use aerie_photo::color::luminance;

use super::Effort;
use crate::grid::Grid;
use crate::light::{Shell, inside};
use crate::space::Surface;
use crate::trace::{Draw, Scene, cosine, fresnel};
use crate::watch::Watch;

/// Changes below the first are none; above the second they are whole.
const FADE: [f32; 2] = [0.03, 0.075];
/// Least and greatest ratio.
const CLAMP: [f32; 2] = [0.04, 1.3];

/// The change of the room's light, at a smaller size than the picture.
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
    pub(super) fn of(shell: &Shell, scene: &Scene, effort: &Effort, seed: u32, watch: &Watch<'_>) -> Self {
        let space = &shell.space;
        let (width, height) = (space.camera.width, space.camera.height);
        let step = (width.max(height) as f64 / effort.side as f64).max(1.0);
        let (columns, rows) = ((width as f64 / step).ceil() as usize + 1, (height as f64 / step).ceil() as usize + 1);
        let polish = super::gloss(shell);
        let cells: Vec<Cell> = (0..columns * rows)
            .into_par_iter()
            .map(|i| {
                let pixel = DVec2::new((i % columns) as f64, (i / columns) as f64) * step;
                let ray = space.ray(pixel);
                let (reach, surface) = space.meet(space.eye, ray);
                let normal = space.normal(surface);
                let place = space.eye + ray * reach;
                if watch.is_over() {
                    return Cell { surface, place, ratio: Vec3::ONE, shine: Vec3::ZERO };
                }
                let mut draw = Draw::new(i as u32, seed ^ 0x51AB);
                let on = space.on_face(surface, place);
                let is_window = shell.windows.iter().any(|w| w.surface == surface && inside(w.rect, on));
                let ratio =
                    if is_window { Vec3::ONE } else { ratio(shell, scene, place, normal, effort.rays, &mut draw) };
                let shine = if surface == Surface::Floor && polish > 0.02 {
                    mirror(shell, scene, place, ray, polish, effort.rays / 4, &mut draw)
                } else {
                    Vec3::ZERO
                };
                Cell { surface, place, ratio, shine }
            })
            .collect();
        let mut influence = Self { columns, rows, step, cells };
        influence.normalize();
        for step in [1, 2, 4, 8] {
            influence.smooth(step);
        }
        for cell in &mut influence.cells {
            cell.ratio = faded(cell.ratio);
            if cell.shine.abs().max_element() < 0.003 {
                cell.shine = Vec3::ZERO;
            }
        }
        influence
    }

    /// Furniture takes a little light from the whole room, which a photographer's exposure gives back: what is far from
    /// it keeps its value.
    fn normalize(&mut self) {
        let walls = self.cells.iter().filter(|c| c.surface != Surface::Floor);
        let mut far: Vec<f32> = walls.map(|c| luminance(c.ratio.to_array())).collect();
        if far.len() < 20 {
            return;
        }
        far.sort_by(f32::total_cmp);
        let whole = far[far.len() / 2].clamp(0.75, 1.0);
        for cell in &mut self.cells {
            // Only what is lost all over comes back: a place in full light gets no brighter.
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
                        // The first pass smooths what is no more than noise.
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

    /// The factor on a pixel's light and what is added to it; exactly 1 and 0 where furniture changes nothing.
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
            shell.space.meet(shell.space.eye, shell.space.ray(pixel)).1
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

/// Fades a ratio to exactly 1 where it hardly differs.
fn faded(ratio: Vec3) -> Vec3 {
    let change = (ratio - 1.0).abs().max_element();
    let t = ((change - FADE[0]) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
    let keep = t * t * (3.0 - 2.0 * t);
    if keep == 0.0 { Vec3::ONE } else { Vec3::ONE + (ratio - 1.0) * keep }
}

fn ratio(shell: &Shell, scene: &Scene, place: Vec3, normal: Vec3, rays: u32, draw: &mut Draw) -> Vec3 {
    let from = place + normal * 1e-3;
    let (mut before, mut after) = (Vec3::ZERO, Vec3::ZERO);
    let side = (rays as f32).sqrt() as u32;
    let mut is_touched = false;
    for k in 0..side * side {
        let cell = Vec2::new((k % side) as f32, (k / side) as f32);
        let (pick, at) = (draw.next(), (cell + draw.two()) / side as f32);
        if let Some(window) = shell.draw_window(from, normal, pick, at) {
            let facing = normal.dot(window.ray);
            let light = window.radiance * (facing / (window.likelihood + facing / std::f32::consts::PI));
            before += light;
            if scene.blocked(from, window.ray, window.distance * 0.999) {
                is_touched = true;
            } else {
                after += light;
            }
        }
        let ray = cosine(normal, (cell + draw.two()) / side as f32);
        let drawn = normal.dot(ray).max(0.0) / std::f32::consts::PI;
        let (reach, surface) = shell.space.meet(from, ray);
        let light = shell.bare(from, ray, reach, surface, drawn) * std::f32::consts::PI;
        before += light;
        // The draws of the furniture's light must not shift those of the next ray.
        let mut own = *draw;
        if scene.sees(from, ray, reach) {
            is_touched = true;
            // Before and after rest on the same light: what it falls short of by the fit, it falls short of in both.
            let light = scene.light(shell, from, ray, 1, drawn, &mut own);
            after += light.min(shell.ambient() * 3.0) * std::f32::consts::PI;
        } else {
            after += light;
        }
    }
    if !is_touched {
        return Vec3::ONE;
    }
    let whole = luminance(after.to_array()) / luminance(before.to_array()).max(1e-6);
    let ratio = Vec3::splat(whole) * 0.6 + after / before.max(Vec3::splat(1e-6)) * 0.4;
    ratio.clamp(Vec3::splat(CLAMP[0]), Vec3::splat(CLAMP[1]))
}

/// What a glossy floor shows of furniture, less what it showed of the room behind it.
fn mirror(shell: &Shell, scene: &Scene, place: Vec3, ray: Vec3, polish: f32, rays: u32, draw: &mut Draw) -> Vec3 {
    let from = place + Vec3::Z * 1e-3;
    let mut sum = Vec3::ZERO;
    let count = rays.max(4);
    for _ in 0..count {
        let at = draw.two() - 0.5;
        let facet = Vec3::new(at.x * 0.16, at.y * 0.16, 1.0).normalize();
        let out = ray - facet * (2.0 * ray.dot(facet));
        if out.z <= 0.01 {
            continue;
        }
        let (reach, surface) = shell.space.meet(from, out);
        if scene.sees(from, out, reach) {
            let mut own = *draw;
            let furniture = scene.gain * scene.light(shell, from, out, 1, 0.0, &mut own);
            let room = shell.bare(from, out, reach, surface, 0.0).min(Vec3::ONE * 1.2);
            sum += (furniture - room) * fresnel(Vec3::splat(0.04), -ray.z).x;
        }
    }
    sum * polish / count as f32
}

/// How much furniture leaves of the light of floor and walls, coarsely: for light that they throw back at furniture.
pub(super) fn shades(shell: &Shell, scene: &Scene) -> Vec<Grid> {
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
                    let mut draw = Draw::new(i as u32, 991);
                    let place = space.off_face(surface, grid.middle(i));
                    ratio(shell, scene, place, space.normal(surface), 25, &mut draw)
                })
                .collect();
            grid.values = values;
            grid
        })
        .collect()
}
