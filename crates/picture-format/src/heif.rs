//! HEIF (ISO/IEC 23008-12): what the primary item of a file is, and its size after its crop and rotation.

use crate::format::{CONVERT, Format, Recognized, Refusal, Unsupported};
use crate::source::Source;

/// Maximum number of boxes of the file, and of its `meta` box.
const MAX_BOXES: usize = 256;
/// Maximum size of each list of items, bytes: decoders search them in quadratic time.
const MAX_LIST: usize = 256 << 10;
/// Maximum size of the properties of all items, bytes: color profiles are among them.
const MAX_PROPERTIES: usize = 4 << 20;
/// Maximum depth of images that are derived from others.
const MAX_DEPTH: usize = 4;

/// A box of the file: where its contents are. `end` may lie after the end of the file.
struct FileBox {
    kind: [u8; 4],
    start: u64,
    end: u64,
}

/// The lists of a `meta` box that are read.
#[derive(Default)]
struct Meta {
    primary: Option<Vec<u8>>,
    items: Option<Vec<u8>>,
    references: Option<Vec<u8>>,
    properties: Option<Vec<u8>>,
}

/// Recognizes a HEIF file by its primary item; errors say that it is what its brands name. `missing` makes the error for a file without one; its argument is whether the file
/// ends too early.
pub(crate) fn recognized(
    source: &mut Source<'_>,
    is_sequence: bool,
    named: Format,
    missing: impl Fn(bool) -> Refusal,
) -> Result<Recognized, Refusal> {
    let unreadable = || Refusal::Unreadable(named);
    let length = source.length();
    let (mut meta, mut is_truncated) = (None, false);
    for part in boxes_of_file(source, 0, length)? {
        is_truncated |= part.end > length;
        if &part.kind == b"meta" && meta.replace(part).is_some() {
            return Err(unreadable());
        }
    }
    let Some(meta) = meta else { return Err(missing(is_truncated)) };
    if meta.end > length {
        return Err(Refusal::Truncated(named));
    }
    let meta = read_meta(source, &meta)?.ok_or_else(unreadable)?;
    let Some(primary) = meta.primary.as_deref().and_then(primary_item) else { return Err(missing(false)) };
    let format = coding(meta.coding(primary).ok_or_else(unreadable)?)?;
    let (width, height) = meta.size(primary).ok_or_else(unreadable)?;
    if width == 0 || height == 0 {
        return Err(unreadable());
    }
    let note = "the file is an image sequence: only its still image is used";
    let notes = if is_sequence { vec![note.to_owned()] } else { Vec::new() };
    Ok(Recognized { format, width, height, directory: 0, notes })
}

/// The format of images whose item has a type.
fn coding(kind: [u8; 4]) -> Result<Format, Unsupported> {
    let what = match &kind {
        b"hvc1" | b"hev1" => return Ok(Format::Heic),
        b"av01" => return Ok(Format::Avif),
        b"jpeg" => "a HEIF image with JPEG inside",
        b"j2k1" => "a HEIF image with JPEG 2000 inside",
        b"avc1" | b"avc3" => "a HEIF image with H.264 inside",
        b"vvc1" | b"vvi1" => "a HEIF image with VVC inside",
        b"unci" => "an uncompressed HEIF image",
        _ => "a HEIF image of an unknown kind",
    };
    Err(Unsupported::new(what).or(CONVERT))
}

/// Boxes between two offsets of the file, up to the first that makes no sense.
fn boxes_of_file(source: &mut Source<'_>, mut at: u64, end: u64) -> std::io::Result<Vec<FileBox>> {
    let mut boxes = Vec::new();
    while at < end && boxes.len() < MAX_BOXES {
        let Some([a, b, c, d, kind @ ..]) = source.exactly::<8>(at)? else { break };
        let (header, size) = match u32::from_be_bytes([a, b, c, d]) {
            0 => (8, end - at),
            1 => match source.exactly::<8>(at + 8)? {
                Some(size) => (16, u64::from_be_bytes(size)),
                None => break,
            },
            size => (8, u64::from(size)),
        };
        let Some(next) = at.checked_add(size).filter(|_| size >= header) else { break };
        boxes.push(FileBox { kind, start: at + header, end: next });
        at = next;
    }
    Ok(boxes)
}

