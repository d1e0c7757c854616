//! Simple roof shapes, fitted to points that are too sparse to find planes in.

use super::plane::Plane;

/// Difference in height at which a point counts as entirely wrong, meters.
const WRONG: f64 = 0.3;

/// The rectangle that a shape covers: center, direction of its length, half its length and half its width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    center: [f64; 2],
    along: [f64; 2],
    half: [f64; 2],
}

impl Frame {
    /// The smallest rectangle around `corners` with a side perpendicular to one of `directions`.
    pub(super) fn around(corners: &[[f64; 2]], directions: &[[f64; 2]]) -> Option<Self> {
        let frames = directions.iter().map(|&along| {
            let mut low = [f64::INFINITY; 2];
            let mut high = [f64::NEG_INFINITY; 2];
            for &[x, y] in corners {
                let at = [along[0] * x + along[1] * y, along[0] * y - along[1] * x];
                low = [low[0].min(at[0]), low[1].min(at[1])];
                high = [high[0].max(at[0]), high[1].max(at[1])];
            }
            let [u, v] = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
            let center = [along[0] * u - along[1] * v, along[1] * u + along[0] * v];
            Frame { center, along, half: [(high[0] - low[0]) / 2.0, (high[1] - low[1]) / 2.0] }
        });
        let best = frames.min_by(|a, b| (a.half[0] * a.half[1]).total_cmp(&(b.half[0] * b.half[1])))?;
        Some(if best.half[0] < best.half[1] { best.turned() } else { best })
    }

    /// The same rectangle, with length and width exchanged.
    fn turned(self) -> Self {
        let [x, y] = self.along;
        Frame { center: self.center, along: [-y, x], half: [self.half[1], self.half[0]] }
    }

    /// Rises by one per meter from the rectangle's sides: of the two long ones, then of the two short ones.
    fn rises(&self) -> [Plane; 4] {
        let [x, y] = self.along;
        let rise = |normal: [f64; 2], half: f64| Plane {
            slope: normal,
            height: half - normal[0] * self.center[0] - normal[1] * self.center[1],
        };
        let [length, width] = self.half;
        [rise([-y, x], width), rise([y, -x], width), rise([x, y], length), rise([-x, -y], length)]
    }
}

/// A fitted shape: its surface is the lowest of the planes.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    /// The planes.
    pub(super) planes: Vec<Plane>,
    /// Share of the points that are wrong, 0 to 1, with a small addition for complicated shapes.
    pub(super) cost: f64,
}

impl Shape {
    /// Index of the lowest plane at a point.
    pub(super) fn lowest(&self, at: [f64; 2]) -> usize {
        let order = |a: &usize, b: &usize| self.planes[*a].at(at).total_cmp(&self.planes[*b].at(at));
        (0..self.planes.len()).min_by(order).unwrap_or_default()
    }
}

