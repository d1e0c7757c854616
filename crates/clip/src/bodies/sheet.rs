//! Positions of objects in a picture and in the textures.

use aerie_photo::layers::Body;
use glam::DVec2;
use rayon::prelude::*;

use crate::plate::{Frame, Plate};
use crate::proxy::BodySample;

/// Longest side of a texture that every device supports, in pixels of the frame: colors have twice as many.
const MAX_SIDE: usize = 4096;

/// No object, and several.
pub(super) const NONE: u8 = u8::MAX;
pub(super) const MIXED: u8 = NONE - 1;
/// Pixels between two bodies in the textures.
const GAP: usize = 2;
/// Columns and rows of sample points on an object.
const PLACES: usize = 9;

/// An object packed into the textures.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedBody {
    /// Bounds in the photo, in pixels of the frame: left, top, right, bottom.
    pub rect: [f64; 4],
    /// Bounds in the textures, in pixels of the frame.
    pub at: [usize; 4],
    /// Nearness at a texel of 0, and what a texel of 1 adds.
    pub range: [f64; 2],
    /// Mean nearness.
    pub mean: f64,
    pub(super) marks: Vec<BodySample>,
    /// Index in the layers.
    pub(super) number: u8,
}

/// Mapping between pixels of the frame and pixels of the layers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sheet {
    pub(super) shown: [f64; 4],
    scale: DVec2,
    offset: DVec2,
    pub(super) size: [usize; 2],
}

impl Sheet {
    /// Layers that cover the whole photo.
    pub(super) fn of(size: [usize; 2], frame: &Frame, photo: [usize; 2]) -> Self {
        let of_photo = DVec2::new(photo[0] as f64 / size[0] as f64, photo[1] as f64 / size[1] as f64);
        Self { shown: frame.shown, scale: of_photo * frame.scale, offset: DVec2::from_array(frame.offset), size }
    }

    /// Layers that cover the available part of the photo, at one pixel per pixel of the frame.
    pub(crate) fn of_available(frame: &Frame) -> Self {
        let [left, top, right, bottom] = frame.shown;
        let size = [(right - left) as usize, (bottom - top) as usize];
        Self { shown: frame.shown, scale: DVec2::ONE, offset: -DVec2::new(left, top), size }
    }

    /// Converts a point of the frame to the sheet.
    pub(super) fn layer(&self, place: DVec2) -> DVec2 {
        (place + self.offset) / self.scale
    }

    /// Bounds of an object in the available part of the photo, in whole pixels of the frame; `None` if it lies outside.
    pub(super) fn taken(&self, body: &Body) -> Option<[usize; 4]> {
        let corner = DVec2::new(body.corner[0] as f64, body.corner[1] as f64);
        let end = corner + DVec2::new(body.width as f64, body.height as f64);
        let [left, top, right, bottom] = self.shown;
        let most = DVec2::new(right - left, bottom - top);
        let of_frame = |at: DVec2| (at * self.scale - self.offset - DVec2::new(left, top)).clamp(DVec2::ZERO, most);
        let (low, high) = (of_frame(corner).floor(), of_frame(end).ceil());
        let rect = [low.x, low.y, high.x, high.y].map(|v| v as usize);
        (rect[2] > rect[0] + 1 && rect[3] > rect[1] + 1).then_some(rect)
    }

    /// A body in the textures, from a corner of theirs.
    pub(super) fn held(&self, body: &Body, number: usize, taken: [usize; 4], corner: [usize; 2]) -> PackedBody {
        let [left, top, ..] = self.shown;
        let rect = [taken[0] as f64 + left, taken[1] as f64 + top, taken[2] as f64 + left, taken[3] as f64 + top];
        let [low, high] = body.range().map(f64::from);
        let mut marks = Vec::new();
        for i in 0..PLACES * PLACES {
            let share = |n: usize| n as f64 / (PLACES - 1) as f64;
            let along = DVec2::new(share(i % PLACES), share(i / PLACES));
            let pixel = DVec2::new(
                rect[0] + 0.5 + along.x * (rect[2] - rect[0] - 1.0),
                rect[1] + 0.5 + along.y * (rect[3] - rect[1] - 1.0),
            );
            let at = self.layer(pixel);
            if between(body, at, |i| f32::from(body.pixels[i][3])) < 127.0 {
                continue;
            }
            let [left, top, right, bottom] = self.shown;
            let is_cut = pixel.x < left + 2.0 || pixel.y < top + 2.0 || pixel.x > right - 2.0 || pixel.y > bottom - 2.0;
            marks.push(BodySample { pixel, nearness: f64::from(between(body, at, |i| body.nearness[i])), is_cut });
        }
        let mean = if marks.is_empty() {
            (low + high) / 2.0
        } else {
            marks.iter().map(|m| m.nearness).sum::<f64>() / marks.len() as f64
        };
        let at = [corner[0], corner[1], corner[0] + taken[2] - taken[0], corner[1] + taken[3] - taken[1]];
        PackedBody { rect, at, range: [(low + high) / 2.0, (high - low) / 2.0], mean, marks, number: number as u8 }
    }

