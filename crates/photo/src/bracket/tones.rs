//! How one exposure shows the values of another one: a curve per channel, from the values at the same pixels.

use super::small::{CRUSHED, Small};

/// Pixels of a value that its median needs.
const LEAST: usize = 12;
/// Greatest deviation that is taken for noise, encoded.
const MOST_SPREAD: f32 = 9.0;

/// Curves of encoded red, green and blue, 0 to 255, by encoded value.
#[derive(Debug, Clone)]
pub(super) struct Tones([Vec<f32>; 3], [Vec<f32>; 3]);

impl Tones {
    /// From one picture to another one of the same size, by the medians of the values that a value becomes; what moved is in the
    /// minority.
    pub(super) fn between(from: &Small, to: &Small) -> Self {
        let curves = [0, 1, 2].map(|c| curve(from, to, c));
        Self(curves.each_ref().map(|curve| curve.0.clone()), curves.map(|curve| curve.1))
    }

    /// First these, then `next`.
    pub(super) fn then(&self, next: &Self) -> Self {
        let chained = |c: usize| self.0[c].iter().map(|v| next.at(c, *v)).collect();
        Self([0, 1, 2].map(chained), self.1.clone())
    }

    pub(super) fn at(&self, channel: usize, value: f32) -> f32 {
        interpolated(&self.0[channel], value)
    }

    /// How far values may deviate from the curve without a reason, encoded.
    pub(super) fn spread(&self, channel: usize, value: f32) -> f32 {
        interpolated(&self.1[channel], value)
    }
}

fn interpolated(curve: &[f32], value: f32) -> f32 {
    let value = value.clamp(0.0, 255.0);
    let below = (value as usize).min(254);
    curve[below] + (value - below as f32) * (curve[below + 1] - curve[below])
}

fn curve(from: &Small, to: &Small, channel: usize) -> (Vec<f32>, Vec<f32>) {
    let mut becomes = vec![Vec::new(); 256];
    for ((a, b), covered) in from.pixels.iter().zip(&to.pixels).zip(&to.covered) {
        if *covered {
            becomes[(a[channel] + 0.5) as usize].push(b[channel]);
        }
    }
    let mut known: Vec<(f32, f32, f32, f32)> = Vec::new();
    for (value, values) in becomes.iter_mut().enumerate().filter(|(_, values)| values.len() >= LEAST) {
        values.sort_unstable_by(f32::total_cmp);
        let median = values[values.len() / 2];
        let mut apart: Vec<f32> = values.iter().map(|v| (v - median).abs()).collect();
        apart.sort_unstable_by(f32::total_cmp);
        let spread = (1.48 * apart[apart.len() / 2]).min(MOST_SPREAD);
        known.push((value as f32, median, values.len() as f32, spread));
    }
    // The medians that rise with the value, closest to those measured (pool adjacent violators).
    let mut pools: Vec<(f32, f32, usize)> = Vec::new();
    for (_, median, count, _) in &known {
        pools.push((*median, *count, 1));
        while let [.., a, b] = pools[..] {
            if a.0 <= b.0 {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push(((a.0 * a.1 + b.0 * b.1) / (a.1 + b.1), a.1 + b.1, a.2 + b.2));
        }
    }
    let medians = pools.iter().flat_map(|(median, _, count)| std::iter::repeat_n(*median, *count));
    for (known, median) in known.iter_mut().zip(medians.collect::<Vec<_>>()) {
        known.1 = median;
    }
    if known.is_empty() {
        return ((0..256).map(|v| v as f32).collect(), vec![MOST_SPREAD; 256]);
    }
    let at = |value: f32| {
        let above = known.partition_point(|k| k.0 < value);
        let (Some(low), Some(high)) = (known.get(above.saturating_sub(1)), known.get(above).or(known.last())) else {
            return (value, MOST_SPREAD);
        };
        let share = if high.0 > low.0 { ((value - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 0.0 };
        (low.1 + share * (high.1 - low.1), low.3 + share * (high.3 - low.3))
    };
    let (mut curve, spread): (Vec<f32>, Vec<f32>) = (0..256).map(|v| at(v as f32)).unzip();
    // Below the darkest measured value: black stays black.
    if known[0].0 > CRUSHED {
        let (first, value) = (known[0].0, known[0].1);
        (0..first as usize).for_each(|v| curve[v] = value * v as f32 / first);
    }
    (curve, spread)
}
