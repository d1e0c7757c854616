//! The sample town: an invented village on gentle hills, so that demo and tests need no files.
//!
//! It lies in the open Atlantic, where it is nobody's address. Our own code writes it as an ordinary OpenStreetMap file and
//! an SRTM tile, which then go through the same import as anybody's data.

mod land;
mod lots;
mod osm_file;
mod relief;
mod town;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::import::{ImportOptions, import_into, remove_left_over};
use crate::place::GeoPoint;
use crate::{WorldError, pack};

/// Addresses of the sample town that geocode, for demos, tests and messages.
pub const SAMPLE_ADDRESSES: &[&str] = &[
    "12 Larkspur Lane, 10001 Featherstone Vale",
    "9 Foxglove Crescent, 10001 Featherstone Vale",
    "14 Hawthorn Road, 10001 Featherstone Vale",
    "21 Millrace Lane, 10001 Featherstone Vale",
    "7 Orchard Row, 10001 Featherstone Vale",
    "10 Bramble Way, 10001 Featherstone Vale",
    "5 Church Hill, 10001 Featherstone Vale",
    "4 Poplar Avenue, 10001 Featherstone Vale",
];

/// Raised whenever the town changes, so that an older one is built anew.
const VERSION: &str = "3";
/// The market square.
const ORIGIN: GeoPoint = GeoPoint { lat: 46.55, lon: -30.45 };
/// What the working folder of a build begins with.
const WORK: &str = ".sample-";
const TILE: &str = "N46W031.hgt";

/// The folder of the sample pack, built if need be: once, whole or not at all, however many ask for it at once.
pub(crate) fn ensure(data_dir: &Path) -> Result<PathBuf, WorldError> {
    let folder = data_dir.join("sample");
    if is_current(&folder) {
        return Ok(folder);
    }
    fs::create_dir_all(data_dir).map_err(|e| WorldError::io(data_dir, e))?;
    let lock_path = data_dir.join("sample.lock");
    let lock = File::create(&lock_path).map_err(|e| WorldError::io(&lock_path, e))?;
    lock.lock().map_err(|e| WorldError::io(&lock_path, e))?;
    // Another process may have built it while this one waited.
    if !is_current(&folder) {
        remove_left_over(data_dir, WORK).map_err(|e| WorldError::io(data_dir, e))?;
        build(data_dir, &folder)?;
    }
    Ok(folder)
}

fn is_current(folder: &Path) -> bool {
    fs::read_to_string(folder.join("version")).is_ok_and(|v| v == VERSION)
        && pack::check(&folder.join(pack::FILE)).is_ok()
}

fn build(data_dir: &Path, folder: &Path) -> Result<(), WorldError> {
    let work = tempfile::Builder::new().prefix(WORK).tempdir_in(data_dir).map_err(|e| WorldError::io(data_dir, e))?;
    let on_disk = |path: &Path| {
        let path = path.to_owned();
        move |e| WorldError::io(path, e)
    };
    let (osm, tile) = (work.path().join("featherstone-vale.osm"), work.path().join(TILE));
    fs::write(&osm, town::build().to_xml()).map_err(on_disk(&osm))?;
    fs::write(&tile, relief::tile()).map_err(on_disk(&tile))?;
    let new = work.path().join("sample");
    let options = ImportOptions { data_dir, progress: &|_| {}, canceled: &|| false, attribution: None };
    import_into(&new, &[osm, tile], &options).map_err(|e| WorldError::Sample(Box::new(e)))?;
    let version = new.join("version");
    fs::write(&version, VERSION).map_err(on_disk(&version))?;
    if folder.exists() {
        fs::rename(folder, work.path().join("old")).map_err(on_disk(folder))?;
    }
    fs::rename(&new, folder).map_err(on_disk(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pack;

    #[test]
    fn every_sample_address_is_a_building_on_its_named_street_with_terrain() {
        let data = tempfile::tempdir().unwrap();
        let pack = Pack::open(data.path()).unwrap();
        let summary = pack.summary();
        assert!(summary.is_sample && summary.addresses >= 300, "{summary:?}");
        for address in SAMPLE_ADDRESSES {
            let found = pack.geocode(address).unwrap_or_else(|e| panic!("{address}: {e}"));
            assert_eq!(found.matched, *address);
            assert!(found.terrain_known);
            let place = pack.place(&found, 600.0).unwrap();
            assert!(place.property.building.is_some() && place.property.front_known, "{address}");
            assert!(place.terrain.known && place.terrain.datum > 150.0);
            assert!(place.buildings.len() > 60 && place.trees.len() > 200, "{address}");
        }
    }

    #[test]
    fn the_town_is_the_same_every_time_it_is_built() {
        assert!(town::build().to_xml() == town::build().to_xml());
        assert!(relief::tile() == relief::tile());
    }

    #[test]
    fn opening_from_many_threads_at_once_builds_one_town() {
        let data = tempfile::tempdir().unwrap();
        let counts: Vec<u64> = std::thread::scope(|scope| {
            let open = || Pack::open(data.path()).unwrap().summary().addresses;
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(counts[0] > 0 && counts.iter().all(|c| *c == counts[0]), "{counts:?}");
        let left: Vec<_> = fs::read_dir(data.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        assert!(!left.iter().any(|n| n.to_string_lossy().starts_with(".sample-")), "{left:?}");
    }
}
