//! Real map data, for the tests that use it.

use std::path::{Path, PathBuf};

use aerie_import::{ImportError, ImportOptions, ImportReport};

/// The folder of test data. Tests that call this are ignored unless it is given; without it they fail.
pub(crate) fn folder() -> PathBuf {
    aerie_test_data::test_data("")
}

/// Imports files into a data folder.
pub(crate) fn import(data_dir: &Path, files: &[PathBuf]) -> Result<ImportReport, ImportError> {
    import_with(files, &ImportOptions::new(data_dir))
}

/// Imports files. What each reader counts must add up.
pub(crate) fn import_with(files: &[PathBuf], options: &ImportOptions<'_>) -> Result<ImportReport, ImportError> {
    let report = aerie_import::import(files, options)?;
    for file in &report.files {
        assert_eq!(file.read, file.used + file.skipped.values().sum::<u64>(), "{file:?}");
    }
    Ok(report)
}
