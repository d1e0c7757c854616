//! Inputs and output of a clip or film.

use std::path::{Path, PathBuf};

use aerie_engine_api::{EngineContext, EngineError, FailureCode, Produced, ProducedFile, layers};
use aerie_photo::Layers;
use serde_json::{Value, json};

use crate::photos;

/// The first photo among the inputs.
pub(super) const IMAGE: &str = "image_url";

/// The output: video and thumbnail, duration in seconds, motion and disclosure.
pub(super) fn produced([video, thumbnail]: [PathBuf; 2], seconds: i64, motion: Value, disclosure: Value) -> Produced {
    let fields = [("duration", json!(seconds)), ("motion", motion), ("disclosure", disclosure)];
    Produced {
        files: vec![
            ProducedFile::new("video_url", video, "video/mp4"),
            ProducedFile::new("thumbnail_url", thumbnail, "image/jpeg"),
        ],
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        ..Produced::default()
    }
}

/// The photo itself is at fault, so that another attempt would fail, too.
pub(super) fn unreadable(message: String) -> EngineError {
    EngineError::fail(FailureCode::ImageUnreadable, message)
}

/// The layers of a staged picture, if they came with it; `picture` is its name among the inputs. Layers of another picture are
/// ignored.
pub(super) fn read_layers(context: &EngineContext<'_>, picture: &str) -> Result<Option<Layers>, EngineError> {
    let Some(path) = context.inputs.get(&layers::input_of(picture)) else { return Ok(None) };
    let read = |path: &Path| std::fs::read(path).map_err(|e| EngineError::Retry(format!("cannot read the photo: {e}")));
    let picture = photos::identity(&read(context.input(picture)?)?);
    // Untrusted: unreadable layers are ignored.
    Ok(Layers::read(&read(path)?).ok().filter(|layers| layers.picture == picture))
}
