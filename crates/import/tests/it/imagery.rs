//! Imagery: known marks end up at known positions, whatever the format of the file.
//!
//! The Zürich orthophoto is not in the repository but in AERIE_TEST_DATA.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_geodata::place::GeoPoint;
use aerie_geodata::{Grid, LocalFrame, Orthophoto, Pack, Sources};
use aerie_import::{ImportError, ImportOptions, ImportReport};
use image::{ImageFormat, Rgb, RgbImage};
use rusqlite::Connection;

const ORIGIN: GeoPoint = GeoPoint { lat: 47.1, lon: 9.5 };
const ZOOM: u32 = 18;
/// Positions of the painted marks, local meters.
const MARKS: [[f64; 2]; 5] = [[0.0, 0.0], [31.0, 12.0], [-24.5, 40.25], [-37.75, -29.5], [18.0, -41.0]];

fn import(files: &[PathBuf], data: &Path, attribution: Option<&str>) -> Result<ImportReport, ImportError> {
    crate::test_data::import_with(files, &ImportOptions { attribution, ..ImportOptions::new(data) })
}

/// The pack of a data folder.
fn open(data: &Path) -> Pack {
    aerie_sample_town::open(data).unwrap()
}

/// Web Mercator's pixel of a point, counted from the world's north-west.
fn pixel(lon: f64, lat: f64) -> [f64; 2] {
    let world = 256.0 * f64::from(1 << ZOOM);
    let y = (1.0 - (lat.to_radians().tan() + 1.0 / lat.to_radians().cos()).ln() / std::f64::consts::PI) / 2.0;
    [(lon + 180.0) / 360.0 * world, y * world]
}

/// Tiles of dull green with a soft red dot of 3 pixels at each mark: column, row from the north, PNG.
fn tiles() -> Vec<(u32, u32, Vec<u8>)> {
    let frame = LocalFrame::new(ORIGIN);
    let marks = MARKS.map(|m| {
        let [lon, lat] = frame.geographic(m);
        pixel(lon, lat)
    });
    let [cx, cy] = pixel(ORIGIN.lon, ORIGIN.lat).map(|v| (v / 256.0) as u32);
    let mut out = Vec::new();
    for (x, y) in (cy - 1..=cy + 1).flat_map(|y| (cx - 1..=cx + 1).map(move |x| (x, y))) {
        let tile = RgbImage::from_fn(256, 256, |i, j| {
            let at = [f64::from(x * 256 + i) + 0.5, f64::from(y * 256 + j) + 0.5];
            let near = marks.iter().map(|m| (m[0] - at[0]).hypot(m[1] - at[1])).fold(f64::MAX, f64::min);
            let red = (-near * near / (2.0 * 1.5 * 1.5)).exp();
            Rgb([60 + (180.0 * red) as u8, 90, 50])
        });
        let mut png = Cursor::new(Vec::new());
        tile.write_to(&mut png, ImageFormat::Png).unwrap();
        out.push((x, y, png.into_inner()));
    }
    out
}

fn mbtiles(path: &Path, metadata: &[(&str, &str)]) {
    let db = Connection::open(path).unwrap();
    db.execute_batch(
        "CREATE TABLE metadata (name TEXT, value TEXT);
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);",
    )
    .unwrap();
    for (name, value) in metadata {
        db.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, value]).unwrap();
    }
    for (x, y, data) in tiles() {
        db.execute("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)", (ZOOM, x, (1 << ZOOM) - 1 - y, data)).unwrap();
    }
}

/// Position of a tile on the Hilbert curve, by the textbook algorithm.
fn curve(x: u32, y: u32) -> u64 {
    let (mut x, mut y) = (i64::from(x), i64::from(y));
    let n = 1_i64 << ZOOM;
    let mut d = 0;
    let mut s = n / 2;
    while s > 0 {
        let (rx, ry) = (i64::from(x & s > 0), i64::from(y & s > 0));
        d += s * s * ((3 * rx) ^ ry);
        if ry == 0 {
            if rx == 1 {
                (x, y) = (n - 1 - x, n - 1 - y);
            }
            (x, y) = (y, x);
        }
        s /= 2;
    }
    d as u64 + ((1_u64 << (2 * ZOOM)) - 1) / 3
}

