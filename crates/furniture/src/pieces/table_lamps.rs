//! Lamps for tables.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::lamps::{bulb, foot, paper_ball, pleated, shade};
use crate::joinery::{bar, slanted, smooth_line, spun, vessel};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{ball, lathe, leg};

/// A form of table lamp that suits a style.
pub(super) fn table_form(palette: &Palette, rng: &mut Rng) -> usize {
    usize::from(super::forms::fitting(PieceKind::TableLamp, palette.style, rng))
}

/// A table lamp of a form.
#[must_use]
pub fn table_lamp(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::TableLamp, Vec3::new(0.32, 0.32, 0.50));
    let glaze = rng.pick(&[Role::Ceramic, Role::DarkCeramic]);
    match form {
        1 => {
            // A globe of clear glass with a brass neck.
            let line = smooth_line(&[[0.05, 0.018], [0.092, 0.07], [0.098, 0.13], [0.066, 0.20], [0.022, 0.245]], 6);
            piece.add(vessel(&line, 0.004, 0.95, 48), Role::Glass);
            piece.add(spun(&[[0.0, 0.0], [0.062, 0.0], [0.062, 0.018], [0.0, 0.018]], 40), Role::Brass);
            piece.add(
                spun(&[[0.0, 0.238], [0.026, 0.238], [0.026, 0.256], [0.008, 0.262], [0.0, 0.30]], 28),
                Role::Brass,
            );
            bar(&mut piece, [0.0, 0.0, 0.018], [0.0, 0.0, 0.30], 0.004, Role::Brass);
            topped(&mut piece, 0.155, 0.115, 0.20);
        }
        2 => mushroom(&mut piece, glaze),
        3 => task(&mut piece),
        4 => {
            let line = smooth_line(
                &[
                    [0.070, 0.0],
                    [0.072, 0.014],
                    [0.040, 0.03],
                    [0.026, 0.05],
                    [0.046, 0.09],
                    [0.054, 0.13],
                    [0.030, 0.18],
                    [0.020, 0.20],
                    [0.030, 0.215],
                    [0.016, 0.24],
                    [0.008, 0.30],
                ],
                6,
            );
            piece.add(lathe(&line, 36).grained(2, 1.0), Role::Wood);
            if palette.is_round {
                piece.add(pleated(0.155, 0.095, 0.19).moved(0.0, 0.0, 0.28), Role::Shade);
                piece.add(bulb(0.026).moved(0.0, 0.0, 0.36), Role::Shade);
            } else {
                topped(&mut piece, 0.150, 0.110, 0.20);
            }
        }
        5 => {
            piece.add(paper_ball(0.125, 0.24).moved(0.0, 0.0, 0.11), Role::Shade);
            for i in 0..3 {
                let away = Vec2::from_angle(TAU * i as f32 / 3.0 + 0.5) * 0.055;
                let solid = slanted(leg(0.13, 0.008, 0.006), 0.13, away * 0.5).grained(2, i as f32);
                piece.add(solid.moved(away.x, away.y, 0.0), Role::Wood);
            }
            piece.size.z = 0.36;
        }
        6 => {
            // Stacked brass balls.
            piece.add(spun(&[[0.0, 0.0], [0.070, 0.0], [0.070, 0.016], [0.0, 0.016]], 48), Role::Marble);
            for i in 0..3 {
                piece.add(ball(0.038 - 0.004 * i as f32).moved(0.0, 0.0, 0.050 + 0.066 * i as f32), Role::Metal);
            }
            bar(&mut piece, [0.0, 0.0, 0.016], [0.0, 0.0, 0.30], 0.006, Role::Metal);
            topped(&mut piece, 0.145, 0.125, 0.19);
        }
        _ => {
            let low = rng.random_bool_f32(0.5);
            let line: &[[f32; 2]] = if low {
                &[
                    [0.060, 0.0],
                    [0.088, 0.03],
                    [0.098, 0.09],
                    [0.084, 0.16],
                    [0.045, 0.21],
                    [0.018, 0.235],
                    [0.016, 0.25],
                ]
            } else {
                &[
                    [0.058, 0.0],
                    [0.062, 0.01],
                    [0.070, 0.08],
                    [0.076, 0.16],
                    [0.058, 0.21],
                    [0.022, 0.232],
                    [0.018, 0.25],
                ]
            };
            let mut closed = vec![[0.0, 0.0]];
            closed.extend(smooth_line(line, 6));
            closed.push([0.0, 0.25]);
            piece.add(lathe(&closed, 56), glaze);
            bar(&mut piece, [0.0, 0.0, 0.24], [0.0, 0.0, 0.32], 0.007, Role::Brass);
            topped(&mut piece, 0.155, 0.115, 0.20);
        }
    }
    piece
}

