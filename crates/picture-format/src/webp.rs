//! WebP: the first chunk.

use crate::format::{Format, Recognized, Refusal};
use crate::source::Source;

/// Flag of an animation in `VP8X`.
const ANIMATION: u8 = 0x02;

pub(crate) fn recognized(source: &mut Source<'_>) -> Result<Recognized, Refusal> {
    let unreadable = Refusal::Unreadable(Format::WebP);
    let Some(chunk) = source.exactly::<18>(12)? else { return Err(unreadable) };
    let (kind, b) = (&chunk[..4], &chunk[8..]);
    let side24 = |at: usize| 1 + u32::from_le_bytes([b[at], b[at + 1], b[at + 2], 0]);
    let side14 = |at: usize| u32::from(u16::from_le_bytes([b[at], b[at + 1]]) & 0x3FFF);
    let (width, height) = match kind {
        b"VP8X" => (side24(4), side24(7)),
        b"VP8L" if b[0] == 0x2F => {
            let bits = u32::from_le_bytes([b[1], b[2], b[3], b[4]]);
            (1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
        }
        b"VP8 " if b[3..6] == [0x9D, 0x01, 0x2A] => (side14(6), side14(8)),
        _ => return Err(unreadable),
    };
    if width == 0 || height == 0 {
        return Err(unreadable);
    }
    let mut notes = Vec::new();
    if kind == b"VP8X" && b[0] & ANIMATION != 0 {
        notes.push("the file is an animation: only its first picture is used".to_owned());
    }
    Ok(Recognized { format: Format::WebP, width, height, directory: 0, notes })
}
