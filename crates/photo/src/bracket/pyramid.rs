//! Gaussian and Laplacian pyramids of single planes (Burt and Adelson 1983).

use rayon::prelude::*;

/// Shorter side below which a plane is not halved again.
const COARSEST: usize = 8;

/// One plane.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f32>,
}

impl Plane {
    pub(super) fn zero([width, height]: [usize; 2]) -> Self {
        Self { width, height, values: vec![0.0; width * height] }
    }

    /// Low-pass filtered half-size copy of a plane whose rows are given by `row`.
    pub(super) fn halved_from([width, height]: [usize; 2], row: impl Fn(usize, &mut [f32]) + Sync) -> Self {
        let (across, down) = (width.div_ceil(2), height.div_ceil(2));
        let mut values = vec![0.0; across * down];
        values.par_chunks_mut(across).enumerate().for_each(|(y, out)| {
            let (mut sum, mut own) = (vec![0.0; width], vec![0.0; width]);
            for (i, tap) in TAPS.into_iter().enumerate() {
                row((2 * y + i).saturating_sub(2).min(height - 1), &mut own);
                sum.iter_mut().zip(&own).for_each(|(s, v)| *s += tap * v);
            }
            for (x, out) in out.iter_mut().enumerate() {
                let at = |i: usize| sum[(2 * x + i).saturating_sub(2).min(width - 1)];
                *out = TAPS[0] * (at(0) + at(4)) + TAPS[1] * (at(1) + at(3)) + TAPS[2] * at(2);
            }
        });
        Self { width: across, height: down, values }
    }

    pub(super) fn halved(&self) -> Self {
        Self::halved_from([self.width, self.height], |y, out| out.copy_from_slice(self.row(y)))
    }

    fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// Row `y` of the plane expanded to twice its size.
    pub(super) fn expanded_row(&self, y: usize, out: &mut [f32]) {
        let own = y / 2;
        let below = self.row((own + 1).min(self.height - 1));
        let mut column = vec![0.0; self.width];
        if y.is_multiple_of(2) {
            let above = self.row(own.saturating_sub(1));
            let rows = above.iter().zip(self.row(own)).zip(below);
            column.iter_mut().zip(rows).for_each(|(c, ((a, b), d))| *c = (a + 6.0 * b + d) / 8.0);
        } else {
            let rows = self.row(own).iter().zip(below);
            column.iter_mut().zip(rows).for_each(|(c, (a, b))| *c = (a + b) / 2.0);
        }
        let last = self.width - 1;
        for (x, out) in out.iter_mut().enumerate() {
            let i = x / 2;
            let next = column[(i + 1).min(last)];
            *out = match x % 2 {
                0 => (column[i.saturating_sub(1)] + 6.0 * column[i] + next) / 8.0,
                _ => (column[i] + next) / 2.0,
            };
        }
    }
}

const TAPS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

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
            levels[0].expanded_row(y, &mut expanded);
            assert!(expanded.iter().all(|v| (0.0..=101.0).contains(v)));
        }
    }

    #[test]
    fn an_even_plane_stays_even() {
        let levels = below([20, 31], |_, out| out.fill(0.7));
        for level in &levels {
            assert!(level.values.iter().all(|v| (v - 0.7).abs() < 1e-5));
            let mut row = vec![0.0; level.width * 2];
            level.expanded_row(0, &mut row);
            assert!(row.iter().all(|v| (v - 0.7).abs() < 1e-5));
        }
    }
}
