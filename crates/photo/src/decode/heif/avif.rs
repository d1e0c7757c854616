//! AVIF: images coded as AV1, alone or as the tiles of a grid, with their transparency, crop and rotation.

use heifer::color::{ColorParams, frame_to_rgba_sized};
use heifer::heifer_hevc_dec::recon::Frame;
use heifer::heifer_isobmff::boxes::Property;
use heifer::heifer_isobmff::{HeifFile, ItemId};
use heifer::{Image, Sample};

use super::points::CodePoints;
use super::{av1, damaged, units};
use crate::decode::{DecodeError, MAX_PIXELS};

/// Types of auxiliary images that hold transparency.
const ALPHA: [&str; 2] = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"];
/// Properties of images of several layers: the operating point, and the layer that is to be shown.
const OPERATING_POINT: [u8; 4] = *b"a1op";
const LAYER: [u8; 4] = *b"lsel";
/// The last layer.
const ALL_LAYERS: [u8; 2] = [0xFF, 0xFF];

/// Header of the coded picture.
#[derive(Clone, Copy)]
pub(super) struct Av1Header {
    pub(super) is_8_bit: bool,
    pub(super) is_gray: bool,
}

impl Av1Header {
    /// Reads the configuration of a coded item.
    pub(super) fn of(file: &HeifFile<'_>, item: ItemId) -> Option<Self> {
        file.item_properties(item).ok()?.find_map(|property| match property {
            Property::Unknown(kind, bytes) if &kind.0 == b"av1C" => {
                let flags = bytes.get(2)?;
                Some(Self { is_8_bit: flags & 0x40 == 0, is_gray: flags & 0x10 != 0 })
            }
            _ => None,
        })
    }
}

/// Decodes an item: a coded image or a grid of them, cropped, rotated and mirrored as the file prescribes.
pub(super) fn image<S: Sample>(file: &HeifFile<'_>, item: ItemId) -> Result<(Image<S>, CodePoints), DecodeError> {
    let (mut image, points) = untransformed(file, item)?;
    let mut auxiliary = file.referencing_items(item, b"auxl").into_iter();
    if let Some(alpha) = auxiliary.find(|auxiliary| is_alpha(file, *auxiliary)) {
        attach(&mut image, &untransformed(file, alpha)?.0)?;
    }
    for property in properties(file, item)? {
        image = match *property {
            Property::CleanAperture { width, height, horiz_offset, vert_offset } => {
                let (left, across) = crop(image.width, width, horiz_offset)?;
                let (top, down) = crop(image.height, height, vert_offset)?;
                image.crop(left, top, across, down)
            }
            Property::Rotation(quarters @ 1..) => image.rotate_ccw(quarters),
            Property::Mirror(top_bottom) => image.mirror(top_bottom),
            _ => image,
        };
    }
    Ok((image, points))
}

fn properties<'a>(file: &'a HeifFile<'_>, item: ItemId) -> Result<impl Iterator<Item = &'a Property>, DecodeError> {
    file.item_properties(item).map_err(|error| damaged(error.into()))
}

fn is_alpha(file: &HeifFile<'_>, item: ItemId) -> bool {
    let mut properties = file.item_properties(item).into_iter().flatten();
    properties.any(|property| matches!(property, Property::AuxiliaryType(kind) if ALPHA.contains(&kind.as_str())))
}

fn untransformed<S: Sample>(file: &HeifFile<'_>, item: ItemId) -> Result<(Image<S>, CodePoints), DecodeError> {
    match &file.item(item).map_err(|error| damaged(error.into()))?.item_type.0 {
        b"av01" => coded(file, item),
        b"grid" => grid(file, item),
        _ => Err(DecodeError::unsupported("an AVIF image that is derived from others, which is not supported")),
    }
}

fn coded<S: Sample>(file: &HeifFile<'_>, item: ItemId) -> Result<(Image<S>, CodePoints), DecodeError> {
    if file.item(item).is_ok_and(|item| &item.item_type.0 != b"av01") {
        return Err(DecodeError::unsupported(
            "an AVIF image with parts that are coded otherwise, which is not supported",
        ));
    }
    let container = |error: heifer::heifer_isobmff::Error| damaged(error.into());
    let selects = |property: &Property| match property {
        Property::Unknown(kind, contents) if kind.0 == OPERATING_POINT => contents.first() != Some(&0),
        Property::Unknown(kind, contents) if kind.0 == LAYER => contents[..] != ALL_LAYERS,
        _ => false,
    };
    if properties(file, item)?.any(selects) {
        return Err(DecodeError::unsupported("an AVIF image of several layers, which is not supported"));
    }
    let (width, height) = file.image_size(item).map_err(container)?.unwrap_or_default();
    check_size(width, height)?;
    let data = file.item_data(item).map_err(container)?;
    units::check(&data)?;
    let (mut frame, in_stream) = av1::decode(&data)?;
    let even = |side: u32| side + side % 2;
    if (frame.widths[0], frame.heights[0]) != (even(width), even(height)) {
        return Err(DecodeError::Damaged("its headers disagree on its size".into()));
    }
    let points = CodePoints::of(file, item).unwrap_or(in_stream);
    points.check()?;
    if frame.chroma_format == 0 && !points.is_full_range {
        widen_range(&mut frame);
    }
    let parameters = ColorParams { matrix: points.matrix, full_range: points.is_full_range };
    Ok((frame_to_rgba_sized(&frame, parameters, width, height), points))
}