/// Reads the lists of a `meta` box; `None` if one of them is there twice, or does not fit into it.
fn read_meta(source: &mut Source<'_>, meta: &FileBox) -> std::io::Result<Option<Meta>> {
    let mut lists = Meta::default();
    // After version and flags.
    for part in boxes_of_file(source, meta.start + 4, meta.end)? {
        let (list, most) = match &part.kind {
            b"pitm" => (&mut lists.primary, MAX_LIST),
            b"iinf" => (&mut lists.items, MAX_LIST),
            b"iref" => (&mut lists.references, MAX_LIST),
            b"iprp" => (&mut lists.properties, MAX_PROPERTIES),
            b"iloc" if part.end - part.start > MAX_LIST as u64 => return Err(std::io::ErrorKind::InvalidData.into()),
            _ => continue,
        };
        if part.end > meta.end || list.is_some() {
            return Ok(None);
        }
        let size = usize::try_from(part.end - part.start).ok().filter(|size| *size <= most);
        let size = size.ok_or(std::io::ErrorKind::InvalidData)?;
        *list = Some(source.at(part.start, size)?);
    }
    let sizes = boxes(lists.properties.as_deref().unwrap_or_default()).filter(|(kind, _)| kind == b"ipma");
    if sizes.map(|(_, contents)| contents.len()).sum::<usize>() > MAX_LIST {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    Ok(Some(lists))
}

/// Boxes in the contents of another: kinds and contents, up to the first that does not fit.
fn boxes(mut rest: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let ([a, b, c, d, kind @ ..], after) = rest.split_first_chunk::<8>()?;
        let (header, size) = match u32::from_be_bytes([*a, *b, *c, *d]) {
            0 => (8, rest.len()),
            1 => (16, usize::try_from(u64::from_be_bytes(*after.first_chunk()?)).ok()?),
            size => (8, size as usize),
        };
        let contents = rest.get(header..size)?;
        rest = &rest[size..];
        Some((*kind, contents))
    })
}

/// Numbers at the start of some bytes, big-endian.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn u8(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes([self.u8()?, self.u8()?]))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from(self.u16()?) << 16 | u32::from(self.u16()?))
    }

    /// An item's number: 32 bits, or 16.
    fn item(&mut self, is_long: bool) -> Option<u32> {
        if is_long { self.u32() } else { self.u16().map(u32::from) }
    }

    /// Version and flags of a box.
    fn version(&mut self) -> Option<(u8, u32)> {
        let word = self.u32()?;
        Some(((word >> 24) as u8, word & 0xFF_FFFF))
    }
}

fn primary_item(contents: &[u8]) -> Option<u32> {
    let mut numbers = Numbers(contents);
    let (version, _) = numbers.version()?;
    numbers.item(version > 0)
}

impl Meta {
    /// Type of the coded images that an item is, or is made of.
    fn coding(&self, item: u32) -> Option<[u8; 4]> {
        let mut item = item;
        for _ in 0..=MAX_DEPTH {
            let kind = self.kind(item)?;
            if !matches!(&kind, b"grid" | b"iovl" | b"iden") {
                return Some(kind);
            }
            item = self.first_source(item)?;
        }
        None
    }

