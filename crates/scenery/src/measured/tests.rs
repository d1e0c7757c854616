//! Tests of measured buildings.

use aerie_geodata::place::{BuildingKind, MeasuredRoof, Place, Point, RoofMethod};
use aerie_math::Rng;
use aerie_render::scene::{Finish, Solids};
use glam::{DVec2, DVec3, dvec2};

use super::*;
use crate::fixtures::{building, empty_place};
use crate::obstacles::Obstacles;

type Ring3 = Vec<[f64; 3]>;

/// A place with one building, on flat ground.
fn with_roof(outer: Vec<Point>, faces: Vec<Ring3>) -> Place {
    let mut place = empty_place(None);
    let mut house = building("way/1", BuildingKind::House, outer);
    house.measured = Some(MeasuredRoof {
        faces,
        ground: 0.0,
        source: String::new(),
        year: None,
        method: RoofMethod::Model,
        rms: None,
        covered: 1.0,
    });
    place.buildings.push(house);
    place
}

/// A gabled house with a dormer, a flat extension with a skewed edge, and a courtyard cut into it.
fn house() -> Place {
    let outer = vec![
        [0.0, 0.0],
        [12.0, 0.0],
        [16.0, 1.0],
        [16.0, 8.0],
        [14.0, 8.0],
        [14.0, 5.0],
        [12.0, 5.0],
        [12.0, 8.0],
        [0.0, 8.0],
    ];
    let faces = vec![
        // The south slope, around a dormer with a flat roof from x = 4 to 6 and y = 1 to 2.5.
        vec![
            [0.0, 0.0, 5.0],
            [12.0, 0.0, 5.0],
            [12.0, 4.0, 9.0],
            [0.0, 4.0, 9.0],
            [0.0, 1.0, 6.0],
            [4.0, 1.0, 6.0],
            [4.0, 2.5, 7.5],
            [6.0, 2.5, 7.5],
            [6.0, 1.0, 6.0],
            [4.0, 1.0, 6.0],
            [0.0, 1.0, 6.0],
        ],
        vec![[4.0, 1.0, 7.5], [6.0, 1.0, 7.5], [6.0, 2.5, 7.5], [4.0, 2.5, 7.5]],
        vec![[0.0, 4.0, 9.0], [12.0, 4.0, 9.0], [12.0, 8.0, 5.0], [0.0, 8.0, 5.0]],
        // The extension; its corners miss those of the house by some centimeters.
        vec![
            [12.02, 0.01, 3.0],
            [16.0, 1.0, 3.0],
            [16.0, 8.0, 3.0],
            [14.0, 8.0, 3.0],
            [14.0, 5.0, 3.0],
            [12.01, 5.0, 3.0],
        ],
    ];
    with_roof(outer, faces)
}

fn solids(place: &Place) -> Solids {
    let mut out = Builder::default();
    for index in 0..place.buildings.len() {
        add(place, index, 0.0, None, &mut out);
    }
    out.finish()
}

fn all_triangles(solids: &Solids) -> Vec<[DVec3; 3]> {
    let corner = |i: &u32| glam::Vec3::from(solids.vertices[*i as usize].position).as_dvec3();
    solids.indices.chunks_exact(3).map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]).collect()
}

/// Whether a ray meets the back of a face first: it entered through a gap.
fn enters(triangles: &[[DVec3; 3]], from: DVec3, towards: DVec3) -> bool {
    let mut first = (f64::INFINITY, false);
    for [a, b, c] in triangles {
        let normal = (b - a).cross(c - a);
        let facing = normal.dot(towards);
        let along = normal.dot(a - from) / facing;
        if facing.abs() < 1e-9 || along <= 0.0 || along >= first.0 {
            continue;
        }
        let p = from + towards * along;
        let is_inside = [(a, b), (b, c), (c, a)].iter().all(|(v, w)| normal.dot((**w - **v).cross(p - **v)) >= 0.0);
        if is_inside {
            first = (along, facing > 0.0);
        }
    }
    first.1
}

/// Number of rays from all sides and above that enter a building through a gap.
fn gaps(triangles: &[[DVec3; 3]]) -> usize {
    let mut rng = Rng::new(3);
    let mut number = |low: f64, high: f64| low + (high - low) * f64::from(rng.unit_f32());
    let ray = |number: &mut dyn FnMut(f64, f64) -> f64| {
        let around = DVec2::from_angle(number(0.0, std::f64::consts::TAU)) * 60.0;
        let target = DVec3::new(number(-1.0, 17.0), number(-1.0, 9.0), number(0.1, 8.0));
        (around.extend(number(1.0, 80.0)), target)
    };
    let rays: Vec<_> = (0..20_000).map(|_| ray(&mut number)).collect();
    rays.into_iter().filter(|(from, to)| enters(triangles, *from, (*to - *from).normalize())).count()
}

