//! Procedural noise: the same value for the same place and seed on every machine.

use glam::Vec3;

/// Smooth noise, 0 to 1, with features of about the size 1.
#[must_use]
pub fn value_noise(at: Vec3, seed: u32) -> f32 {
    let floor = at.floor();
    let cell = floor.as_ivec3();
    let t = at - floor;
    let t = t * t * (Vec3::splat(3.0) - 2.0 * t);
    let corner = |x: i32, y: i32, z: i32| at_cell(cell.x + x, cell.y + y, cell.z + z, seed);
    let lerp = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let level = |z: i32| {
        let near = lerp(corner(0, 0, z), corner(1, 0, z), t.x);
        let far = lerp(corner(0, 1, z), corner(1, 1, z), t.x);
        lerp(near, far, t.y)
    };
    lerp(level(0), level(1), t.z)
}

/// Noise of several sizes, about 0 to 1.
#[must_use]
pub fn cloud_noise(at: Vec3, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut scale) = (0.0, 0.0, 1.0);
    for i in 0..octaves {
        let amount = 0.5_f32.powi(i as i32);
        sum += amount * value_noise(at * scale, seed + i * 17);
        weight += amount;
        scale *= 2.03;
    }
    sum / weight
}

/// Uniform noise, 0 to 1, per cell of a grid.
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
