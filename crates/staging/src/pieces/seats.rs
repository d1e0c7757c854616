//! Sofas, armchairs, chairs, benches.

use aerie_math::Rng;
use glam::Vec3;

use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{ball, block, lathe, leg, pillow, piping, rod, sheet, soft, square_leg, tube};

fn legs(piece: &mut Piece, palette: &Palette, x: f32, y: f32, height: f32) {
    for (i, (sx, sy)) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().enumerate() {
        let (solid, role) = if palette.on_metal {
            (block(Vec3::new(0.022, 0.05, height), 0.004), Role::Metal)
        } else {
            let splay = leg(height, 0.024, 0.014).rolled(sx * -0.10).pitched(sy * 0.10);
            (splay.grained(2, i as f32), Role::Wood)
        };
        piece.add(solid.moved(sx * x, sy * y, 0.0), role);
    }
}

/// Scatter cushions on a seat. `inner` is the width between the arms, `back` where the backrest begins, `seat` the height of
/// the seat.
fn scatter(piece: &mut Piece, inner: f32, back: f32, seat: f32, rng: &mut Rng, few: bool) {
    let places: &[(f32, f32, Role)] = if few {
        &[(0.0, 0.46, Role::PillowOne)]
    } else {
        &[(-0.5, 0.50, Role::PillowOne), (-0.36, 0.42, Role::PillowTwo), (0.5, 0.48, Role::PillowTwo)]
    };
    for (i, (share, side, role)) in places.iter().enumerate() {
        let side = side * rng.range_f32(0.95, 1.04);
        let x = share * (inner - side - 0.02) + rng.range_f32(-0.02, 0.02);
        let lean = 1.22 + rng.range_f32(-0.06, 0.04);
        let forward = if i == 1 { 0.13 } else { 0.0 };
        let solid = pillow(side, side, 0.17, (rng.next_u64() & 0xFFFF) as u32)
            .yawed(if few { 0.78 * 0.0 } else { rng.range_f32(-0.05, 0.05) })
            .moved(0.0, 0.0, -0.085)
            .pitched(lean)
            .yawed(-share * 0.45)
            .moved(x, back - 0.10 - forward, seat + side * 0.5 * lean.sin() - 0.02);
        piece.add(solid, *role);
    }
}

/// A sofa for two or three, about 1.5 to 2.5 m wide.
#[must_use]
pub fn sofa(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let (depth, seat) = (0.92, 0.43);
    let is_round = palette.is_round;
    let arm = if is_round { 0.15 } else { 0.19 };
    let (arm_top, back_top) = (if is_round { 0.60 } else { 0.57 }, 0.80);
    let foot = if palette.on_metal { 0.13 } else { 0.15 };
    let radius = if is_round { 0.07 } else { 0.045 };
    let mut piece = Piece::new(PieceKind::Sofa, Vec3::new(width, depth, back_top));
    let mut seed = || (rng.next_u64() & 0xFFFF) as u32;
    let inner = width - 2.0 * arm;
    // Frame, arms, back.
    piece.add(soft(Vec3::new(inner + 0.06, depth - 0.10, 0.15), 0.03, 0.004, seed()).moved(0.0, 0.0, foot), Role::Sofa);
    for side in [-1.0, 1.0] {
        let solid = soft(Vec3::new(arm, depth - 0.02, arm_top - foot), radius, 0.010, seed());
        piece.add(solid.moved(side * (width - arm) / 2.0, 0.0, foot), Role::Sofa);
    }
    let back = soft(Vec3::new(inner + 0.04, 0.17, back_top - foot - 0.06), 0.06, 0.012, seed()).pitched(-0.10);
    piece.add(back.moved(0.0, depth / 2.0 - 0.13, foot), Role::Sofa);
    // Cushions.
    let count = if width > 1.95 { 3 } else { 2 };
    let one = inner / count as f32;
    let (seat_depth, seat_thick) = (0.66, 0.165);
    for i in 0..count {
        let x = (i as f32 + 0.5) * one - inner / 2.0;
        let z = seat - seat_thick;
        let y = -depth / 2.0 + seat_depth / 2.0 + 0.015;
        let solid = soft(Vec3::new(one - 0.008, seat_depth, seat_thick), 0.05, 0.026, seed());
        piece.add(solid.moved(x, y, z), Role::Sofa);
        piece.add(piping(one - 0.03, seat_depth - 0.022, 0.045, seat - 0.018, 0.0045).moved(x, y, 0.0), Role::Sofa);
        let solid = soft(Vec3::new(one - 0.012, 0.20, 0.43), 0.075, 0.035, seed()).pitched(-0.20);
        piece.add(solid.moved(x, depth / 2.0 - 0.315, seat - 0.012), Role::Sofa);
    }
    legs(&mut piece, palette, width / 2.0 - 0.11, depth / 2.0 - 0.12, foot + 0.012);
    scatter(&mut piece, inner, depth / 2.0 - 0.38, seat, rng, false);
    piece
}

