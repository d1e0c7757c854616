//! CityJSON and CityJSONSeq by small models.
use crate::common::{CORNERS, SURFACES, assert_is_house, only, read_bytes, reason};
use aerie_city_model::Address;
use serde_json::{Value, json};

fn vertices() -> Value {
    json!(CORNERS.map(|corner| corner.map(|value| (value * 1000.0) as i64)))
}

fn shell() -> Value {
    SURFACES.iter().map(|(_, ring)| json!([ring])).collect()
}

fn kinds() -> Value {
    json!({"surfaces": SURFACES.map(|(kind, _)| json!({"type": kind})), "values": [[0, 1, 2, 3, 4, 5, 6]]})
}

fn solid(lod: Value) -> Value {
    json!({"type": "Solid", "lod": lod, "boundaries": [shell()], "semantics": kinds()})
}

fn building(geometry: Value) -> Value {
    json!({"type": "Building", "geometry": [geometry]})
}

fn model(objects: Value) -> Value {
    json!({
        "type": "CityJSON",
        "version": "2.0",
        "transform": {"scale": [0.001, 0.001, 0.001], "translate": [85000.0, 447000.0, 0.0]},
        "metadata": {"referenceSystem": "https://www.opengis.net/def/crs/EPSG/0/7415", "title": "Delft"},
        "CityObjects": objects,
        "vertices": vertices(),
    })
}

fn house(geometry: Value) -> String {
    model(json!({"house": building(geometry)})).to_string()
}

#[test]
fn a_solid_with_semantics_is_read() {
    let text = house(solid(json!("2.2")));
    let building = only(&text);
    assert_eq!(building.id, "house");
    assert_is_house(&building, 85000.0, 447000.0);
    let header = read_bytes(text.as_bytes()).unwrap().0.header;
    assert_eq!((header.epsg(), header.title.as_deref(), header.is_geographic), (Some(7415), Some("Delft"), false));
}

#[test]
fn every_type_of_geometry_and_every_notation_of_lod_is_read() {
    let values = json!([0, 1, 2, 3, 4, 5, 6]);
    let surfaces = json!({"surfaces": kinds()["surfaces"], "values": values});
    let solids = json!({"surfaces": kinds()["surfaces"], "values": [[values]]});
    for (kind, boundaries, semantics, lod) in [
        ("MultiSurface", shell(), surfaces.clone(), json!("2")),
        ("CompositeSurface", shell(), surfaces, json!(2)),
        ("MultiSolid", json!([[shell()]]), solids.clone(), json!(2.2)),
        ("CompositeSolid", json!([[shell()]]), solids, json!("2.0")),
    ] {
        let geometry = json!({"boundaries": boundaries, "semantics": semantics, "lod": lod, "type": kind});
        assert_is_house(&only(&house(geometry)), 85000.0, 447000.0);
    }
}

#[test]
fn faces_without_semantics_are_classified_by_where_they_look() {
    let plain = json!({"type": "Solid", "lod": "2", "boundaries": [shell()]});
    assert_is_house(&only(&house(plain)), 85000.0, 447000.0);
    let turned: Value = SURFACES.iter().map(|(_, ring)| json!([ring.iter().rev().collect::<Vec<_>>()])).collect();
    let inside_out = json!({"type": "Solid", "lod": "2", "boundaries": [turned]});
    assert_is_house(&only(&house(inside_out)), 85000.0, 447000.0);
}

#[test]
fn the_highest_lod2_wins_whatever_the_order() {
    let flat = json!({"type": "MultiSurface", "lod": "2.1", "boundaries": [[[4, 5, 6, 7]], [[0, 3, 2, 1]]]});
    let lod1 = json!({"type": "Solid", "lod": "1.3", "boundaries": [shell()]});
    let object = |geometry: Value| model(json!({"house": {"type": "Building", "geometry": geometry}})).to_string();
    assert_is_house(&only(&object(json!([flat, solid(json!("2.2")), lod1]))), 85000.0, 447000.0);
    assert_is_house(&only(&object(json!([solid(json!(2.2)), lod1, flat]))), 85000.0, 447000.0);
    assert_eq!(reason(&object(json!([lod1]))), "without LoD2");
    assert_eq!(reason(&object(json!([]))), "without geometry");
}

#[test]
fn inner_shells_of_a_solid_are_no_roof() {
    let geometry = json!({"type": "Solid", "lod": "2", "boundaries": [shell(), [[[4, 5, 6, 7]]]]});
    assert_is_house(&only(&house(geometry)), 85000.0, 447000.0);
}

