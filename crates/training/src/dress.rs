//! Dresses a view in random materials and takes a photo of it, with the exposure and the faults of real ones.

use std::collections::HashMap;
use std::io::Cursor;

use aerie_math::Rng;
use glam::{Vec2, Vec3};
use image::codecs::jpeg::JpegEncoder;

use crate::finish::Finish;
use crate::scene::{Label, Material};
use crate::view::View;

/// Label of pixels outside the view.
pub const NONE: u8 = 255;

/// A training sample.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Pixels, squeezed to a square: red, green, blue.
    pub picture: Vec<u8>,
    /// Classes at half the resolution.
    pub labels: Vec<u8>,
    /// Edges at half the resolution, as bits: 1 floor and wall, 2 two walls, 4 wall and ceiling.
    pub edges: Vec<u8>,
    /// Natural logarithm of width over height before squeezing.
    pub aspect: f32,
}

const MATERIALS: [Material; 22] = [
    Material::Floor,
    Material::Wall,
    Material::Trim,
    Material::Ceiling,
    Material::Door,
    Material::Glass,
    Material::Blind,
    Material::Curtain,
    Material::Cabinet,
    Material::Counter,
    Material::Metal,
    Material::Masonry,
    Material::Soot,
    Material::Rug,
    Material::Cloth,
    Material::Wood,
    Material::Object,
    Material::Lamp,
    Material::Ground,
    Material::Leaves,
    Material::Roof,
    Material::Sky,
];

/// Makes a sample of a view, `side` pixels wide and high.
#[must_use]
pub fn sample(view: &View, side: usize, rng: &mut Rng) -> Sample {
    let mut light = dressed(view, rng);
    develop(view, &mut light, rng);
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
    for i in 0..half * half {
        let p = source(((i % half) as f32 + 0.5) / half as f32, ((i / half) as f32 + 0.5) / half as f32);
        if p.x >= 0.0 && p.y >= 0.0 && p.x < w && p.y < h {
            let k = p.y as usize * view.width + p.x as usize;
            let surface = &view.surfaces[view.pixels[k].surface as usize];
            (labels[i], planes[i], depths[i]) = (surface.label, surface.plane, view.pixels[k].depth);
        }
    }
    let edges = edges(&planes, &depths, half);
    let picture = photographed(picture, side, rng);
    Sample { picture, labels, edges, aspect: (cw / ch).ln() }
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
        finishes.entry((s.group, s.material)).or_insert_with(|| Finish::random(MATERIALS[s.material as usize], rng));
    }
    let outside = Outside::random(rng);
    let lamp = rng.range_f32(1.0, 10.0);
    // Outdoors the sky is about as bright as what it lights.
    let sky = rng.range_f32(0.7, 3.0) / outside.level.max(0.01);
    let floor_gloss = if rng.random_bool(0.3) { rng.range_f32(1.0, 4.0) } else { rng.range_f32(0.3, 1.5) };
    let by_surface: Vec<&Finish> = view.surfaces.iter().map(|s| &finishes[&(s.group, s.material)]).collect();
    view.pixels
        .iter()
        .enumerate()
        .map(|(i, pixel)| {
            let surface = &view.surfaces[pixel.surface as usize];
            let material = MATERIALS[surface.material as usize];
            if material == Material::Glass {
                return outside.color(view.at(i));
            }
            if material == Material::Sky {
                return outside.color(view.at(i)) * sky;
            }
            let finish = by_surface[pixel.surface as usize];
            let light = Vec3::from_array(pixel.light);
            if material == Material::Lamp {
                return Vec3::splat(lamp);
            }
            let width = pixel.depth * view.spread * if surface.label == Label::Floor as u8 { 1.8 } else { 1.2 };
            let mut color = finish.color(view.at(i), width) * light;
            if material == Material::Blind || material == Material::Curtain {
                // Light falls through from outside.
                color += finish.color(view.at(i), width) * outside.level * 0.25;
            }
            if finish.gloss > 0.0 {
                let more = if surface.label == Label::Floor as u8 { floor_gloss } else { 1.0 };
                color += Vec3::splat(pixel.mirrored * finish.gloss * more);
            }
            color
        })
        .collect()
}

