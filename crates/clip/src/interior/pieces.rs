//! Pieces of what stands in a room, and where they meet the floor.

use glam::DVec2;

use super::grid::Grid;
use super::mask::parts;
use super::settle::off;

/// Probability from which something stands: what is too much moves with a piece unseen, what is missing would be torn off.
pub(super) const STANDING: f32 = 0.42;
/// Least share of the grid that a piece takes, and largest number of pieces.
const LEAST: f64 = 0.002;
const MOST: usize = 60;
/// Least probability of the floor under a foot.
const FLOOR: f32 = 0.25;
/// Distance over which a foot may be lower than what is between it and another one, as a share of the width: what lies above the
/// line between them overhangs.
const OVERHANG: f64 = 0.2;
/// How far an outline descends, in rows, within how many columns, and sine of its largest angle to the zenith, where it is an upright
/// edge rather than a row of feet.
const DESCENT: usize = 8;
const WITHIN: usize = 8;
const UPRIGHT: f64 = 0.2;

/// Connected parts of what stands, from the largest.
pub(super) fn components(grid: &Grid, standing: &[f32]) -> (Vec<u8>, usize) {
    let count = standing.len();
    let mask: Vec<bool> = standing.iter().map(|value| *value > STANDING).collect();
    let mut parts = parts(&mask, |i| neighbors(i, grid.width, count).into_iter().flatten());
    parts.retain(|part| part.len() as f64 >= LEAST * count as f64);
    parts.sort_by_key(|part| (std::cmp::Reverse(part.len()), part[0]));
    parts.truncate(MOST);
    let mut labels = vec![0; count];
    for (number, part) in parts.iter().enumerate() {
        part.iter().for_each(|i| labels[*i] = number as u8 + 1);
    }
    (labels, parts.len())
}

/// Marks where a piece meets the floor, or is cut off by the lower edge of the photo; whether it does at all.
pub(super) fn mark_feet(grid: &Grid, labels: &[u8], label: u8, feet: &mut [bool]) -> bool {
    let (width, height) = (grid.width, grid.height);
    let is_foot = |i: usize| {
        let below = i + width;
        labels[i] == label
            && grid.faces[i.min(labels.len() - 1)] == 0
            && (below >= labels.len() || labels[below] == 0 && grid.floor[below] > FLOOR)
    };
    let lowest: Vec<Option<usize>> = (0..width).map(|x| (0..height).rev().find(|y| is_foot(y * width + x))).collect();
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
        if !overhangs && !is_upright_edge(grid, &lowest, x) {
            feet[y * width + x] = true;
            any = true;
        }
    }
    any
}

/// Whether an outline, of which the lowest row in each column is given, is an upright edge at a column: from there it goes straight
/// down rather than along the floor.
fn is_upright_edge(grid: &Grid, lowest: &[Option<usize>], x: usize) -> bool {
    let Some(y) = lowest[x] else { return false };
    let point = |x: usize, y: usize| DVec2::new(x as f64, y as f64);
    let descends = |step: isize| {
        let (mut at, mut row) = (x, y);
        for _ in 0..WITHIN {
            at = at.checked_add_signed(step)?;
            row = lowest.get(at).copied().flatten().filter(|next| *next >= row)?;
            if row >= y + DESCENT {
                return Some([point(x, y), point(at, row)]);
            }
        }
        None
    };
    let is_upright = |edge: [DVec2; 2]| {
        let [zenith, level @ ..] = grid.vanishing_points;
        let slant = off(edge, zenith);
        slant <= UPRIGHT && level.into_iter().all(|point| slant < off(edge, point))
    };
    [-1, 1].into_iter().filter_map(descends).any(is_upright)
}

/// For each pixel of a piece, the depth of the nearest of its feet.
pub(super) fn nearest_feet(grid: &Grid, labels: &[u8], feet: &[bool]) -> Vec<f32> {
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

/// Left, right, above and below.
pub(super) fn neighbors(i: usize, width: usize, count: usize) -> [Option<usize>; 4] {
    [
        (!i.is_multiple_of(width)).then(|| i - 1),
        (i % width + 1 < width).then(|| i + 1),
        i.checked_sub(width),
        (i + width < count).then(|| i + width),
    ]
}

/// Steps along the axes to the nearest pixel of a kind.
pub(super) fn depth_in(labels: &[u8], width: usize, is_of: impl Fn(u8) -> bool) -> Vec<u16> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interior::grid::blank::{self, HEIGHT, WIDTH};

    #[test]
    fn a_piece_stands_on_its_lower_edge_and_not_on_its_upright_ones() {
        let mut grid = blank::grid(|row| if row < 60 { 4 } else { 0 });
        grid.floor = vec![1.0; WIDTH * HEIGHT];
        // A box whose left side is upright but for the lens, and whose front recedes to the right.
        let lowest = |x: usize| match x {
            50..55 => Some(70 + 8 * (x - 50)),
            55..120 => Some(110 - (x - 55) / 4),
            _ => None,
        };
        let label = |i: usize| u8::from(lowest(i % WIDTH).is_some_and(|low| (64..=low).contains(&(i / WIDTH))));
        let labels: Vec<u8> = (0..WIDTH * HEIGHT).map(label).collect();
        let mut feet = vec![false; labels.len()];
        assert!(mark_feet(&grid, &labels, 1, &mut feet));
        for (x, y) in (0..WIDTH).filter_map(|x| Some((x, lowest(x)?))) {
            assert_eq!(feet[y * WIDTH + x], x >= 55, "{x}");
        }
    }
}
