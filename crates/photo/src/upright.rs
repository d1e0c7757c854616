//! Upright correction: the rotation of the camera that makes what stands upright stand upright in the picture.
//!
//! The vertical vanishing point of the room's or house's segments tells how the camera was pitched and rolled. Turning
//! it level is a homography, `K R K⁻¹`, which needs no depth. It is made only when the lines tell it well, on both
//! sides of the picture, and a photo that stands already is left alone. What a larger turn would cut away too much of
//! is turned in part.

use glam::{DMat3, DVec2, DVec3};
use rayon::prelude::*;

use crate::Photo;
use crate::border::Strips;
use crate::lines::{Segment, segments};
use crate::room::camera::Camera;
use crate::room::frame::{Frame, Hints};

/// Share of the length of all segments that the frame must explain.
const LEAST_SHARE: f64 = 0.5;
/// Uprights in each half of the picture, share of their length.
const LEAST_BALANCE: f64 = 0.08;
/// Share of the length of all segments that must stand upright.
const LEAST_UPRIGHT: f64 = 0.10;
/// From these on a lean is seen, and worth a tighter crop: of the whole picture, or of what stands at its sides, degrees.
const LEAST_ROLL: f64 = 0.5;
const LEAST_LEANING: f64 = 1.0;
/// Degrees off upright within which a line is taken for a witness; the share of what they leaned, in the median, that
/// a turn may leave; and the degrees by which one half of the picture may lean more than before.
const NEARLY_UPRIGHT: f64 = 6.0;
const MOST_LEFT: f64 = 0.7;
const HALF_SLACK: f64 = 0.1;
/// A steeper look up or down is meant: only the roll is corrected.
const MEANT_PITCH: f64 = 12.0;
/// No camera is held so by mistake.
const MOST_ROLL: f64 = 10.0;
/// Share of the picture's area that is kept at least.
pub const LEAST_KEPT: f64 = 0.86;
/// The same where it is the pitch that cuts, and how much it may cut beside the roll: edges and what is written there
/// are worth more than the last degrees.
const LEAST_KEPT_BY_PITCH: f64 = 0.90;
const MOST_CUT_BY_PITCH: f64 = 0.06;

/// How a photo is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Degrees that the camera looked up and is turned down by; negative the other way.
    pub pitch: f64,
    /// Degrees that the camera was rolled clockwise and is turned back by.
    pub roll: f64,
    /// Share of the area that is kept.
    pub kept: f64,
    /// From a pixel of the result to one of the photo, both counted from the corner.
    homography: DMat3,
    /// Of the result.
    width: usize,
    height: usize,
}

/// How the camera stood.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lean {
    /// Degrees that it looked up.
    pub pitch: f64,
    /// Degrees that it was rolled clockwise.
    pub roll: f64,
}

/// What was found about how upright a photo stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Upright {
    /// It is to be turned.
    Turn(Turn),
    /// It stands.
    Stands,
    /// Its lines do not tell.
    Unsure,
}

/// Looks how a photo stands. `focal` is the focal length in pixels where the camera told it. Strips along its edges
/// are cut off where it is turned.
#[must_use]
pub fn upright(photo: &Photo, focal: Option<f64>) -> Upright {
    let found = segments(photo);
    let Some(camera) = stood(&found, photo, focal) else { return Upright::Unsure };
    let Lean { pitch, roll } = lean(&camera);
    let pitch = if pitch.abs() > MEANT_PITCH { 0.0 } else { pitch };
    if roll.abs() < LEAST_ROLL && most_leaning(&camera, pitch, roll) < LEAST_LEANING {
        return Upright::Stands;
    }
    let strips = Strips::of(photo);
    let part = |share: f64| turned(&camera, (pitch * share).to_radians(), roll.to_radians(), None, strips);
    let by_roll = part(0.0).map_or(0.0, |t| t.kept);
    // As much of the turn as keeps enough of the picture; the roll alone where the pitch costs too much.
    for share in [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25, 0.0] {
        let turn = part(share);
        let least = (by_roll - MOST_CUT_BY_PITCH).clamp(LEAST_KEPT, LEAST_KEPT_BY_PITCH);
        let least = if share == 0.0 { LEAST_KEPT } else { least };
        if let Some(turn) = turn.filter(|t| t.kept >= least) {
            return if witnessed(&found, &camera, &turn) { Upright::Turn(turn) } else { Upright::Unsure };
        }
    }
    Upright::Unsure
}

/// Degrees by which what stands upright leans most at the sides of the picture, for a camera that is pitched and
/// rolled so.
fn most_leaning(camera: &Camera, pitch: f64, roll: f64) -> f64 {
    let aside = 0.4 * camera.width as f64 / camera.focal;
    let (pitch, roll) = (pitch.to_radians(), roll.to_radians());
    [-aside, aside].map(|x| ((x * pitch.tan()).atan() + roll).to_degrees().abs()).into_iter().fold(0.0, f64::max)
}

