//! What the engines of photos share: refusals of what cannot be read or written, formats, files.

use std::path::{Path, PathBuf};

use aerie_domain::{FailureCode, PhotoFormat};
use aerie_photo::{DecodeError, EncodeError, Format, Photo};
use sha2::{Digest, Sha256};

use crate::engine::{EngineContext, EngineError};

/// The photo at `image_url`.
pub(crate) fn read(context: &EngineContext<'_>) -> Result<Photo, EngineError> {
    aerie_photo::decode_file(context.input("image_url")?).map_err(unreadable)
}

/// Every refusal is the file's own fault: another attempt would end the same way.
fn unreadable(error: DecodeError) -> EngineError {
    EngineError::Fail { code: FailureCode::ImageUnreadable, message: error.to_string() }
}

pub(crate) fn unwritable(error: EncodeError) -> EngineError {
    EngineError::Fail { code: FailureCode::ImageUnreadable, message: error.to_string() }
}

/// Writes a file of the attempt's folder.
pub(crate) fn keep(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, EngineError> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).map_err(|e| EngineError::Retry(format!("cannot write the photo: {e}")))?;
    Ok(path)
}

pub(crate) fn format(format: PhotoFormat) -> Format {
    match format {
        PhotoFormat::Jpeg => Format::Jpeg,
        PhotoFormat::Png => Format::Png,
        PhotoFormat::Webp => Format::Webp,
    }
}

/// What tells a picture's file from any other.
pub(crate) fn identity(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
