//! Finishes: random colors and patterns for each material.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use aerie_math::Rng;
use aerie_math::rng::{mix, to_unit};
use glam::{Vec2, Vec3};

use crate::scene::Material;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Pattern {
    Plain,
    /// Boards or bricks: length, width, offset of every second row as a share of the length (negative: random).
    Courses {
        length: f32,
        width: f32,
        offset: f32,
        joint: f32,
        checkered: f32,
    },
    Herringbone {
        length: f32,
        width: f32,
    },
    /// Rubble or flagstones of a mean size.
    Stone {
        size: f32,
        joint: f32,
    },
    /// Frames that repeat: width, height, border.
    Panels {
        width: f32,
        height: f32,
        border: f32,
    },
    Grooves {
        gap: f32,
        joint: f32,
    },
    Stripes {
        width: f32,
    },
    /// Motifs on a lattice.
    Motif {
        size: f32,
        share: f32,
    },
}

/// A finish.
#[derive(Debug, Clone)]
pub(crate) struct Finish {
    color: Vec3,
    second: Vec3,
    pattern: Pattern,
    turn: Vec2,
    /// Variation of tone between pieces, of large stains, of grain along the first axis, and of fine speckle.
    variety: f32,
    stains: (f32, f32),
    grain: (f32, f32),
    speckle: (f32, f32),
    /// Share of light that is mirrored, and how.
    pub(crate) gloss: f32,
    seed: u64,
}

fn hashed(a: i64, b: i64, seed: u64) -> f32 {
    to_unit(mix((a as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ mix((b as u64) ^ seed))) as f32
}

fn noise(p: Vec2, seed: u64) -> f32 {
    let (cell, t) = (p.floor(), p - p.floor());
    let t = t * t * (3.0 - 2.0 * t);
    let at = |dx: i64, dy: i64| hashed(cell.x as i64 + dx, cell.y as i64 + dy, seed);
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * t.x;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * t.x;
    low + (high - low) * t.y - 0.5
}

fn tone(rng: &mut Rng, low: f32, high: f32, saturation: f32) -> Vec3 {
    let level = low + (high - low) * rng.unit_f32();
    let s = if rng.random_bool(0.6) { saturation * rng.unit_f32() } else { 0.03 };
    let tint = Vec3::new(rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0));
    (Vec3::splat(level) * (1.0 + s * tint)).clamp(Vec3::splat(0.01), Vec3::splat(0.95))
}

fn wood(rng: &mut Rng) -> Vec3 {
    let level = if rng.random_bool(0.3) { rng.range_f32(0.02, 0.1) } else { rng.range_f32(0.08, 0.6) };
    let warm = rng.range_f32(0.0, 1.0);
    Vec3::new(level, level * (1.0 - 0.45 * warm), level * (1.0 - 0.75 * warm))
}

fn white(rng: &mut Rng) -> Vec3 {
    let level = rng.range_f32(0.6, 0.92);
    Vec3::new(level, level * rng.range_f32(0.96, 1.01), level * rng.range_f32(0.86, 1.03))
}

impl Finish {
    fn new(rng: &mut Rng, color: Vec3) -> Self {
        let angle = match rng.below(10) {
            0..=4 => 0.0,
            5..=7 => FRAC_PI_2,
            8 => FRAC_PI_4,
            _ => rng.range_f32(0.0, 3.0),
        };
        Self {
            color,
            second: color * rng.range_f32(0.3, 1.5),
            pattern: Pattern::Plain,
            turn: Vec2::from_angle(angle),
            variety: 0.0,
            stains: (0.0, 1.0),
            grain: (0.0, 20.0),
            speckle: (0.0, 200.0),
            gloss: 0.0,
            seed: rng.next_u64(),
        }
    }

    fn upright(mut self) -> Self {
        self.turn = Vec2::X;
        self
    }