/// Whether what is nearly upright in the photo, whichever lines were believed, stands clearly better after the turn, and
/// in neither half worse.
fn witnessed(found: &[Segment], camera: &Camera, turn: &Turn) -> bool {
    let forward = turn.homography.inverse();
    let mut halves = [const { Vec::new() }; 2];
    for segment in found.iter().filter(|s| s.length() > 0.04 * camera.height as f64) {
        let [a, b] = [segment.a, segment.b].map(|p| through(&forward, DVec2::from_array(p)));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let before = off_upright(DVec2::from_array(segment.direction()));
        let after = off_upright(b - a);
        if before.min(after) < NEARLY_UPRIGHT {
            let half = usize::from(segment.middle()[0] > camera.center.x);
            halves[half].push((before, after, segment.length()));
        }
    }
    let all = halves.concat();
    let [left, right] = halves.map(|half| medians(&half));
    let (before, after) = medians(&all);
    after <= MOST_LEFT * before && [left, right].iter().all(|(before, after)| *after <= before + HALF_SLACK)
}

fn off_upright(along: DVec2) -> f64 {
    along.x.abs().atan2(along.y.abs()).to_degrees()
}

/// Medians of the first and of the second, each weighted by the third; 0 where there are none.
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

/// How the camera stood, where the lines tell it well.
#[must_use]
pub fn found_lean(photo: &Photo, focal: Option<f64>) -> Option<Lean> {
    stood(&segments(photo), photo, focal).map(|camera| lean(&camera))
}

fn lean(camera: &Camera) -> Lean {
    Lean { pitch: camera.pitch().to_degrees(), roll: camera.roll().to_degrees() }
}

fn stood(found: &[Segment], photo: &Photo, focal: Option<f64>) -> Option<Camera> {
    let frame = Frame::find(found, photo.width, photo.height, &Hints { focal, ..Hints::default() })?;
    let is_sure = frame.share() >= LEAST_SHARE
        && frame.shares[2] >= LEAST_UPRIGHT
        && frame.upright_balance.iter().all(|b| *b >= LEAST_BALANCE);
    let camera = refined(found, &frame.camera);
    (is_sure && lean(&camera).roll.abs() <= MOST_ROLL).then_some(camera)
}

/// The camera with the vertical that its upright segments alone agree on, by reweighted least squares (Cauchy): the
/// horizontals, and how square the house is, are no witnesses of what stands upright.
fn refined(found: &[Segment], camera: &Camera) -> Camera {
    const NEAR: f64 = 3.0;
    const SPREAD: f64 = 0.4;
    let unit = camera.focal;
    let uprights: Vec<(DVec2, DVec2, f64)> = found
        .iter()
        .map(|s| {
            let middle = (DVec2::from_array(s.middle()) - camera.center) / unit;
            (middle, DVec2::from_array(s.direction()), s.length())
        })
        .collect();
    // In the camera's axes, where the vanishing point of a direction is the direction itself.
    let mut up = camera.up();
    for round in 0..12 {
        let near = if round < 4 { NEAR } else { 0.5 * NEAR };
        let mut sum = DMat3::ZERO;
        let mut count = 0;
        for (middle, along, length) in &uprights {
            let towards = up.truncate() - *middle * up.z;
            let reach = towards.length().max(1e-9);
            let off = (along.perp_dot(towards) / reach).abs().min(1.0).asin().to_degrees();
            if off > near {
                continue;
            }
            // What is linear in the direction: the cross product of the segment with the way to the vanishing point.
            let row = DVec3::new(-along.y, along.x, along.y * middle.x - along.x * middle.y);
            let weight = length / (reach * reach) / (1.0 + (off / SPREAD).powi(2));
            sum += DMat3::from_cols(row * row.x, row * row.y, row * row.z) * weight;
            count += 1;
        }
        if count < 4 {
            return *camera;
        }
        // The direction that the sum shortens most, by inverse iteration.
        let scale = (sum.x_axis.x + sum.y_axis.y + sum.z_axis.z).max(1e-12);
        let inverse = (sum * (1.0 / scale) + DMat3::IDENTITY * 1e-9).inverse();
        let mut next = up;
        for _ in 0..20 {
            next = (inverse * next).normalize();
        }
        up = if next.dot(up) < 0.0 { -next } else { next };
    }
    // A camera of the same focal length that stands so; which way it looks does not matter here.
    let pitch = up.z.clamp(-1.0, 1.0).asin();
    let roll = (-up.x).atan2(-up.y);
    Camera { center: camera.center, ..Camera::turned(camera.width, camera.height, camera.focal, pitch, roll, 0.0) }
}