#[test]
fn parts_are_merged_wherever_they_lie_in_the_file() {
    let part = |parent: &str, geometry| json!({"type": "BuildingPart", "parents": [parent], "geometry": [geometry]});
    let south = json!({"type": "MultiSurface", "lod": "2", "boundaries": [[[4, 5, 9, 8]], [[0, 3, 2, 1]]]});
    let north = json!({"type": "MultiSurface", "lod": "2", "boundaries": [[[6, 7, 8, 9]]]});
    let objects = json!({
        "a-north": part("b-house", north),
        "b-house": {"type": "Building", "children": ["a-north", "c-south", "d-balcony"], "geometry": []},
        "c-south": part("b-house", south),
        "d-balcony": {"type": "BuildingInstallation", "parents": ["b-house"], "geometry": []},
        "e-tree": {"type": "SolitaryVegetationObject", "geometry": [{"type": "MultiPoint", "lod": "2", "boundaries": [1]}]},
    });
    let building = only(&model(objects.clone()).to_string());
    assert_eq!(building.id, "b-house");
    assert_is_house(&building, 85000.0, 447000.0);
    let mut lacking = objects;
    lacking.as_object_mut().unwrap().remove("c-south");
    assert_eq!(reason(&model(lacking).to_string()), "a part or its building is missing");
}

#[test]
fn parts_in_a_loop_are_buildings_of_their_own() {
    let part = |parent: &str| json!({"type": "BuildingPart", "parents": [parent], "geometry": [solid(json!("2"))]});
    let (summary, _) = read_bytes(model(json!({"a": part("b"), "b": part("a")})).to_string().as_bytes()).unwrap();
    assert_eq!(summary.read, 2);
}

#[test]
fn a_sequence_is_read_feature_by_feature() {
    let mut first = model(json!({}));
    first["vertices"] = json!([]);
    let feature = |id: &str| {
        let part = json!({"type": "BuildingPart", "parents": [id], "geometry": [solid(json!("2.2"))]});
        let root = json!({"type": "Building", "children": [format!("{id}-0")], "attributes": {"b3_rmse_lod22": 0.05, "b3_rmse_lod12": 9}});
        json!({"type": "CityJSONFeature", "id": id, "CityObjects": {format!("{id}-0"): part, id: root}, "vertices": vertices()})
    };
    let text = format!("{first}\n{}\n{}\n", feature("one"), feature("two"));
    let (summary, buildings) = read_bytes(text.as_bytes()).unwrap();
    assert_eq!((summary.read, summary.header.epsg()), (2, Some(7415)));
    assert_eq!(buildings.iter().map(|building| building.id.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    assert_is_house(&buildings[1], 85000.0, 447000.0);
    assert_eq!(buildings[0].rms, Some(0.05));
    assert!(read_bytes(&text.as_bytes()[..text.len() - 20]).is_err(), "a sequence that breaks off is damaged");
}

#[test]
fn attributes_and_addresses_are_read() {
    let attributes = json!({
        "b3_rmse_lod22": 0.04, "b3_pw_datum": 2020, "storeysAboveGround": 2, "creationDate": "2016-09-29", "+noise": 1
    });
    let mut object = building(solid(json!("2.2")));
    object["attributes"] = attributes;
    object["address"] = json!([{"ThoroughfareName": "Markt", "ThoroughfareNumber": 87, "LocalityName": "Delft", "PostalCode": "2611GS"}]);
    let text = model(json!({"house": object})).to_string();
    let found = only(&text);
    assert_eq!((found.rms, found.year, found.stories), (Some(0.04), Some(2020), Some(2)));
    let text_of = |text: &str| Some(text.to_owned());
    let address = Address {
        street: text_of("Markt"),
        number: text_of("87"),
        city: text_of("Delft"),
        postcode: text_of("2611GS"),
    };
    assert_eq!(found.address, Some(address));
    assert_eq!(read_bytes(text.as_bytes()).unwrap().0.ade_elements, 1);
}

#[test]
fn textured_surfaces_are_counted() {
    let mut geometry = json!({"type": "MultiSurface", "lod": "2", "boundaries": shell()});
    geometry["texture"] = json!({"summer": {"values": [[[0, 1, 2, 3, 4]], [[null]], [[1, 1, 2, 3, 4]], [[null]], [[null]], [[null]], [[null]]]}});
    assert_eq!(read_bytes(house(geometry).as_bytes()).unwrap().0.textured_surfaces, 2);
}

#[test]
fn a_model_without_a_transform_has_coordinates_as_vertices() {
    let mut old = model(json!({"house": building(solid(json!(2)))}));
    old["version"] = json!("1.0");
    old["vertices"] = json!(CORNERS);
    old.as_object_mut().unwrap().remove("transform");
    assert_is_house(&only(&old.to_string()), 0.0, 0.0);
}

#[test]
fn latitude_and_longitude_change_places() {
    let mut geographic = model(json!({"house": building(solid(json!(2)))}));
    geographic["metadata"]["referenceSystem"] = json!("urn:ogc:def:crs:EPSG::6697");
    geographic["transform"] = json!({"scale": [1e-8, 1e-8, 0.001], "translate": [35.2, 139.7, 0.0]});
    let (summary, buildings) = read_bytes(geographic.to_string().as_bytes()).unwrap();
    assert!(summary.header.is_geographic && summary.header.latitude_first);
    let [x, y] = buildings[0].outline[0][0][0];
    assert!((x - 139.7).abs() < 0.001 && (y - 35.2).abs() < 0.001, "{x} {y}");
    assert_eq!(buildings[0].roof.len(), 2);
}
