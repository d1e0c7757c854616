//! Views of a scene: for every pixel the light that falls on it and the truth, without materials.

use aerie_math::Rng;
use aerie_photo::room::Camera;
use glam::{DVec2, Mat3, Vec2, Vec3};
use rayon::prelude::*;

use crate::scene::{Label, Material, Scene};

/// A surface in a view.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Class.
    pub label: u8,
    /// Finishes, as a number.
    pub material: u8,
    /// Plane of the room.
    pub plane: u8,
    /// Group of one finish.
    pub group: u16,
    /// Origin and axes of its texture coordinates, meters.
    pub texture: [Vec3; 3],
}

/// A pixel of a view.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pixel {
    /// Index of the surface.
    pub surface: u16,
    /// Irradiance over pi: from the sky and reflections, from the sun, from lamps.
    pub light: [f32; 3],
    /// Brightness of what a mirror in its place would show.
    pub mirrored: f32,
    /// Depth along the optical axis, meters.
    pub depth: f32,
    /// Unit normal in camera axes, toward the camera.
    pub normal: Vec3,
}

/// A view.
#[derive(Debug, Clone)]
pub struct View {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Focal length in pixels; the optical axis goes through the middle.
    pub focal: f32,
    /// Place of the camera; the floor or the ground is at height 0.
    pub place: Vec3,
    /// From camera axes to those of the scene.
    pub turn: Mat3,
    /// Whether the camera stands outside.
    pub is_outdoors: bool,
    /// Surfaces.
    pub surfaces: Vec<Seen>,
    /// Pixels by row.
    pub pixels: Vec<Pixel>,
}

impl View {
    /// Direction of a pixel in the scene's axes, one meter along the optical axis.
    #[must_use]
    pub fn way(&self, i: usize) -> Vec3 {
        let (x, y) = ((i % self.width) as f32 + 0.5, (i / self.width) as f32 + 0.5);
        let seen =
            Vec3::new((x - self.width as f32 / 2.0) / self.focal, (y - self.height as f32 / 2.0) / self.focal, 1.0);
        self.turn * seen
    }

    /// Place of a pixel on its surface, meters.
    #[must_use]
    pub fn at(&self, i: usize) -> Vec2 {
        let pixel = &self.pixels[i];
        let [origin, u, v] = self.surfaces[pixel.surface as usize].texture;
        let to = self.place + self.way(i) * pixel.depth - origin;
        Vec2::new(to.dot(u), to.dot(v))
    }
}

/// Rays to what a mirror shows.
const MIRRORED: usize = 3;

/// Renders a scene from a place.
#[must_use]
pub fn render(scene: &Scene, place: Vec3, camera: &Camera, seed: u64) -> View {
    let (width, height) = (camera.width, camera.height);
    let pane_area: f32 = scene.panes.iter().map(|p| p.edges[0].cross(p.edges[1]).length()).sum();
    // How rough mirrors are: varnished boards show windows nearly sharp.
    let mut style = Rng::scattered(seed);
    let rough = if style.random_bool(0.5) { style.range_f32(0.0, 0.008) } else { style.range_f32(0.01, 0.06) };
    let rows: Vec<Vec<Raw>> = (0..height)
        .into_par_iter()
        .map(|y| {
            let mut rng = Rng::new(seed ^ ((y as u64) << 20));
            (0..width).map(|x| raw(scene, place, camera, [x, y], [pane_area, rough], &mut rng)).collect()
        })
        .collect();
    let raw: Vec<Raw> = rows.into_iter().flatten().collect();
    let smooth = smoothed(&raw, width, height);
    let mut index = vec![u16::MAX; scene.surfaces.len()];
    let mut surfaces = Vec::new();
    let turn = camera.rotation.transpose().as_mat3();
    let pixels = raw
        .iter()
        .zip(smooth)
        .map(|(r, light)| {
            let slot = &mut index[r.surface as usize];
            if *slot == u16::MAX {
                *slot = surfaces.len() as u16;
                let s = &scene.surfaces[r.surface as usize];
                surfaces.push(Seen {
                    label: s.label as u8,
                    material: s.material as u8,
                    plane: s.plane,
                    group: s.group,
                    texture: [s.origin, s.u, s.v],
                });
            }
            let normal = turn.transpose() * r.normal;
            Pixel { surface: *slot, light, mirrored: r.mirrored, depth: r.depth, normal }
        })
        .collect();
    let focal = camera.focal as f32;
    View { width, height, focal, place, turn, is_outdoors: scene.is_outdoors, surfaces, pixels }
}

#[derive(Clone, Copy)]
struct Raw {
    surface: u32,
    light: [f32; 3],
    mirrored: f32,
    depth: f32,
    normal: Vec3,
}

fn raw(
    scene: &Scene,
    place: Vec3,
    camera: &Camera,
    [x, y]: [usize; 2],
    [pane_area, rough]: [f32; 2],
    rng: &mut Rng,
) -> Raw {
    let pixel = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
    let way = camera.ray(pixel).as_vec3();
    let forward = camera.sight(pixel).z as f32;
    let Some(hit) = scene.hit(place, way) else {
        return Raw { surface: 0, light: [0.0; 3], mirrored: 0.0, depth: 60.0, normal: -way };
    };
    let surface = &scene.surfaces[hit.surface as usize];
    let (depth, normal) = (hit.distance * forward, hit.normal);
    if matches!(surface.material, Material::Glass | Material::Sky) {
        return Raw { surface: hit.surface, light: [1.0, 0.0, 0.0], mirrored: 0.0, depth, normal };
    }
    let from = place + way * hit.distance + normal * 1e-3;
    let light = falling(scene, from, normal, pane_area, rng);
    let rough = match surface.material {
        Material::Pane | Material::Water | Material::CarPaint => Some(0.01),
        Material::Metal | Material::Counter | Material::Asphalt | Material::Paving => Some(rough),
        _ if surface.label == Label::Floor => Some(rough),
        _ => None,
    };
    let mirrored = rough.map_or(0.0, |rough| {
        let bounced = way - normal * (2.0 * way.dot(normal));
        let mut sum = 0.0;
        for _ in 0..MIRRORED {
            let off = Vec3::new(rng.normal() as f32, rng.normal() as f32, rng.normal() as f32) * rough;
            sum += shown(scene, from, (bounced + off).normalize());
        }
        sum / MIRRORED as f32
    });
    Raw { surface: hit.surface, light, mirrored, depth, normal }
}

