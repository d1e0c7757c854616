//! Furniture of a picture that was taken apart, as bodies: each with the distance of every pixel, before its room.

use aerie_photo::layers::{Body, Layers};
use glam::{DVec2, DVec3};
use half::f16;
use rayon::prelude::*;

use crate::course::{Course, Pose};
use crate::plate::{Frame, Plate};
use crate::proxy::Proxy;

/// Longest side of a texture that every device takes, in pixels of the frame: colours have twice as many.
const MOST: usize = 4096;
/// Pixels between two bodies in the textures.
const GAP: usize = 2;
/// Rounds in which the place of the photo that a pixel shows is sought.
const ROUNDS: usize = 4;
/// Columns and rows of places at which a body is looked at.
const PLACES: usize = 9;

/// A place on a body, for what a camera may do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// Where the photo shows it, in pixels of the frame.
    pub pixel: DVec2,
    /// One over its distance along the optical axis.
    pub nearness: f64,
    /// Whether the body is cut off here by the photo's edge.
    pub is_cut: bool,
}

/// A body in the textures.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// What of the photo it takes up, in pixels of the frame: left, top, right, bottom.
    pub rect: [f64; 4],
    /// The same in the textures, in pixels of the frame.
    pub at: [usize; 4],
    /// Nearness at a texel of 0, and what a texel of 1 adds.
    pub range: [f64; 2],
    /// In the middle of all.
    pub mean: f64,
    marks: Vec<Mark>,
    /// Its number in the layers.
    number: u8,
}

/// Bodies ready to be drawn before the room.
#[derive(Debug, Clone, PartialEq)]
pub struct Bodies {
    /// The photo without them, as [`Plate::double`].
    pub behind: Vec<u8>,
    /// Colours times cover, and cover: two texels to a pixel of the frame each way.
    pub colours: Vec<u8>,
    /// Nearness of each, from -1 to 1 in its range, as half-precision bits: one texel to a pixel of the frame.
    pub nearness: Vec<u16>,
    /// Texels of `nearness` across and down.
    pub size: [usize; 2],
    /// Each body.
    pub each: Vec<Held>,
}

impl Bodies {
    /// Of layers and the plate of the same picture; none where there are none, or they are too large for a texture.
    #[must_use]
    pub fn of(layers: &Layers, frame: &Frame, plate: &Plate, photo: [usize; 2]) -> Option<Self> {
        let sheet = Sheet::of(layers, frame, photo);
        let shown: Vec<(usize, [usize; 4])> =
            layers.bodies.iter().enumerate().filter_map(|(i, body)| Some((i, sheet.taken(body)?))).collect();
        let (size, corners) = packed(&shown.iter().map(|(_, r)| [r[2] - r[0], r[3] - r[1]]).collect::<Vec<_>>())?;
        let front = front(layers);
        let mut bodies = Self {
            behind: sheet.behind(layers, plate),
            colours: vec![0; size[0] * size[1] * 16],
            nearness: vec![0; size[0] * size[1]],
            size,
            each: Vec::new(),
        };
        for ((number, rect), corner) in shown.into_iter().zip(corners) {
            let held = sheet.held(layers, number, rect, corner);
            bodies.paint(&sheet, (layers, &front), &held, plate);
            bodies.each.push(held);
        }
        (!bodies.each.is_empty()).then_some(bodies)
    }

    /// Places of all on which bounds for the camera rest.
    #[must_use]
    pub fn marks(&self) -> Vec<Mark> {
        self.each.iter().flat_map(|held| held.marks.iter().copied()).collect()
    }

