//! The essential matrices of five pairs of rays, after Stewénius, Engels and Nistér, "Recent developments on direct relative
//! orientation" (2006): ten cubic equations in three unknowns, whose solutions are eigenvectors of a matrix of multiplication.

use glam::{DMat3, DVec3};

/// Exponents of the monomials, those of the third degree first.
const MONOMIALS: [[u8; 3]; 20] = [
    [3, 0, 0],
    [2, 1, 0],
    [2, 0, 1],
    [1, 2, 0],
    [1, 1, 1],
    [1, 0, 2],
    [0, 3, 0],
    [0, 2, 1],
    [0, 1, 2],
    [0, 0, 3],
    [2, 0, 0],
    [1, 1, 0],
    [1, 0, 1],
    [0, 2, 0],
    [0, 1, 1],
    [0, 0, 2],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 0],
];
/// Exponents of the unknowns of a linear polynomial, and of its constant.
const LINEAR: [[u8; 3]; 4] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]];
/// The monomial that is the product of another and a linear one; 20 above the third degree.
const TIMES: [[usize; 4]; 20] = products();

const fn products() -> [[usize; 4]; 20] {
    let mut products = [[20; 4]; 20];
    let mut of = 0;
    while of < 20 {
        let mut by = 0;
        while by < 4 {
            let mut at = 0;
            while at < 20 {
                let (a, b, c) = (MONOMIALS[of], LINEAR[by], MONOMIALS[at]);
                if a[0] + b[0] == c[0] && a[1] + b[1] == c[1] && a[2] + b[2] == c[2] {
                    products[of][by] = at;
                }
                at += 1;
            }
            by += 1;
        }
        of += 1;
    }
    products
}

/// Greatest number of rounds in which eigenvalues are found.
const MOST_ROUNDS: usize = 80;

/// A polynomial of at most the third degree.
type Cubic = [f64; 20];
/// A linear polynomial.
type Linear = [f64; 4];
type Square = [[f64; 10]; 10];

/// The essential matrices `E` with `b · E a = 0` for all five pairs; at most ten.
pub(crate) fn essential_matrices(pairs: [(DVec3, DVec3); 5]) -> Vec<DMat3> {
    let rows = pairs.map(|(a, b)| {
        let mut row = [0.0; 9];
        for (i, value) in row.iter_mut().enumerate() {
            *value = b[i / 3] * a[i % 3];
        }
        row
    });
    let Some(basis) = null_space(rows) else { return Vec::new() };
    let entries: [Linear; 9] = std::array::from_fn(|i| basis.map(|vector| vector[i]));
    let Some(action) = multiplication(constraints(&entries)) else { return Vec::new() };
    let solutions = real_eigenvalues(&action).into_iter().filter_map(|root| eigenvector(&action, root));
    solutions
        .map(|[x, y, z]| {
            let value = |i: usize| x * basis[0][i] + y * basis[1][i] + z * basis[2][i] + basis[3][i];
            DMat3::from_cols_array(&std::array::from_fn(|i| value(i % 3 * 3 + i / 3)))
        })
        .collect()
}

