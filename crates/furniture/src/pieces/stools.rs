//! Stools: low ones without a back, and high ones for counters.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::chair_parts::seat_outline;
use super::dressing::{cloth, seed};
use super::feet::CORNERS;
use super::sofa_shells::{Shell, bow};
use super::wooden_chairs::{cord_seat, rail, saddle};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::joinery::{bar, bent, dowel, tapered};
use crate::shape::upholstery::{Cushion, pad};
use crate::shape::{ellipse, lathe, tube};

/// Height above which a stool is one for a counter, with a back and a footrest.
const HIGH: f32 = 0.55;

/// A stool whose seat is at a height.
#[must_use]
pub fn stool(palette: &Palette, form: usize, height: f32, rng: &mut Rng) -> Piece {
    let is_high = height > HIGH;
    let size = if is_high { Vec3::new(0.43, 0.45, height + 0.30) } else { Vec3::new(0.40, 0.40, height) };
    let mut piece = Piece::new(PieceKind::Stool, size);
    match form {
        1 => saddled(&mut piece, height),
        2 => woven(&mut piece, height, is_high),
        3 => metal(&mut piece, height),
        4 => tub(&mut piece, palette, height, is_high, rng),
        _ => padded(&mut piece, palette, height, is_high, rng),
    }
    if form == 1 || form == 3 || !is_high {
        piece.size.z = height;
    }
    piece
}

/// Four legs that spread, and rungs between them.
fn legs(piece: &mut Piece, top: f32, x: f32, is_metal: bool) {
    let low = 0.28 * (top / 0.6);
    let spread = |z: f32| x + 0.030 * (1.0 - z / top);
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let (from, to) = (Vec3::new(sx * x, sy * x, top), Vec3::new(sx * spread(0.0), sy * spread(0.0), 0.0));
        if is_metal {
            piece.add(bar(from, to, 0.020, 0.020, 0.0), Role::Metal);
        } else {
            piece.add(tapered(from, to, [0.034, 0.034], 0.78, i as f32), Role::Wood);
        }
    }
    for (side, axis, z) in [(-1.0, 0, low), (1.0, 0, low), (-1.0, 1, low + 0.05), (1.0, 1, low + 0.05)] {
        let reach = spread(z);
        let (from, to) = if axis == 0 {
            (Vec3::new(-reach, side * reach, z), Vec3::new(reach, side * reach, z))
        } else {
            (Vec3::new(side * reach, -reach, z), Vec3::new(side * reach, reach, z))
        };
        if is_metal {
            piece.add(bar(from, to, 0.018, 0.018, 0.0), Role::Metal);
        } else {
            piece.add(bar(from, to, 0.018, 0.028, side + z), Role::Wood);
        }
    }
}

fn padded(piece: &mut Piece, palette: &Palette, height: f32, is_high: bool, rng: &mut Rng) {
    let role = cloth(palette);
    let side = if is_high { 0.41 } else { 0.39 };
    let seat = Cushion::new(side, side, 0.085, seed(rng)).edged(0.03).filled(0.018, 0.6);
    piece.add(seat.lying().moved(0.0, 0.0, height - 0.098), role);
    legs(piece, height - 0.09, 0.155, palette.on_metal);
    if is_high {
        let back = Cushion::new(0.40, 0.235, 0.055, seed(rng)).edged(0.026).filled(0.012, 0.6).standing();
        piece.add(back.pitched(-0.12).moved(0.0, 0.165, height + 0.06), role);
        for x in [-0.12, 0.12] {
            let path = [
                Vec3::new(x, 0.11, height - 0.09),
                Vec3::new(x, 0.20, height - 0.06),
                Vec3::new(x, 0.205, height + 0.16),
            ];
            piece.add(bent(&path, 0.009), if palette.on_metal { Role::Metal } else { Role::DarkMetal });
        }
    }
}

fn saddled(piece: &mut Piece, height: f32) {
    let outline: Vec<Vec2> = seat_outline(0.39, 0.39, 0.33, 0.10).iter().map(|p| *p + Vec2::Y * 0.02).collect();
    piece.add(saddle(&outline, 0.042).moved(0.0, 0.0, height - 0.043), Role::Wood);
    legs(piece, height - 0.02, 0.128, false);
}

