//! Received images: format by content, dimensions by header.

use std::fs::File;
use std::io::{BufReader, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use aerie_picture_format::{Format, Recognized, Refusal, Source, Unsupported};
use tokio::sync::Semaphore;

use crate::{FetchError, Limits};

/// Headers read at once, on threads that may block.
static MEASURING: Semaphore = Semaphore::const_new(4);

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
        let recognize = || aerie_picture_format::recognize(&mut Source::new(BufReader::new(&file))?);
        let Recognized { format, width, height, .. } = recognized(recognize)?;
        let (width, height) = (u64::from(width), u64::from(height));
        if width.saturating_mul(height) > self.limits.pixels {
            return Err(FetchError::TooManyPixels { width, height, most: self.limits.pixels });
        }
        file.rewind().map_err(scratch)?;
        Ok(Picture { file, size: self.size, format, width, height })
    }
}

/// Recognizes a picture. Its header is untrusted: a panic of the parser must not fail more than this request, and is the picture's fault.
fn recognized(recognize: impl FnOnce() -> Result<Recognized, Refusal>) -> Result<Recognized, FetchError> {
    let recognized = std::panic::catch_unwind(std::panic::AssertUnwindSafe(recognize)).unwrap_or_else(|_| {
        Err(Unsupported::new("a damaged picture").or("export it again and send the new file").into())
    });
    recognized.map_err(|refusal| match refusal {
        Refusal::Unsupported(unsupported) => FetchError::NotAnImage(unsupported),
        Refusal::Unreadable(format) => FetchError::Unreadable(format.name()),
        Refusal::Truncated(format) => FetchError::Truncated(format.name()),
        Refusal::Io(error) => FetchError::Scratch(error),
    })
}

fn scratch(error: std::io::Error) -> FetchError {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        return FetchError::NoRoom;
    }
    FetchError::Scratch(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use aerie_test_data::heif;

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
        let jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\x01\xe0\x02\x80\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xda\0\x02";
        let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0e\0\0\0\x2f\x7f\xc2\x77\0\0\0\0\0\0\0\0\0\0";
        // One directory of two entries: width (256) and height (257).
        let tiff =
            b"II*\0\x08\0\0\0\x02\0\0\x01\x04\0\x01\0\0\0\x80\x02\0\0\x01\x01\x04\0\x01\0\0\0\xe0\x01\0\0\0\0\0\0";
        let heic = heif::file(b"heic", &[b"mif1", b"heic"], &[heif::Item::new(b"hvc1", b"").size(640, 480)]);
        for (bytes, format) in [
            (jpeg.as_slice(), Format::Jpeg),
            (webp.as_slice(), Format::WebP),
            (tiff.as_slice(), Format::Tiff),
            (heic.as_slice(), Format::Heic),
        ] {
            let found = picture(bytes).unwrap();
            assert_eq!((found.format, found.width, found.height), (format, 640, 480));
        }
    }

    #[test]
    fn a_hundred_million_pixels_are_accepted_but_not_one_row_more() {
        assert!(picture(&png(10_000, 10_000)).is_ok());
        let refused = picture(&png(10_000, 10_001)).unwrap_err();
        assert_eq!(refused.to_string(), "has 10000 x 10001 pixels; the limit is 100000000");
        assert!(matches!(picture(&png(u32::MAX, u32::MAX)).unwrap_err(), FetchError::TooManyPixels { .. }));
    }

    #[test]
    fn other_content_is_named_in_the_error() {
        for (bytes, name) in [
            (b"GIF89a".as_slice(), "a GIF image"),
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
        for bytes in [&whole[..8], &whole[..18], &empty, b"II*\0", b"RIFF\0\0\0\0WEBP"] {
            assert!(matches!(picture(bytes).unwrap_err(), FetchError::Unreadable(_)), "{bytes:?}");
        }
        assert!(matches!(picture(b"\xff\xd8\xff").unwrap_err(), FetchError::Truncated("JPEG")));
        assert!(matches!(picture(b"\0\0\0\x18ftypheic").unwrap_err(), FetchError::Truncated("HEIC")));
        assert!(matches!(picture(b"\0\0\0\x18ftypavif").unwrap_err(), FetchError::Truncated("AVIF")));
    }

    #[test]
    fn a_picture_on_which_the_parser_panics_is_refused_as_damaged() {
        let error = recognized(|| panic!("out of bounds")).unwrap_err();
        assert!(matches!(error, FetchError::NotAnImage(_)));
        assert_eq!(error.to_string(), "is a damaged picture; export it again and send the new file");
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
            assert!(matches!(receiver.await.unwrap(), Err(FetchError::NotAnImage(_))));
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
