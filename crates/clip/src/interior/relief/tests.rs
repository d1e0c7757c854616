use glam::{DVec2, DVec3};

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
        vanishing_points: [DVec3::Y, DVec3::X, DVec3::new(48.0, 22.0, 1.0)],
        segments: Vec::new(),
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

/// How far depths along a line are from linear, at a slant of 1.
fn off(grid: &Grid, ahead: &[f32], [a, b]: [DVec2; 2]) -> f64 {
    let at = |share: f64| {
        let p = a.lerp(b, share);
        f64::from(grid.between(ahead, [p.x as f32 - 0.5, p.y as f32 - 0.5]))
    };
    let (from, until) = (at(0.05), at(0.95));
    let off = |n: i32| at(0.05 + 0.1 * f64::from(n)) - from - (until - from) * f64::from(n) / 9.0;
    (1..9).map(|n| off(n).abs()).fold(0.0, f64::max)
}

/// Range of depths along the upright line at column 60.
fn spread(ahead: &[f32]) -> f32 {
    let rows = (28..50).map(|y| ahead[y * WIDTH + 60]);
    let (low, high) = rows.fold((f32::MAX, f32::MIN), |(low, high), v| (low.min(v), high.max(v)));
    high - low
}

#[test]
fn lines_are_settled_straight_although_they_cross_and_feet_stay() {
    let mut grid = empty();
    let level = [DVec2::new(32.0, 28.5), DVec2::new(68.0, 34.5)];
    grid.lines = vec![level, [DVec2::new(60.5, 26.5), DVec2::new(60.5, 50.5)]];
    let is_in = |i: usize| (30..70).contains(&(i % WIDTH)) && (24..56).contains(&(i / WIDTH));
    let labels: Vec<u8> = (0..WIDTH * HEIGHT).map(|i| u8::from(is_in(i))).collect();
    (0..WIDTH * HEIGHT).filter(|i| is_in(*i)).for_each(|i| grid.tones[i] = [25.0, 0.0, 0.0]);
    let feet: Vec<bool> = (0..WIDTH * HEIGHT).map(|i| is_in(i) && i / WIDTH == 55).collect();
    let wave = |i: usize| 0.5 + 0.1 * ((i % WIDTH) as f32 * 0.4).sin() * ((i / WIDTH) as f32 * 0.3).cos();
    let waves: Vec<f32> = (0..WIDTH * HEIGHT).map(wave).collect();
    let mut settled = waves.clone();
    settle(&grid, &inner_lines(&grid, &labels), (&labels, &feet), &[], &mut settled);
    assert!(off(&grid, &waves, level) > 0.1 && spread(&waves) > 0.1);
    assert!(off(&grid, &settled, level) < 0.04, "{}", off(&grid, &settled, level));
    assert!(spread(&settled) < 0.04, "{}", spread(&settled));
    assert!((0..feet.len()).all(|i| !feet[i] || settled[i] == waves[i]));
}

#[test]
fn straight_lines_of_a_piece_stay_straight_and_its_upright_ones_upright() {
    let (mut grid, standing) = with(30..70, 24..56, true);
    // A corner of the piece stands off its outline, and what it shows is of two tones, which its depths follow.
    for (i, value) in standing.iter().enumerate() {
        if *value > 0.0 && (i % WIDTH + i / WIDTH) % 23 > 11 {
            grid.tones[i] = [48.0, 9.0, 0.0];
        }
    }
    let level = [DVec2::new(32.0, 28.5), DVec2::new(68.0, 34.5)];
    let upright = [DVec2::new(60.5, 26.5), DVec2::new(60.5, 50.5)];
    grid.lines = vec![level, upright];
    let settled = relief(&grid, &standing).expect("a piece").ahead;
    assert!(off(&grid, &settled, level) < 0.008, "{}", off(&grid, &settled, level));
    assert!(spread(&settled) < 0.01, "{}", spread(&settled));
}

#[test]
fn an_upright_line_that_goes_on_beyond_its_piece_is_not_torn_off_there() {
    let (mut grid, standing) = with(30..70, 24..56, true);
    grid.lines = vec![[DVec2::new(60.5, 25.0), DVec2::new(60.5, 54.0)]];
    let top = |grid: &Grid| relief(grid, &standing).expect("a piece").ahead[25 * WIDTH + 60] / grid.behind[0];
    let ends = top(&grid);
    // Above it, a door goes on in the same tone.
    for i in (0..24 * WIDTH).filter(|i| (30..70).contains(&(i % WIDTH))) {
        grid.tones[i] = [25.0, 0.0, 0.0];
    }
    let goes_on = top(&grid);
    assert!(ends > 1.6 && goes_on < 0.8 * ends, "{ends} {goes_on}");
}
