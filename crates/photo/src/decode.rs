//! Files of unknown origin into upright sRGB pixels.
//!
//! The type is told by content, never by name. The size comes from the header and is checked before any pixel is
//! decoded, and decoders run under a limit on memory. What cannot be read right is refused with a remedy.
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

/// Most pixels that are decoded.
pub const MAX_PIXELS: u64 = 40_000_000;
/// Longest file that is read, bytes.
pub const MAX_BYTES: u64 = 100 * 1024 * 1024;
/// Shortest side that can be worked on, pixels.
pub const MIN_SIDE: u32 = 16;
/// What a decoder may allocate for itself, bytes: the pixels at 8 bytes each, and as much again.
const MAX_ALLOCATED: u64 = MAX_PIXELS * 16;

/// Why a file is not a photo that we can work on, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The file cannot be opened or read.
    #[error("the image cannot be read: {0}")]
    Unopened(#[from] std::io::Error),
    /// Larger than [`MAX_BYTES`].
    #[error("the file has {0} MB; send at most 100 MB")]
    TooLong(u64),
    /// A format that we know and do not read.
    #[error("{0} is not supported; send JPEG, PNG, WebP or TIFF")]
    Unsupported(&'static str),
    /// Not an image that we know.
    #[error("the file is not an image that we know; send JPEG, PNG, WebP or TIFF")]
    Unknown,
    /// More than [`MAX_PIXELS`] by its header.
    #[error("the image says it is {width} x {height}; send at most 40 megapixels")]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// A side under [`MIN_SIDE`].
    #[error("the image is {width} x {height}; send a photo of at least 16 pixels a side")]
    TooSmall {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// Colors for print.
    #[error("the image is CMYK, for print; convert it to RGB and send it again")]
    Cmyk,
    /// The file ends before the picture does.
    #[error("the image is cut short; send the whole file")]
    Truncated,
    /// The decoder gave up.
    #[error("the image is damaged ({0}); export it again and send that")]
    Damaged(String),
}

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
    // The decoders are others' and fuzzed, yet a panic in one must cost one job, not its neighbors.
    catch_unwind(AssertUnwindSafe(|| decode_unguarded(bytes)))
        .unwrap_or_else(|_| Err(DecodeError::Damaged("the decoder stopped".into())))
}

fn decode_unguarded(bytes: &[u8]) -> Result<Photo, DecodeError> {
    let format = header::format(bytes)?;
    if format == ImageFormat::Jpeg {
        let told = header::jpeg(bytes)?;
        check_size(told.width, told.height)?;
        if told.components == 4 {
            return Err(DecodeError::Cmyk);
        }
        if told.is_too_short {
            return Err(DecodeError::Truncated);
        }
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_ALLOCATED);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    if decoder.original_color_type() == ExtendedColorType::Cmyk8 {
        return Err(DecodeError::Cmyk);
    }
    // Metadata that cannot be read is no reason to refuse a picture that can.
    let profile = decoder.icc_profile().ok().flatten();
    let exif = decoder.exif_metadata().ok().flatten();
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    image.apply_orientation(orientation);

    let mut readings = Vec::new();
    if orientation != Orientation::NoTransforms {
        readings.push("turned upright, as the camera said".to_owned());
    }
    if image.color().has_alpha() {
        readings.push("transparent parts laid on white".to_owned());
    }
    let (width, height) = (image.width() as usize, image.height() as usize);
    let mut pixels = flattened(image);
    if let Some(profile) = profile {
        readings.extend(to_srgb(&mut pixels, &profile));
    }
    let told = exif.as_deref().map(metadata::read).unwrap_or_default();
    Ok(Photo {
        width,
        height,
        pixels,
        readings,
        exif: told.kept,
        light_value: told.light_value,
        focal_35mm: told.focal_35mm,
    })
}

fn check_size(width: u32, height: u32) -> Result<(), DecodeError> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(DecodeError::TooLarge { width, height });
    }
    if width.min(height) < MIN_SIDE {
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

/// Sixteen bits, three channels, on white.
fn flattened(image: DynamicImage) -> Vec<[u16; 3]> {
    match image {
        DynamicImage::ImageRgb8(image) => {
            let wide = |p: &[u8]| [p[0], p[1], p[2]].map(|v| u16::from(v) * 257);
            image.as_raw().par_chunks_exact(3).with_min_len(1 << 16).map(wide).collect()
        }
        image if image.color().has_alpha() => {
            let laid = |v: u16, a: u16| {
                let (v, a) = (u32::from(v), u32::from(a));
                ((v * a + 65_535 * (65_535 - a) + 32_767) / 65_535) as u16
            };
            let image = image.into_rgba16();
            image.as_raw().chunks_exact(4).map(|p| [p[0], p[1], p[2]].map(|v| laid(v, p[3]))).collect()
        }
        image => image.into_rgb16().as_raw().chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect(),
    }
}

/// Converts from an embedded profile. A profile that is not of RGB, or damaged, is left out, as viewers do.
fn to_srgb(pixels: &mut [[u16; 3]], profile: &[u8]) -> Option<String> {
    let source = ColorProfile::new_from_slice(profile).ok();
    let source = source.filter(|p| p.color_space == DataColorSpace::Rgb);
    let Some(source) = source else {
        return Some("its color profile could not be used; read as sRGB".into());
    };
    let srgb = ColorProfile::new_srgb();
    let transform = source.create_transform_16bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default()).ok()?;
    // Most profiles are sRGB by another maker: where nothing would move by more than a rounding, nothing is touched.
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
    Some("converted to sRGB from its own color profile".into())
}
