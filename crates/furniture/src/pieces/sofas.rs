//! Sofas of frames and cushions.

use aerie_math::Rng;
use glam::Vec3;

use super::dressing::{Nook, seed, throw_along, throw_over_arm};
use super::feet::{Feet, sled, stand};
use super::sofa_parts::{Row, buttoned, roll_profile, rolled_arm, skirt, split};
use super::sofa_shells;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::block;
use crate::shape::joinery::{bar, dowel, tapered};
use crate::shape::upholstery::{Cushion, Tufting, bolster};

/// A sofa of one of the forms.
#[must_use]
pub fn sofa(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    match form {
        1 => rolled(width, rng),
        2 => sofa_shells::chesterfield(width, rng),
        3 => midcentury(width, rng),
        4 => sofa_shells::cloud(width, rng),
        5 => sofa_shells::channeled(palette, width, rng),
        6 => framed(palette, width, rng),
        7 => slipcovered(width, rng),
        _ => track(palette, width, rng),
    }
}

/// Square arms and loose cushions.
fn track(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, arm, arm_top, back_top, foot) = (0.94, 0.44, 0.15, 0.60, 0.84, 0.14);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let inner = width - 2.0 * arm;
    box_frame(&mut piece, [width, depth, arm, arm_top, 0.74, foot], 0.022, rng);
    let row = Row {
        inner,
        front: -depth / 2.0 + 0.015,
        back: depth / 2.0 - 0.33,
        seat,
        top: back_top,
        thick: 0.16,
        slack: 1.0,
        welt: 0.0042,
    };
    let seats = if rng.random_bool(0.35) { 1 } else { split(width) };
    row.add(&mut piece, [seats, split(width)], rng);
    if palette.on_metal {
        sled(&mut piece, width / 2.0 - 0.16, depth / 2.0 - 0.12, foot + 0.01);
    } else {
        stand(&mut piece, Feet::usual(palette), width / 2.0 - 0.10, depth / 2.0 - 0.10, foot + 0.01);
    }
    row.nook().dress(&mut piece, rng);
    if rng.random_bool(0.7) {
        let side = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let x = side * (width - arm) / 2.0;
        throw_over_arm(&mut piece, x, arm / 2.0 + 0.012, arm_top + 0.006, [0.24, seat + 0.02], -0.12, rng);
    }
    piece
}

/// Arms, back and base of a boxy sofa: `[width, depth, arm, arm top, back top, foot]`.
fn box_frame(piece: &mut Piece, measures: [f32; 6], radius: f32, rng: &mut Rng) {
    let [width, depth, arm, arm_top, back_top, foot] = measures;
    let inner = width - 2.0 * arm;
    for side in [-1.0, 1.0] {
        let solid =
            Cushion::new(arm, arm_top - foot, depth - 0.02, seed(rng)).edged(radius).filled(0.008, 0.45).standing();
        piece.add(solid.moved(side * (width - arm) / 2.0, 0.0, foot), Role::Sofa);
    }
    let back = Cushion::new(inner + 0.01, back_top - foot, 0.15, seed(rng)).edged(radius).filled(0.006, 0.5).standing();
    piece.add(back.moved(0.0, depth / 2.0 - 0.09, foot), Role::Sofa);
    let base = Cushion::new(inner + 0.01, depth - 0.14, 0.13, seed(rng)).edged(0.014).filled(0.004, 0.4);
    piece.add(base.lying().moved(0.0, -0.035, foot), Role::Sofa);
}

/// Rolled arms and turned feet.
fn rolled(width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, arm_top, back_top, foot) = (0.95, 0.46, 0.66, 0.90, 0.13);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let profile = roll_profile(foot, seat - 0.05, arm_top, 0.085, 0.0);
    let arm = profile.iter().fold(0.0_f32, |most, p| most.max(p.x));
    let inner = width - 2.0 * arm;
    for side in [-1.0, 1.0] {
        let mut part = Piece::new(PieceKind::Sofa, piece.size);
        rolled_arm(&profile, side, -depth / 2.0 + 0.03, depth / 2.0 - 0.10, Role::Sofa, &mut part);
        piece.attach(&part, 0.0, Vec3::X * side * inner / 2.0);
    }
    let back = Cushion::new(inner + 0.05, back_top - foot - 0.05, 0.17, seed(rng)).edged(0.07).filled(0.012, 0.6);
    piece.add(back.standing().pitched(-0.08).moved(0.0, depth / 2.0 - 0.16, foot), Role::Sofa);
    let base = Cushion::new(inner + 0.03, depth - 0.11, 0.18, seed(rng)).edged(0.014).filled(0.004, 0.4);
    piece.add(base.lying().moved(0.0, -0.03, foot), Role::Sofa);
    let row = Row {
        inner,
        front: -depth / 2.0 + 0.012,
        back: depth / 2.0 - 0.36,
        seat,
        top: back_top,
        thick: 0.16,
        slack: 1.1,
        welt: 0.005,
    };
    row.add(&mut piece, [split(width), split(width)], rng);
    stand(&mut piece, Feet::Turned, width / 2.0 - 0.14, depth / 2.0 - 0.11, foot + 0.005);
    row.nook().dress(&mut piece, rng);
    piece
}

