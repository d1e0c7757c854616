//! Things for laundry.

use std::f32::consts::PI;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::decor::draped;
use crate::joinery::{bar, board};
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{plate, tube};

/// A folding rack with laundry on it.
#[must_use]
pub fn drying_rack(rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.00, 0.58, 1.02);
    let mut piece = Piece::new(PieceKind::DryingRack, size);
    let (x, y) = (size.x / 2.0 - 0.02, size.y / 2.0 - 0.02);
    for side in [-1.0, 1.0] {
        for lean in [-1.0, 1.0] {
            bar(&mut piece, [side * x, lean * y, 0.012], [side * x, -lean * y, size.z - 0.012], 0.011, Role::Wood);
        }
        bar(&mut piece, [-x, side * y, 0.012], [x, side * y, 0.012], 0.010, Role::Wood);
    }
    let mut rungs = Vec::new();
    for k in 0..5 {
        let t = k as f32 / 4.0;
        rungs.push(Vec3::new(0.0, y * (2.0 * t - 1.0), size.z - 0.02 - 0.05 * (PI * t).sin()));
    }
    for t in [0.28, 0.72] {
        rungs.push(Vec3::new(0.0, -y + 2.0 * y * t, t * (size.z - 0.024)));
    }
    for at in &rungs {
        bar(&mut piece, [-x, at.y, at.z], [x, at.y, at.z], 0.008, Role::Wood);
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    for (rung, wide, dx, hangs, role) in [
        (0, 0.46, -0.20, (0.48, 0.30), Role::Linen),
        (0, 0.30, 0.26, (0.30, 0.26), Role::PillowOne),
        (2, 0.52, 0.12, (0.36, 0.34), Role::PillowTwo),
        (4, 0.40, -0.18, (0.26, 0.42), Role::Linen),
    ] {
        let at = rungs[rung] + Vec3::X * dx;
        piece.add(draped(wide, at, hangs, 0.0, seed + rung as u32), role);
    }
    piece
}

/// An ironing board on crossed legs, with an iron.
#[must_use]
pub fn ironing_board() -> Piece {
    let size = Vec3::new(1.32, 0.40, 0.98);
    let mut piece = Piece::new(PieceKind::IroningBoard, size);
    let top = 0.90;
    let outline: Vec<Vec2> = (0..72)
        .map(|i| Vec2::from_angle(PI * 2.0 * i as f32 / 72.0))
        .map(|d| {
            let x = d.x.signum() * d.x.abs().powf(0.75) * 0.64;
            let taper = 1.0 - 0.55 * ((x - 0.10) / 0.54).clamp(0.0, 1.0).powf(1.7);
            Vec2::new(x, d.y.signum() * d.y.abs().powf(0.6) * 0.185 * taper)
        })
        .collect();
    piece.add(plate(&outline, 0.028, 0.012).moved(0.0, 0.0, top - 0.028), Role::PillowTwo);
    let under: Vec<Vec2> = outline.iter().map(|p| *p * 0.97).collect();
    piece.add(plate(&under, 0.012, 0.003).moved(0.0, 0.0, top - 0.040), Role::Mirror);
    for (from, to, wide) in [(-0.46, 0.40, 0.15), (0.42, -0.34, 0.11)] {
        for side in [-1.0, 1.0] {
            bar(&mut piece, [from, side * wide, 0.012], [to, side * wide * 0.8, top - 0.04], 0.011, Role::Mirror);
        }
        bar(&mut piece, [from, -wide - 0.04, 0.012], [from, wide + 0.04, 0.012], 0.011, Role::Mirror);
    }
    iron(&mut piece, Vec3::new(-0.36, 0.0, top));
    piece
}

fn iron(piece: &mut Piece, at: Vec3) {
    let sole: Vec<Vec2> = (0..40)
        .map(|i| Vec2::from_angle(PI * 2.0 * i as f32 / 40.0))
        .map(|d| Vec2::new(d.x * 0.13, d.y * 0.055 * (1.0 - 0.6 * d.x.max(0.0).powi(2))))
        .collect();
    piece.add(plate(&sole, 0.010, 0.003).moved(at.x, at.y, at.z), Role::Mirror);
    let body: Vec<Vec2> = sole.iter().map(|p| *p * 0.94).collect();
    piece.add(plate(&body, 0.050, 0.022).moved(at.x, at.y, at.z + 0.010), Role::Mount);
    let grip = [
        Vec3::new(0.07, 0.0, 0.045),
        Vec3::new(0.06, 0.0, 0.085),
        Vec3::new(0.02, 0.0, 0.105),
        Vec3::new(-0.07, 0.0, 0.105),
        Vec3::new(-0.10, 0.0, 0.075),
        Vec3::new(-0.10, 0.0, 0.045),
    ];
    piece.add(tube(&grip, 0.013, 12, false).moved(at.x, at.y, at.z), Role::DarkMetal);
    board(piece, [0.03, 0.002, 0.02], [at.x - 0.02, at.y - 0.05, at.z + 0.03], Role::DarkMetal);
}
