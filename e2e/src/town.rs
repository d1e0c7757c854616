//! Places to make media of: the sample town, built once for each build of the binary, and a house in a meadow.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

use aerie_sample_town::SAMPLE_ADDRESSES;

use crate::{aerie, run};

/// Prefix of the folder next to the binary.
const PREFIX: &str = "sample-town-";

/// Links a prebuilt sample town into a new data folder; building it takes seconds.
///
/// # Panics
/// When it cannot be built or linked.
pub fn lay_town(data: &Path) {
    static TOWN: LazyLock<PathBuf> = LazyLock::new(built);
    link(&TOWN, &data.join("sample"));
}

/// A house on its street; flights over it take half the time of flights over the sample town.
pub const HOUSE_MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6">
 <node id="1" lat="47.1000" lon="9.5000"/><node id="2" lat="47.1000" lon="9.5002"/>
 <node id="3" lat="47.1001" lon="9.5002"/><node id="4" lat="47.1001" lon="9.5000"/>
 <node id="5" lat="47.0999" lon="9.4990"/><node id="6" lat="47.0999" lon="9.5010"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
  <tag k="building" v="house"/><tag k="addr:street" v="Lindenweg"/><tag k="addr:housenumber" v="7"/></way>
 <way id="11"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="Lindenweg"/></way>
</osm>"#;

/// Imports [`HOUSE_MAP`] into a data folder; returns the address of the house.
///
/// # Panics
/// When it cannot be imported.
pub fn lay_house(data: &Path) -> &'static str {
    let file = data.with_extension("house.osm");
    fs::write(&file, HOUSE_MAP).expect("a file next to the data folder");
    let imported = run(&["import", file.to_str().expect("a path in UTF-8")], data);
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    "Lindenweg 7"
}

/// Builds the town next to the binary, unless this build of the binary has done so.
fn built() -> PathBuf {
    let binary = aerie();
    let modified = fs::metadata(binary).and_then(|file| file.modified()).expect("the binary exists");
    let modified = modified.duration_since(UNIX_EPOCH).expect("a time after 1970").as_nanos();
    let name = format!("{PREFIX}{modified}");
    let beside = binary.parent().expect("a folder");
    // An installed binary lies in a folder that tests may not write to.
    let temporary = std::env::temp_dir();
    let beside = if rustix::fs::access(beside, rustix::fs::Access::WRITE_OK).is_ok() { beside } else { &temporary };
    let folder = beside.join(&name);
    if !folder.is_dir() {
        for left in fs::read_dir(beside).expect("a folder").flatten() {
            let other = left.file_name();
            if other.to_string_lossy().starts_with(PREFIX) && other != *name {
                let _ = fs::remove_dir_all(left.path());
            }
        }
        let work = tempfile::tempdir_in(beside).expect("a folder that can be written");
        let made = run(&["geocode", SAMPLE_ADDRESSES[0]], work.path());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        // Another program may have been faster.
        let renamed = fs::rename(work.path().join("sample"), &folder);
        assert!(renamed.is_ok() || folder.is_dir(), "{renamed:?}");
    }
    folder
}

fn link(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            link(&source, &target);
        } else if fs::hard_link(&source, &target).is_err() {
            // On another file system.
            fs::copy(&source, &target).expect("a file");
        }
    }
}
