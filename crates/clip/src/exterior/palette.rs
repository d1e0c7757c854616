//! Mixtures of colors and textures.

/// Clusters of a palette, and rounds to find them.
const CLUSTERS: usize = 6;
const ROUNDS: usize = 8;
/// Least standard deviation of lightness, the two colors and texture.
const LEAST_SPREAD: [f32; 4] = [4.0, 2.5, 2.5, 1.5];

/// A mixture of normal distributions without covariance, by k-means.
pub(super) struct Palette(Vec<([f32; 4], [f32; 4], f32)>);

impl Palette {
    /// Fits samples of lightness, two colors and texture; `None` if they are few.
    pub(super) fn fit(samples: &[[f32; 4]]) -> Option<Self> {
        if samples.len() < 60 {
            return None;
        }
        let step = (samples.len() / 4000).max(1);
        let mut values: Vec<[f32; 4]> = samples.iter().copied().step_by(step).collect();
        // Initial means are spread over the range of lightness, so that the result is deterministic.
        values.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let mut means: Vec<[f32; 4]> =
            (0..CLUSTERS).map(|k| values[(2 * k + 1) * values.len() / (2 * CLUSTERS)]).collect();
        let off = |a: &[f32; 4], b: &[f32; 4]| (0..4).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>();
        let mut clusters = Vec::new();
        for _ in 0..ROUNDS {
            let mut sums = [([0.0_f64; 4], [0.0_f64; 4], 0_usize); CLUSTERS];
            for value in &values {
                let nearest = (0..CLUSTERS).min_by(|a, b| off(&means[*a], value).total_cmp(&off(&means[*b], value)));
                let sum = &mut sums[nearest.unwrap_or(0)];
                for (c, v) in value.iter().enumerate() {
                    sum.0[c] += f64::from(*v);
                    sum.1[c] += f64::from(*v).powi(2);
                }
                sum.2 += 1;
            }
            clusters.clear();
            for (k, (sum, squares, count)) in sums.iter().enumerate().filter(|(_, sum)| sum.2 >= 8) {
                let mean = sum.map(|s| s / *count as f64);
                means[k] = mean.map(|m| m as f32);
                let spread: [f32; 4] = std::array::from_fn(|c| {
                    let variance = (squares[c] / *count as f64 - mean[c].powi(2)).max(0.0);
                    (variance.sqrt() as f32).max(LEAST_SPREAD[c])
                });
                clusters.push((means[k], spread, *count as f32 / values.len() as f32));
            }
        }
        Some(Self(clusters))
    }

    /// Logarithm of the density at a sample, but for a constant; bounded below.
    pub(super) fn density(&self, sample: &[f32; 4]) -> f32 {
        let of = |(mean, spread, share): &([f32; 4], [f32; 4], f32)| {
            let off: f32 =
                (0..4).map(|c| ((sample[c] - mean[c]) / spread[c]).powi(2) / 2.0 + libm::logf(spread[c])).sum();
            libm::logf(share.max(1e-3)) - off
        };
        self.0.iter().map(of).fold(-18.0, f32::max)
    }
}
