//! City models and point clouds: a small model of our own through every order of imports, and real ones beside the roofs that others
//! made of the same points.

use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_geocode::locate;
use aerie_geodata::place::{Building, Place, Provenance, RoofMethod};
use aerie_geodata::{Match, Pack, Precision, Sources};
use aerie_import::overpass::surroundings;
use aerie_import::{FileReport, ImportError, ImportOptions};
use serde_json::json;

/// The house's south-west corner, in the grid of the Netherlands and in degrees.
const CORNER: [f64; 2] = [84_500.0, 447_000.0];
const DEGREES: [f64; 2] = [4.360_402_3, 52.006_885_8];

/// Whether GDAL's tools are missing, which is reported.
fn without_gdal(test: &str) -> bool {
    let is_missing = Command::new("gdaltransform").arg("--version").output().is_err();
    if is_missing {
        eprintln!("{test}: not run, because GDAL's tools are not installed");
    }
    is_missing
}

/// A house of 10 by 8 m with a gable roof: eaves at 5 m, ridge at 9 m along its length, on ground at 2 m.
fn model(folder: &Path, name: &str, crs: Option<&str>) -> PathBuf {
    let at = |x: i64, y: i64, z: i64| json!([x * 1000, y * 1000, z * 1000]);
    let vertices = [
        at(0, 0, 2),
        at(10, 0, 2),
        at(10, 8, 2),
        at(0, 8, 2),
        at(0, 0, 7),
        at(10, 0, 7),
        at(10, 8, 7),
        at(0, 8, 7),
        at(0, 4, 11),
        at(10, 4, 11),
    ];
    let surfaces = json!([
        [[0, 3, 2, 1]],
        [[4, 5, 9, 8]],
        [[8, 9, 6, 7]],
        [[0, 1, 5, 4]],
        [[2, 3, 7, 6]],
        [[1, 2, 6, 9, 5]],
        [[3, 0, 4, 8, 7]],
    ]);
    let kinds =
        ["GroundSurface", "RoofSurface", "RoofSurface", "WallSurface", "WallSurface", "WallSurface", "WallSurface"];
    let semantics = json!({
        "surfaces": kinds.map(|kind| json!({"type": kind})),
        "values": [[0, 1, 2, 3, 4, 5, 6]],
    });
    let mut city = json!({
        "type": "CityJSON",
        "version": "2.0",
        "transform": {"scale": [0.001, 0.001, 0.001], "translate": [CORNER[0], CORNER[1], 0.0]},
        "vertices": vertices,
        "CityObjects": {"house-1": {
            "type": "Building",
            "geometry": [{"type": "Solid", "lod": "2.2", "boundaries": [surfaces], "semantics": semantics}],
        }},
    });
    if let Some(crs) = crs {
        city["metadata"] = json!({"referenceSystem": crs});
    }
    let path = folder.join(name);
    std::fs::write(&path, city.to_string()).unwrap();
    path
}

/// A map with the outline of the house, `shift` degrees east of where it is, and a neighbor's that touches it in the west.
fn map(folder: &Path, shift: f64) -> PathBuf {
    let [lon, lat] = [DEGREES[0] + shift, DEGREES[1]];
    let (dx, dy) = (0.000_145_6, 0.000_071_9);
    let corner = |id: u32, x: f64, y: f64| format!("<node id=\"{id}\" lon=\"{:.8}\" lat=\"{:.8}\"/>", lon + x, lat + y);
    let nodes = [
        corner(1, 0.0, 0.0),
        corner(2, dx, 0.0),
        corner(3, dx, dy),
        corner(4, 0.0, dy),
        corner(5, -dx, 0.0),
        corner(6, -dx, dy),
    ];
    let way = |id: u32, nodes: [u32; 5], number: u32| {
        let refs = nodes.map(|node| format!("<nd ref=\"{node}\"/>")).concat();
        format!(
            "<way id=\"{id}\">{refs}<tag k=\"building\" v=\"house\"/><tag k=\"addr:street\" v=\"Teststraat\"/>\
             <tag k=\"addr:housenumber\" v=\"{number}\"/></way>"
        )
    };
    let ways = way(10, [1, 2, 3, 4, 1], 1) + &way(11, [5, 1, 4, 6, 5], 3);
    let path = folder.join(format!("map{shift}.osm"));
    std::fs::write(&path, format!("<osm version=\"0.6\">{}{ways}</osm>", nodes.concat())).unwrap();
    path
}

