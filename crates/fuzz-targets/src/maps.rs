//! Map data, imported as `aerie import` does.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use aerie_geocode::geocode;
use aerie_geodata::Pack;
use aerie_geodata::pack::{FILE, region_folder};
use aerie_import::{FileReport, ImportError, ImportOptions, ImportReport, count_elements};
use aerie_test_data::pbf;

/// Greatest size of a file imported here: what is larger takes long.
const MAX_BYTES: usize = 1 << 18;

/// The house of the maps.
const HOUSE: &str = "Lindenweg 7";

/// A map in protocol buffers.
pub fn osm_pbf(bytes: &[u8]) {
    map("map.osm.pbf", bytes);
}

/// A block of such a map, which is not compressed, so that changes reach its content. Read, and imported now and then.
pub fn osm_pbf_block(bytes: &[u8]) {
    elements("map.osm.pbf", &pbf::file(&[pbf::Message(bytes.to_vec())]));
}

/// A map in XML. Read, and imported now and then.
pub fn osm_xml(bytes: &[u8]) {
    elements("map.osm", bytes);
}

/// Tiles in a database.
pub fn mbtiles(bytes: &[u8]) {
    rasters("tiles.mbtiles", bytes);
}

/// Tiles in an archive.
pub fn pmtiles(bytes: &[u8]) {
    rasters("tiles.pmtiles", bytes);
}

/// A picture or heights with a position. GDAL's tools read it, in processes of their own.
pub fn geotiff(bytes: &[u8]) {
    rasters("ground.tif", bytes);
}

/// Heights of one degree by one degree in an archive.
pub fn terrain_zip(bytes: &[u8]) {
    let data = super::folder();
    let Ok(report) = import(data.path(), "N47E009.hgt.zip", bytes) else { return };
    assert!(!report.files.is_empty());
}

/// Parcels or heights of buildings on an imported map.
pub fn geojson(bytes: &[u8]) {
    static PACK: OnceLock<Vec<u8>> = OnceLock::new();
    let empty = PACK.get_or_init(|| {
        let data = super::folder();
        import(data.path(), "map.osm.pbf", &pbf::file(&[pbf::house()])).expect("a map");
        fs::read(region_folder(data.path()).join(FILE)).expect("a pack")
    });
    let data = super::folder();
    let pack = region_folder(data.path()).join(FILE);
    fs::create_dir_all(region_folder(data.path())).expect("a folder");
    fs::write(&pack, empty).expect("a pack");
    match import(data.path(), "parcels.geojson", bytes) {
        Ok(report) => {
            if !super::is_sampled(bytes) {
                return;
            }
            let again = import(data.path(), "parcels.geojson", bytes).expect("what was imported once can be again");
            assert_eq!(again, report);
            live_in(data.path());
        }
        Err(_) => assert!(fs::read(&pack).expect("a pack") == *empty, "a failed import leaves the pack as it was"),
    }
}

fn elements(name: &str, bytes: &[u8]) {
    if bytes.len() > MAX_BYTES {
        return;
    }
    let data = super::folder();
    let path = data.path().join(name);
    fs::write(&path, bytes).expect("a file");
    let counted = count_elements(&path);
    assert_eq!(count_elements(&path).ok(), counted.as_ref().ok().copied(), "the same file has the same elements");
    if counted.is_ok_and(|count| count > 0) && super::is_sampled(bytes) {
        map(name, bytes);
    }
}

fn map(name: &str, bytes: &[u8]) {
    let data = super::folder();
    match import(data.path(), name, bytes) {
        Ok(report) => {
            if !super::is_sampled(bytes) {
                return;
            }
            let again = import(data.path(), name, bytes).expect("what was imported once can be again");
            assert_eq!(again, report, "importing twice is importing once");
            live_in(data.path());
        }
        Err(_) => assert!(!region_folder(data.path()).join(FILE).exists(), "a failed import leaves no pack"),
    }
}

fn rasters(name: &str, bytes: &[u8]) {
    let data = super::folder();
    if let Ok(report) = import(data.path(), name, bytes) {
        let total = report.total();
        assert!((total.imagery_tiles > 0) != (total.terrain_tiles > 0), "{total:?}");
        live_in(data.path());
    }
}

/// Looks up the house and assembles its surroundings.
fn live_in(data: &Path) {
    let Ok(Some(pack)) = Pack::open_imported(data) else { return };
    let summary = pack.summary();
    assert!(!summary.is_sample && summary.files.len() <= 2, "{summary:?}");
    let Ok(found) = geocode(&pack, HOUSE) else { return };
    assert!(found.lat.abs() <= 90.0 && found.lon.abs() <= 180.0, "{found:?}");
    // A damaged map may lack what the match names.
    if let Ok(place) = pack.place(&found, 150.0) {
        assert!(place.property.building.is_none_or(|at| at < place.buildings.len()), "the building is one of them");
    }
}

fn import(data: &Path, name: &str, bytes: &[u8]) -> Result<ImportReport, ImportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::Canceled);
    }
    let path = data.join(name);
    fs::write(&path, bytes).expect("a file");
    let options = ImportOptions { attribution: Some("© Test"), ..ImportOptions::new(data) };
    let result = aerie_import::import(std::slice::from_ref(&path), &options);
    match &result {
        Ok(report) => {
            let adds_up = |file: &FileReport| file.read == file.used + file.skipped.values().sum::<u64>();
            assert!(report.files.iter().all(adds_up), "{report:?}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(name), "an error names the file: {message}");
        }
    }
    let left = fs::read_dir(region_folder(data)).into_iter().flatten().flatten();
    let mut names = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert!(!names.any(|name| name.starts_with(".importing")), "no temporary files are left");
    result
}
