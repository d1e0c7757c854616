//! Draws stills of a city model without an import: `city_model MODEL.city.jsonl OUT [X Y]`. MODEL is a CityJSONSeq with LoD 2.2 solids
//! (3DBAG) in a projected system in meters; the building nearest to `X Y` (by default the middle) is the property. Also counts rays
//! that meet the back of a face first: they enter a building through a gap.

use aerie_geodata::place::{
    Building, BuildingKind, GeoPoint, MeasuredRoof, Place, Polygon, Property, Provenance, RoofMethod, RoofShape,
    Terrain,
};
use aerie_render::scene::{Camera, Solids};
use aerie_render::{Gpu, Picture, SceneRenderer, still};
use aerie_scenery::Flight;
use glam::{DVec2, DVec3, Vec3, dvec2};
use serde_json::Value;

/// Roof faces, outline and ground of one building, in the model's coordinates.
struct Model {
    id: String,
    faces: Vec<Vec<[f64; 3]>>,
    outline: Vec<Vec<[f64; 3]>>,
}

fn rings(surface: &Value, corner: &dyn Fn(&Value) -> Option<[f64; 3]>) -> Option<Vec<Vec<[f64; 3]>>> {
    surface.as_array()?.iter().map(|ring| ring.as_array()?.iter().map(corner).collect()).collect()
}

fn models(text: &str) -> Option<Vec<Model>> {
    let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let header = lines.next()?;
    let three = |key: &str| [0, 1, 2].map(|i| header["transform"][key][i].as_f64().unwrap_or_default());
    let (scale, translate) = (three("scale"), three("translate"));
    let mut out = Vec::new();
    for feature in lines {
        let corner = |index: &Value| {
            let vertex = feature["vertices"].get(usize::try_from(index.as_u64()?).ok()?)?;
            Some([0, 1, 2].map(|i| vertex[i].as_f64().unwrap_or_default() * scale[i] + translate[i]))
        };
        for (id, object) in feature["CityObjects"].as_object()? {
            let geometries = object["geometry"].as_array().into_iter().flatten();
            for geometry in geometries.filter(|g| g["lod"].to_string().trim_matches('"') == "2.2") {
                let mut model = Model { id: id.clone(), faces: vec![], outline: vec![] };
                let shell = geometry["boundaries"][0].as_array()?;
                for (surface, kind) in shell.iter().zip(geometry["semantics"]["values"][0].as_array()?) {
                    let kind = usize::try_from(kind.as_u64()?).ok()?;
                    let rings = rings(surface, &corner)?;
                    match geometry["semantics"]["surfaces"][kind]["type"].as_str()? {
                        "RoofSurface" => model.faces.extend(without_holes(rings)),
                        "GroundSurface" => model.outline = rings,
                        _ => {}
                    }
                }
                if !model.outline.is_empty() {
                    out.push(model);
                }
            }
        }
    }
    Some(out)
}

/// A surface as rings without holes: as it is, or as triangles.
fn without_holes(mut rings: Vec<Vec<[f64; 3]>>) -> Vec<Vec<[f64; 3]>> {
    if rings.len() < 2 {
        return rings;
    }
    let mut holes = Vec::new();
    let mut corners = rings.remove(0);
    for ring in rings {
        holes.push(corners.len() as u32);
        corners.extend(ring);
    }
    let mut indices: Vec<u32> = Vec::new();
    let from = corners[0];
    earcut::Earcut::new().earcut(corners.iter().map(|c| [c[0] - from[0], c[1] - from[1]]), &holes, &mut indices);
    indices.chunks_exact(3).map(|t| t.iter().map(|i| corners[*i as usize]).collect()).collect()
}

fn turned(mut ring: Vec<[f64; 2]>, positive: bool) -> Vec<[f64; 2]> {
    let area: f64 =
        (0..ring.len()).map(|i| DVec2::from(ring[i]).perp_dot(DVec2::from(ring[(i + 1) % ring.len()]))).sum();
    if (area > 0.0) != positive {
        ring.reverse();
    }
    ring
}

fn building(model: &Model, from: DVec2) -> Building {
    let ground = model.outline[0].iter().map(|c| c[2]).sum::<f64>() / model.outline[0].len() as f64;
    let flat = |ring: &Vec<[f64; 3]>| ring.iter().map(|c| [c[0] - from.x, c[1] - from.y]).collect::<Vec<_>>();
    let local = |c: &[f64; 3]| (DVec3::from(*c) - from.extend(ground)).to_array();
    let upward = |face: &Vec<[f64; 3]>| face.iter().map(local).collect::<Vec<_>>();
    let roof = MeasuredRoof {
        faces: model.faces.iter().map(upward).collect(),
        ground,
        source: "city model".into(),
        year: None,
        method: RoofMethod::Model,
        rms: None,
        covered: 1.0,
    };
    let [eaves, ridge] = roof.range();
    let holes = model.outline[1..].iter().map(|ring| turned(flat(ring), false)).collect();
    Building {
        id: model.id.clone(),
        footprint: Polygon { outer: turned(flat(&model.outline[0]), true), holes },
        kind: BuildingKind::Terrace,
        base: 0.0,
        eaves,
        ridge,
        stories: (eaves / 2.9).round().max(1.0) as u32,
        roof: RoofShape::Gabled,
        roof_direction: None,
        roof_across: false,
        wall_color: None,
        wall_material: None,
        roof_color: None,
        roof_material: None,
        height_from: Provenance::Measured,
        roof_from: Provenance::Measured,
        replaced_by_parts: false,
        measured: Some(roof),
    }
}