    fn paint(&mut self, sheet: &Sheet, (layers, front): (&Layers, &[u8]), held: &Held, plate: &Plate) {
        let body = &layers.bodies[usize::from(held.number)];
        let ([left, top, right, bottom], across) = (held.at, self.size[0]);
        let shown = [held.rect[0] - sheet.shown[0], held.rect[1] - sheet.shown[1]].map(|v| v as usize);
        for y in top..bottom {
            for x in left..right {
                let place = DVec2::new((x - left) as f64 + held.rect[0] + 0.5, (y - top) as f64 + held.rect[1] + 0.5);
                let nearness = f64::from(between(body, sheet.layer(place), |i| body.nearness[i]));
                let told = ((nearness - held.range[0]) / held.range[1]).clamp(-1.0, 1.0);
                self.nearness[y * across + x] = f16::from_f64(told).to_bits();
            }
        }
        let row_bytes = across * 2 * 4;
        self.colours[2 * top * row_bytes..2 * bottom * row_bytes].par_chunks_mut(row_bytes).enumerate().for_each(
            |(row, texels)| {
                for column in 0..2 * (right - left) {
                    let of_plate = [2 * shown[0] + column, 2 * shown[1] + row];
                    let place =
                        DVec2::new(held.rect[0] + (column as f64 + 0.5) / 2.0, held.rect[1] + (row as f64 + 0.5) / 2.0);
                    let at = sheet.layer(place);
                    let cover = between(body, at, |i| f32::from(body.pixels[i][3])) / 255.0;
                    let is_seen = alone(front, layers.camera.width, at) == held.number;
                    let from = (of_plate[1] * plate.double_size[0] + of_plate[0]) * 4;
                    let to = (2 * left + column) * 4;
                    for channel in 0..3 {
                        let colour =
                            if is_seen { f32::from(plate.double[from + channel]) } else { covered(body, at, channel) };
                        texels[to + channel] = (colour * cover).round() as u8;
                    }
                    texels[to + 3] = (cover * 255.0).round() as u8;
                }
            },
        );
    }

