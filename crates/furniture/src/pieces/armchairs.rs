//! Armchairs that are upholstered all over.

use std::f32::consts::FRAC_PI_2;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::dressing::{Nook, cloth, seed};
use super::feet::{Feet, stand};
use super::frame_chairs;
use super::sofa_parts::{buttoned, face_along_y, roll_profile, rolled_arm, skirt};
use super::sofa_shells::{Shell, bow, plump};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::joinery::{curve, dowel, tapered, turned_leg};
use crate::shape::upholstery::{Cushion, Tufting, pad};
use crate::shape::{ellipse, lathe, tube};

/// An armchair of one of the forms.
#[must_use]
pub fn armchair(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    match form {
        1 => frame_chairs::wooden(palette, rng),
        2 => wingback(palette, rng),
        3 => club(rng),
        4 => barrel(palette, rng),
        5 => frame_chairs::rattan(rng),
        6 => ball_chair(palette, rng),
        7 => frame_chairs::sling(palette, rng),
        8 => slipcovered(palette, rng),
        _ => shell(palette, rng),
    }
}

/// A shell from arm to arm on splayed legs.
fn shell(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (0.78, 0.78, 0.42, 0.80);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let thick = 0.095;
    let half = Vec2::new(width / 2.0 - thick / 2.0 - 0.006, 0.46);
    let plan = bow(Vec2::new(0.0, depth / 2.0 - half.y - thick / 2.0 - 0.04), half, 0.30, 0.86);
    let shell = Shell { plan, thick, low: 0.25, top: [top, 0.58], channels: (9.0, 0.0), lean: 0.06 };
    piece.add(shell.solid(), role);
    piece.add(shell.bottom(), role);
    let outline = shell.seat(0.06, -0.004);
    piece.add(pad(&shell.seat(0.04, -0.02), 0.09, 0.03, 0.0, seed(rng)).moved(0.0, 0.0, 0.235), role);
    piece.add(pad(&outline, 0.135, 0.045, 0.035, seed(rng)).moved(0.0, 0.0, seat - 0.145), role);
    let rim: Vec<Vec3> = outline.iter().map(|p| (*p * 0.995).extend(seat - 0.052)).collect();
    piece.add(tube(&rim, 0.0045, 6, true), role);
    legs(&mut piece, palette, 0.245, 0.23, 0.25);
    Nook { half: 0.27, back: depth / 2.0 - 0.15, seat: seat + 0.012, lean: 0.18, high: 0.36 }
        .dress_chair(&mut piece, rng);
    piece
}

/// Legs that lean outward: wood, or thin metal.
fn legs(piece: &mut Piece, palette: &Palette, x: f32, y: f32, height: f32) {
    for (i, (sx, sy)) in super::feet::CORNERS.into_iter().enumerate() {
        let (top, foot) = (Vec3::new(sx * x, sy * y, height), Vec3::new(sx * (x + 0.055), sy * (y + 0.055), 0.0));
        if palette.on_metal {
            piece.add(dowel(foot, top, 0.009, 0.012, 0.0), Role::Metal);
        } else {
            piece.add(dowel(foot, top, 0.011, 0.019, i as f32), Role::Wood);
        }
    }
}

