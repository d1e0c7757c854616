//! Rotations of the camera, as homographies with a crop.

use glam::{DMat3, DVec2, DVec3};
use rayon::prelude::*;

use crate::Photo;
use crate::border::Borders;
use crate::room::camera::Camera;

/// A rotation and crop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Upward pitch that is corrected, degrees.
    pub pitch: f64,
    /// Clockwise roll that is corrected, degrees.
    pub roll: f64,
    /// Share of the area that is kept.
    pub kept: f64,
    /// From pixel coordinates of the result to those of the photo.
    homography: DMat3,
    /// Size of the result.
    width: usize,
    height: usize,
}

/// Corrects `pitch` and `roll` of a camera, cropped to the largest rectangle of the photo's aspect ratio (centered on `middle`, if
/// given) and without borders.
pub(super) fn turned(camera: &Camera, pitch: f64, roll: f64, middle: Option<DVec2>, borders: Borders) -> Option<Turn> {
    let (width, height) = (camera.width, camera.height);
    let level = Camera::turned(width, height, camera.focal, camera.pitch() - pitch, camera.roll() - roll, 0.0);
    let tilted = Camera::turned(width, height, camera.focal, camera.pitch(), camera.roll(), 0.0);
    let intrinsic = DMat3::from_cols(
        DVec3::new(camera.focal, 0.0, 0.0),
        DVec3::new(0.0, camera.focal, 0.0),
        DVec3::new(camera.center.x, camera.center.y, 1.0),
    );
    // From directions of the level camera to those of the tilted one.
    let back = intrinsic * (tilted.rotation * level.rotation.transpose()) * intrinsic.inverse();
    let forward = back.inverse();
    let size = DVec2::new(width as f64, height as f64);
    let (first, last) = inner(size, borders);
    let corners = [first, DVec2::new(last.x, first.y), last, DVec2::new(first.x, last.y)].map(|c| through(&forward, c));
    let [Some(a), Some(b), Some(c), Some(d)] = corners else { return None };
    let quad = [a, b, c, d];
    let (middle, scale) = largest_in(&quad, size, middle);
    if scale <= 0.0 {
        return None;
    }
    // At the scale of the photo, so that nothing is upsampled.
    let (out_width, out_height) = ((size.x * scale).floor(), (size.y * scale).floor());
    let corner = middle - DVec2::new(out_width, out_height) / 2.0;
    let shift = DMat3::from_translation(corner);
    let homography = back * shift;
    Some(Turn {
        pitch: pitch.to_degrees(),
        roll: roll.to_degrees(),
        kept: kept(&homography, DVec2::new(out_width, out_height)) / (size.x * size.y),
        homography,
        width: out_width as usize,
        height: out_height as usize,
    })
}

/// Corners of the photo inside its borders, and one pixel further because border edges are blended.
fn inner(size: DVec2, borders: Borders) -> (DVec2, DVec2) {
    let beyond = |border: usize| if border > 0 { border as f64 + 1.0 } else { 0.0 };
    let first = DVec2::new(beyond(borders.left), beyond(borders.top));
    (first, size - DVec2::new(beyond(borders.right), beyond(borders.bottom)))
}

fn through(homography: &DMat3, place: DVec2) -> Option<DVec2> {
    let seen = *homography * place.extend(1.0);
    (seen.z > 1e-6).then(|| seen.truncate() / seen.z)
}

/// Area of the photo that the result covers.
fn kept(homography: &DMat3, size: DVec2) -> f64 {
    let corners = [DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y)];
    let places: Vec<DVec2> = corners.iter().filter_map(|c| through(homography, *c)).collect();
    if places.len() < 4 {
        return 0.0;
    }
    (0..4).map(|i| places[i].perp_dot(places[(i + 1) % 4])).sum::<f64>().abs() / 2.0
}

