//! Depths of what stands in a room: each piece starts where it meets the floor and rises upright, leaning toward what is behind it.

use glam::DVec2;

use super::diffusion::Diffusion;
use super::grid::{Grid, likeness};

/// Probability from which something stands: what is too much moves with a piece unseen, what is missing would be torn off.
pub(super) const STANDING: f32 = 0.42;
/// Least share of the grid that a piece takes, and largest number of pieces.
const LEAST: f64 = 0.002;
pub(super) const MOST: usize = 60;
/// Least probability of the floor under a foot.
const FLOOR: f32 = 0.25;
/// Distance over which a foot may be lower than what is between it and another one, as a share of the width: what lies above the
/// line between them overhangs.
const OVERHANG: f64 = 0.2;
/// Height of the usual piece, camera heights: above it, its top recedes.
const TOP: f32 = 0.36;
/// Height, camera heights, beyond which a piece has no top that could be seen.
const TALL: f32 = 0.8;
/// Distances in which low and tall pieces take that shape, as shares of the height of the photo.
const SHAPED: [f64; 2] = [0.12, 0.45];
/// Differences of tone between parts of a piece, and between a piece and what is behind it.
const INNER: f32 = 10.0;
const OUTER: f32 = 3.5;
/// Gaps, as shares of the range of depths, up to which a piece is attached to what is behind it, and from which it is free.
const GAPS: [f32; 2] = [0.10, 0.26];
/// Pull of what is behind on what has no foot near.
const LOOSE: f32 = 1e-6;
/// How far outside an outline the network has to see that the piece has ended, pixels, and probabilities that it has not from which the
/// outline is doubtful, and useless.
const OUTWARD: isize = 6;
const DOUBT: [f32; 2] = [0.15, 0.4];
/// Link to what is behind where no edge separates them.
const UNSEPARATED: f32 = 0.4;
/// How far a line has to reach into a piece and out of it to be a line of what is behind, pixels, and which shares of it.
const ACROSS: u16 = 3;
const OUTSIDE: f64 = 0.25;
const INSIDE: f64 = 0.12;
/// Pull of such a line.
const OF_LINE: f32 = 3.0;
/// Pull of straight lines within pieces to be straight in space, and rounds of that.
const STRAIGHT: f32 = 2.0;
const STRAIGHTENINGS: usize = 4;
/// Steepest change of depth within a piece from pixel to pixel, as a share of the range of depths.
const STEEPEST: f32 = 0.012;
const ROUNDS: usize = 200;

/// Pieces and their depths on a grid.
pub(super) struct Relief {
    /// Number of the piece at each pixel, from 1; 0 where there is none.
    pub(super) labels: Vec<u8>,
    pub(super) count: usize,
    /// One over the distance ahead, measured on the floor.
    pub(super) ahead: Vec<f32>,
}

/// The pieces that `standing` shows; `None` if there are none.
pub(super) fn relief(grid: &Grid, standing: &[f32]) -> Option<Relief> {
    let (mut labels, mut count) = components(grid, standing);
    let mut feet = vec![false; labels.len()];
    let standing_on: Vec<bool> = (1..=count).map(|label| mark_feet(grid, &labels, label as u8, &mut feet)).collect();
    // What stands on nothing is part of the wall.
    let mut number = 0;
    let renamed: Vec<u8> = standing_on.iter().map(|stands| if *stands { number += 1; number } else { 0 }).collect();
    labels.iter_mut().filter(|label| **label > 0).for_each(|label| *label = renamed[usize::from(*label) - 1]);
    count = usize::from(number);
    if count == 0 {
        return None;
    }
    let range = range(grid);
    let mut ahead = nearest_feet(grid, &labels, &feet);
    let unknown: Vec<usize> = (0..labels.len()).filter(|i| labels[*i] > 0).collect();
    let mut system = links(grid, &labels, &feet);
    system.solve(&mut ahead, &unknown, ROUNDS);
    shape(grid, &labels, &ahead, &mut system);
    attach(grid, &labels, &feet, &ahead, range, &mut system);
    let crossed = crossings(grid, &labels);
    for i in crossed.iter().copied().filter(|i| !feet[*i]) {
        let sum = system.pull[i] + OF_LINE;
        system.toward[i] = (system.pull[i] * system.toward[i] + OF_LINE * grid.behind[i]) / sum;
        system.pull[i] = sum;
    }
    system.solve(&mut ahead, &unknown, ROUNDS);
    let inner = inner_lines(grid, &labels);
    let plain = (system.toward.clone(), system.pull.clone());
    for _ in 0..STRAIGHTENINGS {
        straighten(grid, &inner, &feet, &ahead, &plain, &mut system);
        system.solve(&mut ahead, &unknown, ROUNDS / 4);
    }
    let most = grid.behind.iter().copied().fold(0.0, f32::max);
    for &i in &unknown {
        ahead[i] = ahead[i].clamp(grid.behind[i].min(most), most);
    }
    soften(&mut ahead, &labels, grid.width, STEEPEST * range);
    hold_back(&mut ahead, grid, &crossed, STEEPEST * range);
    extend(&mut ahead, &labels, grid.width);
    Some(Relief { labels, count, ahead })
}

