//! Layers of a staged photo: the room without furniture, and each piece of furniture complete, with depth (layered depth images,
//! Shade, Gortler, He and Szeliski 1998).
//!
//! The file is a multi-page TIFF: the room (RGB, black where the photo itself shows it), then for each piece its RGBA pixels and
//! its inverse depth (16 bits, from `nearness[0]` at 0 to `nearness[1]` at 65535). The first page's ImageDescription is JSON with
//! everything else.

use std::io::Cursor;

use glam::{DMat3, DVec2};
use serde::{Deserialize, Serialize};
use tiff::TiffError;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, colortype};
use tiff::tags::{Predictor, Tag};

use crate::room::{Camera, Distances};

/// Longest side of layers, pixels.
pub const MOST_SIDE: usize = 2048;
/// Greatest number of pieces.
pub const MOST_BODIES: usize = 96;
const FORMAT: &str = "aerie-layers-1";

/// Layers of a staged photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// SHA-256 of the file of the staged photo, hexadecimal.
    pub picture: String,
    /// Camera, in pixels of the layers.
    pub camera: Camera,
    /// Distances of the faces of the room, in camera heights.
    pub distances: Distances,
    /// Camera height, meters.
    pub meters: f64,
    /// Confidence of the room layout, 0 to 1.
    pub confidence: f64,
    /// The room where pieces occlude it, sRGB; black elsewhere.
    pub room: Vec<[u8; 3]>,
    /// Pieces of furniture, in any order.
    pub bodies: Vec<Body>,
}

/// A piece of furniture.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Kind of furniture ("sofa").
    pub name: String,
    /// Top left pixel of its bounding box.
    pub corner: [usize; 2],
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue (sRGB) and coverage, complete even where other pieces occlude it.
    pub pixels: Vec<[u8; 4]>,
    /// Inverse depth along the optical axis, in camera heights; pixels without coverage have that of a covered pixel nearby.
    pub nearness: Vec<f32>,
}

