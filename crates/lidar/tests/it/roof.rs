//! Roofs of real houses, compared with the city model that was made from the same survey.

use std::collections::BTreeSet;

use aerie_lidar::roof::{Outline, Roof, RoofPoint, reconstruct};
use aerie_math::geometry::{ring_contains, signed_area};
use aerie_test_data::test_data;
use serde_json::Value;

type Rings = Vec<Vec<[f64; 3]>>;

fn plan(ring: &[[f64; 3]]) -> Vec<[f64; 2]> {
    ring.iter().map(|&[x, y, _]| [x, y]).collect()
}

/// Height of the highest surface at a point.
fn height(surfaces: &[Rings], [x, y]: [f64; 2]) -> Option<f64> {
    let inside = surfaces
        .iter()
        .filter(|rings| rings.iter().fold(false, |inside, ring| inside ^ ring_contains(&plan(ring), [x, y])));
    let heights = inside.filter_map(|rings| {
        let ring = &rings[0];
        let [x0, y0, z0] = ring[0];
        let mut normal = [0.0; 3];
        for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let [a, b] = [a, b].map(|[x, y, z]| [x - x0, y - y0, z - z0]);
            normal[0] += a[1] * b[2] - a[2] * b[1];
            normal[1] += a[2] * b[0] - a[0] * b[2];
            normal[2] += a[0] * b[1] - a[1] * b[0];
        }
        (normal[2].abs() > 1e-3).then(|| z0 - (normal[0] * (x - x0) + normal[1] * (y - y0)) / normal[2])
    });
    heights.reduce(f64::max)
}

fn points() -> Vec<RoofPoint> {
    let mut points = Vec::new();
    for part in 1..=2 {
        let path = test_data(format!("measured/delft/ahn3_cropped_{part}.laz"));
        let data = las::Reader::from_path(path).unwrap().read_all().unwrap();
        let at = data.x().zip(data.y()).zip(data.z()).map(|((x, y), z)| [x, y, z]);
        let classified = at.zip(data.classification()).filter(|(_, class)| *class == 6);
        points.extend(classified.map(|(at, _)| RoofPoint { at, is_building: true }));
    }
    points
}

/// Outline and roof surfaces of the houses that lie wholly in the survey.
fn houses() -> Vec<(Outline, Vec<Rings>)> {
    let text = std::fs::read_to_string(test_data("measured/delft/roof_truth_lod22.json")).unwrap();
    let listed: Value = serde_json::from_str(&text).unwrap();
    let listed: BTreeSet<&str> = listed.as_array().unwrap().iter().map(|house| house["id"].as_str().unwrap()).collect();
    let text = std::fs::read_to_string(test_data("measured/delft/3dbag_lod22.city.jsonl")).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let transform = lines.next().unwrap()["transform"].clone();
    let part = |name: &str| -> [f64; 3] { serde_json::from_value(transform[name].clone()).unwrap() };
    let (scale, translate) = (part("scale"), part("translate"));
    let mut houses = Vec::new();
    for feature in lines.filter(|feature| feature["id"].as_str().is_some_and(|id| listed.contains(id))) {
        let vertices: Vec<[f64; 3]> = serde_json::from_value(feature["vertices"].clone()).unwrap();
        let rings = |surface: &Value| -> Rings {
            let rings: Vec<Vec<usize>> = serde_json::from_value(surface.clone()).unwrap();
            let place = |corner: usize| [0, 1, 2].map(|axis| vertices[corner][axis] * scale[axis] + translate[axis]);
            rings.into_iter().map(|ring| ring.into_iter().map(place).collect()).collect()
        };
        let (mut outline, mut roof) = (None, Vec::new());
        let objects = feature["CityObjects"].as_object().unwrap().values();
        for geometry in objects.filter_map(|object| object["geometry"].as_array()).flatten() {
            let lod = geometry["lod"].to_string();
            if lod.trim_matches('"') == "0" {
                let rings: Vec<Vec<[f64; 2]>> =
                    rings(&geometry["boundaries"][0]).iter().map(|ring| plan(ring)).collect();
                outline = Some(Outline { outer: rings[0].clone(), holes: rings[1..].to_vec() });
            }
            if lod.trim_matches('"') == "2.2" {
                let semantics = &geometry["semantics"];
                let kinds = semantics["values"][0].as_array().unwrap();
                for (surface, kind) in geometry["boundaries"][0].as_array().unwrap().iter().zip(kinds) {
                    let kind = kind.as_u64().map(|kind| &semantics["surfaces"][kind as usize]["type"]);
                    if kind.is_some_and(|kind| kind == "RoofSurface") {
                        roof.push(rings(surface));
                    }
                }
            }
        }
        houses.push((outline.unwrap(), roof));
    }
    houses
}

/// Distances from the true roof on a grid of 25 cm, sorted.
fn errors(outline: &Outline, roof: &Roof, truth: &[Rings]) -> Vec<f64> {
    let faces: Vec<Rings> = roof.faces.iter().map(|face| vec![face.clone()]).collect();
    let [west, south, east, north] = aerie_math::geometry::bounds(&outline.outer);
    let mut errors = Vec::new();
    for row in 0..((north - south) / 0.25) as usize {
        for column in 0..((east - west) / 0.25) as usize {
            let at = [west + (column as f64 + 0.5) * 0.25, south + (row as f64 + 0.5) * 0.25];
            if let (Some(found), Some(expected)) = (height(&faces, at), height(truth, at)) {
                errors.push((found - expected).abs());
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    errors
}

/// A share of the points, without pattern.
fn thinned(points: &[RoofPoint], share: f64) -> Vec<RoofPoint> {
    let kept = points.iter().enumerate().filter(|(index, _)| aerie_math::rng::hash_to_unit(*index as u64) < share);
    kept.map(|(_, point)| *point).collect()
}

#[test]
#[ignore = "needs real data: AERIE_TEST_DATA=… with measured/delft"]
fn roofs_of_delft_agree_with_the_city_model() {
    let points = points();
    let houses = houses();
    assert_eq!(houses.len(), 11);
    for (density, least) in [(f64::INFINITY, 0.9), (4.0, 0.85)] {
        let (mut right, mut all) = (0.0, 0.0);
        for (outline, truth) in &houses {
            let inside: Vec<RoofPoint> = points
                .iter()
                .filter(|point| ring_contains(&outline.outer, [point.at[0], point.at[1]]))
                .copied()
                .collect();
            let area = signed_area(&outline.outer).abs();
            let roof = reconstruct(outline, &thinned(&inside, density * area / inside.len() as f64)).unwrap();
            let errors = errors(outline, &roof, truth);
            assert!(errors[errors.len() / 2] < 0.1, "{} of {density}", errors[errors.len() / 2]);
            let covered: f64 = roof.faces.iter().map(|face| signed_area(&plan(face))).sum();
            assert!((covered - area).abs() < 0.01);
            right += errors.iter().filter(|error| **error < 0.3).count() as f64;
            all += errors.len() as f64;
        }
        assert!(right / all > least, "{} within 0.3 m at {density} points per square meter", right / all);
    }
}