fn check_size(width: u32, height: u32) -> Result<(), DecodeError> {
    match u64::from(width) * u64::from(height) {
        1..=MAX_PIXELS => Ok(()),
        _ => Err(DecodeError::Damaged(format!("a part of it has {width} x {height} pixels"))),
    }
}

/// Spreads the luma of a gray picture from its limited range to the full one.
fn widen_range(frame: &mut Frame) {
    let scale = 1 << (frame.bit_depth[0] - 8);
    let most = 256 * scale - 1;
    for value in &mut frame.planes[0] {
        let above = u32::from(*value).saturating_sub(16 * scale);
        *value = ((above * most + 219 * scale / 2) / (219 * scale)).min(most) as u16;
    }
}

fn grid<S: Sample>(file: &HeifFile<'_>, item: ItemId) -> Result<(Image<S>, CodePoints), DecodeError> {
    let grid = file.grid(item).map_err(|error| damaged(error.into()))?;
    let tiles = file.referenced_items(item, b"dimg");
    let (columns, rows) = (usize::from(grid.columns), usize::from(grid.rows));
    check_size(grid.output_width, grid.output_height)?;
    let (Some(first), true) = (tiles.first(), tiles.len() == columns * rows) else {
        return Err(DecodeError::Damaged("its grid does not have the tiles that it names".into()));
    };
    let (mut tile, points) = coded::<S>(file, *first)?;
    let (across, down) = (tile.width as usize, tile.height as usize);
    let (width, height) = (grid.output_width as usize, grid.output_height as usize);
    if across * columns < width || down * rows < height {
        return Err(DecodeError::Damaged("its tiles do not cover its grid".into()));
    }
    let mut whole = Image::filled_samples(grid.output_width, grid.output_height, tile.bit_depth, [S::default(); 4]);
    whole.has_alpha = tile.has_alpha;
    for (number, item) in tiles.iter().enumerate() {
        let (left, top) = (number % columns * across, number / columns * down);
        if left >= width || top >= height {
            continue;
        }
        if number > 0 {
            let (next, its_points) = coded::<S>(file, *item)?;
            let is_alike = (next.width, next.height, next.bit_depth) == (tile.width, tile.height, tile.bit_depth);
            if !is_alike || its_points != points {
                return Err(DecodeError::unsupported("an AVIF image of different tiles, which is not supported"));
            }
            tile = next;
        }
        let used = across.min(width - left) * 4;
        for y in 0..down.min(height - top) {
            let at = ((top + y) * width + left) * 4;
            whole.data[at..at + used].copy_from_slice(&tile.data[y * across * 4..y * across * 4 + used]);
        }
    }
    Ok((whole, points))
}

/// Takes the transparency of an image from the luma of another.
fn attach<S: Sample>(image: &mut Image<S>, alpha: &Image<S>) -> Result<(), DecodeError> {
    if (alpha.width, alpha.height) != (image.width, image.height) {
        return Err(DecodeError::unsupported(
            "an AVIF image whose transparency has another size, which is not supported",
        ));
    }
    let (from, to) = (u32::from(alpha.max_value()), u32::from(image.max_value()));
    for (pixel, alpha) in image.data.chunks_exact_mut(4).zip(alpha.data.chunks_exact(4)) {
        pixel[3] = S::from_u16(((u32::from(alpha[0].to_u16()) * to + from / 2) / from) as u16);
    }
    image.has_alpha = true;
    Ok(())
}

/// Start and length of a crop of a side (ISO/IEC 14496-12, 12.1.4).
fn crop(side: u32, length: (u32, u32), offset: (i32, u32)) -> Result<(u32, u32), DecodeError> {
    if length.1 == 0 || offset.1 == 0 {
        return Err(DecodeError::Damaged("its crop is none".into()));
    }
    let length = f64::from(length.0) / f64::from(length.1);
    let center = f64::from(offset.0) / f64::from(offset.1) + (f64::from(side) - 1.0) / 2.0;
    Ok(((center - (length - 1.0) / 2.0).round().max(0.0) as u32, length.round() as u32))
}
