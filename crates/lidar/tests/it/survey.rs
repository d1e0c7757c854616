//! Ground and trees of real surveys: AHN in Delft and Amsterdam, IGN in the south of France.

use std::ops::ControlFlow;
use std::path::PathBuf;

use aerie_lidar::ground::{self, GroundBuilder, GroundGrid, filter};
use aerie_lidar::outline::Outline;
use aerie_lidar::reader::{Point, Reader};
use aerie_lidar::trees::{Canopy, Tree};

const AMSTERDAM: &str = "trees/ahn_2386_9702.laz";
const FILES: [&str; 5] = [
    AMSTERDAM,
    "delft/ahn3_cropped_1.laz",
    "delft/ahn3_cropped_2.laz",
    "lidar/test_data_77050_627755_LA93_IGN69.laz",
    "lidar/test_data_77060_627755_LA93_IGN69.laz",
];

fn data(name: &str) -> PathBuf {
    aerie_test_data::test_data(PathBuf::from("measured").join(name))
}

fn load(name: &str) -> (Vec<Point>, [f64; 4]) {
    let reader = Reader::open(&data(name)).unwrap();
    let [low, high] = reader.header().bounds;
    let mut points = Vec::new();
    reader
        .read(None, &mut |part| {
            points.extend_from_slice(part);
            ControlFlow::Continue(())
        })
        .unwrap();
    (points, [low[0], low[1], high[0], high[1]])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn ground_points_held_back_lie_within_a_decimeter() {
    for name in FILES {
        let (points, bounds) = load(name);
        let mut builder = GroundBuilder::new(bounds).unwrap();
        let ground_points: Vec<_> = points.iter().filter(|point| point.class == 2).collect();
        let held_back = |number: &usize| number.is_multiple_of(3);
        for (_, point) in ground_points.iter().enumerate().filter(|(number, _)| !held_back(number)) {
            builder.add(point.at);
        }
        let grid = builder.finish();
        let differences = ground_points.iter().enumerate().filter(|(number, _)| held_back(number));
        let differences: Vec<f64> = differences
            .filter_map(|(_, point)| Some((point.at[2] - grid.height([point.at[0], point.at[1]])?).abs()))
            .collect();
        let mut sorted = differences.clone();
        sorted.sort_by(f64::total_cmp);
        eprintln!("{name}: median {:.3}, 95 % {:.3}", median(differences.clone()), sorted[sorted.len() * 95 / 100]);
        assert!(median(differences) <= 0.1, "{name}");
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn the_ground_is_found_without_classes() {
    for name in FILES {
        let (points, bounds) = load(name);
        let (mut truth, mut found) = (GroundBuilder::new(bounds).unwrap(), GroundBuilder::new(bounds).unwrap());
        let mut lowest = filter::Lowest::new(bounds).unwrap();
        for point in &points {
            if ground::is_ground(point.class) {
                truth.add(point.at);
            }
            if point.is_last() {
                lowest.add(point.at);
            }
        }
        let surface = lowest.finish();
        // Ground that was missed, and other things that were taken for ground, of all of their kind.
        let mut counts = [[0_usize; 2]; 2];
        for point in points.iter().filter(|point| point.is_last()) {
            let is_found = surface.is_ground(point.at);
            if is_found {
                found.add(point.at);
            }
            let kind = usize::from(!ground::is_ground(point.class));
            counts[kind][0] += usize::from(is_found != (kind == 0));
            counts[kind][1] += 1;
        }
        let (truth, found) = (truth.finish(), found.finish());
        let pairs = truth.heights().iter().zip(found.heights());
        let mut differences: Vec<f64> =
            pairs.map(|(one, other)| f64::from(one - other).abs()).filter(|difference| !difference.is_nan()).collect();
        differences.sort_by(f64::total_cmp);
        let at = |share: usize| differences[differences.len() * share / 100];
        let share = |[wrong, all]: [usize; 2]| wrong as f64 / all.max(1) as f64;
        eprintln!(
            "{name}: median {:.3}, 90 % {:.3}, 95 % {:.3}; missed {:.3}, false {:.3}",
            at(50),
            at(90),
            at(95),
            share(counts[0]),
            share(counts[1])
        );
        assert!(at(50) <= 0.1 && share(counts[0]) < 0.15, "{name}");
    }
}

fn trees(points: &[Point], bounds: [f64; 4], outlines: &[Outline]) -> (Vec<Tree>, GroundGrid) {
    let mut builder = GroundBuilder::new(bounds).unwrap();
    points.iter().filter(|point| ground::is_ground(point.class)).for_each(|point| builder.add(point.at));
    let grid = builder.finish();
    let mut canopy = Canopy::new(bounds, &grid, outlines).unwrap();
    points.iter().for_each(|point| canopy.add(point));
    let trees = canopy.trees();
    (trees, grid)
}

/// The rings in double brackets of the lines of a file.
fn outlines(name: &str) -> Vec<Outline> {
    let text = std::fs::read_to_string(data(name)).unwrap();
    let ring = |line: &str| Some(line[line.find("[[")?..line.rfind("]]")? + 2].to_owned());
    text.lines()
        .filter_map(ring)
        .map(|ring| Outline { outer: serde_json::from_str(&ring).unwrap(), holes: Vec::new() })
        .collect()
}

/// Positions of a table of trees within bounds.
fn mapped(name: &str, [west, south, east, north]: [f64; 4]) -> Vec<[f64; 2]> {
    let text = std::fs::read_to_string(data(name)).unwrap();
    let row = |line: &str| {
        let mut parts = line.split(',').skip(1).map(|part| part.parse::<f64>());
        Some([parts.next()?.ok()?, parts.next()?.ok()?])
    };
    let is_inside = |&[x, y]: &[f64; 2]| x > west && x < east && y > south && y < north;
    text.lines().filter_map(row).filter(is_inside).collect()
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn mapped_trees_of_amsterdam_are_found_where_they_stand() {
    let (points, bounds) = load(AMSTERDAM);
    let outlines = outlines("trees/bgt_buildings_demo.csv");
    let (trees, grid) = trees(&points, bounds, &outlines);
    for tree in &trees {
        eprintln!("{tree:.1?}");
        assert!(outlines.iter().all(|outline| outline.distance(tree.at) > 0.3));
    }
    for table in ["trees/trees_manual.csv", "trees/bgt_trees_boom.csv"] {
        let mapped = mapped(table, bounds);
        let mut found = 0;
        for at in &mapped {
            let away = |tree: &&Tree| (tree.at[0] - at[0]).hypot(tree.at[1] - at[1]);
            let near = trees.iter().min_by(|one, other| away(one).total_cmp(&away(other))).unwrap();
            // The highest echo of vegetation within a meter of the crown's middle.
            let ground = grid.height(near.at).unwrap();
            let above = points.iter().filter(|point| point.class == 1);
            let above =
                above.filter(|point| (point.at[0] - near.at[0]).hypot(point.at[1] - near.at[1]) < near.crown / 3.0);
            let top = above.map(|point| point.at[2] - ground).fold(0.0, f64::max);
            eprintln!("{at:?}: {:.1} m away, {:.1} m high, echoes up to {top:.1} m", away(&near), near.height);
            if away(&near) <= 3.0 {
                found += 1;
                assert!((near.height - top).abs() < 1.0);
            }
        }
        let near_one = trees
            .iter()
            .filter(|tree| mapped.iter().any(|at| (tree.at[0] - at[0]).hypot(tree.at[1] - at[1]) < 3.0))
            .count();
        eprintln!("{table}: {found} of {} found; {near_one} of {} trees are mapped", mapped.len(), trees.len());
        assert!(found * 10 >= mapped.len() * 8);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn crowns_neither_merge_nor_explode_on_real_surveys() {
    for name in FILES {
        let (points, bounds) = load(name);
        let (trees, _) = trees(&points, bounds, &[]);
        let area: f64 = trees.iter().map(|tree| tree.crown.powi(2) * std::f64::consts::FRAC_PI_4).sum();
        let widest = trees.iter().map(|tree| tree.crown).fold(0.0, f64::max);
        eprintln!(
            "{name}: {} trees, {:.1} per 1,000 m2 of crowns, widest {widest:.1} m",
            trees.len(),
            trees.len() as f64 / area * 1000.0
        );
        assert!(widest < 22.0 && (trees.len() as f64) < area / 1000.0 * 100.0, "{name}");
    }
}
