//! Lamps that hang from a ceiling: each with its canopy at the top of its size.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::lamps::{paper_ball, shade, wicker};
use crate::joinery::{bar, spun};
use crate::mesh::Solid;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{ball, lathe, tube};

/// A hanging lamp of a form, `drop` meters from its lower rim to the ceiling.
#[must_use]
pub fn pendant(form: usize, drop: f32) -> Piece {
    let width = if form == 4 || form == 5 { 0.70 } else { 0.50 };
    let mut piece = Piece::new(PieceKind::PendantLamp, Vec3::new(width, width, drop));
    let r = width / 2.0;
    match form {
        1 => {
            // A globe of milky glass.
            hung(&mut piece, Vec2::ZERO, 0.34, Role::Brass);
            piece.add(ball(0.17).moved(0.0, 0.0, 0.17), Role::Shade);
            piece.add(spun(&[[0.0, 0.325], [0.05, 0.325], [0.05, 0.36], [0.0, 0.37]], 32), Role::Brass);
        }
        2 => {
            hung(&mut piece, Vec2::ZERO, 0.36, Role::DarkMetal);
            wicker(&mut piece, 0.006, 0.34, |t| 0.075 + (r - 0.085) * (PI * (0.88 - 0.80 * t)).sin());
            piece.add(ball(0.045).moved(0.0, 0.0, 0.22), Role::Shade);
            bar(&mut piece, [0.0, 0.0, 0.25], [0.0, 0.0, 0.36], 0.018, Role::DarkMetal);
        }
        3 => {
            hung(&mut piece, Vec2::ZERO, 0.26, Role::Metal);
            piece.add(shade(r, r - 0.01, 0.24), Role::Shade);
            for turn in [0.4, 2.494, 4.589] {
                let away = Vec2::from_angle(turn) * (r - 0.014);
                bar(&mut piece, [0.0, 0.0, 0.232], [away.x, away.y, 0.232], 0.0022, Role::Metal);
            }
            piece.add(spun(&[[0.0, 0.222], [0.018, 0.222], [0.018, 0.262], [0.0, 0.262]], 24), Role::Metal);
            piece.add(spun(&[[0.0, 0.012], [r - 0.006, 0.012], [r - 0.006, 0.016], [0.0, 0.016]], 64), Role::Shade);
        }
        4 => {
            // A cluster of globes on a bar.
            for (i, (x, y, z)) in [(-0.22, 0.05, 0.22), (0.02, -0.12, 0.08), (0.21, 0.06, 0.30), (-0.03, 0.17, 0.44)]
                .into_iter()
                .enumerate()
            {
                hung(&mut piece, Vec2::new(x, y), z + 0.10, Role::Brass);
                piece.add(ball(0.095 - 0.006 * i as f32).moved(x, y, z), Role::Shade);
                piece.add(
                    spun(&[[0.0, 0.07], [0.024, 0.07], [0.024, 0.12], [0.0, 0.125]], 24).moved(x, y, z),
                    Role::Brass,
                );
            }
            piece.add(spun(&[[0.0, drop - 0.03], [0.25, drop - 0.03], [0.25, drop], [0.0, drop]], 56), Role::Brass);
        }
        5 => chandelier(&mut piece),
        6 => {
            hung(&mut piece, Vec2::ZERO, 0.40, Role::DarkMetal);
            piece.add(paper_ball(r - 0.01, 0.40), Role::Shade);
        }
        _ => {
            hung(&mut piece, Vec2::ZERO, 0.27, Role::Metal);
            for solid in dome(r, 0.22) {
                piece.add(solid.0, solid.1);
            }
            piece.add(spun(&[[0.0, 0.215], [0.028, 0.215], [0.024, 0.27], [0.0, 0.275]], 28), Role::Brass);
            piece.add(ball(0.04).moved(0.0, 0.0, 0.09), Role::Shade);
        }
    }
    piece
}

/// A cable from `z` up to a canopy at the ceiling.
fn hung(piece: &mut Piece, at: Vec2, z: f32, role: Role) {
    let drop = piece.size.z;
    bar(piece, [at.x, at.y, z], [at.x, at.y, drop - 0.02], 0.0035, Role::DarkMetal);
    let canopy = [[0.0, drop - 0.030], [0.020, drop - 0.030], [0.055, drop - 0.018], [0.058, drop], [0.0, drop]];
    piece.add(spun(&canopy, 40).moved(at.x, at.y, 0.0), role);
}

/// The outside and the bright inside of a dome.
fn dome(radius: f32, height: f32) -> [(Solid, Role); 2] {
    let outside: Vec<[f32; 2]> = (0..=16)
        .map(|i| PI / 2.0 * i as f32 / 16.0)
        .map(|a| [(radius * a.cos().powf(0.8)).max(0.02), height * a.sin()])
        .collect();
    let inside: Vec<[f32; 2]> = outside.iter().rev().map(|p| [(p[0] - 0.005).max(0.0), p[1] - 0.004]).collect();
    [(lathe(&outside, 72), Role::Metal), (lathe(&inside, 72), Role::Mount)]
}

/// Curved arms with candles.
fn chandelier(piece: &mut Piece) {
    hung(piece, Vec2::ZERO, 0.48, Role::Metal);
    let stem = crate::joinery::smooth_line(
        &[
            [0.006, 0.0],
            [0.022, 0.03],
            [0.012, 0.07],
            [0.030, 0.13],
            [0.014, 0.20],
            [0.010, 0.34],
            [0.024, 0.40],
            [0.008, 0.48],
        ],
        5,
    );
    piece.add(lathe(&stem, 28), Role::Metal);
    for i in 0..6 {
        let away = Vec2::from_angle(TAU * i as f32 / 6.0);
        let path: Vec<Vec3> = (0..=14)
            .map(|k| k as f32 / 14.0)
            .map(|t| (away * (0.02 + 0.28 * t)).extend(0.15 - 0.11 * (PI * t * 0.9).sin() + 0.10 * t * t * t))
            .collect();
        piece.add(tube(&path, 0.0065, 10, false), Role::Metal);
        let tip = path[14];
        piece.add(
            spun(&[[0.0, 0.0], [0.030, 0.004], [0.034, 0.010], [0.012, 0.016], [0.0, 0.016]], 24)
                .moved(tip.x, tip.y, tip.z),
            Role::Metal,
        );
        piece.add(
            spun(&[[0.0, 0.0], [0.0105, 0.0], [0.0105, 0.085], [0.0, 0.085]], 18).moved(tip.x, tip.y, tip.z + 0.012),
            Role::Wax,
        );
        let flame = [[0.0, 0.0], [0.009, 0.010], [0.012, 0.022], [0.006, 0.045], [0.0, 0.058]];
        piece.add(lathe(&flame, 16).moved(tip.x, tip.y, tip.z + 0.097), Role::Shade);
    }
}
