//! JPEG: the first picture of the file, with its metadata, and what else the file holds.

pub(super) mod companions;

use aerie_picture_format::Source;
use aerie_picture_format::jpeg::{self, Header};
use image::ImageFormat;
use image::metadata::Orientation;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::color::{Embedded, Stated};
use super::{DecodeError, Samples, Stored, metadata};

const PROGRESSIVE: u8 = 0xC2;
const EOI: u8 = 0xD9;
const RESTART: u8 = 0xD0;
/// Number of continuations with which a file without an end is decoded.
const FILLERS: u32 = 4;
const APP1: u8 = 0xE1;
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;
/// First bytes of metadata segments.
const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const ICC: &[u8] = b"ICC_PROFILE\0";
const ADOBE: &[u8] = b"Adobe";

/// A file with its header.
struct Jpeg<'a> {
    bytes: &'a [u8],
    header: Header,
}

/// Reads the first picture.
pub(super) fn read(bytes: &[u8]) -> Result<Stored, DecodeError> {
    let header = jpeg::header(&mut Source::of_bytes(bytes))?;
    let start = (header.scan as usize).min(bytes.len());
    let jpeg = Jpeg { bytes, header };
    match scans(&bytes[start..]) {
        Scans::Complete(length) if !jpeg.is_too_short(length) => jpeg.stored(&bytes[start + length..]),
        Scans::Endless if !jpeg.is_too_short(bytes.len() - start) && jpeg.has_all_pixels() => {
            let ended = [bytes, &[0xFF, EOI]].concat();
            Jpeg { bytes: &ended, header: jpeg.header }.stored(&[])
        }
        _ => Err(DecodeError::Truncated),
    }
}

impl<'a> Jpeg<'a> {
    /// Decodes the picture; `after` follows it in the file.
    fn stored(&self, after: &[u8]) -> Result<Stored, DecodeError> {
        let exif = self.named(APP1, EXIF).next().map(<[u8]>::to_vec);
        let xmp = self.named(APP1, XMP).next().map(<[u8]>::to_vec);
        Ok(Stored {
            is_raw: false,
            samples: self.samples()?,
            orientation: exif.as_deref().and_then(Orientation::from_exif_chunk).unwrap_or(Orientation::NoTransforms),
            profile: self.profile(),
            stated: exif.as_deref().map_or(Stated::Nothing, metadata::color),
            readings: companions::notes(self, xmp.as_deref(), after),
            exif,
            xmp,
        })
    }

    /// Returns whether only the end marker of the file is missing: its pixels are the same whatever bits follow. Progressive
    /// images may lack scans that cannot be missed.
    fn has_all_pixels(&self) -> bool {
        let count = self.header.components.len();
        // The header of the scan: the number of its components, two bytes for each, and three more.
        let scan = (self.header.scan as usize).checked_sub(2 * count + 4).and_then(|at| self.bytes.get(at));
        if self.header.coding == PROGRESSIVE || scan.is_none_or(|components| usize::from(*components) != count) {
            return false;
        }
        let whole = self.bytes.strip_suffix(&[0xFF]).unwrap_or(self.bytes);
        let followed_by = |number: u32| pixels(&[whole, &filler(number), &[0xFF, EOI]].concat());
        let first = followed_by(0);
        first.is_some() && (1..FILLERS).all(|number| followed_by(number) == first)
    }

    /// Contents of the segments with a marker that begin with a name, without it.
    fn named(&self, marker: u8, name: &'static [u8]) -> impl Iterator<Item = &'a [u8]> + '_ {
        let segments = self.header.segments.iter().filter(move |segment| segment.marker == marker);
        segments.filter_map(move |segment| {
            let contents = self.bytes.get(segment.at as usize..segment.at as usize + segment.length)?;
            contents.strip_prefix(name)
        })
    }

    /// Returns whether the scans have fewer bits than a picture of this size at minimum. Decoders fill the missing part of a
    /// truncated file with gray.
    fn is_too_short(&self, length: usize) -> bool {
        // The shortest code is one bit: a block takes at least one in a progressive image, two in other Huffman-coded ones.
        let least = if self.header.coding == PROGRESSIVE { 1 } else { 2 };
        let blocks = u64::from(self.header.width) * u64::from(self.header.height) / 64;
        (length as u64) * 8 < blocks * least
    }

    /// The ICC profile, put together from its numbered parts.
    fn profile(&self) -> Embedded {
        let mut parts: Vec<&[u8]> = self.named(APP2, ICC).collect();
        if parts.is_empty() {
            return Embedded::None;
        }
        parts.sort_by_key(|part| part.first().copied());
        let is_whole = (1_u8..).zip(&parts).all(
            |(number, part)| matches!(part, [n, count, _, ..] if *n == number && usize::from(*count) == parts.len()),
        );
        if is_whole {
            Embedded::Profile(parts.iter().flat_map(|part| &part[2..]).copied().collect())
        } else {
            Embedded::Broken
        }
    }

