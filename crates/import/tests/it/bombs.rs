//! Files that unpack to much more than they are: refused with their name and the limit, in little memory.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use aerie_test_data::{bombs, pbf};
use rusqlite::Connection;
use tiff::encoder::{TiffEncoder, colortype};

use crate::test_data;

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A data folder with a map.
fn data() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let map = file(data.path(), "map.osm.pbf", &pbf::file(&[pbf::house()]));
    let report = test_data::import(data.path(), &[map]).unwrap().total();
    assert_eq!((report.buildings, report.addresses, report.roads, report.trees), (1, 1, 1, 2), "{report:?}");
    data
}

/// Everything in the pack's folder.
fn pack(data: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![data.join("pack")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push((entry.path(), fs::read(entry.path()).unwrap())),
            }
        }
    }
    found.sort();
    found
}

/// Peak memory of this process, bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() << 10
}

#[test]
fn bombs_are_refused_by_name_in_bounded_memory_and_leave_the_pack_to_the_byte() {
    let data = data();
    let before = pack(data.path());
    let bombs: Vec<_> = bombs::all()
        .into_iter()
        .map(|bomb| {
            assert!(bomb.bytes.len() < 8 << 20, "{} has {} bytes", bomb.name, bomb.bytes.len());
            (bomb.name, bomb.refusal, file(data.path(), bomb.name, &bomb.bytes))
        })
        .collect();
    // Writing the bombs took memory, too.
    let peak_before = peak();
    for (name, refusal, path) in bombs {
        let error = test_data::import(data.path(), &[path]).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains(refusal), "{name}: {error}");
        assert!(pack(data.path()) == before, "{name} changed the pack");
    }
    let used = peak().saturating_sub(peak_before) >> 20;
    assert!(used < 768, "importing took {used} MiB");
}

#[test]
fn a_feature_of_many_megabytes_is_refused() {
    let data = data();
    let before = pack(data.path());
    let numbers = "[1,1],".repeat(2 << 20);
    let text =
        format!("{{\"features\":[{{\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[[{numbers}[1,1]]]}}}}]}}");
    let path = file(data.path(), "large.geojson", text.as_bytes());
    let error = test_data::import(data.path(), &[path]).unwrap_err().to_string();
    assert!(error.contains("large.geojson") && error.contains("larger than 8 MiB"), "{error}");
    assert!(pack(data.path()) == before);
    // Many features are no problem.
    let feature =
        r#"{"geometry":{"type":"Polygon","coordinates":[[[9.5,47.1],[9.5001,47.1],[9.5,47.1001]]]}},"#.repeat(1 << 17);
    let text = format!("{{\"features\":[{}]}}", feature.trim_end_matches(','));
    let path = file(data.path(), "many.geojson", text.as_bytes());
    assert!(text.len() > 9 << 20);
    assert_eq!(test_data::import(data.path(), &[path]).unwrap().total().parcels, 1 << 17);
}

#[test]
fn tiles_that_are_queries_are_refused() {
    let data = data();
    let before = pack(data.path());
    let metadata =
        "CREATE TABLE metadata (name TEXT, value TEXT); INSERT INTO metadata VALUES ('attribution', '© Test');";
    for (name, tiles, refusal) in [
        (
            "endless.mbtiles",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS zoom_level, i AS tile_column, 1 AS tile_row, \
             x'00' AS tile_data FROM n WHERE i < 0",
            "does not end",
        ),
        (
            "rows.mbtiles",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS zoom_level, i AS tile_column, 1 AS tile_row, \
             zeroblob(1000000) AS tile_data FROM n",
            "unpacks to more than 100 times its size",
        ),
        (
            "large.mbtiles",
            "SELECT 1 AS zoom_level, 1 AS tile_column, 1 AS tile_row, randomblob(900000000) AS tile_data",
            "too big",
        ),
    ] {
        let path = data.path().join(name);
        let db = Connection::open(&path).unwrap();
        db.execute_batch(&format!("{metadata} CREATE VIEW tiles AS {tiles}")).unwrap();
        drop(db);
        let error = test_data::import(data.path(), &[path]).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains(refusal), "{name}: {error}");
        assert!(pack(data.path()) == before, "{name} changed the pack");
    }
}

#[test]
fn nothing_but_tiles_and_metadata_is_taken_from_a_tile_file() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("views.mbtiles");
    let mut png = Cursor::new(Vec::new());
    image::RgbImage::new(8, 8).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let db = Connection::open(&path).unwrap();
    db.execute_batch(
        "CREATE TABLE metadata (name TEXT, value TEXT); INSERT INTO metadata VALUES ('attribution', '© Test'), ('name', 'Views');
         CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
         CREATE TABLE images (tile_id TEXT, tile_data BLOB); INSERT INTO map VALUES (1, 0, 0, 'a'), (1, 1, 0, 'a');
         CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
         CREATE TRIGGER mine AFTER INSERT ON metadata BEGIN DELETE FROM metadata; END;",
    )
    .unwrap();
    db.execute("INSERT INTO images VALUES ('a', ?1)", [png.into_inner()]).unwrap();
    drop(db);
    assert_eq!(test_data::import(data.path(), &[path]).unwrap().total().imagery_tiles, 2);
    let copy = Connection::open(data.path().join("pack/imagery/views.mbtiles")).unwrap();
    let schema: Vec<String> = copy
        .prepare("SELECT type || ' ' || name FROM sqlite_master ORDER BY 1")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(schema, ["index tile_index", "table metadata", "table tiles"]);
    let name: String = copy.query_row("SELECT value FROM metadata WHERE name = 'name'", [], |row| row.get(0)).unwrap();
    assert_eq!(name, "Views");
}

#[test]
fn a_picture_of_more_pixels_than_its_bytes_can_hold_is_refused() {
    let data = data();
    let before = pack(data.path());
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::RGB8>(64, 64).unwrap();
    let directory = image.encoder();
    directory.write_tag(tiff::tags::Tag::ModelPixelScaleTag, &[0.000_001_f64, 0.000_001, 0.0][..]).unwrap();
    directory.write_tag(tiff::tags::Tag::ModelTiepointTag, &[0.0_f64, 0.0, 0.0, 9.5, 47.1, 0.0][..]).unwrap();
    directory
        .write_tag(
            tiff::tags::Tag::GeoKeyDirectoryTag,
            &[1_u16, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326][..],
        )
        .unwrap();
    image.write_data(&[90; 64 * 64 * 3]).unwrap();
    let mut bytes = bytes.into_inner();
    // Width and height, 100,000 each, in the only directory.
    let at = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    for entry in (0..count).map(|i| at + 2 + i * 12) {
        if matches!(u16::from_le_bytes([bytes[entry], bytes[entry + 1]]), 256 | 257) {
            bytes[entry + 8..entry + 12].copy_from_slice(&100_000_u32.to_le_bytes());
        }
    }
    let error = test_data::import(data.path(), &[file(data.path(), "claim.tif", &bytes)]).unwrap_err().to_string();
    assert!(error.contains("claim.tif"), "{error}");
    assert!(error.contains("100000 by 100000 pixels"), "{error}");
    assert!(pack(data.path()) == before);
}
