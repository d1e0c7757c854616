//! Plants in pots.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Mat3, Vec3};

use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{lathe, sheet, tube};

/// A leaf along X from the origin, drooping.
fn leaf(length: f32, width: f32, droop: f32) -> Solid {
    sheet(9, 5, |t, v| {
        let outline = (PI * t.powf(0.75)).sin().max(0.0).powf(0.75);
        let side = (v - 0.5) * width * outline;
        let fold = (v - 0.5).abs() * 2.0 * 0.22 * width * outline;
        let wave = 0.02 * length * (t * 9.0 + v * 2.0).sin();
        Vec3::new(
            length * t * (1.0 - 0.12 * droop * t),
            side,
            -droop * length * t * t * 0.5 + fold + wave * (v - 0.5).abs(),
        )
    })
}

fn pot(piece: &mut Piece, radius: f32, height: f32, role: Role) {
    let outline = [
        [0.0, 0.0],
        [radius * 0.78, 0.0],
        [radius * 0.82, 0.008],
        [radius, height - 0.01],
        [radius, height],
        [radius - 0.014, height],
        [radius - 0.018, height - 0.04],
        [0.0, height - 0.042],
    ];
    piece.add(lathe(&outline[..7], 56), role);
    piece.add(lathe(&[[radius - 0.016, height - 0.045], [0.0, height - 0.035]], 40), Role::Soil);
}

/// A potted tree, 1.35 to 1.75 m tall, with broad or narrow leaves.
#[must_use]
pub fn tree(rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.35, 1.75);
    let mut piece = Piece::new(PieceKind::PottedPlant, Vec3::new(0.70, 0.70, height));
    let (radius, deep) = (0.17, 0.32);
    let role = [Role::Ceramic, Role::DarkCeramic, Role::Cane][rng.below(3)];
    pot(&mut piece, radius, deep, role);
    let broad = rng.random_bool_f32(0.6);
    let stems = if broad { 3 } else { 5 };
    for s in 0..stems {
        let turn = TAU * s as f32 / stems as f32 + rng.range_f32(-0.4, 0.4);
        let tall = height * if s == 0 { 0.93 } else { rng.range_f32(0.62, 0.85) };
        let out = if s == 0 { 0.05 } else { rng.range_f32(0.10, 0.20) };
        let at = |t: f32| {
            let bow = out * t.powf(1.5);
            Vec3::new(turn.cos() * (0.03 + bow), turn.sin() * (0.03 + bow), deep - 0.05 + (tall - deep) * t)
        };
        let path: Vec<Vec3> = (0..=10).map(|i| at(i as f32 / 10.0)).collect();
        piece.add(tube(&path, if broad { 0.009 } else { 0.006 }, 8, false).grained(2, s as f32), Role::Bark);
        let leaves = if broad { 15 } else { 34 };
        for i in 0..leaves {
            let t = 0.28 + 0.74 * i as f32 / leaves as f32;
            let side = i as f32 * 2.4 + rng.range_f32(-0.3, 0.3);
            let up = 0.25 + 0.75 * t + rng.range_f32(-0.2, 0.2);
            let (long, wide, droop) = if broad {
                (rng.range_f32(0.17, 0.26), rng.range_f32(0.11, 0.16), rng.range_f32(0.3, 0.9))
            } else {
                (rng.range_f32(0.07, 0.12), rng.range_f32(0.018, 0.028), rng.range_f32(0.1, 0.5))
            };
            let turn = Mat3::from_rotation_z(side)
                * Mat3::from_rotation_y(-up * 0.8)
                * Mat3::from_rotation_x(rng.range_f32(-0.5, 0.5));
            let solid = leaf(long, wide, droop).turned(turn);
            let place = at(t.min(1.0));
            piece.add(solid.moved(place.x, place.y, place.z), Role::Leaf);
        }
    }
    // Leaves must not reach beyond the footprint.
    for v in &mut piece.mesh.vertices {
        let reach = v.place.truncate().length();
        if reach > 0.345 {
            let scale = 0.345 / reach;
            v.place.x *= scale;
            v.place.y *= scale;
        }
    }
    piece
}

/// A potted plant with upright, sword-shaped leaves.
#[must_use]
pub fn blades(rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::PottedPlant, Vec3::new(0.44, 0.44, 0.95));
    pot(&mut piece, 0.15, 0.28, if rng.random_bool_f32(0.5) { Role::Ceramic } else { Role::DarkCeramic });
    for i in 0..16 {
        let turn = i as f32 * 2.4;
        let (out, tall) = (rng.range_f32(0.02, 0.12), rng.range_f32(0.40, 0.68));
        let (twist, wide) = (rng.range_f32(-0.8, 0.8), rng.range_f32(0.05, 0.075));
        let solid = sheet(12, 4, |t, v| {
            let narrow = (1.0 - t.powi(3)) * (0.6 + 0.4 * (PI * t).sin()).max(0.0);
            let side = turn + PI / 2.0 + twist * t;
            let from = 0.035 + out * t * t;
            let across = (v - 0.5) * wide * narrow;
            Vec3::new(turn.cos() * from + side.cos() * across, turn.sin() * from + side.sin() * across, 0.22 + tall * t)
        });
        piece.add(solid, Role::Leaf);
    }
    piece
}

/// A small potted plant that stands on furniture.
#[must_use]
pub fn small(rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::SmallPlant, Vec3::new(0.24, 0.24, 0.26));
    pot(&mut piece, 0.06, 0.10, if rng.random_bool_f32(0.5) { Role::Ceramic } else { Role::DarkCeramic });
    for i in 0..22 {
        let turn = Mat3::from_rotation_z(i as f32 * 2.4) * Mat3::from_rotation_y(-rng.range_f32(0.2, 1.3));
        let solid = leaf(rng.range_f32(0.08, 0.12), rng.range_f32(0.03, 0.045), rng.range_f32(0.4, 1.2)).turned(turn);
        piece.add(solid.moved(0.0, 0.0, 0.08), Role::Leaf);
    }
    piece
}
