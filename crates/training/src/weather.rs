//! The light of a view: sky, sun, lamps, haze, snow and rain.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::finish::{hashed, noise};
use crate::scene::Material;

/// Colors and strengths of the light, and the sky.
pub(crate) struct Weather {
    /// Color of the light of the sky, of the sun, and of lamps, times their strength.
    pub(crate) light: Vec3,
    /// Of the sun.
    pub(crate) sun: Vec3,
    /// Of lamps.
    pub(crate) lamps: Vec3,
    /// Gloss of wet ground.
    pub(crate) wet: f32,
    zenith: Vec3,
    horizon: Vec3,
    /// Glow near the horizon in one direction.
    glow: (Vec3, Vec2),
    cloud: Vec3,
    shade: Vec3,
    /// Share of clouds, their size, and the softness of their edges.
    clouds: [f32; 3],
    /// Distance in which haze hides two thirds, meters.
    haze: f32,
    /// Share of what looks up that snow covers.
    snow: f32,
    /// Share of windows with light, and its color.
    lit: (f32, Vec3),
    seed: u64,
}

impl Weather {
    /// Light in a room.
    pub(crate) fn indoors(rng: &mut Rng) -> Self {
        let warmth = rng.unit_f32();
        let plain = Vec3::ONE;
        Self {
            light: Vec3::new(1.0 - rng.range_f32(0.0, 0.06), 1.0, 1.0 + rng.range_f32(0.0, 0.08)),
            sun: Vec3::new(1.0, 0.94, 0.82) * if rng.random_bool(0.8) { 1.0 } else { rng.range_f32(0.0, 1.5) },
            lamps: Vec3::new(1.0, 1.0 - 0.2 * warmth, 1.0 - 0.45 * warmth),
            wet: 0.0,
            zenith: plain,
            horizon: plain,
            glow: (Vec3::ZERO, Vec2::X),
            cloud: plain,
            shade: plain,
            clouds: [0.0, 1.0, 0.2],
            haze: f32::MAX,
            snow: 0.0,
            lit: (0.0, plain),
            seed: rng.next_u64(),
        }
    }

    /// Clear, clouded, overcast, sunset, dusk or night.
    pub(crate) fn outdoors(rng: &mut Rng) -> Self {
        let mut w = Self::indoors(rng);
        let blue = rng.range_f32(0.25, 1.0);
        let deep = Vec3::new(1.0 - 0.85 * blue, 1.0 - 0.5 * blue, 1.0);
        w.haze = if rng.random_bool(0.2) { rng.range_f32(80.0, 500.0) } else { rng.range_f32(500.0, 6000.0) };
        w.clouds = [0.0, rng.range_f32(0.3, 2.5), rng.range_f32(0.05, 0.4)];
        w.cloud = Vec3::splat(rng.range_f32(1.0, 2.2));
        w.shade = w.cloud * rng.range_f32(0.35, 0.95);
        w.light = Vec3::new(0.82, 0.93, 1.12);
        w.sun = Vec3::new(1.05, 0.96, 0.84) * rng.range_f32(0.5, 1.2);
        let level = rng.range_f32(0.5, 1.8);
        w.zenith = deep * level;
        w.horizon = deep.lerp(Vec3::ONE, rng.range_f32(0.3, 0.9)) * level * rng.range_f32(1.0, 1.7);
        let turn = Vec2::from_angle(rng.range_f32(0.0, std::f32::consts::TAU));
        match rng.below(20) {
            0..=5 => {}
            6..=9 => w.clouds[0] = rng.range_f32(0.2, 0.7),
            10..=13 => {
                // Overcast, often white or gray all over.
                w.sun *= if rng.random_bool(0.7) { 0.0 } else { 0.2 };
                w.light = Vec3::new(0.97, 1.0, 1.04);
                let gray = Vec3::new(0.97, 1.0, 1.04) * rng.range_f32(0.6, 2.2);
                (w.zenith, w.horizon) = (gray * rng.range_f32(0.6, 1.0), gray);
                w.clouds = [rng.range_f32(0.3, 1.0), w.clouds[1], 0.6];
                (w.cloud, w.shade) = (gray * 1.05, gray * rng.range_f32(0.55, 0.95));
                w.wet = if rng.random_bool(0.4) { rng.range_f32(0.3, 1.0) } else { 0.0 };
                w.snow = if rng.random_bool(0.2) { rng.range_f32(0.4, 1.1) } else { 0.0 };
            }
            14..=16 => {
                // The sun is low.
                w.sun = Vec3::new(1.1, rng.range_f32(0.5, 0.8), rng.range_f32(0.2, 0.55)) * rng.range_f32(0.0, 0.9);
                let warm = Vec3::new(1.0, rng.range_f32(0.35, 0.75), rng.range_f32(0.15, 0.7));
                w.zenith = Vec3::new(0.4, 0.5, 0.8) * rng.range_f32(0.3, 1.0);
                w.horizon = warm * rng.range_f32(0.7, 1.6);
                w.glow = (warm * rng.range_f32(0.0, 1.5), turn);
                w.clouds[0] = rng.range_f32(0.0, 0.8);
                let pink = Vec3::new(1.2, rng.range_f32(0.4, 0.9), rng.range_f32(0.35, 0.9));
                (w.cloud, w.shade) =
                    (pink * rng.range_f32(0.6, 1.2), Vec3::new(0.4, 0.4, 0.6) * rng.range_f32(0.4, 1.0));
                w.light = Vec3::new(1.0, 0.9, 0.95) * rng.range_f32(0.5, 1.0);
                w.lit = (rng.range_f32(0.0, 0.8), Vec3::new(1.0, 0.75, 0.42) * rng.range_f32(0.5, 3.0));
            }
            17 | 18 => {
                // Dusk.
                let level = rng.range_f32(0.05, 0.35);
                let deep = Vec3::new(0.35, 0.5, 1.0);
                w.sun = Vec3::ZERO;
                w.light = deep.lerp(Vec3::ONE, rng.range_f32(0.2, 0.8)) * level;
                w.zenith = deep * level * rng.range_f32(0.5, 1.2);
                w.horizon = Vec3::new(0.9, 0.7, 0.8).lerp(deep, rng.unit_f32()) * level * rng.range_f32(1.0, 2.0);
                w.glow = (Vec3::new(1.0, 0.6, 0.4) * level * rng.range_f32(0.0, 1.5), turn);
                w.clouds[0] = rng.range_f32(0.0, 0.5);
                (w.cloud, w.shade) = (w.horizon * 1.2, w.zenith * 0.6);
                w.lit = (rng.range_f32(0.3, 1.0), Vec3::new(1.0, 0.72, 0.38) * rng.range_f32(0.2, 1.5));
                w.lamps *= Vec3::new(1.0, 0.8, 0.5);
                w.wet = if rng.random_bool(0.3) { rng.range_f32(0.3, 1.0) } else { 0.0 };
            }
            _ => {
                let level = rng.range_f32(0.003, 0.04);
                w.sun = Vec3::ZERO;
                w.light = Vec3::new(0.8, 0.85, 1.0) * level;
                w.zenith = Vec3::new(0.2, 0.3, 0.6) * level * rng.range_f32(0.0, 1.0);
                w.horizon = w.zenith * rng.range_f32(1.0, 3.0);
                (w.cloud, w.shade) = (w.horizon, w.zenith);
                w.lit = (rng.range_f32(0.3, 1.0), Vec3::new(1.0, 0.7, 0.35) * rng.range_f32(0.1, 0.6));
                w.lamps *= Vec3::new(1.0, 0.8, 0.5) * 0.4;
            }
        }
        if w.snow == 0.0 && rng.random_bool(0.03) {
            w.snow = rng.range_f32(0.3, 1.1);
        }
        w
    }