/// Range of depths behind everything, without the extremes.
fn range(grid: &Grid) -> f32 {
    let mut all = grid.behind.clone();
    all.sort_by(f32::total_cmp);
    (all[all.len() * 95 / 100] - all[all.len() * 5 / 100]).max(1e-3)
}

/// Connected parts of what stands, from the largest.
fn components(grid: &Grid, standing: &[f32]) -> (Vec<u8>, usize) {
    let (width, count) = (grid.width, standing.len());
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut is_met = vec![false; count];
    for start in 0..count {
        if is_met[start] || standing[start] <= STANDING {
            continue;
        }
        is_met[start] = true;
        let mut part = vec![start];
        let mut at = 0;
        while at < part.len() {
            let i = part[at];
            at += 1;
            for j in neighbors(i, width, count).into_iter().flatten() {
                if !is_met[j] && standing[j] > STANDING {
                    is_met[j] = true;
                    part.push(j);
                }
            }
        }
        if part.len() as f64 >= LEAST * count as f64 {
            parts.push(part);
        }
    }
    parts.sort_by_key(|part| (std::cmp::Reverse(part.len()), part[0]));
    parts.truncate(MOST);
    let mut labels = vec![0; count];
    for (number, part) in parts.iter().enumerate() {
        part.iter().for_each(|i| labels[*i] = number as u8 + 1);
    }
    (labels, parts.len())
}

/// Left, right, above and below.
fn neighbors(i: usize, width: usize, count: usize) -> [Option<usize>; 4] {
    [
        (i % width > 0).then(|| i - 1),
        (i % width + 1 < width).then(|| i + 1),
        i.checked_sub(width),
        (i + width < count).then(|| i + width),
    ]
}

/// Marks where a piece meets the floor, or is cut off by the lower edge of the photo; whether it does at all.
fn mark_feet(grid: &Grid, labels: &[u8], label: u8, feet: &mut [bool]) -> bool {
    let (width, height) = (grid.width, grid.height);
    let is_foot = |i: usize| {
        let below = i + width;
        labels[i] == label
            && grid.faces[i.min(labels.len() - 1)] == 0
            && (below >= labels.len() || labels[below] == 0 && grid.floor[below] > FLOOR)
    };
    let lowest: Vec<Option<usize>> =
        (0..width).map(|x| (0..height).rev().find(|y| is_foot(y * width + x))).collect();
    let reach = (OVERHANG * width as f64) as usize;
    let mut any = false;
    for x in 0..width {
        let Some(y) = lowest[x] else { continue };
        let left = x.saturating_sub(reach)..x;
        let right = x + 1..(x + reach + 1).min(width);
        let overhangs = left.filter_map(|u| Some((u, lowest[u]?))).filter(|(_, v)| *v > y).any(|(u, v)| {
            right.clone().filter_map(|s| Some((s, lowest[s]?))).any(|(s, t)| {
                // Twice the row of the line between both at this column, to two pixels.
                let share = (x - u) as f64 / (s - u) as f64;
                v as f64 + (t as f64 - v as f64) * share > y as f64 + 3.0
            })
        });
        if !overhangs {
            feet[y * width + x] = true;
            any = true;
        }
    }
    any
}

