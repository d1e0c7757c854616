//! Ideal roofs, sampled with noise.

use aerie_math::Rng;
use aerie_math::geometry::{distance_to_segment, edges, ring_contains, signed_area};

use super::*;

/// Far from the origin, as projected coordinates are.
const AT: [f64; 2] = [84_900.0, 447_500.0];

fn rectangle(west: f64, south: f64, east: f64, north: f64) -> Vec<[f64; 2]> {
    ring(&[[west, south], [east, south], [east, north], [west, north]])
}

fn ring(corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
    corners.iter().map(|[x, y]| [x + AT[0], y + AT[1]]).collect()
}

fn simple(outer: Vec<[f64; 2]>) -> Outline {
    Outline { outer, holes: Vec::new() }
}

/// Points of a surface with 2 cm of noise, over the box of the outline and one meter around it.
fn sampled(outline: &Outline, density: f64, surface: impl Fn([f64; 2]) -> Option<f64>) -> Vec<RoofPoint> {
    let [west, south, east, north] = bounds(&outline.outer);
    let mut rng = Rng::new(7);
    let count = ((east - west + 2.0) * (north - south + 2.0) * density) as usize;
    let sample = |_| {
        let at =
            [west - 1.0 + rng.unit_f64() * (east - west + 2.0), south - 1.0 + rng.unit_f64() * (north - south + 2.0)];
        let noise = (rng.unit_f64() + rng.unit_f64() + rng.unit_f64() - 1.5) * 0.04;
        let z = surface([at[0] - AT[0], at[1] - AT[1]])? + noise;
        Some(RoofPoint { at: [at[0], at[1], z], is_building: true })
    };
    (0..count).filter_map(sample).collect()
}

fn plan(face: &[[f64; 3]]) -> Vec<[f64; 2]> {
    face.iter().map(|&[x, y, _]| [x, y]).collect()
}

/// Height of a face at a point, from its plane.
fn height(face: &[[f64; 3]], at: [f64; 2]) -> f64 {
    let [x0, y0, z0] = face[0];
    let sums = plane::Sums::of(face.iter().map(|&[x, y, z]| [x - x0, y - y0, z - z0]));
    sums.fit().unwrap().0.at([at[0] - x0, at[1] - y0]) + z0
}

/// Checks that the faces are a partition of the outline with common corners.
fn assert_watertight(outline: &Outline, roof: &Roof) {
    let area =
        signed_area(&outline.outer).abs() - outline.holes.iter().map(|hole| signed_area(hole).abs()).sum::<f64>();
    let rings: Vec<Vec<[f64; 2]>> = roof.faces.iter().map(|face| plan(face)).collect();
    let covered: f64 = rings.iter().map(|ring| signed_area(ring)).sum();
    assert!((area - covered).abs() < 1e-3, "{covered} of {area} square meters");
    assert!(rings.iter().all(|ring| signed_area(ring) > 0.0));
    for corner in rings.iter().flatten() {
        for (a, b) in rings.iter().flat_map(|ring| edges(ring)) {
            let inside = distance_to_segment(*corner, a, b) < 1e-4 && *corner != a && *corner != b;
            assert!(!inside, "{corner:?} lies on the edge from {a:?} to {b:?}");
        }
    }
    for corner in outline.outer.iter().chain(outline.holes.iter().flatten()) {
        let kept = rings.iter().flatten().any(|other| distance(*other, *corner) < 1e-6);
        assert!(kept, "the outline lost its corner {corner:?}");
    }
}

/// Checks the faces against the surface, and returns the share of the outline within 10 cm of it.
fn share_right(outline: &Outline, roof: &Roof, surface: impl Fn([f64; 2]) -> Option<f64>) -> f64 {
    assert_watertight(outline, roof);
    let [west, south, east, north] = bounds(&outline.outer);
    let (mut right, mut all) = (0.0, 0.0);
    for row in 0..((north - south) / 0.1) as usize {
        for column in 0..((east - west) / 0.1) as usize {
            let at = [west + (column as f64 + 0.5) * 0.1, south + (row as f64 + 0.5) * 0.1];
            let Some(expected) = surface([at[0] - AT[0], at[1] - AT[1]]) else { continue };
            let faces: Vec<&Vec<[f64; 3]>> = roof.faces.iter().filter(|face| ring_contains(&plan(face), at)).collect();
            if let [face] = faces[..] {
                all += 1.0;
                right += f64::from(u8::from((height(face, at) - expected).abs() < 0.1));
            }
        }
    }
    right / all
}

