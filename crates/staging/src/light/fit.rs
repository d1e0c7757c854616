//! Fits the strength of windows, and of the light from behind the camera, to the look of the empty room.
//!
//! The irradiance of a point is the sum of the light of the surfaces that the photo shows, which is known, and of windows and
//! hidden surfaces, each known up to a factor. Bounded least squares of relative errors give the factors, with the reflectance of
//! walls held fixed (the idea of fitting to the photo itself is from Karsch et al. 2011).

use std::f32::consts::PI;

use aerie_math::color::luminance;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::shell::{Shell, Window, index_of, inside};
use crate::sampling::{Sampler, cosine_direction};
use crate::space::Surface;

/// How well the light explains the photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Median factor that is left between the predicted and the recorded brightness of walls.
    pub gain: f32,
    /// Median error of walls after that factor, natural logarithm.
    pub error: f32,
}

const RAYS: u32 = 64;
const POINTS: usize = 1200;
/// Bounds of the factors. A photo records next to nothing of the brightness of lamps.
const WINDOW: [f32; 2] = [1.0, 30.0];
const LAMPS: [f32; 2] = [1.0, 1500.0];
const UNSEEN: [f32; 2] = [0.35, 4.0];

/// Highest reflectance of floors and ceilings.
const FLOOR: f32 = 0.50;
const CEILING: f32 = 0.90;

struct Point {
    surface: Surface,
    /// Luminance in the photo.
    light: f32,
    /// Irradiance from surfaces in the photo; from hidden ones, each window and the lamps.
    seen: f32,
    others: Vec<f32>,
    weight: f32,
}

