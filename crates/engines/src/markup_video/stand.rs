//! Position and opacity of a label over time.

use glam::DVec2;

/// Frames on each side over which a label's opacity is smoothed.
pub(super) const SPREAD: usize = 9;

/// Position and opacity of a label in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stand {
    pub(super) at: DVec2,
    pub(super) strength: f64,
}

/// Moving average over the frames.
pub(super) fn spread(values: &[f64]) -> Vec<f64> {
    let weight = |d: usize| 1.0 + (std::f64::consts::PI * d as f64 / (SPREAD + 1) as f64).cos();
    (0..values.len())
        .map(|i| {
            let near = i.saturating_sub(SPREAD)..(i + SPREAD + 1).min(values.len());
            let (sum, total) = near.fold((0.0, 0.0), |(sum, total), j| {
                let w = weight(i.abs_diff(j));
                (sum + w * values[j], total + w)
            });
            sum / total
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_keeps_constants_and_softens_steps() {
        assert!(spread(&[0.7; 40]).iter().all(|v| (v - 0.7).abs() < 1e-12));
        let step: Vec<f64> = (0..60).map(|i| if i < 30 { 0.0 } else { 1.0 }).collect();
        assert!(spread(&step).windows(2).all(|w| w[1] >= w[0] && w[1] - w[0] < 0.12));
    }
}
