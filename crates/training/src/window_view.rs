//! What is seen through the windows of a room.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

/// A sky and something below it.
pub(crate) struct Outside {
    /// Brightness of the sky.
    pub(crate) level: f32,
    sky: Vec3,
    ground: Vec3,
    horizon: f32,
    rough: f32,
    towers: f32,
    seed: u64,
}

impl Outside {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let level = if rng.random_bool(0.5) { rng.range_f32(2.0, 12.0) } else { rng.range_f32(0.3, 3.0) };
        let blue = rng.unit_f32();
        let green = rng.random_bool(0.6);
        let dark = rng.range_f32(0.03, 0.6);
        let night = rng.random_bool(0.06);
        let level = if night { 0.01 } else { level };
        Self {
            level,
            sky: Vec3::new(1.0 - 0.5 * blue, 1.0 - 0.25 * blue, 1.0) * level,
            ground: level * if green { Vec3::new(dark * 0.7, dark, dark * 0.4) } else { Vec3::splat(dark) },
            horizon: rng.range_f32(-0.1, 0.35),
            rough: rng.range_f32(3.0, 40.0),
            towers: if rng.random_bool(0.3) { rng.range_f32(0.1, 0.5) } else { 0.0 },
            seed: rng.next_u64(),
        }
    }

    /// Radiance in a direction: azimuth and elevation.
    pub(crate) fn color(&self, way: Vec2) -> Vec3 {
        let cell = |x: f32, y: f32| to_share(x.floor() as i64, y.floor() as i64, self.seed);
        let mut top = self.horizon + 0.25 * (cell(way.x * self.rough, 0.0) - 0.5) * (6.0 / self.rough).min(1.0);
        if self.towers > 0.0 && cell(way.x * 6.0, 1.0) > 0.5 {
            top += self.towers * cell(way.x * 6.0, 2.0);
        }
        if way.y > top {
            return self.sky * (1.0 - 0.3 * way.y.max(0.0));
        }
        self.ground * (0.5 + cell(way.x * self.rough * 2.0, way.y * self.rough * 2.0))
    }
}

fn to_share(a: i64, b: i64, seed: u64) -> f32 {
    aerie_math::rng::to_unit(aerie_math::rng::mix((a as u64) ^ aerie_math::rng::mix((b as u64) ^ seed))) as f32
}
