//! Lamps.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::Vec3;

use crate::mesh::Solid;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{lathe, leg, rod, tube};

/// A cloth lampshade, open at both ends: radii at the bottom and top, and height.
fn shade(below: f32, above: f32, height: f32) -> Solid {
    let mut outline: Vec<[f32; 2]> = (0..=6)
        .map(|i| {
            let t = i as f32 / 6.0;
            [below + (above - below) * t, height * t]
        })
        .collect();
    outline.push([above - 0.004, height]);
    outline.extend((0..=6).map(|i| {
        let t = 1.0 - i as f32 / 6.0;
        [below + (above - below) * t - 0.004, height * t]
    }));
    outline.push([below, 0.0]);
    lathe(&outline, 64)
}

/// A floor lamp.
#[must_use]
pub fn floor_lamp(palette: &Palette, rng: &mut Rng) -> Piece {
    match (palette.is_round, rng.below(2)) {
        (true, 0) => {
            let mut piece = Piece::new(PieceKind::FloorLamp, Vec3::new(0.56, 0.56, 1.55));
            for i in 0..3 {
                let turn = TAU * (i as f32 + 0.5) / 3.0;
                let foot = Vec3::new(turn.cos() * 0.26, turn.sin() * 0.26, 0.0);
                let tilt = 0.22_f32;
                let solid = leg(1.20, 0.014, 0.011).grained(2, i as f32).rolled(-tilt).yawed(turn);
                piece.add(solid.moved(foot.x, foot.y, 0.0), Role::Wood);
            }
            piece.add(rod(Vec3::new(0.0, 0.0, 1.10), Vec3::new(0.0, 0.0, 1.30), 0.012), Role::Metal);
            piece.add(lathe(&[[0.0, 1.13], [0.035, 1.13], [0.035, 1.17], [0.0, 1.17]], 24), Role::Metal);
            piece.add(shade(0.235, 0.20, 0.30).moved(0.0, 0.0, 1.25), Role::Shade);
            piece
        }
        (_, 1) => {
            // An arc that reaches over a seat.
            let mut piece = Piece::new(PieceKind::FloorLamp, Vec3::new(0.47, 0.36, 1.62));
            piece.add(
                lathe(&[[0.0, 0.0], [0.15, 0.0], [0.155, 0.006], [0.15, 0.02], [0.014, 0.028], [0.0, 0.028]], 56),
                Role::Metal,
            );
            let path: Vec<Vec3> = (0..=24)
                .map(|i| {
                    let t = i as f32 / 24.0;
                    if t < 0.62 {
                        Vec3::new(0.0, 0.0, 0.02 + t / 0.62 * 1.38)
                    } else {
                        let a = (t - 0.62) / 0.38 * PI;
                        Vec3::new(-0.09 + 0.09 * a.cos(), 0.0, 1.40 + 0.16 * a.sin().max(0.0))
                    }
                })
                .collect();
            piece.add(tube(&path, 0.008, 12, false), Role::Metal);
            let dome: Vec<[f32; 2]> = (0..=10)
                .map(|i| {
                    let a = PI / 2.0 * i as f32 / 10.0;
                    [0.13 * a.cos().max(0.08), 0.11 * a.sin()]
                })
                .collect();
            piece.add(lathe(&dome, 48).moved(-0.18, 0.0, 1.30), Role::Metal);
            let inside: Vec<[f32; 2]> = dome.iter().map(|[r, z]| [(r - 0.004).max(0.0), z - 0.003]).collect();
            piece.add(lathe(&inside, 48).moved(-0.18, 0.0, 1.30), Role::Shade);
            // The arm reaches to one side of the foot.
            piece.mesh.vertices.iter_mut().for_each(|v| v.place.x += 0.078);
            piece
        }
        _ => {
            let mut piece = Piece::new(PieceKind::FloorLamp, Vec3::new(0.42, 0.42, 1.58));
            piece.add(
                lathe(&[[0.0, 0.0], [0.14, 0.0], [0.145, 0.006], [0.14, 0.016], [0.012, 0.024], [0.0, 0.024]], 56),
                Role::Metal,
            );
            piece.add(rod(Vec3::new(0.0, 0.0, 0.02), Vec3::new(0.0, 0.0, 1.32), 0.010), Role::Metal);
            piece.add(shade(0.205, 0.18, 0.28).moved(0.0, 0.0, 1.28), Role::Shade);
            piece
        }
    }
}

/// A table lamp.
#[must_use]
pub fn table_lamp(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::TableLamp, Vec3::new(0.30, 0.30, 0.48));
    if palette.on_metal && rng.random_bool_f32(0.4) {
        piece.add(
            lathe(&[[0.0, 0.0], [0.075, 0.0], [0.078, 0.004], [0.075, 0.014], [0.010, 0.02], [0.0, 0.02]], 48),
            Role::Metal,
        );
        piece.add(rod(Vec3::new(0.0, 0.0, 0.015), Vec3::new(0.0, 0.0, 0.30), 0.007), Role::Metal);
    } else {
        let belly = rng.range_f32(0.075, 0.095);
        let outline: Vec<[f32; 2]> = (0..=24)
            .map(|i| {
                let t = i as f32 / 24.0;
                let body = (PI * (0.12 + 0.86 * t)).sin().max(0.0).powf(0.7);
                [(belly * body).max(0.014), 0.24 * t]
            })
            .collect();
        let closed: Vec<[f32; 2]> = std::iter::once([0.0, 0.0]).chain(outline).collect();
        piece.add(lathe(&closed, 48), if rng.random_bool_f32(0.5) { Role::Ceramic } else { Role::DarkCeramic });
        piece.add(rod(Vec3::new(0.0, 0.0, 0.23), Vec3::new(0.0, 0.0, 0.30), 0.008), Role::Metal);
    }
    piece.add(shade(0.15, 0.115, 0.20).moved(0.0, 0.0, 0.27), Role::Shade);
    piece
}
