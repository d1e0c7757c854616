//! Image headers, read before anything is decoded.

use image::ImageFormat;

use super::error::DecodeError;

/// Detects the format by content.
pub(super) fn format(bytes: &[u8]) -> Result<ImageFormat, DecodeError> {
    let brand = bytes.get(4..12).unwrap_or_default();
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Ok(ImageFormat::Jpeg),
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => Ok(ImageFormat::Png),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(ImageFormat::WebP),
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Ok(ImageFormat::Tiff),
        [b'I', b'I', 43, 0, ..] | [b'M', b'M', 0, 43, ..] => Err(DecodeError::Unsupported("BigTIFF")),
        [b'G', b'I', b'F', b'8', ..] => Err(DecodeError::Unsupported("GIF")),
        [b'B', b'M', ..] => Err(DecodeError::Unsupported("BMP")),
        [b'%', b'P', b'D', b'F', ..] => Err(DecodeError::Unsupported("PDF")),
        [0xFF, 0x0A, ..] => Err(DecodeError::Unsupported("JPEG XL")),
        _ if brand.starts_with(b"ftyp") => match &brand[4..] {
            b"avif" | b"avis" => Err(DecodeError::Unsupported("AVIF")),
            b"heic" | b"heix" | b"hevc" | b"hevx" | b"heim" | b"heis" | b"mif1" | b"msf1" => {
                Err(DecodeError::Unsupported("HEIC"))
            }
            _ => Err(DecodeError::Unsupported("a video")),
        },
        [] => Err(DecodeError::Truncated),
        _ => Err(DecodeError::Unknown),
    }
}

/// Frame header of a JPEG.
pub(super) struct JpegHeader {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) components: u8,
    /// Whether the file has fewer bits than an image of this size needs at minimum.
    pub(super) is_too_short: bool,
}

/// Reads the segments up to the first scan. Decoders fill the missing part of a truncated file with gray; such files are detected
/// by a missing end marker after the start of the scan, and by fewer bits than the pixels need at minimum.
pub(super) fn jpeg(bytes: &[u8]) -> Result<JpegHeader, DecodeError> {
    let mut at = 2;
    let mut frame = None;
    loop {
        let (Some(&0xFF), Some(&marker)) = (bytes.get(at), bytes.get(at + 1)) else {
            return Err(if at + 1 >= bytes.len() {
                DecodeError::Truncated
            } else {
                DecodeError::Damaged("a segment has a wrong length".into())
            });
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
            0xD9 => return Err(DecodeError::Damaged("no image data".into())),
            _ => {}
        }
        let (Some(&high), Some(&low)) = (bytes.get(at + 2), bytes.get(at + 3)) else {
            return Err(DecodeError::Truncated);
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let Some(body) = bytes.get(at + 4..at + 2 + length.max(2)) else { return Err(DecodeError::Truncated) };
        at += 2 + length.max(2);
        match (marker, body) {
            (0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF, [_, h1, h2, w1, w2, components, ..]) => {
                let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
                let (width, height) = (side(*w1, *w2), side(*h1, *h2));
                let header = JpegHeader { width, height, components: *components, is_too_short: false };
                frame = Some((header, marker));
            }
            (0xDA, _) => break,
            _ => {}
        }
    }
    let rest = &bytes[at.min(bytes.len())..];
    let Some((mut header, marker)) = frame else { return Err(DecodeError::Damaged("no frame header".into())) };
    // The shortest code is one bit: a block takes at least one in a progressive image, two in other Huffman-coded ones.
    let least = if marker == 0xC2 { 1 } else { 2 };
    let blocks = u64::from(header.width) * u64::from(header.height) / 64;
    header.is_too_short = marker < 0xC8 && (rest.len() as u64) * 8 < blocks * least;
    if !rest.windows(2).any(|w| w == [0xFF, 0xD9]) {
        return Err(DecodeError::Truncated);
    }
    Ok(header)
}
