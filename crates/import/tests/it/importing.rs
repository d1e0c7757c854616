//! Imports that succeed, that are repeated, and that must leave the pack unchanged.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use aerie_geocode::geocode;
use aerie_geodata::Pack;
use aerie_import::{ImportError, ImportOptions};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::test_data;

pub(crate) const HOUSE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6">
 <node id="1" lat="47.1000" lon="9.5000"/><node id="2" lat="47.1000" lon="9.5002"/>
 <node id="3" lat="47.1001" lon="9.5002"/><node id="4" lat="47.1001" lon="9.5000"/>
 <node id="5" lat="47.0999" lon="9.4990"/><node id="6" lat="47.0999" lon="9.5010"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
  <tag k="building" v="house"/><tag k="addr:street" v="Lindenweg"/><tag k="addr:housenumber" v="7"/></way>
 <way id="11"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="Lindenweg"/></way>
</osm>"#;

pub(crate) fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// The pack of a data folder.
fn open(data: &Path) -> Pack {
    aerie_sample_town::open(data).unwrap()
}

/// Rows of every table that an import fills, for comparison.
pub(crate) fn content(data: &Path) -> Vec<String> {
    let db = rusqlite::Connection::open(data.join("pack/region.gpkg")).unwrap();
    let tables: Vec<String> = db
        .prepare("SELECT table_name FROM gpkg_contents ORDER BY 1")
        .unwrap()
        .query_map([], |r| r.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut out = Vec::new();
    for table in tables.iter().map(String::as_str).chain(["aerie_street_index", "aerie_localities"]) {
        let mut statement = db
            .prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2, 3"))
            .unwrap_or_else(|_| db.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2")).unwrap());
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells: Vec<String> =
                (0..columns).map(|i| format!("{:?}", row.get::<_, rusqlite::types::Value>(i).unwrap())).collect();
            out.push(format!("{table}: {}", cells.join(", ")));
        }
        if table.starts_with("aerie") {
            continue;
        }
        let boxes: i64 = db.query_row(&format!("SELECT count(*) FROM rtree_{table}_geom"), [], |r| r.get(0)).unwrap();
        let features: i64 = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |r| r.get(0)).unwrap();
        assert_eq!(boxes, features, "the spatial index of {table} holds every feature");
    }
    out
}

