//! Straight lines fitted to points.

use aerie_math::geometry::Point;

use crate::picture::quantile;

/// A straight line through `at` in the direction `along`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    at: Point,
    /// Unit vector.
    pub(super) along: Point,
}

impl Line {
    /// Fits a line robustly, so that points off it by more than most count less. It runs from the first point to the last.
    /// `None` for fewer than four points.
    pub(super) fn fit(points: &[Point]) -> Option<Self> {
        if points.len() < 4 {
            return None;
        }
        let mut weights = vec![1.0; points.len()];
        let mut fit = Self::through(points, &weights);
        for _ in 0..4 {
            let off: Vec<f64> = points.iter().map(|p| fit.side(*p)).collect();
            let mut sizes: Vec<f32> = off.iter().map(|o| o.abs() as f32).collect();
            let scale = f64::from(quantile(&mut sizes, 0.5)).max(0.15) * 2.5;
            weights = off.iter().map(|o| 1.0 / (1.0 + (o / scale).powi(2))).collect();
            fit = Self::through(points, &weights);
        }
        Some(fit)
    }

    /// Fits by weighted total least squares.
    fn through(points: &[Point], weights: &[f64]) -> Self {
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
        let along = [angle.cos(), angle.sin()];
        let (first, last) = (points[0], points[points.len() - 1]);
        let forward = (last[0] - first[0]) * along[0] + (last[1] - first[1]) * along[1];
        Self { at, along: if forward < 0.0 { along.map(|v| -v) } else { along } }
    }

    /// Signed distance of a point, positive to the right on screen.
    pub(super) fn side(&self, p: Point) -> f64 {
        self.along[0] * (p[1] - self.at[1]) - self.along[1] * (p[0] - self.at[0])
    }

    /// Position of a point along the line.
    pub(super) fn position(&self, p: Point) -> f64 {
        (p[0] - self.at[0]) * self.along[0] + (p[1] - self.at[1]) * self.along[1]
    }

    /// The point of the line nearest to `p`.
    pub(super) fn nearest(&self, p: Point) -> Point {
        let t = self.position(p);
        [self.at[0] + t * self.along[0], self.at[1] + t * self.along[1]]
    }

    /// Where two lines intersect, unless they are nearly parallel.
    pub(super) fn intersection(&self, other: &Line) -> Option<Point> {
        let cross = self.cross(other);
        if cross.abs() < 0.05 {
            return None;
        }
        let (dx, dy) = (other.at[0] - self.at[0], other.at[1] - self.at[1]);
        let t = (dx * other.along[1] - dy * other.along[0]) / cross;
        Some([self.at[0] + t * self.along[0], self.at[1] + t * self.along[1]])
    }

    /// Angle by which the other line turns, radians, positive clockwise on screen.
    pub(super) fn turn(&self, other: &Line) -> f64 {
        self.cross(other).atan2(self.along[0] * other.along[0] + self.along[1] * other.along[1])
    }

    /// Tolerance of a corner's position relative to a right angle: sharp corners are cut off more.
    pub(super) fn miter(&self, other: &Line) -> f64 {
        (1.0 / self.cross(other).abs().max(0.1)).min(6.0)
    }

    fn cross(&self, other: &Line) -> f64 {
        self.along[0] * other.along[1] - self.along[1] * other.along[0]
    }
}

/// A parabola over a line, fitted to points: what a hand draws where it means a straight edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bow {
    /// The line.
    pub(super) line: Line,
    /// Distance between the first and the last point along the line, pixels.
    pub(super) length: f64,
    /// Height of the parabola over its ends, pixels, positive where it turns clockwise on screen.
    pub(super) height: f64,
    /// Root mean square and nearly the greatest distance of the points from the parabola, pixels.
    pub(super) rms: f64,
    pub(super) most: f64,
}

impl Bow {
    /// Fits by least squares. `None` for fewer than four points or for points at one place.
    pub(super) fn fit(points: &[Point]) -> Option<Self> {
        if points.len() < 4 {
            return None;
        }
        let line = Line::through(points, &vec![1.0; points.len()]);
        let positions: Vec<f64> = points.iter().map(|p| line.position(*p)).collect();
        let (low, high) = positions.iter().fold((f64::MAX, f64::MIN), |(l, h), s| (l.min(*s), h.max(*s)));
        let half = 0.5 * (high - low);
        if half < 1e-6 {
            return None;
        }
        let middle = 0.5 * (low + high);
        let mut normal = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for (p, s) in points.iter().zip(&positions) {
            let u = (s - middle) / half;
            let (terms, value) = ([1.0, u, u * u], line.side(*p));
            for i in 0..3 {
                right[i] += terms[i] * value;
                (0..3).for_each(|j| normal[i][j] += terms[i] * terms[j]);
            }
        }
        let [a, b, c] = solve(normal, right)?;
        let off = |(p, s): (&Point, &f64)| {
            let u = (s - middle) / half;
            (line.side(*p) - a - b * u - c * u * u).abs()
        };
        let mut sizes: Vec<f32> = points.iter().zip(&positions).map(|both| off(both) as f32).collect();
        let square = sizes.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>() / points.len() as f64;
        // A few points may belong to the end of another stroke.
        let most = f64::from(quantile(&mut sizes, 0.985));
        Some(Self { line, length: 2.0 * half, height: c, rms: square.sqrt(), most })
    }
}

/// Solves three equations by Cramer's rule.
fn solve(m: [[f64; 3]; 3], r: [f64; 3]) -> Option<[f64; 3]> {
    let det = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = det(&m);
    if whole.abs() < 1e-9 {
        return None;
    }
    let with = |column: usize| {
        let mut changed = m;
        (0..3).for_each(|i| changed[i][column] = r[i]);
        det(&changed) / whole
    };
    Some([with(0), with(1), with(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_over_a_tilted_line_is_fitted_exactly() {
        let points: Vec<Point> = (0..=100)
            .map(|k| {
                let u = f64::from(k) / 50.0 - 1.0;
                let (s, d) = (80.0 * u, 4.0 * (1.0 - u * u));
                [200.0 + 0.8 * s + 0.6 * d, 100.0 + 0.6 * s - 0.8 * d]
            })
            .collect();
        let bow = Bow::fit(&points).expect("a fit");
        assert!((bow.length - 160.0).abs() < 1e-6 && bow.rms < 1e-6, "{bow:?}");
        assert!((bow.height.abs() - 4.0).abs() < 1e-6, "{bow:?}");
    }
}
