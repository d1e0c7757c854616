//! Gaussian and Laplacian pyramids of single planes (Burt and Adelson 1983).

use aerie_register::Plane;

/// Shorter side below which a plane is not halved again.
const COARSEST: usize = 8;

/// Computes row `y` of a plane expanded to twice its size.
pub(super) fn expanded_row(plane: &Plane, y: usize, out: &mut [f32]) {
    let own = y / 2;
    let below = plane.row((own + 1).min(plane.height - 1));
    let mut column = vec![0.0; plane.width];
    if y.is_multiple_of(2) {
        let above = plane.row(own.saturating_sub(1));
        let rows = above.iter().zip(plane.row(own)).zip(below);
        column.iter_mut().zip(rows).for_each(|(c, ((a, b), d))| *c = (a + 6.0 * b + d) / 8.0);
    } else {
        let rows = plane.row(own).iter().zip(below);
        column.iter_mut().zip(rows).for_each(|(c, (a, b))| *c = (a + b) / 2.0);
    }
    let last = plane.width - 1;
    for (x, out) in out.iter_mut().enumerate() {
        let i = x / 2;
        let next = column[(i + 1).min(last)];
        *out = match x % 2 {
            0 => (column[i.saturating_sub(1)] + 6.0 * column[i] + next) / 8.0,
            _ => (column[i] + next) / 2.0,
        };
    }
}

/// Sizes of the levels below a picture of this size, from its half.
pub(super) fn sizes_below([width, height]: [usize; 2]) -> Vec<[usize; 2]> {
    let mut sizes = vec![[width.div_ceil(2), height.div_ceil(2)]];
    while let Some([width, height]) = sizes.last().copied().filter(|[w, h]| *w.min(h) > COARSEST) {
        sizes.push([width.div_ceil(2), height.div_ceil(2)]);
    }
    sizes
}

/// Gaussian pyramid below a plane whose rows are given by `row`: the half-size level first.
pub(super) fn below(size: [usize; 2], row: impl Fn(usize, &mut [f32]) + Sync) -> Vec<Plane> {
    let mut levels = vec![Plane::halved_from(size, row)];
    for _ in 1..sizes_below(size).len() {
        levels.push(levels[levels.len() - 1].halved());
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_restored_from_its_differences_to_the_expanded_levels() {
        let (width, height) = (37, 23);
        let plane: Vec<f32> = (0..width * height).map(|i| ((i * 37) % 101) as f32).collect();
        let levels = below([width, height], |y, out| out.copy_from_slice(&plane[y * width..(y + 1) * width]));
        let sizes: Vec<[usize; 2]> = levels.iter().map(|level| [level.width, level.height]).collect();
        assert_eq!(sizes, sizes_below([width, height]));
        let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
        let coarsest = &levels[levels.len() - 1];
        assert!((mean(&coarsest.values) - mean(&plane)).abs() < 3.0);
        let mut expanded = vec![0.0; width];
        for y in 0..height {
            expanded_row(&levels[0], y, &mut expanded);
            assert!(expanded.iter().all(|v| (0.0..=101.0).contains(v)));
        }
    }

    #[test]
    fn an_even_plane_stays_even() {
        let levels = below([20, 31], |_, out| out.fill(0.7));
        for level in &levels {
            assert!(level.values.iter().all(|v| (v - 0.7).abs() < 1e-5));
            let mut row = vec![0.0; level.width * 2];
            expanded_row(level, 0, &mut row);
            assert!(row.iter().all(|v| (v - 0.7).abs() < 1e-5));
        }
    }
}
