use super::*;
use crate::ground::GroundBuilder;

const AREA: [f64; 4] = [0.0, 0.0, 60.0, 60.0];

fn flat() -> GroundGrid {
    let mut builder = GroundBuilder::new(AREA).unwrap();
    for cell in 0..3721 {
        builder.add([f64::from(cell % 61) + 0.5, f64::from(cell / 61) + 0.5, 10.0]);
    }
    builder.finish()
}

/// A tree, or a box of single echoes.
#[derive(Clone, Copy)]
enum Shape {
    Dome,
    Cone,
    Block,
}

/// Echoes of a thing on the flat ground, about 16 per square meter, scattered without a pattern but always the same.
fn echoes(shape: Shape, [x, y]: [f64; 2], height: f64, crown: f64) -> Vec<Point> {
    let mut state = (x * 7.0 + y * 13.0) as u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut points = Vec::new();
    for _ in 0..(16.0 * crown * crown) as usize {
        let (dx, dy) = ((random() - 0.5) * crown, (random() - 0.5) * crown);
        let out = dx.hypot(dy) / (crown / 2.0);
        let top = match shape {
            Shape::Block => 1.0,
            _ if out > 1.0 => continue,
            Shape::Dome => 0.4 + 0.6 * (1.0 - out * out).sqrt(),
            Shape::Cone => 1.0 - 0.85 * out,
        };
        let depth = if matches!(shape, Shape::Block) { 0.0 } else { random() * random() * 0.5 };
        points.push(Point {
            at: [x + dx, y + dy, 10.0 + height * top * (1.0 - depth)],
            class: 1,
            return_number: 1,
            number_of_returns: if matches!(shape, Shape::Block) { 1 } else { 2 },
        });
    }
    points
}

fn find(things: &[Vec<Point>], outlines: &[Outline]) -> Vec<Tree> {
    let ground = flat();
    let mut canopy = Canopy::new(AREA, &ground, outlines).unwrap();
    things.iter().flatten().for_each(|point| canopy.add(point));
    canopy.trees()
}

#[test]
fn trees_of_all_sizes_are_found_and_measured() {
    let trees = find(
        &[
            echoes(Shape::Dome, [10.0, 10.0], 15.0, 9.0),
            echoes(Shape::Dome, [22.0, 10.0], 6.0, 3.5),
            echoes(Shape::Cone, [40.0, 40.0], 18.0, 7.0),
        ],
        &[],
    );
    assert_eq!(trees.len(), 3, "{trees:?}");
    for (tree, (at, height, crown, is_conifer)) in trees.iter().zip([
        ([10.0, 10.0], 15.0, 9.0, Some(Some(false))),
        ([22.0, 10.0], 6.0, 3.5, None),
        ([40.0, 40.0], 18.0, 7.0, Some(Some(true))),
    ]) {
        assert!((tree.at[0] - at[0]).hypot(tree.at[1] - at[1]) < 0.7, "{tree:?}");
        assert!((tree.height - height).abs() < 1.0, "{tree:?}");
        assert!((tree.crown - crown).abs() < 1.2, "{tree:?}");
        assert!(is_conifer.is_none_or(|is_conifer| tree.is_conifer == is_conifer), "{tree:?}");
    }
}

#[test]
fn a_row_of_touching_crowns_stays_a_row() {
    let row: Vec<_> = (0..5).map(|tree| echoes(Shape::Dome, [8.0 + 8.0 * f64::from(tree), 30.0], 12.0, 8.5)).collect();
    let trees = find(&row, &[]);
    assert_eq!(trees.len(), 5, "{trees:?}");
}

#[test]
fn trucks_fences_and_lamps_are_no_trees() {
    let fence = (0..80).map(|post| Point {
        at: [5.0 + f64::from(post) * 0.2, 50.0, 12.8],
        ..echoes(Shape::Dome, [5.0, 5.0], 9.0, 3.0)[0]
    });
    let lamp = echoes(Shape::Dome, [50.0, 50.0], 8.0, 0.7);
    let car = echoes(Shape::Dome, [50.0, 20.0], 1.6, 4.0);
    let trees = find(&[echoes(Shape::Block, [30.0, 20.0], 3.5, 6.0), fence.collect(), lamp, car], &[]);
    assert_eq!(trees, Vec::new());
}

#[test]
fn nothing_grows_in_houses_or_at_their_walls() {
    let house = Outline { outer: vec![[20.0, 20.0], [40.0, 20.0], [40.0, 40.0], [20.0, 40.0]], holes: Vec::new() };
    let things = [echoes(Shape::Dome, [30.0, 30.0], 12.0, 8.0), echoes(Shape::Dome, [42.0, 30.0], 10.0, 8.0)];
    let trees = find(&things, std::slice::from_ref(&house));
    assert_eq!(trees.len(), 1, "{trees:?}");
    assert!(house.distance(trees[0].at) > CLEARANCE && trees[0].at[0] < 44.5, "{trees:?}");
}

#[test]
fn a_dense_wood_neither_merges_nor_explodes() {
    let wood: Vec<_> = (0..49)
        .map(|tree| {
            let (column, row) = (f64::from(tree % 7), f64::from(tree / 7));
            echoes(Shape::Dome, [8.0 + 6.5 * column + 0.4 * row, 8.0 + 6.5 * row], 14.0 + (tree % 5) as f64, 7.5)
        })
        .collect();
    let trees = find(&wood, &[]);
    assert!((35..=60).contains(&trees.len()), "{}", trees.len());
}

#[test]
fn an_empty_or_endless_area_is_harmless() {
    let ground = flat();
    assert_eq!(Canopy::new(AREA, &ground, &[Outline::default()]).unwrap().trees(), Vec::new());
    for area in [[0.0, 0.0, 1e9, 1.0], [f64::NAN; 4], [5.0, 0.0, 0.0, 1.0]] {
        assert!(Canopy::new(area, &ground, &[]).is_none());
    }
}
