//! A smooth field over a picture through sparse values: least squares on a grid, where planes of inverse depth cost nothing.

use glam::DVec2;

/// Cells across the grid; down, as many as keep them square.
pub(super) const COLUMNS: usize = 32;
/// Weight of the second differences, of the first, and of the values themselves where nothing is known.
const BENDING: f64 = 0.6;
const SLOPE: f64 = 0.01;
/// Rounds in which values that do not fit lose weight, and steps of conjugate gradients in each.
const ROUNDS: usize = 4;
const STEPS: usize = 120;

/// Vertices over a picture, row by row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    /// Cells across and down.
    pub(super) cells: [usize; 2],
    /// Size of the picture, pixels.
    pub(super) size: DVec2,
}

/// A weighted equation in a few vertices.
struct Equation {
    terms: [(usize, f64); 4],
    target: f64,
    weight: f64,
}

impl Grid {
    pub(super) fn over(size: DVec2) -> Self {
        let rows = (COLUMNS as f64 * size.y / size.x).round().max(2.0) as usize;
        Self { cells: [COLUMNS, rows], size }
    }

    /// Number of vertices.
    pub(super) fn count(&self) -> usize {
        (self.cells[0] + 1) * (self.cells[1] + 1)
    }

    /// The pixel of a vertex.
    pub(super) fn vertex(&self, number: usize) -> DVec2 {
        let across = self.cells[0] + 1;
        let share = DVec2::new((number % across) as f64, (number / across) as f64);
        share / DVec2::new(self.cells[0] as f64, self.cells[1] as f64) * self.size
    }

    /// The vertices around a pixel with their shares.
    fn around(&self, pixel: DVec2) -> [(usize, f64); 4] {
        let cells = DVec2::new(self.cells[0] as f64, self.cells[1] as f64);
        let place = (pixel / self.size * cells).clamp(DVec2::ZERO, cells - 1e-6);
        let (corner, share) = (place.floor(), place - place.floor());
        let across = self.cells[0] + 1;
        let first = corner.y as usize * across + corner.x as usize;
        [
            (first, (1.0 - share.x) * (1.0 - share.y)),
            (first + 1, share.x * (1.0 - share.y)),
            (first + across, (1.0 - share.x) * share.y),
            (first + across + 1, share.x * share.y),
        ]
    }

    /// The value of a field at a pixel.
    pub(super) fn at(&self, field: &[f64], pixel: DVec2) -> f64 {
        self.around(pixel).iter().map(|(vertex, share)| share * field[*vertex]).sum()
    }

    /// The field through values at pixels, and how far they are from it, in the median.
    pub(super) fn fitted(&self, values: &[(DVec2, f64)]) -> Vec<f64> {
        let mut equations: Vec<Equation> = values
            .iter()
            .map(|(pixel, value)| Equation { terms: self.around(*pixel), target: *value, weight: 1.0 })
            .collect();
        equations.extend(self.smoothness());
        let mean = values.iter().map(|(_, value)| value).sum::<f64>() / values.len().max(1) as f64;
        let mut field = vec![mean; self.count()];
        for _ in 0..ROUNDS {
            solve(&equations, &mut field);
            let errors: Vec<f64> =
                values.iter().map(|(pixel, value)| (self.at(&field, *pixel) - value).abs()).collect();
            let mut sorted = errors.clone();
            sorted.sort_by(f64::total_cmp);
            let usual = 2.0 * sorted.get(sorted.len() / 2).copied().unwrap_or(0.0).max(1e-9);
            for (equation, error) in equations.iter_mut().zip(&errors) {
                equation.weight = 1.0 / (1.0 + (error / usual).powi(2));
            }
        }
        field
    }

    fn smoothness(&self) -> Vec<Equation> {
        let across = self.cells[0] + 1;
        let mut equations = Vec::new();
        for number in 0..self.count() {
            let (column, row) = (number % across, number / across);
            for (place, last, step) in [(column, self.cells[0], 1), (row, self.cells[1], across)] {
                if place < last {
                    let terms = [(number, -1.0), (number + step, 1.0), (number, 0.0), (number, 0.0)];
                    equations.push(Equation { terms, target: 0.0, weight: SLOPE * SLOPE });
                }
                if place > 0 && place < last {
                    let terms = [(number - step, 1.0), (number, -2.0), (number + step, 1.0), (number, 0.0)];
                    equations.push(Equation { terms, target: 0.0, weight: BENDING * BENDING });
                }
            }
            if column < self.cells[0] && row < self.cells[1] {
                let terms = [(number, 1.0), (number + 1, -1.0), (number + across, -1.0), (number + across + 1, 1.0)];
                equations.push(Equation { terms, target: 0.0, weight: BENDING * BENDING });
            }
        }
        equations
    }
}

/// Least squares by conjugate gradients on the normal equations, from the field as it is.
fn solve(equations: &[Equation], field: &mut [f64]) {
    let value = |field: &[f64], equation: &Equation| equation.terms.iter().map(|(i, f)| f * field[*i]).sum::<f64>();
    let gradient = |of: &dyn Fn(&Equation) -> f64| {
        let mut sum = vec![0.0; field.len()];
        for equation in equations {
            let part = equation.weight * of(equation);
            equation.terms.iter().for_each(|(i, factor)| sum[*i] += factor * part);
        }
        sum
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut left = gradient(&|equation| equation.target - value(field, equation));
    let mut way = left.clone();
    let mut size = dot(&left, &left);
    let least = 1e-16 * size;
    let mut moved = vec![0.0; field.len()];
    for _ in 0..STEPS {
        if size <= least || size == 0.0 {
            break;
        }
        let pushed = gradient(&|equation| value(&way, equation));
        let step = size / dot(&way, &pushed).max(1e-300);
        moved.iter_mut().zip(&way).for_each(|(m, w)| *m += step * w);
        left.iter_mut().zip(&pushed).for_each(|(l, p)| *l -= step * p);
        let next = dot(&left, &left);
        way.iter_mut().zip(&left).for_each(|(w, l)| *w = l + next / size * *w);
        size = next;
    }
    field.iter_mut().zip(&moved).for_each(|(f, m)| *f += m);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_continued_beyond_its_values_and_a_wrong_value_is_passed_over() {
        let grid = Grid::over(DVec2::new(1280.0, 720.0));
        let plane = |p: DVec2| 0.2 + 3e-4 * p.x - 1e-4 * p.y;
        let mut values: Vec<(DVec2, f64)> = (0..200)
            .map(|i| DVec2::new(300.0 + f64::from(i % 20) * 20.0, 200.0 + f64::from(i / 20) * 25.0))
            .map(|p| (p, plane(p)))
            .collect();
        values[77].1 += 5.0;
        let field = grid.fitted(&values);
        for p in [DVec2::new(400.0, 300.0), DVec2::new(640.0, 360.0)] {
            assert!((grid.at(&field, p) - plane(p)).abs() < 0.01, "{p}: {}", grid.at(&field, p));
        }
        let far = DVec2::new(900.0, 600.0);
        assert!((grid.at(&field, far) - plane(far)).abs() < 0.1, "{}", grid.at(&field, far));
    }
}
