//! Straight lines that cross pieces or lie within them, and stay straight.

use glam::DVec2;

use super::diffusion::Diffusion;
use super::grid::{Grid, likeness};
use super::pieces::{depth_in, neighbors};
use super::settle::{InnerLine, is_upright};

/// How far a line has to reach into a piece and out of it to be a line of what is behind, pixels, and which shares of it.
const ACROSS: u16 = 3;
const OUTSIDE: f64 = 0.25;
const INSIDE: f64 = 0.12;
/// Where tones are compared at the upper end of an upright line: to either side of it, below its end and beyond it, pixels; and
/// difference of tone of what is the same.
const BESIDE: f64 = 2.5;
const BELOW_END: f64 = 2.0;
const BEYOND_END: f64 = 5.0;
const SAME: f32 = 6.0;
/// Pull of straight lines within pieces to be straight in space.
const STRAIGHT: f32 = 2.0;

/// Pixels of pieces on straight lines that go on outside: lines of what is behind, such as the frame of a window that is mistaken for
/// furniture at its lower end.
pub(super) fn crossings(grid: &Grid, labels: &[u8]) -> Vec<usize> {
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

/// Keeps lines of what is behind where they are, and lets depth rise from them no more steeply than elsewhere.
pub(super) fn hold_back(ahead: &mut [f32], grid: &Grid, crossed: &[usize], most: f32) {
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

/// Straight lines that lie within one piece.
pub(super) fn inner_lines(grid: &Grid, labels: &[u8]) -> Vec<InnerLine> {
    let (width, height) = (grid.width, grid.height);
    let away = depth_in(labels, width, |label| label > 0);
    let line = |[a, b]: &[DVec2; 2]| {
        let steps = ((*b - *a).length() * 1.5).ceil() as usize;
        let along = (0..=steps).map(|step| (a.lerp(*b, step as f64 / steps as f64), step as f32 / steps as f32));
        let along = along.filter(|(p, _)| p.x >= 0.0 && p.y >= 0.0 && p.x < width as f64 && p.y < height as f64);
        let mut samples: Vec<(usize, f32)> =
            along.map(|(p, t)| (p.y as usize * width + p.x as usize, t)).filter(|(i, _)| away[*i] <= ACROSS).collect();
        // Most of it is in a piece, or along its outline.
        let is_inner = samples.len() * 3 > steps * 2;
        samples.retain(|(i, _)| labels[*i] > 0);
        let label = samples.get(samples.len() / 2).map_or(0, |(i, _)| labels[*i]);
        samples.retain(|(i, _)| labels[*i] == label);
        if !is_inner || samples.len() * 3 <= steps {
            return None;
        }
        // Its neighbors too, as depth is interpolated between pixels.
        let is_steep = (b.y - a.y).abs() > (b.x - a.x).abs();
        let beside = |(i, t): &(usize, f32)| {
            let next = if is_steep { 1 } else { width };
            [i.checked_sub(next), Some(*i), Some(i + next)].into_iter().flatten().map(|i| (i, *t)).collect::<Vec<_>>()
        };
        let mut samples: Vec<(usize, f32)> = samples.iter().flat_map(beside).collect();
        samples.retain(|(i, _)| labels.get(*i) == Some(&label));
        samples.sort_by_key(|(i, _)| *i);
        samples.dedup_by_key(|(i, _)| *i);
        let is_upright = is_upright([*a, *b], grid.vanishing_points) && ends_in_piece(grid, labels, label, [*a, *b]);
        Some(InnerLine { samples, is_upright })
    };
    grid.lines.iter().filter_map(line).collect()
}

/// Whether the upper end of an upright line is where its piece ends, rather than where the network lost it: what is beyond differs.
fn ends_in_piece(grid: &Grid, labels: &[u8], label: u8, [a, b]: [DVec2; 2]) -> bool {
    let (top, low) = if a.y < b.y { (a, b) } else { (b, a) };
    let up = (top - low).normalize_or_zero();
    let pixel = |at: DVec2| {
        let is_in = at.x >= 0.0 && at.y >= 0.0 && at.x < grid.width as f64 && at.y < grid.height as f64;
        is_in.then(|| at.y as usize * grid.width + at.x as usize)
    };
    [-BESIDE, BESIDE].into_iter().all(|side| {
        let beside = top + up.perp() * side;
        let (Some(inside), Some(beyond)) = (pixel(beside - up * BELOW_END), pixel(beside + up * BEYOND_END)) else {
            return true;
        };
        let goes_out = labels[inside] == label && labels[beyond] == 0;
        !goes_out || likeness(grid.tones[inside], grid.tones[beyond], SAME) < 0.5
    })
}

/// Draws the pixels of each line to the straight line in space that fits them best: along it, nearness is linear.
pub(super) fn straighten(
    grid: &Grid,
    lines: &[InnerLine],
    feet: &[bool],
    ahead: &[f32],
    (toward, pull): &(Vec<f32>, Vec<f32>),
    system: &mut Diffusion,
) {
    system.toward.clone_from(toward);
    system.pull.clone_from(pull);
    for InnerLine { samples, .. } in lines {
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
