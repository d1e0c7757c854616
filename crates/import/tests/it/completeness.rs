//! Everything in a file is imported, or counted with the true reason.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use aerie_geocode::geocode;
use aerie_import::{FileReport, ImportError, ImportOptions};
use aerie_test_data::pbf::{self, Message};
use serde_json::{Value, json};

use crate::importing::{HOUSE, PARCELS, content, file};
use crate::test_data;

fn import_partly(data: &Path, path: PathBuf) -> Result<FileReport, ImportError> {
    let options = ImportOptions { allow_partial: true, ..ImportOptions::new(data) };
    test_data::import_with(&[path], &options).map(|report| report.total())
}

fn import(data: &Path, path: PathBuf) -> Result<FileReport, ImportError> {
    test_data::import(data, &[path]).map(|report| report.total())
}

fn imported(data: &Path, name: &str, bytes: &[u8]) -> FileReport {
    import(data, file(data, name, bytes)).unwrap_or_else(|error| panic!("{error}"))
}

/// A data folder with the map of a house.
fn with_house() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    imported(data.path(), "house.osm", HOUSE.as_bytes());
    data
}

/// The house as Overpass writes it with `out geom`: without its points.
fn with_geometry() -> String {
    let mut text = String::from("<osm version=\"0.6\">");
    let spots = [("47.1000", "9.5000"), ("47.1000", "9.5002"), ("47.1001", "9.5002"), ("47.1001", "9.5000")];
    let spots = spots.into_iter().chain([("47.0999", "9.4990"), ("47.0999", "9.5010")]).collect::<Vec<_>>();
    for line in HOUSE.lines().filter(|line| line.contains("<way") || line.contains("<tag")) {
        let mut line = line.to_owned();
        for (i, (lat, lon)) in spots.iter().enumerate() {
            let number = i + 1;
            line = line.replace(
                &format!("<nd ref=\"{number}\"/>"),
                &format!("<nd ref=\"{number}\" lat=\"{lat}\" lon=\"{lon}\"/>"),
            );
        }
        text.push_str(&line);
    }
    text + "</osm>"
}

#[test]
fn ways_that_carry_their_positions_are_those_of_the_plain_file() {
    let plain = with_house();
    let located = tempfile::tempdir().unwrap();
    let report = imported(located.path(), "house.osm", with_geometry().as_bytes());
    assert_eq!((report.buildings, report.addresses, report.roads, report.objects), (1, 1, 1, 2));
    assert_eq!(content(plain.path()), content(located.path()));
    // Without ids of the points.
    let nameless = tempfile::tempdir().unwrap();
    let text = with_geometry();
    let text = (1..=6).fold(text, |text, id| text.replace(&format!("<nd ref=\"{id}\""), "<nd"));
    imported(nameless.path(), "house.osm", text.as_bytes());
    assert_eq!(content(plain.path()), content(nameless.path()));
}

/// A block with a house and its street. `with_points`: as points; `located`: on the ways.
fn block(with_points: bool, located: bool) -> Message {
    let texts = [
        "",
        "building",
        "house",
        "addr:street",
        "Lindenweg",
        "addr:housenumber",
        "7",
        "highway",
        "residential",
        "name",
    ];
    let table = texts.into_iter().fold(Message::default(), |table, text| table.bytes(1, text));
    let [lon, lat] = [95_000_000_i64, 471_000_000];
    let lons = [lon, lon + 2000, lon + 2000, lon, lon - 10_000, lon + 10_000];
    let lats = [lat, lat, lat + 1000, lat + 1000, lat - 1000, lat - 1000];
    let way = |id, keys: &[u64], values: &[u64], refs: &[i64]| {
        let way = Message::default()
            .number(1, id)
            .packed(2, keys.iter().copied())
            .packed(3, values.iter().copied())
            .packed(8, pbf::deltas(refs));
        let of = |all: &[i64; 6]| pbf::deltas(&refs.iter().map(|node| all[*node as usize - 1]).collect::<Vec<_>>());
        if located { way.packed(9, of(&lats)).packed(10, of(&lons)) } else { way }
    };
    let group = |field, message: &Message| Message::default().message(field, message);
    let mut block = Message::default().message(1, &table);
    if with_points {
        let dense = Message::default()
            .packed(1, pbf::deltas(&[1, 2, 3, 4, 5, 6]))
            .packed(8, pbf::deltas(&lats))
            .packed(9, pbf::deltas(&lons));
        block = block.message(2, &group(2, &dense));
    }
    block
        .message(2, &group(3, &way(10, &[1, 3, 5], &[2, 4, 6], &[1, 2, 3, 4, 1])))
        .message(2, &group(3, &way(11, &[7, 9], &[8, 4], &[5, 6])))
}

