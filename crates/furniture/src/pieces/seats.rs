//! Benches, poufs and ottomans.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::dressing::{cloth, seed};
use super::feet::{Feet, sled, stand};
use super::sofa_shells::plump;
use super::trays;
use super::wooden_chairs::{cord_seat, square_frame};
use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::joinery::{bar, tapered};
use crate::shape::upholstery::{Cushion, Tufting, button, padded};
use crate::shape::{lathe, plate, tube};

/// A bench for the foot of a bed, a hall or a table.
#[must_use]
pub fn bench(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    let (depth, high) = (0.42, 0.47);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Bench, Vec3::new(width, depth, high));
    match form {
        1 => {
            square_frame(&mut piece, width / 2.0 - 0.05, depth / 2.0 - 0.04, high - 0.02, 0.14, Role::Wood);
            piece.add(cord_seat(width - 0.03, depth - 0.01, high - 0.004).moved(0.0, 0.02, 0.0), Role::Cane);
        }
        2 => {
            let count = 5;
            let step = depth / count as f32;
            for i in 0..count {
                let y = (i as f32 + 0.5) * step - depth / 2.0;
                let at = |x: f32| Vec3::new(x, y, high - 0.014);
                let solid = bar(at(-width / 2.0), at(width / 2.0), step - 0.010, 0.028, i as f32);
                piece.add(solid, Role::Wood);
            }
            for side in [-1.0, 1.0] {
                let x = side * (width / 2.0 - 0.16);
                piece.add(
                    bar(Vec3::new(x, -0.19, high - 0.045), Vec3::new(x, 0.19, high - 0.045), 0.05, 0.034, side),
                    Role::Wood,
                );
            }
            if palette.on_metal {
                sled(&mut piece, width / 2.0 - 0.16, depth / 2.0 - 0.04, high - 0.06);
            } else {
                for (i, (sx, sy)) in super::feet::CORNERS.into_iter().enumerate() {
                    let (top, foot) = (
                        Vec3::new(sx * (width / 2.0 - 0.16), sy * 0.15, high - 0.05),
                        Vec3::new(sx * (width / 2.0 - 0.10), sy * 0.185, 0.0),
                    );
                    piece.add(tapered(top, foot, [0.05, 0.04], 0.66, i as f32), Role::Wood);
                }
            }
        }
        3 => {
            let top = tufted_top(width, depth, 0.13, 0.155);
            piece.add(top.moved(0.0, 0.0, high - 0.165), role);
            let rail = Cushion::new(width - 0.01, depth - 0.01, 0.09, seed(rng)).edged(0.012).filled(0.0, 0.3);
            piece.add(rail.lying().moved(0.0, 0.0, high - 0.235), role);
            let feet = if palette.on_metal { Feet::Metal } else { Feet::Turned };
            stand(&mut piece, feet, width / 2.0 - 0.07, depth / 2.0 - 0.06, high - 0.23);
        }
        4 => {
            let body = plump(Vec3::new(width - 0.03, depth - 0.03, 0.24), 0.115, seed(rng));
            piece.add(body.moved(0.0, 0.0, high - 0.265), role);
            for side in [-1.0, 1.0] {
                let leg = lathe(&[[0.0, 0.0], [0.15, 0.0], [0.155, 0.005], [0.155, 0.24], [0.0, 0.24]], 36);
                piece.add(leg.grained(2, side).moved(side * (width / 2.0 - 0.26), 0.0, 0.0), Role::Wood);
            }
        }
        _ => {
            let top = Cushion::new(width - 0.01, depth - 0.01, 0.12, seed(rng)).edged(0.03).filled(0.020, 0.7);
            piece.add(top.lying().moved(0.0, 0.0, high - 0.135), role);
            let board = crate::shape::block(Vec3::new(width - 0.05, depth - 0.05, 0.028), 0.005).grained(0, 1.0);
            piece.add(board.moved(0.0, 0.0, high - 0.162), Role::Wood);
            if palette.on_metal {
                sled(&mut piece, width / 2.0 - 0.12, depth / 2.0 - 0.05, high - 0.16);
            } else {
                stand(&mut piece, Feet::usual(palette), width / 2.0 - 0.12, depth / 2.0 - 0.08, high - 0.16);
            }
        }
    }
    piece
}