/// Reconstructs a surface from 10 points per square meter, and checks number of faces and heights.
fn assert_found(outline: &Outline, faces: usize, least: f64, surface: impl Fn([f64; 2]) -> Option<f64> + Copy) -> Roof {
    let roof = reconstruct(outline, &sampled(outline, 10.0, surface)).unwrap();
    let share = share_right(outline, &roof, surface);
    assert!(share >= least, "{share} within 10 cm");
    assert_eq!(roof.faces.len(), faces, "{:?}", roof.faces);
    assert_eq!(roof.method, Method::Planes);
    assert!(roof.rms < 0.08 && roof.covered > 0.95, "{} {}", roof.rms, roof.covered);
    roof
}

fn gable([_, y]: [f64; 2]) -> Option<f64> {
    Some(9.0 - (y - 4.0).abs())
}

#[test]
fn a_gable_roof_has_two_faces_that_meet_in_a_level_ridge() {
    let roof = assert_found(&simple(rectangle(0.0, 0.0, 12.0, 8.0)), 2, 0.99, gable);
    let mut top: Vec<[f64; 3]> = roof.faces.concat();
    top.sort_by(|a, b| b[2].total_cmp(&a[2]));
    assert!((top[0][2] - 9.0).abs() < 0.05 && (top[3][2] - 9.0).abs() < 0.05);
    assert_eq!(roof.faces.iter().map(Vec::len).sum::<usize>(), 8);
}

#[test]
fn a_hip_roof_has_four_faces() {
    let hip = |[x, y]: [f64; 2]| Some(5.0 + f64::min(y.min(8.0 - y), x.min(12.0 - x)));
    let roof = assert_found(&simple(rectangle(0.0, 0.0, 12.0, 8.0)), 4, 0.98, hip);
    // 14 corners, and some where a hip misses the corner of the outline by centimeters.
    assert!(roof.faces.iter().map(Vec::len).sum::<usize>() <= 20);
}

#[test]
fn an_l_shaped_gable_roof_has_a_valley() {
    let outer = ring(&[[0.0, 0.0], [14.0, 0.0], [14.0, 12.0], [8.0, 12.0], [8.0, 6.0], [0.0, 6.0]]);
    let surface = |[x, y]: [f64; 2]| {
        let (wing, other) = (y.min(6.0 - y).min(14.0 - x), y.min(14.0 - x).min(x - 8.0));
        Some(5.0 + wing.max(other))
    };
    let outline = simple(outer);
    assert_found(&outline, 4, 0.98, surface);
}

#[test]
fn two_flat_levels_meet_in_a_straight_step() {
    let surface = |[x, _]: [f64; 2]| Some(if x < 5.0 { 4.0 } else { 7.0 });
    let roof = assert_found(&simple(rectangle(0.0, 0.0, 12.0, 8.0)), 2, 0.97, surface);
    assert_eq!(roof.faces.iter().map(Vec::len).sum::<usize>(), 8);
}

#[test]
fn a_dormer_stands_out_of_its_slope() {
    let surface = |[x, y]: [f64; 2]| {
        let dormer = (5.0..7.5).contains(&x) && (1.0..3.0).contains(&y);
        if dormer { Some(8.2) } else { gable([x, y]) }
    };
    let outline = simple(rectangle(0.0, 0.0, 12.0, 8.0));
    let roof = reconstruct(&outline, &sampled(&outline, 10.0, surface)).unwrap();
    assert!(share_right(&outline, &roof, surface) > 0.95);
    let dormer = roof.faces.iter().find(|face| face.iter().all(|corner| (corner[2] - 8.2).abs() < 0.1)).unwrap();
    assert!((signed_area(&plan(dormer)) - 5.0).abs() < 1.0 && dormer.len() <= 6, "{dormer:?}");
}

#[test]
fn a_mansard_roof_has_steep_and_flat_slopes() {
    let surface = |[_, y]: [f64; 2]| {
        let rise = y.min(8.0 - y);
        Some(5.0 + f64::min(2.0 * rise, 2.4 + 0.4 * rise))
    };
    assert_found(&simple(rectangle(0.0, 0.0, 12.0, 8.0)), 4, 0.97, surface);
}

#[test]
fn a_tower_stands_above_the_roof() {
    let surface = |[x, y]: [f64; 2]| {
        let tower = (9.0..12.0).contains(&x) && (5.0..8.0).contains(&y);
        if tower { Some(20.0 - f64::max((x - 10.5).abs(), (y - 6.5).abs())) } else { gable([x, y]) }
    };
    let outline = simple(rectangle(0.0, 0.0, 12.0, 8.0));
    let roof = reconstruct(&outline, &sampled(&outline, 12.0, surface)).unwrap();
    assert!(share_right(&outline, &roof, surface) > 0.92);
    let top = roof.faces.iter().flatten().map(|corner| corner[2]).fold(f64::MIN, f64::max);
    assert!((19.5..20.5).contains(&top), "{top}");
}

