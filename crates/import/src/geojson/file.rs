//! A GeoJSON file to import.

use std::path::Path;

use crate::options::ImportOptions;

/// The import of one file into the pack.
pub(crate) struct GeoJson<'a> {
    pub(crate) path: &'a Path,
    /// Folder for temporary files.
    pub(crate) work: &'a Path,
    /// Whether there was no pack before.
    pub(crate) fresh: bool,
    pub(crate) progress: &'a dyn Fn(&'static str, u64, u64),
    pub(crate) options: &'a ImportOptions<'a>,
}
