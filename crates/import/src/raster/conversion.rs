//! The conversion of a raster to a tile file.

use std::path::Path;
use std::process::Command;

use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::tool::Tools;

/// The conversion of a raster to a tile file.
pub(super) struct Conversion<'a> {
    pub(super) path: &'a Path,
    /// The resulting tile file, in a folder of its own.
    pub(super) copy: &'a Path,
    pub(super) progress: &'a dyn Fn(&'static str, u64, u64),
    pub(super) options: &'a ImportOptions<'a>,
}

impl Conversion<'_> {
    pub(super) fn stop_if_canceled(&self) -> Result<(), ImportError> {
        if (self.options.canceled)() { Err(ImportError::Canceled) } else { Ok(()) }
    }

    /// Runs one of GDAL's tools and returns its output; kills it if the import is canceled.
    pub(super) fn run(&self, command: &mut Command) -> Result<Vec<u8>, ImportError> {
        let folder = self.copy.parent().unwrap_or(self.path);
        Tools { path: self.path, folder, options: self.options }.run(command, None)
    }
}