/// Four orthonormal vectors that are normal to five.
fn null_space(rows: [[f64; 9]; 5]) -> Option<[[f64; 9]; 4]> {
    let dot = |a: &[f64; 9], b: &[f64; 9]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut all: Vec<[f64; 9]> = Vec::with_capacity(9);
    let units = (0..9).map(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    // The units that stand out most from what is there already.
    let mut units: Vec<[f64; 9]> = units.collect();
    let orthogonal = |vector: [f64; 9], all: &[[f64; 9]]| {
        let mut left = vector;
        for _ in 0..2 {
            for other in all {
                let share = dot(&left, other);
                left.iter_mut().zip(other).for_each(|(l, o)| *l -= share * o);
            }
        }
        left
    };
    for row in rows {
        let left = orthogonal(row, &all);
        let length = dot(&left, &left).sqrt();
        if length < 1e-9 * dot(&row, &row).sqrt().max(1e-12) {
            return None;
        }
        all.push(left.map(|v| v / length));
    }
    while all.len() < 9 {
        let lengths = units.iter().map(|unit| {
            let left = orthogonal(*unit, &all);
            dot(&left, &left)
        });
        let (best, _) = lengths.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let left = orthogonal(units.swap_remove(best), &all);
        let length = dot(&left, &left).sqrt();
        all.push(left.map(|v| v / length));
    }
    Some([all[5], all[6], all[7], all[8]])
}

/// Adds the product of a polynomial, of at most the second degree, and a linear one.
fn add_product(to: &mut Cubic, of: &Cubic, by: &Linear, factor: f64) {
    for (i, a) in of.iter().enumerate().filter(|(_, a)| **a != 0.0) {
        for (j, b) in by.iter().enumerate() {
            if let Some(to) = to.get_mut(TIMES[i][j]) {
                *to += factor * a * b;
            }
        }
    }
}

fn product(a: &Linear, b: &Linear, to: &mut Cubic, factor: f64) {
    let mut lifted = [0.0; 20];
    lifted[16..].copy_from_slice(a);
    add_product(to, &lifted, b, factor);
}

/// `det E = 0` and `2 E Eᵀ E = tr(E Eᵀ) E`.
fn constraints(e: &[Linear; 9]) -> [Cubic; 10] {
    let mut all = [[0.0; 20]; 10];
    let mut square = [[0.0; 20]; 9];
    for (i, to) in square.iter_mut().enumerate() {
        (0..3).for_each(|k| product(&e[i / 3 * 3 + k], &e[i % 3 * 3 + k], to, 1.0));
    }
    let trace: Cubic = std::array::from_fn(|i| square[0][i] + square[4][i] + square[8][i]);
    for (i, to) in all.iter_mut().take(9).enumerate() {
        (0..3).for_each(|k| add_product(to, &square[i / 3 * 3 + k], &e[k * 3 + i % 3], 2.0));
        add_product(to, &trace, &e[i], -1.0);
    }
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        let mut minor = [0.0; 20];
        product(&e[3 + j], &e[6 + k], &mut minor, 1.0);
        product(&e[3 + k], &e[6 + j], &mut minor, -1.0);
        add_product(&mut all[9], &minor, &e[i], 1.0);
    }
    all
}

/// Brings the first columns to those of the identity (Gauss and Jordan).
fn eliminate<const COLUMNS: usize, const WIDTH: usize>(rows: &mut [[f64; WIDTH]; 10]) -> Option<()> {
    for at in 0..COLUMNS {
        let pivot = (at..10).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, pivot);
        let by = rows[at][at];
        if by.abs() < 1e-12 {
            return None;
        }
        rows[at].iter_mut().for_each(|v| *v /= by);
        let own = rows[at];
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
            let share = row[at];
            row.iter_mut().zip(&own).for_each(|(v, o)| *v -= share * o);
        }
    }
    Some(())
}

/// The matrix by which the first unknown multiplies the monomials of lower degree, where the equations hold.
fn multiplication(mut rows: [Cubic; 10]) -> Option<Square> {
    eliminate::<10, _>(&mut rows)?;
    let mut action = [[0.0; 10]; 10];
    for (i, to) in action.iter_mut().enumerate() {
        let at = TIMES[10 + i][0];
        if at < 10 {
            (0..10).for_each(|j| to[j] = -rows[at][10 + j]);
        } else {
            to[at - 10] = 1.0;
        }
    }
    Some(action)
}

/// A matrix with the same eigenvalues and nothing below its first subdiagonal.
fn hessenberg(mut a: Square) -> Square {
    for at in 1..9 {
        let pivot = (at..10).max_by(|i, j| a[*i][at - 1].abs().total_cmp(&a[*j][at - 1].abs())).unwrap_or(at);
        if a[pivot][at - 1] == 0.0 {
            continue;
        }
        a.swap(at, pivot);
        a.iter_mut().for_each(|row| row.swap(at, pivot));
        for i in at + 1..10 {
            let own = a[at];
            let share = a[i][at - 1] / own[at - 1];
            a[i].iter_mut().zip(&own).for_each(|(v, o)| *v -= share * o);
            a.iter_mut().for_each(|row| row[at] += share * row[i]);
        }
    }
    a
}

/// A complex number.
type Complex = [f64; 2];

