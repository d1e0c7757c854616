//! Perspective correction: rotates the camera so that verticals are vertical in the image.
//!
//! Pitch and roll follow from the vertical vanishing point of the segments. Leveling the camera is a homography, `K R K⁻¹`, which
//! needs no depth. It is applied only if segments on both sides of the image determine it well, and not to photos that are level.
//! A correction that would crop too much is applied in part.

use glam::{DMat3, DVec2, DVec3};
use rayon::prelude::*;

use crate::Photo;
use crate::border::Borders;
use crate::lines::{self, Segment};
use crate::room::camera::Camera;
use crate::room::frame::{Frame, Hints};

/// Least share of the total segment length that the frame explains.
const LEAST_SHARE: f64 = 0.5;
/// Least share of the length of vertical segments in each half of the image.
const LEAST_BALANCE: f64 = 0.08;
/// Least share of the total segment length that is vertical.
const LEAST_UPRIGHT: f64 = 0.10;
/// Least tilt that is visible and worth a tighter crop, degrees: roll, and tilt of verticals at the sides of the image.
const LEAST_ROLL: f64 = 0.5;
const LEAST_TILT: f64 = 1.0;
/// For verification: greatest tilt of nearly vertical segments, degrees; greatest share of their median tilt that may remain; and
/// degrees by which the tilt in one half of the image may grow.
const NEARLY_VERTICAL: f64 = 6.0;
const MOST_REMAINING: f64 = 0.7;
const HALF_SLACK: f64 = 0.1;
/// Steeper pitch is intentional: only the roll is corrected.
const INTENTIONAL_PITCH: f64 = 12.0;
/// Greater roll is not accidental.
const MOST_ROLL: f64 = 10.0;
/// Least share of the area that is kept.
pub const LEAST_KEPT: f64 = 0.86;
/// The same where the crop is due to the pitch, and the greatest share cropped in addition to that of the roll: the edges of the
/// image are worth more than the last degrees.
const LEAST_KEPT_BY_PITCH: f64 = 0.90;
const MOST_CROPPED_BY_PITCH: f64 = 0.06;

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

/// Pitch and roll of the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tilt {
    /// Upward pitch, degrees.
    pub pitch: f64,
    /// Clockwise roll, degrees.
    pub roll: f64,
}

/// Perspective correction of a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Upright {
    /// Needs a correction.
    Turn(Turn),
    /// Is level.
    Level,
    /// Its segments do not determine the vertical direction.
    Unsure,
}

/// Determines the perspective correction. `focal` is the focal length in pixels, if known. Borders of the photo are cropped.
#[must_use]
pub fn upright(photo: &Photo, focal: Option<f64>) -> Upright {
    let segments = lines::segments(photo);
    let Some(camera) = estimated_camera(&segments, photo, focal) else { return Upright::Unsure };
    let Tilt { pitch, roll } = tilt_of(&camera);
    let pitch = if pitch.abs() > INTENTIONAL_PITCH { 0.0 } else { pitch };
    if roll.abs() < LEAST_ROLL && greatest_tilt(&camera, pitch, roll) < LEAST_TILT {
        return Upright::Level;
    }
    let borders = Borders::detect(photo);
    let part = |share: f64| turned(&camera, (pitch * share).to_radians(), roll.to_radians(), None, borders);
    let by_roll = part(0.0).map_or(0.0, |t| t.kept);
    // The largest part of the correction that keeps enough of the image; only the roll if the pitch costs too much.
    for share in [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25, 0.0] {
        let turn = part(share);
        let least = (by_roll - MOST_CROPPED_BY_PITCH).clamp(LEAST_KEPT, LEAST_KEPT_BY_PITCH);
        let least = if share == 0.0 { LEAST_KEPT } else { least };
        if let Some(turn) = turn.filter(|t| t.kept >= least) {
            return if is_verified(&segments, &camera, &turn) { Upright::Turn(turn) } else { Upright::Unsure };
        }
    }
    Upright::Unsure
}

/// Greatest tilt of verticals at the sides of the image for a pitch and roll, degrees.
fn greatest_tilt(camera: &Camera, pitch: f64, roll: f64) -> f64 {
    let aside = 0.4 * camera.width as f64 / camera.focal;
    let (pitch, roll) = (pitch.to_radians(), roll.to_radians());
    [-aside, aside].map(|x| ((x * pitch.tan()).atan() + roll).to_degrees().abs()).into_iter().fold(0.0, f64::max)
}

/// Whether the correction clearly reduces the tilt of all nearly vertical segments, and does not increase it in either half.
fn is_verified(segments: &[Segment], camera: &Camera, turn: &Turn) -> bool {
    let forward = turn.homography.inverse();
    let mut halves = [const { Vec::new() }; 2];
    for segment in segments.iter().filter(|s| s.length() > 0.04 * camera.height as f64) {
        let [a, b] = [segment.a, segment.b].map(|p| through(&forward, DVec2::from_array(p)));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let before = tilt(DVec2::from_array(segment.direction()));
        let after = tilt(b - a);
        if before.min(after) < NEARLY_VERTICAL {
            let half = usize::from(segment.middle()[0] > camera.center.x);
            halves[half].push((before, after, segment.length()));
        }
    }
    let all = halves.concat();
    let [left, right] = halves.map(|half| medians(&half));
    let (before, after) = medians(&all);
    after <= MOST_REMAINING * before && [left, right].iter().all(|(before, after)| *after <= before + HALF_SLACK)
}

