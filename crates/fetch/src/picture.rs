//! Received images: format by content, dimensions by header.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::{FetchError, Limits};

/// Headers read at once, on threads that may block.
static MEASURING: Semaphore = Semaphore::const_new(4);
/// Greatest number of parts of a header that are skipped. Photos have some hundred at most; a file may be millions of empty ones.
const PARTS: u32 = 4096;

/// Supported formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    WebP,
    /// TIFF.
    Tiff,
}

/// An image in an unnamed temporary file, which is deleted on drop.
#[derive(Debug)]
pub struct Picture {
    /// The file, positioned at its start.
    pub file: File,
    /// Size in bytes.
    pub size: u64,
    /// Format.
    pub format: Format,
    /// Width in pixels, from the header.
    pub width: u64,
    /// Height in pixels, from the header.
    pub height: u64,
}

/// Bytes that are received before they are written: a server may send them one by one.
const BUFFER: usize = 256 << 10;

/// Receives the bytes of an image, and writes them on threads that may block.
#[derive(Debug)]
pub struct PictureReceiver {
    file: Arc<File>,
    buffer: Vec<u8>,
    size: u64,
    limits: Limits,
}

impl Format {
    /// Name for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Jpeg => "JPEG",
            Format::Png => "PNG",
            Format::WebP => "WebP",
            Format::Tiff => "TIFF",
        }
    }

    /// File extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::WebP => "webp",
            Format::Tiff => "tif",
        }
    }
}

impl PictureReceiver {
    /// Starts with an empty temporary file in `folder`.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn new(folder: &Path, limits: Limits) -> Result<Self, FetchError> {
        let file = Arc::new(tempfile::tempfile_in(folder).map_err(scratch)?);
        Ok(Self { file, buffer: Vec::new(), size: 0, limits })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If there are too many, or the file fails.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        self.size += bytes.len() as u64;
        if self.size > self.limits.size {
            return Err(FetchError::TooLarge(self.limits.size));
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < BUFFER {
            return Ok(());
        }
        let (file, buffer) = (Arc::clone(&self.file), std::mem::take(&mut self.buffer));
        let written = tokio::task::spawn_blocking(move || file.as_ref().write_all(&buffer));
        written.await.map_err(|error| FetchError::Scratch(error.to_string()))?.map_err(scratch)
    }

    /// Bytes received so far.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes as they are, in an unnamed temporary file that is positioned at its start: a part of an image.
    ///
    /// # Errors
    /// If the file fails.
    pub async fn into_part(self) -> Result<File, FetchError> {
        let written = tokio::task::spawn_blocking(move || {
            let mut file =
                Arc::into_inner(self.file).ok_or_else(|| FetchError::Scratch("the file is in use".into()))?;
            file.write_all(&self.buffer).map_err(scratch)?;
            file.rewind().map_err(scratch)?;
            Ok(file)
        });
        written.await.map_err(|error| FetchError::Scratch(error.to_string()))?
    }

    /// Detects the format and reads the dimensions, on a thread that may block.
    ///
    /// # Errors
    /// If it is not a supported image.
    pub async fn finish(self) -> Result<Picture, FetchError> {
        let permit = MEASURING.acquire().await.map_err(|closed| FetchError::Scratch(closed.to_string()))?;
        let measured = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            self.measured()
        });
        measured.await.map_err(|error| FetchError::Scratch(error.to_string()))?
    }

    fn measured(self) -> Result<Picture, FetchError> {
        let mut file = Arc::into_inner(self.file).ok_or_else(|| FetchError::Scratch("the file is in use".into()))?;
        file.write_all(&self.buffer).map_err(scratch)?;
        let mut start = Vec::new();
        file.rewind().map_err(scratch)?;
        (&mut file).take(64).read_to_end(&mut start).map_err(scratch)?;
        let format = format_of(&start).map_err(FetchError::NotAnImage)?;
        file.rewind().map_err(scratch)?;
        // The header is untrusted: a panic of the parser must fail only this request.
        let unreadable = FetchError::Unreadable(format.name());
        let measure = || imagesize::reader_size(Bounded { reader: BufReader::new(&file), parts: PARTS });
        let measured = std::panic::catch_unwind(std::panic::AssertUnwindSafe(measure));
        let Ok(Ok(found)) = measured else { return Err(unreadable) };
        let (width, height) = (found.width as u64, found.height as u64);
        if width == 0 || height == 0 {
            return Err(unreadable);
        }
        if width.saturating_mul(height) > self.limits.pixels {
            return Err(FetchError::TooManyPixels { width, height, most: self.limits.pixels });
        }
        file.seek(SeekFrom::Start(0)).map_err(scratch)?;
        Ok(Picture { file, size: self.size, format, width, height })
    }
}