/// The turn of a camera by a part of its pitch and roll, with the largest rectangle of the photo's shape in it, round
/// `middle` where that is given, and without the strips along its edges.
fn turned(camera: &Camera, pitch: f64, roll: f64, middle: Option<DVec2>, strips: Strips) -> Option<Turn> {
    let (width, height) = (camera.width, camera.height);
    let level = Camera::turned(width, height, camera.focal, camera.pitch() - pitch, camera.roll() - roll, 0.0);
    let leaning = Camera::turned(width, height, camera.focal, camera.pitch(), camera.roll(), 0.0);
    let intrinsic = DMat3::from_cols(
        DVec3::new(camera.focal, 0.0, 0.0),
        DVec3::new(0.0, camera.focal, 0.0),
        DVec3::new(camera.center.x, camera.center.y, 1.0),
    );
    // A sight of the level camera, as the leaning one has it.
    let back = intrinsic * (leaning.rotation * level.rotation.transpose()) * intrinsic.inverse();
    let forward = back.inverse();
    let size = DVec2::new(width as f64, height as f64);
    let (first, last) = inner(size, strips);
    let corners = [first, DVec2::new(last.x, first.y), last, DVec2::new(first.x, last.y)].map(|c| through(&forward, c));
    let [Some(a), Some(b), Some(c), Some(d)] = corners else { return None };
    let quad = [a, b, c, d];
    let (middle, scale) = largest_in(&quad, size, middle);
    if scale <= 0.0 {
        return None;
    }
    // The rectangle is taken at the photo's own scale, so that nothing is enlarged.
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

/// First and last corner of the photo within its strips, and a pixel further where there is one: its edge is mixed.
fn inner(size: DVec2, strips: Strips) -> (DVec2, DVec2) {
    let beyond = |strip: usize| if strip > 0 { strip as f64 + 1.0 } else { 0.0 };
    let first = DVec2::new(beyond(strips.left), beyond(strips.top));
    (first, size - DVec2::new(beyond(strips.right), beyond(strips.bottom)))
}

fn through(homography: &DMat3, place: DVec2) -> Option<DVec2> {
    let seen = *homography * place.extend(1.0);
    (seen.z > 1e-6).then(|| seen.truncate() / seen.z)
}

/// Area of the photo that lies under a result of this size.
fn kept(homography: &DMat3, size: DVec2) -> f64 {
    let corners = [DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y)];
    let places: Vec<DVec2> = corners.iter().filter_map(|c| through(homography, *c)).collect();
    if places.len() < 4 {
        return 0.0;
    }
    (0..4).map(|i| places[i].perp_dot(places[(i + 1) % 4])).sum::<f64>().abs() / 2.0
}

/// Middle and scale of the largest rectangle with the shape of `size` inside a convex quadrilateral.
fn largest_in(quad: &[DVec2; 4], size: DVec2, middle: Option<DVec2>) -> (DVec2, f64) {
    let center = quad.iter().copied().sum::<DVec2>() / 4.0;
    let turns = (quad[1] - quad[0]).perp_dot(quad[2] - quad[0]).signum();
    // How large a rectangle round a middle may be: each edge of the quadrilateral allows so much.
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
    /// The photo, turned: by cubic convolution (Keys 1981, a = -0.5) in the encoded values, where ringing is least seen.
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

    /// Where a place of the photo lies in the result, pixels from the corner.
    #[must_use]
    pub fn place(&self, place: [f64; 2]) -> Option<[f64; 2]> {
        through(&self.homography.inverse(), DVec2::from_array(place)).map(|p| p.to_array())
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
    // Four lanes, of which three are used: the compiler then takes them together.
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
    // A tenth past the four nearest at most: what overshoots further is a rim.
    [0, 1, 2].map(|c| {
        let least = near.iter().map(|p| p[c]).fold(f32::MAX, f32::min);
        let most = near.iter().map(|p| p[c]).fold(f32::MIN, f32::max);
        let slack = 0.1 * (most - least);
        (sum[c].clamp(least - slack, most + slack).clamp(0.0, 65_535.0) + 0.5) as u16
    })
}

/// The turn that shows a photo as a camera would have taken it that was pitched up by `pitch` and rolled clockwise by
/// `roll` degrees more, with the principal point in the middle again: for tests and measures.
#[must_use]
pub fn leaning(photo: &Photo, focal: f64, pitch: f64, roll: f64) -> Option<Turn> {
    let camera = Camera::turned(photo.width, photo.height, focal, 0.0, 0.0, 0.0);
    turned(&camera, -pitch.to_radians(), -roll.to_radians(), Some(camera.center), Strips::default())
}

/// The whole turn that makes a photo upright, whatever it cuts away and however small it is; `None` where the lines do
/// not tell.
#[must_use]
pub fn whole(photo: &Photo, focal: Option<f64>) -> Option<Turn> {
    let camera = stood(&segments(photo), photo, focal)?;
    turned(&camera, camera.pitch(), camera.roll(), None, Strips::default())
}