/// For each pixel of a piece, the depth of the nearest of its feet.
fn nearest_feet(grid: &Grid, labels: &[u8], feet: &[bool]) -> Vec<f32> {
    let (width, count) = (grid.width, labels.len());
    let mut ahead = grid.behind.clone();
    let mut is_met = feet.to_vec();
    let mut queue: Vec<usize> = (0..count).filter(|i| feet[*i]).collect();
    for &i in &queue {
        let below = if i + width < count { i + width } else { i };
        ahead[i] = grid.behind[below].max(grid.behind[i]);
    }
    let mut at = 0;
    while at < queue.len() {
        let i = queue[at];
        at += 1;
        for j in neighbors(i, width, count).into_iter().flatten() {
            if !is_met[j] && labels[j] == labels[i] {
                is_met[j] = true;
                ahead[j] = ahead[i];
                queue.push(j);
            }
        }
    }
    ahead
}

/// Links within pieces, weaker across their inner edges; feet are fixed.
fn links(grid: &Grid, labels: &[u8], feet: &[bool]) -> Diffusion {
    let (width, count) = (grid.width, labels.len());
    let mut system = Diffusion::new(width, count);
    let link = |i: usize, j: usize| {
        if labels[i] > 0 && labels[i] == labels[j] {
            likeness(grid.tones[i], grid.tones[j], INNER) + 0.05
        } else {
            0.0
        }
    };
    for i in 0..count {
        if i % width + 1 < width {
            system.right[i] = link(i, i + 1);
        }
        if i + width < count {
            system.below[i] = link(i, i + width);
        }
        system.is_fixed[i] = feet[i];
        system.toward[i] = grid.behind[i];
        system.pull[i] = LOOSE;
    }
    system
}

/// Draws pieces that are upright so far to the shape of boxes: a front of usual height, and a top that recedes.
fn shape(grid: &Grid, labels: &[u8], ahead: &[f32], system: &mut Diffusion) {
    let (width, height) = (grid.width, grid.height);
    let [low, tall] = SHAPED.map(|share| (1.0 / (share * height as f64)).powi(2) as f32);
    for x in 0..width {
        let mut rows = (0..height).map(|y| y * width + x).filter(|i| labels[*i] > 0).peekable();
        while let Some(top) = rows.next() {
            let mut piece = vec![top];
            while let Some(i) = rows.next_if(|i| labels[*i] == labels[top]) {
                piece.push(i);
            }
            let is_low = 1.0 - grid.level[top] / ahead[top].max(1e-6) < TALL;
            for i in piece {
                let receding = grid.behind[i].max(grid.level[i] / (1.0 - TOP));
                system.toward[i] = ahead[i].min(receding);
                system.pull[i] = if is_low || ahead[i] <= receding { low } else { tall };
            }
        }
    }
}

/// Attaches the outlines of pieces to what is behind them, where that is close or where no edge separates them.
fn attach(grid: &Grid, labels: &[u8], feet: &[bool], ahead: &[f32], range: f32, system: &mut Diffusion) {
    let (width, count) = (grid.width, labels.len());
    for i in (0..count).filter(|i| labels[*i] > 0 && !feet[*i]) {
        for (side, j) in neighbors(i, width, count).into_iter().enumerate() {
            let Some(j) = j.filter(|j| labels[*j] == 0) else { continue };
            // What overhangs the floor is not attached to it.
            if side == 3 && grid.faces[j] == 0 {
                continue;
            }
            let gap = (ahead[i] - grid.behind[j]) / range;
            let doubt = beyond(i, j, width, count).map_or(0.0, |far| (grid.standing[far] - DOUBT[0]) / (DOUBT[1] - DOUBT[0]));
            let close = 1.0 - ((gap - GAPS[0]) / (GAPS[1] - GAPS[0])).clamp(0.0, 1.0);
            let weight = close.max(doubt.clamp(0.0, 1.0)).max(UNSEPARATED * likeness(grid.tones[i], grid.tones[j], OUTER));
            let sum = system.pull[i] + weight;
            system.toward[i] = (system.pull[i] * system.toward[i] + weight * grid.behind[j]) / sum;
            system.pull[i] = sum;
        }
    }
}

