//! Encoding to JPEG, PNG or WebP: scaled, labeled, in sRGB, with disclosure metadata.
mod error;
mod format;
mod label;
mod metadata;
mod resize;
mod strips;

use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use jpeg_encoder::SamplingFactor;

use crate::panorama::Panorama;
use crate::picture::Picture;
use crate::report::Disclosure;

pub use error::EncodeError;
pub use format::Format;
pub use label::has_glyph;

/// JPEG quality of photos: visually lossless.
const QUALITY: u8 = 92;
/// WebP quality that is about as good as JPEG 92.
const WEBP_QUALITY: f32 = 90.0;
/// Longest side of a WebP image, pixels.
const WEBP_MAX_SIDE: usize = 16_383;
/// Longer side of thumbnails, pixels.
pub const THUMBNAIL_SIDE: usize = 640;

/// Format, size and label of the output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputOptions {
    /// File format.
    pub format: Format,
    /// Longest side, pixels; larger images are scaled down, smaller ones are not scaled up.
    pub max_size: Option<u32>,
    /// Line of text in a strip at the bottom of the image.
    pub label: Option<String>,
    /// What the picture is if it is a panorama: its tags are scaled with it.
    pub panorama: Option<Panorama>,
}

/// An encoded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedPhoto {
    /// The file.
    pub bytes: Vec<u8>,
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
}

/// Encodes an image with its disclosure, the processing steps and preserved EXIF fields as metadata.
///
/// # Errors
/// If a side is too long for the format (JPEG 65535 pixels, WebP 16383), or the metadata exceed 60 kB.
pub fn encode(
    picture: &Picture,
    options: &OutputOptions,
    disclosure: &Disclosure,
    steps: &[String],
    exif: Option<&[u8]>,
) -> Result<EncodedPhoto, EncodeError> {
    let scaled = options.max_size.and_then(|side| resize::within(picture, side as usize));
    let labeled = options.label.as_deref().map(|text| label::labeled(scaled.as_ref().unwrap_or(picture), text));
    let picture = labeled.as_ref().or(scaled.as_ref()).unwrap_or(picture);
    let bare = match options.format {
        Format::Jpeg => strips::encoded(picture, QUALITY, SamplingFactor::R_4_4_4)?,
        Format::Png => png(picture)?,
        Format::Webp => webp(picture)?,
    };
    let panorama = options.panorama.as_ref().map(|panorama| panorama.tags(picture.width, picture.height));
    let panorama = panorama.unwrap_or_default();
    let bytes = metadata::embed(bare, options.format, disclosure, steps, (exif, &panorama))?;
    Ok(EncodedPhoto { bytes, width: picture.width, height: picture.height })
}

/// Encodes a JPEG thumbnail with the label.
///
/// # Errors
/// As [`encode`].
pub fn thumbnail(picture: &Picture, options: &OutputOptions, disclosure: &Disclosure) -> Result<Vec<u8>, EncodeError> {
    let side = options.max_size.map_or(THUMBNAIL_SIDE, |side| THUMBNAIL_SIDE.min(side as usize));
    let small = resize::within(picture, side);
    let small = small.as_ref().unwrap_or(picture);
    let labeled = options.label.as_deref().map(|text| label::labeled(small, text));
    let bare = strips::encoded(labeled.as_ref().unwrap_or(small), 85, SamplingFactor::R_4_2_0)?;
    metadata::embed(bare, Format::Jpeg, disclosure, &[], (None, &[]))
}

fn png(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::with_capacity(picture.pixels.len() / 2);
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&picture.pixels, picture.width as u32, picture.height as u32, image::ExtendedColorType::Rgb8)
        .map_err(EncodeError::new)?;
    Ok(bytes)
}

fn webp(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    let longest = picture.width.max(picture.height);
    if longest > WEBP_MAX_SIDE {
        let remedy = format!("use JPEG or PNG, or a max_size of at most {WEBP_MAX_SIDE}");
        return Err(EncodeError(format!("a side of {longest} pixels is too long for WebP; {remedy}")));
    }
    let encoder = webp::Encoder::from_rgb(&picture.pixels, picture.width as u32, picture.height as u32);
    let bytes = encoder.encode_simple(false, WEBP_QUALITY).map_err(|e| EncodeError(format!("WebP: {e:?}")))?;
    Ok(bytes.to_vec())
}
