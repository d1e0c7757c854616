//! Voting for the yaw.

use glam::{DMat3, DVec3};

use super::evidence::Evidence;

/// Bins of one degree; a Manhattan frame repeats every 90 degrees.
const BINS: usize = 90;
const PEAKS: usize = 5;

/// Frames of the strongest yaws about `up`, for a focal length in longer sides.
pub(super) fn peaks(evidence: &Evidence, focal: f64, up: DVec3) -> Vec<DMat3> {
    let right = DVec3::Z.cross(up).normalize_or(DVec3::X);
    let away = up.cross(right);
    let zenith = DVec3::new(up.x * focal, up.y * focal, up.z);
    let mut votes = [0.0_f64; BINS];
    for piece in &evidence.pieces {
        let weight = piece.weight * (1.0 - piece.fit(zenith));
        if weight < 0.05 {
            continue;
        }
        // A horizontal segment has the direction in which its interpretation plane meets the horizontal plane.
        let sight = (piece.middle / focal).extend(1.0);
        let along = (piece.along / focal).extend(0.0);
        let normal = sight.cross(along).normalize();
        let horizontal = normal.cross(up);
        let slant = horizontal.length();
        if slant < 0.08 {
            continue;
        }
        let degrees = horizontal.dot(away).atan2(horizontal.dot(right)).to_degrees().rem_euclid(90.0);
        // Error of the yaw, propagated from that of the segment.
        let turned = (normal + sight.normalize().cross(normal) * piece.sigma).cross(up);
        let moved = turned.dot(away).atan2(turned.dot(right)).to_degrees()
            - horizontal.dot(away).atan2(horizontal.dot(right)).to_degrees();
        let moved = (moved + 90.0).rem_euclid(180.0) - 90.0;
        let sigma = moved.abs().clamp(0.8, 12.0);
        let reach = (3.0 * sigma).ceil() as i64;
        let center = degrees.floor() as i64;
        for bin in center - reach..=center + reach {
            let z = (bin as f64 + 0.5 - degrees) / sigma;
            votes[bin.rem_euclid(BINS as i64) as usize] += weight * (-0.5 * z * z).exp();
        }
    }
    let mut order: Vec<usize> =
        (0..BINS).filter(|&i| votes[i] >= votes[(i + BINS - 1) % BINS] && votes[i] >= votes[(i + 1) % BINS]).collect();
    order.sort_by(|a, b| votes[*b].total_cmp(&votes[*a]));
    order
        .into_iter()
        .take(PEAKS)
        .map(|bin| {
            let turn = (bin as f64 + 0.5).to_radians();
            let x = right * turn.cos() + away * turn.sin();
            DMat3::from_cols(x, up.cross(x), up)
        })
        .collect()
}