impl Body {
    /// Least and greatest inverse depth, at least 1e-4 apart.
    #[must_use]
    pub fn range(&self) -> [f32; 2] {
        let low = self.nearness.iter().copied().fold(f32::INFINITY, f32::min);
        let high = self.nearness.iter().copied().fold(0.0, f32::max);
        [low, high.max(low + 1e-4)]
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    picture: String,
    focal: f64,
    // With the names of earlier builds: clients send layer files back.
    #[serde(alias = "centre")]
    center: [f64; 2],
    rotation: [f64; 9],
    /// Ceiling, left, right, far.
    distances: [f64; 4],
    #[serde(alias = "metres")]
    meters: f64,
    confidence: f64,
    bodies: Vec<BodyHeader>,
}

#[derive(Serialize, Deserialize)]
struct BodyHeader {
    name: String,
    corner: [usize; 2],
    nearness: [f32; 2],
}

/// A layer file that could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("layer file: {0}")]
pub struct LayersError(String);

impl From<TiffError> for LayersError {
    fn from(error: TiffError) -> Self {
        Self(format!("invalid TIFF: {error}"))
    }
}

fn bad(why: &str) -> LayersError {
    LayersError(why.to_owned())
}

impl Layers {
    /// Encodes a layer file.
    ///
    /// # Errors
    /// If there are more than [`MOST_BODIES`] pieces or a side is longer than [`MOST_SIDE`].
    pub fn encoded(&self) -> Result<Vec<u8>, LayersError> {
        let d = &self.distances;
        let header = Header {
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
                .map(|b| BodyHeader { name: b.name.clone(), corner: b.corner, nearness: b.range() })
                .collect(),
        };
        let header = serde_json::to_string(&header).map_err(|e| bad(&e.to_string()))?;
        let size = |width: usize, height: usize| -> Result<(u32, u32), LayersError> {
            let most = |side: usize| u32::try_from(side).ok().filter(|side| *side as usize <= MOST_SIDE);
            Ok((most(width).ok_or_else(|| bad("too wide"))?, most(height).ok_or_else(|| bad("too tall"))?))
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
        page.encoder().write_tag(Tag::ImageDescription, header.as_str())?;
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

    /// Reads an untrusted layer file.
    ///
    /// # Errors
    /// If it is not a valid layer file.
    pub fn read(bytes: &[u8]) -> Result<Self, LayersError> {
        let mut limits = Limits::default();
        limits.decoding_buffer_size = MOST_SIDE * MOST_SIDE * 4;
        limits.intermediate_buffer_size = MOST_SIDE * MOST_SIDE * 4;
        let mut decoder = Decoder::new(Cursor::new(bytes))?.with_limits(limits);
        let header: Header = serde_json::from_str(&decoder.get_tag_ascii_string(Tag::ImageDescription)?)
            .map_err(|e| bad(&e.to_string()))?;
        let is_number = |v: &f64| v.is_finite() && *v > 1e-3 && *v < 1e6;
        if header.format != FORMAT || header.bodies.len() > MOST_BODIES {
            return Err(bad("unknown format"));
        }
        if !is_number(&header.focal) || !header.distances.iter().all(is_number) || !is_number(&header.meters) {
            return Err(bad("invalid camera or room"));
        }
        let rotation = DMat3::from_cols_array(&header.rotation);
        let is_rotation = (rotation * rotation.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-6);
        if !is_rotation || !header.center.iter().all(|v| v.is_finite()) {
            return Err(bad("invalid camera"));
        }
        let ([width, height], room) = page(&mut decoder, 3)?;
        let DecodingResult::U8(room) = room else { return Err(bad("invalid room pixels")) };
        let [ceiling, left, right, far] = header.distances;
        let mut bodies = Vec::new();
        for body in header.bodies {
            decoder.next_image()?;
            let (size, pixels) = page(&mut decoder, 4)?;
            decoder.next_image()?;
            let (same, nearness) = page(&mut decoder, 1)?;
            let (DecodingResult::U8(pixels), DecodingResult::U16(nearness)) = (pixels, nearness) else {
                return Err(bad("invalid pixels of a piece"));
            };
            let [low, high] = body.nearness;
            let fits = |axis: usize, side: usize| body.corner[axis].saturating_add(size[axis]) <= side;
            let is_sound = same == size && fits(0, width) && fits(1, height);
            let is_ordered = low > 0.0 && high > low && high < 1e3;
            if !is_sound || !is_ordered {
                return Err(bad("invalid bounds of a piece"));
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
            picture: header.picture,
            camera: Camera { width, height, focal: header.focal, center: DVec2::from_array(header.center), rotation },
            distances: Distances { ceiling, left, right, far },
            meters: header.meters,
            confidence: header.confidence.clamp(0.0, 1.0),
            room: room.as_chunks().0.to_vec(),
            bodies,
        })
    }
}

/// Reads a page with `values` channels, and its size.
fn page(decoder: &mut Decoder<Cursor<&[u8]>>, values: usize) -> Result<([usize; 2], DecodingResult), LayersError> {
    let (width, height) = decoder.dimensions()?;
    let size = [width as usize, height as usize];
    if size.iter().any(|side| *side == 0 || *side > MOST_SIDE) {
        return Err(bad("invalid page size"));
    }
    let pixels = decoder.read_image()?;
    let count = match &pixels {
        DecodingResult::U8(pixels) => pixels.len(),
        DecodingResult::U16(pixels) => pixels.len(),
        _ => 0,
    };
    if count == size[0] * size[1] * values { Ok((size, pixels)) } else { Err(bad("invalid page pixels")) }
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
    fn layers_survive_encoding() {
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
    fn layer_files_with_the_names_of_earlier_builds_are_read() {
        let file = layers().encoded().unwrap();
        for (name, earlier) in [(br#""center""#, br#""centre""#), (br#""meters""#, br#""metres""#)] {
            let mut renamed = file.clone();
            let at = file.windows(name.len()).position(|bytes| bytes == name).unwrap();
            renamed[at..at + name.len()].copy_from_slice(earlier);
            assert_eq!(Layers::read(&renamed).unwrap(), Layers::read(&file).unwrap());
        }
    }

    #[test]
    fn damaged_files_are_rejected_without_panics() {
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
