//! Decoding of files of unknown origin to upright sRGB pixels.
//!
//! The format is detected by content, never by name. Dimensions are read from the header and checked before any pixel is
//! decoded, and decoders run under a memory limit. Errors suggest a remedy.
mod error;
mod header;
mod metadata;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageFormat, ImageReader, Limits};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use rayon::prelude::*;

use crate::Photo;

pub use error::DecodeError;

/// Greatest number of pixels that is decoded.
pub const MAX_PIXELS: u64 = 40_000_000;
/// Largest file that is read, bytes.
pub const MAX_BYTES: u64 = 100 * 1024 * 1024;
/// Least width and height, pixels.
pub const MIN_SIDE: u32 = 16;
/// Memory limit of a decoder, bytes: pixels of 8 bytes each, twice.
const MAX_ALLOCATED: u64 = MAX_PIXELS * 16;

/// Reads and decodes a file.
///
/// # Errors
/// [`DecodeError`].
pub fn decode_file(path: &Path) -> Result<Photo, DecodeError> {
    let length = std::fs::metadata(path)?.len();
    if length > MAX_BYTES {
        return Err(DecodeError::TooLong(length / (1024 * 1024)));
    }
    decode(&std::fs::read(path)?)
}

/// Decodes the bytes of a file.
///
/// # Errors
/// [`DecodeError`].
pub fn decode(bytes: &[u8]) -> Result<Photo, DecodeError> {
    // Decoders are third-party code: a panic in one must fail one job, not the worker.
    catch_unwind(AssertUnwindSafe(|| decode_unprotected(bytes)))
        .unwrap_or_else(|_| Err(DecodeError::Damaged("the decoder panicked".into())))
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
    let decoded = || {
        let image = DynamicImage::from_decoder(decoder(bytes, 1)?).map_err(damaged)?.into_rgba8();
        let (width, height) = (image.width() as usize, image.height() as usize);
        let pixels = image.into_raw().as_chunks().0.to_vec();
        Ok(Rgba { width, height, pixels })
    };
    catch_unwind(AssertUnwindSafe(decoded)).unwrap_or_else(|_| Err(DecodeError::Damaged("the decoder panicked".into())))
}

/// The decoder of a file whose header was checked; no side may be shorter than `least`.
fn decoder(bytes: &[u8], least: u32) -> Result<impl ImageDecoder + '_, DecodeError> {
    let format = header::format(bytes)?;
    if format == ImageFormat::Jpeg {
        let header = header::jpeg(bytes)?;
        check_size(header.width, header.height, least)?;
        if header.components == 4 {
            return Err(DecodeError::Cmyk);
        }
        if header.is_too_short {
            return Err(DecodeError::Truncated);
        }
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_ALLOCATED);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height, least)?;
    if decoder.original_color_type() == ExtendedColorType::Cmyk8 {
        return Err(DecodeError::Cmyk);
    }
    Ok(decoder)
}

fn decode_unprotected(bytes: &[u8]) -> Result<Photo, DecodeError> {
    let mut decoder = decoder(bytes, MIN_SIDE)?;
    // Unreadable metadata is no reason to reject readable pixels.
    let profile = decoder.icc_profile().ok().flatten();
    let exif = decoder.exif_metadata().ok().flatten();
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    image.apply_orientation(orientation);

    let mut readings = Vec::new();
    if orientation != Orientation::NoTransforms {
        readings.push("rotated according to EXIF orientation".to_owned());
    }
    if image.color().has_alpha() {
        readings.push("transparency composited onto white".to_owned());
    }
    let (width, height) = (image.width() as usize, image.height() as usize);
    let mut pixels = flattened(image);
    if let Some(profile) = profile {
        readings.extend(to_srgb(&mut pixels, &profile));
    }
    let metadata = exif.as_deref().map(metadata::read).unwrap_or_default();
    Ok(Photo {
        width,
        height,
        pixels,
        readings,
        exif: metadata.preserved,
        light_value: metadata.light_value,
        focal_35mm: metadata.focal_35mm,
        exposures: 1,
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
        image::ImageError::Unsupported(_) => DecodeError::Unsupported("this variant of the format"),
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

/// Converts from an embedded profile. Damaged profiles and those of other color spaces than RGB are ignored, as viewers do.
fn to_srgb(pixels: &mut [[u16; 3]], profile: &[u8]) -> Option<String> {
    let source = ColorProfile::new_from_slice(profile).ok();
    let source = source.filter(|p| p.color_space == DataColorSpace::Rgb);
    let Some(source) = source else {
        return Some("unusable color profile ignored; sRGB assumed".into());
    };
    let srgb = ColorProfile::new_srgb();
    let transform = source.create_transform_16bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default()).ok()?;
    // Most profiles are variants of sRGB: nothing is converted where nothing would change by more than rounding.
    let probe: Vec<u16> = (0..=8_u16)
        .flat_map(|i| {
            let v = i * 8191;
            [[v, v, v], [v, 0, 0], [0, v, 0], [0, 0, v]].concat()
        })
        .collect();
    let mut moved = vec![0; probe.len()];
    transform.transform(&probe, &mut moved).ok()?;
    if probe.iter().zip(&moved).all(|(a, b)| a.abs_diff(*b) < 400) {
        return None;
    }
    let mut row = vec![0; 3 * 4096];
    for chunk in pixels.chunks_mut(4096) {
        let out = &mut row[..chunk.len() * 3];
        transform.transform(chunk.as_flattened(), out).ok()?;
        chunk.as_flattened_mut().copy_from_slice(out);
    }
    Some("converted to sRGB from the embedded color profile".into())
}
