//! What stands in a room: the network's furniture and fixtures, with outlines moved to the edges of the picture (random walks, Grady 2006).

use super::diffusion::Diffusion;
use super::grid::{Grid, likeness};

/// Probabilities beyond which the network is believed, and radius of the surroundings that have to agree, pixels of the grid.
const SURE: [f32; 2] = [0.12, 0.85];
const AROUND: usize = 4;
/// Difference of tone that separates.
const SPREAD: f32 = 3.5;
/// Weight of what the network says of a doubtful pixel.
const PRIOR: f32 = 0.02;
const ROUNDS: usize = 160;

/// Probability that each pixel shows something that stands in the room.
pub(super) fn standing(grid: &Grid) -> Vec<f32> {
    let (width, count) = (grid.width, grid.standing.len());
    let low = extreme(&grid.standing, width, f32::min);
    let high = extreme(&grid.standing, width, f32::max);
    let mut system = Diffusion::new(width, count);
    let mut values = grid.standing.clone();
    for i in 0..count {
        system.is_fixed[i] = high[i] < SURE[0] || low[i] > SURE[1];
        if system.is_fixed[i] {
            values[i] = if low[i] > SURE[1] { 1.0 } else { 0.0 };
        }
        system.toward[i] = values[i];
        system.pull[i] = PRIOR;
        let link = |j: usize| likeness(grid.tones[i], grid.tones[j], SPREAD) + 1e-3;
        if i % width + 1 < width {
            system.right[i] = link(i + 1);
        }
        if i + width < count {
            system.below[i] = link(i + width);
        }
    }
    let unknown: Vec<usize> = (0..count).filter(|i| !system.is_fixed[*i]).collect();
    system.solve(&mut values, &unknown, ROUNDS);
    values
}

/// The least or greatest value around each pixel.
fn extreme(values: &[f32], width: usize, better: fn(f32, f32) -> f32) -> Vec<f32> {
    let height = values.len() / width;
    let across: Vec<f32> = (0..values.len())
        .map(|i| {
            let (x, row) = (i % width, i - i % width);
            (x.saturating_sub(AROUND)..(x + AROUND + 1).min(width)).map(|u| values[row + u]).fold(values[i], better)
        })
        .collect();
    (0..values.len())
        .map(|i| {
            let (x, y) = (i % width, i / width);
            let rows = y.saturating_sub(AROUND)..(y + AROUND + 1).min(height);
            rows.map(|v| across[v * width + x]).fold(across[i], better)
        })
        .collect()
}
