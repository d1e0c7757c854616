//! Files under construction.

use std::fs::{self, File};
use std::path::Path;

pub use aerie_geodata::pack::WORK_PREFIX;

/// Removes temporary files that a killed process left in a folder, if the folder exists. The caller holds the folder's
/// lock.
pub fn remove_left_over(folder: &Path, prefix: &str) -> std::io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
    }
    Ok(())
}

/// Moves a finished file into place, so that after a crash either the old file or the new one is complete.
pub(crate) fn publish(from: &Path, to: &Path) -> std::io::Result<()> {
    File::open(from)?.sync_all()?;
    fs::rename(from, to)?;
    match to.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
