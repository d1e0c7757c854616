//! Sides of a ring as a person counts them: straight edges, whatever corners lie along them, and curves.

use aerie_math::geometry::{Point, distance, edges, signed_area};

/// Greatest angle between a straight side and its parts, radians: 12 degrees.
const STRAIGHT: f64 = 0.21;
/// Greatest turn within a curve from one part to the next, radians: 25 degrees.
const SMOOTH: f64 = 0.44;
/// Greatest share of a curve's piece that one part may fill.
const PART: f64 = 0.7;
/// A turn from here on, radians, between parts whose lengths differ this much is where a curve meets a straight edge.
const JUNCTION: (f64, f64) = (0.06, 2.5);

/// A side: consecutive edges of a ring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Index of its first corner.
    pub first: usize,
    /// Number of its edges.
    pub count: usize,
    /// Length along the edges.
    pub length: f64,
    /// Whether it is a curve.
    pub is_curved: bool,
}

/// Divides a ring into sides, in order. Corners of less than 12 degrees divide nothing, and neither do those of a curve.
#[must_use]
pub fn sides(ring: &[Point]) -> Vec<Side> {
    let n = ring.len();
    if n < 3 || signed_area(ring) == 0.0 {
        return Vec::new();
    }
    let lengths: Vec<f64> = edges(ring).map(|(a, b)| distance(a, b)).collect();
    let angle = |k: usize, count: usize| {
        let (a, b) = (ring[k % n], ring[(k + count) % n]);
        (b[1] - a[1]).atan2(b[0] - a[0])
    };
    let between = |a: f64, b: f64| {
        let d = b - a;
        d.sin().atan2(d.cos())
    };
    let turn = |k: usize| between(angle(k + n - 1, 1), angle(k, 1));
    let length = |first: usize, count: usize| (first..first + count).map(|k| lengths[k % n]).sum::<f64>();
    // Start at the sharpest corner, so that no side is cut in two.
    let start = (0..n).max_by(|a, b| turn(*a).abs().total_cmp(&turn(*b).abs())).unwrap_or(0);
    let mut straight: Vec<Side> = Vec::new();
    let mut done = 0;
    while done < n {
        let first = (start + done) % n;
        let fits = |count: usize| {
            let along = angle(first, count);
            let (a, b) = (lengths[(first + count - 2) % n], lengths[(first + count - 1) % n]);
            if turn(first + count - 1).abs() > JUNCTION.0 && a.max(b) > JUNCTION.1 * a.min(b) {
                return false;
            }
            (first..first + count).all(|k| lengths[k % n] == 0.0 || between(along, angle(k, 1)).abs() < STRAIGHT)
        };
        let count = (1..=n - done).take_while(|count| *count == 1 || fits(*count)).last().unwrap_or(1);
        straight.push(Side { first, count, length: length(first, count), is_curved: false });
        done += count;
    }
    // Many short parts that turn a little each are one curve.
    let is_piece = |side: &Side| {
        let longest = (side.first..side.first + side.count).map(|k| lengths[k % n]).fold(0.0, f64::max);
        side.count >= 2 && longest < PART * side.length
    };
    let mut sides: Vec<Side> = Vec::new();
    for side in straight {
        let at = turn(side.first);
        match sides.last_mut() {
            Some(last)
                if at.abs() < SMOOTH
                    && is_piece(&side)
                    && (last.is_curved || is_piece(last))
                    && side.first != start =>
            {
                last.count += side.count;
                last.length += side.length;
                last.is_curved = true;
            }
            _ => sides.push(side),
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_along_a_straight_line_divide_nothing() {
        let ring = [[0.0, 0.0], [10.0, 0.3], [31.0, 0.0], [31.0, 20.0], [15.0, 20.4], [0.0, 20.0]];
        let found: Vec<(usize, f64)> = sides(&ring).iter().map(|s| (s.count, s.length.round())).collect();
        let mut sorted = found.clone();
        sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
        assert_eq!(sorted, [(1, 20.0), (1, 20.0), (2, 31.0), (2, 31.0)], "{found:?}");
        assert!(sides(&ring).iter().all(|s| !s.is_curved));
    }

    #[test]
    fn a_curve_is_one_side_between_straight_ones() {
        // A square whose last corner is a quarter circle.
        let mut ring = vec![[0.0, 0.0], [40.0, 0.0], [40.0, 20.0]];
        let arc = (1..12).map(|k| f64::from(k) / 12.0 * std::f64::consts::FRAC_PI_2);
        ring.extend(arc.map(|t| [20.0 + 20.0 * t.cos(), 20.0 + 20.0 * t.sin()]));
        ring.extend([[20.0, 40.0], [0.0, 40.0]]);
        let found = sides(&ring);
        let curves: Vec<&Side> = found.iter().filter(|s| s.is_curved).collect();
        assert_eq!((found.len(), curves.len()), (5, 1), "{found:?}");
        assert!((curves[0].length - 31.4).abs() < 0.5, "{found:?}");
        assert_eq!(found.iter().map(|s| s.count).sum::<usize>(), ring.len());
    }

    #[test]
    fn a_circle_is_one_curve() {
        let ring: Vec<Point> = (0..48)
            .map(|k| f64::from(k) / 48.0 * std::f64::consts::TAU)
            .map(|t| [9.0 * t.cos(), 9.0 * t.sin()])
            .collect();
        let found = sides(&ring);
        assert_eq!((found.len(), found[0].is_curved, found[0].count), (1, true, 48), "{found:?}");
    }
}
