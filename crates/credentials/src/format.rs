//! File formats, by their first bytes.

use std::io::Read;
use std::path::Path;

/// A format that can carry Content Credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
    /// TIFF.
    Tiff,
    /// GIF.
    Gif,
    /// HEIF and AVIF.
    Heif,
    /// MP4 and QuickTime.
    Mp4,
}

impl Format {
    /// The format of a file that begins with these bytes; 12 are enough.
    #[must_use]
    pub fn of_bytes(head: &[u8]) -> Option<Self> {
        match head {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Self::Tiff),
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => match brand.get(..4) {
                Some(
                    b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" | b"mif1" | b"mif2"
                    | b"msf1" | b"miaf" | b"1pic" | b"MiHB" | b"MiHE" | b"avif" | b"avis",
                ) => Some(Self::Heif),
                _ => Some(Self::Mp4),
            },
            _ => None,
        }
    }

    /// The format of a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_file(path: &Path) -> std::io::Result<Option<Self>> {
        let mut head = Vec::new();
        std::fs::File::open(path)?.take(12).read_to_end(&mut head)?;
        Ok(Self::of_bytes(&head))
    }

    /// Media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Tiff => "image/tiff",
            Self::Gif => "image/gif",
            Self::Heif => "image/heif",
            Self::Mp4 => "video/mp4",
        }
    }
}

/// Whether Aerie writes Content Credentials into files of a media type that it makes.
///
/// # Errors
/// Why it does not.
pub fn carries(content_type: &str) -> Result<(), &'static str> {
    match content_type {
        "image/jpeg" | "image/png" | "image/webp" | "video/mp4" => Ok(()),
        "image/tiff" => Err("a file with layers is data for later jobs, not a picture to publish"),
        _ => Err("this format cannot carry Content Credentials"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_first_bytes() {
        for (head, format) in [
            (&b"\xFF\xD8\xFF\xE0"[..], Some(Format::Jpeg)),
            (b"\x89PNG\r\n\x1A\n", Some(Format::Png)),
            (b"RIFF\0\0\0\0WEBPVP8X", Some(Format::Webp)),
            (b"II*\0", Some(Format::Tiff)),
            (b"\0\0\0\x20ftypisom", Some(Format::Mp4)),
            (b"\0\0\0\x20ftypheic", Some(Format::Heif)),
            (b"\0\0\0\x20ftyphevx", Some(Format::Heif)),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"", None),
        ] {
            assert_eq!(Format::of_bytes(head), format, "{head:?}");
        }
    }
}