/// A loose cover that falls to the floor in pleats.
fn slipcovered(width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, arm, arm_top, back_top) = (0.96, 0.47, 0.19, 0.62, 0.88);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let inner = width - 2.0 * arm;
    let frame = [width - 0.02, depth - 0.02, arm, arm_top, 0.78, 0.18];
    box_frame(&mut piece, frame, 0.055, rng);
    let row = Row {
        inner,
        front: -depth / 2.0 + 0.02,
        back: depth / 2.0 - 0.35,
        seat,
        top: back_top,
        thick: 0.18,
        slack: 1.8,
        welt: 0.0038,
    };
    row.add(&mut piece, [split(width), split(width)], rng);
    piece.add(skirt(width - 0.012, depth - 0.03, 0.21, seed(rng)), Role::Sofa);
    // Closes the gap between the seam and the padding.
    let base = Cushion::new(width - 0.026, depth - 0.045, 0.10, 12).edged(0.02).filled(0.004, 0.4).bare();
    piece.add(base.lying().moved(0.0, 0.0, 0.125), Role::Sofa);
    row.nook().dress(&mut piece, rng);
    let y = [row.front - 0.022, row.front - 0.018, row.front + 0.04, row.back - 0.11, row.back - 0.025];
    let z = [0.20, seat - 0.01, seat + 0.048, seat + 0.062, back_top - 0.06];
    let line: Vec<Vec3> = y.into_iter().zip(z).map(|(y, z)| Vec3::new(0.0, y, z)).collect();
    throw_along(&mut piece, &line, inner * 0.16, 0.40, rng);
    piece
}

/// A bench seat and a buttoned back on a wooden frame.
fn midcentury(width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, back_top, foot) = (0.86, 0.43, 0.80, 0.24);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let inner = width - 0.20;
    wooden_base(&mut piece, width, depth, foot);
    for side in [-1.0, 1.0] {
        let arm = Cushion::new(0.085, 0.33, depth - 0.10, seed(rng)).edged(0.022).filled(0.010, 0.4).standing();
        piece.add(arm.rolled(side * 0.07).moved(side * (width / 2.0 - 0.062), -0.005, foot + 0.03), Role::Sofa);
    }
    let tufting = Tufting { wide: (inner / (inner / 0.27).round()).max(0.1), high: 0.17 };
    let seat_pad = Cushion::new(inner, depth - 0.16, seat - foot - 0.05, seed(rng)).edged(0.028).filled(0.018, 0.8);
    piece.add(seat_pad.lying().moved(0.0, -0.06, foot + 0.045), Role::Sofa);
    // The back: a pad with rows of buttons.
    let high = back_top - seat + 0.06;
    let pad = buttoned(inner, high, 0.13, tufting, seed(rng));
    piece.add(pad.pitched(-0.20).moved(0.0, depth / 2.0 - 0.21, seat - 0.03), Role::Sofa);
    // Its rear, down to the rail, and the platform between the rails.
    let rear = Cushion::new(inner, back_top - foot - 0.09, 0.05, 11).edged(0.02).filled(0.004, 0.4).standing();
    piece.add(rear.pitched(-0.12).moved(0.0, depth / 2.0 - 0.15, foot + 0.04), Role::Sofa);
    piece.add(block(Vec3::new(width - 0.11, depth - 0.15, 0.018), 0.004).moved(0.0, 0.0, foot + 0.010), Role::DarkWood);
    for side in [-1.0, 1.0] {
        let roll = bolster(0.46, 0.085, seed(rng)).yawed(std::f32::consts::FRAC_PI_2);
        piece.add(roll.moved(side * (inner / 2.0 - 0.085), -0.09, seat + 0.095), Role::Sofa);
    }
    Nook {
        half: inner / 2.0 - 0.15,
        back: depth / 2.0 - 0.30,
        seat: seat + 0.01,
        lean: 0.22,
        high: back_top - seat + 0.04,
    }
    .dress(&mut piece, rng);
    piece
}

