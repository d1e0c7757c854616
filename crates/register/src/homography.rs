//! Homographies of the plane.

use aerie_math::linear;

/// A homography, as the rows of its matrix; the last entry is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homography(pub [[f64; 3]; 3]);

impl Homography {
    /// Moves nothing.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// Creates a rotation about the origin, in radians, followed by a shift.
    #[must_use]
    pub fn moved(angle: f64, [x, y]: [f64; 2]) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Self([[cos, -sin, x], [sin, cos, y], [0.0, 0.0, 1.0]])
    }

    /// Creates an affine map `[a, b, c, d, e, f]`: `x' = a x + b y + c`, `y' = d x + e y + f`.
    #[must_use]
    pub const fn affine([a, b, c, d, e, f]: [f64; 6]) -> Self {
        Self([[a, b, c], [d, e, f], [0.0, 0.0, 1.0]])
    }

    /// Creates a map that scales.
    #[must_use]
    pub const fn scaling([x, y]: [f64; 2]) -> Self {
        Self::affine([x, 0.0, 0.0, 0.0, y, 0.0])
    }

    /// Creates the affine map through three pairs of points; `None` if they are collinear.
    #[must_use]
    pub fn through(pairs: [[[f64; 2]; 2]; 3]) -> Option<Self> {
        let matrix = pairs.map(|[[x, y], _]| [x, y, 1.0]);
        let row = |axis: usize| linear::solve(matrix, pairs.map(|[_, to]| to[axis]), 1e-9);
        Some(Self([row(0)?, row(1)?, [0.0, 0.0, 1.0]]))
    }

    /// Mean scale of the affine part.
    #[must_use]
    pub fn scale(&self) -> f64 {
        let [[a, b, _], [d, e, _], _] = self.0;
        (a * e - b * d).abs().sqrt()
    }

    /// Maps a point.
    #[must_use]
    pub fn apply(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [x, y, w] = self.0.map(|row| row[0] * u + row[1] * v + row[2]);
        [x / w, y / w]
    }

    /// Composes maps: first `other`, then this.
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        let product = |row: [f64; 3]| [0, 1, 2].map(|c| (0..3).map(|i| row[i] * other.0[i][c]).sum::<f64>());
        Self(self.0.map(product)).normalized()
    }

    /// Inverts the map; `None` if it folds the plane.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let m = &self.0;
        let minor = |r: usize, c: usize| {
            let ([a, b], [d, e]) = ([(r + 1) % 3, (r + 2) % 3], [(c + 1) % 3, (c + 2) % 3]);
            m[a][d] * m[b][e] - m[a][e] * m[b][d]
        };
        let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        let inverse = [0, 1, 2].map(|r| [0, 1, 2].map(|c| minor(c, r) / determinant));
        (determinant.abs() > 1e-12 && inverse[2][2].abs() > 1e-9).then(|| Self(inverse).normalized())
    }

    fn normalized(self) -> Self {
        let unit = self.0[2][2];
        Self(self.0.map(|row| row.map(|v| v / unit)))
    }

    /// Maximum distance by which a corner or the center of a picture moves, in pixels. The map is of points of `frame`.
    #[must_use]
    pub fn reach(&self, frame: &Frame) -> f64 {
        let [w, h] = frame.center.map(|v| 2.0 * v);
        let distance = |[x, y]: [f64; 2]| {
            let [u, v] = frame.pixel(self.apply(frame.point([x, y])));
            (u - x).hypot(v - y)
        };
        [[0.0, 0.0], [w, 0.0], [0.0, h], [w, h], [w / 2.0, h / 2.0]].map(distance).into_iter().fold(0.0, f64::max)
    }

    /// Returns by how much the center of a picture moves, in pixels, and by which angle the picture turns there, in degrees. The map is of
    /// points of `frame`.
    #[must_use]
    pub fn motion(&self, frame: &Frame) -> ([f64; 2], f64) {
        let [x, y] = self.apply([0.0, 0.0]);
        let [u, v] = self.apply([0.01, 0.0]);
        ([x * frame.unit[0], y * frame.unit[1]], libm::atan2(v - y, u - x).to_degrees())
    }

    /// Converts a map of points of frames to one of pixels.
    #[must_use]
    pub fn of_pixels(&self, [from, to]: [&Frame; 2]) -> Self {
        let pixels =
            |frame: &Frame| Self::affine([frame.unit[0], 0.0, frame.center[0], 0.0, frame.unit[1], frame.center[1]]);
        let points = |frame: &Frame| pixels(frame).inverse().unwrap_or(Self::IDENTITY);
        pixels(to).after(self).after(&points(from))
    }

    /// Converts a map of pixels to one of points of frames.
    #[must_use]
    pub fn of_points(&self, [from, to]: [&Frame; 2]) -> Self {
        let invert = |frame: &Frame| Frame {
            center: [0, 1].map(|i| -frame.center[i] / frame.unit[i]),
            unit: frame.unit.map(|unit| 1.0 / unit),
        };
        self.of_pixels([&invert(from), &invert(to)])
    }
}

/// Coordinates of a picture whose origin is its center and whose unit is about half its longer side: its pixels and its points.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Center of the picture, in pixels.
    pub center: [f64; 2],
    /// Unit across and down, in pixels.
    pub unit: [f64; 2],
}

impl Frame {
    /// Frame of a picture of this width and height; its first pixel covers 0 to 1.
    #[must_use]
    pub fn of([width, height]: [usize; 2]) -> Self {
        Self { center: [width as f64 / 2.0, height as f64 / 2.0], unit: [width.max(height) as f64 / 2.0; 2] }
    }

    /// The same frame for a copy of the picture. The first pixel of the copy is centered at `first`, in pixels of the picture, the next ones
    /// `step` further on each. Pixels of the copy are counted from the center of the first.
    #[must_use]
    pub fn copy(&self, first: [f64; 2], step: [f64; 2]) -> Self {
        Self {
            center: [0, 1].map(|i| (self.center[i] - first[i]) / step[i]),
            unit: [0, 1].map(|i| self.unit[i] / step[i]),
        }
    }

    /// Converts a pixel to a point.
    #[must_use]
    pub fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.center[0]) / self.unit[0], (y - self.center[1]) / self.unit[1]]
    }

    /// Converts a point to a pixel.
    #[must_use]
    pub fn pixel(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        [u * self.unit[0] + self.center[0], v * self.unit[1] + self.center[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_and_its_inverse_move_nothing() {
        let map = Homography([[1.01, 0.02, 0.03], [-0.01, 0.99, -0.02], [0.004, -0.003, 1.0]]);
        let none = map.inverse().unwrap().after(&map);
        assert!(none.reach(&Frame::of([4000, 3000])) < 1e-6, "{none:?}");
    }

    #[test]
    fn a_shift_and_a_turn_are_reported_in_pixels_and_degrees() {
        let ([x, y], angle) = Homography::moved(0.01, [0.002, -0.001]).motion(&Frame::of([4000, 3000]));
        assert!(
            (x - 4.0).abs() < 1e-6 && (y + 2.0).abs() < 1e-6 && (angle - 0.572_957_8).abs() < 1e-4,
            "{x} {y} {angle}"
        );
    }
}
