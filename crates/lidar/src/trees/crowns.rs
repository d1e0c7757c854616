//! Splits the surface of the canopy into crowns.
//!
//! The surface is flooded from its tops down. Where two crowns meet, they are one if the lower top stands hardly above the saddle
//! between them or lies within the reach of the higher one, unless their union would be wider than a tree of that height grows.

use super::surface::Surface;

/// Lowest cell of a crown, meters.
const FLOOR: f32 = 1.5;
/// A top that stands less above its saddle is a branch: share of its height, and meters.
const PROMINENCE: f64 = 0.07;
const LEAST_PROMINENCE: f64 = 0.25;

/// No crown.
pub(super) const NONE: u32 = u32::MAX;

/// Crowns of a surface.
#[derive(Debug)]
pub(super) struct Crowns {
    /// The crown of each cell, or [`NONE`].
    pub(super) labels: Vec<u32>,
    /// Number of crowns.
    pub(super) count: usize,
}

#[derive(Debug, Clone, Copy)]
struct Basin {
    parent: u32,
    top: usize,
    /// Smallest and largest column and row.
    extent: [usize; 4],
}

/// Splits a surface into crowns.
pub(super) fn split(surface: &Surface) -> Crowns {
    let heights = &surface.blurred;
    let mut order: Vec<u32> = (0..heights.len() as u32)
        .filter(|&cell| surface.tops[cell as usize] > 0.0 && heights[cell as usize] >= FLOOR / 2.0)
        .collect();
    order.sort_by(|&one, &other| heights[other as usize].total_cmp(&heights[one as usize]).then(one.cmp(&other)));
    let mut labels = vec![NONE; heights.len()];
    let mut basins: Vec<Basin> = Vec::new();
    for cell in order.into_iter().map(|cell| cell as usize) {
        let mut around: Vec<u32> = surface
            .neighbors(cell)
            .filter(|&other| labels[other] != NONE)
            .map(|other| root(&mut basins, labels[other]))
            .collect();
        // The crown with the highest top comes first.
        around.sort_by(|&one, &other| {
            let top = |basin: u32| heights[basins[basin as usize].top];
            top(other).total_cmp(&top(one)).then(one.cmp(&other))
        });
        around.dedup();
        let Some(&highest) = around.first() else {
            labels[cell] = basins.len() as u32;
            let (column, row) = (cell % surface.columns, cell / surface.columns);
            basins.push(Basin { parent: basins.len() as u32, top: cell, extent: [column, column, row, row] });
            continue;
        };
        for &lower in &around[1..] {
            if is_one(surface, basins[highest as usize], basins[lower as usize], cell) {
                let extent = union(basins[highest as usize].extent, basins[lower as usize].extent);
                basins[highest as usize].extent = extent;
                basins[lower as usize].parent = highest;
            }
        }
        // Of crowns that stay apart, the cell belongs to the one whose top is nearest.
        let apart: Vec<u32> = around.iter().map(|&basin| root(&mut basins, basin)).collect();
        let nearest = apart.into_iter().min_by(|&one, &other| {
            let away = |basin: u32| distance(surface, basins[basin as usize].top, cell);
            away(one).total_cmp(&away(other)).then(one.cmp(&other))
        });
        let nearest = nearest.unwrap_or(highest);
        let (column, row) = (cell % surface.columns, cell / surface.columns);
        let basin = &mut basins[nearest as usize];
        basin.extent = union(basin.extent, [column, column, row, row]);
        labels[cell] = nearest;
    }
    for label in labels.iter_mut().filter(|label| **label != NONE) {
        *label = root(&mut basins, *label);
    }
    Crowns { labels, count: basins.len() }
}

/// Reach of a top of this height, meters: within it, another top belongs to the same tree.
fn reach(height: f64) -> f64 {
    (0.7 + 0.11 * height).clamp(1.0, 3.5)
}

/// Widest crown of a tree of this height, meters.
fn widest(height: f64) -> f64 {
    (2.0 + 0.75 * height).min(22.0)
}

fn is_one(surface: &Surface, higher: Basin, lower: Basin, saddle: usize) -> bool {
    let height = |cell: usize| f64::from(surface.blurred[cell]);
    let [left, right, low, high] = union(higher.extent, lower.extent);
    let width = (right - left).max(high - low) as f64 * super::echo::CELL;
    let is_near = distance(surface, higher.top, lower.top) < reach(height(lower.top));
    let prominence = height(lower.top) - height(saddle);
    let is_branch = prominence < (PROMINENCE * height(lower.top)).max(LEAST_PROMINENCE);
    // A twig joins any crown; a crown joins another one if both fit into a tree.
    (is_near || is_branch) && width <= widest(f64::from(surface.tops[higher.top].max(surface.blurred[higher.top])))
}

fn distance(surface: &Surface, one: usize, other: usize) -> f64 {
    let ([x0, y0], [x1, y1]) = (surface.center(one), surface.center(other));
    (x0 - x1).hypot(y0 - y1)
}

fn union(one: [usize; 4], other: [usize; 4]) -> [usize; 4] {
    [one[0].min(other[0]), one[1].max(other[1]), one[2].min(other[2]), one[3].max(other[3])]
}

fn root(basins: &mut [Basin], mut basin: u32) -> u32 {
    while basins[basin as usize].parent != basin {
        let above = basins[basins[basin as usize].parent as usize].parent;
        basins[basin as usize].parent = above;
        basin = above;
    }
    basin
}