/// A shade with its bulb and finial over a base.
fn topped(piece: &mut Piece, below: f32, above: f32, height: f32) {
    let z = 0.285;
    piece.add(shade(below, above, height).moved(0.0, 0.0, z), Role::Shade);
    piece.add(bulb(0.026).moved(0.0, 0.0, z + 0.08), Role::Shade);
    bar(piece, [0.0, 0.0, 0.24], [0.0, 0.0, z + 0.06], 0.005, Role::Brass);
    for turn in [0.0, 2.094, 4.189] {
        let away = Vec2::from_angle(turn) * (above - 0.004);
        bar(piece, [0.0, 0.0, z + height - 0.012], [away.x, away.y, z + height - 0.012], 0.0015, Role::Brass);
    }
    piece.add(ball(0.008).moved(0.0, 0.0, z + height - 0.004), Role::Brass);
}

/// A dome on a column, of one color.
fn mushroom(piece: &mut Piece, role: Role) {
    let stem =
        smooth_line(&[[0.075, 0.0], [0.077, 0.012], [0.045, 0.03], [0.030, 0.08], [0.028, 0.20], [0.040, 0.25]], 6);
    let mut closed = vec![[0.0, 0.0]];
    closed.extend(stem);
    piece.add(lathe(&closed, 48), role);
    let dome: Vec<[f32; 2]> =
        (0..=14).map(|i| PI / 2.0 * i as f32 / 14.0).map(|a| [0.155 * a.cos(), 0.235 + 0.125 * a.sin()]).collect();
    piece.add(lathe(&dome, 64), role);
    let inside: Vec<[f32; 2]> = dome.iter().rev().map(|p| [(p[0] - 0.004).max(0.0), p[1] - 0.004]).collect();
    piece.add(lathe(&inside, 64), Role::Shade);
    piece.size.z = 0.37;
}

/// A jointed lamp for a desk.
fn task(piece: &mut Piece) {
    piece.add(foot(0.085).moved(0.03, 0.03, 0.0), Role::Metal);
    let joints = [Vec3::new(0.03, 0.03, 0.03), Vec3::new(0.09, 0.03, 0.25), Vec3::new(-0.06, 0.0, 0.44)];
    for pair in joints.windows(2) {
        for off in [-0.009, 0.009] {
            let y = Vec3::Y * off;
            bar(piece, (pair[0] + y).to_array(), (pair[1] + y).to_array(), 0.0042, Role::Metal);
        }
    }
    for at in &joints[1..] {
        piece.add(ball(0.014).moved(at.x, at.y, at.z), Role::Metal);
    }
    let cone = [[0.070, -0.115], [0.030, -0.03], [0.024, 0.02], [0.0, 0.024]];
    piece.add(lathe(&cone, 40).rolled(0.35).moved(-0.06, 0.0, 0.43), Role::Metal);
    let inside = [[0.0, 0.0], [0.028, -0.032], [0.067, -0.113]];
    piece.add(lathe(&inside, 40).rolled(0.35).moved(-0.06, 0.0, 0.43), Role::Shade);
}
