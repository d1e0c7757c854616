//! Dresses a view in random materials and takes a photo of it, with the exposure and the faults of real ones.

use std::collections::HashMap;

use aerie_math::Rng;
use glam::{Vec2, Vec3};
use strum::VariantArray;

use crate::exposure::{develop, photographed};
use crate::finish::Finish;
use crate::materials;
use crate::scene::{Label, Material};
use crate::view::View;
use crate::weather::Weather;
use crate::window_view::Outside;

/// Label of pixels outside the view.
pub const NONE: u8 = 255;

/// Depth of pixels that have none.
pub const NO_DEPTH: i16 = i16::MIN;

/// A training sample.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Pixels, squeezed to a square: red, green, blue.
    pub picture: Vec<u8>,
    /// Classes at half the resolution.
    pub labels: Vec<u8>,
    /// Edges at half the resolution, as bits: 1 floor and wall, 2 two walls, 4 wall and ceiling.
    pub edges: Vec<u8>,
    /// Depth at half the resolution: 4096 times the natural logarithm of the depth in heights of the camera above the floor or the
    /// ground; [`NO_DEPTH`] in the sky and outside the view.
    pub depths: Vec<i16>,
    /// Unit normals in camera axes at half the resolution, times 127; zeros where there is no depth.
    pub normals: Vec<[i8; 3]>,
    /// Natural logarithm of width over height before squeezing.
    pub aspect: f32,
}

/// Makes a sample of a view, `side` pixels wide and high.
#[must_use]
pub fn sample(view: &View, side: usize, rng: &mut Rng) -> Sample {
    let mut light = dressed(view, rng);
    develop(&mut light, [view.width, view.height], view.is_outdoors, rng);
    // A part of the view, squeezed to a square and perhaps mirrored.
    let (w, h) = (view.width as f32, view.height as f32);
    let share = if rng.random_bool(0.5) { rng.range_f32(0.62, 1.0) } else { 1.0 };
    let (cw, ch) = (share * w, (share * h * (rng.range_f32(-0.15, 0.15)).exp()).min(h));
    let corner = Vec2::new(rng.range_f32(0.0, (w - cw).max(1e-3)), rng.range_f32(0.0, (h - ch).max(1e-3)));
    let mirrored = rng.random_bool(0.5);
    let bend = if rng.random_bool(0.3) { rng.range_f32(-0.06, 0.06) } else { 0.0 };
    let source = |u: f32, v: f32| {
        let u = if mirrored { 1.0 - u } else { u };
        let p = corner + Vec2::new(u * cw, v * ch);
        // Distortion of the lens about the middle of the view.
        let q = (p - Vec2::new(w, h) / 2.0) / w.max(h);
        p + q * (bend * (q.length_squared() - 0.15)) * w.max(h)
    };
    let mut picture = vec![Vec3::ZERO; side * side];
    // Two by two samples a pixel where the view has more pixels than the sample.
    for (i, pixel) in picture.iter_mut().enumerate() {
        let (x, y) = ((i % side) as f32, (i / side) as f32);
        for k in 0..4 {
            let p = source(
                (x + 0.25 + 0.5 * (k % 2) as f32) / side as f32,
                (y + 0.25 + 0.5 * (k / 2) as f32) / side as f32,
            );
            *pixel += bilinear(&light, view.width, view.height, p) * 0.25;
        }
    }
    let half = side / 2;
    let mut labels = vec![NONE; half * half];
    let mut planes = vec![0_u8; half * half];
    let mut depths = vec![0.0_f32; half * half];
    let mut normals = vec![[0_i8; 3]; half * half];
    for i in 0..half * half {
        let p = source(((i % half) as f32 + 0.5) / half as f32, ((i / half) as f32 + 0.5) / half as f32);
        if p.x >= 0.0 && p.y >= 0.0 && p.x < w && p.y < h {
            let k = p.y as usize * view.width + p.x as usize;
            let surface = &view.surfaces[view.pixels[k].surface as usize];
            let pixel = &view.pixels[k];
            (labels[i], planes[i], depths[i]) = (surface.label, surface.plane, pixel.depth);
            if surface.label != Label::Sky as u8 {
                let n = if mirrored { pixel.normal * Vec3::new(-1.0, 1.0, 1.0) } else { pixel.normal };
                normals[i] = (n * 127.0).to_array().map(|v| v.round() as i8);
            }
        }
    }
    let edges = edges(&planes, &depths, half);
    let unit = view.place.z.max(0.2);
    let depths = depths.iter().zip(&normals).map(|(depth, normal)| {
        if *normal == [0; 3] {
            NO_DEPTH
        } else {
            ((depth / unit).max(1e-3).ln() * 4096.0).clamp(-32_000.0, 32_000.0) as i16
        }
    });
    let depths = depths.collect();
    let picture = photographed(picture, side, rng);
    Sample { picture, labels, edges, depths, normals, aspect: (cw / ch).ln() }
}

