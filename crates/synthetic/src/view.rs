//! Rendered views of a room, with ground truth for every pixel.

use aerie_math::Rng;
use aerie_math::color;
use aerie_photo::Photo;
use aerie_photo::room::Camera;
use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;

use crate::light::LightMaps;
use crate::paint::{self, Look};
use crate::room::Room;
use crate::scene::{self, Surface};

/// Position and camera of a view.
#[derive(Debug, Clone, Copy)]
pub struct Viewpoint {
    /// Position in the room, meters.
    pub place: DVec3,
    /// Camera, rotated relative to the room.
    pub camera: Camera,
}

/// A room with computed lighting.
pub struct LitRoom {
    room: Room,
    light: LightMaps,
}

/// A rendered view with ground truth.
#[derive(Debug, Clone)]
pub struct View {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Linear radiance of each pixel, unexposed.
    pub light: Vec<Vec3>,
    /// Face of the empty room at each pixel center.
    pub shell: Vec<Surface>,
    /// Face at each pixel center, including clutter.
    pub surfaces: Vec<Surface>,
    /// Depth along the optical axis at each pixel center, meters.
    pub depth: Vec<f32>,
}

/// Exposure and degradation of a photo.
#[derive(Debug, Clone, Copy)]
pub struct Developing {
    /// Exposure compensation, stops.
    pub exposure: f64,
    /// Standard deviation of the noise, 8-bit steps.
    pub noise: f64,
    /// JPEG quality; `None` for no compression.
    pub jpeg_quality: Option<u8>,
    /// Seed of the noise.
    pub seed: u64,
}

impl Default for Developing {
    fn default() -> Self {
        Self { exposure: 0.0, noise: 1.5, jpeg_quality: Some(90), seed: 0 }
    }
}

impl LitRoom {
    /// Computes the lighting of a room.
    #[must_use]
    pub fn new(room: Room) -> Self {
        let light = LightMaps::of(&room);
        Self { room, light }
    }

    /// The room.
    #[must_use]
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Renders a view with `rays * rays` rays per pixel.
    #[must_use]
    pub fn view(&self, from: &Viewpoint, rays: usize) -> View {
        let camera = &from.camera;
        let (width, height) = (camera.width, camera.height);
        let mut pixels = vec![(Vec3::ZERO, Surface::Floor, Surface::Floor, 0.0_f32); width * height];
        pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                let corner = DVec2::new(x as f64, y as f64);
                let mut sum = Vec3::ZERO;
                for i in 0..rays * rays {
                    let inside = DVec2::new((i % rays) as f64 + 0.5, (i / rays) as f64 + 0.5) / rays as f64;
                    sum += self.radiance(from.place, camera.ray(corner + inside), 1.0 / camera.focal, rays, i, true);
                }
                let ray = camera.ray(corner + 0.5);
                let forward = camera.sight(corner + 0.5).z;
                let bare = scene::hit(&self.room, from.place, ray, true);
                let full = scene::hit(&self.room, from.place, ray, false);
                *pixel = (
                    sum / (rays * rays) as f32,
                    bare.map_or(Surface::Floor, |h| h.surface),
                    full.map_or(Surface::Floor, |h| h.surface),
                    full.map_or(0.0, |h| (h.distance * forward) as f32),
                );
            }
        });
        View {
            width,
            height,
            light: pixels.iter().map(|p| p.0).collect(),
            shell: pixels.iter().map(|p| p.1).collect(),
            surfaces: pixels.iter().map(|p| p.2).collect(),
            depth: pixels.iter().map(|p| p.3).collect(),
        }
    }

    /// Radiance along a ray. `spread` is the width of a pixel at a distance of one meter.
    fn radiance(&self, from: DVec3, ray: DVec3, spread: f64, rays: usize, which: usize, mirrors: bool) -> Vec3 {
        let Some(hit) = scene::hit(&self.room, from, ray, false) else { return Vec3::ZERO };
        let slant = hit.normal.dot(ray).abs().max(0.05);
        let footprint = hit.distance * spread / slant.sqrt() / rays as f64;
        let falling = self.light.at(&self.room, hit.surface, hit.place);
        let mut light = match paint::look(&self.room, &hit, ray, footprint) {
            Look::Matt(color) => color * falling / std::f32::consts::PI,
            Look::Inside(color) => color * (falling * 0.7 + self.room.light.sky * 0.15) / std::f32::consts::PI,
            Look::Shining(radiance) => radiance,
        };
        if mirrors && hit.surface == Surface::Floor && self.room.floor.gloss > 0.0 {
            // Schlick's Fresnel approximation; roughness by random perturbation of each ray.
            let share = self.room.floor.gloss + (0.6 - self.room.floor.gloss) * (1.0 - slant).powi(5);
            let turn = |seed: i64| {
                crate::noise::hashed((hit.place.x * 4e3) as i64, (hit.place.y * 4e3) as i64, seed + which as i64) - 0.5
            };
            let rough = DVec3::new(turn(1), turn(101), 0.0) * 0.10;
            let mirrored = (DVec3::new(ray.x, ray.y, -ray.z) + rough).normalize();
            light +=
                self.radiance(hit.place + DVec3::Z * 1e-4, mirrored, spread * 2.0, rays, which, false) * share as f32;
        }
        light
    }
}