fn pmtiles(path: &Path, attribution: &str) {
    let mut entries: Vec<(u64, Vec<u8>)> = tiles().into_iter().map(|(x, y, data)| (curve(x, y), data)).collect();
    entries.sort();
    let varint = |mut v: u64, out: &mut Vec<u8>| {
        while v > 127 {
            out.push(v as u8 | 0x80);
            v >>= 7;
        }
        out.push(v as u8);
    };
    let mut directory = Vec::new();
    varint(entries.len() as u64, &mut directory);
    let mut last = 0;
    for (id, _) in &entries {
        varint(id - last, &mut directory);
        last = *id;
    }
    entries.iter().for_each(|_| varint(1, &mut directory));
    entries.iter().for_each(|(_, data)| varint(data.len() as u64, &mut directory));
    (0..entries.len()).for_each(|i| varint(u64::from(i == 0), &mut directory));
    let metadata = serde_json::json!({"name": "dots", "attribution": attribution}).to_string().into_bytes();
    let data: Vec<u8> = entries.iter().flat_map(|(_, data)| data.clone()).collect();
    let mut header = b"PMTiles\x03".to_vec();
    let (root, meta) = (127, 127 + directory.len());
    let start = meta + metadata.len();
    let count = entries.len();
    for v in [root, directory.len(), meta, metadata.len(), start, 0, start, data.len(), count, count, count] {
        header.extend((v as u64).to_le_bytes());
    }
    header.extend([1, 1, 1, 2, ZOOM as u8, ZOOM as u8]);
    for v in [94_970_000_i32, 470_980_000, 95_030_000, 471_020_000] {
        header.extend(v.to_le_bytes());
    }
    header.resize(127, 0);
    fs::write(path, [header, directory, metadata, data].concat()).unwrap();
}

/// A picture of the ground around the origin, rotated by `up` radians.
fn seen(data: &Path, up: f64, meters: f64, side: usize) -> Option<Orthophoto> {
    let (sin, cos) = up.sin_cos();
    let half = meters * side as f64 / 2.0;
    let to_local =
        [cos * meters, -sin * meters, -cos * half + sin * half, -sin * meters, -cos * meters, sin * half + cos * half];
    let grid = Grid { origin: ORIGIN, to_local, width: side, height: side };
    open(data).imagery(&grid, &Sources::default()).unwrap()
}

/// Weighted center of the red near a pixel.
fn red_near(photo: &Orthophoto, at: [f64; 2], reach: f64) -> [f64; 2] {
    let mut sum = [0.0; 3];
    let near = |v: f64, end: usize| ((v - reach).max(0.0) as usize)..((v + reach + 1.0) as usize).min(end);
    for y in near(at[1], photo.height) {
        for x in near(at[0], photo.width) {
            let p = [x as f64 + 0.5, y as f64 + 0.5];
            let weight = f64::from(photo.rgba[(y * photo.width + x) * 4]) - 70.0;
            if (p[0] - at[0]).hypot(p[1] - at[1]) < reach && weight > 0.0 {
                sum = [sum[0] + weight * p[0], sum[1] + weight * p[1], sum[2] + weight];
            }
        }
    }
    [sum[0] / sum[2], sum[1] / sum[2]]
}

/// Within `off` pixels.
fn assert_marks_lie_right(data: &Path, up: f64, meters: f64, within: f64) {
    let side = (110.0 / meters) as usize;
    let photo = seen(data, up, meters, side).expect("the place is covered");
    assert_eq!(photo.attributions, ["© Town of Dots"]);
    assert!(photo.known() > 0.999);
    for [east, north] in MARKS {
        let (sin, cos) = up.sin_cos();
        let middle = side as f64 / 2.0;
        let want = [middle + (cos * east - sin * north) / meters, middle - (sin * east + cos * north) / meters];
        let got = red_near(&photo, want, 5.0_f64.max(4.0 / meters));
        let off = (got[0] - want[0]).hypot(got[1] - want[1]);
        assert!(off < within, "the mark at {east} {north} is {off:.3} pixels of {meters} m away");
    }
}