/// Share of residuals that are wrong, 0 to 1.
pub(super) fn wrong(residuals: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for residual in residuals {
        sum += (residual.abs() / WRONG).min(1.0);
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

/// The best of all shapes.
pub(super) fn fit(points: &[[f64; 3]], frame: Frame) -> Option<Shape> {
    let mut best: Option<Shape> = None;
    let mut offer = |shape: Option<Shape>| {
        if let Some(shape) = shape.filter(|shape| best.as_ref().is_none_or(|best| shape.cost < best.cost)) {
            best = Some(shape);
        }
    };
    offer(flat(points));
    offer(shed(points));
    for frame in [frame, frame.turned()] {
        let [left, right, start, end] = frame.rises();
        let shifted = |plane: Plane, by: f64| Plane { height: plane.height + by, ..plane };
        let times =
            |plane: Plane, by: f64| Plane { slope: plane.slope.map(|part| part * by), height: plane.height * by };
        for step in -4..=4 {
            let by = f64::from(step) * 0.1 * frame.half[1];
            let sides = [shifted(left, by), shifted(right, -by)];
            offer(sloped(points, &sides, &[f64::INFINITY], 0.02));
            if step % 2 == 0 {
                offer(sloped(points, &sides, &breaks(frame), 0.05));
            }
        }
        for steepness in [0.6, 0.8, 1.0, 1.25, 1.6, 2.2] {
            let ends = [times(start, steepness), times(end, steepness)];
            let [start, end] = ends;
            offer(sloped(points, &[left, right, start, end], &[f64::INFINITY], 0.03));
            offer(sloped(points, &[left, right, start], &[f64::INFINITY], 0.035));
            offer(sloped(points, &[left, right, end], &[f64::INFINITY], 0.035));
        }
        offer(sloped(points, &[left, right, start, end], &breaks(frame), 0.06));
    }
    best
}

/// Distances from the eaves at which a mansard roof may bend.
fn breaks(frame: Frame) -> [f64; 4] {
    [0.15, 0.25, 0.35, 0.5].map(|share| share * frame.half[1])
}

fn flat(points: &[[f64; 3]]) -> Option<Shape> {
    let mut heights: Vec<f64> = points.iter().map(|point| point[2]).collect();
    heights.sort_by(f64::total_cmp);
    let height = *heights.get(heights.len() / 2)?;
    Some(Shape { planes: vec![Plane::level(height)], cost: wrong(points.iter().map(|point| point[2] - height)) })
}

fn shed(points: &[[f64; 3]]) -> Option<Shape> {
    let [height, x, y] = regress(points, |[x, y]| [1.0, x, y])?;
    let plane = Plane { slope: [x, y], height };
    let cost = wrong(points.iter().map(|&[x, y, z]| z - plane.at([x, y]))) + 0.01;
    (plane.steepness() < 2.0).then(|| Shape { planes: vec![plane], cost })
}

/// Slopes from several sides; where they rise more than `bends`, they may continue flatter.
fn sloped(points: &[[f64; 3]], rises: &[Plane], bends: &[f64], effort: f64) -> Option<Shape> {
    let rise = |at: [f64; 2]| rises.iter().map(|rise| rise.at(at)).fold(f64::INFINITY, f64::min);
    let mut best: Option<Shape> = None;
    for &bend in bends {
        let Some([height, lower, upper]) = regress(points, |at| {
            let rise = rise(at);
            [1.0, rise.min(bend), (rise - bend).max(0.0)]
        }) else {
            continue;
        };
        let bent = bend.is_finite();
        if !(0.08..=4.0).contains(&lower) || (bent && (upper < 0.0 || lower < upper + 0.2)) {
            continue;
        }
        let scaled = |rise: &Plane, by: f64, from: f64| Plane {
            slope: rise.slope.map(|part| part * by),
            height: rise.height * by + from,
        };
        let mut planes: Vec<Plane> = rises.iter().map(|rise| scaled(rise, lower, height)).collect();
        if bent && upper > 0.03 {
            planes.extend(rises.iter().map(|rise| scaled(rise, upper, height + bend * (lower - upper))));
        } else if bent {
            planes.push(Plane::level(height + bend * lower));
        }
        let surface = |at: [f64; 2]| planes.iter().map(|plane| plane.at(at)).fold(f64::INFINITY, f64::min);
        let cost = wrong(points.iter().map(|&[x, y, z]| z - surface([x, y]))) + effort;
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            best = Some(Shape { planes, cost });
        }
    }
    best
}

/// Weighted least squares, in which far points lose weight from pass to pass. A feature that is zero everywhere gets zero.
fn regress(points: &[[f64; 3]], features: impl Fn([f64; 2]) -> [f64; 3]) -> Option<[f64; 3]> {
    let mut found: Option<[f64; 3]> = None;
    for scale in [f64::INFINITY, 0.5, 0.25, 0.15] {
        let mut matrix = [[0.0; 4]; 3];
        for &[x, y, z] in points {
            let row = features([x, y]);
            let residual = found.map_or(0.0, |found| z - (0..3).map(|index| found[index] * row[index]).sum::<f64>());
            let weight = 1.0 / (1.0 + (residual / scale).powi(2));
            for i in 0..3 {
                for j in 0..3 {
                    matrix[i][j] += weight * row[i] * row[j];
                }
                matrix[i][3] += weight * row[i] * z;
            }
        }
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += 1e-9;
        }
        found = Some(solve(matrix)?);
    }
    found
}

/// Solves three linear equations of a positive definite matrix.
fn solve(mut matrix: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for pivot in 0..3 {
        let own = matrix[pivot];
        if own[pivot].is_nan() || own[pivot] <= 1e-12 {
            return None;
        }
        for (_, row) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let share = row[pivot] / own[pivot];
            row.iter_mut().zip(own).skip(pivot).for_each(|(value, of_pivot)| *value -= share * of_pivot);
        }
    }
    Some([0, 1, 2].map(|row| matrix[row][3] / matrix[row][row]))
}