fn woven(piece: &mut Piece, height: f32, is_high: bool) {
    legs(piece, height - 0.012, 0.158, false);
    piece.add(cord_seat(0.385, 0.385, height - 0.002).moved(0.0, 0.02, 0.0), Role::Cane);
    if is_high {
        let line: Vec<Vec3> = (0..=20)
            .map(|i| i as f32 / 10.0 - 1.0)
            .map(|s| Vec3::new(s * 0.195, 0.215 - 0.06 * s * s, height + 0.25))
            .collect();
        piece.add(rail(&line, [0.010, 0.022], [0.011, 0.040], 1.0), Role::Wood);
        for side in [-1.0, 1.0] {
            let (from, to) =
                (Vec3::new(side * 0.158, 0.158, height - 0.03), Vec3::new(side * 0.168, 0.175, height + 0.25));
            piece.add(dowel(from, to, 0.016, 0.011, side), Role::Wood);
        }
    }
}

fn metal(piece: &mut Piece, height: f32) {
    let outline: Vec<Vec2> = seat_outline(0.32, 0.32, 0.32, 0.06).iter().map(|p| *p + Vec2::Y * 0.02).collect();
    piece.add(pad(&outline, 0.026, 0.012, -0.006, 5).moved(0.0, 0.0, height - 0.027), Role::DarkMetal);
    for (sx, sy) in CORNERS {
        let (top, foot) = (Vec3::new(sx * 0.125, sy * 0.125, height - 0.015), Vec3::new(sx * 0.182, sy * 0.182, 0.0));
        piece.add(tapered(top, foot, [0.056, 0.056], 0.42, 0.0), Role::DarkMetal);
    }
    let z = height * 0.38;
    let reach = 0.182 - 0.057 * 0.38;
    let ring: Vec<Vec3> = crate::shape::rim(2.0 * reach, 2.0 * reach, 0.02, z);
    piece.add(tube(&ring, 0.009, 6, true), Role::DarkMetal);
    let upper: Vec<Vec3> = crate::shape::rim(0.315, 0.315, 0.05, height - 0.045);
    piece.add(tube(&upper, 0.011, 6, true), Role::DarkMetal);
}

fn tub(piece: &mut Piece, palette: &Palette, height: f32, is_high: bool, rng: &mut Rng) {
    let role = cloth(palette);
    let round = ellipse(0.395, 0.395, 40);
    piece.add(pad(&round, 0.085, 0.035, 0.016, seed(rng)).moved(0.0, 0.0, height - 0.10), role);
    let seam: Vec<Vec3> = round.iter().map(|p| (*p * 1.003).extend(height - 0.055)).collect();
    piece.add(tube(&seam, 0.0035, 5, true), role);
    if is_high {
        let plan = bow(Vec2::new(0.0, 0.01), Vec2::new(0.178, 0.178), 0.05, 0.95);
        let back = Shell {
            plan,
            thick: 0.06,
            low: height + 0.0,
            top: [height + 0.29, height + 0.17],
            channels: (13.0, 0.011),
            lean: 0.01,
        };
        piece.add(back.solid(), role);
    }
    piece.add(
        lathe(
            &[
                [0.0, 0.0],
                [0.19, 0.0],
                [0.192, 0.006],
                [0.18, 0.014],
                [0.03, 0.022],
                [0.024, 0.05],
                [0.024, height - 0.10],
                [0.0, height - 0.10],
            ],
            40,
        ),
        Role::Metal,
    );
    if is_high {
        let ring: Vec<Vec3> = ellipse(0.33, 0.33, 36).iter().map(|p| p.extend(0.24)).collect();
        piece.add(tube(&ring, 0.009, 8, true), Role::Metal);
        piece.add(bar(Vec3::new(-0.16, 0.0, 0.24), Vec3::new(0.16, 0.0, 0.24), 0.018, 0.012, 0.0), Role::Metal);
    }
}
