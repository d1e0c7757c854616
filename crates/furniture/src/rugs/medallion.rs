//! The design of oriental rugs: a medallion, corners, a field of flowers and borders.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::{Place, line, wave};
use crate::material::{Material, faded, smooth};
use crate::noise::{at_cell, value_noise};

/// Colors of a flower: its petals and its heart.
type Inks = [Vec3; 2];

/// Share of a shape that covers a place: `d` is the distance outside of it, meters.
fn cover(d: f32) -> f32 {
    1.0 - smooth(d / 0.0035)
}

/// Distance outside of a flower of some petals.
fn flower(p: Vec2, radius: f32, petals: f32) -> f32 {
    p.length() - radius * (0.80 + 0.20 * (p.to_angle() * petals).cos())
}

/// A flower with a rim and a heart.
fn bloom(color: Vec3, p: Vec2, radius: f32, petals: f32, [ink, heart]: Inks) -> Vec3 {
    let d = flower(p, radius, petals);
    let color = color.lerp(ink, 0.9 * cover(d));
    let color = color.lerp(heart, 0.8 * line(d + radius * 0.34, 0.003));
    color.lerp(heart, 0.9 * cover(p.length() - radius * 0.28))
}

/// Distance outside of a pointed leaf along an axis.
fn blade(p: Vec2, long: f32, wide: f32) -> f32 {
    p.y.abs() - wide * (1.0 - (p.x / long).powi(2)).max(-1.0)
}

/// Share of an outline with lobes, 1 on it.
fn lobed(p: Vec2, reach: Vec2, lobes: f32) -> f32 {
    let q = p / reach;
    q.length() * (1.0 + 0.08 * (q.to_angle() * lobes).cos().abs())
}

impl Material {
    /// The color of a place on a faded rug in two tones, worn down in clouds and along its threads.
    pub(super) fn vintage(&self, place: &Place, half: Vec2, spread: f32) -> Vec3 {
        let (ground, lines) = (self.color, self.second);
        let (dark, cream) = if lines.element_sum() > ground.element_sum() {
            (ground * 0.45, lines)
        } else {
            (lines, ground.lerp(Vec3::new(0.62, 0.58, 0.51), 0.5))
        };
        let inked = Material { second: dark, third: cream, surface: None, ..*self };
        let half = if half.x == 0.0 { Vec2::ONE } else { half };
        let ornament = inked.medallion(place, half);
        let threads = |p: Vec2| value_noise(Vec3::new(p.x * 5.0, p.y * 150.0, 7.0), self.seed + 3) - 0.5;
        let worn = place.worn + 0.35 * faded(0.014, spread, || threads(place.at));
        let kept = (0.30 + 0.70 * smooth(worn * 3.4 - 1.7)).min(0.92);
        ground.lerp(cream, 0.25).lerp(ornament, kept)
    }

    /// The color of a place on a rug of half sides; a round one has a negative first one.
    pub(super) fn medallion(&self, place: &Place, half: Vec2) -> Vec3 {
        let (is_round, half) = (half.x < 0.0, half.abs());
        let [ground, dark, cream] = [self.color, self.second, self.third];
        let border = (half.min_element() * 0.34).min(0.27);
        let color = if place.edge < border {
            self.border(place, half, border, is_round)
        } else {
            self.field(place.at, half - border, is_round)
        };
        // Batches of wool differ a little, and the pile is worn in places.
        let batch = value_noise(Vec3::new(place.at.x * 9.0, 0.0, 4.0), self.seed) - 0.5;
        let faded = 0.22 * smooth(place.worn * 3.0 - 1.6);
        let mean = ground * 0.5 + dark * 0.2 + cream * 0.3;
        color.lerp(mean, faded) * (0.94 + 0.16 * place.worn + 0.10 * batch)
    }

    /// The field inside the borders, half of its sides given.
    fn field(&self, p: Vec2, half: Vec2, is_round: bool) -> Vec3 {
        let [ground, dark, cream] = [self.color, self.second, self.third];
        let reach = Vec2::new((half.x * 0.52).min(half.y * 0.95), half.y * 0.56);
        let least = reach.min_element();
        let middle = lobed(p, reach, 8.0);
        let corner = if is_round { 9.0 } else { lobed(half - p.abs(), reach * 0.95, 8.0) };
        // Drops at both ends of the medallion.
        let hanging = lobed(Vec2::new(p.x.abs() - reach.x * 1.16, p.y), Vec2::new(0.16, 0.11) * (least / 0.4), 3.0);
        let drop = if is_round { 9.0 } else { hanging };
        let outer = [(middle, 1.0), (corner, 1.0), (drop, 0.35)];
        let inside = outer.iter().any(|(d, _)| *d < 1.0);
        let (mut color, mut inks) = if inside { (dark, [ground * 1.25, cream]) } else { (ground, [dark, cream]) };
        let core = middle < 0.55;
        if core {
            (color, inks) = (ground, [cream, dark]);
        }
        if middle < 0.26 {
            (color, inks) = (cream, [ground, dark]);
        }
        color = self.scattered(color, p, inks, [cream, dark]);
        for (d, size) in outer {
            let away = (d - 1.0) * least * size;
            color = color.lerp(cream, line(away, 0.007)).lerp(ground * 0.6, line(away + 0.018, 0.003));
        }
        for share in [0.55, 0.26] {
            let away = (middle - share) * least;
            color = color.lerp(cream, line(away, 0.006)).lerp(dark, line(away - 0.014, 0.003));
        }
        bloom(color, p, least * 0.15, 8.0, [ground, cream])
    }

