//! Dining chairs.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::chair_parts::{SEAT, chair, seat_outline};
use super::dressing::{cloth, seed};
use super::feet::CORNERS;
use super::sofa_parts::face_along_y;
use super::sofa_shells::{Shell, bow};
use super::wooden_chairs;
use crate::palette::{Palette, Role};
use crate::piece::Piece;
use crate::shape::joinery::{bar, bent, dowel, tapered, turned_leg};
use crate::shape::upholstery::{Cushion, ball_of, pad, padded};
use crate::shape::{ellipse, rod, sheet, tube};

/// A dining chair of one of the forms.
#[must_use]
pub fn dining_chair(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    match form {
        1 => wooden_chairs::wishbone(),
        2 => wooden_chairs::caned(),
        3 => wooden_chairs::cross_back(rng),
        4 => cafe(),
        5 => parsons(palette, rng),
        6 => medallion(palette, rng),
        7 => wrapped(palette, rng),
        8 => wooden_chairs::spindled(),
        _ => shell(palette, rng),
    }
}

/// Four legs that lean outward.
fn legs(piece: &mut Piece, palette: &Palette, high: f32) {
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let (top, foot) =
            (Vec3::new(sx * 0.165, sy * 0.15 - 0.02, high), Vec3::new(sx * 0.222, sy * 0.222 - 0.015, 0.0));
        if palette.on_metal {
            piece.add(dowel(foot, top, 0.0085, 0.012, 0.0), Role::Metal);
        } else {
            piece.add(dowel(foot, top, 0.010, 0.018, i as f32), Role::Wood);
        }
    }
}

/// A padded seat and a curved padded back.
fn shell(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut piece = chair(0.82);
    let role = cloth(palette);
    piece.add(
        pad(&seat_outline(0.47, 0.42, 0.45, 0.10), 0.062, 0.026, 0.020, seed(rng)).moved(0.0, 0.0, SEAT - 0.075),
        role,
    );
    let seam: Vec<Vec3> = seat_outline(0.474, 0.424, 0.454, 0.10).iter().map(|p| p.extend(SEAT - 0.042)).collect();
    piece.add(tube(&seam, 0.003, 5, true), role);
    let plan = bow(Vec2::new(0.0, 0.02), Vec2::new(0.212, 0.20), -0.16, 0.85);
    let back = Shell { plan, thick: 0.046, low: 0.53, top: [0.82, 0.72], channels: (3.0, 0.0), lean: 0.035 };
    piece.add(back.solid(), role);
    piece.add(rod(Vec3::new(-0.165, 0.0, SEAT - 0.078), Vec3::new(0.165, 0.0, SEAT - 0.078), 0.01), Role::DarkMetal);
    for side in [-1.0, 1.0] {
        let path = [
            Vec3::new(side * 0.15, 0.10, SEAT - 0.06),
            Vec3::new(side * 0.155, 0.20, SEAT + 0.0),
            Vec3::new(side * 0.145, 0.205, SEAT + 0.13),
        ];
        let role = if palette.on_metal { Role::Metal } else { Role::Wood };
        piece.add(bent(&path, 0.011).grained(2, side), role);
    }
    legs(&mut piece, palette, SEAT - 0.06);
    piece
}

