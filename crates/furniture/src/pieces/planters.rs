//! Planters for patios.

use std::f32::consts::PI;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::foliage::{posed, shaped};
use super::pots;
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::ball;

/// A planter trough with grasses or box balls, for along a wall or a railing.
#[must_use]
pub fn planter(form: usize, rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.90, 0.34, 0.95);
    let mut piece = Piece::new(PieceKind::Planter, size);
    let role = [Role::Concrete, Role::Wood, Role::DarkMetal][form % 3];
    let soil = pots::trough(&mut piece, Vec3::new(size.x, size.y, 0.40), role);
    if form == 1 {
        const COUNT: usize = 560;
        for k in 0..3 {
            let at = Vec3::new((k as f32 - 1.0) * 0.28, 0.0, soil + 0.13);
            piece.add(ball(0.122).moved(at.x, at.y, at.z), Role::Moss);
            let mut leaves = Solid::default();
            for i in 0..COUNT {
                // Evenly over a sphere.
                let z = 1.0 - 2.0 * (i as f32 + 0.5) / COUNT as f32;
                let around = Vec2::from_angle(i as f32 * 2.4) * (1.0 - z * z).max(0.0).sqrt();
                let reach = 0.135 * rng.range_f32(0.86, 1.05);
                let solid = shaped(0.036, 0.4, 0.2, [4, 3], |t| 0.024 * (PI * t).sin().max(0.0).sqrt());
                let pose = posed(
                    solid,
                    around.to_angle() + rng.range_f32(-0.9, 0.9),
                    rng.range_f32(-0.2, 1.2),
                    0.0,
                    at + around.extend(z) * reach,
                );
                leaves = leaves.with(pose);
            }
            piece.add(leaves, Role::Leaf);
        }
        return piece;
    }
    for k in 0..190 {
        let foot = Vec3::new(rng.range_f32(-0.40, 0.40), rng.range_f32(-0.11, 0.11), soil - 0.01);
        let turn = k as f32 * 2.4;
        let (long, lean) = (rng.range_f32(0.34, 0.60), rng.range_f32(0.9, 1.5));
        let solid = shaped(long, rng.range_f32(0.3, 1.3), 0.5, [8, 3], |t| 0.011 * (1.0 - t.powi(3)).max(0.0));
        let role = if k % 4 == 0 { Role::PaleLeaf } else { Role::Leaf };
        piece.add(posed(solid, turn, lean, 0.0, foot), role);
    }
    for v in &mut piece.mesh_mut().vertices {
        v.place.y = v.place.y.clamp(-size.y / 2.0 - 0.06, size.y / 2.0 + 0.06);
        v.place.x = v.place.x.clamp(-size.x / 2.0 - 0.06, size.x / 2.0 + 0.06);
    }
    piece
}