/// A box of padding with deep tufting in its top, standing on z = 0; `thick` at its rim.
fn tufted_top(width: f32, depth: f32, thick: f32, wide: f32) -> Solid {
    let tufting =
        Tufting { wide: width / (width / wide).round(), high: depth / (depth / (wide * 0.62)).round().max(2.0) };
    let at = move |s: f32, t: f32| Vec2::new((s - 0.5) * width, (t - 0.5) * depth);
    let rim = move |p: Vec2| ((width / 2.0 - p.x.abs()).min(depth / 2.0 - p.y.abs()) / 0.05).clamp(0.0, 1.0);
    let columns = ((width / 0.017) as usize).clamp(30, 90);
    let rows = ((depth / 0.017) as usize).clamp(22, 64);
    let top = padded(
        columns,
        rows,
        |s, t| at(s, t).extend(thick - 0.055),
        |s, t| {
            let round = (1.0 - (1.0 - rim(at(s, t))).powi(2)).sqrt();
            round * (0.042 + 0.040 * tufting.diamonds(at(s, t)))
        },
    );
    let side = Cushion::new(width, depth, thick - 0.04, 3).edged(0.012).filled(0.0, 0.2);
    let mut solid = top.with(side.lying());
    let reach = Vec2::new(width / 2.0 - 0.05, depth / 2.0 - 0.05);
    for p in tufting.buttons(-reach, reach) {
        solid = solid.with(button(0.011, Vec3::Z).moved(p.x, p.y, thick - 0.008));
    }
    solid
}

/// A cushion whose top is sewn to squares, `across` of them along its sides; standing on z = 0, `thick` in its middle.
fn biscuits(width: f32, depth: f32, thick: f32, across: [f32; 2]) -> Solid {
    const SOFT: f32 = 0.035;
    const SEAM: f32 = 0.016;
    let rim = move |s: f32, t: f32| (s.min(1.0 - s) * width).min(t.min(1.0 - t) * depth);
    let top = padded(
        ((width / 0.013) as usize).clamp(30, 90),
        ((depth / 0.013) as usize).clamp(24, 70),
        |s, t| Vec3::new((s - 0.5) * width, (t - 0.5) * depth, thick - SOFT - SEAM),
        |s, t| {
            let round = (1.0 - (1.0 - (rim(s, t) / SOFT).clamp(0.0, 1.0)).powi(2)).sqrt();
            let square = (PI * s * across[0]).sin().abs() * (PI * t * across[1]).sin().abs();
            round * (SOFT + SEAM * square.powf(0.28))
        },
    );
    let band = Cushion::new(width, depth, thick - SOFT, 5).edged(0.012).filled(0.0, 0.2);
    top.with(band.lying())
}

/// An ottoman with a tray: square and tufted, round and pleated, or a cushion on legs.
#[must_use]
pub fn ottoman(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let role = cloth(palette);
    match form {
        1 => {
            let (wide, high) = (0.74, 0.42);
            let mut piece = Piece::new(PieceKind::Ottoman, Vec3::new(wide, wide, high));
            pleated(&mut piece, wide / 2.0, high, role);
            piece.attach(&trays::tray(rng, true), 0.3, Vec3::new(0.0, 0.0, high - 0.004));
            piece
        }
        2 => {
            let (wide, deep, high) = (0.72, 0.58, 0.42);
            let mut piece = Piece::new(PieceKind::Ottoman, Vec3::new(wide, deep, high));
            let base = Cushion::new(wide - 0.01, deep - 0.01, 0.12, seed(rng)).edged(0.016).filled(0.004, 0.4);
            piece.add(base.lying().moved(0.0, 0.0, 0.15), role);
            let thick = high - 0.262;
            piece.add(biscuits(wide - 0.006, deep - 0.006, thick, [3.0, 2.0]).moved(0.0, 0.0, 0.262), role);
            stand(&mut piece, Feet::usual(palette), wide / 2.0 - 0.08, deep / 2.0 - 0.08, 0.16);
            piece.attach(&trays::tray(rng, false), 0.08, Vec3::new(0.03, 0.02, high - 0.008));
            piece
        }
        _ => {
            let (side, high) = (0.82, 0.43);
            let mut piece = Piece::new(PieceKind::Ottoman, Vec3::new(side, side, high));
            piece.add(tufted_top(side - 0.01, side - 0.01, 0.16, 0.175).moved(0.0, 0.0, high - 0.195), role);
            let body = Cushion::new(side - 0.016, side - 0.016, 0.18, seed(rng)).edged(0.012).filled(0.003, 0.4);
            piece.add(body.lying().moved(0.0, 0.0, 0.11), role);
            stand(&mut piece, Feet::Bun, side / 2.0 - 0.08, side / 2.0 - 0.08, 0.115);
            piece.attach(&trays::tray(rng, false), 0.12, Vec3::new(-0.06, 0.04, high - 0.012));
            piece
        }
    }
}

