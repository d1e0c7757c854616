//! Numbers drawn from a seed, the same on every machine.

use std::ops::Range;

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// A row of numbers of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// Evenly in 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Evenly in a range.
    pub fn within(&mut self, range: Range<f64>) -> f64 {
        range.start + (range.end - range.start) * self.share()
    }

    /// True in a share of cases.
    pub fn happens(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// Of a normal distribution with mean 0 and deviation 1.
    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.share().max(1e-12), self.share());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// One of several.
    ///
    /// # Panics
    /// When there is none.
    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.share() * of.len() as f64) as usize % of.len()]
    }
}

/// A share of 0 to 1 that belongs to three whole numbers.
#[must_use]
pub(crate) fn hashed(a: i64, b: i64, c: i64) -> f64 {
    let bits = mixed(mixed(mixed(a as u64).wrapping_add(b as u64)).wrapping_add(c as u64));
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Smooth noise of 0 to 1 with features of about 1.
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

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
