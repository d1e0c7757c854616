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
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognized {
    /// Format.
    pub format: Format,
    /// Width of the picture as stored, pixels.
    pub width: u32,
    /// Height of the picture as stored, pixels.
    pub height: u32,
    /// Offset of the directory of the picture in a TIFF; 0 in other formats.
    pub directory: u64,
    /// Which picture of several is used, for reports ("the first of 3 pages is used").
    pub notes: Vec<String>,
}

/// Why a file is not taken for a picture.
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
    /// What it is, with an article: "a GIF image".
    pub what: String,
    /// What to do instead.
    pub remedy: &'static str,
}

impl Unsupported {
    /// Something for which another format is the way out.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: "JPEG, PNG, WebP and TIFF images are supported" }
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
