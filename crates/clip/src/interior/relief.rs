//! Depths of what stands in a room: each piece starts where it meets the floor and rises upright, leaning toward what is behind it.

use super::diffusion::Diffusion;
use super::grid::{Grid, likeness};
use super::pieces::{components, mark_feet, nearest_feet, neighbors};
use super::settle::settle;
use super::straight::{crossings, hold_back, inner_lines, straighten};

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
/// Pull of a line of what is behind, and rounds in which the lines of pieces are straightened.
const OF_LINE: f32 = 3.0;
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
    let (mut labels, count) = components(grid, standing);
    let mut feet = vec![false; labels.len()];
    let standing_on: Vec<bool> = (1..=count).map(|label| mark_feet(grid, &labels, label as u8, &mut feet)).collect();
    // What stands on nothing is part of the wall.
    let mut number = 0;
    let rename = |stands: &bool| {
        number += u8::from(*stands);
        if *stands { number } else { 0 }
    };
    let renamed: Vec<u8> = standing_on.iter().map(rename).collect();
    labels.iter_mut().filter(|label| **label > 0).for_each(|label| *label = renamed[usize::from(*label) - 1]);
    let count = usize::from(number);
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
    settle(grid, &inner, (&labels, &feet), &crossed, &mut ahead);
    extend(&mut ahead, &labels, grid.width);
    Some(Relief { labels, count, ahead })
}

/// Range of depths behind everything, without the extremes.
fn range(grid: &Grid) -> f32 {
    let mut all = grid.behind.clone();
    all.sort_by(f32::total_cmp);
    (all[all.len() * 95 / 100] - all[all.len() * 5 / 100]).max(1e-3)
}

/// Links within pieces, weaker across their inner edges; feet are fixed.
fn links(grid: &Grid, labels: &[u8], feet: &[bool]) -> Diffusion {
    let (width, count) = (grid.width, labels.len());
    let mut system = Diffusion::new(width, count);
    let link = |i: usize, j: usize| {
        if labels[i] > 0 && labels[i] == labels[j] { likeness(grid.tones[i], grid.tones[j], INNER) + 0.05 } else { 0.0 }
    };
    for i in 0..count {
        if i % width + 1 < width {
            system.right[i] = link(i, i + 1);
        }
        if i + width < count {
            system.below[i] = link(i, i + width);
        }
    }
    system.is_fixed = feet.to_vec();
    system.toward = grid.behind.clone();
    system.pull = vec![LOOSE; count];
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
            let doubt =
                beyond(i, j, width, count).map_or(0.0, |far| (grid.standing[far] - DOUBT[0]) / (DOUBT[1] - DOUBT[0]));
            let close = 1.0 - ((gap - GAPS[0]) / (GAPS[1] - GAPS[0])).clamp(0.0, 1.0);
            let weight =
                close.max(doubt.clamp(0.0, 1.0)).max(UNSEPARATED * likeness(grid.tones[i], grid.tones[j], OUTER));
            let sum = system.pull[i] + weight;
            system.toward[i] = (system.pull[i] * system.toward[i] + weight * grid.behind[j]) / sum;
            system.pull[i] = sum;
        }
    }
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
            for j in
                [(i % width + 1 < width).then(|| i + 1), (i + width < count).then(|| i + width)].into_iter().flatten()
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

/// The pixel in the direction of a neighbor, farther outside.
fn beyond(i: usize, j: usize, width: usize, count: usize) -> Option<usize> {
    let (row, at) = (j / width, j as isize + (j as isize - i as isize) * OUTWARD);
    let at = usize::try_from(at).ok().filter(|at| *at < count)?;
    (j.abs_diff(i) > 1 || at / width == row).then_some(at)
}

#[cfg(test)]
mod tests;