#[test]
fn importing_twice_is_importing_once() {
    let data = tempfile::tempdir().unwrap();
    let house = file(data.path(), "house.osm", HOUSE.as_bytes());
    let first = test_data::import(data.path(), std::slice::from_ref(&house)).unwrap();
    let before = content(data.path());
    let second = test_data::import(data.path(), &[house.clone(), house]).unwrap();
    assert_eq!(first.files[0], second.files[1]);
    assert_eq!(before, content(data.path()));
    let report = first.total();
    assert_eq!((report.buildings, report.addresses, report.roads), (1, 1, 1));
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn real_extracts_imported_twice_and_together_hold_one_of_each() {
    let data = test_data::folder();
    let folder = tempfile::tempdir().unwrap();
    let (li, hel) =
        (data.join("osm").join(aerie_test_data::EXTRACTS[0]), data.join("osm").join(aerie_test_data::EXTRACTS[2]));
    test_data::import(folder.path(), &[li.clone(), hel.clone()]).unwrap();
    let before = content(folder.path());
    test_data::import(folder.path(), &[hel, li]).unwrap();
    assert!(before == content(folder.path()), "order and repetition change nothing");
    let summary = open(folder.path()).summary();
    assert_eq!(summary.files.len(), 2);
    assert!(!summary.is_sample && summary.addresses > 2_400, "{summary:?}");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn liechtenstein_brings_what_is_known_of_it() {
    let data = test_data::folder();
    let folder = tempfile::tempdir().unwrap();
    let report =
        test_data::import(folder.path(), &[data.join("osm").join(aerie_test_data::EXTRACTS[0])]).unwrap().total();
    assert_eq!((report.addresses, report.trees), (1_045, 3_016));
    assert!((9_560..9_575).contains(&report.buildings), "{}", report.buildings);
    assert!(report.roads > 4_000 && report.areas > 800 && report.boundaries >= 13, "{report:?}");
}

#[test]
fn a_newer_import_replaces_what_an_object_was() {
    let data = tempfile::tempdir().unwrap();
    test_data::import(data.path(), &[file(data.path(), "a.osm", HOUSE.as_bytes())]).unwrap();
    let changed = HOUSE.replace("v=\"7\"", "v=\"9\"").replace("v=\"house\"", "v=\"barn\"");
    test_data::import(data.path(), &[file(data.path(), "b.osm", changed.as_bytes())]).unwrap();
    let pack = open(data.path());
    assert_eq!(pack.summary().buildings, 1);
    assert!(geocode(&pack, "Lindenweg 7").is_err());
    assert!(geocode(&pack, "Lindenweg 9").is_ok());
    // An object that is no longer a building is removed as one.
    let gone = HOUSE.replace("<tag k=\"building\" v=\"house\"/>", "");
    test_data::import(data.path(), &[file(data.path(), "c.osm", gone.as_bytes())]).unwrap();
    assert_eq!(open(data.path()).summary().buildings, 0);
}

#[test]
fn a_bad_file_is_named_with_its_remedy_and_leaves_the_pack_to_the_byte() {
    let data = tempfile::tempdir().unwrap();
    test_data::import(data.path(), &[file(data.path(), "good.osm", HOUSE.as_bytes())]).unwrap();
    let pack = data.path().join("pack/region.gpkg");
    let before = fs::read(&pack).unwrap();
    let cut = &HOUSE.as_bytes()[..HOUSE.len() - 40];
    let zipped = gz(HOUSE.as_bytes());
    let bomb = gz(&[b"<osm>".to_vec(), vec![b' '; 80 << 20], b"</osm>".to_vec()].concat());
    let wide = [b"<osm><node id=\"1\" lat=\"".to_vec(), vec![b'1'; 6 << 20], b"\"/></osm>".to_vec()].concat();
    for (name, bytes, wanted) in [
        ("empty.osm", Vec::new(), "is empty"),
        ("cut.osm", cut.to_vec(), "cut off"),
        ("cut.osm.gz", zipped[..zipped.len() - 20].to_vec(), "cut off"),
        ("page.osm", b"<!DOCTYPE html><html><body>404</body></html>".to_vec(), "not a file that can be imported"),
        ("picture.png", b"\x89PNG\r\n\x1a\n0000".to_vec(), "not a file that can be imported"),
        ("bomb.osm.gz", bomb, "cut off or damaged"),
        ("wide.osm", wide, "larger than"),
        ("nothing.osm", b"<osm version=\"0.6\"></osm>".to_vec(), "holds no buildings"),
        ("N47E009.hgt", vec![0; 1000], "no SRTM tile"),
        ("tile.hgt", vec![0; 1201 * 1201 * 2], "named after"),
        ("fake.osm.pbf", b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\xff\xff\xff\xff\x07".to_vec(), "damaged"),
        ("not.hgt.zip", b"PK\x03\x04rubbish".to_vec(), "damaged"),
    ] {
        let path = file(data.path(), name, &bytes);
        let e = test_data::import(data.path(), &[path]).expect_err(name).to_string();
        assert!(e.contains(wanted) && e.contains(name), "{name}: {e}");
        assert!(fs::read(&pack).unwrap() == before, "{name} changed the pack");
    }
    let missing = test_data::import(data.path(), &[data.path().join("missing.osm")]);
    assert!(matches!(missing, Err(ImportError::Io { .. })));
    let left: Vec<_> = fs::read_dir(data.path().join("pack")).unwrap().flatten().map(|e| e.file_name()).collect();
    assert!(!left.iter().any(|n| n.to_string_lossy().starts_with(".importing")), "{left:?}");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn real_files_cut_or_garbled_anywhere_end_in_an_error_or_a_report_never_a_panic() {
    let data = test_data::folder();
    let folder = tempfile::tempdir().unwrap();
    for (name, extract) in [("x.osm.pbf", aerie_test_data::EXTRACTS[2]), ("x.osm.gz", aerie_test_data::EXTRACTS[3])] {
        let whole = fs::read(data.join("osm").join(extract)).unwrap();
        for part in 1..8 {
            let cut = file(folder.path(), name, &whole[..whole.len() * part / 8]);
            let result = test_data::import(folder.path(), &[cut]);
            assert!(
                matches!(result, Err(ImportError::Damaged { .. } | ImportError::Foreign { .. })),
                "{part}/8 of {extract}: {result:?}"
            );
            let mut garbled = whole.clone();
            for k in 0..50 {
                let at = (whole.len() * part / 8 + k * 97) % whole.len();
                garbled[at] ^= 0x5a;
            }
            let _ = test_data::import(folder.path(), &[file(folder.path(), name, &garbled)]);
        }
    }
}

#[test]
fn a_file_cut_or_garbled_anywhere_ends_in_an_error_or_a_report_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let whole = gz(HOUSE.as_bytes());
    for part in 1..16 {
        let cut = file(folder.path(), "x.osm.gz", &whole[..whole.len() * part / 16]);
        let result = test_data::import(folder.path(), &[cut]);
        assert!(
            matches!(result, Err(ImportError::Damaged { .. } | ImportError::Foreign { .. })),
            "{part}/16: {result:?}"
        );
        for bytes in [&whole[..], HOUSE.as_bytes()] {
            let mut garbled = bytes.to_vec();
            for k in 0..20 {
                let at = (bytes.len() * part / 16 + k * 97) % bytes.len();
                garbled[at] ^= 0x5a;
            }
            let _ = test_data::import(folder.path(), &[file(folder.path(), "y.osm", &garbled)]);
        }
    }
    test_data::import(folder.path(), &[file(folder.path(), "good.osm", HOUSE.as_bytes())]).unwrap();
    assert!(geocode(&open(folder.path()), "Lindenweg 7").is_ok());
}

#[test]
fn a_zipped_tile_is_unpacked_whole() {
    let folder = tempfile::tempdir().unwrap();
    let tile: Vec<u8> = (0..1201 * 1201_u32).flat_map(|i| ((i % 900) as i16).to_be_bytes()).collect();
    let path = folder.path().join("N47E009.hgt.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    zip.start_file("N47E009.hgt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&tile).unwrap();
    zip.finish().unwrap();
    let report = test_data::import(folder.path(), &[path]).unwrap();
    assert_eq!(report.total().terrain_tiles, 1);
    assert!(fs::read(folder.path().join("pack/terrain/N47E009.hgt")).unwrap() == tile);
}

#[test]
fn what_a_killed_import_left_behind_is_cleared_by_the_next() {
    let data = tempfile::tempdir().unwrap();
    let left = data.path().join("pack/.importing-killed");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("region.gpkg"), b"half a pack").unwrap();
    let half_a_tile = data.path().join("pack/terrain/.importing-tile");
    fs::create_dir_all(half_a_tile.parent().unwrap()).unwrap();
    fs::write(&half_a_tile, b"half a tile").unwrap();
    test_data::import(data.path(), &[file(data.path(), "house.osm", HOUSE.as_bytes())]).unwrap();
    assert!(!left.exists() && !half_a_tile.exists());
    assert!(geocode(&open(data.path()), "Lindenweg 7").is_ok());
}

#[test]
fn a_pack_that_cannot_be_read_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack/region.gpkg");
    fs::create_dir_all(pack.parent().unwrap()).unwrap();
    fs::write(&pack, b"not a database, but somebody's").unwrap();
    let house = file(folder.path(), "house.osm", HOUSE.as_bytes());
    let error = test_data::import(folder.path(), &[house]).unwrap_err().to_string();
    assert!(error.contains("region.gpkg cannot be read") && error.contains("backup"), "{error}");
    assert_eq!(fs::read(&pack).unwrap(), b"not a database, but somebody's");
}

#[test]
fn a_canceled_import_leaves_the_pack_as_it_was() {
    let data = tempfile::tempdir().unwrap();
    let house = file(data.path(), "house.osm", HOUSE.as_bytes());
    let options = ImportOptions { canceled: &|| true, ..ImportOptions::new(data.path()) };
    assert!(matches!(aerie_import::import(&[house], &options), Err(ImportError::Canceled)));
    assert!(!data.path().join("pack/region.gpkg").exists());
}

#[test]
fn malformed_objects_are_left_out_and_counted() {
    let data = tempfile::tempdir().unwrap();
    let odd = HOUSE.replace(
        "</osm>",
        r#"<node id="99" lat="900" lon="9"/><node id="x" lat="47" lon="9"/>
 <way id="20"><nd ref="1"/><nd ref="404"/><nd ref="405"/><nd ref="1"/><tag k="building" v="yes"/></way>
 <way id="21"><nd ref="1"/><nd ref="1"/><nd ref="1"/><nd ref="1"/><tag k="landuse" v="forest"/></way>
 <relation id="30"><member type="way" ref="11" role="outer"/><tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
 <relation id="31"><member type="way" ref="77" role="outer"/><tag k="type" v="multipolygon"/><tag k="landuse" v="forest"/></relation>
 </osm>"#,
    );
    let report = test_data::import(data.path(), &[file(data.path(), "odd.osm", odd.as_bytes())]).unwrap().total();
    assert_eq!((report.buildings, report.areas), (1, 0));
    assert_eq!(report.skipped.values().sum::<u64>(), 4, "{:?}", report.skipped);
}

#[test]
fn houses_get_their_street_from_the_relation_and_their_town_from_the_boundary() {
    let data = tempfile::tempdir().unwrap();
    let town = HOUSE.replace("<tag k=\"addr:street\" v=\"Lindenweg\"/>", "").replace(
        "</osm>",
        r#"<node id="51" lat="47.09" lon="9.49"/><node id="52" lat="47.09" lon="9.51"/><node id="53" lat="47.11" lon="9.51"/><node id="54" lat="47.11" lon="9.49"/>
 <way id="60"><nd ref="51"/><nd ref="52"/><nd ref="53"/></way><way id="61"><nd ref="51"/><nd ref="54"/><nd ref="53"/></way>
 <relation id="70"><member type="way" ref="60" role="outer"/><member type="way" ref="61" role="outer"/>
  <tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Auental"/></relation>
 <relation id="71"><member type="way" ref="11" role="street"/><member type="way" ref="10" role="house"/><tag k="type" v="associatedStreet"/></relation>
 </osm>"#,
    );
    test_data::import(data.path(), &[file(data.path(), "town.osm", town.as_bytes())]).unwrap();
    let pack = open(data.path());
    assert_eq!(geocode(&pack, "Auental, Lindenweg 7").unwrap().matched, "Lindenweg 7, Auental");
    assert!(geocode(&pack, "Lindenweg 7, Bergdorf").is_err());
}

#[test]
fn the_pack_is_a_geopackage_that_other_programs_can_open() {
    let data = tempfile::tempdir().unwrap();
    test_data::import(data.path(), &[file(data.path(), "house.osm", HOUSE.as_bytes())]).unwrap();
    let db = rusqlite::Connection::open(data.path().join("pack/region.gpkg")).unwrap();
    let number = |sql: &str| db.query_row(sql, [], |r| r.get::<_, i64>(0)).unwrap();
    assert_eq!(number("PRAGMA application_id"), 0x4750_4B47);
    assert_eq!(number("SELECT count(*) FROM gpkg_contents WHERE srs_id = 4326 AND data_type = 'features'"), 17);
    assert_eq!(number("SELECT count(*) FROM gpkg_geometry_columns"), 17);
    assert_eq!(number("SELECT count(*) FROM gpkg_spatial_ref_sys WHERE srs_id IN (-1, 0, 4326)"), 3);
    assert_eq!(number("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'rtree_%'"), 119);
    let integrity: String = db.query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    let blob: Vec<u8> = db.query_row("SELECT geom FROM buildings", [], |r| r.get(0)).unwrap();
    assert_eq!(&blob[..4], b"GP\0\x03");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_zipped_tile_across_real_terrain_is_unpacked_whole() {
    let data = test_data::folder();
    let folder = tempfile::tempdir().unwrap();
    let tiles = ["N49E011.hgt.zip", "N50E011.hgt.zip"].map(|t| data.join("elevation").join(t));
    let report = test_data::import(folder.path(), &tiles).unwrap();
    assert_eq!(report.total().terrain_tiles, 2);
    for tile in ["N49E011.hgt", "N50E011.hgt"] {
        assert_eq!(fs::metadata(folder.path().join("pack/terrain").join(tile)).unwrap().len(), 1201 * 1201 * 2);
    }
}

/// The lot of the house, one next to it, a line, and a plot in a national grid.
pub(crate) const PARCELS: &str = r#"{"type":"FeatureCollection","name":"lots","features":[
 {"type":"Feature","properties":{"EGRID":"CH1"},"geometry":{"type":"Polygon","coordinates":[[[9.4999,47.09995],[9.5004,47.09995],[9.5004,47.1003],[9.4999,47.1003],[9.4999,47.09995]]]}},
 {"type":"Feature","properties":{"EGRID":"CH2"},"geometry":{"type":"MultiPolygon","coordinates":[[[[9.5004,47.09995],[9.5009,47.09995],[9.5009,47.1003],[9.5004,47.09995]]]]}},
 {"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[[9.5,47.1],[9.6,47.1]]}},
 {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[2683000.0,1247000.0],[2683100.0,1247000.0],[2683100.0,1247100.0],[2683000.0,1247000.0]]]}}
],"crs":null}"#;

