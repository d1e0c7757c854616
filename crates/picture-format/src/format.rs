//! What a file may be found to be.

/// Supported formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    WebP,
    /// TIFF and BigTIFF.
    Tiff,
    /// HEIC: a still image coded as HEVC in a HEIF file.
    Heic,
    /// AVIF: a still image coded as AV1 in a HEIF file.
    Avif,
    /// DNG: what a sensor has measured, in Adobe's form.
    Dng,
    /// NEF: what a sensor of Nikon has measured.
    Nef,
}

/// A recognized file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognized {
    /// Format.
    pub format: Format,
    /// Width of the picture as stored, pixels; that of the developed picture in a raw file; in HEIC and AVIF, after the crop and the rotation that the file itself prescribes.
    pub width: u32,
    /// Height of the picture, likewise.
    pub height: u32,
    /// Offset of the directory of the picture in a TIFF; 0 in other formats.
    pub directory: u64,
    /// Sentences for reports, such as which of several pictures is used.
    pub notes: Vec<String>,
}

/// Reason why a file is not a picture that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Something else, or of a kind that is not supported.
    Unsupported(Unsupported),
    /// A supported format whose header cannot be read.
    Unreadable(Format),
    /// The file ends before its header does.
    Truncated(Format),
    /// The file cannot be read.
    Io(String),
}

/// A file that is something else, or of a kind that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {remedy}")]
pub struct Unsupported {
    /// Name of its kind, with an article: "a GIF image".
    pub what: String,
    /// Remedy.
    pub remedy: &'static str,
}

/// The way out for pictures that other programs convert.
pub(crate) const CONVERT: &str = "JPEG, PNG, WebP, TIFF, HEIC, AVIF and DNG images are supported; convert it to JPEG";

impl Unsupported {
    /// Something for which another format is the way out.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: "JPEG, PNG, WebP, TIFF, HEIC, AVIF and DNG images are supported" }
    }

    /// The same with another way out.
    #[must_use]
    pub fn or(self, remedy: &'static str) -> Self {
        Self { remedy, ..self }
    }
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
            Format::Heic => "HEIC",
            Format::Avif => "AVIF",
            Format::Dng => "DNG",
            Format::Nef => "NEF",
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
            Format::Heic => "heic",
            Format::Avif => "avif",
            Format::Dng => "dng",
            Format::Nef => "nef",
        }
    }
}

impl From<Unsupported> for Refusal {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::InvalidData => Unsupported::new("a file with too many parts before its picture").into(),
            _ => Self::Io(error.to_string()),
        }
    }
}
