//! Pictures into files: the size and the label that are wished for, sRGB, and an account of what was done inside.
mod label;
mod metadata;
mod size;
mod strips;

use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use jpeg_encoder::SamplingFactor;
use serde::{Deserialize, Serialize};

use crate::account::Disclosure;

pub use label::has_shape;

/// Of an enhanced photo: differences from the pixels given stay out of sight.
const QUALITY: u8 = 92;
/// WebP's scale is another: this is about as good as JPEG's 92.
const WEBP_QUALITY: f32 = 90.0;
/// Longest side that WebP can tell, pixels.
const MOST_OF_WEBP: usize = 16_383;
/// Longer side of a thumbnail, pixels.
pub const THUMBNAIL_SIDE: usize = 640;

/// A file's format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// JPEG, full color resolution.
    #[default]
    Jpeg,
    /// PNG, 8 bits a channel.
    Png,
    /// WebP, lossy.
    Webp,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Jpeg, Self::Png, Self::Webp];

    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }

    /// Media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }
}

/// How a picture is to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finish {
    /// Format of the file.
    pub format: Format,
    /// Longest side, pixels; a larger picture is scaled down, a smaller one is never scaled up.
    pub max_size: Option<u32>,
    /// One line in a strip at the foot of the picture.
    pub label: Option<String>,
}

/// Pixels ready to be written, 8 bits a channel, sRGB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue, row by row.
    pub pixels: Vec<u8>,
}

/// A file's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
}

/// A picture that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be encoded: {0}")]
pub struct EncodeError(String);

impl EncodeError {
    fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Writes a picture, with what has to be told and the single steps in its metadata, and the EXIF fields that are kept.
///
/// # Errors
/// When a side is too long for the format (JPEG 65535 pixels, WebP 16383), or the metadata over 60 kB.
pub fn encode(
    picture: &Finished,
    finish: &Finish,
    disclosure: &Disclosure,
    steps: &[String],
    exif: Option<&[u8]>,
) -> Result<Written, EncodeError> {
    let scaled = finish.max_size.and_then(|side| size::within(picture, side as usize));
    let labeled = finish.label.as_deref().map(|text| label::labeled(scaled.as_ref().unwrap_or(picture), text));
    let picture = labeled.as_ref().or(scaled.as_ref()).unwrap_or(picture);
    let bare = match finish.format {
        Format::Jpeg => strips::encoded(picture, QUALITY, SamplingFactor::R_4_4_4)?,
        Format::Png => png(picture)?,
        Format::Webp => webp(picture)?,
    };
    let bytes = metadata::told(bare, finish.format, disclosure, steps, exif)?;
    Ok(Written { bytes, width: picture.width, height: picture.height })
}

/// Writes the picture at the size of a thumbnail, JPEG, with its label.
///
/// # Errors
/// As [`encode`].
pub fn thumbnail(picture: &Finished, finish: &Finish, disclosure: &Disclosure) -> Result<Vec<u8>, EncodeError> {
    let side = finish.max_size.map_or(THUMBNAIL_SIDE, |side| THUMBNAIL_SIDE.min(side as usize));
    let small = size::within(picture, side);
    let small = small.as_ref().unwrap_or(picture);
    let labeled = finish.label.as_deref().map(|text| label::labeled(small, text));
    let bare = strips::encoded(labeled.as_ref().unwrap_or(small), 85, SamplingFactor::R_4_2_0)?;
    metadata::told(bare, Format::Jpeg, disclosure, &[], None)
}

fn png(picture: &Finished) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::with_capacity(picture.pixels.len() / 2);
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&picture.pixels, picture.width as u32, picture.height as u32, image::ExtendedColorType::Rgb8)
        .map_err(EncodeError::new)?;
    Ok(bytes)
}

fn webp(picture: &Finished) -> Result<Vec<u8>, EncodeError> {
    let longest = picture.width.max(picture.height);
    if longest > MOST_OF_WEBP {
        let remedy = format!("ask for JPEG or PNG, or for a max_size of at most {MOST_OF_WEBP}");
        return Err(EncodeError(format!("a side of {longest} pixels is too long for WebP; {remedy}")));
    }
    let encoder = webp::Encoder::from_rgb(&picture.pixels, picture.width as u32, picture.height as u32);
    let bytes = encoder.encode_simple(false, WEBP_QUALITY).map_err(|e| EncodeError(format!("WebP: {e:?}")))?;
    Ok(bytes.to_vec())
}
