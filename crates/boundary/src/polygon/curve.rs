//! Pieces of an outline that were drawn as a curve.

use aerie_math::geometry::{Point, distance};

use super::line::Bow;

/// Turns between the pieces of a curve, radians: 2 to 55 degrees.
const TURNS: std::ops::Range<f64> = 0.035..0.96;
/// Share of an outline from which on the rest is taken for a part of the curve that the tremor straightened.
const MOST: f64 = 0.55;
/// Turn from one corner of a smooth curve to the next, radians.
const STEP: f64 = 0.13;

/// Which pieces belong to a curve: those bent as much as the turns to both neighbors ask for.
pub(super) fn pieces(bows: &[Option<Bow>]) -> Vec<bool> {
    let n = bows.len();
    let turn = |k: usize| Some(bows[k]?.line.turn(&bows[(k + 1) % n]?.line));
    let is_bent = |k: usize| {
        let (Some(before), Some(after), Some(own)) = (turn((k + n - 1) % n), turn(k), bows[k]) else { return false };
        let bend = 8.0 * own.height / own.length;
        // At the end of a curve only one neighbor belongs to it.
        [before, after].into_iter().any(|t| TURNS.contains(&t.abs()) && (0.4..2.5).contains(&(bend / t)))
    };
    let bent: Vec<bool> = (0..n).map(is_bent).collect();
    // A curve has at least three pieces that turn the same way.
    let joined = |k: usize| {
        let next = (k + 1) % n;
        bent[k] && bent[next] && turn(k).is_some_and(|t| TURNS.contains(&t.abs()))
    };
    let side = |k: usize| bows[k].map_or(0.0, |b| b.height.signum());
    let mut curved: Vec<bool> = (0..n)
        .map(|k| {
            let reach = |back: bool| {
                let mut count = 0;
                let mut at = k;
                while count < n {
                    let next = if back { (at + n - 1) % n } else { (at + 1) % n };
                    let join = if back { joined(next) } else { joined(at) };
                    if !join || side(next) * side(k) <= 0.0 {
                        break;
                    }
                    at = next;
                    count += 1;
                }
                count
            };
            bent[k] && reach(true) + reach(false) >= 2
        })
        .collect();
    // The tremor straightens a piece here and there.
    let length = |k: usize| bows[k].map_or(0.0, |b| b.length);
    for _ in 0..n {
        let next = |k: usize| {
            let (before, after) = ((k + n - 1) % n, (k + 1) % n);
            let (Some(into), Some(out)) = (turn(before), turn(k)) else { return false };
            let smooth = TURNS.contains(&into.abs()) && TURNS.contains(&out.abs()) && into * out > 0.0;
            let neighbor = [before, after].into_iter().filter(|j| curved[*j]).map(length).fold(0.0, f64::max);
            !curved[k] && smooth && length(k) < 1.6 * neighbor
        };
        let Some(k) = (0..n).find(|k| next(*k)) else { break };
        curved[k] = true;
    }
    curved
}

/// Whether an outline is one curve: most of it is, and it has no sharp corner.
pub(super) fn is_all(bows: &[Option<Bow>], curved: &[bool]) -> bool {
    let n = bows.len();
    let length = |k: usize| bows[k].map_or(0.0, |b| b.length);
    let total: f64 = (0..n).map(length).sum();
    let bent: f64 = (0..n).filter(|k| curved[*k]).map(length).sum();
    let is_sharp = |k: usize| match (bows[k], bows[(k + 1) % n]) {
        (Some(a), Some(b)) => a.line.turn(&b.line).abs() > TURNS.end,
        _ => false,
    };
    bent > MOST * total && !(0..n).any(is_sharp)
}

/// A smooth line along a span of points, by local quadratic regression (Savitzky and Golay 1964), without its ends; along the
/// whole outline where the span is empty.
pub(super) fn smooth(points: &[Point], (from, to): (usize, usize), tremor: f64) -> Vec<Point> {
    let n = points.len();
    let whole = from == to;
    let count = if whole { n } else { (to + n - from) % n };
    let reach = ((16.0 + 8.0 * tremor) as usize).min(n / 12).max(3);
    let at = |d: usize| {
        let center = from + d;
        // The regression may lean on points beyond the curve's ends only where there are none.
        let span = if whole { reach } else { reach.min(d).min(count - 1 - d) };
        regression(points, center, span)
    };
    let turns: Vec<Point> = (0..count).step_by(4).map(at).collect();
    let turn = |w: &[Point]| {
        let (u, v) = ([w[1][0] - w[0][0], w[1][1] - w[0][1]], [w[2][0] - w[1][0], w[2][1] - w[1][1]]);
        (u[0] * v[1] - u[1] * v[0]).atan2(u[0] * v[0] + u[1] * v[1])
    };
    let total = turns.windows(3).map(turn).sum::<f64>().abs();
    let pieces = ((total / STEP).ceil() as usize).clamp(2, count / 2 + 2);
    let positions = (usize::from(!whole)..pieces).map(|k| k * count / pieces);
    let mut line: Vec<Point> = positions.map(at).collect();
    line.dedup_by(|a, b| distance(*a, *b) < 1.0);
    line
}

/// The value at the middle of a quadratic regression over the points up to `reach` to each side.
fn regression(points: &[Point], center: usize, reach: usize) -> Point {
    let n = points.len();
    if reach < 2 {
        return points[center % n];
    }
    let m = reach as f64;
    // Weights of the quadratic smoothing polynomial in closed form.
    let scale = (2.0 * m - 1.0) * (2.0 * m + 1.0) * (2.0 * m + 3.0);
    let mut sum = [0.0; 2];
    for d in 0..=2 * reach {
        let i = d as f64 - m;
        let weight = 3.0 * (3.0 * m * m + 3.0 * m - 1.0 - 5.0 * i * i) / scale;
        let p = points[(center + n + d - reach) % n];
        (0..2).for_each(|c| sum[c] += weight * p[c]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_does_not_shrink_a_small_circle() {
        let circle: Vec<Point> = (0..300)
            .map(|k| f64::from(k) / 300.0 * std::f64::consts::TAU)
            .map(|t| [60.0 * t.cos(), 60.0 * t.sin()])
            .collect();
        let ring = smooth(&circle, (0, 0), 1.0);
        assert!(ring.len() >= 40, "{}", ring.len());
        assert!(ring.iter().all(|p| (distance(*p, [0.0, 0.0]) - 60.0).abs() < 0.1), "{ring:?}");
    }
}
