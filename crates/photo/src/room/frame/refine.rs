//! Iteratively reweighted least squares over rotation and focal length.

use aerie_math::linear;
use glam::{DMat3, DVec3};

use super::evidence::{Evidence, Hypothesis};

/// Moves a frame to a nearby maximum of its score in at most `rounds` steps; the focal length is fixed unless `free`.
pub(super) fn refined(
    evidence: &Evidence,
    mut at: Hypothesis,
    (focal, spread): (f64, f64),
    free: bool,
    rounds: usize,
) -> Hypothesis {
    const STEP: f64 = 1e-5;
    for _ in 0..rounds {
        let now = at.vanishing();
        let moved: [[DVec3; 3]; 4] = std::array::from_fn(|i| shifted(&at, i, STEP).vanishing());
        let mut normal = [[0.0; 4]; 4];
        let mut right = [0.0; 4];
        for piece in &evidence.pieces {
            let off = now.map(|v| piece.off(v));
            let Some(axis) = (0..3).min_by(|a, b| off[*a].abs().total_cmp(&off[*b].abs())) else { continue };
            let z = off[axis] / piece.sigma;
            if z.abs() > 4.0 {
                continue;
            }
            let weight = piece.weight * (-0.5 * z * z).exp();
            let slope: [f64; 4] =
                std::array::from_fn(|i| (piece.off(moved[i][axis]) - off[axis]) / (STEP * piece.sigma));
            for i in 0..4 {
                right[i] -= weight * slope[i] * z;
                for j in 0..4 {
                    normal[i][j] += weight * slope[i] * slope[j];
                }
            }
        }
        // Prior of the focal length, with the same strength as in the score.
        normal[3][3] += 1.0 / (spread * spread);
        right[3] -= (at.focal / focal).ln() / (spread * spread);
        if !free {
            (0..4).for_each(|i| (normal[i][3], normal[3][i]) = (0.0, 0.0));
            (normal[3][3], right[3]) = (1.0, 0.0);
        }
        (0..4).for_each(|i| normal[i][i] += 1e-6 + 1e-4 * normal[i][i]);
        let Some(step) = linear::solve(normal, right, 1e-12) else { break };
        let longest = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
        let scale = if longest > 0.1 { 0.1 / longest } else { 1.0 };
        for (i, s) in step.iter().enumerate() {
            at = shifted(&at, i, s * scale);
        }
        at.focal = at.focal.clamp(0.3, 3.5);
        if longest < 1e-6 {
            break;
        }
    }
    at
}

/// A hypothesis rotated about camera axis 0, 1 or 2, radians, or with the logarithm of its focal length shifted (3).
fn shifted(at: &Hypothesis, which: usize, by: f64) -> Hypothesis {
    let turn = match which {
        0 => DMat3::from_rotation_x(by),
        1 => DMat3::from_rotation_y(by),
        2 => DMat3::from_rotation_z(by),
        _ => return Hypothesis { focal: at.focal * by.exp(), ..*at },
    };
    Hypothesis { rotation: turn * at.rotation, ..*at }
}
