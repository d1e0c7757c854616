//! Elevation from rasters: which GeoTIFF and tile files are recognized as heights, and which are rejected.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_geocode::geocode;
use aerie_geodata::Pack;
use aerie_geodata::place::Place;
use aerie_import::ImportOptions;
use image::{ImageFormat, Rgb, RgbImage};

use crate::map;
use crate::test_data;

/// Alexandria, Virginia, where a 2 m terrain model is available.
const ALEXANDRIA: [f64; 2] = [-77.05259, 38.81059];

fn import(data: &Path, file: &Path, credit: Option<&str>) -> Result<u64, String> {
    let options = ImportOptions { attribution: credit, ..ImportOptions::new(data) };
    let report = test_data::import_with(&[file.to_owned()], &options).map_err(|e| e.to_string())?;
    assert_eq!(report.total().imagery_tiles, 0, "heights are no imagery");
    Ok(report.total().terrain_tiles)
}

/// The pack of a data folder.
fn open(data: &Path) -> Pack {
    aerie_sample_town::open(data).unwrap()
}

/// A data folder with a map around a place.
fn folder(at: [f64; 2]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = aerie_test_data::map::osm_file(folder.path(), at, &["7", "9"]);
    test_data::import(folder.path(), &[file]).unwrap();
    folder
}

fn place(data: &Path, at: [f64; 2]) -> Place {
    open(data).place(&map::at(at), 300.0).unwrap()
}

/// The value that GDAL reads at a place.
fn read_by_gdal(file: &Path, [lon, lat]: [f64; 2]) -> f64 {
    let output = Command::new("gdallocationinfo")
        .args(["-valonly", "-wgs84"])
        .arg(file)
        .args([lon.to_string(), lat.to_string()])
        .output()
        .expect("GDAL's tools are there");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a height")
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_geotiff_of_heights_becomes_the_ground_as_gdal_reads_it() {
    let data = test_data::folder();
    let file = data.join("elevation/alexandria-va_dtm.tif");
    let folder = folder(ALEXANDRIA);
    let error = import(folder.path(), &file, None).unwrap_err();
    assert!(error.contains("names no attribution") && error.contains("--attribution"), "{error}");
    assert!(!place(folder.path(), ALEXANDRIA).terrain.known, "what is refused leaves nothing");

    assert!(import(folder.path(), &file, Some("© City of Alexandria")).unwrap() > 3);
    assert!(folder.path().join("pack/terrain/alexandria-va_dtm.tif.mbtiles").is_file());
    let found = geocode(&open(folder.path()), "Lindenweg 7, Oberau").unwrap();
    assert!(found.terrain_known);
    assert_eq!(open(folder.path()).summary().terrain_tiles, 1, "one file");
    let place = place(folder.path(), ALEXANDRIA);
    assert!(place.terrain.known);
    assert!(place.attributions.contains(&"© City of Alexandria".to_owned()), "{:?}", place.attributions);
    assert!(!place.attributions.iter().any(|a| a.contains("SRTM")), "{:?}", place.attributions);
    let mut worst: f64 = 0.0;
    for (x, y) in [(0.0, 0.0), (90.0, 30.0), (-120.0, 60.0), (60.0, -90.0), (-60.0, -30.0), (150.0, 90.0)] {
        let at = [ALEXANDRIA[0] + x / (111_300.0 * ALEXANDRIA[1].to_radians().cos()), ALEXANDRIA[1] + y / 111_000.0];
        let height = place.terrain.height([x, y]) + place.terrain.datum;
        worst = worst.max((height - read_by_gdal(&file, at)).abs());
    }
    eprintln!("at most {worst:.2} m from what GDAL reads");
    assert!(worst < 1.0, "{worst}");
    // Beyond its edge, where nothing is known, the ground continues without a step.
    let t = &place.terrain;
    let steepest = t.heights.windows(2).enumerate().filter(|(i, _)| (i + 1) % t.columns != 0);
    let steepest = steepest.map(|(_, h)| (h[1] - h[0]).abs()).fold(0.0, f32::max);
    assert!(steepest < 12.0, "{steepest} m from one sample to the next");
}

/// A picture of heights in tiles of one zoom around a place: a slope of one meter a pixel to the east.
fn tiles(file: &Path, zoom: u32, at: [f64; 2], metadata: &[(&str, &str)], pixel: fn(f64) -> [u8; 3]) {
    let db = rusqlite::Connection::open(file).unwrap();
    db.execute_batch(
        "CREATE TABLE metadata (name TEXT, value TEXT);
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);",
    )
    .unwrap();
    for (name, value) in metadata {
        db.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, value]).unwrap();
    }
    let n = f64::from(zoom).exp2();
    let lat = at[1].to_radians();
    let x = ((at[0] + 180.0) / 360.0 * n) as i64;
    let y = ((1.0 - (lat.tan() + 1.0 / lat.cos()).ln() / std::f64::consts::PI) / 2.0 * n) as i64;
    for (column, row) in (-3..=3).flat_map(|i| (-3..=3).map(move |j| (x + i, y + j))) {
        let picture =
            RgbImage::from_fn(256, 256, |i, _| Rgb(pixel(300.0 + ((column - x) * 256 + i64::from(i)) as f64)));
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).unwrap();
        let row = (1 << zoom) - 1 - row;
        db.execute("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)", (zoom, column, row, png.into_inner())).unwrap();
    }
}

fn terrarium(meters: f64) -> [u8; 3] {
    let value = meters + 32_768.0;
    [(value / 256.0) as u8, (value % 256.0) as u8, (value.fract() * 256.0) as u8]
}