    /// Flowers, leaves and vines over a ground.
    fn scattered(&self, color: Vec3, p: Vec2, [ink, bright]: Inks, lines: Inks) -> Vec3 {
        const STEP: Vec2 = Vec2::new(0.135, 0.105);
        let q = p.abs();
        let row = (q.y / STEP.y).floor();
        let shift = 0.5 * row.rem_euclid(2.0);
        let column = (q.x / STEP.x + shift).floor();
        let local = Vec2::new((q.x / STEP.x + shift - column - 0.5) * STEP.x, (q.y / STEP.y - row - 0.5) * STEP.y);
        let vine = line(local.y - 0.026 * (q.x / STEP.x * PI + shift * TAU).sin(), 0.0016);
        let mut color = color.lerp(lines[0].lerp(color, 0.3), 0.7 * vine);
        let sort = at_cell(column as i32, row as i32, 0, self.seed);
        // Leaves on both sides of each flower.
        for side in [-1.0, 1.0] {
            let turned = Vec2::from_angle(side * 0.7).rotate(local - Vec2::new(side * 0.045, -0.012));
            color = color.lerp(ink.lerp(bright, 0.25), 0.75 * cover(blade(turned, 0.022, 0.008)));
        }
        let (radius, petals) = if sort > 0.5 { (0.032, 5.0) } else { (0.024, 8.0) };
        let colors = if sort > 0.35 { [ink, bright] } else { [bright, ink] };
        bloom(color, local, radius, petals, colors)
    }

    /// The borders: a broad one with blooms on a vine, between narrow ones.
    fn border(&self, place: &Place, half: Vec2, wide: f32, is_round: bool) -> Vec3 {
        let [ground, dark, cream] = [self.color, self.second, self.third];
        let (low, high) = (wide * 0.24, wide * 0.80);
        let middle = (low + high) / 2.0;
        // The way along the border from the middle of a side, and how long the side is from there to its corner.
        let to_rim = half - place.at.abs();
        let (run, long) = if is_round {
            let round = half.x - middle;
            (place.at.to_angle() * round, PI * round)
        } else if to_rim.x < to_rim.y {
            (place.at.y, half.y - middle)
        } else {
            (place.at.x, half.x - middle)
        };
        // Whole blooms, the last in the corner.
        let step = long / (long / 0.17).round().max(1.0);
        let across = place.edge - middle;
        if (low..high).contains(&place.edge) {
            let nearest = (run / step).round();
            let local = Vec2::new(run - nearest * step, across);
            let deep = (high - low) * 0.5;
            let vine = line(across - deep * 0.45 * (run / step * PI).sin(), 0.0035);
            let mut color = dark.lerp(ground * 1.15, 0.9 * vine);
            for side in [-1.0, 1.0] {
                let turned = Vec2::from_angle(-side * 0.8).rotate(local - Vec2::new(step * 0.5 * side.signum(), 0.0));
                color = color.lerp(cream, 0.85 * cover(blade(turned, deep * 0.62, deep * 0.20)));
            }
            let is_even = nearest.abs() as i32 % 2 == 0;
            let inks = if is_even { [ground * 1.1, cream] } else { [cream, ground] };
            color = bloom(color, local, deep * 0.74, if is_even { 8.0 } else { 6.0 }, inks);
            let rim = (place.edge - low).min(high - place.edge);
            return color.lerp(cream, line(rim, 0.004));
        }
        // Narrow borders of small diamonds.
        let is_inner = place.edge >= high;
        let (from, to) = if is_inner { (high, wide) } else { (low * 0.30, low) };
        let share = (place.edge - (from + to) / 2.0).abs();
        let small = (to - from) * 0.36;
        let diamond = share + wave(run, step / 4.0) * 0.8 - small;
        let color = if place.edge < from { dark } else { cream.lerp(ground, 0.55) };
        let color = color.lerp(dark, if place.edge < from { 0.0 } else { 0.85 * cover(diamond) });
        color.lerp(cream, line(place.edge - wide, 0.005)).lerp(dark, line(place.edge - from, 0.003))
    }
}