/// What is seen through the windows: a sky and something below it.
struct Outside {
    level: f32,
    sky: Vec3,
    ground: Vec3,
    horizon: f32,
    rough: f32,
    towers: f32,
    seed: u64,
}

impl Outside {
    fn random(rng: &mut Rng) -> Self {
        let level = if rng.random_bool(0.5) { rng.range_f32(2.0, 12.0) } else { rng.range_f32(0.3, 3.0) };
        let blue = rng.unit_f32();
        let green = rng.random_bool(0.6);
        let dark = rng.range_f32(0.03, 0.6);
        let night = rng.random_bool(0.06);
        let level = if night { 0.01 } else { level };
        Self {
            level,
            sky: Vec3::new(1.0 - 0.5 * blue, 1.0 - 0.25 * blue, 1.0) * level,
            ground: level * if green { Vec3::new(dark * 0.7, dark, dark * 0.4) } else { Vec3::splat(dark) },
            horizon: rng.range_f32(-0.1, 0.35),
            rough: rng.range_f32(3.0, 40.0),
            towers: if rng.random_bool(0.3) { rng.range_f32(0.1, 0.5) } else { 0.0 },
            seed: rng.next_u64(),
        }
    }

    fn color(&self, way: Vec2) -> Vec3 {
        let cell = |x: f32, y: f32| to_share(x.floor() as i64, y.floor() as i64, self.seed);
        let mut top = self.horizon + 0.25 * (cell(way.x * self.rough, 0.0) - 0.5) * (6.0 / self.rough).min(1.0);
        if self.towers > 0.0 && cell(way.x * 6.0, 1.0) > 0.5 {
            top += self.towers * cell(way.x * 6.0, 2.0);
        }
        if way.y > top {
            return self.sky * (1.0 - 0.3 * way.y.max(0.0));
        }
        self.ground * (0.5 + cell(way.x * self.rough * 2.0, way.y * self.rough * 2.0))
    }
}

fn to_share(a: i64, b: i64, seed: u64) -> f32 {
    aerie_math::rng::to_unit(aerie_math::rng::mix((a as u64) ^ aerie_math::rng::mix((b as u64) ^ seed))) as f32
}

/// Exposure, color of the light, bloom and vignetting; in place, still linear.
fn develop(view: &View, light: &mut [Vec3], rng: &mut Rng) {
    let (w, h) = (view.width, view.height);
    let mut levels: Vec<f32> = light.iter().map(|v| v.dot(Vec3::new(0.21, 0.72, 0.07))).collect();
    levels.sort_by(f32::total_cmp);
    let at = rng.pick(&[0.4_f32, 0.5, 0.6, 0.8]);
    let level = levels[((levels.len() - 1) as f32 * at) as usize].max(1e-4);
    let target = if rng.random_bool(0.85) { rng.range_f32(0.12, 0.5) } else { rng.range_f32(0.04, 1.1) };
    let cast = Vec3::new(rng.range_f32(-0.2, 0.25).exp(), 1.0, rng.range_f32(-0.35, 0.25).exp());
    let gain = cast * (target / level);
    let vignette = if rng.random_bool(0.3) { rng.range_f32(0.0, 1.0) } else { 0.0 };
    for (i, v) in light.iter_mut().enumerate() {
        let p = Vec2::new((i % w) as f32 / w as f32 - 0.5, (i / w) as f32 / h as f32 - 0.5);
        *v = *v * gain / (1.0 + vignette * p.length_squared());
    }
    if rng.random_bool(0.4) {
        let clipped: Vec<Vec3> = light.iter().map(|v| v.min(Vec3::splat(6.0))).collect();
        let soft = blurred(&clipped, w, h, rng.range_f32(3.0, 16.0) as usize);
        let share = rng.range_f32(0.01, 0.2);
        light.iter_mut().zip(soft).for_each(|(v, s)| *v += s * share);
    }
}

