//! Plants in pots.

use std::f32::consts::{PI, TAU};

use glam::{Mat3, Vec3};

use super::Piece;
use crate::chance::Chance;
use crate::mesh::Solid;
use crate::shape::{lathe, sheet, tube};
use crate::style::Role;

/// A leaf along x from the origin, bent downwards.
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

/// A tree for a room, 1.2 to 1.9 m: broad leaves on a thin stem.
#[must_use]
pub fn tree(chance: &mut Chance) -> Piece {
    let height = chance.within(1.35, 1.75);
    let mut piece = Piece::new("potted plant", Vec3::new(0.70, 0.70, height));
    let (radius, deep) = (0.17, 0.32);
    let role = [Role::Ceramic, Role::DarkCeramic, Role::Cane][chance.below(3)];
    pot(&mut piece, radius, deep, role);
    let broad = chance.happens(0.6);
    let stems = if broad { 3 } else { 5 };
    for s in 0..stems {
        let turn = TAU * s as f32 / stems as f32 + chance.within(-0.4, 0.4);
        let tall = height * if s == 0 { 0.93 } else { chance.within(0.62, 0.85) };
        let out = if s == 0 { 0.05 } else { chance.within(0.10, 0.20) };
        let at = |t: f32| {
            let bow = out * t.powf(1.5);
            Vec3::new(turn.cos() * (0.03 + bow), turn.sin() * (0.03 + bow), deep - 0.05 + (tall - deep) * t)
        };
        let path: Vec<Vec3> = (0..=10).map(|i| at(i as f32 / 10.0)).collect();
        piece.add(tube(&path, if broad { 0.009 } else { 0.006 }, 8, false).grained(2, s as f32), Role::Bark);
        let leaves = if broad { 15 } else { 34 };
        for i in 0..leaves {
            let t = 0.28 + 0.74 * i as f32 / leaves as f32;
            let side = i as f32 * 2.4 + chance.within(-0.3, 0.3);
            let up = 0.25 + 0.75 * t + chance.within(-0.2, 0.2);
            let (long, wide, droop) = if broad {
                (chance.within(0.17, 0.26), chance.within(0.11, 0.16), chance.within(0.3, 0.9))
            } else {
                (chance.within(0.07, 0.12), chance.within(0.018, 0.028), chance.within(0.1, 0.5))
            };
            let turn = Mat3::from_rotation_z(side)
                * Mat3::from_rotation_y(-up * 0.8)
                * Mat3::from_rotation_x(chance.within(-0.5, 0.5));
            let solid = leaf(long, wide, droop).turned(turn);
            let place = at(t.min(1.0));
            piece.add(solid.moved(place.x, place.y, place.z), Role::Leaf);
        }
    }
    // Leaves must not reach farther than the size tells.
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

/// A plant of upright blades, for the floor or a stand.
#[must_use]
pub fn blades(chance: &mut Chance) -> Piece {
    let mut piece = Piece::new("potted plant", Vec3::new(0.44, 0.44, 0.95));
    pot(&mut piece, 0.15, 0.28, if chance.happens(0.5) { Role::Ceramic } else { Role::DarkCeramic });
    for i in 0..16 {
        let turn = i as f32 * 2.4;
        let (out, tall) = (chance.within(0.02, 0.12), chance.within(0.40, 0.68));
        let (twist, wide) = (chance.within(-0.8, 0.8), chance.within(0.05, 0.075));
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

/// A small plant for furniture.
#[must_use]
pub fn small(chance: &mut Chance) -> Piece {
    let mut piece = Piece::new("small plant", Vec3::new(0.24, 0.24, 0.26));
    pot(&mut piece, 0.06, 0.10, if chance.happens(0.5) { Role::Ceramic } else { Role::DarkCeramic });
    for i in 0..22 {
        let turn = Mat3::from_rotation_z(i as f32 * 2.4) * Mat3::from_rotation_y(-chance.within(0.2, 1.3));
        let solid = leaf(chance.within(0.08, 0.12), chance.within(0.03, 0.045), chance.within(0.4, 1.2)).turned(turn);
        piece.add(solid.moved(0.0, 0.0, 0.08), Role::Leaf);
    }
    piece
}
