//! Objects in front of the planes, such as furniture and trees: layers with a distance per pixel, packed into textures.

use aerie_photo::layers::{Body, Layers};
use glam::{DVec2, DVec3};
use half::f16;
use rayon::prelude::*;

use crate::plate::{Frame, Plate};
use crate::pose::Pose;
use crate::proxy::{BodySample, Proxy};

mod sheet;

pub use sheet::PackedBody;
pub(crate) use sheet::Sheet;
use sheet::{MIXED, alone, between, cell, covered, front, packed};

/// Iterations to find the point of the photo that a pixel shows.
const ROUNDS: usize = 4;

/// Objects ready to be drawn in front of the planes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bodies {
    /// The photo without them, in the format of [`Plate::double`].
    pub behind: Vec<u8>,
    /// Colors times cover, and cover: two texels to a pixel of the frame each way.
    pub colors: Vec<u8>,
    /// Nearness of each, from -1 to 1 in its range, as half-precision bits: one texel to a pixel of the frame.
    pub nearness: Vec<u16>,
    /// Texels of `nearness` across and down.
    pub size: [usize; 2],
    /// Each body.
    pub each: Vec<PackedBody>,
    sheet: Sheet,
    /// What is seen at each pixel of the sheet.
    front: Vec<u8>,
}

impl Bodies {
    /// Packs the layers of a picture; `None` if there are none, or they do not fit into a texture.
    #[must_use]
    pub fn of(layers: &Layers, frame: &Frame, plate: &Plate, photo: [usize; 2]) -> Option<Self> {
        let size = [layers.camera.width, layers.camera.height];
        Self::on(Sheet::of(size, frame, photo), (&layers.room, &layers.bodies), plate)
    }

    /// Packs objects of a sheet. The first element is the picture without them, black where it is unchanged.
    pub(crate) fn on(sheet: Sheet, (room, all): (&[[u8; 3]], &[Body]), plate: &Plate) -> Option<Self> {
        let shown: Vec<(usize, [usize; 4])> =
            all.iter().enumerate().filter_map(|(i, body)| Some((i, sheet.taken(body)?))).collect();
        let (size, corners) = packed(&shown.iter().map(|(_, r)| [r[2] - r[0], r[3] - r[1]]).collect::<Vec<_>>())?;
        let mut bodies = Self {
            behind: sheet.behind(room, plate),
            colors: vec![0; size[0] * size[1] * 16],
            nearness: vec![0; size[0] * size[1]],
            size,
            each: Vec::new(),
            front: front(all, sheet.size),
            sheet,
        };
        for ((number, rect), corner) in shown.into_iter().zip(corners) {
            let held = bodies.sheet.held(&all[number], number, rect, corner);
            bodies.paint(&all[number], &held, plate);
            bodies.each.push(held);
        }
        (!bodies.each.is_empty()).then_some(bodies)
    }

    /// Sample points that bound the camera.
    #[must_use]
    pub fn marks(&self) -> Vec<BodySample> {
        self.each.iter().flat_map(|held| held.marks.iter().copied()).collect()
    }

    fn paint(&mut self, body: &Body, held: &PackedBody, plate: &Plate) {
        let (sheet, front) = (&self.sheet, &self.front);
        let ([left, top, right, bottom], across) = (held.at, self.size[0]);
        let shown = [held.rect[0] - sheet.shown[0], held.rect[1] - sheet.shown[1]].map(|v| v as usize);
        for y in top..bottom {
            for x in left..right {
                let place = DVec2::new((x - left) as f64 + held.rect[0] + 0.5, (y - top) as f64 + held.rect[1] + 0.5);
                let nearness = f64::from(between(body, sheet.layer(place), |i| body.nearness[i]));
                let value = ((nearness - held.range[0]) / held.range[1]).clamp(-1.0, 1.0);
                self.nearness[y * across + x] = f16::from_f64(value).to_bits();
            }
        }
        let row_bytes = across * 2 * 4;
        self.colors[2 * top * row_bytes..2 * bottom * row_bytes].par_chunks_mut(row_bytes).enumerate().for_each(
            |(row, texels)| {
                for column in 0..2 * (right - left) {
                    let of_plate = [2 * shown[0] + column, 2 * shown[1] + row];
                    let place =
                        DVec2::new(held.rect[0] + (column as f64 + 0.5) / 2.0, held.rect[1] + (row as f64 + 0.5) / 2.0);
                    let at = sheet.layer(place);
                    let cover = between(body, at, |i| f32::from(body.pixels[i][3])) / 255.0;
                    let is_seen = alone(front, sheet.size[0], at) == held.number;
                    let from = (of_plate[1] * plate.double_size[0] + of_plate[0]) * 4;
                    let to = (2 * left + column) * 4;
                    for channel in 0..3 {
                        let color =
                            if is_seen { f32::from(plate.double[from + channel]) } else { covered(body, at, channel) };
                        texels[to + channel] = (color * cover).round() as u8;
                    }
                    texels[to + 3] = (cover * 255.0).round() as u8;
                }
            },
        );
    }

    /// The objects in front of a camera, from far to near, with the largest part of the frame that each covers.
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

    /// Whether a pixel shows, from a pose, something that the photo does not: background behind objects, or hidden parts of them.
    /// `None` if no object is involved.
    pub(crate) fn is_unseen(&self, proxy: &Proxy, pose: &Pose, pixel: DVec2) -> Option<bool> {
        let seen = |place: DVec2| self.front[cell(self.sheet.layer(place), self.sheet.size)];
        match self.met(proxy, pose, pixel) {
            // Edges, where several are mixed, count as seen.
            Some((number, place)) => Some(!matches!(seen(place), n if n == self.each[number].number || n >= MIXED)),
            None => proxy.photo_pixel(pose, pixel).is_some_and(|place| seen(place) < MIXED).then_some(true),
        }
    }

    /// The object that a pixel shows from a pose, and its point in the photo, in pixels of the frame.
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
                    nearness = held.range[0] + held.range[1] * self.relative_nearness(held, place);
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

    /// Nearness of the nearest object that covers a point of the photo, in pixels of the frame.
    #[must_use]
    pub fn nearness_at(&self, place: DVec2) -> Option<f64> {
        let is_in = |held: &&PackedBody| {
            let [left, top, right, bottom] = held.rect;
            place.x >= left && place.x < right && place.y >= top && place.y < bottom && self.cover(held, place) > 0.5
        };
        let of = |held: &PackedBody| held.range[0] + held.range[1] * self.relative_nearness(held, place);
        self.each.iter().filter(is_in).map(of).max_by(f64::total_cmp)
    }

    fn relative_nearness(&self, held: &PackedBody, place: DVec2) -> f64 {
        let x = (place.x - held.rect[0]) as usize;
        let y = (place.y - held.rect[1]) as usize;
        let (x, y) = ((held.at[0] + x).min(held.at[2] - 1), (held.at[1] + y).min(held.at[3] - 1));
        f16::from_bits(self.nearness[y * self.size[0] + x]).to_f64()
    }

    fn cover(&self, held: &PackedBody, place: DVec2) -> f64 {
        let x = ((place.x - held.rect[0]) * 2.0) as usize + 2 * held.at[0];
        let y = ((place.y - held.rect[1]) * 2.0) as usize + 2 * held.at[1];
        f64::from(self.colors[(y * 2 * self.size[0] + x) * 4 + 3]) / 255.0
    }
}
