//! HEIC and AVIF: the primary image of the file, with its metadata, and what else the file holds.

mod av1;
mod avif;
mod points;
mod units;

use heifer::Image;
use heifer::heifer_isobmff::boxes::{ColorInfo, Property};
use heifer::heifer_isobmff::{BoxIter, HeifFile, ItemId};
use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer};
use memchr::memmem;

use super::color::{Embedded, Stated};
use super::jpeg::companions::{GAIN_MAP_UNUSED, MOTION, MOTION_UNUSED, SAMSUNG_MOTION};
use super::{DecodeError, MAX_PIXELS, Samples, Stored, metadata};
use avif::Av1Header;
use points::CodePoints;

/// Maximum depth of images that are derived from others.
const MAX_DEPTH: usize = 4;
/// Type of Apple's gain maps, in any of its versions, and of items that apply one (ISO 21496-1).
const APPLE_GAIN_MAP: &str = ":aux:hdrgainmap";
const TONE_MAPPED: [u8; 4] = *b"tmap";
/// Type of images that are composed of others.
const OVERLAY: [u8; 4] = *b"iovl";
/// Box of the video of a motion photo.
const MOTION_VIDEO: [u8; 4] = *b"mpvd";
/// Type of images that are coded as AV1.
const AV1: [u8; 4] = *b"av01";

/// Reads the primary image: it is cropped, rotated and mirrored as the file prescribes.
pub(super) fn read(bytes: &[u8]) -> Result<Stored, DecodeError> {
    let file = HeifFile::parse(bytes).map_err(|error| damaged(error.into()))?;
    check_overlays(&file)?;
    let id = file.primary_id;
    let coded = coded_first(&file, id);
    let points = coded.iter().find_map(|item| CodePoints::of(&file, *item));
    points.map_or(Ok(()), CodePoints::check)?;
    // Unreadable metadata is no reason to reject readable pixels.
    let exif = file.exif(id).ok().flatten();
    let xmp = file.xmp(id).ok().flatten();
    let profile = coded.iter().find_map(|item| profile(&file, *item));
    let in_exif = exif.as_deref().map_or(Stated::Nothing, metadata::color);
    let (samples, in_stream) = samples(&file, bytes, coded.last().copied().unwrap_or(id))?;
    let stated = match points.or(in_stream) {
        Some(points) if profile.is_none() => points.stated(in_exif),
        _ => in_exif,
    };
    // The file's own rotation has been applied, and then that of EXIF says the same.
    let is_upright =
        properties(&file, id).any(|property| matches!(property, Property::Rotation(_) | Property::Mirror(_)));
    let orientation = exif.as_deref().filter(|_| !is_upright).and_then(Orientation::from_exif_chunk);
    Ok(Stored {
        readings: notes(&file, bytes, xmp.as_deref()),
        is_raw: false,
        samples,
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
        profile: profile.map_or(Embedded::None, Embedded::Profile),
        stated,
        exif,
        xmp,
    })
}

/// Refuses overlays of many large images: all of them are in memory at once.
fn check_overlays(file: &HeifFile<'_>) -> Result<(), DecodeError> {
    let pixels = |item: &ItemId| {
        let size = file.image_size(*item).ok().flatten();
        size.map_or(MAX_PIXELS, |(width, height)| u64::from(width) * u64::from(height))
    };
    let overlays = file.items.iter().filter(|item| item.item_type.0 == OVERLAY);
    for overlay in overlays {
        let all = file.referenced_items(overlay.id, b"dimg").iter().map(pixels).fold(0, u64::saturating_add);
        if all > MAX_PIXELS {
            return Err(DecodeError::unsupported("an image that is composed of more than 100 megapixels"));
        }
    }
    Ok(())
}

/// An item, and the first of the images that it is derived from, down to a coded one.
fn coded_first(file: &HeifFile<'_>, id: ItemId) -> Vec<ItemId> {
    let next = |item: &ItemId| file.referenced_items(*item, b"dimg").first().copied();
    std::iter::successors(Some(id), next).take(MAX_DEPTH + 1).collect()
}

fn properties<'a>(file: &'a HeifFile<'_>, item: ItemId) -> impl Iterator<Item = &'a Property> {
    file.item_properties(item).into_iter().flatten()
}

fn profile(file: &HeifFile<'_>, item: ItemId) -> Option<Vec<u8>> {
    properties(file, item).find_map(|property| match property {
        Property::Color(ColorInfo::Icc(profile)) if !profile.is_empty() => Some(profile.clone()),
        _ => None,
    })
}

