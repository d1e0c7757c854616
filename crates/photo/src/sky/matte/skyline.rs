//! Ridges and horizons that were taken for sky: hills in haze, distant woods, the sea.
//!
//! Down a column, a clear sky gets lighter. Where it gets darker within a few pixels, and stays darker down to what stands on the
//! ground, the rest of the column is no sky, unless the sky has that color elsewhere, as below a cloud.

use crate::box_mean;

use super::features::Features;

/// Rows above and below an edge over which lightness is compared, and the least loss of lightness, L*: sharp edges, and those
/// that haze has softened.
const STEPS: [(usize, f32); 2] = [(3, 3.0), (9, 6.0)];
/// Share of the loss that must not be regained below the edge.
const LASTING: f32 = 0.6;
/// Columns to each side that vote on an edge, and the share of votes that it needs.
const NEIGHBORS: usize = 6;
const LEAST_VOTES: f32 = 0.5;
/// Size of the bins of colors, L*a*b*.
const BIN: f32 = 2.5;
/// Share of the sky that must have a color for it to be one of its colors.
const LEAST_COLOR: f32 = 0.01;

/// An edge in a column: the first row below it, and the end of the sky under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    top: usize,
    end: usize,
}

/// The sky above all ridges.
pub(super) fn above(features: &Features, mut sky: Vec<bool>) -> Vec<bool> {
    let width = features.width;
    let lightness: Vec<f32> = features.lab.iter().map(|v| v[0]).collect();
    let smooth = box_mean(&lightness, width, features.height, 1);
    let edges: Vec<Vec<Edge>> = (0..width).map(|x| edges(features, &smooth, &sky, x)).collect();
    let voted: Vec<Vec<Edge>> = (0..width)
        .map(|x| edges[x].iter().copied().filter(|edge| votes(&edges, x, *edge) >= LEAST_VOTES).collect())
        .collect();
    let mut open = sky.clone();
    let each = || voted.iter().enumerate().flat_map(|(x, edges)| edges.iter().map(move |edge| (x, *edge)));
    each().for_each(|(x, edge)| (edge.top..edge.end).for_each(|y| open[y * width + x] = false));
    let colors = Colors::of(features, &open);
    for (x, edge) in each() {
        let rows = edge.top..edge.end;
        let count = rows.len() as f32;
        let sum = rows.clone().fold([0.0; 3], |sum: [f32; 3], y| {
            let color = features.lab[y * width + x];
            [0, 1, 2].map(|c| sum[c] + color[c])
        });
        if colors.share(sum.map(|s| s / count)) < LEAST_COLOR {
            rows.for_each(|y| sky[y * width + x] = false);
        }
    }
    sky
}

/// The uppermost lasting edge of each run of sky in a column.
fn edges(features: &Features, lightness: &[f32], sky: &[bool], x: usize) -> Vec<Edge> {
    let (width, height) = (features.width, features.height);
    let at = |y: usize| lightness[y * width + x];
    let mean = |rows: std::ops::Range<usize>| rows.clone().map(at).sum::<f32>() / rows.len() as f32;
    let mut edges = Vec::new();
    let mut y = 0;
    while y < height {
        if !sky[y * width + x] {
            y += 1;
            continue;
        }
        let end = (y..height).find(|y| !sky[y * width + x]).unwrap_or(height);
        let is_edge = |top: usize, (reach, least): (usize, f32)| {
            let before = mean(top - reach..top);
            let step = before - mean(top + 1..(top + 1 + reach).min(end));
            step >= least && (top + 1 + reach / 2..end).all(|y| at(y) <= before - LASTING * step)
        };
        let found =
            STEPS.iter().filter_map(|step| (y + step.0..end.saturating_sub(step.0)).find(|top| is_edge(*top, *step)));
        edges.extend(found.min().map(|top| Edge { top, end }));
        y = end;
    }
    edges
}

/// Share of the columns nearby that have an edge at a similar height.
fn votes(edges: &[Vec<Edge>], x: usize, edge: Edge) -> f32 {
    let near = x.saturating_sub(NEIGHBORS)..(x + NEIGHBORS + 1).min(edges.len());
    let agrees = |u: &usize| edges[*u].iter().any(|e| e.top.abs_diff(edge.top) <= 2 + u.abs_diff(x) * 3 / 2);
    near.clone().filter(agrees).count() as f32 / near.len() as f32
}

/// Colors of the sky, counted in bins.
struct Colors {
    counts: std::collections::BTreeMap<[i32; 3], usize>,
    whole: usize,
}

impl Colors {
    fn of(features: &Features, sky: &[bool]) -> Self {
        let mut counts = std::collections::BTreeMap::new();
        let mut whole = 0;
        for color in features.lab.iter().zip(sky).filter(|(_, s)| **s).map(|(color, _)| *color) {
            *counts.entry(bin(color)).or_default() += 1;
            whole += 1;
        }
        Self { counts, whole }
    }

    /// Share of the sky in the bins around a color.
    fn share(&self, color: [f32; 3]) -> f32 {
        let [l, a, b] = bin(color);
        let near = (0..27).map(|n| [l + n % 3 - 1, a + n / 3 % 3 - 1, b + n / 9 - 1]);
        near.filter_map(|bin| self.counts.get(&bin)).sum::<usize>() as f32 / self.whole.max(1) as f32
    }
}

fn bin(color: [f32; 3]) -> [i32; 3] {
    color.map(|v| (v / BIN).floor() as i32)
}