fn import(data: &Path, file: &Path, crs: Option<&str>) -> Result<FileReport, ImportError> {
    let options = ImportOptions { attribution: Some("© Test Survey"), crs, ..ImportOptions::new(data) };
    Ok(crate::test_data::import_with(&[file.to_owned()], &options)?.total())
}

fn place(data: &Path, [lon, lat]: [f64; 2], building: Option<&str>) -> Place {
    let found = Match {
        lat,
        lon,
        precision: Precision::Building,
        matched: "Teststraat 1".into(),
        source: String::new(),
        terrain_known: false,
        street: "Teststraat".into(),
        address_id: "way/10".into(),
        building_id: building.map(str::to_owned),
    };
    Pack::open_imported(data).unwrap().unwrap().place(&found, 300.0).unwrap()
}

fn house<'a>(place: &'a Place, id: &str) -> &'a Building {
    place.buildings.iter().find(|building| building.id == id).unwrap()
}

fn middle() -> [f64; 2] {
    [DEGREES[0] + 0.000_07, DEGREES[1] + 0.000_035]
}

#[test]
fn a_roof_of_a_model_belongs_to_its_own_outline_in_any_order_of_imports_and_however_often() {
    if without_gdal("a_roof_of_a_model") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path(), "house.city.json", Some("https://www.opengis.net/def/crs/EPSG/0/7415"));
    // The outline is a meter off, as maps are.
    let map = map(folder.path(), 0.000_014_6);
    let mut places = Vec::new();
    for (name, files) in [("a", [&map, &model, &model]), ("b", [&model, &map, &map])] {
        let data = folder.path().join(name);
        std::fs::create_dir(&data).unwrap();
        for file in files {
            import(&data, file, None).unwrap();
        }
        let place = place(&data, middle(), Some("way/10"));
        places.push(serde_json::to_value((&place.buildings, &place.attributions)).unwrap());
        let own = house(&place, "way/10");
        let roof = own.measured.as_ref().unwrap();
        assert_eq!((own.height_from, own.roof_from), (Provenance::Measured, Provenance::Measured));
        assert_eq!((roof.method, roof.faces.len(), roof.source.as_str()), (RoofMethod::Model, 2, "© Test Survey"));
        assert!((own.ridge - 9.0).abs() < 0.01 && (own.eaves - 5.0).abs() < 0.01, "{own:?}");
        assert!((roof.ground - 2.0).abs() < 0.01);
        // Its corner lies where PROJ puts it, and it is as large as in the model.
        let corners: Vec<[f64; 3]> = roof.faces.iter().flatten().copied().collect();
        let length = (corners[1][0] - corners[0][0]).hypot(corners[1][1] - corners[0][1]);
        assert!((length - 10.0).abs() < 0.01, "{corners:?}");
        let [x, y] = aerie_geodata::LocalFrame::new(place.origin).local(DEGREES[0], DEGREES[1]);
        let nearest = corners.iter().map(|c| (c[0] - x).hypot(c[1] - y)).fold(f64::MAX, f64::min);
        assert!(nearest < 0.05, "{nearest} m off");
        assert!(house(&place, "way/11").measured.is_none(), "the neighbor keeps its guess");
        assert_eq!(place.buildings.len(), 2);
        assert!(place.attributions.iter().any(|credit| credit == "© Test Survey"));
    }
    assert_eq!(places[0], places[1]);
}

