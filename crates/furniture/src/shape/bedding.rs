//! Cloth that lies over things: throws, blankets and duvets.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::joinery::Profile;
use super::{sheet, tube};
use crate::mesh::Solid;
use crate::noise::value_noise;

/// Cloth laid along a line in the XZ plane, `wide` along Y, centered on y = 0.
#[derive(Debug, Clone)]
pub struct Drape {
    /// The line that its underside follows, with its upper side to the left of the way.
    pub line: Vec<Vec2>,
    /// Its breadth.
    pub wide: f32,
    /// Its thickness.
    pub thick: f32,
    /// Depth of its folds.
    pub fold: f32,
    /// Length of the fringe at its two ends; 0 for none.
    pub fringe: f32,
    /// Seed of its folds.
    pub seed: u32,
}

impl Drape {
    fn place(&self, profile: &Profile, s: f32, across: f32, up: f32) -> Vec3 {
        const STEP: f32 = 0.012;
        let along = (profile.at(s + STEP) - profile.at(s - STEP)).normalize_or(Vec2::X);
        let normal = along.perp();
        let at = profile.at(s);
        let hang = along.y.abs().powi(2);
        let way = s * profile.length();
        let noise = |a: f32, b: f32, more: u32| value_noise(Vec3::new(a, b, 0.5), self.seed + more);
        let y = across * self.wide / 2.0;
        // Folds run along the cloth; where it lies they are shallow.
        let wave = (y * 38.0 + noise(way * 2.2, y * 4.0, 1) * 7.0).sin() * 0.5 + 0.5;
        let folds = self.fold * wave * (0.30 + 0.70 * hang);
        let ridge = 1.0 - (noise(way * 7.0, y * 6.0 + way * 3.0, 2) * 2.0 - 1.0).abs();
        let crease = 0.35 * self.fold * ridge.powi(4);
        let wander = (noise(way * 2.5, 0.0, 3) - 0.5) * 0.05 * across.abs() * self.wide.min(0.5);
        let lift = normal * (up * self.thick + folds + crease);
        Vec3::new(at.x + lift.x, y + wander * across.signum(), at.y + lift.y)
    }

    /// The cloth.
    #[must_use]
    pub fn solid(&self) -> Solid {
        let profile = Profile::new(self.line.clone());
        let columns = (profile.length() / 0.018).clamp(16.0, 140.0) as usize;
        let half = (self.wide / 0.024).clamp(8.0, 48.0) as usize;
        // Around the section: over the upper side, around the edge, back along the underside.
        let section: Vec<(f32, f32)> = (0..=half)
            .map(|i| 1.0 - 2.0 * i as f32 / half as f32)
            .map(|a| (a * self.edge(0.0), 1.0 - 0.12 * a.powi(8)))
            .chain([(-1.0, 0.5)])
            .chain((0..=half).map(|i| (self.edge(0.0) * (-1.0 + 2.0 * i as f32 / half as f32), 0.0)))
            .chain([(1.0, 0.5)])
            .collect();
        let count = section.len();
        let mut solid = sheet(columns, count + 1, |s, t| {
            let (across, up) = section[(t * count as f32).round() as usize % count];
            self.place(&profile, s, across, up)
        });
        for end in [0.0, 1.0] {
            let cap = sheet(half + 1, 3, |s, t| {
                let t = if end == 0.0 { t } else { 1.0 - t };
                self.place(&profile, end, 1.0 - 2.0 * s, t)
            });
            solid = solid.with(cap);
        }
        if self.fringe > 0.0 { solid.with(self.threads(&profile)) } else { solid }
    }

    fn edge(&self, inset: f32) -> f32 {
        1.0 - inset - (self.thick / self.wide).min(0.1)
    }

    fn threads(&self, profile: &Profile) -> Solid {
        let mut solid = Solid { turn: glam::Mat3::IDENTITY, ..Solid::default() };
        let count = (self.wide / 0.011) as usize;
        for (end, way) in [(0.0, -1.0), (1.0, 1.0)] {
            let step = 0.01;
            for i in 0..=count {
                let across = (2.0 * i as f32 / count as f32 - 1.0) * 0.98;
                let from = self.place(profile, end, across, 0.4);
                let along = (profile.at(end) - profile.at(end - way * step)).normalize_or_zero();
                let noise = value_noise(Vec3::new(i as f32 * 1.7, end, 0.0), self.seed + 9) - 0.5;
                let to = from
                    + Vec3::new(along.x, noise * 0.5, along.y).normalize_or_zero() * self.fringe * (1.0 + 0.35 * noise);
                solid = solid.with(tube(&[from, from.lerp(to, 0.5) + Vec3::Y * noise * 0.006, to], 0.0022, 3, false));
            }
        }
        solid
    }
}

