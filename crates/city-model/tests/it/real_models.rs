//! City models of five surveys, read whole. `cargo test -p aerie-city-model --release --test it real_models:: -- --ignored --nocapture` prints what was read.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use aerie_city_model::{Building, Summary, header, read};
use aerie_math::geometry::{polygon_to_geo, signed_area};
use geo::{Area, MultiPolygon, unary_union};
use serde_json::Value;

const DELFT: &str = "measured/delft/3dbag_lod22.city.jsonl";
const DELFT_WEST: &str = "measured/citymodels/delft_west_3dbag.city.jsonl";
const VIENNA: &str = "measured/citymodels/vienna.city.jsonl";
const BERLIN: &str = "measured/citymodels/berlin.gml";
const YOKOSUKA: &str = "measured/citymodels/plateau_yokosuka/udx/bldg/52397519_bldg_6697_op.gml";
const YOKOSUKA_TERRAIN: &str = "measured/citymodels/plateau_yokosuka/udx/dem/523965_dem_6697_05_op.gml";
const LYON: &str = "measured/citymodels/lyon/LYON_1ER_BATI_2015_small_house.gml";

fn buildings(path: &Path) -> (Summary, Vec<Building>) {
    let mut buildings = Vec::new();
    let summary = read(path, &mut |building| {
        buildings.push(building);
        ControlFlow::Continue(())
    });
    (summary.unwrap_or_else(|error| panic!("{}: {error}", path.display())), buildings)
}

/// A building in meters, about its own corner, seen from above.
struct Plan {
    outline: MultiPolygon,
    faces: Vec<geo::Polygon>,
}

impl Plan {
    fn new(building: &Building, geographic: bool) -> Self {
        let [x0, y0] = building.outline[0][0][0];
        let [sx, sy] = if geographic { [111_320.0 * y0.to_radians().cos(), 110_950.0] } else { [1.0, 1.0] };
        let local = |[x, y]: [f64; 2]| [(x - x0) * sx, (y - y0) * sy];
        let ring = |ring: &Vec<[f64; 2]>| ring.iter().map(|&point| local(point)).collect::<Vec<_>>();
        let polygon = |rings: &Vec<Vec<[f64; 2]>>| {
            polygon_to_geo(&ring(&rings[0]), &rings[1..].iter().map(ring).collect::<Vec<_>>())
        };
        let faces = building.roof.iter().map(|face| {
            let plan: Vec<_> = face.iter().map(|&[x, y, _]| local([x, y])).collect();
            polygon_to_geo(&plan, &[])
        });
        Self { outline: MultiPolygon::new(building.outline.iter().map(polygon).collect()), faces: faces.collect() }
    }

    /// How much the union of the roof faces differs from the outline, as a share of the outline.
    fn disagreement(&self) -> f64 {
        let union = unary_union(&self.faces);
        (union.unsigned_area() / self.outline.unsigned_area() - 1.0).abs()
    }

    /// Area that lies under more than one face, as a share of the roof.
    fn overlap(&self) -> f64 {
        let union = unary_union(&self.faces).unsigned_area();
        self.faces.iter().map(|face| face.unsigned_area()).sum::<f64>() / union - 1.0
    }
}