/// Three box filters: nearly a Gaussian.
fn blurred(pixels: &[Vec3], width: usize, height: usize, radius: usize) -> Vec<Vec3> {
    let mut now = pixels.to_vec();
    let pass = |src: &[Vec3], count: usize, length: usize, step: usize, skip: usize| {
        let mut out = src.to_vec();
        for line in 0..count {
            let at = |i: usize| line * skip + i * step;
            let mut sum = Vec3::ZERO;
            let mut n = 0.0;
            for i in 0..radius.min(length) {
                sum += src[at(i)];
                n += 1.0;
            }
            for i in 0..length {
                if i + radius < length {
                    sum += src[at(i + radius)];
                    n += 1.0;
                }
                if i > radius {
                    sum -= src[at(i - radius - 1)];
                    n -= 1.0;
                }
                out[at(i)] = sum / n;
            }
        }
        out
    };
    for _ in 0..2 {
        now = pass(&now, height, width, 1, width);
        now = pass(&now, width, height, width, 1);
    }
    now
}

/// The camera's curve, local contrast, blur, noise and compression.
fn photographed(mut pixels: Vec<Vec3>, side: usize, rng: &mut Rng) -> Vec<u8> {
    let shoulder = rng.random_bool(0.7);
    let gamma = if rng.random_bool(0.4) { rng.range_f32(0.6, 1.5) } else { 1.0 };
    for v in &mut pixels {
        if shoulder {
            let rolled = |x: f32| if x < 0.6 { x } else { 0.6 + 0.4 * (1.0 - (-(x - 0.6) / 0.45).exp()) };
            *v = Vec3::new(rolled(v.x), rolled(v.y), rolled(v.z));
        }
        let encoded = |x: f32| {
            let x = x.clamp(0.0, 1.0);
            let y = if x < 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
            y.powf(gamma)
        };
        *v = Vec3::new(encoded(v.x), encoded(v.y), encoded(v.z));
    }
    if rng.random_bool(0.3) {
        // The look of merged exposures.
        let soft = blurred(&pixels, side, side, rng.range_f32(6.0, 25.0) as usize);
        let (flat, crisp) = (rng.range_f32(0.1, 0.5), rng.range_f32(0.0, 0.6));
        pixels.iter_mut().zip(soft).for_each(|(v, s)| *v += (0.5 - s) * flat + (*v - s) * crisp);
    }
    let saturation = rng.range_f32(0.5, 1.8);
    if rng.random_bool(0.3) {
        let soft = blurred(&pixels, side, side, 1);
        let share = rng.unit_f32();
        pixels.iter_mut().zip(soft).for_each(|(v, s)| *v = v.lerp(s, share));
    }
    let noise = if rng.random_bool(0.6) { rng.range_f32(0.0, 0.03) } else { 0.0 };
    let mut bytes = Vec::with_capacity(side * side * 3);
    for v in pixels {
        let gray = (v.x + v.y + v.z) / 3.0;
        for c in v.to_array() {
            let c = gray + (c - gray) * saturation + noise * rng.normal() as f32;
            bytes.push((c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
        }
    }
    if rng.random_bool(0.4) {
        let mut file = Vec::new();
        let quality = rng.range_f32(25.0, 92.0) as u8;
        let encoder = JpegEncoder::new_with_quality(&mut file, quality);
        let size = side as u32;
        if image::ImageEncoder::write_image(encoder, &bytes, size, size, image::ExtendedColorType::Rgb8).is_ok()
            && let Ok(decoded) = image::ImageReader::with_format(Cursor::new(file), image::ImageFormat::Jpeg).decode()
        {
            return decoded.into_rgb8().into_raw();
        }
    }
    bytes
}
