//! A furnished picture taken apart: the room without its furniture, and each piece whole, with its distances (a layered
//! depth image; Shade, Gortler, He and Szeliski 1998).
//!
//! Written as a TIFF of several pages, which any reader of TIFF shows: the room (red, green, blue; black where the picture
//! itself shows it), then of each piece its colors with how far it covers each pixel as alpha, and its nearness (16 bits,
//! from 0 at `nearness[0]` to 65535 at `nearness[1]`). The first page's description is JSON with everything else.

use std::io::Cursor;

use glam::{DMat3, DVec2};
use serde::{Deserialize, Serialize};
use tiff::TiffError;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, colortype};
use tiff::tags::{Predictor, Tag};

use crate::room::{Camera, Distances};

/// Longest side of a picture's layers, pixels.
pub const MOST_SIDE: usize = 2048;
/// Most pieces.
pub const MOST_BODIES: usize = 96;
const FORMAT: &str = "aerie-layers-1";

/// A picture taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// SHA-256 of the picture's file that they are of, hexadecimal.
    pub picture: String,
    /// The picture's camera, in pixels of the layers.
    pub camera: Camera,
    /// The room's faces, in camera heights.
    pub distances: Distances,
    /// Meters to a camera height.
    pub meters: f64,
    /// How sure the room is, 0 to 1.
    pub confidence: f64,
    /// The room where pieces hide it, sRGB; black elsewhere.
    pub room: Vec<[u8; 3]>,
    /// Pieces, in no order.
    pub bodies: Vec<Body>,
}

/// A piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// What it is ("sofa").
    pub name: String,
    /// Left upper corner of what it takes up of the layers.
    pub corner: [usize; 2],
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue (sRGB), and how far it covers the pixel. Also where others hide it.
    pub pixels: Vec<[u8; 4]>,
    /// One over the distance along the optical axis, in camera heights; where it does not cover the pixel, that of what of it
    /// is near.
    pub nearness: Vec<f32>,
}

impl Body {
    /// Least and greatest nearness, a little apart.
    #[must_use]
    pub fn range(&self) -> [f32; 2] {
        let low = self.nearness.iter().copied().fold(f32::INFINITY, f32::min);
        let high = self.nearness.iter().copied().fold(0.0, f32::max);
        [low, high.max(low + 1e-4)]
    }
}

#[derive(Serialize, Deserialize)]
struct Told {
    format: String,
    picture: String,
    focal: f64,
    #[serde(rename = "centre")]
    center: [f64; 2],
    rotation: [f64; 9],
    /// Ceiling, left, right, far.
    distances: [f64; 4],
    #[serde(rename = "metres")]
    meters: f64,
    confidence: f64,
    bodies: Vec<ToldBody>,
}

#[derive(Serialize, Deserialize)]
struct ToldBody {
    name: String,
    corner: [usize; 2],
    nearness: [f32; 2],
}

/// A file of layers could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("the layers {0}")]
pub struct LayersError(String);

impl From<TiffError> for LayersError {
    fn from(error: TiffError) -> Self {
        Self(format!("are no good TIFF: {error}"))
    }
}

fn bad(why: &str) -> LayersError {
    LayersError(format!("are not as they should be: {why}"))
}

