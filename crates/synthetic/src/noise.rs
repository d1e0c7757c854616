//! Value noise for textures.

use aerie_math::rng::{mix, to_unit};

/// Hashes three integers to `0.0..1.0`.
#[must_use]
pub(crate) fn hashed(a: i64, b: i64, c: i64) -> f64 {
    to_unit(mix(mix(mix(a as u64).wrapping_add(b as u64)).wrapping_add(c as u64)))
}

/// Smooth value noise from 0 to 1 on a lattice of unit spacing.
#[must_use]
pub(crate) fn noise(x: f64, y: f64, seed: i64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - i), smooth(y - j));
    let at = |di: i64, dj: i64| hashed(i as i64 + di, j as i64 + dj, seed);
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    low + (high - low) * v
}