#[test]
fn the_parcel_that_a_house_stands_on_comes_with_its_place_and_twice_is_once() {
    let data = tempfile::tempdir().unwrap();
    let house = file(data.path(), "house.osm", HOUSE.as_bytes());
    let lots = file(data.path(), "lots.geojson", PARCELS.as_bytes());
    test_data::import(data.path(), std::slice::from_ref(&house)).unwrap();
    let bare = open(data.path());
    let found = geocode(&bare, "Lindenweg 7").unwrap();
    assert_eq!(bare.place(&found, 200.0).unwrap().property.parcel, None);

    let report = test_data::import(data.path(), std::slice::from_ref(&lots)).unwrap();
    assert_eq!(report.files[0].parcels, 2);
    assert_eq!(report.files[0].skipped.len(), 2, "{:?}", report.files[0].skipped);
    let before = content(data.path());
    test_data::import(data.path(), std::slice::from_ref(&lots)).unwrap();
    assert_eq!(before, content(data.path()));

    let pack = open(data.path());
    let place = pack.place(&geocode(&pack, "Lindenweg 7").unwrap(), 200.0).unwrap();
    let parcel = place.property.parcel.expect("the house stands on a parcel").outer;
    let area: f64 = (0..parcel.len())
        .map(|i| (parcel[i], parcel[(i + 1) % parcel.len()]))
        .map(|(a, b)| a[0] * b[1] - b[0] * a[1])
        .sum::<f64>()
        / 2.0;
    // Half a thousandth of a degree by 0.35 thousandths, at 47.1 degrees north.
    assert!((area / (37.97 * 38.92) - 1.0).abs() < 0.002, "{area} m2");
}