/// Holds each building to what is promised of it.
fn check(name: &str, summary: &Summary, buildings: &[Building]) {
    assert_eq!(summary.read, buildings.len() as u64);
    let (mut disagreeing, mut overlapping) = (0, 0);
    for building in buildings {
        assert!(!building.id.is_empty() && building.ground.is_finite());
        for rings in &building.outline {
            assert!(
                signed_area(&rings[0]) > 0.0 && rings[1..].iter().all(|hole| signed_area(hole) < 0.0),
                "{}",
                building.id
            );
        }
        for face in &building.roof {
            assert!(face.len() >= 3 && face.first() != face.last());
            let plan: Vec<_> = face.iter().map(|&[x, y, _]| [x, y]).collect();
            assert!(signed_area(&plan) > 0.0, "{}: a face is clockwise", building.id);
            if face.iter().any(|corner| corner[2] < building.ground) {
                eprintln!("  {}: a roof face below the ground at {:.2}: {face:.2?}", building.id, building.ground);
            }
        }
        let plan = Plan::new(building, summary.header.is_geographic);
        if plan.disagreement() > 0.05 {
            disagreeing += 1;
            eprintln!("  {}: roof and outline differ by {:.1} %", building.id, plan.disagreement() * 100.0);
        }
        if plan.overlap() > 0.01 {
            overlapping += 1;
            eprintln!("  {}: {:.1} % of the roof is covered twice", building.id, plan.overlap() * 100.0);
        }
    }
    let faces: usize = buildings.iter().map(|building| building.roof.len()).sum();
    eprintln!(
        "{name}: {} read, {faces} faces, {disagreeing} differ from their outline, {overlapping} overlap; left out {:?}; {} incomplete, \
         {} of extensions, {} textured; {:?}",
        summary.read,
        summary.left_out,
        summary.incomplete,
        summary.ade_elements,
        summary.textured_surfaces,
        summary.header
    );
    assert_eq!(overlapping, 0, "{name}: roof faces overlap");
    assert!(disagreeing * 20 <= buildings.len(), "{name}: {disagreeing} roofs differ from their outlines");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn every_building_with_lod2_of_every_survey_is_read() {
    // Buildings with LoD2, buildings without, textured surfaces: counted by other means.
    for (path, with, without, epsg) in [
        (DELFT, 89, 0, Some(7415)),
        (DELFT_WEST, 557, 0, Some(7415)),
        (VIENNA, 149, 0, None),
        (BERLIN, 61, 0, Some(25833)),
        (YOKOSUKA, 2, 11, Some(6697)),
        (LYON, 1, 0, None),
        (YOKOSUKA_TERRAIN, 0, 0, Some(6697)),
    ] {
        let path = aerie_test_data::test_data(path);
        let (summary, buildings) = buildings(&path);
        let name = path.file_name().unwrap().to_string_lossy();
        check(&name, &summary, &buildings);
        assert_eq!(header(&path).unwrap(), summary.header, "{name}");
        assert_eq!(summary.header.epsg(), epsg, "{name}");
        assert_eq!((summary.read, summary.left_out_total()), (with, without), "{name}: {:?}", summary.left_out);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn roofs_of_delft_agree_with_the_truth() {
    let (_, buildings) = buildings(&aerie_test_data::test_data(DELFT));
    let by_id: BTreeMap<&str, &Building> = buildings.iter().map(|building| (building.id.as_str(), building)).collect();
    let truth = std::fs::read(aerie_test_data::test_data("measured/delft/roof_truth_lod22.json")).unwrap();
    let truth: Vec<Value> = serde_json::from_slice(&truth).unwrap();
    assert!(truth.len() >= 11);
    for house in &truth {
        let building = by_id[house["id"].as_str().unwrap()];
        let surfaces: Vec<Vec<Vec<[f64; 3]>>> = serde_json::from_value(house["roof_surfaces_rd_nap"].clone()).unwrap();
        let expected: f64 = surfaces.iter().map(|rings| plan_area(rings)).sum();
        let found: f64 = building.roof.iter().map(|face| plan_area(std::slice::from_ref(face))).sum();
        let ridge = building.roof.iter().flatten().map(|corner| corner[2]).fold(f64::NEG_INFINITY, f64::max);
        eprintln!(
            "{}: {} of {} surfaces, {found:.2} of {expected:.2} m2, ridge {ridge:.2}, ground {:.2}, rms {:?}",
            building.id,
            building.roof.len(),
            surfaces.len(),
            building.ground,
            building.rms
        );
        assert!((found / expected - 1.0).abs() < 0.01);
        let expected = surfaces.iter().flatten().flatten().map(|corner| corner[2]).fold(f64::NEG_INFINITY, f64::max);
        assert!((ridge - expected).abs() < 0.001);
        assert!((building.ground - house["ground_nap"].as_f64().unwrap()).abs() < 0.01);
        assert!((building.rms.unwrap() - house["rmse_lod22"].as_f64().unwrap()).abs() < 1e-6);
    }
}

/// Area in plan of a surface: the outer ring without its holes.
fn plan_area(rings: &[Vec<[f64; 3]>]) -> f64 {
    let ring = |ring: &Vec<[f64; 3]>| {
        let [x0, y0, _] = ring[0];
        signed_area(&ring.iter().map(|&[x, y, _]| [x - x0, y - y0]).collect::<Vec<_>>()).abs()
    };
    ring(&rings[0]) - rings[1..].iter().map(ring).sum::<f64>()
}

/// Area of the roof surfaces of a feature, straight from its JSON.
fn roof_area(feature: &Value, scale: &[f64; 3]) -> f64 {
    let vertices: Vec<[f64; 3]> = serde_json::from_value(feature["vertices"].clone()).unwrap();
    let mut area = 0.0;
    for object in feature["CityObjects"].as_object().unwrap().values() {
        let mut geometries = object["geometry"].as_array().into_iter().flatten();
        let Some(geometry) = geometries
            .find(|g| ["2", "2.2"].contains(&g["lod"].to_string().trim_matches('"')) && !g["semantics"].is_null())
        else {
            continue;
        };
        let solid = geometry["type"] == "Solid";
        let [surfaces, values] =
            [&geometry["boundaries"], &geometry["semantics"]["values"]].map(|list| if solid { &list[0] } else { list });
        for (surface, value) in surfaces.as_array().unwrap().iter().zip(values.as_array().unwrap()) {
            if geometry["semantics"]["surfaces"][value.as_u64().unwrap() as usize]["type"] == "RoofSurface" {
                let rings: Vec<Vec<usize>> = serde_json::from_value(surface.clone()).unwrap();
                let corner = |&index: &usize| [0, 1, 2].map(|axis| vertices[index][axis] * scale[axis]);
                area += plan_area(&rings.iter().map(|ring| ring.iter().map(corner).collect()).collect::<Vec<_>>());
            }
        }
    }
    area
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn no_roof_surface_is_lost() {
    for name in [DELFT, DELFT_WEST, VIENNA] {
        let path = aerie_test_data::test_data(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let scale = serde_json::from_value(lines.next().unwrap()["transform"]["scale"].clone()).unwrap();
        let (_, buildings) = buildings(&path);
        let mut worst: f64 = 0.0;
        for (feature, building) in lines.zip(&buildings) {
            assert!(feature["CityObjects"].get(&building.id).is_some());
            let expected = roof_area(&feature, &scale);
            let found: f64 = building.roof.iter().map(|face| plan_area(std::slice::from_ref(face))).sum();
            worst = worst.max((found - expected).abs() / expected);
            assert!((found - expected).abs() < 0.01 * expected + 0.05, "{}: {found} of {expected} m2", building.id);
        }
        eprintln!("{name}: areas of roofs differ by up to {:.3} %", worst * 100.0);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_sequence_joined_to_one_object_gives_the_same_buildings() {
    let path = aerie_test_data::test_data(DELFT_WEST);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut model = lines.next().unwrap();
    let (mut objects, mut vertices) = (Vec::new(), Vec::new());
    for feature in lines {
        let first = vertices.len() as u64;
        vertices.extend(feature["vertices"].as_array().unwrap().iter().cloned());
        for (id, object) in feature["CityObjects"].as_object().unwrap() {
            let mut object = object.clone();
            for geometry in object["geometry"].as_array_mut().unwrap() {
                shift(&mut geometry["boundaries"], first);
            }
            objects.push((id.clone(), object));
        }
    }
    // Parts far from their buildings.
    objects.sort_by_key(|(id, _)| id.chars().rev().collect::<String>());
    model["CityObjects"] = Value::Object(objects.into_iter().collect());
    model["vertices"] = Value::Array(vertices);
    let folder = tempfile::tempdir().unwrap();
    let joined = folder.path().join("joined.city.json");
    std::fs::write(&joined, model.to_string()).unwrap();
    let sorted = |path: &Path| {
        let (summary, mut buildings) = buildings(path);
        buildings.sort_by(|a, b| a.id.cmp(&b.id));
        (summary, buildings)
    };
    assert!(sorted(&joined) == sorted(&path));
}

/// Adds to the indices of nested lists.
fn shift(node: &mut Value, by: u64) {
    match node {
        Value::Array(list) => list.iter_mut().for_each(|node| shift(node, by)),
        node => *node = (node.as_u64().unwrap() + by).into(),
    }
}
