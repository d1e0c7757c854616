//! What dresses seats and beds: scatter cushions and throws.

use aerie_math::Rng;
use glam::Vec3;

use crate::material::Kind;
use crate::mesh::Solid;
use crate::palette::{Palette, Role};
use crate::piece::Piece;
use crate::shape::bedding::{Drape, over};
use crate::shape::upholstery::{Finish, scatter_cushion};

/// A seed for the noise of a solid.
pub(super) fn seed(rng: &mut Rng) -> u32 {
    (rng.next_u64() & 0xFFFF) as u32
}

/// Where cushions lean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nook {
    /// Half the width between the arms.
    pub(super) half: f32,
    /// Where the front of the backrest meets the seat.
    pub(super) back: f32,
    /// Height of the seat.
    pub(super) seat: f32,
    /// How far the backrest leans, radians from upright.
    pub(super) lean: f32,
    /// Height of the backrest above the seat.
    pub(super) high: f32,
}

/// A cushion that leans: its width, its height and its place.
struct Leaning {
    wide: f32,
    high: f32,
    x: f32,
    forward: f32,
    yaw: f32,
}

impl Nook {
    /// Leans a scatter cushion.
    fn lean(&self, leaning: &Leaning, finish: Finish, rng: &mut Rng) -> Solid {
        let plump = 0.15 + 0.04 * leaning.high.min(leaning.wide);
        let tilt = std::f32::consts::FRAC_PI_2 - self.lean - 0.14 - rng.range_f32(0.0, 0.10);
        // The lower corners sink into the seat.
        let z = self.seat + leaning.high * 0.5 * tilt.sin() - 0.018;
        // It touches the backrest with its upper edge or its middle, whichever comes first.
        let (high, slope) = (leaning.high, self.lean.tan());
        let edge = self.back + high * slope - high * 0.5 * tilt.cos() - 0.02;
        let middle = self.back + high * 0.5 * slope - plump * 0.5 + 0.03;
        let y = edge.min(middle) - leaning.forward;
        scatter_cushion(leaning.wide, leaning.high, plump, finish, seed(rng))
            .moved(0.0, 0.0, -plump / 2.0)
            .yawed(rng.range_f32(-0.06, 0.06))
            .pitched(tilt)
            .yawed(leaning.yaw + rng.range_f32(-0.06, 0.06))
            .moved(leaning.x, y, z)
    }

    /// Dresses a sofa with three to five cushions.
    pub(super) fn dress(&self, piece: &mut Piece, rng: &mut Rng) {
        let roles = if rng.random_bool(0.5) {
            [Role::PillowOne, Role::PillowTwo, Role::PillowThree]
        } else {
            [Role::PillowTwo, Role::PillowThree, Role::PillowOne]
        };
        let mirrored = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let wide = self.half > 0.72;
        // Cushions look over a low backrest only a little.
        let tall = ((self.high + 0.05) / 0.50).clamp(0.76, 1.0);
        let spot = |wide: f32, high: f32, x: f32, forward: f32, yaw: f32| Leaning {
            wide: wide * tall,
            high: high * tall,
            x: x * mirrored,
            forward,
            yaw: yaw * mirrored,
        };
        let edge = self.half - 0.25;
        let mut all = vec![
            (spot(0.52, 0.50, -edge, 0.0, 0.26), roles[0], Finish::Piped),
            (spot(0.44, 0.43, -edge + 0.25, 0.13, 0.12), roles[1], Finish::Knife),
            (spot(0.50, 0.48, edge, 0.0, -0.28), roles[1], Finish::Knife),
        ];
        if wide {
            all.push((spot(0.54, 0.32, edge - 0.20, 0.14, -0.12), roles[2], Finish::Piped));
        }
        if self.half > 0.95 && rng.random_bool(0.6) {
            all.insert(1, (spot(0.46, 0.45, -edge + 0.44, 0.03, 0.05), roles[2], Finish::Flange(0.03)));
        }
        for (leaning, role, finish) in all {
            let finish = match (finish, rng.below(4)) {
                (Finish::Knife, 0) => Finish::Fringe(0.035),
                _ => finish,
            };
            let solid = self.lean(&leaning, finish, rng);
            piece.add(solid, role);
        }
    }

    /// Leans one cushion on an armchair; a low one or a square one.
    pub(super) fn dress_chair(&self, piece: &mut Piece, rng: &mut Rng) {
        let low = rng.random_bool(0.6) || self.high < 0.38;
        let (wide, high): (f32, f32) = if low { (0.48, 0.29) } else { (0.42, 0.41) };
        let role = rng.pick(&[Role::PillowOne, Role::PillowTwo, Role::PillowThree]);
        let wide = wide.min(self.half * 1.8);
        let leaning = Leaning { wide, high, x: rng.range_f32(-0.03, 0.03), forward: 0.0, yaw: 0.0 };
        let solid = self.lean(&leaning, Finish::Piped, rng);
        piece.add(solid, role);
    }
}

/// A throw over an arm at `x`, `half` as thick as half of the arm, hanging down to the seat inside and lower outside.
pub(super) fn throw_over_arm(piece: &mut Piece, x: f32, half: f32, top: f32, low: [f32; 2], y: f32, rng: &mut Rng) {
    let low = if x < 0.0 { low } else { [low[1], low[0]] };
    let drape = Drape {
        line: over(half, top, half.min(0.055), low),
        wide: rng.range_f32(0.36, 0.46),
        thick: 0.014,
        fold: 0.016,
        fringe: 0.07,
        seed: seed(rng),
    };
    piece.add(drape.solid().moved(x, y, 0.0), Role::Throw);
}

/// A throw down a backrest or over the front of a seat; `line` runs in the plane of Y and Z.
pub(super) fn throw_along(piece: &mut Piece, line: &[Vec3], x: f32, wide: f32, rng: &mut Rng) {
    let flat = line.iter().map(|p| glam::Vec2::new(p.y, p.z)).collect();
    let drape = Drape { line: flat, wide, thick: 0.014, fold: 0.016, fringe: 0.07, seed: seed(rng) };
    // X of the drape becomes Y.
    piece.add(drape.solid().yawed(std::f32::consts::FRAC_PI_2).moved(x, 0.0, 0.0), Role::Throw);
}

/// The cloth of a chair that is upholstered: where a style's armchairs are of cane, that of its sofas.
pub(super) fn cloth(palette: &Palette) -> Role {
    let is_caned = palette.materials[Role::Armchair as usize].kind == Kind::Cane;
    if is_caned { Role::Sofa } else { Role::Armchair }
}