/// Edges between planes of the room, one pixel to either side.
fn edges(planes: &[u8], depths: &[f32], half: usize) -> Vec<u8> {
    let mut out = vec![0_u8; half * half];
    for y in 0..half {
        for x in 0..half {
            for (dx, dy) in [(1, 0), (0, 1)] {
                if x + dx >= half || y + dy >= half {
                    continue;
                }
                let (i, j) = (y * half + x, (y + dy) * half + x + dx);
                let (a, b) = (planes[i].min(planes[j]), planes[i].max(planes[j]));
                let step = (depths[i] - depths[j]).abs() > 0.12 * depths[i].min(depths[j]) + 0.1;
                let bit = match (a, b) {
                    (1, 3..) => 1,
                    (2, 3..) => 4,
                    (3.., 3..) if a != b || step => 2,
                    _ => 0,
                };
                out[i] |= bit;
                out[j] |= bit;
            }
        }
    }
    out
}

fn bilinear(pixels: &[Vec3], width: usize, height: usize, p: Vec2) -> Vec3 {
    let x = (p.x - 0.5).clamp(0.0, width as f32 - 1.001);
    let y = (p.y - 0.5).clamp(0.0, height as f32 - 1.001);
    let (i, j) = (x as usize, y as usize);
    let (u, v) = (x - i as f32, y - j as f32);
    let at = |i: usize, j: usize| pixels[j.min(height - 1) * width + i.min(width - 1)];
    at(i, j).lerp(at(i + 1, j), u).lerp(at(i, j + 1).lerp(at(i + 1, j + 1), u), v)
}

/// Linear light of the view in random materials.
fn dressed(view: &View, rng: &mut Rng) -> Vec<Vec3> {
    let mut finishes: HashMap<(u16, u8), Finish> = HashMap::new();
    for s in &view.surfaces {
        let material = Material::VARIANTS[s.material as usize];
        finishes.entry((s.group, s.material)).or_insert_with(|| materials::random(material, rng));
    }
    let weather = if view.is_outdoors { Weather::outdoors(rng) } else { Weather::indoors(rng) };
    let outside = Outside::random(rng);
    let lamp = rng.range_f32(1.0, 10.0);
    let floor_gloss = if rng.random_bool(0.3) { rng.range_f32(1.0, 4.0) } else { rng.range_f32(0.3, 1.5) };
    let by_surface: Vec<&Finish> = view.surfaces.iter().map(|s| &finishes[&(s.group, s.material)]).collect();
    (0..view.pixels.len())
        .map(|i| {
            let pixel = &view.pixels[i];
            let surface = &view.surfaces[pixel.surface as usize];
            let material = Material::VARIANTS[surface.material as usize];
            let way = view.way(i).normalize();
            if material == Material::Glass {
                return outside.color(Vec2::new(way.x.atan2(way.y), way.z.asin()));
            }
            if material == Material::Sky {
                return weather.sky(way);
            }
            let finish = by_surface[pixel.surface as usize];
            let [sky, sun, lamps] = pixel.light;
            let light = weather.light * sky + weather.sun * sun + weather.lamps * lamps;
            if material == Material::Lamp {
                return weather.lamps * lamp;
            }
            let width = pixel.depth / view.focal * if surface.label == Label::Floor as u8 { 1.8 } else { 1.2 };
            let at = view.at(i);
            let mut color = finish.color(at, width);
            if view.is_outdoors {
                let up = view.turn * pixel.normal;
                color = weather.covered(color, material, up.z, at);
            }
            let cloth = color;
            color *= light;
            if material == Material::Blind || material == Material::Curtain {
                // Light falls through from outside.
                color += cloth * outside.level * 0.25;
            }
            let facing = pixel.normal.dot(-(view.turn.transpose() * way)).clamp(0.0, 1.0);
            let shine = match material {
                // Glass and water mirror more at grazing angles.
                Material::Pane | Material::Water => finish.gloss * (0.25 + 0.75 * (1.0 - facing).powi(2)),
                Material::Paving | Material::Asphalt => (finish.gloss + weather.wet) * (1.0 - facing).powi(3),
                _ if surface.label == Label::Floor as u8 => finish.gloss * floor_gloss,
                _ => finish.gloss,
            };
            if view.is_outdoors {
                color += weather.light * (pixel.mirrored * shine);
                if material == Material::Pane {
                    color += weather.lit(surface.group);
                }
                return weather.hazy(color, pixel.depth, way);
            }
            color + Vec3::splat(pixel.mirrored * shine)
        })
        .collect()
}