/// Brightness in a direction.
fn shown(scene: &Scene, from: Vec3, way: Vec3) -> f32 {
    match scene.hit(from, way) {
        None => scene.ambient,
        Some(hit) => {
            let surface = &scene.surfaces[hit.surface as usize];
            match surface.material {
                Material::Glass => scene.panes.first().map_or(1.0, |p| p.strength),
                Material::Lamp => 6.0 * scene.ambient,
                Material::Sky => scene.ambient,
                _ => surface.albedo * scene.ambient,
            }
        }
    }
}

/// Irradiance over pi: from the sky through openings and from surfaces, from the sun, from lamps.
fn falling(scene: &Scene, from: Vec3, normal: Vec3, pane_area: f32, rng: &mut Rng) -> [f32; 3] {
    const SPHERE: usize = 6;
    let [side, other] = normal.any_orthonormal_pair().into();
    let start = rng.unit_f32();
    let mut sum = 0.0;
    for i in 0..SPHERE {
        let share = (i as f32 + rng.unit_f32()) / SPHERE as f32;
        let turn = std::f32::consts::TAU * ((i as f32 * 0.618 + start).fract());
        let way = (side * turn.cos() + other * turn.sin()) * share.sqrt() + normal * (1.0 - share).sqrt();
        sum += match scene.hit(from, way) {
            None => scene.ambient,
            Some(hit) => {
                let s = &scene.surfaces[hit.surface as usize];
                match s.material {
                    Material::Glass => 0.0,
                    Material::Sky => scene.ambient,
                    // Near things receive less light themselves.
                    _ => s.albedo * scene.ambient * (0.35 + 0.65 * (hit.distance / 1.2).min(1.0)),
                }
            }
        };
    }
    let mut sky = sum / SPHERE as f32;
    if pane_area > 0.0 {
        const PANES: usize = 2;
        for _ in 0..PANES {
            let mut pick = rng.unit_f32() * pane_area;
            let Some(pane) = scene.panes.iter().find(|p| {
                pick -= p.edges[0].cross(p.edges[1]).length();
                pick <= 0.0
            }) else {
                continue;
            };
            let to = pane.corner + pane.edges[0] * rng.unit_f32() + pane.edges[1] * rng.unit_f32() - from;
            let square = to.length_squared().max(1e-3);
            let way = to / square.sqrt();
            let across = pane.edges[0].cross(pane.edges[1]).normalize_or(Vec3::Z);
            let facing = normal.dot(way) * across.dot(way).abs();
            if normal.dot(way) > 0.0 && !scene.is_blocked(from, way, square.sqrt() * 0.995) {
                let amount = pane.strength * facing * pane_area / square / std::f32::consts::PI / PANES as f32;
                sky += amount.min(4.0 * pane.strength);
            }
        }
    }
    let mut sun = 0.0;
    if let Some((way, strength)) = scene.sun {
        let facing = normal.dot(way);
        if facing > 0.0 && !scene.is_blocked(from, way, 120.0) {
            sun = strength * facing;
        }
    }
    let mut lamps = 0.0;
    for lamp in &scene.lamps {
        let to = lamp.place - from;
        let square = to.length_squared().max(0.04);
        let way = to / square.sqrt();
        let facing = normal.dot(way);
        let amount = lamp.strength * facing / square;
        if amount > 2e-3 && !scene.is_blocked(from, way, (square.sqrt() - 0.08).max(0.01)) {
            lamps += amount;
        }
    }
    [sky, sun, lamps]
}

/// Averages the light within surfaces, to remove the noise of few rays.
fn smoothed(raw: &[Raw], width: usize, height: usize) -> Vec<[f32; 3]> {
    let mut light: Vec<[f32; 3]> = raw.iter().map(|r| r.light).collect();
    for step in [1_isize, 2] {
        let before = light;
        let total_of = |k: usize| before[k].iter().sum::<f32>().max(1e-4);
        light = (0..raw.len())
            .into_par_iter()
            .map(|i| {
                let (x, y) = ((i % width) as isize, (i / width) as isize);
                let mut sum = [0.0; 3];
                let mut total = 0.0;
                for dy in -2..=2 {
                    for dx in -2..=2 {
                        let (u, v) = (x + dx * step, y + dy * step);
                        if u < 0 || v < 0 || u >= width as isize || v >= height as isize {
                            continue;
                        }
                        let k = v as usize * width + u as usize;
                        if raw[k].surface != raw[i].surface {
                            continue;
                        }
                        let brighter = total_of(k) / total_of(i);
                        // Edges of sunlight stay sharp.
                        let weight = if (0.3..3.3).contains(&brighter) { 1.0 } else { 0.1 };
                        (0..3).for_each(|c| sum[c] += before[k][c] * weight);
                        total += weight;
                    }
                }
                sum.map(|s| s / total)
            })
            .collect();
    }
    light
}
