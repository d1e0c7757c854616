//! JPEG (ITU-T T.81): segments up to the first scan, and how the picture is coded.

use crate::format::{Format, Recognized, Refusal, Unsupported};
use crate::source::Source;

/// A marker segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Second byte of the marker.
    pub marker: u8,
    /// Offset of its contents.
    pub at: u64,
    /// Length of its contents, bytes.
    pub length: usize,
}

/// Segments up to the first scan, and its frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The segments before the scan.
    pub segments: Vec<Segment>,
    /// Marker of the frame: how it is coded.
    pub coding: u8,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Identifiers of the color components.
    pub components: Vec<u8>,
    /// Offset of the entropy-coded data of the first scan.
    pub scan: u64,
}

const SOF: [u8; 13] = [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF];
const DHP: u8 = 0xDE;
/// Maximum number of bytes between two segments that are skipped.
const MAX_BETWEEN: usize = 4096;
const JPEG_LS: u8 = 0xF7;
const SOS: u8 = 0xDA;
const EOI: u8 = 0xD9;

const SAVE_AGAIN: &str = "save it again as an ordinary JPEG (baseline or progressive)";

pub(crate) fn recognized(source: &mut Source<'_>) -> Result<Recognized, Refusal> {
    let Header { width, height, .. } = header(source)?;
    Ok(Recognized { format: Format::Jpeg, width, height, directory: 0, notes: Vec::new() })
}

/// Reads the header of the JPEG at the start of a file.
///
/// # Errors
/// [`Refusal`]; codings that no decoder here can read are named.
pub fn header(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let (truncated, unreadable) = (Refusal::Truncated(Format::Jpeg), Refusal::Unreadable(Format::Jpeg));
    let (mut at, mut segments, mut frame) = (2, Vec::new(), None);
    loop {
        // Marker, length, and enough of a frame header.
        let part = source.at(at, 20)?;
        let [0xFF, marker, ..] = part[..] else {
            if part.len() < 2 {
                return Err(truncated);
            }
            // Some files have bytes between segments, which decoders skip.
            let between = if segments.is_empty() { Vec::new() } else { source.at(at, MAX_BETWEEN)? };
            let Some(found) = between.iter().position(|byte| *byte == 0xFF) else { return Err(unreadable) };
            at += found as u64;
            continue;
        };
        match marker {
            0xFF => {
                at += 1;
                continue;
            }
            0x01 | 0xD0..=0xD7 => {
                at += 2;
                continue;
            }
            EOI | 0 => return Err(unreadable),
            _ => {}
        }
        let [_, _, high, low, contents @ ..] = &part[..] else { return Err(truncated) };
        let length = usize::from(u16::from_be_bytes([*high, *low])).max(2) - 2;
        at += 4;
        if at + length as u64 > source.length() {
            return Err(truncated);
        }
        if let Some(refused) = unsupported(marker, contents.first().copied()) {
            return Err(refused.into());
        }
        if SOF.contains(&marker) && frame.is_none() {
            let [_, h1, h2, w1, w2, count, ..] = *contents else { return Err(unreadable) };
            let count = usize::from(count);
            // Each with its identifier, sampling factors and quantization table.
            if !matches!(count, 1 | 3 | 4) || length < 6 + 3 * count {
                return Err(Unsupported::new(format!("a JPEG with {count} color components")).or(SAVE_AGAIN).into());
            }
            let components = source.at(at + 6, 3 * count)?.iter().step_by(3).copied().collect();
            let [width, height] = [[w1, w2], [h1, h2]].map(|side| u32::from(u16::from_be_bytes(side)));
            if height == 0 {
                return Err(Unsupported::new("a JPEG without its height in the header").or(SAVE_AGAIN).into());
            }
            if width == 0 {
                return Err(unreadable);
            }
            frame = Some((marker, width, height, components));
        }
        if marker == SOS {
            let Some((coding, width, height, components)) = frame else { return Err(unreadable) };
            return Ok(Header { segments, coding, width, height, components, scan: at + length as u64 });
        }
        segments.push(Segment { marker, at, length });
        at += length as u64;
    }
}

/// Names a coding that cannot be decoded. `precision` is the first byte of the segment: bits of a sample in a frame header.
fn unsupported(marker: u8, precision: Option<u8>) -> Option<Unsupported> {
    let what = match marker {
        0xC3 | 0xCB => "a lossless JPEG",
        DHP | 0xC5..=0xC7 | 0xCD..=0xCF => "a hierarchical JPEG",
        0xC9 | 0xCA => "a JPEG with arithmetic coding",
        JPEG_LS => "a JPEG-LS image",
        0xC0..=0xC2 if precision.is_some_and(|bits| bits > 8) => "a JPEG with more than 8 bits per sample",
        _ => return None,
    };
    Some(Unsupported::new(format!("{what}, which is not supported")).or(SAVE_AGAIN))
}