    /// The photo, with the pixels of `room` that are not black.
    pub(super) fn behind(&self, room: &[[u8; 3]], plate: &Plate) -> Vec<u8> {
        let is_set = |i: usize| room[i] != [0; 3];
        let across = plate.double_size[0];
        let (width, height) = (self.size[0], self.size[1]);
        let mut behind = plate.double.clone();
        behind.par_chunks_mut(across * 4).enumerate().for_each(|(y, row)| {
            for (x, texel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let place = DVec2::new((x as f64 + 0.5) / 2.0 + self.shown[0], (y as f64 + 0.5) / 2.0 + self.shown[1]);
                let at = self.layer(place) - 0.5;
                let (u, v) = (at.x.floor().max(0.0) as usize, at.y.floor().max(0.0) as usize);
                let share = (at - at.floor()).as_vec2();
                let (mut sum, mut weights) = ([0.0_f32; 3], 0.0_f32);
                for (du, dv) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let i = (v + dv).min(height - 1) * width + (u + du).min(width - 1);
                    let weight = (if du == 1 { share.x } else { 1.0 - share.x })
                        * (if dv == 1 { share.y } else { 1.0 - share.y });
                    if is_set(i) {
                        weights += weight;
                        (0..3).for_each(|c| sum[c] += weight * f32::from(room[i][c]));
                    }
                }
                for c in 0..3 {
                    texel[c] = (sum[c] + (1.0 - weights) * f32::from(texel[c])).round() as u8;
                }
            }
        });
        behind
    }
}

/// Per pixel of the sheet, the index of the visible object.
pub(super) fn front(bodies: &[Body], [width, height]: [usize; 2]) -> Vec<u8> {
    let mut best = vec![(0.0_f32, NONE); width * height];
    for (number, body) in bodies.iter().enumerate() {
        for (i, pixel) in body.pixels.iter().enumerate() {
            let at = (body.corner[1] + i / body.width) * width + body.corner[0] + i % body.width;
            if pixel[3] > 0 && body.nearness[i] > best[at].0 {
                best[at] = (body.nearness[i], if pixel[3] == 255 { number as u8 } else { MIXED });
            }
        }
    }
    best.into_iter().map(|b| b.1).collect()
}

pub(super) fn cell(at: DVec2, [width, height]: [usize; 2]) -> usize {
    let x = (at.x.max(0.0) as usize).min(width - 1);
    let y = (at.y.max(0.0) as usize).min(height - 1);
    y * width + x
}

/// The only visible object around a point of the sheet, away from the edges of others.
pub(super) fn alone(front: &[u8], width: usize, at: DVec2) -> u8 {
    let height = front.len() / width;
    let (x, y) = ((at.x as usize).min(width - 1), (at.y as usize).min(height - 1));
    let number = front[y * width + x];
    let same = |v: usize| (x.saturating_sub(1)..(x + 2).min(width)).all(|u| front[v * width + u] == number);
    if (y.saturating_sub(1)..(y + 2).min(height)).all(same) { number } else { NONE }
}

/// Bilinear interpolation of a value of an object at a point of the sheet.
pub(super) fn between(body: &Body, at: DVec2, value: impl Fn(usize) -> f32) -> f32 {
    let x = (at.x - body.corner[0] as f64 - 0.5).clamp(0.0, body.width as f64 - 1.0);
    let y = (at.y - body.corner[1] as f64 - 0.5).clamp(0.0, body.height as f64 - 1.0);
    let (left, top) = (x as usize, y as usize);
    let (right, below) = ((left + 1).min(body.width - 1), (top + 1).min(body.height - 1));
    let (fx, fy) = ((x - left as f64) as f32, (y - top as f64) as f32);
    let row = |v: usize| value(v * body.width + left) * (1.0 - fx) + value(v * body.width + right) * fx;
    row(top) * (1.0 - fy) + row(below) * fy
}

/// A channel of a body's own color, of its covered pixels alone.
pub(super) fn covered(body: &Body, at: DVec2, channel: usize) -> f32 {
    let weight = |i: usize| f32::from(body.pixels[i][3].min(1));
    let sum = between(body, at, |i| weight(i) * f32::from(body.pixels[i][channel]));
    let whole = between(body, at, weight);
    if whole > 1e-3 { sum / whole } else { 0.0 }
}

/// Packs rectangles in rows; `None` if they do not fit.
pub(super) fn packed(sizes: &[[usize; 2]]) -> Option<([usize; 2], Vec<[usize; 2]>)> {
    let area: usize = sizes.iter().map(|s| (s[0] + GAP) * (s[1] + GAP)).sum();
    let widest = sizes.iter().map(|s| s[0] + GAP).max()?;
    let across = ((area as f64 * 1.3).sqrt() as usize).max(widest);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(sizes[*i][1]));
    let mut corners = vec![[0; 2]; sizes.len()];
    let (mut x, mut y, mut high) = (0, 0, 0);
    for i in order {
        let [width, height] = sizes[i];
        if x + width + GAP > across {
            (x, y, high) = (0, y + high + GAP, 0);
        }
        corners[i] = [x, y];
        x += width + GAP;
        high = high.max(height);
    }
    let size = [across.next_multiple_of(4), (y + high + GAP).next_multiple_of(4)];
    size.iter().all(|side| *side <= MAX_SIDE).then_some((size, corners))
}