/// Pixels of pieces on straight lines that go on outside: lines of what is behind, such as the frame of a window that is mistaken for
/// furniture at its lower end.
fn crossings(grid: &Grid, labels: &[u8]) -> Vec<usize> {
    let (width, height) = (grid.width, grid.height);
    let (inside, outside) = (depth_in(labels, width, |label| label == 0), depth_in(labels, width, |label| label > 0));
    let mut crossed = Vec::new();
    for [a, b] in &grid.lines {
        let steps = ((*b - *a).length() * 1.5).ceil() as usize;
        let samples: Vec<usize> = (0..=steps)
            .map(|step| a.lerp(*b, step as f64 / steps as f64))
            .filter(|p| p.x >= 0.0 && p.y >= 0.0 && p.x < width as f64 && p.y < height as f64)
            .map(|p| p.y as usize * width + p.x as usize)
            .collect();
        let share = |depths: &[u16]| samples.iter().filter(|i| depths[**i] > ACROSS).count() as f64 / steps as f64;
        if share(&outside) >= OUTSIDE && share(&inside) >= INSIDE {
            crossed.extend(samples.into_iter().filter(|i| labels[*i] > 0));
        }
    }
    crossed.sort_unstable();
    crossed.dedup();
    crossed
}

/// Samples of straight lines that lie within one piece: pixel, and position along the line.
fn inner_lines(grid: &Grid, labels: &[u8]) -> Vec<Vec<(usize, f32)>> {
    let (width, height) = (grid.width, grid.height);
    let away = depth_in(labels, width, |label| label > 0);
    let line = |[a, b]: &[DVec2; 2]| {
        let steps = ((*b - *a).length() * 1.5).ceil() as usize;
        let samples = (0..=steps).map(|step| (a.lerp(*b, step as f64 / steps as f64), step as f32 / steps as f32));
        let samples =
            samples.filter(|(p, _)| p.x >= 0.0 && p.y >= 0.0 && p.x < width as f64 && p.y < height as f64);
        let mut samples: Vec<(usize, f32)> =
            samples.map(|(p, t)| (p.y as usize * width + p.x as usize, t)).filter(|(i, _)| away[*i] <= ACROSS).collect();
        // Most of it is in a piece, or along its outline.
        let is_inner = samples.len() * 3 > steps * 2;
        samples.retain(|(i, _)| labels[*i] > 0);
        let label = samples.get(samples.len() / 2).map_or(0, |(i, _)| labels[*i]);
        samples.retain(|(i, _)| labels[*i] == label);
        (is_inner && samples.len() * 3 > steps).then_some(samples)
    };
    grid.lines.iter().filter_map(line).collect()
}

/// Draws the pixels of each line to the straight line in space that fits them best: along it, nearness is linear.
fn straighten(
    grid: &Grid,
    lines: &[Vec<(usize, f32)>],
    feet: &[bool],
    ahead: &[f32],
    (toward, pull): &(Vec<f32>, Vec<f32>),
    system: &mut Diffusion,
) {
    system.toward.clone_from(toward);
    system.pull.clone_from(pull);
    for samples in lines {
        let count = samples.len() as f32;
        let nearness = |i: usize| ahead[i] * grid.slant[i];
        let mean = |value: &dyn Fn(usize, f32) -> f32| samples.iter().map(|(i, t)| value(*i, *t)).sum::<f32>() / count;
        let (t, n) = (mean(&|_, t| t), mean(&|i, _| nearness(i)));
        let slope = mean(&|i, s| (s - t) * (nearness(i) - n)) / mean(&|_, s| (s - t) * (s - t)).max(1e-6);
        for (i, s) in samples.iter().filter(|(i, _)| !feet[*i]) {
            let fitted = (n + slope * (s - t)) / grid.slant[*i];
            let sum = system.pull[*i] + STRAIGHT;
            system.toward[*i] = (system.pull[*i] * system.toward[*i] + STRAIGHT * fitted) / sum;
            system.pull[*i] = sum;
        }
    }
}

