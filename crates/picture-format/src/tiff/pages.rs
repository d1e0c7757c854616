//! Which directory of a TIFF is the picture: not reduced copies, masks, thumbnails or previews, and nothing in a camera raw.

use std::collections::{HashSet, VecDeque};

use super::directory::{Directory, Tiff};
use super::tag;
use crate::format::{Format, Recognized, Refusal, Unsupported};
use crate::raw;
use crate::source::Source;

/// Maximum number of directories that are read.
const MAX_DIRECTORIES: usize = 256;
/// Maximum depth of directories in directories.
const MAX_DEPTH: usize = 3;
/// Minimum ratio of the areas of a picture and its thumbnail, where only their sizes tell them apart.
const THUMBNAIL: u128 = 4;
/// Values of PhotometricInterpretation.
const TRANSPARENCY_MASK: u64 = 4;
const COLOR_FILTER_ARRAY: u64 = 32803;
const LINEAR_RAW: u64 = 34892;
const UNCOMPRESSED: u64 = 1;
/// Values of Compression that only raw files have: Nikon, Sony, Pentax, Samsung, Kodak (twice), DNG (lossy).
const RAW_COMPRESSIONS: [u64; 7] = [34713, 32767, 65535, 32770, 65000, 262, 34892];

struct Page {
    at: u64,
    width: u64,
    height: u64,
    /// Set for pages of the file itself, not for directories nested in another.
    is_in_chain: bool,
    /// Set if its tags number it as one of several pages.
    is_numbered: bool,
    /// Set for a reduced copy of another page.
    is_reduced: bool,
    /// Set for masks and previews.
    is_minor: bool,
}

pub(crate) fn recognized(source: &mut Source<'_>) -> Result<Recognized, Refusal> {
    let unreadable = Refusal::Unreadable(Format::Tiff);
    let pages = match pages(source)? {
        Some(Found::Pages(pages)) => pages,
        Some(Found::Raw(raw)) => return raw.recognized().map_err(Refusal::from),
        None => return Err(unreadable),
    };
    let mut notes = Vec::new();
    let mut ordinary: Vec<&Page> = pages.iter().filter(|page| !page.is_minor && !page.is_reduced).collect();
    if ordinary.is_empty() {
        // Some programs write the only picture as a reduced copy.
        ordinary = pages.iter().filter(|page| !page.is_minor && pages.len() == 1).collect();
        if !ordinary.is_empty() {
            notes.push("the file says that its only picture is a reduced copy: it is used".to_owned());
        }
    }
    if ordinary.is_empty() && !pages.is_empty() {
        let what = "a TIFF that holds only previews or masks of a picture";
        return Err(Unsupported::new(what).or("export the picture itself as TIFF or JPEG").into());
    }
    let Some(picture) = ordinary.iter().find(|page| !is_thumbnail(page, &ordinary)) else { return Err(unreadable) };
    let [Ok(width), Ok(height)] = [picture.width, picture.height].map(u32::try_from) else { return Err(unreadable) };
    let count = ordinary.iter().filter(|page| page.is_in_chain && !is_thumbnail(page, &ordinary)).count();
    if count > 1 {
        notes.push(format!("the file has {count} pages: only the first is used"));
    }
    Ok(Recognized { format: Format::Tiff, width, height, directory: picture.at, notes })
}

/// Returns whether a page is a small copy of another, by its proportions.
fn is_thumbnail(page: &Page, all: &[&Page]) -> bool {
    !page.is_numbered
        && all.iter().any(|other| {
            let area = |page: &Page| u128::from(page.width) * u128::from(page.height);
            let is_larger = area(other) >= area(page) * THUMBNAIL;
            // Sizes of thumbnails are rounded to whole pixels.
            is_larger
                && (other.width * page.height).abs_diff(other.height * page.width) <= other.width.max(other.height)
        })
}

/// Contents of a file by its directories.
enum Found {
    Pages(Vec<Page>),
    Raw(Raw),
}

/// A raw file.
#[derive(Default)]
struct Raw {
    make: String,
    is_dng: bool,
    /// Width and height of the sensor's samples or of the part that is shown, and their compression.
    sensor: Option<(u64, u64, u64)>,
}

impl Raw {
    /// DNG is read, and of Nikon's raw files those without compression: of both, real files were compared with another decoder.
    fn recognized(self) -> Result<Recognized, Unsupported> {
        let is_nef = self.make.trim().to_ascii_uppercase().starts_with("NIKON");
        let refusal = || if self.is_dng { raw::refusal("DNG without sensor data") } else { raw::of_tiff(&self.make) };
        let (width, height, compression) = self.sensor.ok_or_else(refusal)?;
        let format = match (self.is_dng, is_nef && compression == UNCOMPRESSED) {
            (true, _) => Format::Dng,
            (false, true) => Format::Nef,
            (false, false) => return Err(refusal()),
        };
        let [Ok(width), Ok(height)] = [width, height].map(u32::try_from) else { return Err(refusal()) };
        Ok(Recognized { format, width, height, directory: 0, notes: Vec::new() })
    }
}

