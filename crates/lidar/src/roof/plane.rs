//! Planes as heights over the plan, and their least squares fit.

/// A plane that is not vertical: height = `slope · (x, y) + height`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    /// Rise per meter along x and y.
    pub(super) slope: [f64; 2],
    /// Height at the origin.
    pub(super) height: f64,
}

impl Plane {
    /// The horizontal plane at `height`.
    pub(super) fn level(height: f64) -> Self {
        Plane { slope: [0.0; 2], height }
    }

    /// Height at a point of the plan.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> f64 {
        self.slope[0] * x + self.slope[1] * y + self.height
    }

    /// Rise per meter in the steepest direction.
    pub(super) fn steepness(&self) -> f64 {
        self.slope[0].hypot(self.slope[1])
    }

    /// Signed distance of a point from the plane, perpendicular to it.
    pub(super) fn distance(&self, [x, y, z]: [f64; 3]) -> f64 {
        (z - self.at([x, y])) * self.flatness()
    }

    /// Cosine of the angle between the plane and the horizontal.
    pub(super) fn flatness(&self) -> f64 {
        (1.0 + self.slope[0] * self.slope[0] + self.slope[1] * self.slope[1]).sqrt().recip()
    }

    /// Cosine of the angle between two planes.
    pub(super) fn cosine(&self, other: &Plane) -> f64 {
        let [a, b] = [self.slope, other.slope];
        (1.0 + a[0] * b[0] + a[1] * b[1]) * self.flatness() * other.flatness()
    }

    /// The line in plan where two planes meet, unless they are nearly parallel.
    pub(super) fn meet(&self, other: &Plane) -> Option<Line> {
        let [dx, dy] = [self.slope[0] - other.slope[0], self.slope[1] - other.slope[1]];
        let length = dx.hypot(dy);
        (length > 0.04)
            .then(|| Line { normal: [dx / length, dy / length], offset: (other.height - self.height) / length })
    }
}

/// A line in plan: the points whose product with the unit vector `normal` is `offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    /// Unit vector perpendicular to the line.
    pub(super) normal: [f64; 2],
    /// Signed distance of the line from the origin.
    pub(super) offset: f64,
}

impl Line {
    /// Signed distance of a point from the line.
    pub(super) fn side(&self, [x, y]: [f64; 2]) -> f64 {
        self.normal[0] * x + self.normal[1] * y - self.offset
    }

    /// Position of a point along the line.
    pub(super) fn along(&self, [x, y]: [f64; 2]) -> f64 {
        self.normal[0] * y - self.normal[1] * x
    }
}

/// Sums over points, from which a plane is fitted without visiting the points again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// Number of points.
    pub(super) count: f64,
    first: [f64; 3],
    second: [f64; 6],
}

impl Sums {
    /// The sums over some points.
    pub(super) fn of(points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let mut sums = Sums::default();
        points.into_iter().for_each(|point| sums.add(point));
        sums
    }

    /// Counts one more point.
    pub(super) fn add(&mut self, [x, y, z]: [f64; 3]) {
        self.count += 1.0;
        for (sum, value) in self.first.iter_mut().zip([x, y, z]) {
            *sum += value;
        }
        for (sum, value) in self.second.iter_mut().zip([x * x, x * y, y * y, x * z, y * z, z * z]) {
            *sum += value;
        }
    }

    /// Sums of both.
    pub(super) fn plus(&self, other: &Sums) -> Sums {
        let mut sums = *self;
        sums.count += other.count;
        for (sum, value) in sums.first.iter_mut().zip(other.first) {
            *sum += value;
        }
        for (sum, value) in sums.second.iter_mut().zip(other.second) {
            *sum += value;
        }
        sums
    }

    /// Center of the points.
    pub(super) fn center(&self) -> [f64; 3] {
        self.first.map(|sum| sum / self.count.max(1.0))
    }

    /// Width of the points in plan, across their longest extent, if they fill a rectangle.
    pub(super) fn width(&self) -> f64 {
        let [mx, my, _] = self.center();
        let [xx, xy, yy, ..] = self.second.map(|sum| sum / self.count.max(1.0));
        let (xx, xy, yy) = (xx - mx * mx, xy - mx * my, yy - my * my);
        let least = (xx + yy) / 2.0 - ((xx - yy) / 2.0).hypot(xy);
        (12.0 * least.max(0.0)).sqrt()
    }

    /// Plane of least squared vertical distance, and the root mean square of these distances. `None` for points on one line.
    pub(super) fn fit(&self) -> Option<(Plane, f64)> {
        let n = self.count;
        if n < 3.0 {
            return None;
        }
        let [mx, my, mz] = self.center();
        let [xx, xy, yy, xz, yz, zz] = self.second.map(|sum| sum / n);
        let (xx, xy, yy) = (xx - mx * mx, xy - mx * my, yy - my * my);
        let (xz, yz, zz) = (xz - mx * mz, yz - my * mz, zz - mz * mz);
        let determinant = xx * yy - xy * xy;
        if determinant <= 1e-4 * (xx + yy).powi(2) || xx + yy < 1e-6 {
            return None;
        }
        let slope = [(xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant];
        let rest = zz - slope[0] * xz - slope[1] * yz;
        Some((Plane { slope, height: mz - slope[0] * mx - slope[1] * my }, rest.max(0.0).sqrt()))
    }
}
