//! Small systems of linear equations.

/// Solves linear equations by Gaussian elimination with partial pivoting; `None` if they are singular, which is where a pivot is
/// less than `least`.
#[must_use]
pub fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N], least: f64) -> Option<[f64; N]> {
    for i in 0..N {
        let pivot = (i..N).max_by(|a, b| matrix[*a][i].abs().total_cmp(&matrix[*b][i].abs()))?;
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        let own = matrix[i];
        if own[i].abs() < least {
            return None;
        }
        for k in i + 1..N {
            let factor = matrix[k][i] / own[i];
            (i..N).for_each(|c| matrix[k][c] -= factor * own[c]);
            right[k] -= factor * right[i];
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|c| matrix[i][c] * right[c]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_fulfills_its_equations_and_singular_ones_have_none() {
        let matrix = [[0.0, 2.0, 1.0], [3.0, -1.0, 0.5], [1.0, 1.0, 1.0]];
        let found = solve(matrix, [4.0, 1.0, 3.0], 1e-12).unwrap();
        for (row, right) in matrix.iter().zip([4.0, 1.0, 3.0]) {
            assert!((row.iter().zip(found).map(|(a, b)| a * b).sum::<f64>() - right).abs() < 1e-12);
        }
        assert_eq!(solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0], 1e-12), None);
    }
}
