//! The sample town.
use std::path::{Path, PathBuf};
/// Addresses.
pub const SAMPLE_ADDRESSES: &[&str] = &["12 Larkspur Lane, 10001 Featherstone Vale"];
pub(crate) fn ensure(data_dir: &Path) -> Result<PathBuf, crate::WorldError> {
    Err(crate::WorldError::io(data_dir, std::io::Error::other("no map data imported")))
}
