//! The lines, the camera and the room in a photo.

use std::path::Path;

use aerie_engine_api::EngineError;
use aerie_engines::inspect_room::inspect_room;
use anyhow::bail;
use serde_json::Value;

pub(super) fn inspect(image: &Path, overlay: Option<&Path>) -> anyhow::Result<Value> {
    match inspect_room(image, overlay) {
        Ok(report) => Ok(report),
        Err(EngineError::Canceled) => bail!("canceled"),
        Err(error) => bail!("{}: {error}", image.display()),
    }
}
