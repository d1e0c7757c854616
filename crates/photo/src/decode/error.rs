//! Errors of decoding.

use aerie_picture_format::{Refusal, Unsupported};

/// Reason why a file cannot be used as a photo, with a suggested remedy.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The file cannot be opened or read.
    #[error("the image cannot be read: {0}")]
    Unopened(#[from] std::io::Error),
    /// Larger than [`MAX_BYTES`](super::MAX_BYTES).
    #[error("the file has {0} MB; the limit is 150 MB")]
    TooLong(u64),
    /// Something else than a supported image.
    #[error("the file is {0}")]
    Unsupported(Unsupported),
    /// More than [`MAX_PIXELS`](super::MAX_PIXELS) according to its header.
    #[error("the image is {width} x {height} according to its header; the limit is 100 megapixels")]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// A side under [`MIN_SIDE`](super::MIN_SIDE).
    #[error("the image is {width} x {height}; send a photo of at least 16 x 16 pixels")]
    TooSmall {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// Print colors that nothing describes.
    #[error("the image is in CMYK colors without a usable color profile; convert it to RGB and send it again")]
    Cmyk,
    /// The file ends before the image does.
    #[error("the image is truncated; send the whole file")]
    Truncated,
    /// The decoder failed.
    #[error("the image is damaged ({0}); export it again and send the new file")]
    Damaged(String),
}

impl DecodeError {
    pub(super) fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported(Unsupported::new(what).or("export it as an ordinary JPEG, PNG, WebP or TIFF"))
    }
}

impl From<Refusal> for DecodeError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unsupported(unsupported) => Self::Unsupported(unsupported),
            Refusal::Truncated(_) => Self::Truncated,
            Refusal::Unreadable(format) => Self::Damaged(format!("the header of the {} is not valid", format.name())),
            Refusal::Io(error) => Self::Damaged(error),
        }
    }
}