    /// The bodies before a camera, from the farthest to the nearest, with what of the frame each takes up at most.
    #[must_use]
    pub fn before(&self, proxy: &Proxy, pose: &Pose) -> Vec<(usize, [f64; 4])> {
        let whole = [0.0, 0.0, proxy.camera.width as f64, proxy.camera.height as f64];
        let mut all: Vec<(f64, usize, [f64; 4])> = Vec::new();
        for (number, held) in self.each.iter().enumerate() {
            let [left, top, right, bottom] = held.rect;
            let (mut rect, mut far) = ([f64::MAX, f64::MAX, f64::MIN, f64::MIN], 0.0);
            for corner in [[left, top], [right, top], [left, bottom], [right, bottom]] {
                for end in [-1.0, 0.0, 1.0] {
                    let nearness = held.range[0] + end * held.range[1];
                    match proxy.seen_at(pose, DVec2::from_array(corner), nearness) {
                        Some((pixel, distance)) => {
                            rect = [
                                rect[0].min(pixel.x - 2.0),
                                rect[1].min(pixel.y - 2.0),
                                rect[2].max(pixel.x + 2.0),
                                rect[3].max(pixel.y + 2.0),
                            ];
                            far += distance;
                        }
                        None => rect = whole,
                    }
                }
            }
            let clipped = [
                rect[0].max(0.0).floor(),
                rect[1].max(0.0).floor(),
                rect[2].min(whole[2]).ceil(),
                rect[3].min(whole[3]).ceil(),
            ];
            if clipped[2] > clipped[0] && clipped[3] > clipped[1] {
                all.push((far, number, clipped));
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().map(|(_, number, rect)| (number, rect)).collect()
    }

    /// The largest share of the frame, over a course, that shows what the photo does not: the room behind furniture, and
    /// parts of furniture that other pieces hid.
    #[must_use]
    pub fn synthesised(
        &self,
        proxy: &Proxy,
        course: &Course,
        layers: &Layers,
        frame: &Frame,
        photo: [usize; 2],
    ) -> f64 {
        let sheet = Sheet::of(layers, frame, photo);
        let front = front(layers);
        let seen = |place: DVec2| front[cell(sheet.layer(place), layers)];
        let of = |pose: &Pose| {
            let (columns, rows) = (96, 64);
            let unseen = (0..columns * rows).filter(|i| {
                let share = |at: usize, of: usize| (at as f64 + 0.5) / of as f64;
                let x = share(i % columns, columns) * proxy.camera.width as f64;
                let y = share(i / columns, rows) * proxy.camera.height as f64;
                let pixel = DVec2::new(x, y);
                match self.met(proxy, pose, pixel) {
                    // Edges, where several are mixed, count as seen.
                    Some((number, place)) => !matches!(seen(place), n if n == self.each[number].number || n >= MIXED),
                    None => proxy.photo_pixel(pose, pixel).is_some_and(|place| seen(place) < MIXED),
                }
            });
            unseen.count() as f64 / (columns * rows) as f64
        };
        [0.5, 1.0].map(|way| of(&course.pose(proxy, way))).into_iter().fold(0.0, f64::max)
    }

    /// The body that a pixel shows from a pose, and the place of it in the photo, in pixels of the frame.
    #[must_use]
    pub fn met(&self, proxy: &Proxy, pose: &Pose, pixel: DVec2) -> Option<(usize, DVec2)> {
        let far = proxy.photo_matrix() * proxy.ray_matrix(pose) * pixel.extend(1.0);
        let near = proxy.photo_matrix() * pose.position;
        let mut best: Option<(f64, usize, DVec2)> = None;
        for (number, held) in self.each.iter().enumerate() {
            let [left, top, right, bottom] = held.rect;
            let mut nearness = held.mean;
            let mut at = DVec3::ZERO;
            let mut ahead = 0.0;
            for round in 0..=ROUNDS {
                ahead = nearness * far.z / (1.0 - nearness * near.z).max(1e-3);
                at = far + near * ahead;
                if round < ROUNDS {
                    let place = (at.truncate() / at.z).clamp(DVec2::new(left, top), DVec2::new(right, bottom));
                    nearness = held.range[0] + held.range[1] * self.told(held, place);
                }
            }
            let place = at.truncate() / at.z;
            let is_in = place.x >= left && place.x < right && place.y >= top && place.y < bottom;
            if is_in && self.cover(held, place) > 0.5 && best.is_none_or(|(n, ..)| ahead > n) {
                best = Some((ahead, number, place));
            }
        }
        best.map(|(_, number, place)| (number, place))
    }

    fn told(&self, held: &Held, place: DVec2) -> f64 {
        let x = (place.x - held.rect[0]) as usize;
        let y = (place.y - held.rect[1]) as usize;
        let (x, y) = ((held.at[0] + x).min(held.at[2] - 1), (held.at[1] + y).min(held.at[3] - 1));
        f16::from_bits(self.nearness[y * self.size[0] + x]).to_f64()
    }

    fn cover(&self, held: &Held, place: DVec2) -> f64 {
        let x = ((place.x - held.rect[0]) * 2.0) as usize + 2 * held.at[0];
        let y = ((place.y - held.rect[1]) * 2.0) as usize + 2 * held.at[1];
        f64::from(self.colours[(y * 2 * self.size[0] + x) * 4 + 3]) / 255.0
    }
}

/// No body, and several.
const NONE: u8 = u8::MAX;
const MIXED: u8 = NONE - 1;

/// Pixels of the frame against those of the layers.
struct Sheet {
    shown: [f64; 4],
    scale: DVec2,
    offset: DVec2,
    size: [usize; 2],
}

impl Sheet {
    fn of(layers: &Layers, frame: &Frame, photo: [usize; 2]) -> Self {
        let size = [layers.camera.width, layers.camera.height];
        let of_photo = DVec2::new(photo[0] as f64 / size[0] as f64, photo[1] as f64 / size[1] as f64);
        Self { shown: frame.shown, scale: of_photo * frame.scale, offset: DVec2::from_array(frame.offset), size }
    }

    /// The place in the layers of a place in the frame.
    fn layer(&self, place: DVec2) -> DVec2 {
        (place + self.offset) / self.scale
    }

    /// What a body takes up of what is at hand, in whole pixels of the frame from its corner; none where it is not at hand.
    fn taken(&self, body: &Body) -> Option<[usize; 4]> {
        let corner = DVec2::new(body.corner[0] as f64, body.corner[1] as f64);
        let end = corner + DVec2::new(body.width as f64, body.height as f64);
        let [left, top, right, bottom] = self.shown;
        let most = DVec2::new(right - left, bottom - top);
        let of_frame = |at: DVec2| (at * self.scale - self.offset - DVec2::new(left, top)).clamp(DVec2::ZERO, most);
        let (low, high) = (of_frame(corner).floor(), of_frame(end).ceil());
        let rect = [low.x, low.y, high.x, high.y].map(|v| v as usize);
        (rect[2] > rect[0] + 1 && rect[3] > rect[1] + 1).then_some(rect)
    }

    fn held(&self, layers: &Layers, number: usize, taken: [usize; 4], corner: [usize; 2]) -> Held {
        let body = &layers.bodies[number];
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
            marks.push(Mark { pixel, nearness: f64::from(between(body, at, |i| body.nearness[i])), is_cut });
        }
        let mean = if marks.is_empty() {
            (low + high) / 2.0
        } else {
            marks.iter().map(|m| m.nearness).sum::<f64>() / marks.len() as f64
        };
        let at = [corner[0], corner[1], corner[0] + taken[2] - taken[0], corner[1] + taken[3] - taken[1]];
        Held { rect, at, range: [(low + high) / 2.0, (high - low) / 2.0], mean, marks, number: number as u8 }
    }

    /// The photo without bodies: the layers' room where they hide it.
    fn behind(&self, layers: &Layers, plate: &Plate) -> Vec<u8> {
        let is_told = |i: usize| layers.room[i] != [0; 3];
        let across = plate.double_size[0];
        let (width, height) = (self.size[0], self.size[1]);
        let mut behind = plate.double.clone();
        behind.par_chunks_mut(across * 4).enumerate().for_each(|(y, row)| {
            for (x, texel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let place = DVec2::new((x as f64 + 0.5) / 2.0 + self.shown[0], (y as f64 + 0.5) / 2.0 + self.shown[1]);
                let at = self.layer(place) - 0.5;
                let (u, v) = (at.x.floor().max(0.0) as usize, at.y.floor().max(0.0) as usize);
                let share = (at - at.floor()).as_vec2();
                let (mut sum, mut told) = ([0.0_f32; 3], 0.0_f32);
                for (du, dv) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let i = (v + dv).min(height - 1) * width + (u + du).min(width - 1);
                    let weight = (if du == 1 { share.x } else { 1.0 - share.x })
                        * (if dv == 1 { share.y } else { 1.0 - share.y });
                    if is_told(i) {
                        told += weight;
                        (0..3).for_each(|c| sum[c] += weight * f32::from(layers.room[i][c]));
                    }
                }
                for c in 0..3 {
                    texel[c] = (sum[c] + (1.0 - told) * f32::from(texel[c])).round() as u8;
                }
            }
        });
        behind
    }
}

