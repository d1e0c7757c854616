//! Decoding of files of unknown origin to upright sRGB pixels.
//!
//! The format is detected by content, never by name, and so is the picture in a file of several. Dimensions are read from the header and
//! checked before any pixel is decoded, and decoders run under a memory limit. Numbers are converted by what the file says they
//! are. Errors suggest a remedy.
mod chunks;
mod color;
mod error;
mod heif;
mod jpeg;
mod metadata;
mod raw;
mod samples;
mod tiff;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use aerie_picture_format::{Format, Recognized, Source};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use rayon::prelude::*;

use crate::Photo;
use crate::panorama::Panorama;
use crate::photo::StoredFrame;
use color::{Embedded, Stated};
use samples::Samples;

pub use error::DecodeError;

/// Maximum number of pixels of a picture.
pub const MAX_PIXELS: u64 = 100_000_000;
/// Maximum size of a file, bytes.
pub const MAX_BYTES: u64 = 150_000_000;
/// Least width and height, pixels.
pub const MIN_SIDE: u32 = 16;
/// Memory limit of a decoder, bytes: pixels of 8 bytes each, twice.
const MAX_ALLOCATED: u64 = MAX_PIXELS * 16;

/// Reads and decodes a file.
///
/// # Errors
/// [`DecodeError`].
pub fn decode_file(path: &Path) -> Result<Photo, DecodeError> {
    decode_file_like(path, None)
}

/// Reads and decodes a file, turned like another photo if its stored pixels have the same size, whatever its own orientation
/// flag says: the flag of a camera that points up or down is arbitrary.
///
/// # Errors
/// [`DecodeError`].
pub fn decode_file_like(path: &Path, other: Option<StoredFrame>) -> Result<Photo, DecodeError> {
    let length = std::fs::metadata(path)?.len();
    if length > MAX_BYTES {
        return Err(DecodeError::TooLong(length / 1_000_000));
    }
    decode_like(&std::fs::read(path)?, other)
}

/// Decodes the bytes of a file.
///
/// # Errors
/// [`DecodeError`].
pub fn decode(bytes: &[u8]) -> Result<Photo, DecodeError> {
    decode_like(bytes, None)
}

/// Decodes the bytes of a file, turned like another photo as in [`decode_file_like`].
///
/// # Errors
/// [`DecodeError`].
pub fn decode_like(bytes: &[u8], other: Option<StoredFrame>) -> Result<Photo, DecodeError> {
    protected(|| decode_unprotected(bytes, other))
}

/// Pixels with an alpha channel, as stored: neither color profile nor orientation is applied.
#[derive(Debug, Clone)]
pub struct Rgba {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue and alpha, row by row.
    pub pixels: Vec<[u8; 4]>,
}

/// Decodes the bytes of a texture.
///
/// # Errors
/// [`DecodeError`].
pub fn decode_rgba(bytes: &[u8]) -> Result<Rgba, DecodeError> {
    protected(|| {
        let Samples::Image(image) = read(bytes, 1)?.samples else { return Err(DecodeError::Cmyk) };
        let image = image.into_rgba8();
        let (width, height) = (image.width() as usize, image.height() as usize);
        let pixels = image.into_raw().as_chunks().0.to_vec();
        Ok(Rgba { width, height, pixels })
    })
}

/// Decoders are third-party code: a panic in one must fail one job, not the worker.
fn protected<T>(decode: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(DecodeError::Damaged("the decoder panicked".into())))
}

/// A file as it is stored, and what it says about itself.
struct Stored {
    is_raw: bool,
    samples: Samples,
    orientation: Orientation,
    profile: Embedded,
    stated: Stated,
    exif: Option<Vec<u8>>,
    xmp: Option<Vec<u8>>,
    readings: Vec<String>,
}

/// Reads a file; no side may be shorter than `least`.
fn read(bytes: &[u8], least: u32) -> Result<Stored, DecodeError> {
    if bytes.is_empty() {
        return Err(DecodeError::Truncated);
    }
    let recognized = aerie_picture_format::recognize(&mut Source::of_bytes(bytes))?;
    check_size(recognized.width, recognized.height, least)?;
    let mut stored = match recognized.format {
        Format::Jpeg => jpeg::read(bytes),
        Format::Tiff => tiff::read(bytes, &recognized),
        Format::Png => read_png(bytes),
        Format::Heic | Format::Avif => heif::read(bytes),
        Format::WebP => read_by(bytes, ImageFormat::WebP),
        Format::Dng | Format::Nef => raw::read(bytes),
    }?;
    let Recognized { width, height, notes, .. } = recognized;
    // Decoders crop and turn what a sensor has measured.
    if !stored.is_raw && stored.samples.size() != (width, height) {
        return Err(DecodeError::Damaged("its headers disagree on its size".into()));
    }
    stored.readings.extend(notes);
    Ok(stored)
}