fn tilt(along: DVec2) -> f64 {
    along.x.abs().atan2(along.y.abs()).to_degrees()
}

/// Medians of the first and second values, weighted by the third; 0 without values.
fn medians(values: &[(f64, f64, f64)]) -> (f64, f64) {
    let median = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let mut sorted: Vec<(f64, f64)> = values.iter().map(|v| (of(v), v.2)).collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let half = sorted.iter().map(|v| v.1).sum::<f64>() / 2.0;
        let mut sum = 0.0;
        let middle = sorted.iter().find(|v| {
            sum += v.1;
            sum >= half
        });
        middle.map_or(0.0, |v| v.0)
    };
    (median(&|v| v.0), median(&|v| v.1))
}

/// Pitch and roll of the camera, if the segments determine them well.
#[must_use]
pub fn estimated_tilt(photo: &Photo, focal: Option<f64>) -> Option<Tilt> {
    estimated_camera(&lines::segments(photo), photo, focal).map(|camera| tilt_of(&camera))
}

fn tilt_of(camera: &Camera) -> Tilt {
    Tilt { pitch: camera.pitch().to_degrees(), roll: camera.roll().to_degrees() }
}

fn estimated_camera(segments: &[Segment], photo: &Photo, focal: Option<f64>) -> Option<Camera> {
    let frame = Frame::find(segments, photo.width, photo.height, &Hints { focal, ..Hints::default() })?;
    let is_sure = frame.share() >= LEAST_SHARE
        && frame.shares[2] >= LEAST_UPRIGHT
        && frame.upright_balance.iter().all(|b| *b >= LEAST_BALANCE);
    let camera = refined(segments, &frame.camera);
    (is_sure && tilt_of(&camera).roll.abs() <= MOST_ROLL).then_some(camera)
}

/// Refines the vertical by its own segments alone, by iteratively reweighted least squares with Cauchy weights: horizontals of a
/// house that is not quite square would bias it.
fn refined(segments: &[Segment], camera: &Camera) -> Camera {
    const NEAR: f64 = 3.0;
    const SPREAD: f64 = 0.4;
    let unit = camera.focal;
    let uprights: Vec<(DVec2, DVec2, f64)> = segments
        .iter()
        .map(|s| {
            let middle = (DVec2::from_array(s.middle()) - camera.center) / unit;
            (middle, DVec2::from_array(s.direction()), s.length())
        })
        .collect();
    // In camera axes, where a vanishing point is its own direction.
    let mut up = camera.up();
    for round in 0..12 {
        let near = if round < 4 { NEAR } else { 0.5 * NEAR };
        let mut sum = DMat3::ZERO;
        let mut count = 0;
        for (middle, along, length) in &uprights {
            let toward = up.truncate() - *middle * up.z;
            let reach = toward.length().max(1e-9);
            let off = (along.perp_dot(toward) / reach).abs().min(1.0).asin().to_degrees();
            if off > near {
                continue;
            }
            // Residual that is linear in `up`: cross product of the segment with the direction to the vanishing point.
            let row = DVec3::new(-along.y, along.x, along.y * middle.x - along.x * middle.y);
            let weight = length / (reach * reach) / (1.0 + (off / SPREAD).powi(2));
            sum += DMat3::from_cols(row * row.x, row * row.y, row * row.z) * weight;
            count += 1;
        }
        if count < 4 {
            return *camera;
        }
        // Eigenvector of the least eigenvalue, by inverse iteration.
        let scale = (sum.x_axis.x + sum.y_axis.y + sum.z_axis.z).max(1e-12);
        let inverse = (sum * (1.0 / scale) + DMat3::IDENTITY * 1e-9).inverse();
        let mut next = up;
        for _ in 0..20 {
            next = (inverse * next).normalize();
        }
        up = if next.dot(up) < 0.0 { -next } else { next };
    }
    // The yaw does not matter here.
    let pitch = up.z.clamp(-1.0, 1.0).asin();
    let roll = (-up.x).atan2(-up.y);
    Camera { center: camera.center, ..Camera::turned(camera.width, camera.height, camera.focal, pitch, roll, 0.0) }
}

/// Corrects `pitch` and `roll` of a camera, cropped to the largest rectangle of the photo's aspect ratio (centered on `middle`, if
/// given) and without borders.
fn turned(camera: &Camera, pitch: f64, roll: f64, middle: Option<DVec2>, borders: Borders) -> Option<Turn> {
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

/// The full correction, regardless of its size and of the area it crops; `None` if the segments do not determine it.
#[must_use]
pub fn full_correction(photo: &Photo, focal: Option<f64>) -> Option<Turn> {
    let camera = estimated_camera(&lines::segments(photo), photo, focal)?;
    turned(&camera, camera.pitch(), camera.roll(), None, Borders::default())
}