/// Center and scale of the largest rectangle with the aspect ratio of `size` in a convex quadrilateral.
fn largest_in(quad: &[DVec2; 4], size: DVec2, middle: Option<DVec2>) -> (DVec2, f64) {
    let center = quad.iter().copied().sum::<DVec2>() / 4.0;
    let turns = (quad[1] - quad[0]).perp_dot(quad[2] - quad[0]).signum();
    // Greatest scale around a center, bounded by each edge of the quadrilateral.
    let allowed = |middle: DVec2| {
        (0..4)
            .map(|i| {
                let (a, b) = (quad[i], quad[(i + 1) % 4]);
                let inwards = (b - a).perp().normalize_or_zero() * turns;
                let reach = (inwards.x * size.x / 2.0).abs() + (inwards.y * size.y / 2.0).abs();
                (middle - a).dot(inwards) / reach
            })
            .fold(f64::MAX, f64::min)
    };
    if let Some(middle) = middle {
        return (middle, allowed(middle));
    }
    let (mut best, mut step) = ((center, allowed(center)), size.max_element() * 0.05);
    while step > 0.05 {
        let around = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y].map(|d| best.0 + d * step);
        let better = around.into_iter().map(|m| (m, allowed(m))).max_by(|a, b| a.1.total_cmp(&b.1));
        match better {
            Some(better) if better.1 > best.1 => best = better,
            _ => step *= 0.5,
        }
    }
    best
}

impl Turn {
    /// Applies the correction by cubic convolution (Keys 1981, a = -0.5) of encoded values, where ringing is least visible.
    #[must_use]
    pub fn apply(&self, photo: Photo) -> Photo {
        let mut pixels = vec![[0_u16; 3]; self.width * self.height];
        let source = &photo;
        pixels.par_chunks_mut(self.width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                let seen = self.homography * DVec3::new(x as f64 + 0.5, y as f64 + 0.5, 1.0);
                *out = sampled(source, (seen.x / seen.z - 0.5) as f32, (seen.y / seen.z - 0.5) as f32);
            }
        });
        Photo { width: self.width, height: self.height, pixels, ..photo }
    }

    /// Maps a vanishing point of the photo, in homogeneous pixel coordinates, to the result.
    #[must_use]
    pub fn map_homogeneous(&self, point: [f64; 3]) -> [f64; 3] {
        (self.homography.inverse() * DVec3::from_array(point)).to_array()
    }

    /// Maps a point of the photo to the result, in pixels.
    #[must_use]
    pub fn map(&self, point: [f64; 2]) -> Option<[f64; 2]> {
        through(&self.homography.inverse(), DVec2::from_array(point)).map(|p| p.to_array())
    }
}

fn cubic(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1.0, -1.5 * t3 + 2.0 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
}

fn sampled(photo: &Photo, x: f32, y: f32) -> [u16; 3] {
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (cubic(x - left), cubic(y - top));
    let (left, top) = (left as i64 - 1, top as i64 - 1);
    let within = |i: i64, count: usize| i.clamp(0, count as i64 - 1) as usize;
    let columns = [0, 1, 2, 3].map(|i| within(left + i, photo.width));
    let starts = [0, 1, 2, 3].map(|j| within(top + j, photo.height) * photo.width);
    // Four lanes, of which three are used, so that the compiler vectorizes.
    let at = |j: usize, i: usize| {
        let [r, g, b] = photo.pixels[starts[j] + columns[i]];
        [f32::from(r), f32::from(g), f32::from(b), 0.0]
    };
    let mut sum = [0.0_f32; 4];
    for (j, weight) in down.iter().enumerate() {
        let taps = [0, 1, 2, 3].map(|i| at(j, i));
        for c in 0..4 {
            let row = taps[0][c] * across[0] + taps[1][c] * across[1] + taps[2][c] * across[2] + taps[3][c] * across[3];
            sum[c] += weight * row;
        }
    }
    let near = [at(1, 1), at(1, 2), at(2, 1), at(2, 2)];
    // Overshoot is limited to a tenth of the contrast of the four nearest pixels, to avoid halos.
    [0, 1, 2].map(|c| {
        let least = near.iter().map(|p| p[c]).fold(f32::MAX, f32::min);
        let most = near.iter().map(|p| p[c]).fold(f32::MIN, f32::max);
        let slack = 0.1 * (most - least);
        (sum[c].clamp(least - slack, most + slack).clamp(0.0, 65_535.0) + 0.5) as u16
    })
}

/// Simulates a camera pitched up by `pitch` and rolled clockwise by `roll` degrees, with a centered principal point; for tests and
/// benchmarks.
#[must_use]
pub fn tilted(photo: &Photo, focal: f64, pitch: f64, roll: f64) -> Option<Turn> {
    let camera = Camera::turned(photo.width, photo.height, focal, 0.0, 0.0, 0.0);
    turned(&camera, -pitch.to_radians(), -roll.to_radians(), Some(camera.center), Borders::default())
}
