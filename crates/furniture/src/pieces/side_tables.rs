//! Small tables beside seats.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::handles::knob;
use super::tables::rattan_cage;
use crate::joinery::{bar, board, corners, disc, fluted_drum, frame, slanted, slanted_leg, spun};
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, leg};

/// A small table beside a seat.
#[must_use]
pub fn side_table(form: usize) -> Piece {
    let side = if form == 7 { 0.44 } else { 0.46 };
    let (r, height) = (side / 2.0, 0.54);
    let mut piece = Piece::new(PieceKind::SideTable, Vec3::new(side, side, height));
    let top = |thick: f32| disc(side, side, thick).grained(0, 2.0).moved(0.0, 0.0, height - thick);
    match form {
        1 => {
            piece.add(top(0.018), Role::Marble);
            let stem = [
                [0.0, 0.0],
                [0.155, 0.0],
                [0.157, 0.005],
                [0.060, 0.018],
                [0.020, 0.030],
                [0.014, 0.060],
                [0.014, height - 0.06],
                [0.060, height - 0.026],
                [0.075, height - 0.018],
            ];
            piece.add(spun(&stem, 56), Role::Brass);
        }
        2 => {
            piece.add(top(0.022), Role::Wood);
            piece.add(fluted_drum(r - 0.025, height - 0.040, 44).moved(0.0, 0.0, 0.020), Role::Wood);
            piece.add(disc(side - 0.07, side - 0.07, 0.024), Role::DarkWood);
        }
        3 => {
            // A frame like a C that slides under a seat.
            let (x, y) = (r - 0.012, r - 0.05);
            piece.add(
                block(Vec3::new(side, side - 0.06, 0.020), 0.004).grained(0, 1.0).moved(0.0, 0.0, height - 0.020),
                Role::Wood,
            );
            for at in [-y, y] {
                bar(&mut piece, [x, at, 0.0], [x, at, height - 0.010], 0.010, Role::DarkMetal);
                bar(&mut piece, [-x, at, 0.010], [x, at, 0.010], 0.010, Role::DarkMetal);
                bar(&mut piece, [-x, at, height - 0.028], [x, at, height - 0.028], 0.008, Role::DarkMetal);
            }
            bar(&mut piece, [-x, -y, 0.010], [-x, y, 0.010], 0.010, Role::DarkMetal);
        }
        4 => turned_pedestal(&mut piece, side, height),
        5 => {
            // An hourglass of glazed clay.
            let line = crate::joinery::smooth_line(
                &[
                    [r * 0.74, 0.0],
                    [r * 0.80, 0.02],
                    [r * 0.62, height * 0.36],
                    [r * 0.52, height * 0.52],
                    [r * 0.66, height * 0.70],
                    [r * 0.96, height - 0.03],
                    [r * 0.97, height - 0.01],
                    [r * 0.92, height],
                ],
                6,
            );
            let mut closed = line;
            closed.push([0.0, height]);
            piece.add(crate::shape::lathe(&closed, 64), Role::Ceramic);
        }
        6 => {
            piece.add(top(0.020), Role::Wood);
            rattan_cage(&mut piece, r - 0.01, height - 0.016, 28);
        }
        7 => cube_with_drawer(&mut piece, side, height),
        _ => {
            piece.add(top(0.022), Role::Wood);
            for i in 0..3 {
                let away = Vec2::from_angle(TAU * (i as f32 + 0.1) / 3.0);
                let solid = slanted(leg(height - 0.02, 0.018, 0.0115), height - 0.02, away * 0.06);
                piece.add(solid.grained(2, i as f32).moved(away.x * 0.135, away.y * 0.135, 0.0), Role::Wood);
            }
            piece.add(disc(0.27, 0.27, 0.014).grained(0, 4.0).moved(0.0, 0.0, 0.205), Role::Wood);
        }
    }
    piece
}

/// A tripod with a turned column under a molded round top.
fn turned_pedestal(piece: &mut Piece, side: f32, height: f32) {
    let r = side / 2.0;
    let rim = [
        [0.0, height - 0.022],
        [r - 0.02, height - 0.022],
        [r - 0.004, height - 0.014],
        [r, height - 0.006],
        [r - 0.006, height],
        [r - 0.016, height - 0.004],
        [0.0, height - 0.004],
    ];
    piece.add(spun(&rim, 64).grained(0, 1.0), Role::Wood);
    let line = crate::joinery::smooth_line(
        &[
            [0.016, 0.10],
            [0.034, 0.13],
            [0.040, 0.17],
            [0.020, 0.21],
            [0.017, 0.25],
            [0.031, 0.31],
            [0.034, 0.36],
            [0.017, 0.42],
            [0.022, 0.44],
            [0.022, 0.45],
            [0.015, 0.47],
            [0.040, height - 0.02],
        ],
        5,
    );
    piece.add(crate::shape::lathe(&line, 28).grained(2, 1.0), Role::Wood);
    for i in 0..3 {
        let away = Vec2::from_angle(TAU * (i as f32 + 0.25) / 3.0);
        let path: Vec<Vec3> = (0..=10)
            .map(|k| k as f32 / 10.0)
            .map(|t| {
                (away * (0.02 + 0.17 * t))
                    .extend(0.155 - 0.13 * t - 0.05 * (PI * t).sin() * (1.0 - t) + 0.012 * t.powi(6))
            })
            .collect();
        piece.add(super::foliage::tapered(&path, 0.022, 0.013), Role::Wood);
    }
}

/// A small case with a drawer over an open shelf.
fn cube_with_drawer(piece: &mut Piece, side: f32, height: f32) {
    for at in corners(side / 2.0 - 0.018, side / 2.0 - 0.018) {
        piece.add(
            slanted_leg(height - 0.02, 0.034, 0.024, Vec2::ZERO).grained(2, at.x + at.y).moved(at.x, at.y, 0.0),
            Role::Wood,
        );
    }
    board(piece, [side, side, 0.022], [0.0, 0.0, height - 0.022], Role::Wood);
    board(piece, [side - 0.04, side - 0.04, 0.012], [0.0, 0.0, height - 0.150], Role::Wood);
    board(piece, [side - 0.03, side - 0.03, 0.018], [0.0, 0.0, 0.14], Role::Wood);
    for sign in [-1.0, 1.0] {
        board(piece, [0.014, side - 0.05, 0.128], [sign * (side / 2.0 - 0.014), 0.0, height - 0.150], Role::Wood);
    }
    board(piece, [side - 0.06, 0.014, 0.128], [0.0, side / 2.0 - 0.016, height - 0.150], Role::Wood);
    board(piece, [side - 0.076, 0.018, 0.116], [0.0, -side / 2.0 + 0.016, height - 0.141], Role::Front);
    frame(piece, [side - 0.070, 0.124], [0.003, 0.012], [0.0, -side / 2.0 + 0.018, height - 0.146], Role::DarkWood);
    knob(piece, 0.013, Vec3::new(0.0, -side / 2.0 + 0.007, height - 0.083), Role::Metal);
}
