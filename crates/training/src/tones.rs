//! Random colors, and masonry, which rooms and façades share.

use aerie_math::Rng;
use glam::Vec3;

use crate::finish::{Finish, Pattern};

/// A color between two levels.
pub(crate) fn tone(rng: &mut Rng, low: f32, high: f32, saturation: f32) -> Vec3 {
    let level = low + (high - low) * rng.unit_f32();
    let s = if rng.random_bool(0.6) { saturation * rng.unit_f32() } else { 0.03 };
    let tint = Vec3::new(rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0));
    (Vec3::splat(level) * (1.0 + s * tint)).clamp(Vec3::splat(0.01), Vec3::splat(0.95))
}

/// A color of wood.
pub(crate) fn wood(rng: &mut Rng) -> Vec3 {
    let level = if rng.random_bool(0.3) { rng.range_f32(0.02, 0.1) } else { rng.range_f32(0.08, 0.6) };
    let warm = rng.range_f32(0.0, 1.0);
    Vec3::new(level, level * (1.0 - 0.45 * warm), level * (1.0 - 0.75 * warm))
}

/// Nearly white.
pub(crate) fn white(rng: &mut Rng) -> Vec3 {
    let level = rng.range_f32(0.6, 0.92);
    Vec3::new(level, level * rng.range_f32(0.96, 1.01), level * rng.range_f32(0.86, 1.03))
}

/// Brick or stone.
pub(crate) fn masonry(rng: &mut Rng) -> Finish {
    let red = rng.random_bool(0.5);
    let level = rng.range_f32(0.04, 0.7);
    let color = if red { Vec3::new(level, level * 0.45, level * 0.33) } else { tone(rng, 0.04, 0.8, 0.2) };
    let mut f = Finish::new(color, rng).upright();
    f.second = tone(rng, 0.1, 0.7, 0.1);
    f.pattern = if rng.random_bool(0.6) {
        let k = rng.range_f32(0.8, 1.4);
        Pattern::Courses { length: 0.23 * k, width: 0.075 * k, offset: 0.5, joint: 0.012, checkered: 0.0 }
    } else {
        Pattern::Stone { size: rng.range_f32(0.15, 0.45), joint: rng.range_f32(0.01, 0.03) }
    };
    f.variety = rng.range_f32(0.1, 0.9);
    f.speckle = (rng.range_f32(0.0, 0.15), 60.0);
    f
}