    /// A random finish of a material.
    pub(crate) fn random(material: Material, rng: &mut Rng) -> Self {
        match material {
            Material::Floor => Self::floor(rng),
            Material::Wall => Self::wall(rng),
            Material::Ceiling => {
                let color = match rng.below(12) {
                    0 => wood(rng),
                    1 => Vec3::splat(rng.range_f32(0.01, 0.06)),
                    2 => tone(rng, 0.3, 0.8, 0.3),
                    _ => white(rng),
                };
                let mut f = Self::new(rng, color);
                if rng.random_bool(0.1) {
                    f.pattern = Pattern::Grooves { gap: rng.range_f32(0.08, 0.2), joint: 0.008 };
                } else if rng.random_bool(0.08) {
                    f.pattern = Pattern::Courses { length: 0.6, width: 0.6, offset: 0.0, joint: 0.02, checkered: 0.0 };
                }
                f.speckle = (rng.range_f32(0.0, 0.06), rng.range_f32(30.0, 200.0));
                f
            }
            Material::Trim => {
                let color = match rng.below(10) {
                    0 | 1 => wood(rng),
                    2 => Vec3::splat(rng.range_f32(0.01, 0.2)),
                    3 => tone(rng, 0.1, 0.8, 0.4),
                    _ => white(rng),
                };
                Self::new(rng, color)
            }
            Material::Door => {
                let color = match rng.below(10) {
                    0..=2 => wood(rng),
                    3 => tone(rng, 0.02, 0.6, 0.6),
                    _ => white(rng),
                };
                let mut f = Self::new(rng, color).upright();
                f.grain = (rng.range_f32(0.0, 0.25), 30.0);
                f
            }
            Material::Cabinet => {
                let color = match rng.below(10) {
                    0..=3 => wood(rng),
                    4 | 5 => tone(rng, 0.02, 0.6, 0.6),
                    _ => white(rng),
                };
                let mut f = Self::new(rng, color).upright();
                f.grain = (rng.range_f32(0.0, 0.3), 30.0);
                f.gloss = rng.range_f32(0.0, 0.05);
                f
            }
            Material::Counter => {
                let color = if rng.random_bool(0.5) { tone(rng, 0.01, 0.2, 0.2) } else { tone(rng, 0.3, 0.85, 0.2) };
                let mut f = Self::new(rng, color);
                f.speckle = (rng.range_f32(0.0, 0.25), 60.0);
                f.gloss = rng.range_f32(0.0, 0.2);
                f
            }
            Material::Metal => {
                let level = rng.range_f32(0.02, 0.8);
                let mut f = Self::new(rng, Vec3::splat(level));
                f.gloss = rng.range_f32(0.0, 0.3);
                if rng.random_bool(0.4) {
                    f.pattern = Pattern::Grooves { gap: rng.range_f32(0.03, 0.08), joint: 0.015 };
                    f.turn = Vec2::Y;
                }
                f
            }
            Material::Masonry => Self::masonry(rng),
            Material::Soot => {
                let level = rng.range_f32(0.004, 0.04);
                Self::new(rng, Vec3::splat(level))
            }
            Material::Rug => {
                let color = tone(rng, 0.05, 0.75, 0.7);
                let mut f = Self::new(rng, color);
                f.second = tone(rng, 0.03, 0.8, 0.7);
                f.pattern = match rng.below(4) {
                    0 => Pattern::Stripes { width: rng.range_f32(0.02, 0.3) },
                    1 => Pattern::Motif { size: rng.range_f32(0.08, 0.5), share: rng.range_f32(0.2, 0.6) },
                    _ => Pattern::Plain,
                };
                f.speckle = (rng.range_f32(0.02, 0.2), rng.range_f32(40.0, 150.0));
                f
            }
            Material::Cloth | Material::Curtain => {
                let color = tone(rng, 0.02, 0.85, 0.8);
                let mut f = Self::new(rng, color);
                f.second = tone(rng, 0.03, 0.8, 0.6);
                f.pattern = match rng.below(8) {
                    0 => Pattern::Stripes { width: rng.range_f32(0.01, 0.1) },
                    1 => Pattern::Motif { size: rng.range_f32(0.04, 0.25), share: rng.range_f32(0.2, 0.6) },
                    _ => Pattern::Plain,
                };
                f.speckle = (rng.range_f32(0.0, 0.15), rng.range_f32(40.0, 200.0));
                f
            }
            Material::Wood => {
                let mut f = Self::new(rng, Vec3::ZERO);
                f.color = wood(rng);
                f.grain = (rng.range_f32(0.0, 0.5), rng.range_f32(15.0, 60.0));
                f
            }
            Material::Blind => {
                let color = if rng.random_bool(0.7) { white(rng) } else { tone(rng, 0.1, 0.8, 0.4) };
                let mut f = Self::new(rng, color);
                f.pattern = Pattern::Grooves { gap: rng.range_f32(0.02, 0.07), joint: 0.01 };
                f.turn = if rng.random_bool(0.8) { Vec2::Y } else { Vec2::X };
                f
            }
            Material::Ground => Self::ground(rng),
            Material::Leaves => {
                let level = rng.range_f32(0.02, 0.25);
                let warm = rng.range_f32(0.3, 1.1);
                let color = Vec3::new(level * warm, level, level * rng.range_f32(0.2, 0.6));
                let mut f = Self::new(rng, color);
                f.speckle = (rng.range_f32(0.3, 1.5), rng.range_f32(3.0, 20.0));
                f.stains = (rng.range_f32(0.2, 0.8), rng.range_f32(2.0, 8.0));
                f
            }
            Material::Roof => {
                let color = match rng.below(3) {
                    0 => tone(rng, 0.02, 0.3, 0.1),
                    1 => wood(rng),
                    _ => Vec3::new(0.35, 0.15, 0.1) * rng.range_f32(0.4, 1.4),
                };
                let mut f = Self::new(rng, color).upright();
                if rng.random_bool(0.8) {
                    f.pattern = Pattern::Courses {
                        length: rng.range_f32(0.15, 0.6),
                        width: rng.range_f32(0.12, 0.4),
                        offset: 0.5,
                        joint: 0.02,
                        checkered: 0.0,
                    };
                }
                f.variety = rng.range_f32(0.0, 0.6);
                f
            }
            Material::Object | Material::Lamp | Material::Glass | Material::Sky => {
                let color = match rng.below(3) {
                    0 => wood(rng),
                    _ => tone(rng, 0.01, 0.85, 0.9),
                };
                let mut f = Self::new(rng, color);
                f.second = tone(rng, 0.03, 0.8, 0.8);
                if rng.random_bool(0.3) {
                    f.pattern = Pattern::Motif { size: rng.range_f32(0.05, 0.4), share: rng.range_f32(0.2, 0.6) };
                }
                f.stains = (rng.range_f32(0.0, 0.6), rng.range_f32(2.0, 12.0));
                f
            }
        }
    }

