//! The sample town: an invented village on gentle hills, so that the demo and the tests need no map files.
//!
//! It is in the open Atlantic, where nobody has an address. [`open`] writes it as an ordinary OpenStreetMap file and an SRTM
//! tile, which are then imported like any other data.
//!
//! # Invariants
//!
//! - The town is the same every time. Test: `the_town_is_the_same_every_time_it_is_built`.

mod error;
mod land;
mod lots;
mod osm_file;
mod plan;
mod relief;
mod town;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use aerie_geodata::{GeodataError, Pack, pack};
use aerie_import::work_folder::remove_left_over;
use aerie_import::{ImportOptions, import_into};

pub use aerie_engine_api::SAMPLE_ADDRESSES;
pub use error::SampleTownError;

/// Opens what was imported into a data folder, or the sample town where nothing was. The town is built on first use, safely even
/// if several processes open it at once.
///
/// # Errors
/// The pack cannot be read, or the sample town cannot be written.
pub fn open(data_dir: &Path) -> Result<Pack, SampleTownError> {
    open_from(data_dir, data_dir)
}

/// As [`open`], with the imported maps of another folder: that of a published pack.
///
/// # Errors
/// The pack cannot be read, or the sample town cannot be written.
pub fn open_from(pack_dir: &Path, data_dir: &Path) -> Result<Pack, SampleTownError> {
    if let Some(pack) = Pack::open_imported_from(pack_dir, data_dir)? {
        return Ok(pack);
    }
    Ok(Pack::open_sample(&build_if_missing(data_dir)?, pack_dir, data_dir, SAMPLE_ADDRESSES[0])?)
}

/// Builds the sample town in a data folder if it is missing, completely or not at all and once for all concurrent callers, and returns its folder; a process that may not write to the data folder can
/// [`open_from`] it then.
///
/// # Errors
/// The sample town cannot be written.
pub fn build_if_missing(data_dir: &Path) -> Result<PathBuf, SampleTownError> {
    let folder = data_dir.join("sample");
    if is_current(&folder) {
        return Ok(folder);
    }
    fs::create_dir_all(data_dir).map_err(|e| io_error(data_dir, e))?;
    let lock_path = data_dir.join("sample.lock");
    let lock = File::create(&lock_path).map_err(|e| io_error(&lock_path, e))?;
    lock.lock().map_err(|e| io_error(&lock_path, e))?;
    // Another process may have built it while this one waited.
    if !is_current(&folder) {
        remove_left_over(data_dir, WORK).map_err(|e| io_error(data_dir, e))?;
        build(data_dir, &folder)?;
    }
    Ok(folder)
}

/// Raised whenever the town changes, so that an older one is built anew.
const VERSION: &str = "3";
/// Prefix of the temporary folder of a build.
const WORK: &str = ".sample-";
const TILE: &str = "N46W031.hgt";

fn is_current(folder: &Path) -> bool {
    fs::read_to_string(folder.join("version")).is_ok_and(|v| v == VERSION)
        && pack::check(&folder.join(pack::FILE)).is_ok()
}

fn build(data_dir: &Path, folder: &Path) -> Result<(), SampleTownError> {
    let work = tempfile::Builder::new().prefix(WORK).tempdir_in(data_dir).map_err(|e| io_error(data_dir, e))?;
    let on_disk = |path: &Path| {
        let path = path.to_owned();
        move |e| io_error(&path, e)
    };
    let (osm, tile) = (work.path().join("featherstone-vale.osm"), work.path().join(TILE));
    fs::write(&osm, town::build().to_xml()).map_err(on_disk(&osm))?;
    fs::write(&tile, relief::tile()).map_err(on_disk(&tile))?;
    let new = work.path().join("sample");
    let options = ImportOptions::new(data_dir);
    import_into(&new, &[osm, tile], &options).map_err(SampleTownError::Import)?;
    let version = new.join("version");
    fs::write(&version, VERSION).map_err(on_disk(&version))?;
    if folder.exists() {
        fs::rename(folder, work.path().join("old")).map_err(on_disk(folder))?;
    }
    fs::rename(&new, folder).map_err(on_disk(folder))
}

fn io_error(path: &Path, source: io::Error) -> SampleTownError {
    GeodataError::io(path, source).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_town_is_the_same_every_time_it_is_built() {
        assert!(town::build().to_xml() == town::build().to_xml());
        assert!(relief::tile() == relief::tile());
    }

    #[test]
    fn opening_from_many_threads_at_once_builds_one_town() {
        let data = tempfile::tempdir().unwrap();
        let counts: Vec<u64> = std::thread::scope(|scope| {
            let addresses = || open(data.path()).unwrap().summary().addresses;
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(addresses)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(counts[0] > 0 && counts.iter().all(|c| *c == counts[0]), "{counts:?}");
        let left: Vec<_> = fs::read_dir(data.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        assert!(!left.iter().any(|n| n.to_string_lossy().starts_with(".sample-")), "{left:?}");
    }
}
