//! Recognizes pictures by their structure: what a file is, how large its picture is, and which of its pictures that is.
//!
//! Uploads, pictures at URLs and engines ask here, so that all of them take the same file for the same thing. Only headers are read;
//! names and declared types are ignored. Parts that are read are limited in number and size.
mod format;
mod heif;
mod iso;
pub mod jpeg;
mod known;
mod png;
mod raw;
mod source;
pub mod tiff;
mod webp;

pub use format::{Format, Recognized, Refusal, Unsupported};
pub use source::Source;

/// Bytes at the start of a file that tell most formats apart.
const START: usize = 4096;

/// Recognizes a file.
///
/// # Errors
/// [`Refusal`].
pub fn recognize(source: &mut Source<'_>) -> Result<Recognized, Refusal> {
    let start = source.at(0, START)?;
    if let Some(raw) = raw::by_magic(&start) {
        return Err(raw.into());
    }
    match &start[..] {
        [0xFF, 0xD8, 0xFF, 0xF7, ..] => Err(Unsupported::new("a JPEG-LS image").into()),
        [0xFF, 0xD8, 0xFF, ..] => jpeg::recognized(source),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => png::recognized(source),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp::recognized(source),
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => tiff::recognized(source),
        _ => iso::recognized(source, &start)?.ok_or_else(|| known::name(&start).into()),
    }
}
