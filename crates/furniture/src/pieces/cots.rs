//! Cots.

use aerie_math::Rng;
use glam::Vec3;

use super::dressing::seed;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::bedding::{Drape, over};
use crate::shape::joinery::{bar, dowel, tapered};
use crate::shape::upholstery::{Cushion, Finish, scatter_cushion};

/// A cot with slats: its ends slatted as well, or of panels.
#[must_use]
pub fn cot(form: usize, rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.28, 0.70, 0.92);
    let mut piece = Piece::new(PieceKind::Cot, size);
    let (x, y, low, top) = (size.x / 2.0 - 0.025, size.y / 2.0 - 0.025, 0.24, size.z - 0.02);
    for (i, (sx, sy)) in super::feet::CORNERS.into_iter().enumerate() {
        let at = |z: f32| Vec3::new(sx * x, sy * y, z);
        piece.add(bar(at(0.20), at(size.z), 0.042, 0.042, i as f32), Role::Wood);
        piece.add(tapered(at(0.21), at(0.0), [0.042, 0.042], 0.62, i as f32), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        for z in [low, top] {
            piece.add(bar(Vec3::new(-x, side * y, z), Vec3::new(x, side * y, z), 0.028, 0.042, z + side), Role::Wood);
            let (from, to) = (Vec3::new(side * x, -y, z), Vec3::new(side * x, y, z));
            piece.add(bar(from, to, 0.028, 0.042, z + side + 4.0), Role::Wood);
        }
        for i in 1..16 {
            let x = -x + 2.0 * x * i as f32 / 16.0;
            let solid = dowel(Vec3::new(x, side * y, low), Vec3::new(x, side * y, top), 0.008, 0.008, i as f32);
            piece.add(solid, Role::Wood);
        }
        if form == 1 {
            let (from, to) = (Vec3::new(side * x, 0.0, low), Vec3::new(side * x, 0.0, top));
            piece.add(bar(from, to, 0.016, 2.0 * y - 0.03, side).yawed(0.0), Role::Front);
        } else {
            for i in 1..9 {
                let y = -y + 2.0 * y * i as f32 / 9.0;
                let solid = dowel(Vec3::new(side * x, y, low), Vec3::new(side * x, y, top), 0.008, 0.008, i as f32);
                piece.add(solid, Role::Wood);
            }
        }
    }
    let mattress = Cushion::new(size.x - 0.11, size.y - 0.11, 0.12, seed(rng)).edged(0.03).filled(0.012, 0.6);
    piece.add(mattress.lying().moved(0.0, 0.0, 0.30), Role::Linen);
    let blanket = Drape {
        line: over(0.275, 0.446, 0.03, [0.36, 0.36]),
        wide: 0.52,
        thick: 0.016,
        fold: 0.012,
        fringe: 0.0,
        seed: seed(rng),
    };
    let solid = blanket.solid().yawed(std::f32::consts::FRAC_PI_2);
    piece.add(solid.moved(-0.24, 0.0, 0.0), Role::Knit);
    let pillow = scatter_cushion(0.36, 0.28, 0.10, Finish::Piped, seed(rng)).moved(0.0, 0.0, -0.05);
    let pillow = pillow.yawed(std::f32::consts::FRAC_PI_2).rolled(-0.2);
    piece.add(pillow.moved(0.40, 0.0, 0.475), Role::PillowOne);
    piece
}