/// A reader of a header that fails once too many parts were skipped.
struct Bounded<R> {
    reader: R,
    parts: u32,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
    }
}

impl<R: Seek> Seek for Bounded<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.parts = self.parts.checked_sub(1).ok_or_else(|| std::io::Error::other("too many parts"))?;
        self.reader.seek(to)
    }
}

fn scratch(error: std::io::Error) -> FetchError {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        return FetchError::NoRoom;
    }
    FetchError::Scratch(error.to_string())
}

/// Detects the format by the first bytes; the error describes what it is instead.
fn format_of(start: &[u8]) -> Result<Format, &'static str> {
    let is_webp = start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP");
    match start {
        [0xff, 0xd8, 0xff, ..] => return Ok(Format::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => return Ok(Format::Png),
        [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => return Ok(Format::Tiff),
        _ if is_webp => return Ok(Format::WebP),
        _ => {}
    }
    if start.get(4..8) == Some(b"ftyp") {
        return Err(match start.get(8..12) {
            Some(b"avif" | b"avis") => "an AVIF image",
            Some(b"heic" | b"heix" | b"hevc" | b"hevx" | b"heim" | b"heis" | b"mif1" | b"msf1") => "a HEIC image",
            _ => "a video",
        });
    }
    let known: &[(&[u8], &str)] = &[
        (b"GIF8", "a GIF image"),
        (b"BM", "a BMP image"),
        (b"II+\0", "a BigTIFF image"),
        (b"MM\0+", "a BigTIFF image"),
        (b"\xff\x0a", "a JPEG XL image"),
        (b"\0\0\0\x0cJXL ", "a JPEG XL image"),
        (b"\0\0\0\x0cjP  ", "a JPEG 2000 image"),
        (b"\0\0\x01\0", "an icon"),
        (b"8BPS", "a Photoshop file"),
        (b"%PDF", "a PDF file"),
        (b"\x1f\x8b", "compressed data"),
        (b"PK\x03\x04", "an archive"),
    ];
    if let Some((_, name)) = known.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(name);
    }
    let text: String = start.iter().map(|byte| char::from(*byte).to_ascii_lowercase()).collect();
    let text = text.trim_start_matches("ï»¿").trim_start();
    if text.starts_with("<svg") {
        return Err("an SVG image");
    }
    Err(if text.starts_with('<') { "a web page or other markup" } else { "not an image" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &[u8]) -> Result<Picture, FetchError> {
        let mut receiving = PictureReceiver::new(&std::env::temp_dir(), Limits::default())?;
        receiving.buffer.extend_from_slice(bytes);
        receiving.size = bytes.len() as u64;
        receiving.measured()
    }

    /// The start of a PNG of a size.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn dimensions_are_read_from_the_header_and_the_file_is_rewound() {
        let mut found = picture(&png(640, 480)).unwrap();
        assert_eq!((found.format, found.width, found.height), (Format::Png, 640, 480));
        let mut bytes = Vec::new();
        found.file.read_to_end(&mut bytes).unwrap();
        assert_eq!((bytes.len() as u64, bytes), (found.size, png(640, 480)));
    }

    #[test]
    fn each_supported_format_is_detected_by_content() {
        let jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\x01\xe0\x02\x80\x03\x01\x22\0\x02\x11\x01\x03\x11\x01";
        let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0e\0\0\0\x2f\x7f\xc2\x77\0\0\0\0\0\0\0\0\0\0";
        // One directory of two entries: width (256) and height (257).
        let tiff =
            b"II*\0\x08\0\0\0\x02\0\0\x01\x04\0\x01\0\0\0\x80\x02\0\0\x01\x01\x04\0\x01\0\0\0\xe0\x01\0\0\0\0\0\0";
        for (bytes, format) in
            [(jpeg.as_slice(), Format::Jpeg), (webp.as_slice(), Format::WebP), (tiff.as_slice(), Format::Tiff)]
        {
            let found = picture(bytes).unwrap();
            assert_eq!((found.format, found.width, found.height), (format, 640, 480));
        }
    }

    #[test]
    fn forty_million_pixels_are_accepted_but_not_one_row_more() {
        assert!(picture(&png(8000, 5000)).is_ok());
        let refused = picture(&png(8000, 5001)).unwrap_err();
        assert_eq!(refused.to_string(), "has 8000 x 5001 pixels; the limit is 40000000");
        assert!(matches!(picture(&png(u32::MAX, u32::MAX)).unwrap_err(), FetchError::TooManyPixels { .. }));
    }

    #[test]
    fn other_content_is_named_in_the_error() {
        for (bytes, name) in [
            (b"GIF89a".as_slice(), "a GIF image"),
            (b"\0\0\0\x18ftypheic", "a HEIC image"),
            (b"\0\0\0\x18ftypavif", "an AVIF image"),
            (b"\0\0\0\x18ftypisom", "a video"),
            (b" <SVG xmlns=''>", "an SVG image"),
            (b"<!DOCTYPE html>", "a web page"),
            (b"BM....", "a BMP image"),
            (b"%PDF-1.7", "a PDF"),
            (b"", "not an image"),
            (b"hello", "not an image"),
        ] {
            let error = picture(bytes).unwrap_err().to_string();
            assert!(error.starts_with(&format!("is {name}")), "{error}");
        }
    }

    #[test]
    fn truncated_headers_and_empty_images_are_rejected() {
        let (whole, empty) = (png(640, 480), png(0, 480));
        for bytes in [&whole[..8], &whole[..18], &empty, b"\xff\xd8\xff", b"II*\0", b"RIFF\0\0\0\0WEBP"] {
            assert!(matches!(picture(bytes).unwrap_err(), FetchError::Unreadable(_)), "{bytes:?}");
        }
    }

    #[test]
    fn a_header_of_millions_of_empty_parts_is_given_up_after_some_thousand() {
        let mut bytes = vec![0xff, 0xd8];
        bytes.extend([0xff, 0xe0, 0, 2].repeat(1_000_000));
        let mut reader = Bounded { reader: std::io::Cursor::new(&bytes), parts: PARTS };
        assert!(imagesize::reader_size(&mut reader).is_err());
        assert!(reader.reader.position() < 100_000, "{}", reader.reader.position());
        // A photo with a long header is read.
        let mut photo = vec![0xff, 0xd8];
        photo.extend([[0xff, 0xe2, 0xff, 0xff].as_slice(), &[0; 0xfffd]].concat().repeat(200));
        photo.extend(b"\xff\xc0\0\x11\x08\x01\xe0\x02\x80\x03\x01\x22\0\x02\x11\x01\x03\x11\x01");
        let found = picture(&photo).unwrap();
        assert_eq!((found.width, found.height), (640, 480));
    }

    #[tokio::test]
    async fn headers_made_to_be_slow_do_not_stall_the_runtime() {
        let mut bytes = vec![0xff, 0xd8];
        bytes.extend([0xff, 0xe0, 0, 2].repeat(6_000_000));
        bytes.extend([0xff, 0xd9]);
        let mut receivers = Vec::new();
        for _ in 0..8 {
            let mut receiving = PictureReceiver::new(&std::env::temp_dir(), Limits::default()).unwrap();
            receiving.push(&bytes).await.unwrap();
            receivers.push(tokio::spawn(receiving.finish()));
        }
        // On a runtime of one thread, this loop gets turns only while no task holds the thread.
        let mut turns = 0;
        while !receivers.iter().all(tokio::task::JoinHandle::is_finished) {
            turns += 1;
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        assert!(turns > 1, "the runtime had no turn while headers were read");
        for receiver in receivers {
            assert!(matches!(receiver.await.unwrap(), Err(FetchError::Unreadable("JPEG"))));
        }
    }

    #[tokio::test]
    async fn one_byte_over_the_limit_is_rejected() {
        let limits = Limits { size: 10, ..Limits::default() };
        let mut receiving = PictureReceiver::new(&std::env::temp_dir(), limits).unwrap();
        receiving.push(&[0; 10]).await.unwrap();
        assert_eq!(receiving.push(&[0]).await.unwrap_err(), FetchError::TooLarge(10));
    }
}