#[test]
fn locations_on_ways_in_pbf_are_read_and_their_lack_is_said() {
    let import = |block: Message| {
        let data = tempfile::tempdir().unwrap();
        let report = imported(data.path(), "x.osm.pbf", &pbf::file(&[block]));
        assert_eq!((report.read, report.used, report.buildings, report.addresses), (3, 3, 1, 1), "{report:?}");
        content(data.path())
    };
    let plain = import(block(true, false));
    assert_eq!(plain, import(block(false, true)));
    assert_eq!(plain, import(block(true, true)));

    let data = tempfile::tempdir().unwrap();
    let bare = file(data.path(), "bare.osm.pbf", &pbf::file(&[block(false, false)]));
    let error = import_partly(data.path(), bare).unwrap_err().to_string();
    assert!(error.contains("only 0 of 3 features") && error.contains("no point is in the file"), "{error}");
    assert!(!error.contains("--allow-partial"), "{error}");
}

#[test]
fn an_export_of_centers_is_refused_because_it_has_no_shapes() {
    let way = "<way id=\"10\"><center lat=\"47.1\" lon=\"9.5\"/>NODES<tag k=\"building\" v=\"yes\"/></way>";
    let data = tempfile::tempdir().unwrap();
    for nodes in ["", "<nd ref=\"1\"/><nd ref=\"2\"/><nd ref=\"3\"/><nd ref=\"1\"/>"] {
        let text = format!("<osm version=\"0.6\">{}</osm>", way.replace("NODES", nodes));
        let error = import(data.path(), file(data.path(), "centers.osm", text.as_bytes())).unwrap_err().to_string();
        assert!(error.contains("1 ways of which no point is in the file (ask Overpass for `out geom`"), "{error}");
    }
    let house = json!({"type": "Feature", "id": "way/10", "geometry": {"type": "Point", "coordinates": [9.5, 47.1]},
        "properties": {"@id": "way/10", "@geometry": "center", "building": "yes"}});
    let error =
        import(data.path(), file(data.path(), "centers.geojson", &collection(&[house]))).unwrap_err().to_string();
    assert!(error.contains("1 objects of which the file holds only the bounds or the center"), "{error}");
}

#[test]
fn the_polygons_in_a_geometry_collection_are_read() {
    let data = with_house();
    let lot = |geometry: &Value| {
        let lot = json!({"type": "Feature", "properties": {"APN": "1"}, "geometry": geometry});
        import(data.path(), file(data.path(), "lots.geojson", &collection(&[lot])))
    };
    let polygon = feature(Value::Null, Value::Null, 9.5)["geometry"].clone();
    let label = json!({"type": "Point", "coordinates": [9.5, 47.1]});
    let collected = |parts: &[&Value]| json!({"type": "GeometryCollection", "geometries": parts});
    assert_eq!(lot(&polygon).unwrap().parcels, 1);
    let plain = content(data.path());
    for geometry in [collected(&[&label, &polygon]), collected(&[&collected(&[&polygon]), &label])] {
        assert_eq!(lot(&geometry).unwrap().parcels, 1);
        assert_eq!(content(data.path()), plain);
    }
    for geometry in [collected(&[&label]), collected(&[])] {
        let error = lot(&geometry).unwrap_err().to_string();
        assert!(error.contains("1 features that are no polygons"), "{error}");
    }
    let house = json!({"type": "Feature", "properties": {"@id": "way/9", "building": "yes"},
        "geometry": collected(&[&label, &polygon])});
    assert_eq!(imported(data.path(), "house.geojson", &collection(&[house])).buildings, 1);
}

