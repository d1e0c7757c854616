//! Chance that is the same on every machine: numbers drawn from an identity, never from a clock.

/// A stream of numbers from a seed (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Seed(u64);

impl Seed {
    /// From a number.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From a name (FNV-1a).
    pub(crate) fn from_name(name: &str) -> Self {
        let hash =
            name.bytes().fold(0xCBF2_9CE4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3));
        Self(hash)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0..1.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Uniform in `low..high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// One of `choices`.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[(self.next() % choices.len() as u64) as usize]
    }
}