    fn floor(rng: &mut Rng) -> Self {
        let kind = rng.below(20);
        let color = match kind {
            0..=12 => wood(rng),
            _ => tone(rng, 0.04, 0.75, 0.25),
        };
        let mut f = Self::new(rng, color);
        match kind {
            0..=9 => {
                f.pattern = Pattern::Courses {
                    length: rng.range_f32(0.4, 2.6),
                    width: if rng.random_bool(0.5) { rng.range_f32(0.045, 0.1) } else { rng.range_f32(0.1, 0.26) },
                    offset: -1.0,
                    joint: rng.range_f32(0.0, 0.006),
                    checkered: 0.0,
                };
                f.variety = rng.range_f32(0.03, 0.9);
                f.grain = (rng.range_f32(0.0, 0.4), rng.range_f32(10.0, 60.0));
            }
            10 | 11 => {
                let width = rng.range_f32(0.06, 0.13);
                f.pattern = Pattern::Herringbone { length: width * rng.pick(&[3.0_f32, 4.0, 5.0]), width };
                f.variety = rng.range_f32(0.1, 0.8);
                f.grain = (rng.range_f32(0.0, 0.3), 30.0);
            }
            12..=15 => {
                let side = rng.range_f32(0.15, 0.9);
                f.pattern = Pattern::Courses {
                    length: side * rng.pick(&[1.0_f32, 1.0, 2.0]),
                    width: side,
                    offset: rng.pick(&[0.0_f32, 0.0, 0.5, 0.33]),
                    joint: rng.range_f32(0.002, 0.012),
                    checkered: if rng.random_bool(0.15) { rng.range_f32(0.3, 1.0) } else { 0.0 },
                };
                f.variety = rng.range_f32(0.0, 0.3);
                f.stains = (rng.range_f32(0.0, 0.4), rng.range_f32(1.0, 8.0));
            }
            16 | 17 => f.speckle = (rng.range_f32(0.03, 0.2), rng.range_f32(30.0, 120.0)),
            18 => f.stains = (rng.range_f32(0.1, 0.9), rng.range_f32(0.6, 4.0)),
            _ => f.pattern = Pattern::Stone { size: rng.range_f32(0.25, 0.7), joint: 0.02 },
        }
        if rng.random_bool(0.2) {
            f.stains = (rng.range_f32(0.1, 0.6), rng.range_f32(0.5, 3.0));
        }
        f.gloss = if rng.random_bool(0.35) { 0.0 } else { rng.range_f32(0.0, 0.35).powi(2) * 3.0 };
        f
    }