/// An armchair: a shell on legs, or a wooden frame with cushions.
#[must_use]
pub fn armchair(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut seed = || (rng.next_u64() & 0xFFFF) as u32;
    if palette.is_round {
        // A rounded shell from arm to arm behind a thick seat.
        let (width, depth, seat) = (0.80, 0.80, 0.42);
        let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, 0.76));
        let shell = |inset: f32, s: f32, u: f32| {
            // s runs from the left arm round to the right, u upward.
            let turn = std::f32::consts::PI * (-0.22 + 1.44 * s);
            let back = (1.0 - ((s - 0.5) * 2.0).abs().powf(2.2)).max(0.0);
            let top = 0.56 + 0.20 * back;
            let (rx, ry) = (width / 2.0 - 0.01 - inset, depth / 2.0 - 0.02 - inset);
            let flare = 1.0 + 0.05 * u * back;
            Vec3::new(turn.cos() * rx, turn.sin() * ry * flare, 0.17 + (top - 0.17) * u)
        };
        let solid = sheet(52, 26, move |s, v| {
            // Up the outside, over the rim and down the inside.
            let rim = 0.12;
            let (u, inset) = if v < 0.45 {
                (v / 0.45, 0.0)
            } else if v < 0.62 {
                let a = (v - 0.45) / 0.17 * std::f32::consts::PI;
                (1.0 + 0.10 * a.sin(), rim * (1.0 - a.cos()) / 2.0)
            } else {
                (1.0 - (v - 0.62) / 0.38 * 0.7, rim)
            };
            let plump = 0.012 * (std::f32::consts::PI * u.min(1.0)).sin();
            shell(inset - if v < 0.5 { plump } else { -plump }, 1.0 - s, u.min(1.0))
                + Vec3::Z * ((u - 1.0).max(0.0) * 0.5)
        });
        piece.add(solid, Role::Armchair);
        // Rolls close the ends of the arms.
        for s in [0.0, 1.0] {
            let (a, b) = (shell(0.06, s, 0.02), shell(0.06, s, 1.0) - Vec3::Z * 0.01);
            piece.add(tube(&[a, a.lerp(b, 0.33), a.lerp(b, 0.66), b], 0.062, 18, false), Role::Armchair);
            piece.add(ball(0.061).moved(b.x, b.y, b.z), Role::Armchair);
        }
        piece.add(soft(Vec3::new(0.50, 0.52, 0.10), 0.04, 0.0, seed()).moved(0.0, -0.04, 0.18), Role::Armchair);
        piece.add(
            soft(Vec3::new(0.57, 0.62, 0.17), 0.06, 0.035, seed()).moved(0.0, -0.07, seat - 0.165),
            Role::Armchair,
        );
        legs(&mut piece, palette, 0.25, 0.25, 0.19);
        scatter(&mut piece, 0.5, 0.28, seat, rng, true);
        return piece;
    }
    let (width, depth, seat) = (0.76, 0.82, 0.41);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, 0.78));
    for side in [-1.0, 1.0] {
        let x = side * (width / 2.0 - 0.025);
        let bar = |size: Vec3| block(size, 0.008);
        let role = if palette.on_metal { Role::DarkMetal } else { Role::Wood };
        let thick = if palette.on_metal { 0.028 } else { 0.045 };
        piece.add(bar(Vec3::new(thick, thick, 0.58)).grained(2, 1.0 + side).moved(x, -depth / 2.0 + 0.06, 0.0), role);
        piece.add(bar(Vec3::new(thick, thick, 0.56)).grained(2, 2.0 + side).moved(x, depth / 2.0 - 0.10, 0.0), role);
        piece.add(bar(Vec3::new(0.055, depth - 0.06, 0.026)).grained(1, 3.0 + side).moved(x, -0.02, 0.575), Role::Wood);
        piece.add(bar(Vec3::new(thick, depth - 0.14, 0.04)).grained(1, 4.0 + side).moved(x, -0.02, 0.23), role);
    }
    piece.add(
        soft(Vec3::new(width - 0.10, 0.68, 0.15), 0.05, 0.028, seed()).pitched(0.06).moved(0.0, -0.05, 0.245),
        Role::Armchair,
    );
    piece.add(
        soft(Vec3::new(width - 0.11, 0.16, 0.50), 0.06, 0.03, seed()).pitched(-0.30).moved(0.0, 0.21, seat - 0.04),
        Role::Armchair,
    );
    scatter(&mut piece, 0.5, 0.24, seat - 0.01, rng, true);
    piece
}

