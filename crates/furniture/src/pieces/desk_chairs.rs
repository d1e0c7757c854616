//! Chairs for desks.

use std::f32::consts::TAU;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::chair_parts::seat_outline;
use super::dressing::{cloth, seed};
use super::sofa_shells::{Shell, bow};
use super::wooden_chairs::{rail, saddle};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::joinery::{bar, bent, curve, dowel, tapered};
use crate::shape::upholstery::{ball_of, pad};
use crate::shape::{block, ellipse, lathe, rod, soft, tube};

/// A desk chair of one of the forms.
#[must_use]
pub fn desk_chair(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let high = if form == 0 { 1.02 } else { 0.90 };
    let mut piece = Piece::new(PieceKind::DeskChair, Vec3::new(0.62, 0.62, high));
    match form {
        1 => upholstered(&mut piece, palette, rng),
        2 => wooden(&mut piece, palette, rng),
        3 => captain(&mut piece, rng),
        _ => ergonomic(&mut piece, rng),
    }
    piece
}

/// Five feet on casters under a column.
fn star(piece: &mut Piece, role: Role, top: f32) {
    piece.add(
        lathe(
            &[
                [0.0, 0.085],
                [0.034, 0.085],
                [0.034, 0.14],
                [0.026, 0.15],
                [0.026, 0.26],
                [0.017, 0.262],
                [0.017, top],
                [0.0, top],
            ],
            20,
        ),
        role,
    );
    for i in 0..5 {
        let turn = TAU * (i as f32 + 0.25) / 5.0;
        let way = Vec2::from_angle(turn);
        let end = (way * 0.275).extend(0.072);
        piece.add(tapered(Vec3::new(way.x * 0.02, way.y * 0.02, 0.112), end, [0.042, 0.030], 0.66, 0.0), role);
        piece.add(rod(end - Vec3::Z * 0.03, end + Vec3::Z * 0.004, 0.007), Role::DarkMetal);
        for side in [-1.0, 1.0] {
            let wheel =
                lathe(&[[0.0, 0.0], [0.022, 0.0], [0.026, 0.004], [0.026, 0.014], [0.022, 0.018], [0.0, 0.018]], 16);
            let wheel = wheel.moved(0.0, 0.0, -0.009).rolled(std::f32::consts::FRAC_PI_2).moved(side * 0.013, 0.0, 0.0);
            piece.add(wheel.yawed(turn + 0.7).moved(end.x, end.y, 0.0265), Role::Screen);
        }
    }
}

/// A mesh back in a frame, a headrest and adjustable arms.
fn ergonomic(piece: &mut Piece, rng: &mut Rng) {
    star(piece, Role::DarkMetal, 0.42);
    let outline = seat_outline(0.50, 0.46, 0.49, 0.12);
    piece.add(pad(&outline, 0.065, 0.030, 0.016, seed(rng)).moved(0.0, -0.01, 0.425), Role::Rubber);
    piece.add(block(Vec3::new(0.20, 0.26, 0.05), 0.015).moved(0.0, 0.0, 0.385), Role::DarkMetal);
    // The back bends toward the loins.
    let back = |x: f32, z: f32| {
        let up = (z - 0.50) / 0.50;
        Vec3::new(x, 0.185 + 0.10 * up * up - 0.045 * (-((up - 0.25) / 0.22).powi(2)).exp() - 0.7 * x * x + 0.03, z)
    };
    let frame: Vec<Vec3> = (0..40)
        .map(|i| TAU * i as f32 / 40.0)
        .map(|turn| {
            let bent = |v: f32| v.signum() * v.abs().powf(0.6);
            back(0.222 * bent(turn.cos()) * (1.0 - 0.12 * turn.sin()), 0.755 + 0.245 * bent(turn.sin()))
        })
        .collect();
    piece.add(tube(&frame, 0.012, 8, true), Role::DarkMetal);
    // The mesh as many thin threads.
    for i in 1..40 {
        let z = 0.755 + 0.24 * (i as f32 / 20.0 - 1.0);
        let up = ((z - 0.755) / 0.245).abs().min(1.0);
        let half = 0.218 * (1.0 - up.powf(3.33)).max(0.0).powf(0.3) * (1.0 - 0.12 * (z - 0.755) / 0.245);
        let path: Vec<Vec3> = (0..=8).map(|k| back(half * (k as f32 / 4.0 - 1.0), z)).collect();
        piece.add(tube(&path, 0.0032, 4, false), Role::DarkMetal);
    }
    piece.add(
        bent(
            &[
                Vec3::new(0.0, 0.10, 0.41),
                Vec3::new(0.0, 0.25, 0.43),
                back(0.0, 0.60) + Vec3::Y * 0.03,
                back(0.0, 0.78) + Vec3::Y * 0.02,
            ],
            0.018,
        ),
        Role::DarkMetal,
    );
    let loins = soft(Vec3::new(0.30, 0.03, 0.10), 0.014, 0.006, 4);
    piece.add(loins.moved(0.0, back(0.0, 0.64).y + 0.022, 0.59), Role::Rubber);
    for side in [-1.0, 1.0] {
        let path = [
            Vec3::new(side * 0.12, 0.02, 0.42),
            Vec3::new(side * 0.27, 0.03, 0.43),
            Vec3::new(side * 0.278, 0.03, 0.50),
            Vec3::new(side * 0.278, 0.03, 0.63),
        ];
        piece.add(bent(&path, 0.014), Role::DarkMetal);
        piece.add(soft(Vec3::new(0.062, 0.25, 0.028), 0.013, 0.002, 3).moved(side * 0.272, -0.01, 0.63), Role::Rubber);
    }
}

