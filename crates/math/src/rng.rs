//! Deterministic random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
//!
//! The same seed gives the same numbers on every machine. Media depend on these values: changing one changes pictures.

/// Weyl increment of SplitMix64.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Offset basis of 64-bit FNV-1a.
pub const FNV_BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// A SplitMix64 generator.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Generator whose state is `seed`. Neighboring seeds share no visible structure after the first output.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Generator whose state is `seed` advanced once.
    #[must_use]
    pub fn advanced(seed: u64) -> Self {
        Self(seed.wrapping_add(GAMMA))
    }

    /// Generator whose state is `seed`, multiplied and xored, so that streams of consecutive seeds do not overlap.
    #[must_use]
    pub fn scattered(seed: u64) -> Self {
        Self(seed.wrapping_mul(GAMMA) ^ 0x5851_F42D_4C95_7F2D)
    }

    /// Generator for one purpose, `name`, of a seed: adding a purpose does not shift the numbers of the others.
    #[must_use]
    pub fn named(seed: u64, name: &str) -> Self {
        Self::advanced(seed ^ fnv1a(FNV_BASIS, name))
    }

    /// Generator seeded by a name.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self(fnv1a(FNV_BASIS, name))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mix(self.0)
    }

    /// Uniform in `0.0..1.0`, 24 bits.
    pub fn unit_f32(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Uniform in `0.0..1.0`, 53 bits.
    pub fn unit_f64(&mut self) -> f64 {
        to_unit(self.next_u64())
    }

    /// Uniform in `low..high`.
    pub fn range_f32(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit_f32()
    }

    /// Uniform in `low..high`.
    pub fn range_f64(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit_f64()
    }

    /// True with a probability of 0 to 1.
    pub fn random_bool(&mut self, probability: f64) -> bool {
        self.unit_f64() < probability
    }

    /// The same from 24 bits.
    pub fn random_bool_f32(&mut self, probability: f32) -> bool {
        self.unit_f32() < probability
    }

    /// A number below `count`.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next_u64() % count as u64) as usize
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.unit_f64().max(1e-12), self.unit_f64());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

/// The finalizer of SplitMix64: a well-mixed hash of 64 bits.
#[must_use]
pub fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The first output of [`Rng::new`] with this seed.
#[must_use]
pub fn hash(seed: u64) -> u64 {
    mix(seed.wrapping_add(GAMMA))
}

/// Maps 64 random bits to `0.0..1.0`, using the upper 53.
#[must_use]
pub fn to_unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// [`hash`] as a number in `0.0..1.0`.
#[must_use]
pub fn hash_to_unit(seed: u64) -> f64 {
    to_unit(hash(seed))
}

/// A number in `0.0..1.0` from an identity and a purpose.
#[must_use]
pub fn name_to_unit(name: &str, purpose: u64) -> f64 {
    hash_to_unit(fnv1a(purpose ^ FNV_BASIS, name))
}

/// 64-bit FNV-1a of a text, starting from `basis` ([`FNV_BASIS`] for the standard hash).
#[must_use]
pub fn fnv1a(basis: u64, text: &str) -> u64 {
    text.bytes().fold(basis, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_those_of_the_reference_implementation() {
        let mut rng = Rng::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
        assert_eq!(hash(1_234_567), expected[0]);
    }

    #[test]
    fn each_name_of_a_seed_has_numbers_of_its_own() {
        let first = |name| Rng::named(5, name).next_u64();
        assert_eq!(first("palette"), first("palette"));
        assert_ne!(first("palette"), first("arrangement"));
        assert_ne!(first("palette"), Rng::named(6, "palette").next_u64());
    }

    #[test]
    fn names_are_hashed_by_fnv_1a() {
        assert_eq!(fnv1a(FNV_BASIS, ""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a(FNV_BASIS, "foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn booleans_are_true_as_often_as_asked() {
        let mut rng = Rng::scattered(3);
        let count = (0..10_000).filter(|_| rng.random_bool(0.3)).count();
        assert!((2850..3150).contains(&count), "{count}");
        assert!(!rng.random_bool(0.0) && rng.random_bool(1.0));
    }

    #[test]
    fn units_cover_zero_to_one_evenly() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[(rng.unit_f64() * 10.0) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}