impl Shell {
    /// Fits the light and applies the factors.
    pub fn fit(&mut self) -> Fit {
        let points = self.points();
        let wall = self.wall_reflectance();
        let (groups, has_lamps) = self.groups();
        let count = 1 + groups.iter().max().map_or(0, |g| g + 1);
        let mut factors = vec![1.0_f32; count];
        let mut floors = [0.3_f32, 0.75];
        for _ in 0..12 {
            let known =
                |p: &Point, factors: &[f32]| p.seen + p.others.iter().zip(factors).map(|(o, f)| o * f).sum::<f32>();
            for (face, floor) in floors.iter_mut().enumerate() {
                let mut ratios: Vec<f32> = points
                    .iter()
                    .filter(|p| index_of(p.surface) == face)
                    .map(|p| PI * p.light / known(p, &factors).max(1e-6))
                    .collect();
                if !ratios.is_empty() {
                    ratios.sort_by(f32::total_cmp);
                    *floor = ratios[ratios.len() / 2].clamp(0.03, 3.0);
                }
            }
            // Coordinate descent: one factor after the other, within its bounds.
            for _ in 0..20 {
                for k in 0..count {
                    let (mut above, mut below) = (0.0_f32, 0.0_f32);
                    for p in &points {
                        let albedo = match p.surface {
                            Surface::Floor => floors[0],
                            Surface::Ceiling => floors[1],
                            Surface::Wall(_) => wall,
                        };
                        let now = albedo / PI * known(p, &factors);
                        // Errors are relative to the mean of prediction and photo: too dark is as bad as too bright.
                        let mean = (now * p.light).sqrt().max(1e-4);
                        let scale = albedo / (PI * mean);
                        let rest = known(p, &factors) - p.others[k] * factors[k];
                        let (a, b) = (p.others[k] * scale, p.light / mean - rest * scale);
                        // Outliers (objects on walls) count less.
                        let error = (now / p.light).max(1e-3).ln().abs();
                        let weight = p.weight / (1.0 + (error / 0.35).powi(2));
                        above += weight * a * b;
                        below += weight * a * a;
                    }
                    // A weak prior of 1 (hidden surfaces) and 3 (a clipped window) settles what the photo leaves open; for
                    // lamps it is relative to what they light.
                    let sum: f32 = points.iter().map(|p| p.weight).sum();
                    let (usual, pull, bounds) = match k {
                        0 => (1.0, 0.02, UNSEEN),
                        k if has_lamps && k + 1 == count => (1.0, 0.02 * below / sum.max(1e-9), LAMPS),
                        _ => (3.0, 0.0006, WINDOW),
                    };
                    factors[k] = ((above + usual * pull * sum) / (below + pull * sum)).clamp(bounds[0], bounds[1]);
                }
            }
        }
        let mut ratios: Vec<f32> = points
            .iter()
            .filter(|p| matches!(p.surface, Surface::Wall(_)))
            .map(|p| {
                let sum = p.seen + p.others.iter().zip(&factors).map(|(o, f)| o * f).sum::<f32>();
                (PI * p.light / (wall * sum).max(1e-6)).max(1e-3).ln()
            })
            .collect();
        let middle = |values: &mut Vec<f32>| {
            values.sort_by(f32::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        let by_walls = middle(&mut ratios).exp();
        let mut errors: Vec<f32> = ratios.iter().map(|r| (r - by_walls.ln()).abs()).collect();
        let error = middle(&mut errors);
        // Glass walls say little about the light, so plausible reflectances of floor and ceiling bound the gain.
        let gain = by_walls.clamp(0.7, 1.5).max(floors[0] / FLOOR).max(floors[1] / CEILING).min(3.0);
        self.take(&factors, &groups);
        Fit { gain, error }
    }

    /// Index of each window's factor after the first: lamps share the last one. Also whether there are lamps.
    fn groups(&self) -> (Vec<usize>, bool) {
        let windows = self.windows.iter().filter(|w| w.side().is_some()).count();
        let mut next = 0..windows;
        let groups = self.windows.iter().map(|w| w.side().and_then(|_| next.next()).unwrap_or(windows));
        (groups.collect(), windows < self.windows.len())
    }

    fn take(&mut self, factors: &[f32], groups: &[usize]) {
        for (window, group) in self.windows.iter_mut().zip(groups) {
            window.radiance *= factors[group + 1];
        }
        for face in 0..self.faces.len() {
            for i in 0..self.faces[face].values.len() {
                if !self.seen[face][i] {
                    self.faces[face].values[i] *= factors[0];
                }
            }
        }
        self.update_sampling();
    }

    /// Estimated from how much darker walls are than the brightest paint beside them, which is trim.
    fn wall_reflectance(&self) -> f32 {
        let mut lights: Vec<f32> = Vec::new();
        for side in 0..self.space.sides.len() {
            let grid = &self.faces[side + 2];
            lights.extend((0..grid.values.len()).filter_map(|i| {
                let at = grid.middle(i);
                let is_window = self
                    .windows
                    .iter()
                    .any(|w| w.side() == Some(side) && inside([w.rect[0] - 0.1, w.rect[1] + 0.1], at));
                (self.seen[side + 2][i] && !is_window).then(|| luminance(grid.values[i].to_array()))
            }));
        }
        if lights.len() < 20 {
            return 0.6;
        }
        lights.sort_by(f32::total_cmp);
        let at = |share: f32| lights[((lights.len() - 1) as f32 * share) as usize];
        (0.85 * at(0.5) / at(0.96).max(1e-3)).clamp(0.52, 0.72)
    }

    fn points(&self) -> Vec<Point> {
        let (groups, _) = self.groups();
        let count = 1 + groups.iter().max().map_or(0, |g| g + 1);
        let surfaces = self.space.surfaces();
        let mut places: Vec<(Surface, Vec2, f32)> = Vec::new();
        for (face, surface) in surfaces.iter().enumerate() {
            let grid = &self.faces[face];
            let usual = if face >= 2 { Some(self.median_color(face - 2)) } else { None };
            for i in 0..grid.values.len() {
                let at = grid.middle(i);
                // Shelves, doors and pictures do not have the reflectance of the wall.
                if usual.is_some_and(|u| !super::walls::is_like(grid.values[i], u)) {
                    continue;
                }
                let light = luminance(grid.values[i].to_array());
                let near = |w: &Window| w.surface == *surface && inside([w.rect[0] - 0.15, w.rect[1] + 0.15], at);
                if self.seen[face][i] && (0.01..0.93).contains(&light) && !self.windows.iter().any(near) {
                    places.push((*surface, at, light));
                }
            }
        }
        let step = (places.len() / POINTS).max(1);
        let kept: Vec<_> = places.into_iter().step_by(step).collect();
        kept.into_par_iter()
            .enumerate()
            .map(|(i, (surface, at, light))| {
                let normal = self.space.normal(surface);
                let from = self.space.off_face(surface, at) + normal * 1e-3;
                let mut sampler = Sampler::new(i as u32, 77);
                let (mut seen, mut unseen) = (0.0, 0.0);
                for k in 0..RAYS {
                    let cell = Vec2::new((k % 8) as f32, (k / 8) as f32);
                    let ray = cosine_direction(normal, (cell + sampler.next_2d()) / 8.0);
                    let (reach, met) = self.space.intersect(from, ray);
                    let on = self.space.on_face(met, from + ray * reach);
                    if self.windows.iter().any(|w| w.surface == met && inside(w.rect, on)) {
                        continue;
                    }
                    let (grid, face) = (&self.faces[index_of(met)], index_of(met));
                    let index = grid.index(on);
                    let amount = luminance(grid.values[index].to_array()) * PI / RAYS as f32;
                    if self.seen[face][index] { seen += amount } else { unseen += amount }
                }
                let mut others = vec![0.0; count];
                others[0] = unseen;
                for (w, group) in self.windows.iter().zip(&groups) {
                    let corner = |x: f32, y: f32| self.space.off_face(w.surface, Vec2::new(x, y));
                    let [l, h] = w.rect;
                    let corners = [corner(l.x, l.y), corner(h.x, l.y), corner(h.x, h.y), corner(l.x, h.y)];
                    let is_before = w.surface != surface;
                    others[group + 1] +=
                        f32::from(is_before) * polygon_light(&corners, from, normal) * luminance(w.radiance.to_array());
                }
                let weight = if surface == Surface::Floor { 0.6 } else { 1.0 };
                Point { surface, light, seen, others, weight }
            })
            .collect()
    }
}

/// Irradiance from a polygon of radiance 1 (Lambert's formula), clipped to the hemisphere of the point.
fn polygon_light(corners: &[Vec3], place: Vec3, normal: Vec3) -> f32 {
    let height = |c: &Vec3| normal.dot(*c - place);
    let mut kept: Vec<Vec3> = Vec::with_capacity(corners.len() + 2);
    for (i, corner) in corners.iter().enumerate() {
        let next = &corners[(i + 1) % corners.len()];
        let (h, k) = (height(corner), height(next));
        if h >= 0.0 {
            kept.push(*corner - place);
        }
        if (h > 0.0 && k < 0.0) || (h < 0.0 && k > 0.0) {
            kept.push(*corner + (*next - *corner) * (h / (h - k)) - place);
        }
    }
    let mut sum = 0.0;
    for (i, a) in kept.iter().enumerate() {
        let b = kept[(i + 1) % kept.len()];
        let cross = a.cross(b);
        let length = cross.length();
        if length > 1e-9 {
            sum += cross.dot(normal) / length * length.atan2(a.dot(b));
        }
    }
    (sum / 2.0).abs()
}