impl Layers {
    /// As a file.
    ///
    /// # Errors
    /// When there are more pieces, or more pixels, than a file takes.
    pub fn encoded(&self) -> Result<Vec<u8>, LayersError> {
        let d = &self.distances;
        let told = Told {
            format: FORMAT.to_owned(),
            picture: self.picture.clone(),
            focal: self.camera.focal,
            center: self.camera.center.to_array(),
            rotation: self.camera.rotation.to_cols_array(),
            distances: [d.ceiling, d.left, d.right, d.far],
            meters: self.meters,
            confidence: self.confidence,
            bodies: self
                .bodies
                .iter()
                .map(|b| ToldBody { name: b.name.clone(), corner: b.corner, nearness: b.range() })
                .collect(),
        };
        let told = serde_json::to_string(&told).map_err(|e| bad(&e.to_string()))?;
        let size = |width: usize, height: usize| -> Result<(u32, u32), LayersError> {
            let most = |side: usize| u32::try_from(side).ok().filter(|side| *side as usize <= MOST_SIDE);
            Ok((most(width).ok_or_else(|| bad("too wide"))?, most(height).ok_or_else(|| bad("too high"))?))
        };
        if self.bodies.len() > MOST_BODIES {
            return Err(bad("too many pieces"));
        }
        let mut file = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut file)?
            .with_compression(Compression::Deflate(DeflateLevel::Fast))
            .with_predictor(Predictor::Horizontal);
        let (width, height) = size(self.camera.width, self.camera.height)?;
        let mut page = encoder.new_image::<colortype::RGB8>(width, height)?;
        page.encoder().write_tag(Tag::ImageDescription, told.as_str())?;
        page.write_data(self.room.as_flattened())?;
        for body in &self.bodies {
            let (width, height) = size(body.width, body.height)?;
            encoder.new_image::<colortype::RGBA8>(width, height)?.write_data(body.pixels.as_flattened())?;
            let [low, high] = body.range();
            let nearness: Vec<u16> =
                body.nearness.iter().map(|n| ((n - low) / (high - low) * 65535.0).round() as u16).collect();
            encoder.new_image::<colortype::Gray16>(width, height)?.write_data(&nearness)?;
        }
        Ok(file.into_inner())
    }

    /// Reads a file, which is not trusted.
    ///
    /// # Errors
    /// When it is no file of layers.
    pub fn read(bytes: &[u8]) -> Result<Self, LayersError> {
        let mut limits = Limits::default();
        limits.decoding_buffer_size = MOST_SIDE * MOST_SIDE * 4;
        limits.intermediate_buffer_size = MOST_SIDE * MOST_SIDE * 4;
        let mut decoder = Decoder::new(Cursor::new(bytes))?.with_limits(limits);
        let told: Told = serde_json::from_str(&decoder.get_tag_ascii_string(Tag::ImageDescription)?)
            .map_err(|e| bad(&e.to_string()))?;
        let is_number = |v: &f64| v.is_finite() && *v > 1e-3 && *v < 1e6;
        if told.format != FORMAT || told.bodies.len() > MOST_BODIES {
            return Err(bad("another format"));
        }
        if !is_number(&told.focal) || !told.distances.iter().all(is_number) || !is_number(&told.meters) {
            return Err(bad("its camera or room"));
        }
        let rotation = DMat3::from_cols_array(&told.rotation);
        let is_turn = (rotation * rotation.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-6);
        if !is_turn || !told.center.iter().all(|v| v.is_finite()) {
            return Err(bad("its camera"));
        }
        let ([width, height], room) = page(&mut decoder, 3)?;
        let DecodingResult::U8(room) = room else { return Err(bad("its room")) };
        let [ceiling, left, right, far] = told.distances;
        let mut bodies = Vec::new();
        for body in told.bodies {
            decoder.next_image()?;
            let (size, pixels) = page(&mut decoder, 4)?;
            decoder.next_image()?;
            let (same, nearness) = page(&mut decoder, 1)?;
            let (DecodingResult::U8(pixels), DecodingResult::U16(nearness)) = (pixels, nearness) else {
                return Err(bad("a piece's pixels"));
            };
            let [low, high] = body.nearness;
            let fits = |axis: usize, side: usize| body.corner[axis].saturating_add(size[axis]) <= side;
            let is_sound = same == size && fits(0, width) && fits(1, height);
            let is_range = low > 0.0 && high > low && high < 1e3;
            if !is_sound || !is_range {
                return Err(bad("a piece's place"));
            }
            bodies.push(Body {
                name: body.name,
                corner: body.corner,
                width: size[0],
                height: size[1],
                pixels: pixels.as_chunks().0.to_vec(),
                nearness: nearness.iter().map(|n| low + (high - low) * f32::from(*n) / 65535.0).collect(),
            });
        }
        Ok(Self {
            picture: told.picture,
            camera: Camera { width, height, focal: told.focal, center: DVec2::from_array(told.center), rotation },
            distances: Distances { ceiling, left, right, far },
            meters: told.meters,
            confidence: told.confidence.clamp(0.0, 1.0),
            room: room.as_chunks().0.to_vec(),
            bodies,
        })
    }
}

/// A page of so many values a pixel, with its size.
fn page(decoder: &mut Decoder<Cursor<&[u8]>>, values: usize) -> Result<([usize; 2], DecodingResult), LayersError> {
    let (width, height) = decoder.dimensions()?;
    let size = [width as usize, height as usize];
    if size.iter().any(|side| *side == 0 || *side > MOST_SIDE) {
        return Err(bad("the size of a page"));
    }
    let pixels = decoder.read_image()?;
    let count = match &pixels {
        DecodingResult::U8(pixels) => pixels.len(),
        DecodingResult::U16(pixels) => pixels.len(),
        _ => 0,
    };
    if count == size[0] * size[1] * values { Ok((size, pixels)) } else { Err(bad("the pixels of a page")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers() -> Layers {
        let body = Body {
            name: "sofa".to_owned(),
            corner: [3, 2],
            width: 4,
            height: 3,
            pixels: (0..12).map(|i| [i, 2 * i, 3 * i, 255 - i]).collect(),
            nearness: (0..12).map(|i| 0.2 + i as f32 * 0.01).collect(),
        };
        Layers {
            picture: "ab".repeat(32),
            camera: Camera::turned(16, 9, 12.5, 0.1, -0.02, 0.4),
            distances: Distances { ceiling: 1.1, left: 1.4, right: 1.8, far: 3.0 },
            meters: 1.31,
            confidence: 0.75,
            room: (0..144).map(|i| [i as u8, 0, 7]).collect(),
            bodies: vec![body.clone(), Body { name: "lamp".to_owned(), corner: [12, 6], ..body }],
        }
    }

    #[test]
    fn layers_come_back_as_they_were_written() {
        let layers = layers();
        let read = Layers::read(&layers.encoded().unwrap()).unwrap();
        for (a, b) in layers.bodies.iter().zip(&read.bodies) {
            assert!(a.nearness.iter().zip(&b.nearness).all(|(a, b)| (a - b).abs() < 2e-6));
        }
        let same = |mut layers: Layers| {
            layers.bodies.iter_mut().for_each(|b| b.nearness.clear());
            layers
        };
        assert!(read.camera.rotation.abs_diff_eq(layers.camera.rotation, 1e-12));
        let read = Layers { camera: Camera { rotation: layers.camera.rotation, ..read.camera }, ..read };
        assert_eq!(same(read), same(layers));
    }

    #[test]
    fn damaged_files_are_refused_and_bring_nothing_down() {
        let good = layers().encoded().unwrap();
        for length in 0..good.len() {
            assert!(Layers::read(&good[..length]).is_err(), "{length} bytes");
        }
        let mut refused = 0;
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 0x55;
            refused += usize::from(Layers::read(&bad).is_err());
        }
        assert!(refused > 100, "{refused}");
        let mut outside = layers();
        outside.bodies[1].corner = [13, 6];
        assert!(Layers::read(&outside.encoded().unwrap()).is_err());
    }
}
