//! Straight lines that cross pieces or lie within them, and stay straight.

use glam::DVec2;

use super::diffusion::Diffusion;
use super::grid::Grid;
use super::pieces::{depth_in, neighbors};

/// How far a line has to reach into a piece and out of it to be a line of what is behind, pixels, and which shares of it.
const ACROSS: u16 = 3;
const OUTSIDE: f64 = 0.25;
const INSIDE: f64 = 0.12;
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

/// Samples of straight lines that lie within one piece: pixel, and position along the line.
pub(super) fn inner_lines(grid: &Grid, labels: &[u8]) -> Vec<Vec<(usize, f32)>> {
    let (width, height) = (grid.width, grid.height);
    let away = depth_in(labels, width, |label| label > 0);
    let line = |[a, b]: &[DVec2; 2]| {
        let steps = ((*b - *a).length() * 1.5).ceil() as usize;
        let samples = (0..=steps).map(|step| (a.lerp(*b, step as f64 / steps as f64), step as f32 / steps as f32));
        let samples = samples.filter(|(p, _)| p.x >= 0.0 && p.y >= 0.0 && p.x < width as f64 && p.y < height as f64);
        let mut samples: Vec<(usize, f32)> = samples
            .map(|(p, t)| (p.y as usize * width + p.x as usize, t))
            .filter(|(i, _)| away[*i] <= ACROSS)
            .collect();
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
pub(super) fn straighten(
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