#[test]
fn marks_in_mbtiles_and_pmtiles_land_on_their_meters_turned_finer_and_coarser() {
    for kind in ["mbtiles", "pmtiles"] {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join(format!("dots.{kind}"));
        match kind {
            "mbtiles" => mbtiles(&path, &[("attribution", "<a href='https://dots.example'>&copy; Town of Dots</a>")]),
            _ => pmtiles(&path, "&copy; Town of Dots"),
        }
        let report = import(std::slice::from_ref(&path), data.path(), None).unwrap();
        assert_eq!(report.files[0].imagery_tiles, 9);
        for (up, meters) in [(0.0, 0.4), (0.7, 0.25), (2.5, 0.1), (-1.2, 0.9)] {
            assert_marks_lie_right(data.path(), up, meters, 0.25);
        }
        // Away from it nothing is known, and nothing is invented.
        let far = Grid {
            origin: GeoPoint { lat: 47.2, lon: 9.5 },
            to_local: [1.0, 0.0, 0.0, 0.0, -1.0, 0.0],
            width: 9,
            height: 9,
        };
        assert_eq!(open(data.path()).imagery(&far, &Sources::default()).unwrap(), None);
    }
}

#[test]
fn importing_imagery_twice_is_importing_it_once_and_a_given_credit_overrides_the_file_s() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("dots.mbtiles");
    mbtiles(&path, &[("attribution", "someone")]);
    for _ in 0..2 {
        import(std::slice::from_ref(&path), data.path(), Some("© Town of Dots")).unwrap();
    }
    let names: Vec<_> =
        fs::read_dir(data.path().join("pack/imagery")).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["dots.mbtiles"]);
    assert_marks_lie_right(data.path(), 0.0, 0.4, 0.25);
}

#[test]
fn imagery_that_cannot_be_used_is_refused_with_the_remedy_and_leaves_nothing_behind() {
    let data = tempfile::tempdir().unwrap();
    let path = |name: &str| data.path().join(name);
    mbtiles(&path("uncredited.mbtiles"), &[]);
    mbtiles(&path("vector.mbtiles"), &[("format", "pbf"), ("attribution", "x")]);
    Connection::open(path("other.mbtiles")).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
    pmtiles(&path("whole.pmtiles"), "x");
    let whole = fs::read(path("whole.pmtiles")).unwrap();
    fs::write(path("cut.pmtiles"), &whole[..whole.len() - 9]).unwrap();
    let mut old = whole.clone();
    old[7] = 2;
    fs::write(path("old.pmtiles"), old).unwrap();
    fs::write(path("plain.tif"), b"II*\0nothing").unwrap();
    for (name, part) in [
        ("uncredited.mbtiles", "--attribution"),
        ("vector.mbtiles", "not pictures"),
        ("other.mbtiles", "holds no MBTiles"),
        ("cut.pmtiles", "damaged"),
        ("old.pmtiles", "not PMTiles version 3"),
        ("plain.tif", if gdal() { "damaged" } else { "apt-get install gdal-bin" }),
    ] {
        let error = import(&[path(name)], data.path(), None).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(part), "{error}");
        let left = fs::read_dir(data.path().join("pack")).unwrap().flatten().map(|e| e.file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["import.lock"], "{name}");
    }
}

fn gdal() -> bool {
    Command::new("gdalinfo").arg("--version").output().is_ok()
}

