//! Content Credentials (C2PA) in picture files: only where they lie.

use std::borrow::Cow;

use img_parts::Bytes;
use img_parts::jpeg::{Jpeg, JpegSegment, markers};
use img_parts::png::Png;
use img_parts::webp::WebP;

/// Begins the segments of a JPEG file that hold boxes of JUMBF.
const JUMBF: &[u8] = b"JP";

/// Returns a JPEG, PNG or WebP file as it was before Content Credentials were added, or other bytes as they are.
#[must_use]
pub fn without_credentials(file: &[u8]) -> Cow<'_, [u8]> {
    stripped(file).map_or(Cow::Borrowed(file), Cow::Owned)
}

/// The file without them, if it carries any.
fn stripped(file: &[u8]) -> Option<Vec<u8>> {
    let is_credentials =
        |segment: &JpegSegment| segment.marker() == markers::APP11 && segment.contents().starts_with(JUMBF);
    let mut bytes = Vec::with_capacity(file.len());
    if file.starts_with(&[0xFF, 0xD8]) {
        let mut jpeg = Jpeg::from_bytes(Bytes::copy_from_slice(file)).ok()?;
        jpeg.segments().iter().any(is_credentials).then_some(())?;
        jpeg.segments_mut().retain(|segment| !is_credentials(segment));
        jpeg.encoder().write_to(&mut bytes).ok()?;
    } else if file.starts_with(b"\x89PNG") {
        let mut png = Png::from_bytes(Bytes::copy_from_slice(file)).ok()?;
        png.chunk_by_type(*b"caBX")?;
        png.remove_chunks_by_type(*b"caBX");
        png.encoder().write_to(&mut bytes).ok()?;
    } else if file.starts_with(b"RIFF") {
        let mut webp = WebP::from_bytes(Bytes::copy_from_slice(file)).ok()?;
        webp.has_chunk(*b"C2PA").then_some(())?;
        webp.remove_chunks_by_id(*b"C2PA");
        webp.encoder().write_to(&mut bytes).ok()?;
    } else {
        return None;
    }
    Some(bytes)
}