#[test]
fn a_pack_made_before_there_were_parcels_takes_them_and_is_read_without() {
    let data = tempfile::tempdir().unwrap();
    let house = file(data.path(), "house.osm", HOUSE.as_bytes());
    test_data::import(data.path(), std::slice::from_ref(&house)).unwrap();
    let db = rusqlite::Connection::open(data.path().join("pack/region.gpkg")).unwrap();
    db.execute_batch(
        "DROP TABLE parcels; DROP TABLE rtree_parcels_geom; DELETE FROM gpkg_geometry_columns WHERE table_name = 'parcels';
         DELETE FROM gpkg_contents WHERE table_name = 'parcels'; DELETE FROM gpkg_extensions WHERE table_name = 'parcels';",
    )
    .unwrap();
    drop(db);
    let old = open(data.path());
    let found = geocode(&old, "Lindenweg 7").unwrap();
    assert_eq!(old.place(&found, 200.0).unwrap().property.parcel, None);
    let lots = file(data.path(), "lots.geojson", PARCELS.as_bytes());
    assert_eq!(test_data::import(data.path(), &[lots]).unwrap().files[0].parcels, 2);
    assert!(open(data.path()).place(&found, 200.0).unwrap().property.parcel.is_some());
}

#[test]
fn parcels_that_cannot_be_laid_on_the_map_are_refused_with_the_remedy() {
    let data = tempfile::tempdir().unwrap();
    let lots = file(data.path(), "lots.geojson", PARCELS.as_bytes());
    let early = test_data::import(data.path(), std::slice::from_ref(&lots)).unwrap_err().to_string();
    assert!(early.contains("import an OpenStreetMap extract first"), "{early}");
    let house = file(data.path(), "house.osm", HOUSE.as_bytes());
    test_data::import(data.path(), std::slice::from_ref(&house)).unwrap();
    let before = content(data.path());
    let grid = PARCELS.replace("[9.", "[2683009.");
    let named = PARCELS
        .replace("\"features\"", "\"crs\":{\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::2056\"}},\"features\"");
    let elsewhere = PARCELS.replace("[9.", "[19.");
    let swapped = |lon: f64| {
        let ring = [[47.1, lon], [47.1, lon + 0.001], [47.101, lon], [47.1, lon]];
        let geometry = format!("{{\"type\":\"Polygon\",\"coordinates\":[{ring:?}]}}");
        format!("{{\"type\":\"Feature\",\"properties\":{{\"EGRID\":\"CH1\"}},\"geometry\":{geometry}}}")
    };
    let (near, far) = (swapped(9.5), swapped(109.5));
    let longitude_first = "its positions have the latitude before the longitude; write the longitude first";
    for (text, part) in [
        (grid.as_str(), "ogr2ogr -t_srs EPSG:4326"),
        ("{\"type\": \"FeatureCollection\"}", "not a file that can be imported"),
        (named.as_str(), "EPSG::2056, not in degrees of WGS 84"),
        (elsewhere.as_str(), "none of its polygons lies on the imported map; import the map of that region first"),
        (near.as_str(), longitude_first),
        (far.as_str(), longitude_first),
        (&PARCELS[..600], "damaged"),
    ] {
        let bad = file(data.path(), "bad.geojson", text.as_bytes());
        let error = test_data::import(data.path(), &[bad]).unwrap_err().to_string();
        assert!(error.contains("bad.geojson") && error.contains(part), "{error}");
        assert_eq!(before, content(data.path()));
    }
}
