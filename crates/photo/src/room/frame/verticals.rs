//! Candidates of the vertical vanishing point, which need no focal length.

use glam::DVec3;

use super::evidence::{Evidence, Piece};

/// Number of longest upright segments that are paired, and of candidates kept.
const PAIRED: usize = 60;
const KEPT: usize = 12;

/// Homogeneous vertical vanishing points in units of the longer side, best first, all pointing up (`y <= 0`).
pub(super) fn candidates(evidence: &Evidence) -> Vec<DVec3> {
    // Within 40 degrees of vertical in the image.
    let upright: Vec<&Piece> = evidence.pieces.iter().filter(|p| p.along.y.abs() > 0.76).collect();
    let line = |p: &Piece| p.middle.extend(1.0).cross((p.middle + p.along).extend(1.0));
    let paired: Vec<DVec3> = upright.iter().take(PAIRED).map(|p| line(p)).collect();
    let mut found = vec![DVec3::NEG_Y];
    for (i, first) in paired.iter().enumerate() {
        for second in &paired[i + 1..] {
            let meeting = first.cross(*second).normalize_or_zero();
            let meeting = if meeting.y > 0.0 { -meeting } else { meeting };
            // At most 45 degrees of pitch and 25 of roll with a usual lens.
            let steep = meeting.y.abs() > 0.8 * meeting.z.abs();
            if steep && meeting.x.abs() < 0.47 * meeting.y.abs() {
                found.push(meeting);
            }
        }
    }
    let score = |v: DVec3| {
        let lean = (v.x / v.y).atan() / 0.1;
        upright.iter().map(|p| p.weight * p.fit(v)).sum::<f64>() - 0.5 * lean * lean
    };
    let mut scored: Vec<(f64, DVec3)> = found.into_iter().map(|v| (score(v), v)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<DVec3> = Vec::new();
    for (_, v) in scored {
        let direction = DVec3::new(v.x, v.y, v.z * 0.8).normalize();
        let is_new = |k: &DVec3| DVec3::new(k.x, k.y, k.z * 0.8).normalize().dot(direction).abs() < APART;
        if kept.iter().all(is_new) {
            kept.push(v);
            if kept.len() == KEPT {
                break;
            }
        }
    }
    kept
}

/// Cosine of 1.2 degrees: closer candidates are duplicates.
const APART: f64 = 0.999_78;