/// A bench with an upholstered top, for the foot of a bed or a hall.
#[must_use]
pub fn bench(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Bench, Vec3::new(width, 0.42, 0.46));
    let top = soft(Vec3::new(width, 0.42, 0.11), 0.04, 0.015, (rng.next_u64() & 0xFFFF) as u32);
    piece.add(top.moved(0.0, 0.0, 0.35), Role::Armchair);
    piece.add(block(Vec3::new(width - 0.06, 0.36, 0.03), 0.006).grained(0, 1.0).moved(0.0, 0.0, 0.325), Role::Wood);
    legs(&mut piece, palette, width / 2.0 - 0.10, 0.15, 0.33);
    piece
}

/// A round pouf.
#[must_use]
pub fn pouf(rng: &mut Rng) -> Piece {
    let (r, h) = (0.26, 0.40);
    let mut piece = Piece::new(PieceKind::Pouf, Vec3::new(2.0 * r, 2.0 * r, h));
    let outline: Vec<[f32; 2]> = (0..=16)
        .map(|i| {
            let a = std::f32::consts::PI * (i as f32 / 16.0 - 0.5);
            let round = |v: f32| v.signum() * v.abs().powf(0.5);
            [r * round(a.cos()).max(0.0), h / 2.0 * (1.0 + round(a.sin()))]
        })
        .collect();
    let mut solid = lathe(&outline, 48);
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    for v in &mut solid.vertices {
        let bump = (value_noise(v.place * 9.0, seed) - 0.5) * 0.012;
        v.place += v.normal * bump;
        v.place.z = v.place.z.max(0.0);
    }
    solid.smoothen();
    piece.add(solid, Role::PillowTwo);
    piece
}

/// A dining chair.
#[must_use]
pub fn dining_chair(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, height) = (0.48, 0.54, 0.80);
    let mut piece = Piece::new(PieceKind::DiningChair, Vec3::new(width, depth, height));
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    piece.add(soft(Vec3::new(0.46, 0.44, 0.07), 0.03, 0.015, seed).moved(0.0, -0.03, 0.415), Role::Armchair);
    if palette.is_round {
        let back = sheet(20, 12, |s, v| {
            let turn = std::f32::consts::PI * (0.12 + 0.76 * s);
            Vec3::new(turn.cos() * 0.235, turn.sin() * 0.22 + 0.03 + 0.05 * v, 0.56 + 0.24 * v)
        });
        let inner = sheet(20, 12, |s, v| {
            let turn = std::f32::consts::PI * (0.12 + 0.76 * s);
            Vec3::new(turn.cos() * 0.205, turn.sin() * 0.19 + 0.03 + 0.05 * v, 0.56 + 0.24 * v)
        });
        piece.add(back, Role::Armchair);
        piece.add(inner, Role::Armchair);
        for v in [0.0, 1.0] {
            let rim: Vec<Vec3> = (0..=20)
                .map(|i| {
                    let turn = std::f32::consts::PI * (0.12 + 0.76 * i as f32 / 20.0);
                    Vec3::new(turn.cos() * 0.22, turn.sin() * 0.205 + 0.03 + 0.05 * v, 0.56 + 0.24 * v)
                })
                .collect();
            piece.add(tube(&rim, 0.017, 10, false), Role::Armchair);
        }
    } else {
        piece.add(
            soft(Vec3::new(0.44, 0.06, 0.34), 0.028, 0.012, seed + 1).pitched(-0.14).moved(0.0, 0.19, 0.46),
            Role::Armchair,
        );
    }
    for (i, (sx, sy)) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().enumerate() {
        let (top, foot) = (Vec3::new(sx * 0.19, sy * 0.16 - 0.03, 0.43), Vec3::new(sx * 0.215, sy * 0.215 - 0.01, 0.0));
        if palette.on_metal {
            piece.add(rod(foot, top, 0.011), Role::DarkMetal);
        } else {
            let solid = leg(0.44, 0.019, 0.011).grained(2, i as f32).rolled(sx * -0.055).pitched(sy * 0.11);
            piece.add(solid.moved(foot.x, foot.y, 0.0), Role::Wood);
        }
    }
    if palette.is_round {
        for sx in [-1.0, 1.0] {
            piece.add(
                rod(Vec3::new(sx * 0.19, 0.15, 0.43), Vec3::new(sx * 0.195, 0.12, 0.60), 0.013),
                if palette.on_metal { Role::DarkMetal } else { Role::Wood },
            );
        }
    }
    piece
}

