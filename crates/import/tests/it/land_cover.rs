//! Land cover: a small raster of our own, with the colors of ESA WorldCover, beside two houses.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_geodata::place::{AreaKind, Place};
use aerie_geodata::{Match, Pack, Precision};
use aerie_import::{FileReport, ImportError, ImportOptions};

/// The property's middle.
const AT: [f64; 2] = [9.5, 47.0];
/// Degrees of a meter there, to the east and to the north.
const METER: [f64; 2] = [1.0 / 75_900.0, 1.0 / 111_170.0];

fn without_gdal(test: &str) -> bool {
    let is_missing = Command::new("gdal_translate").arg("--version").output().is_err();
    if is_missing {
        eprintln!("{test}: not run, because GDAL's tools are not installed");
    }
    is_missing
}

fn import(data: &Path, file: &Path) -> Result<FileReport, ImportError> {
    let options = ImportOptions::new(data);
    Ok(crate::test_data::import_with(&[file.to_owned()], &options)?.total())
}

/// Two houses, 60 m apart, and a mapped wood of 40 by 40 m in the north-west.
fn map(folder: &Path) -> PathBuf {
    let square = |id: u32, x: f64, y: f64, half: f64, tags: &str| {
        let mut nodes = String::new();
        for (n, (u, v)) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().enumerate() {
            let (lon, lat) = (AT[0] + (x + u * half) * METER[0], AT[1] + (y + v * half) * METER[1]);
            writeln!(nodes, "<node id=\"{}\" lon=\"{lon:.8}\" lat=\"{lat:.8}\"/>", id * 10 + n as u32).unwrap();
        }
        let refs: String = [0, 1, 2, 3, 0].map(|n| format!("<nd ref=\"{}\"/>", id * 10 + n)).concat();
        (nodes, format!("<way id=\"{id}\">{refs}{tags}</way>"))
    };
    let house = "<tag k=\"building\" v=\"house\"/>";
    let parts = [
        square(1, 0.0, 0.0, 5.0, house),
        square(2, -60.0, 0.0, 5.0, house),
        square(3, -120.0, 120.0, 20.0, "<tag k=\"natural\" v=\"wood\"/>"),
    ];
    let (nodes, ways): (String, String) = parts.into_iter().unzip();
    let path = folder.join("map.osm");
    std::fs::write(&path, format!("<osm version=\"0.6\">{nodes}{ways}</osm>")).unwrap();
    path
}

/// Trees in the west, crops in the east, water in the south.
fn raster(folder: &Path) -> PathBuf {
    let cell = 10.0 * METER[1];
    let [columns, rows] = [120, 80];
    let mut grid = format!(
        "ncols {columns}\nnrows {rows}\nxllcorner {}\nyllcorner {}\ncellsize {cell}\n",
        AT[0] - 60.0 * cell,
        AT[1] - 40.0 * cell
    );
    for row in 0..rows {
        let class = |column: usize| {
            if row >= 70 {
                80
            } else if column < 58 {
                10
            } else {
                40
            }
        };
        let line: Vec<String> = (0..columns).map(|column| class(column).to_string()).collect();
        writeln!(grid, "{}", line.join(" ")).unwrap();
    }
    std::fs::write(folder.join("classes.asc"), grid).unwrap();
    let mut entries = String::new();
    for value in 0..=100 {
        let [r, g, b] = match value {
            10 => [0, 100, 0],
            40 => [240, 150, 255],
            50 => [250, 0, 0],
            80 => [0, 100, 200],
            _ => [0, 0, 0],
        };
        write!(entries, "<Entry c1=\"{r}\" c2=\"{g}\" c3=\"{b}\" c4=\"255\"/>").unwrap();
    }
    let vrt = format!(
        "<VRTDataset rasterXSize=\"{columns}\" rasterYSize=\"{rows}\"><SRS>EPSG:4326</SRS>\
         <GeoTransform>{}, {cell}, 0, {}, 0, -{cell}</GeoTransform>\
         <VRTRasterBand dataType=\"Byte\" band=\"1\"><ColorInterp>Palette</ColorInterp><ColorTable>{entries}</ColorTable>\
         <SimpleSource><SourceFilename relativeToVRT=\"1\">classes.asc</SourceFilename><SourceBand>1</SourceBand></SimpleSource>\
         </VRTRasterBand></VRTDataset>",
        AT[0] - 60.0 * cell,
        AT[1] + 40.0 * cell
    );
    std::fs::write(folder.join("classes.vrt"), vrt).unwrap();
    let path = folder.join("cover.tif");
    let made = Command::new("gdal_translate").arg("-q").arg(folder.join("classes.vrt")).arg(&path).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    path
}