impl View {
    /// The view as a photo: exposed, tone-mapped, noisy, compressed.
    ///
    /// # Panics
    /// If the JPEG cannot be decoded, which would be a defect of the encoder.
    #[must_use]
    pub fn developed(&self, how: &Developing) -> Photo {
        if let Some(quality) = how.jpeg_quality {
            return aerie_photo::decode(&self.jpeg(how, quality)).expect("the JPEG was just encoded");
        }
        let bytes = self.exposed(how);
        let wide = bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(|v| u16::from(v) * 257));
        Photo::new(self.width, self.height, wide.collect())
    }

    /// The photo as a JPEG file.
    ///
    /// # Panics
    /// If a side is too long for JPEG.
    #[must_use]
    pub fn jpeg(&self, how: &Developing, quality: u8) -> Vec<u8> {
        let mut file = Vec::new();
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, quality)
            .encode(&self.exposed(how), self.width as u32, self.height as u32, image::ExtendedColorType::Rgb8)
            .expect("a picture of this size fits a JPEG");
        file
    }

    /// Exposed, tone-mapped and noisy sRGB, 8 bits per channel.
    fn exposed(&self, how: &Developing) -> Vec<u8> {
        let mut levels: Vec<f32> = self.light.iter().map(|c| color::luminance(c.to_array())).collect();
        levels.sort_by(f32::total_cmp);
        let level = levels[levels.len() / 2].max(1e-6);
        let gain = 0.36 / level * 2.0_f32.powf(how.exposure as f32);
        let mut rng = Rng::scattered(how.seed);
        let toned = |v: f32| {
            // Linear up to 0.6, then a shoulder that reaches white at about 3.
            if v < 0.6 { v } else { 0.6 + 0.4 * (1.0 - (-(v - 0.6) / 0.45).exp()) }
        };
        self.light
            .iter()
            .flat_map(|c| {
                let shared = rng.normal();
                color::encoded((*c * gain).to_array().map(toned)).map(|v| {
                    let noise = how.noise * (0.8 * shared + 0.6 * rng.normal());
                    (f64::from(v) / 257.0 + noise).round().clamp(0.0, 255.0) as u8
                })
            })
            .collect()
    }

    /// Share of pixels that show the floor of the empty room.
    #[must_use]
    pub fn floor_share(&self) -> f64 {
        self.shell.iter().filter(|s| **s == Surface::Floor).count() as f64 / self.shell.len() as f64
    }
}