    /// Value of the Adobe segment that says how components are coded.
    fn adobe_transform(&self) -> Option<u8> {
        self.named(APP14, ADOBE).find_map(|contents| contents.get(6).copied())
    }

    fn samples(&self) -> Result<Samples, DecodeError> {
        match self.header.components.len() {
            4 => self.inks(),
            _ => Ok(super::read_by(self.bytes, ImageFormat::Jpeg)?.samples),
        }
    }

    /// Decodes four components to inks: Adobe stores them inverted, and the first three perhaps as luma and chroma.
    fn inks(&self) -> Result<Samples, DecodeError> {
        let transform = self.adobe_transform();
        let is_ycck = transform == Some(2);
        let (width, height, components) = self.components(if is_ycck { ColorSpace::YCCK } else { ColorSpace::CMYK })?;
        let ink = |v: u8| u16::from(v) * 257;
        let inks = components.as_chunks::<4>().0.iter().map(|&[a, b, c, k]| match transform {
            Some(2) => {
                let [cyan, magenta, yellow] = rgb_of_ycc([a, b, c]);
                [cyan, magenta, yellow, 255 - k].map(ink)
            }
            Some(_) => [a, b, c, k].map(|v| ink(255 - v)),
            None => [a, b, c, k].map(ink),
        });
        Ok(Samples::Cmyk { width, height, inks: inks.collect() })
    }

    /// Decodes components without conversion; they are in `space`.
    fn components(&self, space: ColorSpace) -> Result<(u32, u32, Vec<u8>), DecodeError> {
        let options = DecoderOptions::default()
            .set_strict_mode(false)
            .set_max_width(usize::from(u16::MAX))
            .set_max_height(usize::from(u16::MAX))
            .jpeg_set_out_colorspace(space);
        let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(self.bytes), options);
        let damaged = |error: zune_jpeg::errors::DecodeErrors| DecodeError::Damaged(error.to_string());
        let components = decoder.decode().map_err(damaged)?;
        let (width, height) = decoder.dimensions().unwrap_or_default();
        if decoder.input_colorspace() != Some(space) || components.len() != width * height * space.num_components() {
            return Err(DecodeError::unsupported("a JPEG with an unknown coding of its colors"));
        }
        Ok((width as u32, height as u32, components))
    }
}

/// Arbitrary entropy-coded data, of an even number and the next one with opposite bits. It has markers, without which a decoder does
/// not read on where it expects one.
fn filler(number: u32) -> Vec<u8> {
    let mut state = number / 2;
    let opposite = if number.is_multiple_of(2) { 0 } else { 0xFF };
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Not the first byte of a marker.
        ((state >> 24) as u8 ^ opposite).min(0xFE)
    };
    (0..8).flat_map(|_| (0..256).map(|_| byte()).chain([0xFF, RESTART]).collect::<Vec<_>>()).collect()
}

/// Decodes a JPEG to pixels; `None` if it is damaged.
fn pixels(jpeg: &[u8]) -> Option<Vec<u8>> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX));
    zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(jpeg), options).decode().ok()
}

/// Full-range YCbCr to RGB (ITU-T T.871).
pub(super) fn rgb_of_ycc(ycc: [u8; 3]) -> [u8; 3] {
    let [y, b, r] = ycc.map(f32::from);
    let (b, r) = (b - 128.0, r - 128.0);
    [y + 1.402 * r, y - 0.344_136 * b - 0.714_136 * r, y + 1.772 * b].map(|v| v.round().clamp(0.0, 255.0) as u8)
}

/// The entropy-coded data of all scans of a picture.
enum Scans {
    /// Its length with the end marker.
    Complete(usize),
    /// The file ends before a marker does.
    Endless,
    /// Another picture or a part of a segment comes before the end marker.
    Broken,
}

fn scans(bytes: &[u8]) -> Scans {
    let mut at = 0;
    loop {
        let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(0xFF, rest)) else { return Scans::Endless };
        at += found;
        match bytes.get(at + 1) {
            None => return Scans::Endless,
            Some(&EOI) => return Scans::Complete(at + 2),
            Some(0xD8) => return Scans::Broken,
            Some(0xFF) => at += 1,
            // Tables and further scans.
            Some(0xC4 | 0xDA..=0xDD | 0xE0..=0xEF | 0xFE) => {
                let Some([high, low]) = bytes.get(at + 2..at + 4) else { return Scans::Broken };
                at += 2 + usize::from(u16::from_be_bytes([*high, *low])).max(2);
            }
            Some(_) => at += 2,
        }
    }
}
