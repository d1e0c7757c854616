use super::*;

const SQUARE: Bounds = [-1000.0, -1000.0, 1000.0, 1000.0];

fn sea(coasts: &[&[Point]]) -> Sea {
    of_coasts(&coasts.iter().map(|c| c.to_vec()).collect::<Vec<_>>(), SQUARE, None)
}

fn is_water(sea: &Sea, at: Point) -> bool {
    sea.polygons.iter().filter(|p| p.contains(at)).count() == 1
}

fn size(sea: &Sea) -> f64 {
    let net = |p: &Polygon| p.holes.iter().chain([&p.outer]).map(|r| geometry::signed_area(r)).sum::<f64>();
    sea.polygons.iter().map(net).sum()
}

/// A square ring, counter-clockwise if the land is inside.
fn ring([x, y]: Point, half: f64, land: bool) -> Vec<Point> {
    let mut ring = vec![[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
    if !land {
        ring.reverse();
    }
    ring.push(ring[0]);
    ring
}

#[test]
fn a_coast_has_the_land_on_its_left_and_the_sea_on_its_right() {
    for (coast, at) in [
        ([[-3000.0, 400.0], [3000.0, 400.0]], [0.0, -500.0]),
        ([[3000.0, 400.0], [-3000.0, 400.0]], [0.0, 500.0]),
        ([[400.0, -3000.0], [400.0, 3000.0]], [500.0, 0.0]),
        ([[400.0, 3000.0], [400.0, -3000.0]], [-500.0, 0.0]),
    ] {
        let sea = sea(&[&coast]);
        assert!(is_water(&sea, at), "{coast:?}");
        let wet = if at[0] + at[1] > 0.0 { 600.0 } else { 1400.0 };
        assert!((size(&sea) - wet * 2000.0).abs() < 1.0, "{coast:?}: {}", size(&sea));
        assert!(sea.missed.is_none());
    }
}

#[test]
fn an_island_is_a_hole_in_the_sea_and_alone_has_it_all_round() {
    let island = ring([0.0, 0.0], 100.0, true);
    let alone = sea(&[&island]);
    assert!(!is_water(&alone, [0.0, 0.0]) && is_water(&alone, [900.0, -900.0]));
    assert!((size(&alone) - (4e6 - 4e4)).abs() < 1.0);
    let before_coast = sea(&[&ring([0.0, -500.0], 100.0, true), &[[-3000.0, 0.0], [3000.0, 0.0]]]);
    assert!(!is_water(&before_coast, [0.0, -500.0]) && !is_water(&before_coast, [0.0, 500.0]));
    assert!((size(&before_coast) - (2e6 - 4e4)).abs() < 1.0);
    // Half of it is outside the window.
    let at_rim = sea(&[&ring([1000.0, 0.0], 100.0, true)]);
    assert!(!is_water(&at_rim, [950.0, 0.0]) && (size(&at_rim) - (4e6 - 2e4)).abs() < 1.0);
}

#[test]
fn a_lagoon_in_the_land_is_water_and_so_is_one_on_an_island() {
    let inland = sea(&[&ring([0.0, 0.0], 100.0, false)]);
    assert!((size(&inland) - 4e4).abs() < 1.0 && is_water(&inland, [0.0, 0.0]));
    let atoll = sea(&[&ring([0.0, 0.0], 300.0, true), &ring([0.0, 0.0], 200.0, false), &ring([0.0, 0.0], 50.0, true)]);
    assert!(!is_water(&atoll, [250.0, 0.0]) && is_water(&atoll, [100.0, 0.0]) && !is_water(&atoll, [0.0, 0.0]));
}

#[test]
fn between_two_coasts_lies_a_strait_and_outside_of_two_a_neck_of_land() {
    let (south, north) = ([[3000.0, -200.0], [-3000.0, -200.0]], [[-3000.0, 200.0], [3000.0, 200.0]]);
    let strait = sea(&[&south, &north]);
    assert!((size(&strait) - 2000.0 * 400.0).abs() < 1.0 && is_water(&strait, [0.0, 0.0]));
    let neck = sea(&[&[[-3000.0, -200.0], [3000.0, -200.0]], &[[3000.0, 200.0], [-3000.0, 200.0]]]);
    assert!((size(&neck) - 2000.0 * 1600.0).abs() < 1.0 && !is_water(&neck, [0.0, 0.0]));
}

#[test]
fn a_coast_that_breaks_off_near_by_makes_no_sea_and_one_farther_off_ends_it() {
    let near = sea(&[&[[-3000.0, 100.0], [100.0, 100.0]]]);
    assert!(near.polygons.is_empty() && near.missed.is_some());
    let farther = sea(&[&[[-3000.0, 100.0], [700.0, 100.0]]]);
    assert!(farther.missed.is_some() && is_water(&farther, [600.0, 0.0]) && !is_water(&farther, [600.0, 200.0]));
    assert!(!is_water(&farther, [800.0, 0.0]), "nothing is known beyond");
}

#[test]
fn a_coast_that_is_cut_with_the_map_goes_on_to_the_maps_edge() {
    let coast = vec![vec![[-3000.0, 0.0], [560.0, 0.0]]];
    let sea = of_coasts(&coast, SQUARE, Some([[-5000.0, -5000.0], [600.0, 5000.0]]));
    assert!(sea.missed.is_none() && (size(&sea) - 1600.0 * 1000.0).abs() < 1.0, "{}", size(&sea));
    assert!(is_water(&sea, [599.0, -1.0]) && !is_water(&sea, [601.0, -1.0]));
}

#[test]
fn coasts_that_contradict_each_other_make_no_sea() {
    let sea = sea(&[&[[-3000.0, 200.0], [3000.0, 200.0]], &[[-3000.0, -200.0], [3000.0, -200.0]]]);
    assert!(sea.polygons.is_empty() && sea.missed.is_some());
}

#[test]
fn ways_are_joined_in_whatever_order_they_come() {
    let [a, b, c, d] = [[9.0, 47.0], [9.1, 47.0], [9.2, 47.1], [9.3, 47.0]];
    assert_eq!(joined(vec![vec![c, d], vec![a, b], vec![b, c]]), [vec![a, b, c, d]]);
    assert_eq!(joined(vec![vec![b, c], vec![c, a], vec![a, b]]), [vec![b, c, a, b]]);
    assert_eq!(joined(vec![vec![a, b], vec![c, b]]).len(), 2, "they meet head on");
}

#[test]
fn land_ends_at_the_sea_piers_stand_in_it_and_its_ground_is_flat() {
    let sea = sea(&[&[[-3000.0, 0.0], [3000.0, 0.0]]]);
    let area = |id: &str, kind, ring: Vec<Point>| Area {
        id: id.into(),
        kind,
        polygon: Polygon { outer: ring[..4].to_vec(), holes: vec![] },
    };
    let mut areas = vec![
        area("wood", AreaKind::Forest, ring([0.0, 0.0], 200.0, true)),
        area("pier", AreaKind::Paved, ring([-500.0, -20.0], 40.0, true)),
        area("lake", AreaKind::Water, ring([500.0, 500.0], 40.0, true)),
    ];
    let mut terrain = Terrain::flat(1000.0, 0.0);
    (terrain.spacing, terrain.columns, terrain.rows) = (40.0, 51, 51);
    terrain.heights = (0..51 * 51).map(|i| (i / 51) as f32 - 25.0 + (i % 2) as f32 * 0.01).collect();
    assert_eq!(sea.lay(&mut areas, &[], &mut terrain), None);
    let ids: Vec<&str> = areas.iter().map(|a| a.id.as_str()).collect();
    assert_eq!(ids, ["wood", "pier", "sea", "lake"]);
    assert!((geometry::signed_area(&areas[0].polygon.outer) - 400.0 * 200.0).abs() < 1.0);
    let on = |area: &Area, at| area.polygon.contains(at);
    assert!(!on(&areas[2], [-500.0, -30.0]) && on(&areas[2], [-500.0, -70.0]));
    assert!((terrain.height([0.0, -900.0]) - terrain.height([0.0, -300.0])).abs() < 1e-6);
    assert!(terrain.height([0.0, 900.0]) > 20.0);
}
