//! Fits polygons with sharp corners to measured outlines.

use aerie_math::geometry::{distance, distance_to_segment};

pub use aerie_math::geometry::{Ring, edges, signed_area};

/// Fits straight edges that meet in corners to an outline. `width` is the line width in pixels.
pub(crate) fn fit(outline: &[[f64; 2]], width: f64) -> Ring {
    let tolerance = 1.1 + 0.12 * width;
    let corners = merged(outline, simplified(outline, tolerance), tolerance);
    if corners.len() < 3 {
        return corners.iter().map(|i| outline[*i]).collect();
    }
    let lines: Vec<Option<Line>> =
        (0..corners.len()).map(|k| Line::fit(outline, corners[k], corners[(k + 1) % corners.len()], width)).collect();
    let reach = 2.0 * width + 6.0;
    let ring: Ring = (0..corners.len())
        .map(|k| {
            let at = outline[corners[k]];
            let before = lines[(k + lines.len() - 1) % lines.len()];
            match (before, lines[k]) {
                (Some(a), Some(b)) => {
                    let corner = a.intersection(&b).filter(|p| distance(*p, at) < reach * a.miter(&b));
                    corner.unwrap_or_else(|| midpoint(a.nearest(at), b.nearest(at)))
                }
                (Some(a), None) | (None, Some(a)) => a.nearest(at),
                (None, None) => at,
            }
        })
        .collect();
    // If the fitted edges cross, keep the corners on the outline.
    if crosses_itself(&ring) { corners.iter().map(|i| outline[*i]).collect() } else { ring }
}

/// Whether two edges that are not adjacent cross.
fn crosses_itself(ring: &[[f64; 2]]) -> bool {
    let n = ring.len();
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let cross = |i: usize, j: usize| {
        let (a, b, c, d) = (ring[i], ring[(i + 1) % n], ring[j], ring[(j + 1) % n]);
        turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
    };
    (0..n).any(|i| (i + 2..n).any(|j| (j + 1) % n != i && cross(i, j)))
}