/// A padded tub on a swivel.
fn upholstered(piece: &mut Piece, palette: &Palette, rng: &mut Rng) {
    let role = cloth(palette);
    star(piece, Role::Metal, 0.42);
    let plan = bow(Vec2::new(0.0, 0.0), Vec2::new(0.262, 0.245), 0.22, 0.85);
    let channels = if palette.is_round { (13.0, 0.014) } else { (3.0, 0.0) };
    let back = Shell { plan, thick: 0.062, low: 0.40, top: [0.86, 0.62], channels, lean: 0.03 };
    piece.add(back.solid(), role);
    let outline = back.seat(0.05, -0.005);
    piece.add(pad(&outline, 0.085, 0.035, 0.026, seed(rng)).moved(0.0, 0.0, 0.405), role);
    let seam: Vec<Vec3> = outline.iter().map(|p| (*p * 0.995).extend(0.452)).collect();
    piece.add(tube(&seam, 0.0035, 5, true), role);
}

/// A wooden chair with a bent back and a pad on its seat.
fn wooden(piece: &mut Piece, palette: &Palette, rng: &mut Rng) {
    let seat = 0.465;
    let outline = seat_outline(0.47, 0.43, 0.45, 0.12);
    piece.add(saddle(&outline, 0.036).moved(0.0, 0.0, seat - 0.036), Role::Wood);
    let inner: Vec<Vec2> = outline.iter().map(|p| *p * 0.88).collect();
    piece.add(pad(&inner, 0.026, 0.012, 0.012, seed(rng)).moved(0.0, 0.0, seat - 0.012), cloth(palette));
    for (i, (sx, sy)) in super::feet::CORNERS.into_iter().enumerate() {
        let (top, foot) =
            (Vec3::new(sx * 0.17, sy * 0.16 - 0.02, seat - 0.02), Vec3::new(sx * 0.235, sy * 0.235 - 0.015, 0.0));
        piece.add(dowel(foot, top, 0.012, 0.0185, i as f32), Role::Wood);
    }
    let line = curve(
        &[
            Vec3::new(-0.275, -0.14, 0.655),
            Vec3::new(-0.27, 0.05, 0.67),
            Vec3::new(-0.19, 0.22, 0.74),
            Vec3::new(0.0, 0.27, 0.775),
            Vec3::new(0.19, 0.22, 0.74),
            Vec3::new(0.27, 0.05, 0.67),
            Vec3::new(0.275, -0.14, 0.655),
        ],
        8,
    );
    piece.add(rail(&line, [0.016, 0.011], [0.012, 0.045], 2.0), Role::Wood);
    for share in [-1.0_f32, -0.62, -0.3, 0.0, 0.3, 0.62, 1.0] {
        let i = ((share * 0.38 + 0.5) * (line.len() - 1) as f32).round() as usize;
        let low = Vec3::new(share * 0.19, 0.165 - 0.14 * share.abs().powi(3), seat - 0.01);
        piece.add(dowel(low, line[i], 0.010, 0.008, share), Role::Wood);
    }
}

/// Buttoned leather on a swivel of wood.
fn captain(piece: &mut Piece, rng: &mut Rng) {
    star(piece, Role::DarkWood, 0.42);
    let plan = bow(Vec2::new(0.0, 0.01), Vec2::new(0.258, 0.245), 0.20, 0.80);
    let back = Shell { plan, thick: 0.075, low: 0.40, top: [0.88, 0.64], channels: (11.0, 0.018), lean: 0.04 };
    piece.add(back.solid(), Role::Leather);
    let outline = back.seat(0.04, -0.004);
    piece.add(pad(&outline, 0.095, 0.035, 0.036, seed(rng)).moved(0.0, 0.0, 0.40), Role::Leather);
    // Nails along the fronts of the arms.
    for side in [-1.0, 1.0] {
        for i in 0..9 {
            let nail = ball_of(0.006, 3, 6).moved(side * 0.262, -0.068, 0.43 + 0.022 * i as f32);
            piece.add(nail, Role::Metal);
        }
    }
    let ring: Vec<Vec3> = ellipse(0.40, 0.38, 32).iter().map(|p| p.extend(0.40)).collect();
    piece.add(tube(&ring, 0.014, 8, true).grained(0, 1.0), Role::DarkWood);
    piece.add(bar(Vec3::new(-0.2, 0.0, 0.40), Vec3::new(0.2, 0.0, 0.40), 0.05, 0.02, 1.0), Role::DarkWood);
}
