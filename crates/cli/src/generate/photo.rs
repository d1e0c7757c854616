//! Input and output pictures.

use std::path::Path;

use anyhow::bail;

/// In place of the URL of a picture.
pub(super) const LOCAL: &str = "a local file";

/// Returns the image format for a file name.
pub(super) fn format_of(output: &Path) -> anyhow::Result<&'static str> {
    let ending = output.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("jpg" | "jpeg") => Ok("jpeg"),
        Some("png") => Ok("png"),
        Some("webp") => Ok("webp"),
        _ => bail!(
            "{} must end in .jpg, .png or .webp; the thumbnail is written next to it as .thumbnail.jpg",
            output.display()
        ),
    }
}
