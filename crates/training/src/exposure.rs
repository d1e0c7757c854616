//! Takes the photo: exposure, color cast, bloom, the camera's curve, noise and compression.

use std::io::Cursor;

use aerie_math::Rng;
use glam::{Vec2, Vec3};
use image::codecs::jpeg::JpegEncoder;

/// Exposure, color of the light, bloom and vignetting; in place, still linear. Daylight is mostly balanced better than lamps.
pub(crate) fn develop(light: &mut [Vec3], [w, h]: [usize; 2], is_outdoors: bool, rng: &mut Rng) {
    let mut levels: Vec<f32> = light.iter().map(|v| v.dot(Vec3::new(0.21, 0.72, 0.07))).collect();
    levels.sort_by(f32::total_cmp);
    let at = rng.pick(&[0.4_f32, 0.5, 0.6, 0.8]);
    let level = levels[((levels.len() - 1) as f32 * at) as usize].max(1e-4);
    let target = if rng.random_bool(0.85) { rng.range_f32(0.12, 0.5) } else { rng.range_f32(0.04, 1.1) };
    let cast = Vec3::new(rng.range_f32(-0.2, 0.25).exp(), 1.0, rng.range_f32(-0.35, 0.25).exp());
    let cast = if is_outdoors && rng.random_bool(0.7) { cast.powf(0.35) } else { cast };
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
pub(crate) fn photographed(mut pixels: Vec<Vec3>, side: usize, rng: &mut Rng) -> Vec<u8> {
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
