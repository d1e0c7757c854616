//! Recliners for rooms with a screen.

use aerie_math::Rng;
use glam::Vec3;

use super::dressing::seed;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::block;
use crate::shape::upholstery::Cushion;

/// A recliner in leather: thickly padded, or slim.
#[must_use]
pub fn recliner(form: usize, rng: &mut Rng) -> Piece {
    let slim = form == 1;
    let (width, depth, seat, top) = (if slim { 0.78 } else { 0.92 }, 0.94, 0.47, 1.04);
    let arm = if slim { 0.10 } else { 0.17 };
    let mut piece = Piece::new(PieceKind::Recliner, Vec3::new(width, depth, top));
    let inner = width - 2.0 * arm;
    let role = Role::Leather;
    for side in [-1.0, 1.0] {
        let body = Cushion::new(arm, 0.50, depth - 0.14, seed(rng)).edged(0.035).filled(0.008, 0.6).standing();
        piece.add(body.moved(side * (width - arm) / 2.0, -0.03, 0.05), role);
        // A pillow on the arm.
        let cap = Cushion::new(arm + 0.015, depth - 0.22, 0.085, seed(rng)).edged(0.038).filled(0.020, 0.9);
        piece.add(cap.lying().moved(side * (width - arm - 0.015) / 2.0, -0.06, 0.53), role);
        piece.add(
            block(Vec3::new(0.05, depth - 0.24, 0.05), 0.006).moved(side * (width / 2.0 - 0.08), -0.03, 0.0),
            Role::DarkMetal,
        );
    }
    let cushion = Cushion::new(inner - 0.004, 0.64, 0.17, seed(rng)).edged(0.05).filled(0.036, 1.0);
    piece.add(cushion.lying().moved(0.0, -0.125, seat - 0.165), role);
    // The footrest, folded in.
    for (i, high) in [0.14, 0.15].into_iter().enumerate() {
        let panel = Cushion::new(inner - 0.008, high, 0.07, seed(rng)).edged(0.03).filled(0.018, 0.8).standing();
        piece.add(panel.moved(0.0, -depth / 2.0 + 0.055, 0.045 + 0.145 * i as f32), role);
    }
    // The back in three rolls, and a rear.
    let rows = [0.20, 0.20, 0.22];
    let mut z = seat - 0.03;
    for (i, high) in rows.into_iter().enumerate() {
        let wide = inner + 0.03 + 0.03 * i as f32;
        let roll = Cushion::new(wide, high, 0.17, seed(rng)).edged(0.06).filled(0.028, 0.9).standing();
        let y = depth / 2.0 - 0.30 + 0.20 * (z - seat);
        piece.add(roll.pitched(-0.20).moved(0.0, y + 0.03, z), role);
        z += high * 0.965;
    }
    let rear = Cushion::new(inner + 0.08, 0.88, 0.07, seed(rng)).edged(0.03).filled(0.006, 0.5).standing();
    piece.add(rear.pitched(-0.16).moved(0.0, depth / 2.0 - 0.215, 0.12), role);
    let base = block(Vec3::new(inner, depth - 0.24, 0.24), 0.01);
    piece.add(base.moved(0.0, 0.0, 0.05), Role::DarkMetal);
    piece
}