#[test]
fn a_model_without_a_map_is_a_building_of_its_own() {
    if without_gdal("a_model_without_a_map") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path(), "house.city.json", Some("EPSG:7415"));
    import(folder.path(), &model, None).unwrap();
    let place = place(folder.path(), middle(), Some("model/house-1"));
    assert_eq!(place.property.building, Some(0));
    assert_eq!(place.buildings[0].id, "model/house-1");
    assert_eq!(place.buildings[0].measured.as_ref().unwrap().faces.len(), 2);
}

#[test]
fn a_file_without_a_coordinate_system_needs_one_and_one_that_is_given_overrides_its_own() {
    if without_gdal("a_file_without_a_coordinate_system") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bare = model(folder.path(), "bare.city.json", None);
    let error = import(folder.path(), &bare, None).unwrap_err().to_string();
    assert!(error.contains("bare.city.json") && error.contains("--crs"), "{error}");
    assert!(!folder.path().join("pack/region.gpkg").exists());
    let report = import(folder.path(), &bare, Some("EPSG:7415")).unwrap();
    assert_eq!((report.measured_roofs, report.overridden_crs), (1, None));
    let options = |crs| ImportOptions { crs, ..ImportOptions::new(folder.path()) };
    let wrong = model(folder.path(), "wrong.city.json", Some("EPSG:25832"));
    let report = crate::test_data::import_with(&[wrong], &options(Some("EPSG:7415"))).unwrap();
    assert_eq!(report.files[0].crs.as_deref(), Some("EPSG:7415"));
    assert_eq!(report.files[0].overridden_crs.as_deref(), Some("EPSG:25832"));
    for crs in ["EPSG:999999", "-x", "nonsense"] {
        let error =
            crate::test_data::import_with(std::slice::from_ref(&bare), &options(Some(crs))).unwrap_err().to_string();
        assert!(error.contains("--crs"), "{crs}: {error}");
    }
}

#[test]
fn a_damaged_model_or_cloud_changes_nothing() {
    if without_gdal("a_damaged_model_or_cloud") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path(), "house.city.json", Some("EPSG:7415"));
    import(folder.path(), &map(folder.path(), 0.0), None).unwrap();
    import(folder.path(), &model, None).unwrap();
    let pack = folder.path().join("pack/region.gpkg");
    let before = std::fs::read(&pack).unwrap();
    let text = std::fs::read(&model).unwrap();
    std::fs::write(&model, &text[..text.len() * 3 / 4]).unwrap();
    assert!(matches!(import(folder.path(), &model, None), Err(ImportError::Damaged { .. })));
    let cloud = folder.path().join("points.laz");
    std::fs::write(&cloud, [b"LASF".as_slice(), &[7; 500]].concat()).unwrap();
    let error = import(folder.path(), &cloud, Some("EPSG:7415")).unwrap_err().to_string();
    assert!(error.contains("points.laz"), "{error}");
    assert_eq!(std::fs::read(&pack).unwrap(), before);
}

#[test]
#[ignore = "needs real data: AERIE_TEST_DATA"]
fn a_real_cloud_gives_real_outlines_their_roofs_trees_and_a_fine_ground() {
    let measured = aerie_test_data::test_data("measured/delft");
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &measured.join("delft_99_buildings.osm"), None).unwrap();
    let mut roofs = 0;
    for name in ["ahn3_cropped_1.laz", "ahn3_cropped_2.laz"] {
        let report = import(folder.path(), &measured.join(name), Some("EPSG:7415")).unwrap();
        roofs += report.measured_roofs;
        assert!(report.measured_trees > 20 && report.measured_ground_cells > 10_000, "{report:?}");
    }
    assert!(roofs >= 20, "{roofs}");
    let place = place(folder.path(), [4.3667, 52.0116], None);
    let measured: Vec<&Building> = place.buildings.iter().filter(|building| building.measured.is_some()).collect();
    assert!(measured.len() >= 15, "{}", measured.len());
    for building in &measured {
        let roof = building.measured.as_ref().unwrap();
        let [low, high] = roof.range();
        assert!(low > -1.0 && (2.0..40.0).contains(&high), "{}: {low} to {high} m", building.id);
        assert!(roof.rms.unwrap() < 0.25, "{}: rms {:?}", building.id, roof.rms);
    }
    assert!(place.trees.iter().filter(|tree| tree.measured).count() > 50);
    assert!(place.terrain.near.is_some());
}