/// Decodes the primary image; `coded` is it, or the first that it is made of.
fn samples(file: &HeifFile<'_>, bytes: &[u8], coded: ItemId) -> Result<(Samples, Option<CodePoints>), DecodeError> {
    if file.item(coded).is_ok_and(|item| item.item_type.0 == AV1) {
        let header = Av1Header::of(file, coded).unwrap_or(Av1Header { is_8_bit: false, is_gray: false });
        let (samples, points) = match header.is_8_bit {
            true => avif::image::<u8>(file, file.primary_id)
                .map(|(image, points)| (of_8_bits(image, header.is_gray), points)),
            false => avif::image::<u16>(file, file.primary_id)
                .map(|(image, points)| (of_16_bits(image, header.is_gray), points)),
        }?;
        return Ok((samples?, Some(points)));
    }
    let options = heifer::Options { max_threads: rayon::current_num_threads(), max_pixels: MAX_PIXELS };
    let config = file.hevc_config(coded).ok().flatten();
    let is_gray = config.is_some_and(|config| config.chroma_format == 0);
    let is_8_bit = config.is_some_and(|config| config.bit_depth_luma.max(config.bit_depth_chroma) <= 8);
    let samples = match is_8_bit {
        true => of_8_bits(heifer::decode_rgba8(bytes, &options).map_err(damaged)?, is_gray),
        false => of_16_bits(heifer::decode_with_options(bytes, &options).map_err(damaged)?, is_gray),
    };
    Ok((samples?, None))
}

fn of_8_bits(image: Image<u8>, is_gray: bool) -> Result<Samples, DecodeError> {
    let is_gray = is_gray && has_no_colors(&image.data);
    let (width, height) = (image.width, image.height);
    let image = match (image.has_alpha, is_gray) {
        (true, _) => ImageBuffer::from_raw(width, height, image.data).map(DynamicImage::ImageRgba8),
        (_, true) => ImageBuffer::from_raw(width, height, first::<1, _>(image.data)).map(DynamicImage::ImageLuma8),
        _ => ImageBuffer::from_raw(width, height, first::<3, _>(image.data)).map(DynamicImage::ImageRgb8),
    };
    image.map(Samples::Image).ok_or_else(|| DecodeError::Damaged("too few pixels".into()))
}

fn of_16_bits(mut image: Image, is_gray: bool) -> Result<Samples, DecodeError> {
    let is_gray = is_gray && has_no_colors(&image.data);
    let most = u32::from(image.max_value()).max(1);
    for value in &mut image.data {
        *value = ((u32::from(*value).min(most) * 65_535 + most / 2) / most) as u16;
    }
    let (width, height) = (image.width, image.height);
    let image = match (image.has_alpha, is_gray) {
        (true, _) => ImageBuffer::from_raw(width, height, image.data).map(DynamicImage::ImageRgba16),
        (_, true) => ImageBuffer::from_raw(width, height, first::<1, _>(image.data)).map(DynamicImage::ImageLuma16),
        _ => ImageBuffer::from_raw(width, height, first::<3, _>(image.data)).map(DynamicImage::ImageRgb16),
    };
    image.map(Samples::Image).ok_or_else(|| DecodeError::Damaged("too few pixels".into()))
}

/// Returns whether pixels are gray, as the configuration of the coded picture says: it may say so of another picture.
fn has_no_colors<T: PartialEq>(pixels: &[T]) -> bool {
    pixels.chunks_exact(4).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2])
}

/// Keeps the first `N` of the four channels of each pixel, in place.
fn first<const N: usize, T: Copy>(mut pixels: Vec<T>) -> Vec<T> {
    let count = pixels.len() / 4;
    for pixel in 0..count {
        pixels.copy_within(pixel * 4..pixel * 4 + N, pixel * N);
    }
    pixels.truncate(count * N);
    pixels.shrink_to_fit();
    pixels
}

/// Sentences for the report: what the file holds beside its picture.
fn notes(file: &HeifFile<'_>, bytes: &[u8], xmp: Option<&[u8]>) -> Vec<String> {
    let mut notes = Vec::new();
    let is_gain_map =
        |property: &Property| matches!(property, Property::AuxiliaryType(kind) if kind.ends_with(APPLE_GAIN_MAP));
    if file.properties.iter().any(is_gain_map) || file.items.iter().any(|item| item.item_type.0 == TONE_MAPPED) {
        notes.push(GAIN_MAP_UNUSED.to_owned());
    }
    let is_motion = xmp.is_some_and(|xmp| MOTION.iter().any(|name| memmem::find(xmp, name).is_some()))
        || memmem::find(bytes, SAMSUNG_MOTION).is_some()
        || BoxIter::new(bytes).flatten().any(|part| part.header.box_type.0 == MOTION_VIDEO);
    if is_motion {
        notes.push(MOTION_UNUSED.to_owned());
    }
    let count = file.top_level_image_ids().len();
    if count > 1 {
        notes.push(format!("the file has {count} pictures: only the main one is used"));
    }
    notes
}

fn damaged(error: heifer::Error) -> DecodeError {
    use heifer::heifer_hevc_dec::Error as Codec;
    use heifer::heifer_isobmff::Error as Container;
    let unsupported = |what: &str| {
        DecodeError::unsupported(format!("a HEIC or AVIF image of a variant that is not supported ({what})"))
    };
    match error {
        heifer::Error::Container(Container::UnexpectedEof) => DecodeError::Truncated,
        heifer::Error::Container(Container::Unimplemented(what)) | heifer::Error::Hevc(Codec::Unimplemented(what)) => {
            unsupported(what)
        }
        heifer::Error::Unsupported(what) => unsupported(&what),
        other => DecodeError::Damaged(other.to_string()),
    }
}