const HERE: [f64; 2] = [9.5, 47.1];

#[test]
fn tiles_of_heights_are_told_from_pictures_by_what_they_say_or_by_their_pixels() {
    let folder = folder(HERE);
    let named: PathBuf = folder.path().join("named.mbtiles");
    tiles(&named, 13, HERE, &[("encoding", "terrarium"), ("attribution", "© Survey")], terrarium);
    assert_eq!(import(folder.path(), &named, None), Ok(49));
    let ground = place(folder.path(), HERE);
    assert!(ground.terrain.known && ground.attributions.contains(&"© Survey".to_owned()));
    // One meter a pixel of 13 m to the east, and nothing to the north.
    let pixel = 40_075_016.7 * HERE[1].to_radians().cos() / 256.0 / 8192.0;
    let rise = ground.terrain.height([1000.0, 0.0]) - ground.terrain.height([-1000.0, 0.0]);
    assert!((rise - 2000.0 / pixel).abs() < 1.5, "{rise} m on two kilometers");
    assert!((ground.terrain.height([0.0, 900.0]) - ground.terrain.height([0.0, -900.0])).abs() < 1.0);

    std::fs::remove_file(folder.path().join("pack/terrain/named.mbtiles")).unwrap();
    let silent = folder.path().join("silent.mbtiles");
    tiles(&silent, 13, HERE, &[], terrarium);
    assert_eq!(import(folder.path(), &silent, Some("© Survey")), Ok(49));
    assert!(place(folder.path(), HERE).terrain.known);

    let mapbox = folder.path().join("mapbox.mbtiles");
    tiles(&mapbox, 13, HERE, &[("encoding", "mapbox")], terrarium);
    assert!(import(folder.path(), &mapbox, Some("x")).unwrap_err().contains("Mapbox's encoding"));

    // A gray picture in the value range of heights is still a picture.
    let picture = folder.path().join("picture.mbtiles");
    tiles(&picture, 13, HERE, &[], |v| [140 + (v as i64 / 9).rem_euclid(9) as u8; 3]);
    let options = ImportOptions { attribution: Some("© Town"), ..ImportOptions::new(folder.path()) };
    let report = test_data::import_with(&[picture], &options).unwrap();
    assert_eq!((report.total().imagery_tiles, report.total().terrain_tiles), (49, 0));
}

/// A raster of heights of 500 to 530 m around a place, made by `gdal_translate` with these arguments.
fn raster(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let (plain, out, grid) = (folder.join("plain.tif"), folder.join(name), folder.join("grid.asc"));
    let rows = "500 510 520 530\n".repeat(4);
    std::fs::write(&grid, format!("ncols 4\nnrows 4\nxllcorner 9.49\nyllcorner 47.09\ncellsize 0.005\n{rows}"))
        .unwrap();
    let run = |command: &mut Command| assert!(command.status().expect("GDAL's tools are there").success());
    run(Command::new("gdal_translate").args(["-q", "-a_srs", "EPSG:4326"]).arg(&grid).arg(&plain));
    run(Command::new("gdal_translate").arg("-q").args(arguments).arg(&plain).arg(&out));
    out
}

#[test]
fn heights_are_scaled_and_converted_to_meters_as_the_file_says() {
    let datum = |arguments: &[&str]| {
        let folder = folder(HERE);
        let file = raster(folder.path(), "heights.tif", arguments);
        import(folder.path(), &file, Some("x")).unwrap();
        place(folder.path(), HERE).terrain.datum
    };
    let plain = datum(&["-ot", "Float32"]);
    for (arguments, meters) in [
        (&["-ot", "Int16", "-scale", "0", "1000", "0", "10000", "-a_scale", "0.1"][..], plain),
        (&["-ot", "UInt16", "-scale", "400", "600", "0", "20000", "-a_scale", "0.01", "-a_offset", "400"], plain),
        (&["-ot", "Float32", "-a_srs", "EPSG:6318+6360"], plain * 1200.0 / 3937.0),
        (
            &["-ot", "Int16", "-a_srs", "EPSG:6318+6360", "-scale", "0", "1000", "0", "10000", "-a_scale", "0.1"],
            plain * 0.3048,
        ),
    ] {
        let found = datum(arguments);
        assert!((found - meters).abs() < 0.1, "{arguments:?}: {found} m, not {meters} m");
    }
}

#[test]
fn a_raster_that_is_no_height_in_meters_is_refused_with_the_remedy() {
    let folder = folder(HERE);
    let made = |name: &str, arguments: &[&str]| raster(folder.path(), name, arguments);
    let wild = made("wild.tif", &["-ot", "Float32", "-scale", "0", "1000", "0", "900000"]);
    let error = import(folder.path(), &wild, Some("x")).unwrap_err();
    assert!(error.contains("not plausible heights"), "{error}");
    let nothing = made("nothing.tif", &["-ot", "Int16", "-scale", "0", "1000", "-9999", "-9999", "-a_nodata", "-9999"]);
    let error = import(folder.path(), &nothing, Some("x")).unwrap_err();
    assert!(error.contains("contains no heights"), "{error}");
    assert!(!folder.path().join("pack/terrain").exists() || !place(folder.path(), HERE).terrain.known);
    let good = made("good.tif", &["-ot", "Int16"]);
    assert!(import(folder.path(), &good, Some("x")).unwrap() > 0);
    let datum = place(folder.path(), HERE).terrain.datum;
    assert!((505.0..525.0).contains(&datum), "{datum}");
}