    fn kind(&self, item: u32) -> Option<[u8; 4]> {
        let mut numbers = Numbers(self.items.as_deref()?);
        match numbers.version()? {
            (0, _) => numbers.u16().map(u32::from)?,
            _ => numbers.u32()?,
        };
        boxes(numbers.0).find_map(|(_, contents)| {
            let mut numbers = Numbers(contents);
            let (version, _) = numbers.version()?;
            let is_it = version >= 2 && numbers.item(version > 2)? == item;
            // Before the type: protection.
            is_it.then(|| numbers.0.get(2..6)?.try_into().ok())?
        })
    }

    /// The first image that an item is derived from.
    fn first_source(&self, item: u32) -> Option<u32> {
        let mut numbers = Numbers(self.references.as_deref()?);
        let (version, _) = numbers.version()?;
        boxes(numbers.0).filter(|(kind, _)| kind == b"dimg").find_map(|(_, contents)| {
            let mut numbers = Numbers(contents);
            let is_it = numbers.item(version > 0)? == item && numbers.u16()? > 0;
            is_it.then(|| numbers.item(version > 0))?
        })
    }

    /// Properties of an item in their order: kinds and contents.
    fn properties(&self, item: u32) -> Option<Vec<([u8; 4], &[u8])>> {
        let all = self.properties.as_deref()?;
        let (_, container) = boxes(all).find(|(kind, _)| kind == b"ipco")?;
        let container: Vec<_> = boxes(container).collect();
        let mut lists = boxes(all).filter(|(kind, _)| kind == b"ipma");
        let indices = lists.find_map(|(_, contents)| associated(contents, item))?;
        // 0 stands for no property.
        Some(indices.iter().filter_map(|index| container.get(index.checked_sub(1)?).copied()).collect())
    }

    /// Width and height of an item, cropped and rotated.
    fn size(&self, item: u32) -> Option<(u32, u32)> {
        let properties = self.properties(item)?;
        let (_, stated) = properties.iter().find(|(kind, _)| kind == b"ispe")?;
        let mut numbers = Numbers(stated);
        numbers.version()?;
        let (mut width, mut height) = (numbers.u32()?, numbers.u32()?);
        for (kind, contents) in properties {
            match &kind {
                b"clap" => {
                    let mut numbers = Numbers(contents);
                    let mut pair = || Some([numbers.u32()?, numbers.u32()?]);
                    let (across, down, x, y) = (pair()?, pair()?, pair()?, pair()?);
                    (width, height) = (cropped(width, across, x)?, cropped(height, down, y)?);
                }
                b"irot" if contents.first()? % 2 == 1 => (width, height) = (height, width),
                _ => {}
            }
        }
        Some((width, height))
    }
}

/// Indices of an item's properties.
fn associated(contents: &[u8], item: u32) -> Option<Vec<usize>> {
    let mut numbers = Numbers(contents);
    let (version, flags) = numbers.version()?;
    let is_long = flags & 1 == 1;
    for _ in 0..numbers.u32()? {
        let own = numbers.item(version > 0)?;
        let count = usize::from(numbers.u8()?);
        if own == item {
            let mut index =
                || if is_long { Some(numbers.u16()? & 0x7FFF) } else { Some(u16::from(numbers.u8()? & 0x7F)) };
            return (0..count).map(|_| index().map(usize::from)).collect();
        }
        numbers.0 = numbers.0.get(count * if is_long { 2 } else { 1 }..)?;
    }
    None
}

/// Length of a side after a crop (ISO/IEC 14496-12, 12.1.4): its new length, and the offset of its center from that of the image.
fn cropped(side: u32, [length, length_over]: [u32; 2], [offset, offset_over]: [u32; 2]) -> Option<u32> {
    if length_over == 0 || offset_over == 0 {
        return None;
    }
    let length = f64::from(length) / f64::from(length_over);
    // The offset is signed.
    let center = f64::from(offset.cast_signed()) / f64::from(offset_over) + (f64::from(side) - 1.0) / 2.0;
    let start = (center - (length - 1.0) / 2.0).round().max(0.0) as u32;
    Some((length.round() as u32).min(side - start.min(side)))
}
