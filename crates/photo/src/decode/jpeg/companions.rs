//! What a JPEG file holds beside its picture: a gain map, more pictures, a video. The picture is the first one; the report says what
//! was not used.

use aerie_picture_format::Source;
use aerie_picture_format::tiff::Tiff;
use memchr::memmem;

use super::{APP2, Jpeg};

/// Multi-Picture Format (CIPA DC-007): its segment, and the tag of its list of pictures.
const MPF: &[u8] = b"MPF\0";
const MP_ENTRY: u16 = 0xB002;
const ENTRY: usize = 16;
/// First byte of the types of pictures that are copies of the first at smaller sizes.
const LARGE_THUMBNAIL: u32 = 0x01;
/// Type of gain maps.
const GAIN_MAP: u32 = 0x05_0000;
/// Segment of a gain map (ISO 21496-1), and its names in XMP: Adobe's and Ultra HDR's, Apple's.
const ISO_GAIN_MAP: &[u8] = b"urn:iso:std:iso:ts:21496:-1\0";
const GAIN_MAPS: [&[u8]; 3] = [b"http://ns.adobe.com/hdr-gain-map/", b"aux:hdrgainmap", b"HDRGainMap"];
/// Names of motion photos in XMP, and of what Samsung appends.
pub(in super::super) const MOTION: [&[u8]; 4] =
    [b"MotionPhoto=\"1\"", b"MicroVideo=\"1\"", b"MotionPhoto>1<", b"MicroVideo>1<"];
pub(in super::super) const SAMSUNG_MOTION: &[u8] = b"MotionPhoto_Data";
/// Sentences for the report.
pub(in super::super) const GAIN_MAP_UNUSED: &str =
    "the gain map for HDR displays is not used: the picture is the standard one";
pub(in super::super) const MOTION_UNUSED: &str = "the video of this motion photo is not used";
/// Bytes of the next picture in which the name of a gain map is looked for.
const SEARCHED: usize = 1 << 20;

/// Sentences for the report; `rest` follows the picture in the file.
pub(super) fn notes(jpeg: &Jpeg<'_>, xmp: Option<&[u8]>, rest: &[u8]) -> Vec<String> {
    let has = |text: &[u8], name: &[u8]| memmem::find(text, name).is_some();
    let next = memmem::find(rest, b"\xFF\xD8\xFF").map(|at| &rest[at..rest.len().min(at + SEARCHED)]);
    let is_gain_map = |text: &[u8]| GAIN_MAPS.iter().any(|name| has(text, name));
    let (further, has_listed_map) = jpeg.named(APP2, MPF).next().map_or((0, false), further_pictures);
    let count = 1 + further;
    let has_gain_map = has_listed_map
        || jpeg.named(APP2, ISO_GAIN_MAP).next().is_some()
        || xmp.is_some_and(is_gain_map)
        || next.is_some_and(|next| is_gain_map(next) || has(next, ISO_GAIN_MAP));
    let is_motion = xmp.is_some_and(|xmp| MOTION.iter().any(|name| has(xmp, name)))
        || has(rest, SAMSUNG_MOTION)
        || rest.get(4..8) == Some(b"ftyp");
    let mut notes = Vec::new();
    if has_gain_map {
        notes.push(GAIN_MAP_UNUSED.to_owned());
    }
    if is_motion {
        notes.push(MOTION_UNUSED.to_owned());
    }
    if count > 1 && !has_gain_map {
        notes.push(format!("the file has {count} pictures: only the first is used"));
    } else if count == 1 && next.is_some() && !has_gain_map && !is_motion && jpeg.named(APP2, MPF).next().is_none() {
        notes.push("another picture follows in the file: only the first is used".to_owned());
    }
    notes
}

/// Returns the number of pictures beside the first that are no copies of it, and whether a gain map is listed.
fn further_pictures(block: &[u8]) -> (usize, bool) {
    let entries = || -> std::io::Result<Option<Vec<u8>>> {
        let mut source = Source::of_bytes(block);
        let Some(mut tiff) = Tiff::open(&mut source)? else { return Ok(None) };
        let Some(directory) = tiff.directory(tiff.first)? else { return Ok(None) };
        Ok(Some(tiff.numbers(&directory, MP_ENTRY)?.into_iter().map(|byte| byte as u8).collect()))
    };
    let entries = entries().ok().flatten().unwrap_or_default();
    let kind = |entry: &[u8]| {
        let attribute = [entry[0], entry[1], entry[2], entry[3]];
        let attribute =
            if block.starts_with(b"II") { u32::from_le_bytes(attribute) } else { u32::from_be_bytes(attribute) };
        attribute & 0xFF_FFFF
    };
    let kinds: Vec<u32> = entries.chunks_exact(ENTRY).skip(1).map(kind).collect();
    let further = kinds.iter().filter(|kind| *kind >> 16 != LARGE_THUMBNAIL && **kind != GAIN_MAP).count();
    (further, kinds.contains(&GAIN_MAP))
}