/// Of each pixel of the layers, the number of the body that is seen there.
fn front(layers: &Layers) -> Vec<u8> {
    let (width, height) = (layers.camera.width, layers.camera.height);
    let mut best = vec![(0.0_f32, NONE); width * height];
    for (number, body) in layers.bodies.iter().enumerate() {
        for (i, pixel) in body.pixels.iter().enumerate() {
            let at = (body.corner[1] + i / body.width) * width + body.corner[0] + i % body.width;
            if pixel[3] > 0 && body.nearness[i] > best[at].0 {
                best[at] = (body.nearness[i], if pixel[3] == 255 { number as u8 } else { MIXED });
            }
        }
    }
    best.into_iter().map(|b| b.1).collect()
}

fn cell(at: DVec2, layers: &Layers) -> usize {
    let x = (at.x.max(0.0) as usize).min(layers.camera.width - 1);
    let y = (at.y.max(0.0) as usize).min(layers.camera.height - 1);
    y * layers.camera.width + x
}

/// The body that is seen alone round a place of the layers, away from the edges of others.
fn alone(front: &[u8], width: usize, at: DVec2) -> u8 {
    let height = front.len() / width;
    let (x, y) = ((at.x as usize).min(width - 1), (at.y as usize).min(height - 1));
    let number = front[y * width + x];
    let same = |v: usize| (x.saturating_sub(1)..(x + 2).min(width)).all(|u| front[v * width + u] == number);
    if (y.saturating_sub(1)..(y + 2).min(height)).all(same) { number } else { NONE }
}

/// A value of a body at a place of the layers, between its pixels.
fn between(body: &Body, at: DVec2, value: impl Fn(usize) -> f32) -> f32 {
    let x = (at.x - body.corner[0] as f64 - 0.5).clamp(0.0, body.width as f64 - 1.0);
    let y = (at.y - body.corner[1] as f64 - 0.5).clamp(0.0, body.height as f64 - 1.0);
    let (left, top) = (x as usize, y as usize);
    let (right, below) = ((left + 1).min(body.width - 1), (top + 1).min(body.height - 1));
    let (fx, fy) = ((x - left as f64) as f32, (y - top as f64) as f32);
    let row = |v: usize| value(v * body.width + left) * (1.0 - fx) + value(v * body.width + right) * fx;
    row(top) * (1.0 - fy) + row(below) * fy
}

/// A channel of a body's own colour, of its covered pixels alone.
fn covered(body: &Body, at: DVec2, channel: usize) -> f32 {
    let weight = |i: usize| f32::from(body.pixels[i][3].min(1));
    let sum = between(body, at, |i| weight(i) * f32::from(body.pixels[i][channel]));
    let whole = between(body, at, weight);
    if whole > 1e-3 { sum / whole } else { 0.0 }
}

/// Places rectangles side by side, row above row; none where they do not fit.
fn packed(sizes: &[[usize; 2]]) -> Option<([usize; 2], Vec<[usize; 2]>)> {
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
    size.iter().all(|side| *side <= MOST).then_some((size, corners))
}
