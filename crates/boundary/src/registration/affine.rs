//! Affine maps of the plane.

/// An affine map `[a, b, c, d, e, f]`: `x' = a x + b y + c`, `y' = d x + e y + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine(pub [f64; 6]);

impl Affine {
    /// Scales, then translates.
    #[must_use]
    pub fn scaling(sx: f64, sy: f64, tx: f64, ty: f64) -> Self {
        Self([sx, 0.0, tx, 0.0, sy, ty])
    }

    /// Maps a position.
    #[must_use]
    pub fn map(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [a, b, c, d, e, f] = self.0;
        [a * x + b * y + c, d * x + e * y + f]
    }

    /// The composition that applies `first`, then this.
    #[must_use]
    pub fn after(&self, first: &Affine) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = first.0;
        Self([a * g + b * j, a * h + b * k, a * i + b * l + c, d * g + e * j, d * h + e * k, d * i + e * l + f])
    }

    /// The inverse. `None` if the map is singular.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.0;
        let det = a * e - b * d;
        if det.abs() < 1e-12 {
            return None;
        }
        let (ia, ib, id, ie) = (e / det, -b / det, -d / det, a / det);
        Some(Self([ia, ib, -(ia * c + ib * f), id, ie, -(id * c + ie * f)]))
    }

    /// Mean scale.
    #[must_use]
    pub fn scale(&self) -> f64 {
        let [a, b, _, d, e, _] = self.0;
        (a * e - b * d).abs().sqrt()
    }
}