/// Simplifies a closed line (Douglas-Peucker) to the ascending indices of the points kept.
fn simplified(line: &[[f64; 2]], tolerance: f64) -> Vec<usize> {
    let n = line.len();
    let far =
        |from: usize| (0..n).max_by(|a, b| distance(line[*a], line[from]).total_cmp(&distance(line[*b], line[from])));
    let Some(first) = far(0) else { return Vec::new() };
    let Some(second) = far(first) else { return Vec::new() };
    let mut kept = vec![first, second];
    let mut stack = vec![(first, second), (second, first)];
    while let Some((a, b)) = stack.pop() {
        let count = (b + n - a) % n;
        let worst = (1..count)
            .map(|d| (a + d) % n)
            .map(|i| (i, distance_to_segment(line[i], line[a], line[b])))
            .max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((i, off)) = worst
            && off > tolerance
        {
            kept.push(i);
            stack.extend([(a, i), (i, b)]);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Removes corners that a straight edge explains as well, the flattest first.
fn merged(line: &[[f64; 2]], mut corners: Vec<usize>, tolerance: f64) -> Vec<usize> {
    let n = line.len();
    while corners.len() > 3 {
        let m = corners.len();
        let cost = |k: usize| {
            let (a, b) = (corners[(k + m - 1) % m], corners[(k + 1) % m]);
            let count = (b + n - a) % n;
            let off = |d: usize| distance_to_segment(line[(a + d) % n], line[a], line[b]);
            // The mean separates corners from noise, the maximum from short edges.
            let mean = (1..count).map(off).sum::<f64>() / count.max(2) as f64;
            let max = (1..count).map(off).fold(0.0, f64::max);
            (mean / (0.5 * tolerance)).max(max / (1.6 * tolerance))
        };
        let flattest = (0..m).map(|k| (k, cost(k))).min_by(|a, b| a.1.total_cmp(&b.1));
        match flattest {
            Some((k, cost)) if cost < 1.0 => corners.remove(k),
            _ => break,
        };
    }
    corners
}

/// A straight line through `at` in the direction `along`.
#[derive(Clone, Copy)]
struct Line {
    at: [f64; 2],
    along: [f64; 2],
}

impl Line {
    /// Fits a line to the points between two corners, except near the corners, which the pen rounds off. `None` if too
    /// few points remain.
    fn fit(line: &[[f64; 2]], from: usize, to: usize, width: f64) -> Option<Self> {
        let n = line.len();
        let count = (to + n - from) % n;
        let (a, b) = (line[from], line[to]);
        let length = distance(a, b);
        let trim = (0.75 * width + 3.0).min(0.25 * length);
        let points: Vec<[f64; 2]> = (1..count)
            .map(|d| line[(from + d) % n])
            .filter(|p| distance(*p, a) > trim && distance(*p, b) > trim)
            .collect();
        if points.len() < 4 || length < 6.0 {
            return None;
        }
        let mut weights = vec![1.0; points.len()];
        let mut fit = Self::through(&points, &weights);
        for _ in 0..4 {
            let off: Vec<f64> = points.iter().map(|p| fit.off(*p)).collect();
            let mut sizes: Vec<f32> = off.iter().map(|o| *o as f32).collect();
            let scale = f64::from(crate::picture::quantile(&mut sizes, 0.5)).max(0.15) * 2.5;
            weights = off.iter().map(|o| 1.0 / (1.0 + (o / scale).powi(2))).collect();
            fit = Self::through(&points, &weights);
        }
        Some(fit)
    }

    /// Fits by weighted total least squares.
    fn through(points: &[[f64; 2]], weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let mean = |c: usize| points.iter().zip(weights).map(|(p, w)| p[c] * w).sum::<f64>() / total;
        let at = [mean(0), mean(1)];
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (p, w) in points.iter().zip(weights) {
            let (dx, dy) = (p[0] - at[0], p[1] - at[1]);
            xx += w * dx * dx;
            xy += w * dx * dy;
            yy += w * dy * dy;
        }
        let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
        Self { at, along: [angle.cos(), angle.sin()] }
    }

    fn off(&self, p: [f64; 2]) -> f64 {
        ((p[0] - self.at[0]) * self.along[1] - (p[1] - self.at[1]) * self.along[0]).abs()
    }

    fn nearest(&self, p: [f64; 2]) -> [f64; 2] {
        let t = (p[0] - self.at[0]) * self.along[0] + (p[1] - self.at[1]) * self.along[1];
        [self.at[0] + t * self.along[0], self.at[1] + t * self.along[1]]
    }

    /// Where two lines intersect, unless they are nearly parallel.
    fn intersection(&self, other: &Line) -> Option<[f64; 2]> {
        let cross = self.along[0] * other.along[1] - self.along[1] * other.along[0];
        if cross.abs() < 0.12 {
            return None;
        }
        let (dx, dy) = (other.at[0] - self.at[0], other.at[1] - self.at[1]);
        let t = (dx * other.along[1] - dy * other.along[0]) / cross;
        Some([self.at[0] + t * self.along[0], self.at[1] + t * self.along[1]])
    }

    /// Tolerance of a corner's position relative to a right angle: sharp corners are cut off more.
    fn miter(&self, other: &Line) -> f64 {
        let cross = (self.along[0] * other.along[1] - self.along[1] * other.along[0]).abs();
        (1.0 / cross.max(0.1)).min(6.0)
    }
}

fn midpoint(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_intersecting_rings_are_detected() {
        assert!(crosses_itself(&[[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 10.0]]));
        assert!(!crosses_itself(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [5.0, 2.0], [0.0, 10.0]]));
    }

    #[test]
    fn corners_are_recovered_from_noisy_outlines() {
        let truth: Ring = vec![[20.0, 20.0], [220.0, 35.0], [240.0, 200.0], [130.0, 120.0], [30.0, 180.0]];
        let mut outline = Vec::new();
        for (a, b) in edges(&truth) {
            let count = (distance(a, b) / 1.5) as usize;
            for k in 0..count {
                let t = k as f64 / count as f64;
                let noise = |s: usize| ((k * 7919 + s * 104_729) % 101) as f64 / 101.0 - 0.5;
                outline.push([a[0] + (b[0] - a[0]) * t + 0.8 * noise(1), a[1] + (b[1] - a[1]) * t + 0.8 * noise(2)]);
            }
        }
        let ring = fit(&outline, 3.0);
        assert_eq!(ring.len(), truth.len(), "{ring:?}");
        for corner in &truth {
            let nearest = ring.iter().map(|p| distance(*p, *corner)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.4, "{corner:?} is off by {nearest}");
        }
    }
}
