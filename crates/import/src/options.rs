//! What an import may use, and how it reports its progress.

use std::path::Path;
use std::process::Command;

/// What an import may use, and how it reports its progress.
pub struct ImportOptions<'a> {
    /// The data folder; the pack is kept in `pack` inside it.
    pub data_dir: &'a Path,
    /// Receives progress; called often.
    pub progress: &'a (dyn Fn(ImportProgress) + Sync),
    /// Called often; `true` stops the import with [`ImportError::Canceled`](crate::ImportError::Canceled) and leaves the pack
    /// unchanged.
    pub canceled: &'a (dyn Fn() -> bool + Sync),
    /// Attribution for pictures made from imported imagery; overrides the one in the file.
    pub attribution: Option<&'a str>,
    /// Coordinate system of city models and point clouds, as `EPSG:N`; overrides the one in the file.
    pub crs: Option<&'a str>,
    /// Meters per unit of heights in GeoJSON and rasters; overrides the file's own.
    pub height_unit: Option<f64>,
    /// Whether to import a file of which most features of a layer cannot be used.
    pub allow_partial: bool,
    /// Confines GDAL's tools. `None`: they run with the rights of this process.
    pub confine: Option<&'a Confine<'a>>,
}

impl<'a> ImportOptions<'a> {
    /// Options for a data folder: nothing is overridden, reported or canceled.
    #[must_use]
    pub fn new(data_dir: &'a Path) -> Self {
        Self {
            data_dir,
            progress: &|_| {},
            canceled: &|| false,
            attribution: None,
            crs: None,
            height_unit: None,
            allow_partial: false,
            confine: None,
        }
    }
}

/// Wraps the command of a tool, so that it can read only the given file, and what belongs to it, and write only to the given
/// folder.
pub type Confine<'a> = dyn Fn(&Command, &Path, &Path) -> std::io::Result<Command> + Sync + 'a;

/// How far an import has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProgress {
    /// Name of the file, without its folder.
    pub file: String,
    /// Current stage of the import.
    pub stage: &'static str,
    /// Bytes of the file, or addresses, processed.
    pub done: u64,
    /// Bytes or addresses in total; 0 if unknown.
    pub total: u64,
}
