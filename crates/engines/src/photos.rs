//! Shared by the engines of photos: reading, writing, formats and errors.

use std::path::{Path, PathBuf};

use aerie_engine_api::{EngineContext, EngineError, FailureCode, PhotoFormat, ProducedFile};
use aerie_photo::report::Disclosure;
use aerie_photo::{DecodeError, EncodeError, Format, OutputOptions, Photo, Picture, StoredFrame};
use sha2::{Digest, Sha256};

/// The photo at `image_url`.
pub(crate) fn read(context: &EngineContext<'_>) -> Result<Photo, EngineError> {
    aerie_photo::decode_file(context.input("image_url")?).map_err(unreadable)
}

/// The photo of another field, turned like a photo that is stored as `like` if its pixels fit; errors name the field.
pub(crate) fn read_input(
    context: &EngineContext<'_>,
    (field, input): (&str, &str),
    like: Option<StoredFrame>,
) -> Result<Photo, EngineError> {
    aerie_photo::decode_file_like(context.input(input)?, like)
        .map_err(|error| EngineError::fail(FailureCode::ImageUnreadable, format!("`{field}`: {error}")))
}

/// Says why a panorama is refused where lines and depths of a flat photo are needed; `None` for a flat photo.
pub(crate) fn not_flat(photo: &Photo) -> Option<String> {
    let panorama = photo.panorama.as_ref()?;
    Some(format!(
        "The photo is {}, not a flat photo. Send a photo of one view, or export one from the panorama.",
        panorama.name()
    ))
}

/// The file itself is at fault, so that another attempt would fail, too.
fn unreadable(error: DecodeError) -> EngineError {
    EngineError::fail(FailureCode::ImageUnreadable, error.to_string())
}

pub(crate) fn unwritable(error: EncodeError) -> EngineError {
    EngineError::fail(FailureCode::ImageUnreadable, error.to_string())
}

/// Writes a file into the attempt's folder.
pub(crate) fn keep(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, EngineError> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).map_err(|e| EngineError::Retry(format!("cannot write the photo: {e}")))?;
    Ok(path)
}

/// Longest side of the photos that listing services take, pixels.
const MLS_SIDE: u32 = 2048;

/// Writes `mls.jpg` into the attempt's folder: the picture as a JPEG in the size for listing services. Also
/// returns its width and height.
pub(crate) fn keep_for_mls(
    folder: &Path,
    picture: &Picture,
    finish: &OutputOptions,
    disclosure: &Disclosure,
    (steps, exif): (&[String], Option<&[u8]>),
) -> Result<(ProducedFile, [usize; 2]), EngineError> {
    let max_size = Some(finish.max_size.map_or(MLS_SIDE, |side| side.min(MLS_SIDE)));
    let finish = OutputOptions { format: Format::Jpeg, max_size, ..finish.clone() };
    let written = aerie_photo::encode(picture, &finish, disclosure, steps, exif).map_err(unwritable)?;
    let file = keep(folder, "mls.jpg", &written.bytes)?;
    Ok((ProducedFile::new("mls_url", file, "image/jpeg"), [written.width, written.height]))
}

pub(crate) fn format(format: PhotoFormat) -> Format {
    match format {
        PhotoFormat::Jpeg => Format::Jpeg,
        PhotoFormat::Png => Format::Png,
        PhotoFormat::Webp => Format::Webp,
    }
}

/// SHA-256 of a picture file without its Content Credentials, which are added after it was made; hexadecimal.
pub(crate) fn identity(bytes: &[u8]) -> String {
    Sha256::digest(aerie_photo::without_credentials(bytes)).iter().map(|byte| format!("{byte:02x}")).collect()
}