/// Stores a flat roof, measured in a point cloud of a year, for the outline of way 10 as it is now.
fn put_cloud_roof(data: &Path, id: &str, year: u16) {
    use aerie_geodata::gpkg::{Geometry, Layer};
    use aerie_geodata::place::MeasuredRoof;
    let db = rusqlite::Connection::open(data.join("pack/region.gpkg")).unwrap();
    aerie_geodata::gpkg::drop_triggers(&db).unwrap();
    let outline = aerie_geodata::gpkg::geometry(&db, Layer::Buildings, 10 * 4 + 1).unwrap().unwrap();
    let Geometry::Polygons(polygons) = &outline else { panic!("an outline is a polygon") };
    let origin = polygons[0][0][0];
    let frame = aerie_geodata::LocalFrame::new(aerie_geodata::place::GeoPoint { lat: origin[1], lon: origin[0] });
    let face = polygons[0][0].iter().map(|[lon, lat]| frame.local(*lon, *lat)).map(|[x, y]| [x, y, 4.0]).collect();
    let roof = MeasuredRoof {
        faces: vec![face],
        ground: 0.0,
        source: "cloud".into(),
        year: Some(year),
        method: RoofMethod::Planes,
        rms: Some(0.05),
        covered: 1.0,
    };
    aerie_geodata::survey::StoredRoof::new(id.into(), origin, &roof).put(&db, &outline).unwrap();
}

#[test]
fn a_roof_of_a_point_cloud_is_used_until_its_outline_changes_and_then_the_film_says_so() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &map(folder.path(), 0.0), None).unwrap();
    put_cloud_roof(folder.path(), "way/10", 2020);
    let measured = place(folder.path(), middle(), Some("way/10"));
    assert_eq!(house(&measured, "way/10").measured.as_ref().map(|roof| roof.method), Some(RoofMethod::Planes));
    assert_eq!(measured.property.addresses, 1);
    assert!(house(&measured, "way/11").measured.is_none() && measured.missed.is_empty(), "{:?}", measured.missed);
    // The house has moved by a third of its width.
    import(folder.path(), &map(folder.path(), 0.000_05), None).unwrap();
    let changed = place(folder.path(), middle(), Some("way/10"));
    assert!(house(&changed, "way/10").measured.is_none());
    assert!(
        changed.missed.iter().any(|note| note.contains("outline") && note.contains("import")),
        "{:?}",
        changed.missed
    );
}

#[test]
fn of_a_model_and_a_point_cloud_the_later_survey_is_used_and_the_model_where_the_years_are_unknown() {
    if without_gdal("of_a_model_and_a_point_cloud") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path(), "house.city.json", Some("EPSG:7415"));
    import(folder.path(), &map(folder.path(), 0.0), None).unwrap();
    put_cloud_roof(folder.path(), "way/10", 2020);
    import(folder.path(), &model, None).unwrap();
    let method = || {
        let place = place(folder.path(), middle(), Some("way/10"));
        house(&place, "way/10").measured.as_ref().map(|roof| roof.method)
    };
    assert_eq!(method(), Some(RoofMethod::Model));
    let dated = |year: u16| {
        let mut city: serde_json::Value = serde_json::from_slice(&std::fs::read(&model).unwrap()).unwrap();
        city["CityObjects"]["house-1"]["attributes"] = json!({"yearOfSurvey": year});
        std::fs::write(&model, city.to_string()).unwrap();
        import(folder.path(), &model, None).unwrap();
    };
    dated(2019);
    assert_eq!(method(), Some(RoofMethod::Planes));
    dated(2021);
    assert_eq!(method(), Some(RoofMethod::Model));
}