fn middle(building: &Building) -> DVec2 {
    let ring = &building.footprint.outer;
    ring.iter().map(|&p| DVec2::from(p)).sum::<DVec2>() / ring.len() as f64
}

fn place(models: &[Model], at: Option<DVec2>) -> Option<Place> {
    let corners = || models.iter().flat_map(|m| &m.outline[0]).map(|c| dvec2(c[0], c[1]));
    let from = at.unwrap_or(corners().sum::<DVec2>() / corners().count().max(1) as f64);
    let models: Vec<Building> = models.iter().map(|model| building(model, from)).collect();
    let distance = |b: &Building| middle(b).length();
    let own = (0..models.len()).min_by(|a, b| distance(&models[*a]).total_cmp(&distance(&models[*b])))?;
    let shift = middle(&models[own]);
    Some(Place {
        origin: GeoPoint { lat: 52.0, lon: 4.37 },
        address: String::new(),
        property: Property {
            building: Some(own),
            point: shift.to_array(),
            footprint: models[own].footprint.clone(),
            parcel: None,
            front_bearing: 0.0,
            front_known: false,
            street: None,
            addresses: 0,
        },
        terrain: Terrain::flat(3000.0, 0.0),
        buildings: models,
        ways: vec![],
        areas: vec![],
        waterways: vec![],
        trees: vec![],
        barriers: vec![],
        crossings: vec![],
        covered: None,
        radius: 600.0,
        attributions: vec![],
        missed: vec![],
    })
}

/// Number of rays that look for gaps.
const RAYS: u32 = 30_000;

/// Points where rays from around and above `middle` meet the back of a face first.
fn entering(solids: &Solids, middle: Vec3) -> Vec<Vec3> {
    let corner = |i: &u32| Vec3::from_array(solids.vertices[*i as usize].position);
    let faces = solids.indices.chunks_exact(3).map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]);
    let faces: Vec<_> = faces.filter(|face| face.iter().any(|p| p.distance(middle) < 70.0)).collect();
    let mut rng = aerie_math::Rng::new(1);
    let mut out = Vec::new();
    for _ in 0..RAYS {
        let turn = rng.unit_f32() * std::f32::consts::TAU;
        let from = middle + Vec3::new(100.0 * turn.cos(), 100.0 * turn.sin(), rng.range_f32(0.0, 120.0));
        let mut near = || rng.range_f32(-40.0, 40.0);
        let towards = (middle + Vec3::new(near(), near(), near() * 0.15) - from).normalize();
        let mut first = (f32::INFINITY, false);
        for [a, b, c] in &faces {
            let normal = (b - a).cross(c - a);
            let facing = normal.dot(towards);
            let along = normal.dot(a - from) / facing;
            let p = from + towards * along;
            let inside = || [(a, b), (b, c), (c, a)].iter().all(|(v, w)| normal.dot((*w - *v).cross(p - *v)) >= 0.0);
            if along > 0.0 && along < first.0 && inside() {
                first = (along, facing > 0.0);
            }
        }
        let met = from + towards * first.0;
        // Farther away, not all faces were tested.
        if first.1 && met.distance(middle) < 55.0 {
            out.push(met);
        }
    }
    out
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [model, out, at @ ..] = args.as_slice() else {
        return Err("usage: city_model MODEL.city.jsonl OUT [X Y]".into());
    };
    let at: Vec<f64> = at.iter().map(|v| v.parse()).collect::<Result<_, _>>()?;
    let models = models(&std::fs::read_to_string(model)?).ok_or("not a CityJSONSeq")?;
    let place = place(&models, at.get(..2).map(|at| dvec2(at[0], at[1]))).ok_or("no building")?;
    let [x, y] = place.property.point.map(|v| v as f32);
    let mut cameras = Vec::new();
    for (distance, height) in [(45.0, 38.0), (95.0, 60.0)] {
        for k in 0..4 {
            let (sin, cos) = (0.6 + k as f32 * std::f32::consts::FRAC_PI_2).sin_cos();
            let eye = Vec3::new(x + distance * sin, y + distance * cos, height);
            cameras.push(Camera { eye, target: Vec3::new(x, y, 6.0), up: Vec3::Z, field: 0.75 });
        }
    }
    cameras.push(Camera { eye: Vec3::new(x, y, 90.0), target: Vec3::new(x, y, 0.0), up: Vec3::Y, field: 0.8 });
    let flight = Flight { cameras };
    let clock = std::time::Instant::now();
    let mut scene = aerie_scenery::scene(&place, &flight);
    scene.views.clear();
    println!(
        "{} buildings, {} solid triangles, {:.2?}",
        place.buildings.len(),
        scene.solids.indices.len() / 3,
        clock.elapsed()
    );
    let entering = entering(&scene.solids, Vec3::new(x, y, 6.0));
    println!(
        "{} of {RAYS} rays enter a building, first {:.2?}",
        entering.len(),
        entering.iter().take(8).collect::<Vec<_>>()
    );
    let gpu = Gpu::open()?;
    let picture = Picture { width: 1600, height: 1000, supersampling: 1.414, vignette: 0.0 };
    let renderer = SceneRenderer::new(&gpu, &scene, picture)?;
    let keep = |i: u32, nv12: &[u8]| still::write_jpeg(format!("{out}-{i}.jpg").as_ref(), picture, nv12, 92, None);
    renderer.render(flight.cameras.len() as u32, |i| flight.cameras[i as usize], keep)?;
    Ok(())
}
