//! Smooth curves: easing, and upper envelopes without kinks.

/// Eased progress: at rest at both ends, uniform in between; `share` is the part of the time spent on each ramp.
pub(super) fn ease(t: f64, share: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    // Integral of a speed that rises as a raised cosine over `share`, stays, and falls; scaled to 1.
    let ramp = |t: f64| {
        let x = t / share;
        0.5 * share * (x - (std::f64::consts::PI * x).sin() / std::f64::consts::PI)
    };
    let total = 1.0 - share;
    let covered = if t < share {
        ramp(t)
    } else if t > 1.0 - share {
        total - ramp(1.0 - t)
    } else {
        0.5 * share + (t - share)
    };
    covered / total
}

/// Smooth maximum: rounded off over `width` where the values meet, never below either.
pub(super) fn soft_max(a: f64, b: f64, width: f64) -> f64 {
    let d = (width - (a - b).abs()).max(0.0) / width;
    a.max(b) + d * d * width * 0.25
}

/// A smooth upper envelope of `values`: the maximum within twice `radius` samples, averaged twice over `radius` samples to each
/// side, which keeps slope and curvature continuous.
pub(super) fn soft_ceiling(values: &[f64], radius: usize) -> Vec<f64> {
    // Mirrored at both ends, where the curve is therefore level.
    let last = values.len() as isize - 1;
    let mirrored = |i: isize| (if i < 0 { -i } else { last - (last - i).abs() }).clamp(0, last) as usize;
    let window =
        |i: usize, reach: usize| (-(reach as isize)..=reach as isize).map(move |d| (d, mirrored(i as isize + d)));
    let mut curve: Vec<f64> =
        (0..values.len()).map(|i| window(i, 2 * radius).map(|(_, j)| values[j]).fold(f64::MIN, f64::max)).collect();
    let weight = |d: isize| 0.5 + 0.5 * (std::f64::consts::PI * d as f64 / (radius + 1) as f64).cos();
    for _ in 0..2 {
        curve = (0..values.len())
            .map(|i| {
                let (sum, total) = window(i, radius)
                    .fold((0.0, 0.0), |(sum, total), (d, j)| (sum + weight(d) * curve[j], total + weight(d)));
                sum / total
            })
            .collect();
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easing_starts_and_ends_at_rest_and_is_monotonic() {
        for share in [0.15, 0.3, 0.45] {
            assert!(ease(0.0, share).abs() < 1e-12 && (ease(1.0, share) - 1.0).abs() < 1e-12);
            assert!(ease(0.01, share) < 0.001);
            for i in 0..1000 {
                assert!(ease(f64::from(i + 1) / 1000.0, share) >= ease(f64::from(i) / 1000.0, share));
            }
        }
    }

    #[test]
    fn the_soft_ceiling_is_nowhere_below_its_values() {
        let values: Vec<f64> = (0..300).map(|i| f64::from((i * 7919) % 83)).collect();
        for (smooth, value) in soft_ceiling(&values, 20).iter().zip(&values) {
            assert!(smooth >= value);
        }
    }
}
