//! Images in the files of operators' models.

use aerie_furniture::texture::Pixels;

/// Decodes one, as [`OperatorModels::read`](aerie_furniture::OperatorModels::read) asks for it.
///
/// # Errors
/// If it is no image that photos may be.
pub fn decode_pixels(bytes: &[u8]) -> Result<Pixels, String> {
    let aerie_photo::Rgba { width, height, pixels } = aerie_photo::decode_rgba(bytes).map_err(|e| e.to_string())?;
    Ok(Pixels { width, height, pixels })
}
