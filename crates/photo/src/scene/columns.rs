//! Order of an exterior from top to bottom: sky, then what stands on the ground, then the ground.
//!
//! A hidden Markov model runs down each column of cells; its posteriors by the forward-backward algorithm (Rabiner 1989) keep islands
//! of ground off façades and of sky off lawns. Trees and porches may still have sky or ground above them, at a price.

use super::evidence::Evidence;
use super::region::Region;

/// Sky, what stands on the ground, ground.
const LAYERS: [&[Region]; 3] =
    [&[Region::Sky], &[Region::Plants, Region::Facade, Region::Roof, Region::Other], &Region::GROUND];
/// Log probabilities of going from a layer to the one in the next cell below.
const STEPS: [[f32; 3]; 3] = [[0.0, -3.0, -4.5], [-5.0, 0.0, -3.0], [-9.0, -5.0, 0.0]];
/// Log odds of the layers in the uppermost and in the lowest cell.
const TOP: [f32; 3] = [0.0, 0.0, -6.0];
const BOTTOM: [f32; 3] = [-5.0, -0.5, 0.5];
/// Share of the evidence of a cell that is independent of that of its neighbors above and below.
const INDEPENDENT: f32 = 0.3;

/// The evidence with the order of layers taken into account. `width` is the number of cells across.
#[must_use]
pub(super) fn ordered(evidence: &Evidence, width: usize) -> Evidence {
    let cells = evidence.cells();
    let height = cells.len() / width.max(1);
    // Of each layer as a whole.
    let layers: Vec<[f32; 3]> =
        cells.iter().map(|cell| LAYERS.map(|regions| log_sum(regions.iter().map(|r| cell[*r as usize])))).collect();
    let mut ordered = cells.to_vec();
    let mut forward = vec![[0.0_f32; 3]; height];
    for x in 0..width {
        let at = |y: usize| normalized(layers[y * width + x]).map(|v| INDEPENDENT * v);
        for y in 0..height {
            let own = at(y);
            forward[y] = std::array::from_fn(|to| {
                let before =
                    if y == 0 { TOP[to] } else { log_sum((0..3).map(|from| forward[y - 1][from] + STEPS[from][to])) };
                before + own[to]
            });
            forward[y] = normalized(forward[y]);
        }
        let mut backward = BOTTOM;
        for y in (0..height).rev() {
            let posterior = normalized(std::array::from_fn(|l| forward[y][l] + backward[l]));
            let i = y * width + x;
            for (layer, regions) in LAYERS.iter().enumerate() {
                let change = posterior[layer] - layers[i][layer];
                regions.iter().for_each(|r| ordered[i][*r as usize] += change);
            }
            let own = at(y);
            backward = normalized(std::array::from_fn(|from| {
                log_sum((0..3).map(|to| STEPS[from][to] + own[to] + backward[to]))
            }));
        }
    }
    Evidence::of(ordered)
}

fn log_sum(values: impl Iterator<Item = f32> + Clone) -> f32 {
    let top = values.clone().fold(f32::NEG_INFINITY, f32::max);
    if top == f32::NEG_INFINITY { top } else { top + libm::logf(values.map(|v| libm::expf(v - top)).sum()) }
}

fn normalized(odds: [f32; 3]) -> [f32; 3] {
    let sum = log_sum(odds.into_iter());
    odds.map(|v| (v - sum).max(-30.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::region::REGIONS;

    #[test]
    fn ground_on_a_facade_is_overruled_by_what_stands_around_it() {
        let mut cells = vec![[f32::NEG_INFINITY; REGIONS]; 60];
        for (y, cell) in cells.iter_mut().enumerate() {
            let odds = |own: bool| if own { 0.0 } else { -3.0 };
            // A stain at a third of the height looks like paving.
            let paving = y >= 45 || (28..30).contains(&y);
            cell[Region::Sky as usize] = odds(y < 15);
            cell[Region::Facade as usize] = odds(y >= 15 && !paving);
            cell[Region::Paving as usize] = odds(paving);
        }
        let evidence = Evidence::of(cells);
        let best = |evidence: &Evidence, y: usize| {
            let p = evidence.probabilities()[y];
            Region::ALL.into_iter().max_by(|a, b| p[*a as usize].total_cmp(&p[*b as usize])).unwrap()
        };
        assert_eq!(best(&evidence, 29), Region::Paving);
        let ordered = ordered(&evidence, 1);
        let seen = [5, 29, 40, 55].map(|y| best(&ordered, y));
        assert_eq!(seen, [Region::Sky, Region::Facade, Region::Facade, Region::Paving]);
    }
}