/// Pressed sheet metal.
fn cafe() -> Piece {
    let mut piece = chair(0.84);
    let role = Role::DarkMetal;
    let outline = seat_outline(0.385, 0.36, 0.37, 0.06);
    piece.add(pad(&outline, 0.022, 0.010, -0.006, 3).moved(0.0, 0.0, SEAT - 0.02), role);
    let skirt: Vec<Vec3> = outline.iter().map(|p| (*p * 0.985).extend(SEAT - 0.035)).collect();
    piece.add(tube(&skirt, 0.010, 6, true), role);
    for (sx, sy) in CORNERS {
        let (top, foot) =
            (Vec3::new(sx * 0.162, sy * 0.155 - 0.02, SEAT - 0.01), Vec3::new(sx * 0.215, sy * 0.228 - 0.015, 0.0));
        piece.add(tapered(top, foot, [0.058, 0.040], 0.42, 0.0), role);
        piece.add(rod(foot, foot + Vec3::Z * 0.015, 0.012), Role::Screen);
        let brace = [top + Vec3::new(-sx * 0.01, 0.0, -0.02), Vec3::new(0.0, 0.0, 0.33)];
        piece.add(bar(brace[0], brace[1], 0.022, 0.006, 0.0), role);
    }
    // The back: a bent tube and a broad splat.
    let path = [
        Vec3::new(-0.165, 0.16, SEAT - 0.01),
        Vec3::new(-0.172, 0.185, 0.62),
        Vec3::new(-0.150, 0.215, 0.78),
        Vec3::new(-0.08, 0.235, 0.828),
        Vec3::new(0.08, 0.235, 0.828),
        Vec3::new(0.150, 0.215, 0.78),
        Vec3::new(0.172, 0.185, 0.62),
        Vec3::new(0.165, 0.16, SEAT - 0.01),
    ];
    piece.add(bent(&path, 0.0115), role);
    let splat = sheet(9, 22, |s, t| {
        let x = (s - 0.5) * (0.095 + 0.03 * t);
        let z = SEAT - 0.01 + (0.815 - SEAT) * t;
        Vec3::new(x, 0.160 + 0.075 * t - 0.006 * (1.0 - (s * 2.0 - 1.0).powi(2)), z)
    });
    piece.add(splat, role);
    piece
}

/// Upholstered all over, with a tall back.
fn parsons(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut piece = chair(0.98);
    let role = cloth(palette);
    let seat = Cushion::new(0.47, 0.47, 0.13, seed(rng)).edged(0.024).filled(0.018, 0.5);
    piece.add(seat.lying().moved(0.0, -0.025, SEAT - 0.135), role);
    let back = Cushion::new(0.465, 0.60, 0.075, seed(rng)).edged(0.026).filled(0.016, 0.6).standing();
    piece.add(back.pitched(-0.14).moved(0.0, 0.175, SEAT - 0.115), role);
    // Seams down the back.
    for side in [-1.0, 1.0] {
        let at = |z: f32| Vec3::new(side * 0.15, 0.121 + 0.141 * (z - 0.35) - 0.006, z);
        piece.add(tube(&[at(0.52), at(0.75), at(0.90)], 0.0022, 5, false), role);
    }
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let top = Vec3::new(sx * 0.205, sy * 0.195 - 0.025, SEAT - 0.12);
        let foot = Vec3::new(top.x, top.y + if sy > 0.0 { 0.06 } else { -0.004 }, 0.0);
        piece.add(tapered(top, foot, [0.042, 0.042], 0.66, i as f32), Role::Wood);
    }
    piece
}