fn times(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn over(a: Complex, b: Complex) -> Complex {
    // Scaled, so that squares stay finite.
    let most = b[0].abs().max(b[1].abs()).max(1e-300);
    let (a, b) = (a.map(|v| v / most), b.map(|v| v / most));
    let size = b[0] * b[0] + b[1] * b[1];
    [(a[0] * b[0] + a[1] * b[1]) / size, (a[1] * b[0] - a[0] * b[1]) / size]
}

/// The characteristic polynomial over its derivative (Hyman, on a Hessenberg matrix), which is more exact than by coefficients.
fn newton_step(h: &Square, z: Complex) -> Complex {
    let (mut value, mut slope) = ([[0.0; 2]; 10], [[0.0; 2]; 10]);
    value[9] = [1.0, 0.0];
    // The row times the vector, and its derivative.
    let row = |i: usize, value: &[Complex; 10], slope: &[Complex; 10]| {
        let (mut sum, mut change) = ([0.0; 2], [0.0; 2]);
        for j in i..10 {
            let entry = if i == j { [h[i][j] - z[0], -z[1]] } else { [h[i][j], 0.0] };
            let (part, moved) = (times(entry, value[j]), times(entry, slope[j]));
            let own = if i == j { value[j] } else { [0.0; 2] };
            (0..2).for_each(|k| {
                sum[k] += part[k];
                change[k] += moved[k] - own[k];
            });
        }
        (sum, change)
    };
    for i in (1..10).rev() {
        let (sum, change) = row(i, &value, &slope);
        let below = if h[i][i - 1].abs() < 1e-14 { 1e-14 } else { h[i][i - 1] };
        value[i - 1] = sum.map(|v| -v / below);
        slope[i - 1] = change.map(|v| -v / below);
    }
    let (sum, change) = row(0, &value, &slope);
    over(sum, change)
}

/// The real eigenvalues (Aberth and Ehrlich).
fn real_eigenvalues(action: &Square) -> Vec<f64> {
    let h = hessenberg(*action);
    let radius = h.iter().map(|row| row.iter().map(|v| v.abs()).sum::<f64>()).fold(1e-6, f64::max).sqrt();
    let mut roots: [Complex; 10] = std::array::from_fn(|k| {
        let turn = std::f64::consts::TAU * k as f64 / 10.0 + 0.4;
        [radius * turn.cos(), radius * turn.sin()]
    });
    for _ in 0..MOST_ROUNDS {
        let mut most = 0.0f64;
        for k in 0..10 {
            let newton = newton_step(&h, roots[k]);
            let repulsion = (0..10).filter(|j| *j != k).fold([0.0; 2], |sum, j| {
                let one = over([1.0, 0.0], [roots[k][0] - roots[j][0], roots[k][1] - roots[j][1]]);
                [sum[0] + one[0], sum[1] + one[1]]
            });
            let product = times(newton, repulsion);
            let step = over(newton, [1.0 - product[0], -product[1]]);
            if step.iter().all(|s| s.is_finite()) {
                roots[k] = [roots[k][0] - step[0], roots[k][1] - step[1]];
                most = most.max(step[0].hypot(step[1]) / (1e-3 + roots[k][0].hypot(roots[k][1])));
            }
        }
        if most < 1e-11 {
            break;
        }
    }
    let is_real = |root: &&Complex| root[1].abs() < 1e-4 * (1e-2 + root[0].abs());
    roots.iter().filter(is_real).map(|root| root[0]).collect()
}

/// The unknowns at an eigenvalue.
fn eigenvector(action: &Square, root: f64) -> Option<[f64; 3]> {
    let mut rows = *action;
    (0..10).for_each(|i| rows[i][i] -= root);
    // All columns but the last, the constant.
    eliminate::<9, _>(&mut rows)?;
    Some([-rows[6][9], -rows[7][9], -rows[8][9]])
}

#[cfg(test)]
mod tests {
    use aerie_math::Rng;

    use super::*;

    #[test]
    fn the_essential_matrix_of_two_cameras_is_among_the_solutions() {
        let mut rng = Rng::new(7);
        let mut worst = 0.0f64;
        for _ in 0..50 {
            let mut number = |most: f64| rng.range_f64(-most, most);
            let rotation = DMat3::from_rotation_y(number(0.6)) * DMat3::from_rotation_x(number(0.3));
            let shift = DVec3::new(number(1.0), number(0.4), number(1.0)).normalize();
            let pairs = std::array::from_fn(|_| {
                let place = DVec3::new(number(3.0), number(2.0), 5.0 + number(2.0));
                let seen = rotation * place + shift;
                (place / place.z, seen / seen.z)
            });
            let cross = DMat3::from_cols(
                DVec3::new(0.0, shift.z, -shift.y),
                DVec3::new(-shift.z, 0.0, shift.x),
                DVec3::new(shift.y, -shift.x, 0.0),
            );
            let size = |m: DMat3| m.to_cols_array().iter().map(|v| v * v).sum::<f64>().sqrt();
            let truth = cross * rotation;
            let truth = truth * (1.0 / size(truth));
            let found = essential_matrices(pairs);
            let error = |m: DMat3| {
                let m = m * (1.0 / size(m));
                size(m - truth).min(size(m + truth))
            };
            worst = worst.max(found.into_iter().map(error).fold(f64::INFINITY, f64::min));
        }
        assert!(worst < 1e-5, "{worst}");
    }
}