/// Reads the directories; `None` without a valid header.
fn pages(source: &mut Source<'_>) -> Result<Option<Found>, Refusal> {
    let Some(mut tiff) = Tiff::open(source)? else { return Ok(None) };
    let (mut seen, mut pages) = (HashSet::new(), Vec::new());
    let mut queue = VecDeque::from([(tiff.first, 0, true)]);
    let (mut raw, mut is_raw_file) = (Raw::default(), false);
    while let Some((at, depth, is_in_chain)) = queue.pop_front() {
        if seen.len() >= MAX_DIRECTORIES || !seen.insert(at) {
            continue;
        }
        let Some(directory) = tiff.directory(at)? else { continue };
        if at == tiff.first {
            raw.make = tiff.text(&directory, tag::MAKE)?;
            raw.is_dng = directory.has(tag::DNG_VERSION);
            is_raw_file |= raw.is_dng;
        }
        if is_raw(&mut tiff, &directory)? {
            is_raw_file = true;
            let found = sensor(&mut tiff, &directory)?;
            // The largest, of several: others are reduced copies.
            raw.sensor = [raw.sensor, found].into_iter().flatten().max_by_key(|(width, height, _)| width * height);
        }
        if is_in_chain {
            queue.push_front((directory.next, depth, true));
        }
        if depth < MAX_DEPTH {
            let inner = tiff.numbers(&directory, tag::SUB_IFDS)?;
            queue.extend(inner.into_iter().take(MAX_DIRECTORIES).map(|at| (at, depth + 1, false)));
        }
        pages.extend(page(&mut tiff, &directory, is_in_chain)?);
    }
    Ok(Some(if is_raw_file { Found::Raw(raw) } else { Found::Pages(pages) }))
}

/// Width and height that a raw directory's picture is shown with, and its compression.
fn sensor(tiff: &mut Tiff<'_, '_>, directory: &Directory) -> std::io::Result<Option<(u64, u64, u64)>> {
    let [width, height, compression] =
        [tag::IMAGE_WIDTH, tag::IMAGE_LENGTH, tag::COMPRESSION].map(|tag| tiff.first_number(directory, tag));
    let (Some(width), Some(height)) = (width?, height?) else { return Ok(None) };
    let crop = tiff.fractions(directory, tag::DEFAULT_CROP_SIZE)?;
    let (width, height) = match crop[..] {
        [w, h] if (1.0..=width as f64).contains(&w) && (1.0..=height as f64).contains(&h) => (w as u64, h as u64),
        _ => (width, height),
    };
    let is_picture = (1..=u64::from(u32::MAX)).contains(&width) && (1..=u64::from(u32::MAX)).contains(&height);
    Ok(is_picture.then_some((width, height, compression?.unwrap_or(UNCOMPRESSED))))
}

fn page(tiff: &mut Tiff<'_, '_>, directory: &Directory, is_in_chain: bool) -> std::io::Result<Option<Page>> {
    let [width, height, kind, old_kind, photometric] =
        [tag::IMAGE_WIDTH, tag::IMAGE_LENGTH, tag::NEW_SUBFILE_TYPE, tag::SUBFILE_TYPE, tag::PHOTOMETRIC]
            .map(|tag| tiff.first_number(directory, tag));
    let (Some(width), Some(height)) = (width?, height?) else { return Ok(None) };
    if width == 0 || height == 0 || width > u64::from(u32::MAX) || height > u64::from(u32::MAX) {
        return Ok(None);
    }
    let kind = kind?.unwrap_or(0);
    let is_reduced = kind & 0b001 != 0 || old_kind? == Some(2);
    let is_mask = kind & 0b100 != 0 || photometric? == Some(TRANSPARENCY_MASK);
    let is_numbered = kind & 0b010 != 0 || directory.has(tag::PAGE_NUMBER);
    // As Exif stores thumbnails.
    let is_preview = directory.has(tag::JPEG_INTERCHANGE_FORMAT)
        && !directory.has(tag::STRIP_OFFSETS)
        && !directory.has(tag::TILE_OFFSETS);
    Ok(Some(Page {
        at: directory.at,
        width,
        height,
        is_in_chain,
        is_numbered,
        is_reduced,
        is_minor: is_mask || is_preview,
    }))
}

/// Returns whether a directory holds the samples of a sensor.
fn is_raw(tiff: &mut Tiff<'_, '_>, directory: &Directory) -> std::io::Result<bool> {
    let photometric = tiff.first_number(directory, tag::PHOTOMETRIC)?;
    let compression = tiff.first_number(directory, tag::COMPRESSION)?;
    Ok(matches!(photometric, Some(COLOR_FILTER_ARRAY | LINEAR_RAW))
        || compression.is_some_and(|c| RAW_COMPRESSIONS.contains(&c)))
}