#[test]
fn a_relation_that_carries_its_geometry_needs_no_ways() {
    let ring = [("47.1", "9.501"), ("47.1", "9.502"), ("47.101", "9.502"), ("47.1", "9.501")];
    let nodes = |with_ids: bool| {
        let node = |(i, (lat, lon)): (usize, &(&str, &str))| match with_ids {
            true => format!("<node id=\"{}\" lat=\"{lat}\" lon=\"{lon}\"/>", 50 + i % 3),
            false => format!("<nd lat=\"{lat}\" lon=\"{lon}\"/>"),
        };
        ring.iter().enumerate().map(node).collect::<String>()
    };
    let tags = "<tag k=\"type\" v=\"multipolygon\"/><tag k=\"building\" v=\"yes\"/></relation></osm>";
    let plain = format!(
        "{}<way id=\"60\"><nd ref=\"50\"/><nd ref=\"51\"/><nd ref=\"52\"/><nd ref=\"50\"/></way>\
         <relation id=\"70\"><member type=\"way\" ref=\"60\" role=\"outer\"/>{tags}",
        nodes(true)
    );
    let located =
        format!("<relation id=\"70\"><member type=\"way\" ref=\"60\" role=\"outer\">{}</member>{tags}", nodes(false));
    let of = |relation: &str| {
        let data = tempfile::tempdir().unwrap();
        let report = imported(data.path(), "x.osm", HOUSE.replace("</osm>", relation).as_bytes());
        assert_eq!((report.buildings, report.skipped.len()), (2, 0), "{report:?}");
        content(data.path())
    };
    assert_eq!(of(&plain), of(&located));
    // A member that is cut by the edge of the query is no ring.
    let cut = located.replace("<nd lat=\"47.101\" lon=\"9.502\"/>", "<nd/>");
    let data = tempfile::tempdir().unwrap();
    let report = imported(data.path(), "x.osm", HOUSE.replace("</osm>", &cut).as_bytes());
    assert_eq!(report.skipped["multipolygons with ways that are not all in the file"], 1);
    // Nor is a way of four corners that lacks one of them.
    let lacking = plain.replace("<nd ref=\"52\"/>", "<nd ref=\"52\"/><nd ref=\"53\"/>");
    let report = imported(data.path(), "y.osm", HOUSE.replace("</osm>", &lacking).as_bytes());
    assert_eq!(report.skipped["multipolygons with ways that are not all in the file"], 1);
}

#[test]
fn a_file_that_lost_its_houses_is_refused_unless_that_is_allowed() {
    let data = with_house();
    let before = content(data.path());
    let lost: String = (0..3)
        .map(|i| format!("<way id=\"{}\"><nd ref=\"81\"/><nd ref=\"82\"/><nd ref=\"83\"/><nd ref=\"81\"/><tag k=\"building\" v=\"yes\"/></way>", 90 + i))
        .collect();
    let text = HOUSE.replace("</osm>", &(lost + "</osm>"));
    let path = file(data.path(), "lost.osm", text.as_bytes());
    let error = import(data.path(), path.clone()).unwrap_err().to_string();
    let said = ["lost.osm", "only 1 of 4 buildings", "3 ways of which no point is in the file", "--allow-partial"];
    assert!(said.iter().all(|part| error.contains(part)), "{error}");
    assert_eq!(before, content(data.path()));
    let report = import_partly(data.path(), path).unwrap();
    assert_eq!((report.read, report.used, report.buildings), (6, 3, 1), "{report:?}");
}

