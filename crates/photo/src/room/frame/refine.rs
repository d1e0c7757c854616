//! Iteratively reweighted least squares over rotation and focal length.

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
        let Some(step) = solved(normal, right) else { break };
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

/// Solves four linear equations by Gaussian elimination with pivoting; `None` if they are singular.
fn solved(mut a: [[f64; 4]; 4], mut b: [f64; 4]) -> Option<[f64; 4]> {
    for i in 0..4 {
        let pivot = (i..4).max_by(|p, q| a[*p][i].abs().total_cmp(&a[*q][i].abs()))?;
        if a[pivot][i].abs() < 1e-12 {
            return None;
        }
        a.swap(i, pivot);
        b.swap(i, pivot);
        for j in i + 1..4 {
            let factor = a[j][i] / a[i][i];
            let above = a[i];
            a[j].iter_mut().zip(above).skip(i).for_each(|(below, above)| *below -= factor * above);
            b[j] -= factor * b[i];
        }
    }
    for i in (0..4).rev() {
        let rest: f64 = (i + 1..4).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - rest) / a[i][i];
    }
    Some(b)
}