/// A desk chair on a five-star base with casters.
#[must_use]
pub fn desk_chair(rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::DeskChair, Vec3::new(0.60, 0.60, 0.90));
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    piece.add(soft(Vec3::new(0.50, 0.48, 0.09), 0.04, 0.02, seed).moved(0.0, -0.02, 0.44), Role::Leather);
    piece.add(
        soft(Vec3::new(0.46, 0.08, 0.42), 0.036, 0.018, seed + 1).pitched(-0.12).moved(0.0, 0.20, 0.50),
        Role::Leather,
    );
    piece.add(rod(Vec3::new(0.0, 0.0, 0.08), Vec3::new(0.0, 0.0, 0.45), 0.022), Role::DarkMetal);
    for i in 0..5 {
        let turn = std::f32::consts::TAU * (i as f32 + 0.25) / 5.0;
        let end = Vec3::new(turn.cos() * 0.28, turn.sin() * 0.28, 0.07);
        piece.add(rod(Vec3::new(0.0, 0.0, 0.10), end, 0.014), Role::DarkMetal);
        let wheel: Solid = block(Vec3::new(0.022, 0.05, 0.05), 0.02).yawed(turn);
        piece.add(wheel.moved(end.x, end.y, 0.0), Role::DarkMetal);
    }
    for sx in [-1.0, 1.0] {
        let path =
            [Vec3::new(sx * 0.22, 0.05, 0.46), Vec3::new(sx * 0.28, 0.03, 0.50), Vec3::new(sx * 0.285, 0.0, 0.66)];
        piece.add(tube(&path, 0.012, 10, false), Role::DarkMetal);
        piece.add(
            soft(Vec3::new(0.05, 0.26, 0.03), 0.014, 0.002, seed + 2).moved(sx * 0.285, -0.02, 0.655),
            Role::Leather,
        );
    }
    piece
}

/// A stool for a counter or a vanity.
#[must_use]
pub fn stool(height: f32, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Stool, Vec3::new(0.40, 0.40, height));
    piece.add(
        soft(Vec3::new(0.38, 0.38, 0.07), 0.034, 0.015, (rng.next_u64() & 0xFFFF) as u32).moved(
            0.0,
            0.0,
            height - 0.075,
        ),
        Role::Armchair,
    );
    for (i, (sx, sy)) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().enumerate() {
        let solid = square_leg(height - 0.06, 0.034, 0.024).grained(2, i as f32).rolled(sx * -0.05).pitched(sy * 0.05);
        piece.add(solid.moved(sx * 0.175, sy * 0.175, 0.0), Role::Wood);
    }
    let ring: Vec<Vec3> = (0..20)
        .map(|i| {
            let turn = std::f32::consts::TAU * i as f32 / 20.0;
            Vec3::new(turn.cos() * 0.19, turn.sin() * 0.19, height * 0.4)
        })
        .collect();
    piece.add(tube(&ring, 0.009, 10, true), Role::Metal);
    piece
}
