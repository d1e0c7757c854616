//! The operator's own furniture, which a confined child reads.

use std::path::Path;
use std::time::Duration;

use aerie_engine_api::messages::Task;
use aerie_engine_api::{FURNITURE, Furniture};

use crate::config::Config;
use crate::engine_child::ask_confined;

/// How long reading all models may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Reads the furniture of the data folder.
pub(crate) fn check(config: &Config) -> anyhow::Result<Furniture> {
    let folder = config.data_dir.join(FURNITURE);
    if folder.exists() { read(config, &folder, None) } else { Ok(Furniture::default()) }
}

/// Reads the furniture of a folder, and writes a picture of each piece to another.
pub(crate) fn read(config: &Config, folder: &Path, thumbnails: Option<&Path>) -> anyhow::Result<Furniture> {
    let task = Task::ReadFurniture { folder: folder.to_owned(), thumbnails: thumbnails.map(Path::to_owned) };
    let temp_dir = tempfile::tempdir()?;
    ask_confined(task, temp_dir.path(), Some(config.job_memory()), LIMIT.into())
}
