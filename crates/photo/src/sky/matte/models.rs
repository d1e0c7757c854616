//! Models of the colors of a sky and of what is below it.

use super::features::Features;

/// Smooth sky color: L*, a*, b* as quadratic functions of position.
pub(super) struct QuadraticFit {
    coefficients: [[f64; 6]; 3],
    spread: [f32; 3],
    breadth: f32,
}

/// How much a spread adds to a distance: the logarithm of the volume that colors share.
fn breadth(spread: [f32; 3]) -> f32 {
    2.0 * spread.iter().map(|s| s.ln()).sum::<f32>()
}

fn terms(features: &Features, i: usize) -> [f64; 6] {
    let x = (i % features.width) as f64 / features.width as f64 - 0.5;
    let y = (i / features.width) as f64 / features.height as f64 - 0.5;
    [1.0, x, y, x * x, x * y, y * y]
}

impl QuadraticFit {
    pub(super) fn fit(features: &Features, mask: &[bool]) -> Option<Self> {
        let chosen: Vec<usize> = (0..mask.len()).filter(|i| mask[*i]).collect();
        if chosen.len() < 50 {
            return None;
        }
        let mut normal = [[0.0_f64; 6]; 6];
        let mut right = [[0.0_f64; 6]; 3];
        for i in &chosen {
            let t = terms(features, *i);
            for r in 0..6 {
                (0..6).for_each(|c| normal[r][c] += t[r] * t[c]);
                (0..3).for_each(|c| right[c][r] += t[r] * f64::from(features.lab[*i][c]));
            }
        }
        // Ridge regularization: a narrow strip of sky does not determine the curvature.
        let ridge = 1e-3 * chosen.len() as f64;
        (1..6).for_each(|r| normal[r][r] += ridge);
        let coefficients = right.map(|r| solved(normal, r));
        let mut sums = [0.0_f64; 3];
        let fitted = Self { coefficients, spread: [1.0; 3], breadth: 0.0 };
        for i in &chosen {
            let expected = fitted.at(features, *i);
            (0..3).for_each(|c| sums[c] += f64::from(features.lab[*i][c] - expected[c]).powi(2));
        }
        let spread = sums.map(|s| ((s / chosen.len() as f64).sqrt() as f32).max(1.8));
        Some(Self { coefficients, spread, breadth: breadth(spread) })
    }

    fn at(&self, features: &Features, i: usize) -> [f32; 3] {
        let t = terms(features, i);
        self.coefficients.map(|k| k.iter().zip(t).map(|(k, t)| k * t).sum::<f64>() as f32)
    }

    pub(super) fn distance(&self, features: &Features, i: usize) -> f32 {
        let expected = self.at(features, i);
        (0..3).map(|c| ((features.lab[i][c] - expected[c]) / self.spread[c]).powi(2)).sum::<f32>() + self.breadth
    }
}

/// Solves linear equations by Gaussian elimination with pivoting.
fn solved(mut a: [[f64; 6]; 6], mut b: [f64; 6]) -> [f64; 6] {
    for k in 0..6 {
        let pivot = (k..6).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap_or(k);
        a.swap(k, pivot);
        b.swap(k, pivot);
        if a[k][k].abs() < 1e-12 {
            continue;
        }
        for i in k + 1..6 {
            let share = a[i][k] / a[k][k];
            (k..6).for_each(|j| a[i][j] -= share * a[k][j]);
            b[i] -= share * b[k];
        }
    }
    let mut x = [0.0; 6];
    for k in (0..6).rev() {
        let sum: f64 = (k + 1..6).map(|j| a[k][j] * x[j]).sum();
        x[k] = if a[k][k].abs() < 1e-12 { 0.0 } else { (b[k] - sum) / a[k][k] };
    }
    x
}

/// Color clusters by k-means.
pub(super) struct ColorClusters(Vec<Cluster>);

struct Cluster {
    mean: [f32; 3],
    /// Standard deviation.
    spread: [f32; 3],
    breadth: f32,
    /// How much its share of the colors takes from a distance.
    frequency: f32,
}

impl ColorClusters {
    pub(super) fn fit(features: &Features, mask: &[bool], count: usize) -> Option<Self> {
        let mut values: Vec<[f32; 3]> = (0..mask.len()).filter(|i| mask[*i]).map(|i| features.lab[i]).collect();
        if values.len() < 50 {
            return None;
        }
        let step = (values.len() / 6000).max(1);
        values = values.into_iter().step_by(step).collect();
        // Initial means are spread over the range of lightness, so that the result is deterministic.
        values.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let mut means: Vec<[f32; 3]> = (0..count).map(|k| values[(2 * k + 1) * values.len() / (2 * count)]).collect();
        let nearest = |means: &[[f32; 3]], v: &[f32; 3]| {
            let off = |m: &[f32; 3]| (0..3).map(|c| (v[c] - m[c]).powi(2)).sum::<f32>();
            (0..means.len()).min_by(|a, b| off(&means[*a]).total_cmp(&off(&means[*b]))).unwrap_or(0)
        };
        let mut clusters = Vec::new();
        for _ in 0..8 {
            let mut sums = vec![([0.0_f64; 3], [0.0_f64; 3], 0_usize); count];
            for v in &values {
                let cluster = &mut sums[nearest(&means, v)];
                for (c, value) in v.iter().enumerate() {
                    cluster.0[c] += f64::from(*value);
                    cluster.1[c] += f64::from(*value).powi(2);
                }
                cluster.2 += 1;
            }
            clusters.clear();
            for (k, (sum, square, n)) in sums.iter().enumerate() {
                if *n < 10 {
                    continue;
                }
                let mean = sum.map(|s| s / *n as f64);
                means[k] = mean.map(|m| m as f32);
                let spread =
                    [0, 1, 2].map(|c| (square[c] / *n as f64 - mean[c].powi(2)).max(0.0).sqrt().max(2.5) as f32);
                let share = *n as f32 / values.len() as f32;
                let frequency = 2.0 * share.max(0.02).ln();
                clusters.push(Cluster { mean: means[k], spread, breadth: breadth(spread), frequency });
            }
        }
        Some(Self(clusters))
    }

    pub(super) fn distance(&self, features: &Features, i: usize) -> f32 {
        let of = |cluster: &Cluster| {
            let off = |c: usize| ((features.lab[i][c] - cluster.mean[c]) / cluster.spread[c]).powi(2);
            (0..3).map(off).sum::<f32>() + cluster.breadth - cluster.frequency
        };
        self.0.iter().map(of).fold(f32::MAX, f32::min)
    }
}
