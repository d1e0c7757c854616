use super::*;

/// A square of 100 m with a point every half meter, at the heights of a function.
fn square(mut add: impl FnMut([f64; 3]), height: impl Fn(f64, f64) -> Option<f64>) {
    for row in 0..200 {
        for column in 0..200 {
            let (x, y) = (f64::from(column) * 0.5 + 0.25, f64::from(row) * 0.5 + 0.25);
            if let Some(z) = height(x, y) {
                add([x, y, z]);
            }
        }
    }
}

fn slope(x: f64, y: f64) -> f64 {
    50.0 + 0.1 * x - 0.05 * y
}

fn is_house(x: f64, y: f64) -> bool {
    (30.0..60.0).contains(&x) && (40.0..60.0).contains(&y)
}

const AREA: [f64; 4] = [0.0, 0.0, 99.9, 99.9];

#[test]
fn a_slope_is_followed_and_interpolated_under_a_house() {
    let mut builder = GroundBuilder::new(AREA).unwrap();
    square(|at| builder.add(at), |x, y| (!is_house(x, y)).then(|| slope(x, y)));
    let ground = builder.finish();
    for at in [[5.0, 5.0], [33.3, 70.2], [45.0, 50.0], [31.0, 41.0], [99.5, 0.3]] {
        let height = ground.height(at).unwrap();
        assert!((height - slope(at[0], at[1])).abs() < 0.1, "{height} at {at:?}");
    }
    assert!(ground.heights().iter().all(|height| !height.is_nan()));
}

#[test]
fn a_large_gap_stays_empty_and_nothing_is_added_outside() {
    let area = [0.0, 0.0, 199.9, 99.9];
    let mut builder = GroundBuilder::new(area).unwrap();
    square(|at| builder.add(at), |x, y| Some(slope(x, y)));
    let ground = builder.finish();
    assert!(ground.height([50.0, 50.0]).is_some());
    assert_eq!(ground.height([150.0, 50.0]), None);
    assert_eq!(ground.height([250.0, 50.0]), None);
}

#[test]
fn outliers_of_a_cell_and_lone_cells_are_ignored() {
    let mut builder = GroundBuilder::new(AREA).unwrap();
    square(|at| builder.add(at), |_, _| Some(10.0));
    builder.add([20.3, 20.3, 17.0]);
    for _ in 0..20 {
        builder.add([70.3, 70.3, 2.0]);
    }
    let ground = builder.finish();
    assert!((ground.height([20.5, 20.5]).unwrap() - 10.0).abs() < 0.02);
    assert!((ground.height([70.5, 70.5]).unwrap() - 10.0).abs() < 0.02);
}

#[test]
fn houses_and_cars_are_removed_without_classes() {
    let mut lowest = filter::Lowest::new(AREA).unwrap();
    let height = |x: f64, y: f64| {
        let is_car = (70.0..72.0).contains(&x) && (10.0..14.0).contains(&y);
        slope(x, y)
            + if is_house(x, y) {
                8.0
            } else if is_car {
                1.5
            } else {
                0.0
            }
    };
    square(|at| lowest.add(at), |x, y| Some(height(x, y)));
    let surface = lowest.finish();
    let mut wrong = 0;
    square(
        |at| wrong += usize::from(surface.is_ground(at) != (height(at[0], at[1]) == slope(at[0], at[1]))),
        |x, y| Some(height(x, y)),
    );
    assert!(wrong < 400, "{wrong} of 40,000 points");
}

#[test]
fn impossible_areas_are_refused() {
    for area in [[0.0, 0.0, -5.0, 5.0], [0.0, 0.0, 1e6, 1e6], [f64::NAN; 4], [0.0, 0.0, f64::INFINITY, 1.0]] {
        assert!(GroundBuilder::new(area).is_none());
    }
}

#[test]
fn an_area_without_points_has_no_ground() {
    let ground = GroundBuilder::new(AREA).unwrap().finish();
    assert_eq!(ground.height([50.0, 50.0]), None);
    assert!(ground.heights().iter().all(|height| height.is_nan()));
}
