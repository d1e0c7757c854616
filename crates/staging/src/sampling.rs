//! Random numbers and directions for path tracing.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

/// Random numbers for one path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler {
    state: u32,
    /// Rays traced against furniture.
    pub(crate) rays: u32,
}

impl Sampler {
    pub(crate) fn new(pixel: u32, sample: u32) -> Self {
        Self {
            state: pixel.wrapping_mul(0x9E37_79B9) ^ sample.wrapping_mul(0x85EB_CA6B).wrapping_add(0x1656_67B1),
            rays: 0,
        }
    }

    /// Uniform in `0.0..1.0`: PCG RXS-M-XS 32 (O'Neill 2014).
    pub(crate) fn next(&mut self) -> f32 {
        let old = self.state;
        self.state = old.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((old >> ((old >> 28) + 4)) ^ old).wrapping_mul(277_803_737);
        (((word >> 22) ^ word) >> 8) as f32 / (1_u32 << 24) as f32
    }

    /// Uniform in the unit square.
    pub(crate) fn next_2d(&mut self) -> Vec2 {
        Vec2::new(self.next(), self.next())
    }
}

/// A cosine-weighted direction about a normal, from a point of the unit square.
pub(crate) fn cosine_direction(normal: Vec3, at: Vec2) -> Vec3 {
    let (r, turn) = (at.x.sqrt(), 2.0 * PI * at.y);
    let [side, other] = normal.any_orthonormal_pair().into();
    (side * (r * turn.cos()) + other * (r * turn.sin()) + normal * (1.0 - at.x).max(0.0).sqrt()).normalize()
}