/// Steps along the axes to the nearest pixel of a kind.
fn depth_in(labels: &[u8], width: usize, is_of: impl Fn(u8) -> bool) -> Vec<u16> {
    let count = labels.len();
    let mut depth: Vec<u16> = labels.iter().map(|label| if is_of(*label) { 0 } else { u16::MAX / 2 }).collect();
    for i in 0..count {
        let near = neighbors(i, width, count);
        depth[i] = [near[0], near[2]].into_iter().flatten().map(|j| depth[j] + 1).fold(depth[i], u16::min);
    }
    for i in (0..count).rev() {
        let near = neighbors(i, width, count);
        depth[i] = [near[1], near[3]].into_iter().flatten().map(|j| depth[j] + 1).fold(depth[i], u16::min);
    }
    depth
}

/// Keeps lines of what is behind where they are, and lets depth rise from them no more steeply than elsewhere.
fn hold_back(ahead: &mut [f32], grid: &Grid, crossed: &[usize], most: f32) {
    let (width, count) = (grid.width, ahead.len());
    let mut bound = vec![f32::INFINITY; count];
    crossed.iter().for_each(|i| bound[*i] = grid.behind[*i]);
    for i in 0..count {
        let near = neighbors(i, width, count);
        bound[i] = [near[0], near[2]].into_iter().flatten().map(|j| bound[j] + most).fold(bound[i], f32::min);
    }
    for i in (0..count).rev() {
        let near = neighbors(i, width, count);
        bound[i] = [near[1], near[3]].into_iter().flatten().map(|j| bound[j] + most).fold(bound[i], f32::min);
    }
    for i in 0..count {
        ahead[i] = ahead[i].min(bound[i].max(grid.behind[i]));
    }
}

/// The pixel in the direction of a neighbor, farther outside.
fn beyond(i: usize, j: usize, width: usize, count: usize) -> Option<usize> {
    let (row, at) = (j / width, j as isize + (j as isize - i as isize) * OUTWARD);
    let at = usize::try_from(at).ok().filter(|at| *at < count)?;
    (j.abs_diff(i) > 1 || at / width == row).then_some(at)
}

/// Limits how steeply depth changes within a piece: what is farther bends toward what is nearer.
fn soften(ahead: &mut [f32], labels: &[u8], width: usize, most: f32) {
    let count = ahead.len();
    for _ in 0..2 {
        for i in 0..count {
            for j in [(i % width > 0).then(|| i.wrapping_sub(1)), i.checked_sub(width)].into_iter().flatten() {
                if labels[i] > 0 && labels[i] == labels[j] {
                    ahead[i] = ahead[i].max(ahead[j] - most);
                }
            }
        }
        for i in (0..count).rev() {
            for j in [(i % width + 1 < width).then(|| i + 1), (i + width < count).then(|| i + width)].into_iter().flatten()
            {
                if labels[i] > 0 && labels[i] == labels[j] {
                    ahead[i] = ahead[i].max(ahead[j] - most);
                }
            }
        }
    }
}

/// Continues the depths of pieces a few pixels beyond their outlines, so that they can be interpolated there.
fn extend(ahead: &mut [f32], labels: &[u8], width: usize) {
    let count = ahead.len();
    let mut is_known: Vec<bool> = labels.iter().map(|label| *label > 0).collect();
    for _ in 0..6 {
        let next: Vec<(usize, f32)> = (0..count)
            .filter(|i| !is_known[*i])
            .filter_map(|i| {
                let near = neighbors(i, width, count).into_iter().flatten().filter(|j| is_known[*j]);
                let (sum, number) = near.fold((0.0, 0.0), |(sum, number), j| (sum + ahead[j], number + 1.0));
                (number > 0.0).then(|| (i, sum / number))
            })
            .collect();
        for (i, value) in next {
            ahead[i] = value;
            is_known[i] = true;
        }
    }
}

#[cfg(test)]
mod tests {
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

    /// With something in a rectangle of columns and rows, dark if it can be told from what is behind it.
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
}