/// A house that was drawn in an editor and never uploaded.
fn drawn(number: &str, lon: f64) -> String {
    let at =
        |id: i64, x: f64, y: f64| format!("<node id='{id}' action='modify' lat='{}' lon='{}'/>", 47.1 + y, lon + x);
    let (e, n) = (0.0002, 0.0001);
    let nodes = [at(-1, 0.0, 0.0), at(-2, e, 0.0), at(-3, e, n), at(-4, 0.0, n)].concat();
    format!(
        "<osm version='0.6' generator='JOSM'>{nodes}<way id='-9' action='modify'><nd ref='-1'/><nd ref='-2'/><nd ref='-3'/><nd ref='-4'/>\
         <nd ref='-1'/><tag k='building' v='house'/><tag k='addr:housenumber' v='{number}'/><tag k='addr:street' v='Lindenweg'/></way></osm>"
    )
}

#[test]
fn objects_that_were_never_uploaded_are_those_of_their_file() {
    let data = with_house();
    for (name, number, lon) in [("one.osm", "9", 9.501), ("two.osm", "11", 9.502)] {
        imported(data.path(), name, drawn(number, lon).as_bytes());
    }
    // One of the same name in another folder.
    let folder = data.path().join("other");
    fs::create_dir(&folder).unwrap();
    import(data.path(), file(&folder, "one.osm", drawn("13", 9.503).as_bytes())).unwrap();
    let find = |number: &str| geocode(&aerie_sample_town::open(data.path()).unwrap(), &format!("Lindenweg {number}"));
    for number in ["7", "9", "11", "13"] {
        assert!(find(number).is_ok(), "{number}");
    }
    let before = content(data.path());
    imported(data.path(), "one.osm", drawn("9", 9.501).as_bytes());
    assert_eq!(before, content(data.path()));
    // The same file after an edit.
    imported(data.path(), "one.osm", drawn("10", 9.501).as_bytes());
    assert!(find("10").is_ok() && content(data.path()).len() == before.len());
}

#[test]
fn what_a_later_file_replaces_or_deletes_is_said() {
    let data = with_house();
    let report = imported(data.path(), "later.osm", HOUSE.replace("v=\"7\"", "v=\"8\"").as_bytes());
    assert_eq!(report.notes["objects replace those that were imported before with the same ids"], 2);
    let deleted = HOUSE.replace("<way id=\"10\">", "<way id=\"10\" action=\"delete\">");
    let report = imported(data.path(), "edited.osm", deleted.as_bytes());
    assert_eq!((report.buildings, report.notes["objects that are marked as deleted"]), (0, 1));
    assert!(!content(data.path()).iter().any(|row| row.starts_with("buildings")));
}

#[test]
fn each_reader_counts_what_it_reads_uses_and_skips() {
    let data = with_house();
    let odd = HOUSE.replace(
        "</osm>",
        r#"<node id="98"><tag k="natural" v="tree"/></node><node id="x" lat="47" lon="9"/>
 <way id="21"><nd ref="1"/><nd ref="1"/><nd ref="1"/><nd ref="1"/><tag k="landuse" v="forest"/></way>
 <way id="22"><tag k="highway" v="path"/></way>
 <node id="97" lat="47.1" lon="9.5"><tag k="addr:housenumber" v=" "/></node></osm>"#,
    );
    let report = imported(data.path(), "odd.osm", odd.as_bytes());
    assert_eq!((report.objects, report.read, report.used), (13, 7, 3), "{report:?}");
    assert_eq!(report.notes["objects without a usable id"], 1);
    let report = imported(data.path(), "lots.geojson", PARCELS.as_bytes());
    assert_eq!((report.read, report.used, report.parcels), (4, 2, 2), "{report:?}");
    let tile = vec![0; 1201 * 1201 * 2];
    let report = imported(data.path(), "N47E009.hgt", &tile);
    assert_eq!((report.read, report.used, report.terrain_tiles), (1, 1, 1));
}