/// A rail and tapered legs.
fn wooden_base(piece: &mut Piece, width: f32, depth: f32, foot: f32) {
    let (x, y) = (width / 2.0 - 0.05, depth / 2.0 - 0.07);
    for side in [-1.0, 1.0] {
        let z = foot + 0.015;
        piece.add(bar(Vec3::new(-x, side * y, z), Vec3::new(x, side * y, z), 0.028, 0.06, side), Role::Wood);
        piece.add(bar(Vec3::new(side * x, -y, z), Vec3::new(side * x, y, z), 0.028, 0.06, side + 3.0), Role::Wood);
    }
    stand(piece, Feet::Splayed, width / 2.0 - 0.14, depth / 2.0 - 0.12, foot);
}

/// A slim wooden frame with loose cushions.
fn framed(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat, back_top) = (0.86, 0.42, 0.82);
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let inner = width - 0.16;
    open_frame(&mut piece, palette, width, depth, back_top - 0.06);
    let row = Row {
        inner,
        front: -depth / 2.0 + 0.03,
        back: depth / 2.0 - 0.30,
        seat,
        top: back_top,
        thick: 0.14,
        slack: 1.1,
        welt: 0.004,
    };
    row.add(&mut piece, [split(width), split(width)], rng);
    row.nook().dress(&mut piece, rng);
    if rng.random_bool(0.6) {
        let y = [row.front - 0.018, row.front - 0.014, row.front + 0.04, row.back - 0.10, row.back - 0.01];
        let z = [0.16, seat - 0.01, seat + 0.044, seat + 0.06, back_top - 0.04];
        let line: Vec<Vec3> = y.into_iter().zip(z).map(|(y, z)| Vec3::new(0.0, y, z)).collect();
        throw_along(&mut piece, &line, inner * 0.17, 0.38, rng);
    }
    piece
}

/// Legs, rails, flat arms and spindles or slats behind the cushions.
fn open_frame(piece: &mut Piece, palette: &Palette, width: f32, depth: f32, top: f32) {
    let (x, arm) = (width / 2.0 - 0.035, 0.60);
    let (front, back) = (-depth / 2.0 + 0.08, depth / 2.0 - 0.12);
    for side in [-1.0, 1.0] {
        let at = |y: f32, z: f32| Vec3::new(side * x, y, z);
        piece.add(tapered(at(front, arm), at(front - 0.02, 0.0), [0.042, 0.05], 0.66, side), Role::Wood);
        piece.add(tapered(at(back, arm), at(back + 0.05, 0.0), [0.042, 0.05], 0.66, side + 2.0), Role::Wood);
        piece.add(bar(at(front - 0.06, arm), at(back + 0.06, arm), 0.07, 0.024, side + 4.0), Role::Wood);
        piece.add(bar(at(front, 0.25), at(back, 0.25), 0.024, 0.055, side + 6.0), Role::Wood);
        // The back's stiles lean.
        piece.add(
            tapered(
                Vec3::new(side * (x - 0.03), back - 0.02, 0.24),
                Vec3::new(side * (x - 0.03), back + 0.09, top),
                [0.034, 0.034],
                0.8,
                side,
            ),
            Role::Wood,
        );
    }
    for (y, z, thick) in [(front, 0.25, 0.06), (back, 0.25, 0.06), (back + 0.088, top, 0.045)] {
        piece.add(bar(Vec3::new(-x, y, z), Vec3::new(x, y, z), 0.026, thick, z), Role::Wood);
    }
    let count = (width / if palette.is_round { 0.11 } else { 0.16 }) as usize;
    for i in 1..count {
        let x = -x + 2.0 * x * i as f32 / count as f32;
        let (from, to) = (Vec3::new(x, back, 0.27), Vec3::new(x, back + 0.085, top));
        if palette.is_round {
            piece.add(dowel(from, to, 0.009, 0.007, i as f32), Role::Wood);
        } else {
            piece.add(bar(from, to, 0.04, 0.012, i as f32), Role::Wood);
        }
    }
    piece.add(block(Vec3::new(width - 0.12, depth - 0.22, 0.02), 0.004).moved(0.0, -0.02, 0.262), Role::DarkWood);
}
