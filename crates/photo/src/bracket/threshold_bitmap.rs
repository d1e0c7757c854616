//! Shift between two exposures by median threshold bitmaps (Ward 2003): what is lighter than a quantile of its picture is so at
//! every exposure.

use super::pyramid::Plane;

/// Quantiles at which pictures are compared, the best first: the median of a dark exposure may be black.
const QUANTILES: [f32; 7] = [0.5, 0.3, 0.7, 0.85, 0.15, 0.95, 0.98];
/// Number of quantiles that are used.
const USED: usize = 3;
/// Encoded values within which a threshold is not near clipping.
const USABLE: std::ops::RangeInclusive<f32> = 8.0..=247.0;
/// Encoded values around a threshold that are left out as noise.
const MARGIN: f32 = 4.0;
/// Longer side at which the search starts, and how far it looks there, pixels.
const COARSEST: usize = 40;
const REACH: isize = 5;

/// Pixels that are surely lighter (1) or darker (-1) than a threshold.
struct Bitmap {
    width: usize,
    height: usize,
    signs: Vec<i8>,
}

impl Bitmap {
    fn of(plane: &Plane, threshold: f32) -> Self {
        let sign = |v: &f32| i8::from(*v > threshold + MARGIN) - i8::from(*v < threshold - MARGIN);
        Self { width: plane.width, height: plane.height, signs: plane.values.iter().map(sign).collect() }
    }

    /// Share of the surely lighter or darker pixels that differ, if the other picture is shifted by `x` and `y`.
    fn difference(&self, other: &Self, [x, y]: [isize; 2]) -> f32 {
        let (mut different, mut compared) = (0_u32, 0_u32);
        for row in 0..self.height {
            let Some(there) = row.checked_add_signed(y).filter(|row| *row < self.height) else { continue };
            let columns = usize::try_from(-x).unwrap_or(0)..self.width.min(self.width.saturating_add_signed(-x));
            if columns.is_empty() {
                continue;
            }
            let from = columns.start.saturating_add_signed(x);
            let own = &self.signs[row * self.width..][columns.clone()];
            let others = &other.signs[there * self.width + from..][..columns.len()];
            for (a, b) in own.iter().zip(others) {
                different += u32::from(a * b < 0);
                compared += u32::from(a * b != 0);
            }
        }
        // A little evidence is worth less than much.
        let prior = (self.signs.len() / 50) as f32;
        (different as f32 + 0.5 * prior) / (compared as f32 + prior)
    }
}

/// Shift of the second picture against the first in pixels of the finest level; the levels of both from fine to coarse.
pub(super) fn shift(reference: &[Plane], other: &[Plane]) -> [isize; 2] {
    let thresholds = thresholds(&reference[0], &other[0]);
    let mut shift = [0_isize; 2];
    let coarsest = reference.iter().position(|level| level.width.max(level.height) <= COARSEST);
    for level in (0..=coarsest.unwrap_or(reference.len() - 1)).rev() {
        let bitmaps: Vec<[Bitmap; 2]> = thresholds
            .iter()
            .map(|[a, b]| [Bitmap::of(&reference[level], *a), Bitmap::of(&other[level], *b)])
            .collect();
        let cost = |shift| bitmaps.iter().map(|[a, b]| a.difference(b, shift)).sum::<f32>();
        shift = shift.map(|v| 2 * v);
        let reach = if Some(level) == coarsest { REACH } else { 1 };
        let mut best = (cost(shift), shift);
        for y in -reach..=reach {
            for x in -reach..=reach {
                let moved = [shift[0] + x, shift[1] + y];
                let cost = cost(moved);
                if cost < best.0 {
                    best = (cost, moved);
                }
            }
        }
        shift = best.1;
    }
    shift
}

/// The same quantiles of both pictures, where neither is near clipping.
fn thresholds(reference: &Plane, other: &Plane) -> Vec<[f32; 2]> {
    let sorted = [reference, other].map(|plane| {
        let mut values: Vec<f32> = plane.values.iter().step_by(3).copied().collect();
        values.sort_unstable_by(f32::total_cmp);
        values
    });
    let at = |share: f32| sorted.each_ref().map(|values| values[((values.len() - 1) as f32 * share) as usize]);
    let usable = |pair: &[f32; 2]| pair.iter().all(|v| USABLE.contains(v));
    QUANTILES.into_iter().map(at).filter(usable).take(USED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels of blocks of different lightness, moved and exposed differently.
    fn levels(offset: [usize; 2], light: f32) -> Vec<Plane> {
        let (width, height) = (320, 240);
        let value = |x: usize, y: usize| {
            let block = (x + offset[0]) / 17 * 7919 + (y + offset[1]) / 13 * 104_729;
            let hash = (block.wrapping_mul(2_654_435_761) >> 7) % 251;
            ((hash as f32 + 4.0) * light).min(255.0)
        };
        let values = (0..width * height).map(|i| value(i % width, i / width)).collect();
        let mut levels = vec![Plane { width, height, values }];
        for _ in 0..3 {
            levels.push(levels[levels.len() - 1].halved());
        }
        levels
    }

    #[test]
    fn a_shift_is_found_in_spite_of_the_exposure() {
        let reference = levels([40, 40], 1.0);
        for light in [0.2, 0.6, 1.0, 1.7] {
            for (offset, expected) in [([40, 40], [0, 0]), ([47, 37], [-7, 3]), ([28, 52], [12, -12])] {
                assert_eq!(shift(&reference, &levels(offset, light)), expected, "{light}");
            }
        }
    }

    #[test]
    fn black_frames_are_not_shifted() {
        assert_eq!(shift(&levels([0, 0], 1.0), &levels([9, 9], 0.0)), [0, 0]);
    }
}
