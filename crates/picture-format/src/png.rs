//! PNG: the first chunks.

use crate::format::{Format, Recognized, Refusal, Unsupported};
use crate::source::Source;

pub(crate) fn recognized(source: &mut Source<'_>) -> Result<Recognized, Refusal> {
    let Some(header) = source.exactly::<16>(8)? else { return Err(Refusal::Unreadable(Format::Png)) };
    if header[4..8] == *b"CgBI" {
        return Err(Unsupported::new("a PNG optimized for iOS apps (CgBI)").or("export it as an ordinary PNG").into());
    }
    let side = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (width, height) = (side(8), side(12));
    if header[4..8] != *b"IHDR" || width == 0 || height == 0 {
        return Err(Refusal::Unreadable(Format::Png));
    }
    let mut notes = Vec::new();
    if is_animated(source)? {
        notes.push("the file is an animation: only its first picture is used".to_owned());
    }
    Ok(Recognized { format: Format::Png, width, height, directory: 0, notes })
}

/// Returns whether `acTL`, the header of an animation, precedes the pixels.
fn is_animated(source: &mut Source<'_>) -> std::io::Result<bool> {
    let mut at = 8;
    // A file of more chunks before its pixels is left to the decoder.
    for _ in 0..1024 {
        let Some(chunk) = source.exactly::<8>(at)? else { return Ok(false) };
        match &chunk[4..] {
            b"acTL" => return Ok(true),
            b"IDAT" => return Ok(false),
            _ => at += 12 + u64::from(u32::from_be_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])),
        }
    }
    Ok(false)
}
