//! Whether the photos of a clip were altered before, and the label of those that were.

use std::path::Path;

use aerie_engine_api::EngineError;
use aerie_engine_api::kinds::video_clip::VideoClipOptions;
use aerie_photo::alteration;
use aerie_render::caption::{Caption, Corner};
use aerie_render::{Picture, RenderError};

/// Letters of a label to the shorter side of the picture, one to this many: as in photos.
const LABEL_SIZE: f32 = 28.0;
/// Share of the width that a label takes at most.
const WIDEST: f32 = 0.96;

/// How a photo was altered before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alteration {
    /// By all that is known, it was not.
    Unaltered,
    /// It was staged by Aerie.
    Staged,
    /// Its metadata say that it shows something that was not there.
    Declared,
}

impl Alteration {
    /// That of a file, which has layers if it was staged.
    ///
    /// # Errors
    /// [`EngineError::Retry`] when it cannot be read.
    pub(super) fn of(file: &Path, has_layers: bool) -> Result<Self, EngineError> {
        if has_layers {
            return Ok(Self::Staged);
        }
        let bytes = std::fs::read(file).map_err(|e| EngineError::Retry(format!("cannot read the photo: {e}")))?;
        Ok(if alteration::is_declared(&bytes) { Self::Declared } else { Self::Unaltered })
    }

    /// The text that frames of the photo carry.
    pub(super) fn label(self, options: Option<&VideoClipOptions>) -> Option<&str> {
        let options = options?;
        let of_profile = match self {
            Self::Unaltered => &None,
            Self::Staged => &options.label_if_staged,
            Self::Declared => &options.label_if_altered,
        };
        options.label.as_ref().or(of_profile.as_ref()).map(String::as_str)
    }
}

/// Lays out a label: one line at the top of every frame, away from the captions of films.
pub(super) fn label(picture: Picture, text: &str) -> Result<Caption, RenderError> {
    let size = picture.width.min(picture.height) as f32 / LABEL_SIZE;
    let widest = WIDEST * picture.width as f32 - 2.0 * size;
    let wanted = Caption::natural_width(text, size)?;
    Caption::new(picture, text, size * (widest / wanted).min(1.0), Corner::TopLeft)
}
