//! Maps between the frames of two exposures.

/// A homography of coordinates whose origin is the center of the picture and whose unit is half its longer side. It maps points of
/// the reference to points of another exposure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homography(pub(super) [[f64; 3]; 3]);

impl Homography {
    /// The map that moves nothing.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// A rotation about the center, radians, and then a shift.
    #[must_use]
    pub fn moved(angle: f64, [x, y]: [f64; 2]) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Self([[cos, -sin, x], [sin, cos, y], [0.0, 0.0, 1.0]])
    }

    /// Where a point comes to lie.
    #[must_use]
    pub fn apply(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [x, y, w] = self.0.map(|row| row[0] * u + row[1] * v + row[2]);
        [x / w, y / w]
    }

    /// First `other`, then this map.
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        let product = |row: [f64; 3]| [0, 1, 2].map(|c| (0..3).map(|i| row[i] * other.0[i][c]).sum::<f64>());
        Self(self.0.map(product)).normalized()
    }

    /// The opposite map; none if this one folds the plane.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let m = &self.0;
        let minor = |r: usize, c: usize| {
            let ([a, b], [d, e]) = ([(r + 1) % 3, (r + 2) % 3], [(c + 1) % 3, (c + 2) % 3]);
            m[a][d] * m[b][e] - m[a][e] * m[b][d]
        };
        let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        let inverse = [0, 1, 2].map(|r| [0, 1, 2].map(|c| minor(c, r) / determinant));
        (determinant.abs() > 1e-9 && inverse[2][2].abs() > 1e-9).then(|| Self(inverse).normalized())
    }

    fn normalized(self) -> Self {
        let unit = self.0[2][2];
        Self(self.0.map(|row| row.map(|v| v / unit)))
    }

    /// Greatest distance by which a corner or the center of a picture of this size moves, pixels.
    #[must_use]
    pub fn reach(&self, size: [usize; 2]) -> f64 {
        let frame = Frame::of(size);
        let [w, h] = size.map(|side| side as f64);
        let distance = |[x, y]: [f64; 2]| {
            let [u, v] = frame.pixel(self.apply(frame.point([x, y])));
            (u - x).hypot(v - y)
        };
        [[0.0, 0.0], [w, 0.0], [0.0, h], [w, h], [w / 2.0, h / 2.0]].map(distance).into_iter().fold(0.0, f64::max)
    }

    /// How far the center moves, pixels of a picture of this size, and by which angle the picture turns there, degrees.
    #[must_use]
    pub fn motion(&self, size: [usize; 2]) -> ([f64; 2], f64) {
        let unit = Frame::of(size).unit;
        let [x, y] = self.apply([0.0, 0.0]);
        let [u, v] = self.apply([0.01, 0.0]);
        ([x * unit, y * unit], libm::atan2(v - y, u - x).to_degrees())
    }
}

/// Coordinates of a picture: pixels with the origin at its top left corner, and points of a [`Homography`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    center: [f64; 2],
    pub(super) unit: f64,
}

impl Frame {
    pub(super) fn of([width, height]: [usize; 2]) -> Self {
        Self { center: [width as f64 / 2.0, height as f64 / 2.0], unit: width.max(height) as f64 / 2.0 }
    }

    pub(super) fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.center[0]) / self.unit, (y - self.center[1]) / self.unit]
    }

    pub(super) fn pixel(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        [u * self.unit + self.center[0], v * self.unit + self.center[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_and_its_inverse_move_nothing() {
        let map = Homography([[1.01, 0.02, 0.03], [-0.01, 0.99, -0.02], [0.004, -0.003, 1.0]]);
        let none = map.inverse().unwrap().after(&map);
        assert!(none.reach([4000, 3000]) < 1e-6, "{none:?}");
    }

    #[test]
    fn a_shift_and_a_turn_are_reported_in_pixels_and_degrees() {
        let ([x, y], angle) = Homography::moved(0.01, [0.002, -0.001]).motion([4000, 3000]);
        assert!(
            (x - 4.0).abs() < 1e-6 && (y + 2.0).abs() < 1e-6 && (angle - 0.572_957_8).abs() < 1e-4,
            "{x} {y} {angle}"
        );
    }
}
