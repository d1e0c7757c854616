use glam::DVec2;

use super::*;

const WIDTH: usize = 96;
const HEIGHT: usize = 64;
/// Row of the far wall's foot; the horizon is above it.
const WALL: usize = 30;
const HORIZON: f32 = 22.0;

/// A floor that ends at a wall, without anything on it.
fn empty() -> Grid {
    let behind = |y: usize| (y.max(WALL) as f32 + 0.5 - HORIZON) / 40.0;
    let of = |value: &dyn Fn(usize) -> f32| (0..WIDTH * HEIGHT).map(|i| value(i / WIDTH)).collect::<Vec<f32>>();
    Grid {
        width: WIDTH,
        height: HEIGHT,
        step: DVec2::ONE,
        lines: Vec::new(),
        tones: vec![[70.0, 0.0, 0.0]; WIDTH * HEIGHT],
        standing: vec![0.0; WIDTH * HEIGHT],
        floor: of(&|y| f32::from(u8::from(y > WALL))),
        faces: (0..WIDTH * HEIGHT).map(|i| if i / WIDTH > WALL { 0 } else { 4 }).collect(),
        behind: of(&behind),
        level: of(&|y| (y as f32 + 0.5 - HORIZON) / 40.0),
        slant: vec![1.0; WIDTH * HEIGHT],
    }
}

/// A grid with an object in a rectangle of columns and rows; a dark object contrasts with the wall behind it.
fn with(columns: std::ops::Range<usize>, rows: std::ops::Range<usize>, is_dark: bool) -> (Grid, Vec<f32>) {
    let mut grid = empty();
    let mut standing = vec![0.0; WIDTH * HEIGHT];
    for y in rows {
        for x in columns.clone() {
            standing[y * WIDTH + x] = 1.0;
            if is_dark {
                grid.tones[y * WIDTH + x] = [25.0, 0.0, 0.0];
            }
        }
    }
    (grid, standing)
}

#[test]
fn what_stands_free_rises_upright_from_its_foot() {
    let (grid, standing) = with(40..52, 26..56, true);
    let relief = relief(&grid, &standing).expect("a piece");
    let (foot, top) = (relief.ahead[55 * WIDTH + 45], relief.ahead[28 * WIDTH + 45]);
    assert!((foot - grid.behind[56 * WIDTH + 45]).abs() < 1e-6, "{foot}");
    // Near its top it is much nearer than the wall behind it.
    let wall = grid.behind[0];
    assert!(top > wall + 0.6 * (foot - wall), "{foot} {top}, wall {wall}");
}

#[test]
fn what_stands_by_the_wall_or_cannot_be_told_from_it_leans_against_it() {
    let top = |rows: std::ops::Range<usize>, is_dark: bool| {
        let (grid, standing) = with(40..52, rows.clone(), is_dark);
        relief(&grid, &standing).expect("a piece").ahead[rows.start * WIDTH + 45]
    };
    let wall = empty().behind[0];
    let by_the_wall = top(20..35, true);
    assert!(by_the_wall < 1.35 * wall, "{by_the_wall}, wall {wall}");
    let (free, blurred) = (top(26..56, true), top(26..56, false));
    assert!(blurred - wall < 0.8 * (free - wall), "{blurred} {free}, wall {wall}");
}

#[test]
fn the_edge_of_a_table_over_the_floor_is_no_foot() {
    let (mut grid, mut standing) = with(36..56, 40..44, true);
    for x in [36, 37, 54, 55] {
        for y in 44..56 {
            standing[y * WIDTH + x] = 1.0;
            grid.tones[y * WIDTH + x] = [25.0, 0.0, 0.0];
        }
    }
    let relief = relief(&grid, &standing).expect("a piece");
    let (edge, leg) = (relief.ahead[43 * WIDTH + 46], relief.ahead[55 * WIDTH + 36]);
    assert!(edge > grid.behind[44 * WIDTH + 46] * 1.2, "{edge} {leg}");
}

#[test]
fn a_line_of_the_wall_stays_straight_where_it_is_mistaken_for_furniture() {
    let (mut grid, standing) = with(30..60, 24..56, true);
    grid.lines = vec![[DVec2::new(45.5, 4.0), DVec2::new(45.5, 36.0)]];
    let held = relief(&grid, &standing).expect("a piece");
    for y in 25..30 {
        let (ahead, behind) = (held.ahead[y * WIDTH + 45], grid.behind[y * WIDTH + 45]);
        assert!((ahead - behind).abs() < 1e-3, "{y}: {ahead} {behind}");
    }
    grid.lines.clear();
    let free = relief(&grid, &standing).expect("a piece");
    assert!(free.ahead[27 * WIDTH + 45] > 1.5 * grid.behind[0]);
}

#[test]
fn what_hangs_on_the_wall_is_part_of_it() {
    let (grid, standing) = with(40..60, 4..16, true);
    assert!(relief(&grid, &standing).is_none());
}
