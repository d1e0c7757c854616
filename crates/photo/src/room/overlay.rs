//! Debug overlay of a layout on its photo.

use glam::DVec2;

use super::layout::{Face, Layout};
use crate::Photo;
use crate::lines::{Segment, longer};
use crate::picture::Picture;

const AXES: [[f32; 3]; 3] = [[235.0, 64.0, 52.0], [46.0, 184.0, 92.0], [64.0, 132.0, 255.0]];
const OTHER: [f32; 3] = [170.0, 170.0, 170.0];
const EDGE: [f32; 3] = [255.0, 220.0, 40.0];
const HORIZON: [f32; 3] = [0.0, 230.0, 230.0];
const FLOOR: [f32; 3] = [255.0, 170.0, 0.0];

/// Canvas with 8-bit colors as floats, for blending.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[f32; 3]>,
}

impl Canvas {
    fn blend(&mut self, x: usize, y: usize, color: [f32; 3], share: f32) {
        let pixel = &mut self.pixels[y * self.width + x];
        (0..3).for_each(|c| pixel[c] += (color[c] - pixel[c]) * share);
    }

    /// Draws an antialiased line; dashed if `dash` is positive.
    fn line(&mut self, from: DVec2, to: DVec2, width: f64, dash: f64, color: [f32; 3], strength: f32) {
        let length = (to - from).length().max(1e-9);
        let along = (to - from) / length;
        let reach = width / 2.0 + 1.0;
        let low = (from.min(to) - reach).max(DVec2::ZERO);
        let high = (from.max(to) + reach).min(DVec2::new(self.width as f64 - 1.0, self.height as f64 - 1.0));
        if high.x < low.x || high.y < low.y {
            return;
        }
        for y in low.y as usize..=high.y as usize {
            for x in low.x as usize..=high.x as usize {
                let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - from;
                let t = at.dot(along);
                let off = along.perp_dot(at).hypot((-t).max(t - length).max(0.0));
                let cover = (width / 2.0 + 0.5 - off).clamp(0.0, 1.0) as f32;
                let is_gap = dash > 0.0 && (t / dash).rem_euclid(2.0) > 1.0;
                if cover > 0.0 && !is_gap {
                    self.blend(x, y, color, cover * strength);
                }
            }
        }
    }
}

/// Draws segments colored by axis (X red, Y green, Z blue, others gray), tinted floor, yellow edges and a dashed horizon over the
/// dimmed photo.
#[must_use]
pub fn overlay(photo: &Photo, segments: &[Segment], layout: &Layout) -> Picture {
    let (width, height) = (photo.width, photo.height);
    let pixels = photo.pixels.iter().map(|p| p.map(|v| f32::from(v) / 257.0 * 0.85)).collect();
    let mut canvas = Canvas { width, height, pixels };
    let unit = width.max(height) as f64 / 1000.0;
    for y in 0..height {
        for x in 0..width {
            if layout.face_at([x as f64 + 0.5, y as f64 + 0.5]) == Face::Floor {
                canvas.blend(x, y, FLOOR, 0.22);
            }
        }
    }
    for segment in longer(segments, 12.0 * unit) {
        let color = layout.frame.axis_of(&segment, 2.0).map_or(OTHER, |axis| AXES[axis]);
        let [a, b] = [segment.a, segment.b].map(DVec2::from_array);
        canvas.line(a, b, (1.3 * unit).max(1.0), 0.0, color, 0.85);
    }
    for (_, polygon) in layout.polygons() {
        for (i, from) in polygon.iter().enumerate() {
            let [a, b] = [*from, polygon[(i + 1) % polygon.len()]].map(DVec2::from_array);
            let on_rim = |p: DVec2| {
                let (w, h) = (width as f64, height as f64);
                [p.x < 0.5, p.x > w - 0.5, p.y < 0.5, p.y > h - 0.5]
            };
            let is_rim = on_rim(a).iter().zip(on_rim(b)).any(|(p, q)| *p && q);
            if !is_rim {
                canvas.line(a, b, (3.0 * unit).max(1.5), 0.0, EDGE, 0.8);
            }
        }
    }
    let [a, b, c] = layout.frame.camera.horizon();
    if b.abs() > 1e-6 {
        let at = |x: f64| DVec2::new(x, -(a * x + c) / b);
        canvas.line(at(0.0), at(width as f64), (1.6 * unit).max(1.0), 12.0 * unit, HORIZON, 0.9);
    }
    let pixels = canvas.pixels.iter().flatten().map(|v| v.round().clamp(0.0, 255.0) as u8).collect();
    Picture { width, height, pixels }
}

/// Encodes an image as PNG, without metadata.
///
/// # Errors
/// If it cannot be encoded.
pub fn png(picture: &Picture) -> Result<Vec<u8>, image::ImageError> {
    let mut bytes = Vec::new();
    let (width, height) = (picture.width as u32, picture.height as u32);
    image::ImageEncoder::write_image(
        image::codecs::png::PngEncoder::new(&mut bytes),
        &picture.pixels,
        width,
        height,
        image::ExtendedColorType::Rgb8,
    )?;
    Ok(bytes)
}