/// Points around a round corner in the XZ plane about `center`, from one angle to another.
#[must_use]
pub fn corner(center: Vec2, radius: f32, from: f32, to: f32, steps: usize) -> Vec<Vec2> {
    (0..=steps).map(|i| center + Vec2::from_angle(from + (to - from) * i as f32 / steps as f32) * radius).collect()
}

/// A line over a box of half a width and a height, hanging down to two heights; from -X to +X.
#[must_use]
pub fn over(half: f32, top: f32, radius: f32, low: [f32; 2]) -> Vec<Vec2> {
    let mut line = vec![Vec2::new(-half, low[0])];
    line.extend(corner(Vec2::new(radius - half, top - radius), radius, PI, PI / 2.0, 6));
    line.extend(corner(Vec2::new(half - radius, top - radius), radius, PI / 2.0, 0.0, 6));
    line.push(Vec2::new(half, low[1]));
    line
}

/// A duvet over a mattress of `half` a width that ends at y = 0, from the fold at y = `long` down over the sides and the foot.
#[derive(Debug, Clone, Copy)]
pub struct Duvet {
    /// Half the width of the mattress.
    pub half: f32,
    /// How far up the bed it reaches.
    pub long: f32,
    /// Height of the mattress.
    pub top: f32,
    /// How far it hangs down the sides, and down the foot.
    pub fall: [f32; 2],
    /// Its thickness.
    pub thick: f32,
    /// Seed of its folds.
    pub seed: u32,
}

impl Duvet {
    /// The place at a distance `x` from the middle along the cloth and `y` from the foot, negative where it hangs over it.
    fn place(&self, x: f32, y: f32, up: f32) -> Vec3 {
        const BEND: f32 = 0.07;
        let noise = |at: Vec3, more: u32| value_noise(at, self.seed + more);
        let (across, fall_x) = bent_over(x.abs() - self.half + BEND, BEND);
        let (along, fall_y) = bent_over(BEND - y, BEND);
        let fall = fall_x.max(fall_y) + 0.25 * fall_x.min(fall_y);
        let hang = (fall / 0.10).clamp(0.0, 1.0);
        let side = fall_x > fall_y;
        let run = if side { y } else { x };
        // Shallow folds where it hangs, so that the hem is even; soft creases and a quilted loft where it lies.
        let wave = (run * 17.0 + noise(Vec3::splat(run * 2.3), 2) * 7.0).sin() * 0.006 + (run * 7.0).sin() * 0.003;
        let ridge = |v: f32| 1.0 - (v * 2.0 - 1.0).abs();
        let crease = ridge(noise(Vec3::new(x * 3.2 + y * 1.3, y * 2.1, 0.3), 3)).powi(3) * 0.020
            + ridge(noise(Vec3::new(x * 6.5, y * 5.0 + x * 2.4, 1.3), 4)).powi(4) * 0.010;
        let loft = (noise(Vec3::new(x * 2.6, y * 2.6, 2.0), 5) - 0.5) * 0.035;
        let rise = (self.thick + (crease + loft) * (1.0 - 0.85 * hang)) * up;
        let out = rise + (wave + 0.012) * hang * up + 0.06 * fall * hang;
        let place = Vec3::new(
            x.signum() * (self.half - BEND + across).min(x.abs()),
            if y < BEND { BEND - along } else { y },
            self.top - fall,
        );
        let (nx, ny) = (normal(fall_x, BEND) * x.signum(), -normal(fall_y, BEND));
        let nz = (1.0 - (nx * nx + ny * ny).min(1.0)).sqrt();
        place + Vec3::new(nx, ny, nz).normalize_or(Vec3::Z) * out
    }

    /// The duvet.
    #[must_use]
    pub fn solid(&self) -> Solid {
        let [side, foot] = self.fall;
        let (wide, deep) = (self.half + side, self.long + foot);
        const STEP: f32 = 0.016;
        let (columns, rows) = (((2.0 * wide) / STEP) as usize, (deep / STEP) as usize);
        sheet(columns, rows, |s, t| {
            let (x, y) = ((s * 2.0 - 1.0) * wide, t * deep - foot);
            // The hem is round.
            let hem = (wide - x.abs()).min(y + foot).min(deep - foot - y).max(0.0) / 0.045;
            self.place(x, y, (1.0 - (1.0 - hem.min(1.0)).powi(2)).sqrt().max(0.15))
        })
    }
}

/// How far cloth gets across and down after `way` from where a bend of a radius begins.
fn bent_over(way: f32, radius: f32) -> (f32, f32) {
    let quarter = radius * PI / 2.0;
    if way <= 0.0 {
        (0.0, 0.0)
    } else if way < quarter {
        let turn = way / radius;
        (radius * turn.sin(), radius * (1.0 - turn.cos()))
    } else {
        (radius, radius + way - quarter)
    }
}

/// How far the normal of bent cloth has turned to the side at a fall.
fn normal(fall: f32, radius: f32) -> f32 {
    (1.0 - (1.0 - (fall / radius).min(1.0)).powi(2)).max(0.0).sqrt()
}