/// Reports that GDAL's tools are missing. If test data is given, they must be installed.
fn without_gdal(test: &str) -> bool {
    if gdal() {
        return false;
    }
    assert!(std::env::var_os("AERIE_TEST_DATA").is_none(), "{test}: GDAL's tools are not installed");
    eprintln!("{test}: skipped, GDAL's tools are not installed");
    true
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_geotiff_of_a_national_grid_lies_where_an_independent_projection_puts_it() {
    let tif = aerie_test_data::test_data("imagery/zurich_swissimage50cm_1091-322_00.tif");
    let data = tempfile::tempdir().unwrap();
    let report = import(std::slice::from_ref(&tif), data.path(), Some("© swisstopo")).unwrap();
    assert!(report.files[0].imagery_tiles > 4);
    // The grid's own pixels, by GDAL's projection, against a window of ours of the same size on the ground.
    let local: Vec<[f64; 2]> =
        (0..40).flat_map(|j| (0..40).map(move |i| [f64::from(i) * 2.0 - 39.0, f64::from(j) * 2.0 - 39.0])).collect();
    let origin = GeoPoint { lat: 47.37671, lon: 8.488426 };
    let frame = LocalFrame::new(origin);
    let asked: String = local.iter().map(|p| frame.geographic(*p)).map(|[lon, lat]| format!("{lon} {lat}\n")).collect();
    let input = data.path().join("asked");
    fs::write(&input, asked).unwrap();
    let output = Command::new("gdallocationinfo")
        .args(["-wgs84", "-valonly", "-b", "2"])
        .arg(&tif)
        .stdin(fs::File::open(&input).unwrap())
        .output()
        .unwrap();
    let truth: Vec<f64> = String::from_utf8(output.stdout).unwrap().lines().filter_map(|l| l.parse().ok()).collect();
    assert_eq!(truth.len(), local.len(), "the place lies on the picture");
    let meters = 0.25;
    let side = 400;
    let half = meters * f64::from(side) / 2.0;
    let grid = Grid { origin, to_local: [meters, 0.0, -half, 0.0, -meters, half], width: 400, height: 400 };
    let photo = open(data.path()).imagery(&grid, &Sources::default()).unwrap().expect("the place is covered");
    let off = |dx: f64, dy: f64| {
        let sum: f64 = local
            .iter()
            .zip(&truth)
            .map(|(p, truth)| {
                let (x, y) = ((p[0] + dx + half) / meters, (half - p[1] - dy) / meters);
                let at = (y as usize * 400 + x as usize) * 4 + 1;
                (f64::from(photo.rgba[at]) - truth).powi(2)
            })
            .sum();
        (sum / local.len() as f64).sqrt()
    };
    let here = off(0.0, 0.0);
    // Half a meter is a pixel of the source.
    for (dx, dy) in [(0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)] {
        assert!(here < 0.8 * off(dx, dy), "{here:.2} here, {:.2} a pixel away to {dx} {dy}", off(dx, dy));
    }
}

#[test]
fn marks_in_a_geotiff_land_on_their_meters() {
    if without_gdal("marks_in_a_geotiff") {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let frame = LocalFrame::new(ORIGIN);
    // An ordinary picture in degrees, georeferenced by the tool itself.
    let [west, south] = frame.geographic([-80.0, -80.0]);
    let [east, north] = frame.geographic([80.0, 80.0]);
    let side = 640;
    let marks = MARKS.map(|m| frame.geographic(m));
    let image = RgbImage::from_fn(side, side, |i, j| {
        let lon = west + (f64::from(i) + 0.5) / f64::from(side) * (east - west);
        let lat = north - (f64::from(j) + 0.5) / f64::from(side) * (north - south);
        let at = frame.local(lon, lat);
        let near = marks.iter().map(|m| frame.local(m[0], m[1])).map(|m| (m[0] - at[0]).hypot(m[1] - at[1]));
        let near = near.fold(f64::MAX, f64::min);
        Rgb([60 + (180.0 * (-near * near / 0.5).exp()) as u8, 90, 50])
    });
    let (png, tif) = (data.path().join("dots.png"), data.path().join("dots.tif"));
    image.save(&png).unwrap();
    let status = Command::new("gdal_translate")
        .args(["-q", "-of", "GTiff", "-a_srs", "EPSG:4326", "-a_ullr"])
        .args([west, north, east, south].map(|v| v.to_string()))
        .args([&png, &tif])
        .status()
        .unwrap();
    assert!(status.success());
    import(std::slice::from_ref(&tif), data.path(), Some("© Town of Dots")).unwrap();
    for (up, meters) in [(0.0, 0.25), (0.7, 0.2), (1.9, 0.4)] {
        // The tool resamples once more on the way.
        assert_marks_lie_right(data.path(), up, meters, 0.5);
    }
    // Pixels of the no-data color are no part of the picture.
    let cut = data.path().join("cut.tif");
    let args = ["-q", "-scale", "60", "61", "0", "200", "-a_nodata", "0"];
    assert!(Command::new("gdal_translate").args(args).args([&tif, &cut]).status().unwrap().success());
    let report = import(&[cut], data.path(), Some("© Town of Dots")).unwrap().total();
    assert_eq!((report.read, report.used), (3, 3));
    // Measurements in three bands are neither a picture nor heights.
    let numbers = data.path().join("numbers.tif");
    let args = ["-q", "-of", "GTiff", "-ot", "Float32"];
    assert!(Command::new("gdal_translate").args(args).args([&tif, &numbers]).status().unwrap().success());
    let error = import(&[numbers], data.path(), Some("x")).unwrap_err().to_string();
    assert!(error.contains("numbers.tif") && error.contains("not 8-bit colors"), "{error}");
}