fn feature(properties: Value, id: Value, lon: f64) -> Value {
    let ring = json!([[lon, 47.1], [lon + 0.0002, 47.1], [lon + 0.0002, 47.1001], [lon, 47.1001], [lon, 47.1]]);
    json!({"type": "Feature", "id": id, "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}})
}

fn collection(features: &[Value]) -> Vec<u8> {
    json!({"type": "FeatureCollection", "features": features}).to_string().into_bytes()
}

#[test]
fn an_export_of_overpass_turbo_brings_the_objects_that_it_names() {
    let data = tempfile::tempdir().unwrap();
    let house = |id: i64, height: &str| {
        let properties = json!({"@id": format!("way/{id}"), "building": "house", "addr:street": "Lindenweg",
            "addr:housenumber": id.to_string(), "height": height});
        feature(properties, json!(format!("way/{id}")), 9.5 + id as f64 * 0.001)
    };
    let place = json!({"type": "Feature", "id": "node/3", "properties": {"@id": "node/3", "natural": "tree"},
        "geometry": {"type": "Point", "coordinates": [9.5, 47.1]}});
    let file = collection(&[house(1, "9 m"), house(2, "25'"), place]);
    let report = imported(data.path(), "export.geojson", &file);
    assert_eq!((report.buildings, report.addresses, report.trees, report.parcels), (2, 2, 1, 0));
    let pack = aerie_sample_town::open(data.path()).unwrap();
    for (number, height) in [("1", 9.0), ("2", 7.62)] {
        let found = geocode(&pack, &format!("Lindenweg {number}")).unwrap();
        let place = pack.place(&found, 100.0).unwrap();
        let own = place.buildings.iter().find(|b| b.id == format!("way/{number}")).unwrap();
        assert!((own.ridge - height).abs() < 0.01, "{number}: {}", own.ridge);
    }
}

#[test]
fn heights_in_feet_are_converted_or_asked_about() {
    let data = with_house();
    let import = |properties: Value, unit: Option<f64>| {
        let path = file(data.path(), "heights.geojson", &collection(&[feature(properties, Value::Null, 9.5)]));
        let options = ImportOptions { height_unit: unit, ..ImportOptions::new(data.path()) };
        test_data::import_with(&[path], &options).map(|_| {
            let rows = content(data.path());
            rows.into_iter().find(|row| row.starts_with("heights")).unwrap_or_default()
        })
    };
    assert!(import(json!({"HEIGHT": 25, "HEIGHT_FT": 25}), None).unwrap().contains("7.62"));
    assert!(import(json!({"HEIGHT": "30'6\""}), None).unwrap().contains("9.30"));
    assert!(import(json!({"HEIGHT": "12,5 m"}), None).unwrap().contains("12.50"));
    assert!(import(json!({"HEIGHT": 25}), Some(0.3048)).unwrap().contains("7.62"));
    let error = import(json!({"HEIGHT": 65}), None).unwrap_err().to_string();
    assert!(error.contains("--height-unit feet"), "{error}");
}

#[test]
fn other_kinds_of_json_are_read_or_named() {
    let data = with_house();
    let lots: Vec<String> = (0..3).map(|i| feature(json!({"APN": i}), Value::Null, 9.5).to_string()).collect();
    for (name, text) in [
        ("lines.geojsonl", lots.join("\n")),
        ("sequence.geojsons", format!("\u{1e}{}", lots.join("\n\u{1e}"))),
        ("marked.geojson", format!("\u{feff}{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", lots.join(","))),
    ] {
        assert_eq!(imported(data.path(), name, text.as_bytes()).parcels, 3, "{name}");
    }
    for (text, name) in [
        (r#"{"geometryType":"esriGeometryPolygon","spatialReference":{"wkid":102100},"features":[]}"#, "Esri JSON"),
        (r#"{"features":[{"attributes":{"APN":"1"},"geometry":{"rings":[[[0,0],[1,0],[1,1],[0,0]]]}}]}"#, "Esri JSON"),
        (r#"{"type":"Topology","objects":{},"arcs":[]}"#, "TopoJSON"),
        (r#"{"version":0.6,"elements":[]}"#, "Overpass JSON"),
        (r#"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"place":{}}]}"#, "JSON-FG"),
    ] {
        let error = import(data.path(), file(data.path(), "x.json", text.as_bytes())).unwrap_err().to_string();
        assert!(error.contains("x.json") && error.contains(name), "{name}: {error}");
    }
}

#[test]
fn xml_that_is_no_map_is_named_by_its_first_tag() {
    let data = with_house();
    for (name, text, expected) in [
        ("x.osc", "<osmChange version=\"0.6\"><create/></osmChange>", "apply-changes"),
        (
            "x.kml",
            "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document/></kml>",
            "it is KML",
        ),
        ("x.gpx", "<!-- a > b -->\n<gpx version=\"1.1\"><trk/></gpx>", "it is GPX"),
        ("x.gml", "<ogr:FeatureCollection xmlns:ogr=\"http://ogr.maptools.org/\"/>", "it is GML"),
        ("x.xml", "\u{feff}<LandXML version=\"1.2\"/>", "it is LandXML"),
    ] {
        let error = import(data.path(), file(data.path(), name, text.as_bytes())).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(name), "{error}");
    }
}

fn archive(path: &Path, members: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn every_file_of_an_archive_is_imported_or_named() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("region.zip");
    let (tile, inner) = (vec![0; 1201 * 1201 * 2], data.path().join("inner.zip"));
    archive(&inner, &[("a.txt", b"a")]);
    archive(
        &path,
        &[
            ("Grundstücke/Äcker.geojson", PARCELS.as_bytes()),
            ("N47E009.hgt", &tile),
            ("N47E010.hgt", &tile),
            ("häuser.osm", HOUSE.as_bytes()),
            ("Straßen.shp", b"\0\0\x27\x0a\0\0\0\0"),
            ("weitere.zip", &fs::read(&inner).unwrap()),
            ("__MACOSX/._häuser.osm", b"x"),
        ],
    );
    let report = test_data::import(data.path(), &[path]).unwrap();
    let total = report.total();
    assert_eq!((total.terrain_tiles, total.buildings, total.parcels), (2, 1, 2));
    let names: Vec<&str> = report.files.iter().map(|file| file.file.as_str()).collect();
    assert!(names.contains(&"region.zip Grundstücke Äcker.geojson"), "{names:?}");
    let whole = report.files.last().unwrap();
    assert_eq!((whole.read, whole.used), (6, 4), "{whole:?}");
    let left_out: Vec<&String> = whole.skipped.keys().collect();
    assert!(left_out.iter().any(|why| why.starts_with("Straßen.shp: it is a Shapefile")), "{left_out:?}");
    assert!(left_out.iter().any(|why| why.starts_with("weitere.zip: it is an archive")), "{left_out:?}");

    let nothing = data.path().join("nothing.zip");
    archive(&nothing, &[("Straßen.shp", b"\0\0\x27\x0a\0\0\0\0")]);
    let error = import(data.path(), nothing).unwrap_err().to_string();
    assert!(error.contains("nothing.zip") && error.contains("ogr2ogr"), "{error}");
}

#[test]
fn a_compressed_file_of_any_kind_is_unpacked() {
    let data = with_house();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(PARCELS.as_bytes()).unwrap();
    let report = imported(data.path(), "lots.geojson.gz", &gz.finish().unwrap());
    assert_eq!(report.parcels, 2);
}