#[test]
fn a_measured_building_is_watertight_from_all_sides_and_above() {
    let triangles = all_triangles(&solids(&house()));
    assert_eq!(gaps(&triangles), 0);
    // Check the check: without the walls of the dormer, rays enter.
    let is_cheek =
        |t: &[DVec3; 3]| t.iter().all(|p| (4.0..=6.0).contains(&p.x) && (1.0..=2.5).contains(&p.y) && p.z > 5.0);
    let open: Vec<_> = triangles.into_iter().filter(|t| !is_cheek(t)).collect();
    assert!(gaps(&open) > 20);
}

#[test]
fn a_roof_with_overhangs_is_watertight_and_its_walls_stand_on_the_outline() {
    let faces = vec![
        vec![[-0.6, -0.6, 4.4], [12.6, -0.6, 4.4], [12.6, 4.0, 9.0], [-0.6, 4.0, 9.0]],
        vec![[-0.6, 4.0, 9.0], [12.6, 4.0, 9.0], [12.6, 8.6, 4.4], [-0.6, 8.6, 4.4]],
    ];
    let place = with_roof(vec![[0.0, 0.0], [12.0, 0.0], [12.0, 8.0], [0.0, 8.0]], faces);
    let solids = solids(&place);
    assert_eq!(gaps(&all_triangles(&solids)), 0);
    let feet = solids.vertices.iter().filter(|v| v.position[2] < 0.0);
    for v in feet {
        let at = dvec2(f64::from(v.position[0]), f64::from(v.position[1]));
        assert!(shape::distance_to_ring(at, &place.buildings[0].footprint.outer) < 1e-3, "{at}");
    }
}

#[test]
fn the_wall_of_a_step_reaches_from_the_higher_face_to_the_lower_one() {
    let place = house();
    let faces = faces(place.buildings[0].measured.as_ref().expect("a roof"), 0.0);
    let pieces = pieces(&faces, &place.buildings[0].footprint, &[]);
    let gable = pieces.iter().filter(|p| p.face != 3 && (p.from.x + p.to.x) > 23.9 && p.from.y.max(p.to.y) < 5.01);
    let steps: Vec<_> = gable.filter_map(|p| if let Below::Roof(z) = p.below { Some((p, z)) } else { None }).collect();
    assert!(!steps.is_empty());
    for (piece, z) in &steps {
        assert!(z.iter().all(|z| (z - 3.0).abs() < 1e-9), "{piece:?}");
    }
    let height: f64 = steps.iter().map(|(p, _)| (p.to.y - p.from.y).abs()).sum();
    assert!((height - 5.0).abs() < 0.05, "{height}");
    // Beyond the extension, the same wall stands on the ground.
    let outer = pieces.iter().filter(|p| p.face == 2 && p.below == Below::Ground { is_party: false });
    assert!(outer.clone().any(|p| p.from.x > 11.9 && p.to.x > 11.9 && p.from.y.min(p.to.y) > 4.9));
}

#[test]
fn walls_beside_another_building_have_no_windows() {
    let mut place = house();
    place.buildings.push(building(
        "way/2",
        BuildingKind::House,
        vec![[-7.0, 0.0], [-0.1, 0.0], [-0.1, 8.0], [-7.0, 8.0]],
    ));
    let mut out = Builder::default();
    add(&place, 0, 0.0, None, &mut out);
    let solids = out.finish();
    let walls = solids.chunks.iter().flat_map(|chunk| {
        let range = &chunk.ranges[Finish::Wall as usize];
        solids.indices[range.start as usize..range.end as usize].chunks_exact(3)
    });
    let (mut beside, mut elsewhere) = (0, 0);
    for t in walls {
        let [a, b, c] = [0, 1, 2].map(|k| solids.vertices[t[k] as usize]);
        let bays = a.material[3] >> 16 & 255;
        if [a, b, c].iter().all(|v| v.position[0].abs() < 1e-3) {
            beside += bays;
        } else {
            elsewhere += bays;
        }
    }
    assert!(beside == 0 && elsewhere > 0, "{beside} {elsewhere}");
}

#[test]
fn flights_clear_the_real_roof_and_not_a_box_of_its_height() {
    let place = house();
    let obstacles = Obstacles::new(&place, 40.0, false);
    let top = |x: f64, y: f64| obstacles.highest(dvec2(x, y), 0.0);
    for (x, y, z) in [(6.0, 4.0, 9.0), (1.0, 1.0, 6.0), (5.0, 2.0, 7.5), (15.0, 4.0, 3.0)] {
        assert!(top(x, y) > z, "{x} {y}: {}", top(x, y));
    }
    assert!(top(19.0, 4.0) < 0.5 && top(15.5, 3.0) < 6.0);
}
