//! Finishes: colors with patterns, and their reflectance at a point.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use aerie_math::Rng;
use aerie_math::rng::{mix, to_unit};
use glam::{Vec2, Vec3};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pattern {
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
    pub(crate) color: Vec3,
    pub(crate) second: Vec3,
    pub(crate) pattern: Pattern,
    pub(crate) turn: Vec2,
    /// Variation of tone between pieces, of large stains, of grain along the first axis, and of fine speckle.
    pub(crate) variety: f32,
    pub(crate) stains: (f32, f32),
    pub(crate) grain: (f32, f32),
    pub(crate) speckle: (f32, f32),
    /// Share of light that is mirrored, and how.
    pub(crate) gloss: f32,
    seed: u64,
}

/// A number of 0 to 1 for a cell.
pub(crate) fn hashed(a: i64, b: i64, seed: u64) -> f32 {
    to_unit(mix((a as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ mix((b as u64) ^ seed))) as f32
}

/// Smooth noise, -0.5 to 0.5.
pub(crate) fn noise(p: Vec2, seed: u64) -> f32 {
    let (cell, t) = (p.floor(), p - p.floor());
    let t = t * t * (3.0 - 2.0 * t);
    let at = |dx: i64, dy: i64| hashed(cell.x as i64 + dx, cell.y as i64 + dy, seed);
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * t.x;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * t.x;
    low + (high - low) * t.y - 0.5
}

impl Finish {
    /// A plain finish of a color.
    pub(crate) fn new(color: Vec3, rng: &mut Rng) -> Self {
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

    /// With its first axis level.
    pub(crate) fn upright(mut self) -> Self {
        self.turn = Vec2::X;
        self
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