/// An oval padded back in a carved frame, turned legs.
fn medallion(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut piece = chair(0.98);
    let role = cloth(palette);
    let outline = seat_outline(0.47, 0.40, 0.44, 0.09);
    let rail: Vec<Vec2> = outline.iter().map(|p| *p * 1.01).collect();
    piece.add(crate::shape::plate(&rail, 0.062, 0.012).grained(0, 1.0).moved(0.0, 0.0, SEAT - 0.125), Role::Wood);
    piece.add(pad(&outline, 0.035, 0.022, 0.034, seed(rng)).moved(0.0, 0.0, SEAT - 0.068), role);
    let nails: Vec<Vec2> = (0..70).map(|i| outline[i * outline.len() / 70]).collect();
    for pair in nails.windows(2).filter(|pair| pair[0] != pair[1]) {
        let steps = ((pair[1] - pair[0]).length() / 0.02).ceil().max(1.0) as usize;
        for i in 0..steps {
            let p = pair[0].lerp(pair[1], i as f32 / steps as f32) * 1.002;
            piece.add(ball_of(0.005, 3, 5).moved(p.x, p.y, SEAT - 0.060), Role::Metal);
        }
    }
    // The back leans about the seat.
    let (center, lean) = (0.20, -0.16);
    let oval = ellipse(0.44, 0.46, 48);
    let place = |solid: crate::mesh::Solid| solid.moved(0.0, 0.0, 0.275).pitched(lean).moved(0.0, center - 0.01, SEAT);
    let ring: Vec<Vec3> = oval.iter().map(|p| Vec3::new(p.x * 0.955, 0.0, p.y * 0.955)).collect();
    piece.add(place(tube(&ring, 0.021, 10, true).grained(0, 2.0)), Role::Wood);
    let inner: Vec<Vec2> = oval.iter().map(|p| *p * 0.89).collect();
    piece.add(place(face_along_y(&inner, 0.03, 0.01)), role);
    let plump = pad(&inner, 0.012, 0.008, 0.022, seed(rng)).pitched(std::f32::consts::FRAC_PI_2);
    piece.add(place(plump.moved(0.0, -0.012, 0.0)), role);
    for side in [-1.0, 1.0] {
        let stile = tapered(
            Vec3::new(side * 0.12, center - 0.03, SEAT - 0.09),
            Vec3::new(side * 0.135, center + 0.015, SEAT + 0.13),
            [0.032, 0.03],
            0.9,
            side,
        );
        piece.add(stile, Role::Wood);
        piece.add(turned_leg(SEAT - 0.10, 0.026, side).moved(side * 0.185, -0.19, 0.0), Role::Wood);
        let (top, foot) = (Vec3::new(side * 0.165, 0.16, SEAT - 0.08), Vec3::new(side * 0.175, 0.245, 0.0));
        piece.add(tapered(top, foot, [0.036, 0.036], 0.6, side + 4.0), Role::Wood);
    }
    piece
}

/// A low back that wraps around a round seat.
fn wrapped(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut piece = chair(0.76);
    let role = cloth(palette);
    let round = ellipse(0.455, 0.45, 44);
    piece.add(pad(&round, 0.085, 0.036, 0.022, seed(rng)).moved(0.0, -0.025, SEAT - 0.10), role);
    let seam: Vec<Vec3> = round.iter().map(|p| (*p * 1.002).extend(SEAT - 0.052) - Vec3::Y * 0.025).collect();
    piece.add(tube(&seam, 0.0035, 5, true), role);
    let plan = bow(Vec2::new(0.0, 0.0), Vec2::new(0.20, 0.205), 0.18, 0.95);
    let count = if palette.is_round && palette.on_metal { 15.0 } else { 3.0 };
    let deep = if count > 3.0 { 0.012 } else { 0.0 };
    let back = Shell { plan, thick: 0.075, low: 0.50, top: [0.76, 0.68], channels: (count, deep), lean: 0.01 };
    piece.add(back.solid(), role);
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        // The legs go up to the back.
        let back = sy > 0.0;
        let top = Vec3::new(
            sx * if back { 0.165 } else { 0.16 },
            if back { 0.135 } else { -0.16 },
            if back { 0.56 } else { SEAT - 0.09 },
        );
        let foot = Vec3::new(sx * 0.20, sy * 0.205 - 0.01, 0.0);
        if palette.on_metal {
            piece.add(dowel(foot, top, 0.010, 0.012, 0.0), Role::Metal);
        } else {
            piece.add(dowel(foot, top, 0.012, 0.018, i as f32), Role::Wood);
        }
    }
    let under = padded(
        40,
        3,
        |s, t| {
            let turn = std::f32::consts::TAU * s;
            Vec3::new(0.21 * turn.cos(), 0.205 * turn.sin() - 0.025, SEAT - 0.13 + 0.04 * t)
        },
        |_, _| 0.0,
    );
    piece.add(under, role);
    piece
}