#[test]
fn a_tree_above_the_roof_is_ignored() {
    let outline = simple(rectangle(0.0, 0.0, 12.0, 8.0));
    let mut points = sampled(&outline, 10.0, gable);
    let mut rng = Rng::new(3);
    for _ in 0..250 {
        let [x, y, z] = [rng.unit_f64() * 4.0, rng.unit_f64() * 4.0, 10.0 + rng.unit_f64() * 4.0];
        points.push(RoofPoint { at: [AT[0] + x, AT[1] + y, z], is_building: true });
    }
    points.iter_mut().for_each(|point| point.is_building = false);
    let roof = reconstruct(&outline, &points).unwrap();
    assert!(share_right(&outline, &roof, gable) > 0.98);
    assert_eq!(roof.faces.len(), 2);
}

#[test]
fn a_courtyard_stays_open() {
    let outline = Outline { outer: rectangle(0.0, 0.0, 20.0, 20.0), holes: vec![rectangle(7.0, 7.0, 13.0, 13.0)] };
    let surface = |[x, y]: [f64; 2]| {
        let out = f64::max((x - 10.0).abs(), (y - 10.0).abs());
        (out > 3.0).then(|| 10.0 - 0.7 * (out - 6.5).abs())
    };
    let roof = assert_found(&outline, 8, 0.97, surface);
    assert!(roof.faces.iter().all(|face| !ring_contains(&plan(face), [AT[0] + 10.0, AT[1] + 10.0])));
}

#[test]
fn a_flat_roof_around_courtyards_is_cut_into_faces_without_holes() {
    let holes = vec![rectangle(3.0, 3.0, 7.0, 7.0), rectangle(12.0, 4.0, 16.0, 8.0)];
    let outline = Outline { outer: rectangle(0.0, 0.0, 20.0, 12.0), holes };
    let roof = reconstruct(&outline, &sampled(&outline, 8.0, |_| Some(6.0))).unwrap();
    assert_watertight(&outline, &roof);
    assert!(roof.faces.len() <= 4, "{:?}", roof.faces);
}

#[test]
fn sparse_points_give_a_simple_shape() {
    let outline = simple(rectangle(0.0, 0.0, 12.0, 8.0));
    let roof = reconstruct(&outline, &sampled(&outline, 2.6, gable)).unwrap();
    assert!(share_right(&outline, &roof, gable) > 0.9);
    assert_eq!(roof.faces.len(), 2);
}

#[test]
fn too_few_points_are_refused() {
    let outline = simple(rectangle(0.0, 0.0, 12.0, 8.0));
    let refused = reconstruct(&outline, &sampled(&outline, 1.2, gable));
    assert!(matches!(refused, Err(Unmeasured::TooSparse { density }) if density < 2.0));
    assert!(matches!(reconstruct(&outline, &[]), Err(Unmeasured::TooSparse { .. })));
}

#[test]
fn a_roof_that_is_mostly_hidden_is_refused() {
    let outline = simple(rectangle(0.0, 0.0, 30.0, 8.0));
    let refused = reconstruct(&outline, &sampled(&outline, 30.0, |[x, y]| (x < 8.0).then(|| gable([x, y])).flatten()));
    assert!(matches!(refused, Err(Unmeasured::TooLittleCovered { .. })), "{refused:?}");
}

#[test]
fn unusable_outlines_are_refused() {
    let points = sampled(&simple(rectangle(0.0, 0.0, 12.0, 8.0)), 10.0, gable);
    let bow = ring(&[[0.0, 0.0], [12.0, 8.0], [12.0, 0.0], [0.0, 8.0]]);
    let endless = vec![[f64::NAN, 0.0], [1.0, 0.0], [0.0, 1.0]];
    for outer in [Vec::new(), ring(&[[0.0, 0.0], [1.0, 0.0]]), bow, endless, rectangle(0.0, 0.0, 0.1, 0.1)] {
        assert!(matches!(reconstruct(&simple(outer), &points), Err(Unmeasured::Outline)));
    }
}

#[test]
fn points_that_are_not_finite_are_ignored() {
    let outline = simple(rectangle(0.0, 0.0, 12.0, 8.0));
    let mut points = sampled(&outline, 10.0, gable);
    for z in [f64::NAN, f64::INFINITY, -1e300] {
        points.push(RoofPoint { at: [AT[0] + 1.0, AT[1] + 1.0, z], is_building: true });
        points.push(RoofPoint { at: [z, AT[1] + 1.0, 8.0], is_building: true });
    }
    assert_eq!(reconstruct(&outline, &points).unwrap().faces.len(), 2);
}
