//! Diffusion on a grid: each unknown is a weighted mean of its neighbors and of a value of its own (successive over-relaxation).

/// Over-relaxation of each step.
const RELAXATION: f32 = 1.9;

/// A system of unknowns on a grid.
pub(super) struct Diffusion {
    pub(super) width: usize,
    /// Weight of the link of each pixel to the one on its right, and to the one below; 0 for no link.
    pub(super) right: Vec<f32>,
    pub(super) below: Vec<f32>,
    /// What each pixel is drawn to, and how strongly.
    pub(super) toward: Vec<f32>,
    pub(super) pull: Vec<f32>,
    /// Pixels that are fixed.
    pub(super) is_fixed: Vec<bool>,
}

impl Diffusion {
    /// A system without links.
    pub(super) fn new(width: usize, count: usize) -> Self {
        let none = || vec![0.0; count];
        Self { width, right: none(), below: none(), toward: none(), pull: none(), is_fixed: vec![false; count] }
    }

    /// Solves for the pixels of `unknown`, from their present values.
    pub(super) fn solve(&self, values: &mut [f32], unknown: &[usize], rounds: usize) {
        for round in 0..rounds {
            // The last rounds only smooth.
            let relaxation = if round + 12 > rounds { 1.0 } else { RELAXATION };
            for &i in unknown {
                if self.is_fixed[i] {
                    continue;
                }
                let (mut sum, mut weights) = (self.pull[i] * self.toward[i], self.pull[i]);
                let mut link = |weight: f32, j: usize| {
                    sum += weight * values[j];
                    weights += weight;
                };
                if self.right[i] > 0.0 {
                    link(self.right[i], i + 1);
                }
                if self.below[i] > 0.0 {
                    link(self.below[i], i + self.width);
                }
                if i > 0 && self.right[i - 1] > 0.0 {
                    link(self.right[i - 1], i - 1);
                }
                if i >= self.width && self.below[i - self.width] > 0.0 {
                    link(self.below[i - self.width], i - self.width);
                }
                if weights > 0.0 {
                    values[i] += relaxation * (sum / weights - values[i]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_spread_along_links_and_stop_where_there_is_none() {
        let (width, count) = (21, 21 * 3);
        let mut system = Diffusion::new(width, count);
        for i in 0..count {
            let x = i % width;
            // No link between columns 13 and 14.
            system.right[i] = if x + 1 < width && x != 13 { 1.0 } else { 0.0 };
            system.below[i] = if i + width < count { 1.0 } else { 0.0 };
            system.is_fixed[i] = x == 0 || x == 20;
        }
        let mut values: Vec<f32> = (0..count).map(|i| if i % width == 20 { 5.0 } else { 1.0 }).collect();
        (0..count).filter(|i| (1..20).contains(&(i % width))).for_each(|i| values[i] = 3.0);
        system.solve(&mut values, &(0..count).collect::<Vec<_>>(), 300);
        for (i, value) in values.iter().enumerate() {
            let expected = if i % width <= 13 { 1.0 } else { 5.0 };
            assert!((value - expected).abs() < 0.02, "{i}: {value}");
        }
    }
}