#[test]
fn a_model_over_several_outlines_is_cut_along_them() {
    if without_gdal("a_model_over_several_outlines") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The western half of the house is one outline of the map, the eastern half the other.
    let model = model(folder.path(), "house.city.json", Some("EPSG:7415"));
    let (dx, dy) = (0.000_072_8, 0.000_071_9);
    let corner = |id: u32, x: f64, y: f64| {
        format!("<node id=\"{id}\" lon=\"{:.8}\" lat=\"{:.8}\"/>", DEGREES[0] + x, DEGREES[1] + y)
    };
    let nodes: String =
        (0..3).map(|i| corner(i + 1, f64::from(i) * dx, 0.0) + &corner(i + 4, f64::from(i) * dx, dy)).collect();
    let way = |id: u32, nodes: [u32; 5]| {
        let refs = nodes.map(|node| format!("<nd ref=\"{node}\"/>")).concat();
        format!("<way id=\"{id}\">{refs}<tag k=\"building\" v=\"house\"/></way>")
    };
    let ways = way(10, [1, 2, 5, 4, 1]) + &way(11, [2, 3, 6, 5, 2]);
    let map = folder.path().join("halves.osm");
    std::fs::write(&map, format!("<osm version=\"0.6\">{nodes}{ways}</osm>")).unwrap();
    import(folder.path(), &map, None).unwrap();
    import(folder.path(), &model, None).unwrap();
    let place = place(folder.path(), middle(), Some("way/10"));
    assert_eq!(place.buildings.len(), 2, "the model is no third building");
    for id in ["way/10", "way/11"] {
        let half = house(&place, id);
        let roof = half.measured.as_ref().unwrap();
        let plan: f64 = roof
            .faces
            .iter()
            .map(|face| aerie_math::geometry::signed_area(&face.iter().map(|p| [p[0], p[1]]).collect::<Vec<_>>()))
            .sum();
        assert!((plan - 40.0).abs() < 2.0, "{id}: {plan} m2 of 40");
        assert!(roof.faces.iter().flatten().all(|corner| (4.9..9.1).contains(&corner[2])), "{id}: {:?}", roof.faces);
    }
}

#[test]
fn coordinates_and_the_id_of_an_object_stand_in_place_of_an_address() {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), &map(folder.path(), 0.0), None).unwrap();
    let found = |address: &str| {
        let pack = Pack::open_imported(folder.path()).unwrap().unwrap();
        locate(pack, &Sources::default(), surroundings, address).map(|located| located.found)
    };
    let at = |[lon, lat]: [f64; 2]| format!("{lat:.7}, {lon:.7}");
    let by_place = found(&at(middle())).unwrap();
    assert_eq!(by_place.building_id.as_deref(), Some("way/10"));
    assert!(by_place.matched.starts_with("Teststraat 1"), "{}", by_place.matched);
    assert_eq!(found("way/11").unwrap().building_id.as_deref(), Some("way/11"));
    for nowhere in [at([DEGREES[0] + 0.01, DEGREES[1]]), "way/12".to_owned()] {
        let error = found(&nowhere).unwrap_err().to_string();
        assert!(error.contains("no building") && error.contains("coordinates"), "{error}");
    }
    // A model alone has no addresses, and nothing of OpenStreetMap.
    if without_gdal("coordinates_and_the_id_of_an_object") {
        return;
    }
    let alone = tempfile::tempdir().unwrap();
    import(alone.path(), &model(alone.path(), "house.city.json", Some("EPSG:7415")), None).unwrap();
    let pack = Pack::open_imported(alone.path()).unwrap().unwrap();
    let located = locate(pack, &Sources::default(), surroundings, &at(middle())).unwrap();
    assert_eq!(located.found.building_id.as_deref(), Some("model/house-1"));
    let place = located.place(300.0, &Sources::default()).unwrap();
    assert_eq!(place.attributions, ["© Test Survey"]);
}