    /// Radiance of the sky.
    pub(crate) fn sky(&self, way: Vec3) -> Vec3 {
        let up = way.z.max(0.0);
        let mut color = self.horizon.lerp(self.zenith, 1.0 - (1.0 - up).powi(3));
        let level = way.truncate().normalize_or(Vec2::X).dot(self.glow.1).max(0.0);
        color += self.glow.0 * (level.powi(3) * (1.0 - up).powi(4));
        if self.clouds[0] > 0.0 {
            // A layer of clouds seen from below.
            let p = way.truncate() / (up + 0.12) / self.clouds[1] * 1.5;
            let n = |k: f32, s: u64| noise(p * k, self.seed ^ s);
            let sum = n(1.0, 1) + 0.5 * n(2.1, 2) + 0.25 * n(4.3, 3) + 0.12 * n(8.7, 4);
            let share = ((sum + self.clouds[0] * 1.6 - 0.8) / self.clouds[2]).clamp(0.0, 1.0);
            let thick = (sum * 0.9 + 0.5 + 0.3 * n(3.0, 5)).clamp(0.0, 1.0);
            color = color.lerp(self.cloud.lerp(self.shade, thick), share * share * (3.0 - 2.0 * share));
        }
        color
    }

    /// Reflectance under snow. `up` is the normal's height.
    pub(crate) fn covered(&self, color: Vec3, material: Material, up: f32, at: Vec2) -> Vec3 {
        if self.snow == 0.0 || up < 0.3 || matches!(material, Material::Pane | Material::Water | Material::Lamp) {
            return color;
        }
        let n = 0.5 + noise(at * 0.6, self.seed ^ 7) + 0.5 * noise(at * 2.3, self.seed ^ 8);
        let share = ((self.snow * 1.3 - n) * 4.0).clamp(0.0, 1.0) * ((up - 0.3) / 0.4).clamp(0.0, 1.0);
        color.lerp(Vec3::new(0.84, 0.87, 0.92), share)
    }

    /// Light from behind the panes of a group.
    pub(crate) fn lit(&self, group: u16) -> Vec3 {
        let pick = |k: i64| hashed(i64::from(group), k, self.seed);
        if pick(1) < self.lit.0 { self.lit.1 * (0.3 + pick(2)) } else { Vec3::ZERO }
    }

    /// What is far away fades into the horizon.
    pub(crate) fn hazy(&self, color: Vec3, depth: f32, way: Vec3) -> Vec3 {
        let share = 1.0 - (-depth / self.haze).exp();
        color.lerp(self.sky(way.with_z(0.02)) * 0.9, share)
    }
}
