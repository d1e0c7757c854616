//! Numbers drawn from a seed, the same on every machine.

/// A row of numbers that a seed decides (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The row of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(0x9E37_79B9_7F4A_7C15))
    }

    /// The row that a name has within a seed, whatever was drawn before.
    #[must_use]
    pub fn named(seed: u64, name: &str) -> Self {
        let hash =
            name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3));
        Self::new(seed ^ hash)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// 0 up to, not including, 1.
    pub fn share(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Between two values.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.share()
    }

    /// Whether something of this likelihood happens.
    pub fn happens(&mut self, likelihood: f32) -> bool {
        self.share() < likelihood
    }

    /// A number below `count`, which must not be 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }
}

/// A well mixed 64-bit hash.
#[must_use]
pub fn mixed(value: u64) -> u64 {
    let z = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number of 0 to 1 that belongs to a place in a grid.
#[must_use]
pub fn at_cell(x: i32, y: i32, z: i32, seed: u32) -> f32 {
    let mut h = seed ^ 0x9E37_79B9;
    for v in [x, y, z] {
        h = (h ^ (v as u32).wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35);
        h ^= h >> 15;
    }
    h = (h ^ (h >> 13)).wrapping_mul(0x27D4_EB2F);
    ((h ^ (h >> 16)) >> 8) as f32 / (1_u32 << 24) as f32
}