/// A tall back with wings, rolled arms and turned legs.
fn wingback(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top, foot) = (0.78, 0.84, 0.46, 1.06, 0.20);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let inner = 0.53;
    let profile = roll_profile(foot, seat - 0.10, 0.645, 0.062, 0.0);
    for side in [-1.0, 1.0] {
        let mut part = Piece::new(PieceKind::Armchair, piece.size);
        rolled_arm(&profile, side, -depth / 2.0 + 0.10, depth / 2.0 - 0.16, role, &mut part);
        piece.attach(&part, 0.0, Vec3::X * side * inner / 2.0);
        // The wing: wide at the top, sweeping down to the arm.
        let outline = [
            [0.0, 0.40],
            [-0.16, 0.58],
            [-0.21, 0.66],
            [-0.20, 0.76],
            [-0.225, 0.88],
            [-0.20, 0.965],
            [-0.12, 1.005],
            [-0.02, 1.01],
            [0.05, 0.98],
            [0.05, 0.42],
        ];
        let rough: Vec<Vec3> = outline.iter().rev().map(|[y, z]| Vec3::new(*y, *z, 0.0)).collect();
        let outline: Vec<Vec2> = curve(&rough, 4).iter().map(|p| p.truncate()).collect();
        let wing = face_along_y(&outline, 0.062, 0.026).yawed(FRAC_PI_2);
        let path: Vec<Vec3> = outline.iter().map(|p| Vec3::new(0.024 * side, p.x - 0.002, p.y)).collect();
        let wing = wing.with(tube(&path, 0.0045, 5, false));
        piece.add(wing.yawed(-side * 0.10).moved(side * (inner / 2.0 + 0.045), depth / 2.0 - 0.135, 0.0), role);
    }
    let tufting = Tufting { wide: 0.17, high: 0.135 };
    let back = buttoned(inner + 0.03, top - seat + 0.03, 0.13, tufting, seed(rng));
    piece.add(back.pitched(-0.13).moved(0.0, depth / 2.0 - 0.185, seat - 0.06), role);
    // As wide as the wings are apart.
    let rear = Cushion::new(inner + 0.12, top - 0.29, 0.05, seed(rng)).edged(0.02).filled(0.006, 0.4).standing();
    piece.add(rear.pitched(-0.10).moved(0.0, depth / 2.0 - 0.105, 0.26), role);
    let base = Cushion::new(inner + 0.02, depth - 0.25, 0.17, seed(rng)).edged(0.014).filled(0.003, 0.4);
    piece.add(base.lying().moved(0.0, -0.035, foot), role);
    let cushion = Cushion::new(inner - 0.006, 0.63, 0.13, seed(rng)).edged(0.03).filled(0.034, 0.8);
    piece.add(cushion.lying().moved(0.0, -0.09, seat - 0.12), role);
    for side in [-1.0, 1.0] {
        let x = side * 0.285;
        let leg = turned_leg(foot + 0.01, 0.030, side);
        piece.add(leg.moved(x, -depth / 2.0 + 0.15, 0.0), Role::Wood);
        let (from, to) = (Vec3::new(x, 0.25, foot + 0.02), Vec3::new(x, 0.33, 0.0));
        piece.add(tapered(from, to, [0.036, 0.036], 0.7, side), Role::Wood);
    }
    Nook { half: 0.26, back: depth / 2.0 - 0.245, seat: seat + 0.02, lean: 0.18, high: 0.5 }
        .dress_chair(&mut piece, rng);
    piece
}

/// Thick rounded arms and a low back, in leather.
fn club(rng: &mut Rng) -> Piece {
    let (width, depth, seat, top, foot) = (0.86, 0.86, 0.44, 0.78, 0.08);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let role = Role::Leather;
    let arm = 0.175;
    for side in [-1.0, 1.0] {
        let solid = Cushion::new(arm, 0.54, depth - 0.08, seed(rng)).edged(0.075).filled(0.010, 0.7).standing();
        piece.add(solid.moved(side * (width - arm) / 2.0, -0.02, foot), role);
    }
    let back = Cushion::new(width - 0.05, top - foot, 0.20, seed(rng)).edged(0.085).filled(0.016, 0.7).standing();
    piece.add(back.pitched(-0.07).moved(0.0, depth / 2.0 - 0.155, foot), role);
    let inner = width - 2.0 * arm;
    let pad = Cushion::new(inner - 0.004, 0.36, 0.15, seed(rng)).edged(0.06).filled(0.042, 1.0).standing();
    piece.add(pad.pitched(-0.15).moved(0.0, depth / 2.0 - 0.285, seat - 0.01), role);
    let base = Cushion::new(inner + 0.02, depth - 0.14, 0.20, seed(rng)).edged(0.018).filled(0.004, 0.4);
    piece.add(base.lying().moved(0.0, -0.035, foot), role);
    let cushion = Cushion::new(inner - 0.004, 0.62, 0.165, seed(rng)).edged(0.045).filled(0.036, 1.0);
    piece.add(cushion.lying().moved(0.0, -0.10, seat - 0.16), role);
    stand(&mut piece, Feet::Bun, width / 2.0 - 0.09, depth / 2.0 - 0.10, foot + 0.012);
    Nook { half: 0.25, back: depth / 2.0 - 0.33, seat: seat + 0.02, lean: 0.2, high: 0.34 }
        .dress_chair(&mut piece, rng);
    piece
}