    /// Lawn, asphalt, gravel, paving or snow.
    fn ground(rng: &mut Rng) -> Self {
        let kind = rng.below(12);
        let level = rng.range_f32(0.04, 0.35);
        let color = match kind {
            0..=6 => Vec3::new(level * rng.range_f32(0.5, 1.1), level, level * rng.range_f32(0.15, 0.6)),
            7..=10 => tone(rng, 0.04, 0.6, 0.2),
            _ => white(rng),
        };
        let mut f = Self::new(rng, color);
        f.speckle = (rng.range_f32(0.05, 0.8), rng.range_f32(5.0, 60.0));
        f.stains = (rng.range_f32(0.1, 0.7), rng.range_f32(0.2, 2.0));
        if kind == 9 {
            let side = rng.range_f32(0.2, 0.8);
            f.pattern = Pattern::Courses { length: side, width: side, offset: 0.5, joint: 0.015, checkered: 0.0 };
        } else if kind == 10 {
            f.pattern = Pattern::Stone { size: rng.range_f32(0.2, 0.7), joint: 0.03 };
        }
        f
    }

    fn masonry(rng: &mut Rng) -> Self {
        let red = rng.random_bool(0.5);
        let level = rng.range_f32(0.04, 0.7);
        let color = if red { Vec3::new(level, level * 0.45, level * 0.33) } else { tone(rng, 0.04, 0.8, 0.2) };
        let mut f = Self::new(rng, color).upright();
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

    fn wall(rng: &mut Rng) -> Self {
        let kind = rng.below(42);
        if kind < 4 {
            return Self::masonry(rng);
        }
        let color = match rng.below(10) {
            0..=4 => white(rng),
            5..=7 => tone(rng, 0.25, 0.8, 0.35),
            8 => tone(rng, 0.02, 0.5, 0.9),
            _ => wood(rng),
        };
        let mut f = Self::new(rng, color).upright();
        match kind {
            4 | 5 => {
                f.pattern = Pattern::Panels {
                    width: rng.range_f32(0.3, 1.2),
                    height: rng.range_f32(0.4, 2.4),
                    border: rng.range_f32(0.03, 0.12),
                };
            }
            6 | 7 => {
                f.pattern = Pattern::Grooves { gap: rng.range_f32(0.06, 0.3), joint: rng.range_f32(0.004, 0.012) };
                if rng.random_bool(0.3) {
                    f.turn = Vec2::Y;
                }
                f.variety = rng.range_f32(0.0, 0.5);
                f.grain = (rng.range_f32(0.0, 0.4), 30.0);
            }
            8 => f.pattern = Pattern::Stripes { width: rng.range_f32(0.02, 0.3) },
            9 | 10 => f.pattern = Pattern::Motif { size: rng.range_f32(0.08, 0.6), share: rng.range_f32(0.1, 0.6) },
            11 => {
                let side = rng.range_f32(0.08, 0.6);
                f.pattern = Pattern::Courses {
                    length: side * rng.pick(&[1.0_f32, 2.0]),
                    width: side,
                    offset: rng.pick(&[0.0_f32, 0.5]),
                    joint: 0.005,
                    checkered: 0.0,
                };
                f.variety = rng.range_f32(0.0, 0.3);
                f.gloss = rng.range_f32(0.0, 0.1);
            }
            40 | 41 => {
                // Slabs of marble or large tiles.
                let side = rng.range_f32(0.5, 1.6);
                f.pattern = Pattern::Courses {
                    length: side * rng.pick(&[1.0_f32, 2.0]),
                    width: side,
                    offset: 0.0,
                    joint: rng.range_f32(0.002, 0.006),
                    checkered: 0.0,
                };
                f.variety = rng.range_f32(0.0, 0.3);
                f.stains = (rng.range_f32(0.1, 0.7), rng.range_f32(1.0, 6.0));
                f.gloss = rng.range_f32(0.0, 0.1);
            }
            12..=14 => f.stains = (rng.range_f32(0.05, 0.7), rng.range_f32(0.4, 4.0)),
            _ => {}
        }
        if rng.random_bool(0.3) {
            f.speckle = (rng.range_f32(0.0, 0.05), rng.range_f32(40.0, 200.0));
        }
        f
    }

    /// Reflectance at a point; `pixel` is the width of a pixel there, meters.
    pub(crate) fn color(&self, at: Vec2, pixel: f32) -> Vec3 {
        let p = Vec2::new(at.dot(self.turn), at.dot(self.turn.perp()));
        // Details smaller than a pixel average out.
        let seen = |size: f32| (size / pixel.max(1e-4) - 0.6).clamp(0.0, 1.0);
        let mut color = self.color;
        let piece = |i: i64, j: i64| 1.0 + self.variety * (hashed(i, j, self.seed) - 0.5);
        match self.pattern {
            Pattern::Plain => {}
            Pattern::Courses { length, width, offset, joint, checkered } => {
                let row = (p.y / width).floor();
                let shift = if offset < 0.0 { hashed(row as i64, 3, self.seed) } else { offset * row.rem_euclid(2.0) };
                let along = p.x / length + shift;
                let column = along.floor();
                let mut factor = piece(row as i64, column as i64);
                if checkered > 0.0 && (row + column).rem_euclid(2.0) > 0.5 {
                    factor *= 1.0 - 0.8 * checkered;
                }
                color *= 1.0 + (factor - 1.0) * seen(width);
                let edge = ((along - column).min(1.0 - along + column) * length)
                    .min((p.y / width - row).min(1.0 - p.y / width + row) * width);
                color = self.joined(color, edge, joint, pixel, offset >= 0.0);
            }
            Pattern::Herringbone { length, width } => {
                let n = (length / width).round();
                let (x, y) = ((p.x / width).floor(), (p.y / width).floor());
                let k = (x - y).rem_euclid(2.0 * n);
                let (i, j, edge) = if k < n {
                    (x - k, y, ((p.y / width - y).min(1.0 - p.y / width + y)) * width)
                } else {
                    (x, y - (2.0 * n - 1.0 - k), ((p.x / width - x).min(1.0 - p.x / width + x)) * width)
                };
                let factor = piece(i as i64, j as i64 + if k < n { 0 } else { 7777 });
                color *= 1.0 + (factor - 1.0) * seen(width);
                color = self.joined(color, edge, 0.002, pixel, false);
            }
            Pattern::Stone { size, joint } => {
                let q = p / size;
                let cell = q.floor();
                let (mut best, mut second, mut id) = (f32::MAX, f32::MAX, (0, 0));
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        let (i, j) = (cell.x as i64 + dx, cell.y as i64 + dy);
                        let c = Vec2::new(i as f32 + hashed(i, j, self.seed), j as f32 + hashed(i, j, self.seed ^ 9));
                        let d = (c - q).length();
                        if d < best {
                            (second, best, id) = (best, d, (i, j));
                        } else if d < second {
                            second = d;
                        }
                    }
                }
                color *= 1.0 + (piece(id.0, id.1) - 1.0) * seen(size * 0.7);
                color = self.joined(color, (second - best) * size * 0.5, joint, pixel, true);
            }
            Pattern::Panels { width, height, border } => {
                let q = Vec2::new((p.x / width).fract().abs() * width, (p.y / height).fract().abs() * height);
                let edge = q.x.min(width - q.x).min(q.y.min(height - q.y));
                let line = (edge - border).abs();
                let share = (1.0 - line / pixel.max(0.012)).clamp(0.0, 1.0) * (0.012 / pixel.max(0.012)).min(1.0);
                color *= 1.0 - 0.45 * share;
            }
            Pattern::Grooves { gap, joint } => {
                let i = (p.x / gap).floor();
                color *= 1.0 + (piece(i as i64, 0) - 1.0) * seen(gap);
                let edge = (p.x / gap - i).min(1.0 - p.x / gap + i) * gap;
                color = self.joined(color, edge, joint, pixel, false);
            }
            Pattern::Stripes { width } => {
                let share = if (p.x / width).rem_euclid(2.0) < 1.0 { 1.0 } else { 0.0 };
                let share = 0.5 + (share - 0.5) * seen(width);
                color = color.lerp(self.second, share * 0.7);
            }
            Pattern::Motif { size, share } => {
                let n = noise(p / size, self.seed) + 0.5 * noise(p / size * 2.3, self.seed ^ 5);
                let inside = if n > 0.5 - share { 1.0 } else { 0.0 };
                color = color.lerp(self.second, (share + (inside - share) * seen(size * 0.5)) * 0.7);
            }
        }
        let mut factor = 1.0;
        if self.stains.0 > 0.0 {
            let q = p * self.stains.1;
            factor += self.stains.0 * (noise(q, self.seed ^ 1) + 0.5 * noise(q * 2.1, self.seed ^ 2));
        }
        if self.grain.0 > 0.0 {
            let q = Vec2::new(p.x * 1.5, p.y * self.grain.1);
            factor += self.grain.0 * noise(q, self.seed ^ 3) * seen(1.0 / self.grain.1);
        }
        if self.speckle.0 > 0.0 {
            let size = pixel.max(1.0 / self.speckle.1);
            factor += self.speckle.0 * noise(p / size, self.seed ^ 4) * (1.0 / self.speckle.1 / size).max(0.25);
        }
        color * factor.max(0.05)
    }

    fn joined(&self, color: Vec3, edge: f32, joint: f32, pixel: f32, mortar: bool) -> Vec3 {
        if joint <= 0.0 {
            return color;
        }
        let half = joint * 0.5;
        let share =
            ((half + pixel * 0.5 - edge.abs()) / pixel.max(1e-4)).clamp(0.0, 1.0) * (joint / pixel.max(1e-4)).min(1.0);
        color.lerp(if mortar { self.second } else { self.color * 0.25 }, share)
    }
}