fn place(data: &Path) -> Place {
    let pack = Pack::open_imported(data).unwrap().unwrap();
    let found = Match {
        building_id: Some("way/1".into()),
        lat: AT[1],
        lon: AT[0],
        matched: "Test".into(),
        precision: Precision::Building,
        source: String::new(),
        terrain_known: false,
        street: String::new(),
        address_id: "way/1".into(),
    };
    pack.place(&found, 300.0).unwrap()
}

fn kinds_at(place: &Place, at: [f64; 2]) -> Vec<AreaKind> {
    place.areas.iter().filter(|area| area.polygon.contains(at)).map(|area| area.kind).collect()
}

#[test]
fn land_cover_fills_what_the_map_leaves_out_and_plants_nothing_on_the_property() {
    if without_gdal("land_cover_fills_what_the_map_leaves_out") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &map(folder.path())).unwrap();
    let bare = place(folder.path());
    let report = import(folder.path(), &raster(folder.path())).unwrap();
    assert!(report.land_cover_tiles > 0 && report.imagery_tiles == 0, "{report:?}");
    let place = place(folder.path());

    assert_eq!(kinds_at(&place, [-150.0, -100.0]), [AreaKind::Forest]);
    assert_eq!(kinds_at(&place, [150.0, 0.0]), [AreaKind::Farmland]);
    assert_eq!(kinds_at(&place, [0.0, -350.0]), [], "water is left to the map");
    assert!(kinds_at(&bare, [-150.0, -100.0]).is_empty());
    // Mapped areas lie on top.
    assert_eq!(place.areas.last().map(|area| area.id.as_str()), Some("way/3"));

    let trees = |place: &Place, within: &dyn Fn([f64; 2]) -> bool| place.trees.iter().filter(|t| within(t.at)).count();
    assert!(trees(&place, &|[x, y]| x < -100.0 && y < 90.0) > 300);
    assert_eq!(trees(&place, &|[x, _]| x > 10.0), 0, "none among crops");
    assert_eq!(trees(&place, &|[x, y]| x.hypot(y) < 25.0), 0, "none on the property");
    let beside = |[x, y]: [f64; 2]| (x + 60.0).abs() < 15.0 && y.abs() < 15.0;
    assert!((2..12).contains(&trees(&place, &beside)), "{} beside the neighbor", trees(&place, &beside));
    let in_house = |[x, y]: [f64; 2]| (x + 60.0).abs() < 6.0 && y.abs() < 6.0;
    assert_eq!(trees(&place, &in_house), 0);
    let in_wood = |[x, y]: [f64; 2]| (x + 120.0).abs() < 18.0 && (y - 120.0).abs() < 18.0;
    assert_eq!(trees(&place, &in_wood), trees(&bare, &in_wood), "a mapped wood has its own trees alone");
    assert!(place.attributions.iter().any(|credit| credit.contains("ESA WorldCover")), "{:?}", place.attributions);
}

#[test]
fn a_picture_with_a_palette_of_its_own_is_imagery() {
    if without_gdal("a_picture_with_a_palette_of_its_own") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    raster(folder.path());
    let vrt = folder.path().join("classes.vrt");
    let text = std::fs::read_to_string(&vrt).unwrap().replace("c1=\"250\"", "c1=\"251\"");
    std::fs::write(&vrt, text).unwrap();
    let picture = folder.path().join("picture.tif");
    let options = ["-q", "-mo", "TIFFTAG_COPYRIGHT=© Test"];
    assert!(Command::new("gdal_translate").args(options).arg(&vrt).arg(&picture).status().unwrap().success());
    let report = import(folder.path(), &picture).unwrap();
    assert!(report.imagery_tiles > 0 && report.land_cover_tiles == 0, "{report:?}");
}