/// A tub in upright channels on a plinth.
fn barrel(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (0.78, 0.76, 0.43, 0.74);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let thick = 0.11;
    let half = Vec2::new(width / 2.0 - thick / 2.0 - 0.008, 0.40);
    let plan = bow(Vec2::new(0.0, depth / 2.0 - half.y - thick / 2.0 - 0.025), half, 0.42, 0.92);
    let count = (plan.length() / 0.085).round();
    let shell = Shell { plan, thick, low: 0.085, top: [top, 0.63], channels: (count, 0.024), lean: 0.02 };
    piece.add(shell.solid(), role);
    piece.add(shell.bottom(), role);
    piece.add(pad(&shell.seat(0.02, 0.0), 0.19, 0.02, 0.0, seed(rng)).moved(0.0, 0.0, 0.085), role);
    let outline = shell.seat(0.04, -0.010);
    piece.add(pad(&outline, 0.16, 0.055, 0.035, seed(rng)).moved(0.0, 0.0, seat - 0.17), role);
    let rim: Vec<Vec3> = outline.iter().map(|p| (*p * 0.99).extend(seat - 0.055)).collect();
    piece.add(tube(&rim, 0.0045, 6, true), role);
    let foot = [[0.0, 0.0], [0.315, 0.0], [0.32, 0.005], [0.32, 0.088], [0.0, 0.088]];
    piece.add(lathe(&foot, 64), if palette.on_metal { Role::Metal } else { Role::DarkWood });
    Nook { half: 0.25, back: depth / 2.0 - 0.15, seat: seat + 0.015, lean: 0.10, high: 0.30 }
        .dress_chair(&mut piece, rng);
    piece
}

/// A round, very plump chair.
fn ball_chair(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (0.88, 0.84, 0.41, 0.70);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let thick = 0.23;
    let half = Vec2::new(width / 2.0 - thick / 2.0 - 0.01, 0.40);
    let plan = bow(Vec2::new(0.0, depth / 2.0 - half.y - thick / 2.0 - 0.01), half, 0.30, 0.95);
    let shell = Shell { plan, thick, low: 0.09, top: [top, 0.55], channels: (9.0, 0.0), lean: 0.0 };
    piece.add(shell.bottom(), role);
    let mut body = shell.solid();
    let noise = seed(rng);
    for v in &mut body.vertices {
        // Full below, as if it were filled.
        let up = ((v.place.z - 0.09) / 0.55).clamp(0.0, 1.0);
        let belly = (std::f32::consts::PI * up).sin() * 0.018;
        let lumps = (crate::noise::value_noise(v.place * 5.0, noise) - 0.5) * 0.014;
        v.place += v.normal * lumps + Vec3::new(v.normal.x, v.normal.y, 0.0) * belly;
    }
    body.smoothen();
    piece.add(body, role);
    let round = ellipse(0.60, 0.64, 40);
    piece.add(pad(&round, 0.24, 0.09, 0.035, seed(rng)).moved(0.0, -0.10, seat - 0.25), role);
    let base = plump(Vec3::new(0.56, 0.54, 0.14), 0.06, seed(rng));
    piece.add(base.moved(0.0, -0.02, 0.06), role);
    stand(&mut piece, Feet::Bun, 0.24, 0.22, 0.075);
    Nook { half: 0.22, back: depth / 2.0 - 0.24, seat: seat + 0.02, lean: 0.12, high: 0.28 }
        .dress_chair(&mut piece, rng);
    piece
}

/// A loose cover with a skirt.
fn slipcovered(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (0.84, 0.86, 0.46, 0.86);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let arm = 0.15;
    let inner = width - 2.0 * arm;
    for side in [-1.0, 1.0] {
        let solid = Cushion::new(arm, 0.43, depth - 0.04, seed(rng)).edged(0.05).filled(0.012, 1.2).standing();
        piece.add(solid.moved(side * (width - arm) / 2.0, 0.0, 0.19), role);
    }
    let back = Cushion::new(inner + 0.06, top - 0.24, 0.16, seed(rng)).edged(0.06).filled(0.012, 1.2).standing();
    piece.add(back.pitched(-0.08).moved(0.0, depth / 2.0 - 0.145, 0.19), role);
    let cushion = Cushion::new(inner - 0.004, 0.66, 0.17, seed(rng)).edged(0.04).filled(0.036, 1.6);
    piece.add(cushion.lying().moved(0.0, -0.085, seat - 0.165), role);
    // Out to the seam of the skirt, which it closes.
    let base = Cushion::new(width - 0.03, depth - 0.05, 0.18, seed(rng)).edged(0.02).filled(0.003, 0.4).bare();
    piece.add(base.lying().moved(0.0, 0.0, 0.125), role);
    let pad = Cushion::new(inner - 0.006, 0.42, 0.16, seed(rng)).edged(0.055).filled(0.045, 1.8).standing();
    piece.add(pad.pitched(-0.17).moved(0.0, depth / 2.0 - 0.275, seat - 0.01), role);
    piece.add(skirt(width - 0.015, depth - 0.035, 0.22, seed(rng)), role);
    Nook { half: 0.27, back: depth / 2.0 - 0.33, seat: seat + 0.02, lean: 0.2, high: 0.4 }.dress_chair(&mut piece, rng);
    piece
}
