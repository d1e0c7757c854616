//! Search for the best box: coordinate descent over distances proposed by segments, from many starts.

use rayon::prelude::*;

use super::evidence::Evidence;
use super::face::{Distances, greatest};
use super::image_evidence::ImageEvidence;
use super::score::{Score, Scorer};
use crate::room::camera::Camera;

/// Number of starts that are fully scored.
const SCORED: usize = 160;
/// Number of starts that are optimized, and rounds over all coordinates.
const OPTIMIZED: usize = 14;
const ROUNDS: usize = 3;
/// Loss of score at which a layout is a third as likely.
const TEMPERATURE: f64 = 0.05;
/// Least and greatest distance, camera heights.
const NEAREST: f64 = 0.12;
const FARTHEST: f64 = 12.0;

/// Distances proposed by segments, with weights.
#[derive(Default)]
pub(super) struct Proposals {
    /// Of the far, left and right wall, from segments below the horizon interpreted as edges of the floor.
    pub(super) far: Vec<(f64, f64)>,
    pub(super) left: Vec<(f64, f64)>,
    pub(super) right: Vec<(f64, f64)>,
    /// The same distances divided by the height of the ceiling, from segments above the horizon.
    pub(super) far_to_ceiling: Vec<(f64, f64)>,
    pub(super) left_to_ceiling: Vec<(f64, f64)>,
    pub(super) right_to_ceiling: Vec<(f64, f64)>,
    /// Of side walls divided by that of the far wall, from vertical segments interpreted as corners.
    left_to_far: Vec<(f64, f64)>,
    right_to_far: Vec<(f64, f64)>,
}

/// The best box, its evidence, and the proposals.
pub(super) fn best(image: &ImageEvidence, camera: &Camera) -> (Distances, Evidence, Proposals) {
    let scorer = Scorer::new(image, camera);
    let proposals = proposals(image);
    let sorted = |mut scored: Vec<(f64, Distances)>, keep: usize| {
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(keep);
        scored
    };
    let outlined = starts(&proposals).into_par_iter().map(|d| (scorer.outline_score(&d), d));
    let outlined = sorted(outlined.collect(), SCORED);
    let scored = outlined.into_par_iter().map(|(_, d)| (scorer.score(&d).total, d));
    let scored = sorted(scored.collect(), OPTIMIZED);
    let mut ends: Vec<(Score, Distances)> =
        scored.into_par_iter().map(|(_, start)| optimized(&scorer, &proposals, start)).collect();
    ends.sort_by(|a, b| b.0.total.total_cmp(&a.0.total));
    let (score, distances) = ends[0];
    let evidence = Evidence {
        edges: score.edges,
        foot: score.edges,
        violations: score.violations,
        colors: score.colors,
        segmentation: 0.0,
        agreement: agreement(&scorer, &ends),
    };
    (distances, evidence, proposals)
}

fn proposals(image: &ImageEvidence) -> Proposals {
    let mut all = Proposals::default();
    for line in &image.lines {
        let ray = line.ray;
        let entry = |value: f64| (value, line.length);
        let flat = ray.z.abs() > 0.02;
        match line.axis {
            0 if flat && ray.y > 0.0 => {
                let list = if ray.z < 0.0 { &mut all.far } else { &mut all.far_to_ceiling };
                list.push(entry(ray.y / ray.z.abs()));
            }
            1 if flat && ray.x.abs() > 0.01 => {
                let list = match (ray.x < 0.0, ray.z < 0.0) {
                    (true, true) => &mut all.left,
                    (true, false) => &mut all.left_to_ceiling,
                    (false, true) => &mut all.right,
                    (false, false) => &mut all.right_to_ceiling,
                };
                list.push(entry(ray.x.abs() / ray.z.abs()));
            }
            2 if ray.y > 0.02 && ray.x.abs() > 0.005 => {
                let list = if ray.x < 0.0 { &mut all.left_to_far } else { &mut all.right_to_far };
                list.push(entry(ray.x.abs() / ray.y));
            }
            _ => {}
        }
    }
    for list in [
        &mut all.far,
        &mut all.left,
        &mut all.right,
        &mut all.far_to_ceiling,
        &mut all.left_to_ceiling,
        &mut all.right_to_ceiling,
        &mut all.left_to_far,
        &mut all.right_to_far,
    ] {
        *list = merged(list);
    }
    all
}

/// Merges values within about one percent of each other; at most 24, best supported first.
fn merged(list: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted: Vec<(f64, f64)> = list.iter().copied().filter(|(v, _)| *v > 1e-3 && *v < 60.0).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f64, f64)> = Vec::new();
    for (value, weight) in sorted {
        match out.last_mut() {
            Some(last) if value / last.0 < 1.012 => {
                last.0 = (last.0 * last.1 + value * weight) / (last.1 + weight);
                last.1 += weight;
            }
            _ => out.push((value, weight)),
        }
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out.truncate(24);
    out
}

fn starts(proposals: &Proposals) -> Vec<Distances> {
    let few = |list: &[(f64, f64)], count: usize, usual: &[f64]| -> Vec<f64> {
        list.iter().take(count).map(|(v, _)| *v).chain(usual.iter().copied()).collect()
    };
    let mut all = Vec::new();
    for far in few(&proposals.far, 7, &[2.0, 3.5]) {
        let corners = |ratios: &[(f64, f64)]| -> Vec<f64> { ratios.iter().take(3).map(|(r, _)| r * far).collect() };
        let mut lefts = few(&proposals.left, 3, &[1.2, 2.5]);
        lefts.extend(corners(&proposals.left_to_far));
        let mut rights = few(&proposals.right, 3, &[1.2, 2.5]);
        rights.extend(corners(&proposals.right_to_far));
        let mut ceilings = vec![0.86];
        ceilings.extend(proposals.far_to_ceiling.iter().take(3).map(|(r, _)| far / r).filter(|c| *c > 0.4 && *c < 2.0));
        for left in &lefts {
            for right in &rights {
                for ceiling in &ceilings {
                    all.push(clamped(Distances { ceiling: *ceiling, left: *left, right: *right, far }));
                }
            }
        }
    }
    all
}

