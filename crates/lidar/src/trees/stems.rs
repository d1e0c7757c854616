//! Stems: echoes of one vertical line below a crown. Sparse surveys and leaves hide many of them; those that are seen tell where a tree
//! stands, and that a wide crown is two trees.

use super::crowns::{Crowns, NONE};
use super::echo::Echo;
use super::surface::Surface;

/// Trees whose stems are searched for, meters.
const LEAST_HEIGHT: f64 = 6.0;
/// Part of a tree that shows the stem: above cars, meters, and below branches, share of the height.
const LOWEST: f64 = 1.2;
const HIGHEST: f64 = 0.45;
/// Highest lowest echo of a stem, meters, and as a share of the height: drooping branches end above.
const FOOT: [f64; 2] = [2.0, 0.18];
/// Radius of a stem with its errors, and of the space around it that must be emptier, meters.
const RADIUS: f64 = 0.5;
const SPACE: f64 = 1.5;
/// Layers of half a meter that a stem shows at least, and more where it splits a crown.
const LAYER: f64 = 0.5;
const LEAST_LAYERS: u32 = 4;
const SPLITTING_LAYERS: u32 = 5;
/// Echoes of a stem for each echo around it.
const CLARITY: usize = 4;
/// Stems of different trees are this far apart at least, meters.
const APART: f64 = 3.0;
/// Crowns with more low echoes have undergrowth that hides stems.
const MOST_LOW_ECHOES: usize = 3000;

/// The stems of each crown, the clearest first.
pub(super) fn find(surface: &Surface, crowns: &Crowns, echoes: &[Echo]) -> Vec<Vec<[f64; 2]>> {
    let mut highest = vec![0.0_f64; crowns.count];
    let label = |echo: &Echo| Some(crowns.labels[surface.cell_of(echo)]).filter(|&label| label != NONE);
    for echo in echoes {
        if let Some(label) = label(echo) {
            highest[label as usize] = highest[label as usize].max(echo.height());
        }
    }
    let mut low: Vec<Vec<Echo>> = vec![Vec::new(); crowns.count];
    for echo in echoes {
        if let Some(label) = label(echo) {
            let height = highest[label as usize];
            if height >= LEAST_HEIGHT && (LOWEST..HIGHEST * height).contains(&echo.height()) {
                low[label as usize].push(*echo);
            }
        }
    }
    low.into_iter()
        .zip(highest)
        .map(|(echoes, height)| if echoes.len() > MOST_LOW_ECHOES { Vec::new() } else { of_crown(echoes, height) })
        .collect()
}

fn of_crown(mut low: Vec<Echo>, height: f64) -> Vec<[f64; 2]> {
    low.sort_by_key(|echo| (echo.height, echo.x, echo.y));
    let mut candidates: Vec<(u32, usize, [f64; 2])> =
        low.iter().filter_map(|echo| candidate(&low, height, echo.position())).collect();
    candidates.sort_by(|one, other| {
        let by_strength = other.0.cmp(&one.0).then(other.1.cmp(&one.1));
        by_strength.then(one.2[0].total_cmp(&other.2[0])).then(one.2[1].total_cmp(&other.2[1]))
    });
    let mut stems: Vec<[f64; 2]> = Vec::new();
    for (layers, _, at) in candidates {
        let is_enough = stems.is_empty() || layers >= SPLITTING_LAYERS;
        if is_enough && stems.iter().all(|stem| distance(*stem, at) >= APART) {
            stems.push(at);
        }
    }
    stems
}

/// Layers, echoes and middle of the stem at a position, if there is one: from the ground up to where its branches begin.
fn candidate(low: &[Echo], height: f64, at: [f64; 2]) -> Option<(u32, usize, [f64; 2])> {
    let (mut layers, mut count, mut around, mut sum) = (0_u64, 0_usize, 0, [0.0; 2]);
    let mut best = None;
    for echo in low {
        let position = echo.position();
        let away = distance(position, at);
        if away <= RADIUS {
            if count == 0 && echo.height() > FOOT[0].max(FOOT[1] * height) {
                return None;
            }
            layers |= 1 << ((echo.height() / LAYER) as u32).min(63);
            count += 1;
            sum = [sum[0] + position[0], sum[1] + position[1]];
        } else if away <= SPACE {
            around += 1;
        }
        if layers.count_ones() >= LEAST_LAYERS && around * CLARITY <= count {
            best = Some((layers.count_ones(), count, sum.map(|part| part / count as f64)));
        }
    }
    best
}

/// Splits crowns that stand on several stems: each cell goes to the nearest stem. Returns the stem of each crown.
pub(super) fn split(surface: &Surface, crowns: &mut Crowns, stems: &[Vec<[f64; 2]>]) -> Vec<Option<[f64; 2]>> {
    let mut stem_of: Vec<Option<[f64; 2]>> = stems.iter().map(|stems| stems.first().copied()).collect();
    let mut first_part = vec![0; stems.len()];
    for (crown, stems) in stems.iter().enumerate() {
        first_part[crown] = stem_of.len();
        stem_of.extend(stems.iter().skip(1).map(|stem| Some(*stem)));
    }
    for (cell, label) in crowns.labels.iter_mut().enumerate().filter(|(_, label)| **label != NONE) {
        let crown = *label as usize;
        let away = |stem: usize| distance(stems[crown][stem], surface.center(cell));
        let nearest = (0..stems[crown].len()).min_by(|&one, &other| away(one).total_cmp(&away(other)));
        if let Some(part) = nearest.and_then(|stem| stem.checked_sub(1)) {
            *label = (first_part[crown] + part) as u32;
        }
    }
    crowns.count = stem_of.len();
    stem_of
}

fn distance([x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) -> f64 {
    (x0 - x1).hypot(y0 - y1)
}
