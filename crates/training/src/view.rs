//! Views of a scene: for every pixel the light that falls on it and the truth, without materials.

use std::io::{self, Read, Write};

use aerie_math::Rng;
use aerie_photo::room::Camera;
use glam::{DVec2, Vec2, Vec3};
use rayon::prelude::*;

use crate::scene::{Label, Material, Scene};

/// A surface in a view.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Class.
    pub label: u8,
    /// Finishes, as a number.
    pub material: u8,
    /// Group of one finish.
    pub group: u16,
    /// Plane of the room.
    pub plane: u8,
}

/// A pixel of a view.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pixel {
    /// Index of the surface.
    pub surface: u16,
    /// Irradiance, red, green and blue.
    pub light: [f32; 3],
    /// Brightness of what a mirror in its place would show.
    pub mirrored: f32,
    /// Texture coordinates in meters; direction of the ray (azimuth, elevation) on panes.
    pub at: [f32; 2],
    /// Depth along the optical axis, meters.
    pub depth: f32,
}

/// A view.
#[derive(Debug, Clone)]
pub struct View {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Width of a pixel at one meter.
    pub spread: f32,
    /// Surfaces.
    pub surfaces: Vec<Seen>,
    /// Pixels by row.
    pub pixels: Vec<Pixel>,
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
                    group: s.group,
                    plane: s.plane,
                });
            }
            Pixel { surface: *slot, light, mirrored: r.mirrored, at: r.at, depth: r.depth }
        })
        .collect();
    View { width, height, spread: (1.0 / camera.focal) as f32, surfaces, pixels }
}

#[derive(Clone, Copy)]
struct Raw {
    surface: u32,
    light: [f32; 3],
    mirrored: f32,
    at: [f32; 2],
    depth: f32,
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
        return Raw { surface: 0, light: [0.0; 3], mirrored: 0.0, at: [0.0; 2], depth: 60.0 };
    };
    let surface = &scene.surfaces[hit.surface as usize];
    let depth = hit.distance * forward;
    if matches!(surface.material, Material::Glass | Material::Sky) {
        let at = [way.x.atan2(way.y), way.z.asin()];
        return Raw { surface: hit.surface, light: [1.0; 3], mirrored: 0.0, at, depth };
    }
    let there = place + way * hit.distance;
    let from = there + hit.normal * 1e-3;
    let light = falling(scene, from, hit.normal, pane_area, rng);
    let mirrored = if surface.label == Label::Floor || matches!(surface.material, Material::Metal | Material::Counter) {
        let bounced = way - hit.normal * (2.0 * way.dot(hit.normal));
        let mut sum = 0.0;
        for _ in 0..MIRRORED {
            let off = Vec3::new(rng.normal() as f32, rng.normal() as f32, rng.normal() as f32) * rough;
            sum += shown(scene, from, (bounced + off).normalize());
        }
        sum / MIRRORED as f32
    } else {
        0.0
    };
    let to = there - surface.origin;
    Raw { surface: hit.surface, light, mirrored, at: [to.dot(surface.u), to.dot(surface.v)], depth }
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

/// Irradiance over pi.
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
    let mut light = [sum / SPHERE as f32; 3];
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
                let amount = amount.min(4.0 * pane.strength);
                light[0] += amount * 0.96;
                light[1] += amount;
                light[2] += amount * 1.06;
            }
        }
    }
    if let Some((way, strength)) = scene.sun {
        let facing = normal.dot(way);
        if facing > 0.0 && !scene.is_blocked(from, way, 80.0) {
            light[0] += strength * facing;
            light[1] += strength * facing * 0.94;
            light[2] += strength * facing * 0.82;
        }
    }
    for lamp in &scene.lamps {
        let to = lamp.place - from;
        let square = to.length_squared().max(0.04);
        let way = to / square.sqrt();
        let facing = normal.dot(way);
        if facing > 0.0 && !scene.is_blocked(from, way, (square.sqrt() - 0.08).max(0.01)) {
            let amount = lamp.strength * facing / square;
            light[0] += amount;
            light[1] += amount * (1.0 - 0.2 * lamp.warmth);
            light[2] += amount * (1.0 - 0.45 * lamp.warmth);
        }
    }
    light
}

/// Averages the light within surfaces, to remove the noise of few rays.
fn smoothed(raw: &[Raw], width: usize, height: usize) -> Vec<[f32; 3]> {
    let mut light: Vec<[f32; 3]> = raw.iter().map(|r| r.light).collect();
    for step in [1_isize, 2] {
        let before = light;
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
                        let brighter = before[k][1].max(1e-4) / before[i][1].max(1e-4);
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

impl View {
    /// Writes the view in a compact form.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.pixels.len() * 18 + self.surfaces.len() * 5 + 16);
        for n in [self.width, self.height, self.surfaces.len()] {
            bytes.extend((n as u16).to_le_bytes());
        }
        bytes.extend(self.spread.to_le_bytes());
        for s in &self.surfaces {
            bytes.extend([s.label, s.material, s.plane]);
            bytes.extend(s.group.to_le_bytes());
        }
        for p in &self.pixels {
            bytes.extend(p.surface.to_le_bytes());
            for v in p.light.into_iter().chain([p.mirrored]) {
                bytes.extend((((v / 64.0).max(0.0).sqrt() * 65535.0).min(65535.0) as u16).to_le_bytes());
            }
            for v in p.at {
                bytes.extend(((v * 1000.0).clamp(-32767.0, 32767.0) as i16).to_le_bytes());
            }
            bytes.extend(((p.depth * 1000.0).clamp(0.0, 65535.0) as u16).to_le_bytes());
        }
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(&bytes)
    }

    /// Reads the compact form of the next view; `None` at the end.
    ///
    /// # Errors
    /// When the input ends within a view.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
        let mut length = [0; 4];
        if input.read_exact(&mut length).is_err() {
            return Ok(None);
        }
        let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// A view from its compact form.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut rest = bytes;
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at(n);
            rest = tail;
            head
        };
        let u16_of = |b: &[u8]| u16::from_le_bytes([b[0], b[1]]);
        let (width, height, count) = (u16_of(take(2)) as usize, u16_of(take(2)) as usize, u16_of(take(2)) as usize);
        let s = take(4);
        let spread = f32::from_le_bytes([s[0], s[1], s[2], s[3]]);
        let surfaces = (0..count)
            .map(|_| {
                let b = take(5);
                Seen { label: b[0], material: b[1], plane: b[2], group: u16_of(&b[3..]) }
            })
            .collect();
        let pixels = (0..width * height)
            .map(|_| {
                let b = take(16);
                let level = |k: usize| {
                    let v = f32::from(u16_of(&b[2 + 2 * k..])) / 65535.0;
                    v * v * 64.0
                };
                let place = |k: usize| f32::from(i16::from_le_bytes([b[10 + 2 * k], b[11 + 2 * k]])) / 1000.0;
                Pixel {
                    surface: u16_of(b),
                    light: [level(0), level(1), level(2)],
                    mirrored: level(3),
                    at: [place(0), place(1)],
                    depth: f32::from(u16_of(&b[14..])) / 1000.0,
                }
            })
            .collect();
        Self { width, height, spread, surfaces, pixels }
    }

    /// Place of a pixel on its surface.
    #[must_use]
    pub fn at(&self, i: usize) -> Vec2 {
        Vec2::from_array(self.pixels[i].at)
    }
}