fn clamped(d: Distances) -> Distances {
    let within = |v: f64| v.clamp(NEAREST, FARTHEST);
    Distances {
        ceiling: d.ceiling.clamp(0.25, 4.0),
        left: within(d.left),
        right: within(d.right),
        far: d.far.clamp(0.4, FARTHEST),
    }
}

/// Coordinate descent by proposed values and small steps.
fn optimized(scorer: &Scorer, proposals: &Proposals, start: Distances) -> (Score, Distances) {
    let mut best = (scorer.score(&start), start);
    for round in 0..ROUNDS {
        let before = best.0.total;
        for which in 0..6 {
            let mut candidates = options(proposals, &best.1, which);
            let steps: &[f64] =
                if round == 0 { &[0.9, 0.96, 1.04, 1.1] } else { &[0.98, 0.99, 0.995, 1.005, 1.01, 1.02] };
            candidates.extend(steps.iter().map(|s| with(&best.1, which, |v| v * s)));
            for candidate in candidates {
                let candidate = clamped(candidate);
                let hope = (best.0.colors + 0.12).min(1.0);
                let score = scorer.score_above(&candidate, best.0.total, hope);
                if score.total > best.0.total + 1e-9 {
                    best = (score, candidate);
                }
            }
        }
        if best.0.total - before < 1e-4 {
            break;
        }
    }
    best
}

/// Changes one coordinate: 0 far, 1 left, 2 right, 3 ceiling; 4 the camera height, which scales all distances; 5 the walls and
/// the floor together, with the ceiling fixed.
fn with(d: &Distances, which: usize, change: impl Fn(f64) -> f64) -> Distances {
    let mut out = *d;
    match which {
        0 => out.far = change(d.far),
        1 => out.left = change(d.left),
        2 => out.right = change(d.right),
        3 => out.ceiling = change(d.ceiling),
        4 => {
            out = Distances {
                far: change(d.far),
                left: change(d.left),
                right: change(d.right),
                ceiling: change(d.ceiling),
            };
        }
        _ => {
            out.left = change(d.left);
            out.right = change(d.right);
            out.far = change(d.far);
        }
    }
    out
}

/// Proposed changes of one coordinate, with the others fixed.
fn options(proposals: &Proposals, d: &Distances, which: usize) -> Vec<Distances> {
    let direct = |list: &[(f64, f64)]| -> Vec<f64> { list.iter().map(|(v, _)| *v).collect() };
    let times = |list: &[(f64, f64)], by: f64| -> Vec<f64> { list.iter().map(|(v, _)| v * by).collect() };
    let over = |list: &[(f64, f64)], by: f64| -> Vec<f64> { list.iter().map(|(v, _)| by / v).collect() };
    let values = match which {
        0 => [
            direct(&proposals.far),
            times(&proposals.far_to_ceiling, d.ceiling),
            over(&proposals.left_to_far, d.left),
            over(&proposals.right_to_far, d.right),
        ]
        .concat(),
        1 => [
            direct(&proposals.left),
            times(&proposals.left_to_ceiling, d.ceiling),
            times(&proposals.left_to_far, d.far),
        ]
        .concat(),
        2 => [
            direct(&proposals.right),
            times(&proposals.right_to_ceiling, d.ceiling),
            times(&proposals.right_to_far, d.far),
        ]
        .concat(),
        3 => [
            over(&proposals.far_to_ceiling, d.far),
            over(&proposals.left_to_ceiling, d.left),
            over(&proposals.right_to_ceiling, d.right),
        ]
        .concat(),
        // A baseboard is 4 to 12 percent of the camera height.
        4 => return [0.88, 0.91, 0.94, 0.97, 1.03, 1.06, 1.09, 1.12].map(|s| with(d, 4, |v| v * s)).to_vec(),
        _ => return [0.8, 0.9, 0.95, 1.05, 1.1, 1.2].map(|s| with(d, 5, |v| v * s)).to_vec(),
    };
    values.into_iter().map(|v| with(d, which, |_| v)).collect()
}

/// Overlap of the floors of all results with the best one, weighted by likelihood.
fn agreement(scorer: &Scorer, ends: &[(Score, Distances)]) -> f64 {
    let floor = |d: &Distances| -> Vec<bool> {
        let functions = scorer.functions(d);
        scorer.image.colors.iter().map(|(place, _)| greatest(&functions, *place) == 0).collect()
    };
    let (first, best) = (ends[0].0.total, floor(&ends[0].1));
    let (mut sum, mut total) = (0.0, 0.0);
    for (score, distances) in ends {
        let weight = (-(first - score.total) / TEMPERATURE).exp();
        let other = floor(distances);
        let both = best.iter().zip(&other).filter(|(a, b)| **a && **b).count();
        let either = best.iter().zip(&other).filter(|(a, b)| **a || **b).count();
        sum += weight * if either > 0 { both as f64 / either as f64 } else { 1.0 };
        total += weight;
    }
    sum / total
}