/// A round ottoman: gathered cloth around it, a button in its top.
fn pleated(piece: &mut Piece, radius: f32, high: f32, role: Role) {
    let outline = [
        (0.86, 0.035),
        (0.96, 0.05),
        (1.0, 0.10),
        (1.0, 0.20),
        (1.0, 0.30),
        (0.975, 0.345),
        (0.97, 0.35),
        (0.99, 0.36),
        (0.99, 0.385),
        (0.93, 0.41),
        (0.75, 0.42),
        (0.50, 0.421),
        (0.25, 0.414),
        (0.08, 0.402),
        (0.0, 0.395),
    ];
    let count = 44.0;
    let columns = 44 * 6;
    let mut solid = crate::shape::sheet(columns + 1, outline.len(), |s, t| {
        let (share, z) = outline[(t * (outline.len() - 1) as f32).round() as usize];
        let ridge = (PI * s * count).sin().abs().powf(0.6);
        let deep = if z < 0.34 { 0.012 } else { 0.006 * share };
        let r = share * (radius - 0.012) + deep * (ridge - 0.6);
        Vec2::from_angle(TAU * s).extend(0.0) * r + Vec3::Z * z * high / 0.42
    });
    solid = solid.with(button(0.02, Vec3::Z).moved(0.0, 0.0, 0.395 * high / 0.42));
    for (share, z) in [(0.985, 0.347), (0.90, 0.042)] {
        let ring: Vec<Vec3> = (0..60)
            .map(|i| (Vec2::from_angle(TAU * i as f32 / 60.0) * (radius - 0.010) * share).extend(z * high / 0.42))
            .collect();
        solid = solid.with(tube(&ring, 0.0055, 6, true));
    }
    piece.add(solid, role);
    let foot = [[0.0, 0.0], [radius * 0.78, 0.0], [radius * 0.78, 0.045], [0.0, 0.045]];
    piece.add(lathe(&foot, 48), Role::Metal);
}

/// A round pouf: smooth with seams, knitted, or of leather panels.
#[must_use]
pub fn pouf(form: usize, rng: &mut Rng) -> Piece {
    let (r, h) = (0.27, 0.39);
    let mut piece = Piece::new(PieceKind::Pouf, Vec3::new(2.0 * r, 2.0 * r, h));
    let noise = seed(rng);
    let (power, panels) = match form {
        1 => (0.62, 0.0),
        2 => (0.72, 10.0),
        _ => (0.40, 0.0),
    };
    let round = |v: f32| v.signum() * v.abs().powf(power);
    let rows = if form == 1 { 40 } else { 26 };
    let columns = if form == 1 { 216 } else { 100 };
    let body = crate::shape::sheet(columns + 1, rows + 1, |s, t| {
        let turn = PI * (t - 0.5);
        let angle = TAU * s;
        let across = round(turn.cos().max(0.0)).max(0.0);
        let soft = if form == 2 { 0.0 } else { 0.02 };
        let lumps = (value_noise(Vec3::new(angle.cos() * 2.0, angle.sin() * 2.0, t * 3.0), noise) - 0.5) * soft;
        // Braids that run up, leather panels between seams.
        let relief = match form {
            1 => {
                let stitch = t * 40.0 * 0.9 + (s * 36.0 * PI).sin().abs() * 0.9;
                (s * 36.0 * PI).sin().abs().powf(0.7) * 0.013 + (stitch * PI).sin().abs() * 0.004
            }
            2 => (s * panels * PI).sin().abs().powf(0.5) * 0.014 * across - 0.006,
            _ => 0.0,
        };
        let reach = (r - 0.014) * across + (relief + lumps) * across;
        let z = h / 2.0 * (1.0 + round(turn.sin())) * (1.0 - 0.03 * (1.0 - across)) + lumps * 0.3 * turn.sin().max(0.0);
        Vec2::from_angle(angle).extend(0.0) * reach + Vec3::Z * z.max(0.0)
    });
    let role = match form {
        1 => Role::Knit,
        2 => Role::Leather,
        _ => Role::PillowTwo,
    };
    piece.add(body, role);
    if form == 2 {
        let star: Vec<Vec2> =
            (0..20).map(|i| Vec2::from_angle(TAU * i as f32 / 20.0) * if i % 2 == 0 { 0.115 } else { 0.075 }).collect();
        piece.add(plate(&star, 0.006, 0.002).moved(0.0, 0.0, h - 0.019), Role::Leather);
        for i in 0..10 {
            let turn = TAU * i as f32 / 10.0;
            let path: Vec<Vec3> = (2..11)
                .map(|k| PI * (k as f32 / 12.0 - 0.5))
                .map(|up| {
                    (Vec2::from_angle(turn) * (r - 0.017) * round(up.cos())).extend(h / 2.0 * (1.0 + round(up.sin())))
                })
                .collect();
            piece.add(tube(&path, 0.0035, 5, false), Role::Linen);
        }
    } else if form == 0 {
        for z in [0.055, h - 0.055] {
            let up = ((z / (h / 2.0) - 1.0_f32).abs()).powf(1.0 / power).asin();
            let reach = (r - 0.012) * up.cos().powf(power);
            let ring: Vec<Vec3> =
                (0..60).map(|i| (Vec2::from_angle(TAU * i as f32 / 60.0) * reach).extend(z)).collect();
            piece.add(tube(&ring, 0.0055, 6, true), role);
        }
        let loop_path =
            [Vec3::new(-0.05, 0.0, h - 0.008), Vec3::new(0.0, 0.0, h + 0.02), Vec3::new(0.05, 0.0, h - 0.008)];
        piece.add(crate::shape::joinery::bent(&loop_path, 0.006).yawed(FRAC_PI_2 * 0.4), Role::Leather);
    }
    piece
}