fn read_png(bytes: &[u8]) -> Result<Stored, DecodeError> {
    let chunks = chunks::read(bytes)?;
    let mut stored = read_by(bytes, ImageFormat::Png)?;
    if let Some(stated) = chunks.stated {
        stored.stated = stated;
    }
    if chunks.has_profile && matches!(stored.profile, Embedded::None) {
        stored.profile = Embedded::Broken;
    }
    Ok(stored)
}

/// Reads a file with the decoder for its format.
fn read_by(bytes: &[u8], format: ImageFormat) -> Result<Stored, DecodeError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_ALLOCATED);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    // Unreadable metadata is no reason to reject readable pixels.
    let profile =
        decoder.icc_profile().map_or(Embedded::Broken, |profile| profile.map_or(Embedded::None, Embedded::Profile));
    let exif = decoder.exif_metadata().ok().flatten();
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let xmp = decoder.xmp_metadata().ok().flatten();
    let samples = Samples::Image(DynamicImage::from_decoder(decoder).map_err(damaged)?);
    let stated = exif.as_deref().map_or(Stated::Nothing, metadata::color);
    Ok(Stored { samples, is_raw: false, orientation, profile, stated, exif, xmp, readings: Vec::new() })
}

fn decode_unprotected(bytes: &[u8], other: Option<StoredFrame>) -> Result<Photo, DecodeError> {
    let Stored { samples, is_raw, orientation: own, profile, stated, exif, xmp, mut readings } = read(bytes, MIN_SIDE)?;
    let (width, height) = samples.size();
    let size = [width as usize, height as usize];
    let like = other.filter(|other| other.size == size).map(|other| other.orientation);
    let orientation = like.unwrap_or(own);
    let metadata = exif.as_deref().map(metadata::read).unwrap_or_default();
    let panorama = Panorama::find(xmp.as_deref(), &metadata.camera, size);
    if orientation != own {
        readings.push("turned like the photo: its own EXIF orientation differs, its stored pixels fit".to_owned());
    } else if orientation != Orientation::NoTransforms {
        readings.push("rotated according to EXIF orientation".to_owned());
    }
    readings.extend(panorama.as_ref().map(Panorama::reading));
    if samples.has_alpha() {
        readings.push("transparency composited onto white".to_owned());
    }
    let source = color::SourceColor::of(&profile, &stated, samples.channels(), &mut readings)?;
    let mut image = match samples {
        Samples::Cmyk { width, height, inks } => color::from_inks(&inks, &source, (width, height))?,
        Samples::Image(image) => image,
    };
    image.apply_orientation(orientation);
    let (width, height) = (image.width() as usize, image.height() as usize);
    let mut pixels = flattened(image);
    readings.extend(source.convert(&mut pixels)?);
    Ok(Photo {
        width,
        height,
        pixels,
        readings,
        exif: metadata.preserved,
        light_value: metadata.light_value,
        focal_35mm: metadata.focal_35mm,
        exposures: 1,
        is_raw,
        panorama,
        stored: StoredFrame { size, orientation, flag: own },
    })
}

fn check_size(width: u32, height: u32, least: u32) -> Result<(), DecodeError> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(DecodeError::TooLarge { width, height });
    }
    if width.min(height) < least {
        return Err(DecodeError::TooSmall { width, height });
    }
    Ok(())
}

fn damaged(error: image::ImageError) -> DecodeError {
    match error {
        image::ImageError::Unsupported(_) => DecodeError::unsupported("an image of a variant that is not supported"),
        image::ImageError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => DecodeError::Truncated,
        other => DecodeError::Damaged(other.to_string()),
    }
}

/// Converts to 16-bit RGB, composited onto white.
fn flattened(image: DynamicImage) -> Vec<[u16; 3]> {
    match image {
        DynamicImage::ImageRgb8(image) => {
            let wide = |p: &[u8]| [p[0], p[1], p[2]].map(|v| u16::from(v) * 257);
            image.as_raw().par_chunks_exact(3).with_min_len(1 << 16).map(wide).collect()
        }
        image if image.color().has_alpha() => {
            let over_white = |v: u16, a: u16| {
                let (v, a) = (u32::from(v), u32::from(a));
                ((v * a + 65_535 * (65_535 - a) + 32_767) / 65_535) as u16
            };
            let image = image.into_rgba16();
            image.as_raw().chunks_exact(4).map(|p| [p[0], p[1], p[2]].map(|v| over_white(v, p[3]))).collect()
        }
        image => image.into_rgb16().as_raw().chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
    }
}
