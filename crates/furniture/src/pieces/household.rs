//! Furniture of kitchens, bathrooms, nurseries and terraces: mats, towels, trolleys, lanterns.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::{decor, pots, vases};
use crate::joinery::{board, frame, woven_wall};
use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, lathe, rod, rounded, sheet, soft, tube};

/// A thick cotton bath mat.
#[must_use]
pub fn bath_mat(rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.85, 0.55, 0.022);
    let mut piece = Piece::new(PieceKind::BathMat, size);
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let mut solid = rounded(size, 0.010, 3, 30, |p, _| p);
    for v in &mut solid.vertices {
        if v.place.z > 0.012 {
            v.place.z += (value_noise(v.place * 60.0, seed) - 0.5) * 0.008;
        }
    }
    solid.smoothen();
    piece.add(solid, Role::Linen);
    piece
}

/// A folded towel: layers whose folds are round at the front.
fn folded(size: Vec3, seed: u32) -> crate::mesh::Solid {
    let mut whole = crate::mesh::Solid::default();
    let layers = 3;
    let thick = size.z / layers as f32;
    for i in 0..layers {
        let layer = Vec3::new(size.x - 0.004 * (i % 2) as f32, size.y - 0.006 * (i % 2) as f32, thick * 1.04);
        whole = whole.with(soft(layer, thick * 0.49, 0.002, seed + i).moved(0.0, 0.0, thick * i as f32));
    }
    whole
}

/// A stack of folded towels.
#[must_use]
pub fn towels(count: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Towels, Vec3::new(0.34, 0.26, 0.064 * count as f32));
    for i in 0..count {
        let role = if i % 2 == 0 { Role::Linen } else { Role::PillowOne };
        let seed = (rng.next_u64() & 0xFFFF) as u32;
        let size = Vec3::new(0.335 - 0.008 * i as f32, 0.25, 0.062);
        let solid = folded(size, seed).yawed(rng.range_f32(-0.05, 0.05));
        piece.add(solid.moved(0.0, 0.0, 0.062 * i as f32), role);
    }
    piece
}

/// A ladder that leans on a wall, with two towels over its rungs.
#[must_use]
pub fn towel_ladder(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, height) = (0.48, 1.62);
    let mut piece = Piece::new(PieceKind::TowelLadder, Vec3::new(width, 0.32, height));
    let lean = |z: f32| -0.13 + 0.26 * z / height;
    let role = if palette.on_metal { Role::DarkMetal } else { Role::Wood };
    for sx in [-1.0, 1.0] {
        let x = sx * (width / 2.0 - 0.02);
        piece.add(rod(Vec3::new(x, lean(0.0), 0.0), Vec3::new(x, lean(height), height), 0.017), role);
    }
    for i in 0..4 {
        let z = 0.32 + i as f32 * 0.38;
        let x = width / 2.0 - 0.02;
        piece.add(rod(Vec3::new(-x, lean(z), z), Vec3::new(x, lean(z), z), 0.012), role);
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    for (rung, length, role) in [(3, 0.44, Role::Linen), (1, 0.34, Role::PillowOne)] {
        let z = 0.32 + rung as f32 * 0.38;
        let at = Vec3::new(0.0, lean(z), z);
        // It lies on the rungs below.
        piece.add(decor::draped(0.38, at, (length, length * 0.7), 0.26 / height, seed + rung), role);
    }
    piece
}

/// A tall laundry basket with a lid.
#[must_use]
pub fn hamper() -> Piece {
    let (r, h) = (0.21, 0.58);
    let mut piece = Piece::new(PieceKind::LaundryBasket, Vec3::new(2.0 * r, 2.0 * r, h));
    let bulge = |t: f32| r * (0.84 + 0.10 * (t * 2.4).sin()) - 0.008;
    piece.add(woven_wall(h - 0.06, 32, 30, 0.012, bulge), Role::Cane);
    piece.add(pots::ring(bulge(1.0), h - 0.06, 0.011), Role::Cane);
    let lid = [[r * 0.97, 0.0], [r, 0.006], [r, 0.022], [r * 0.90, 0.036], [r * 0.5, 0.046], [0.0, 0.050]];
    piece.add(lathe(&lid, 56).moved(0.0, 0.0, h - 0.055), Role::Cane);
    piece.add(
        lathe(&[[0.0, 0.0], [0.010, 0.0], [0.016, 0.014], [0.0, 0.022]], 20).moved(0.0, 0.0, h - 0.010),
        Role::Wood,
    );
    // Its linen bag is turned down over the rim.
    let cuff = sheet(97, 6, |u, v| {
        let turn = u * TAU;
        let wave = 0.0025 * (turn * 11.0).sin() * (1.0 - v) + 0.0015 * (turn * 29.0 + v * 3.0).sin();
        let hem = 0.006 * (turn * 3.0 + 1.0).sin() * (1.0 - v);
        (Vec2::from_angle(turn) * (r * 0.968 + wave)).extend(h - 0.138 + 0.086 * v + hem)
    });
    piece.add(cuff, Role::Linen);
    piece
}

/// A bowl with fruit.
#[must_use]
pub fn fruit_bowl(rng: &mut Rng) -> Piece {
    let mut piece = Piece { kind: PieceKind::FruitBowl, ..decor::bowl(rng) };
    for i in 0..5_u32 {
        let turn = TAU * i as f32 / 5.0 + 0.3;
        let r = rng.range_f32(0.030, 0.038);
        let out = if i == 4 { 0.0 } else { 0.058 };
        let at = Vec3::new(turn.cos() * out, turn.sin() * out, if i == 4 { 0.095 } else { 0.062 });
        let role = if rng.random_bool_f32(0.6) { Role::BookThree } else { Role::Leaf };
        let tilt = rng.range_f32(-0.7, 0.7);
        for (part, role) in [(fruit(r, i), role), (stalk(r), Role::Bark)] {
            piece.add(part.rolled(tilt).yawed(turn).moved(at.x, at.y, at.z), role);
        }
    }
    piece
}

/// An apple about the origin: broad shoulders, dimples above and below, never quite round.
fn fruit(radius: f32, seed: u32) -> Solid {
    let outline: Vec<[f32; 2]> = (0..=24)
        .map(|i| PI * (i as f32 / 24.0 - 0.5))
        .map(|turn| {
            let dimple = 0.26 * turn.sin().abs().powi(9);
            let shoulder = 1.0 + 0.10 * (turn.sin() * 2.0).clamp(-0.6, 1.0);
            [radius * turn.cos().max(0.0) * shoulder, radius * turn.sin() * (0.96 - dimple)]
        })
        .collect();
    let mut solid = lathe(&outline, 32);
    for v in &mut solid.vertices {
        v.place *= 1.0 + (value_noise(v.place * 38.0, seed) - 0.5) * 0.07;
    }
    solid.smoothen();
    solid
}

/// Its stalk.
fn stalk(radius: f32) -> Solid {
    rod(Vec3::Z * radius * 0.62, Vec3::new(radius * 0.12, 0.0, radius * 1.12), 0.0016)
}

/// A trolley on wheels with crockery and books.
#[must_use]
pub fn trolley(palette: &Palette, rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.62, 0.40, 0.84);
    let mut piece = Piece::new(PieceKind::Trolley, size);
    let frame = if palette.on_metal { Role::Metal } else { Role::DarkMetal };
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            let (x, y) = (sx * (size.x / 2.0 - 0.014), sy * (size.y / 2.0 - 0.014));
            piece.add(rod(Vec3::new(x, y, 0.05), Vec3::new(x, y, size.z), 0.011), frame);
            piece.add(
                lathe(&[[0.0, 0.0], [0.02, 0.005], [0.024, 0.03], [0.012, 0.05]], 20).moved(x, y, 0.0),
                Role::DarkMetal,
            );
        }
    }
    for (i, z) in [0.16, 0.46, 0.77].into_iter().enumerate() {
        let shelf = block(Vec3::new(size.x - 0.03, size.y - 0.03, 0.018), 0.005).grained(0, i as f32 * 2.1);
        piece.add(shelf.moved(0.0, 0.0, z), Role::Wood);
        let rim = crate::shape::rim(size.x - 0.028, size.y - 0.028, 0.01, z + 0.05);
        piece.add(tube(&rim, 0.005, 8, true), frame);
    }
    piece.attach(&decor::books(3, rng), 0.1, Vec3::new(-0.12, 0.0, 0.178));
    piece.attach(&decor::bowl(rng), 0.0, Vec3::new(0.12, 0.0, 0.478));
    piece.attach(&vases::vase(vases::low(rng), rng), 0.0, Vec3::new(-0.15, 0.02, 0.788));
    for i in 0..3 {
        let glass =
            [[0.0, 0.0], [0.032, 0.0], [0.036, 0.004], [0.038, 0.09], [0.036, 0.09], [0.034, 0.008], [0.0, 0.006]];
        let at = Vec3::new(0.05 + 0.09 * i as f32, -0.05 + 0.05 * (i % 2) as f32, 0.788);
        piece.add(lathe(&glass, 28).moved(at.x, at.y, at.z), Role::Glass);
    }
    piece
}

/// A low toy chest with three drawers' fronts and a cushion on top.
#[must_use]
pub fn toy_chest(rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.90, 0.42, 0.47);
    let mut piece = Piece::new(PieceKind::ToyChest, size);
    let case = Vec3::new(size.x, size.y - 0.02, 0.38);
    for side in [-1.0, 1.0] {
        board(&mut piece, [0.022, case.y, case.z], [side * (case.x - 0.022) / 2.0, 0.0, 0.0], Role::Front);
    }
    for z in [0.035, case.z - 0.022] {
        board(&mut piece, [case.x, case.y, 0.022], [0.0, 0.0, z], Role::Front);
    }
    board(&mut piece, [case.x - 0.04, 0.010, case.z - 0.04], [0.0, case.y / 2.0 - 0.01, 0.04], Role::DarkWood);
    for i in 0..3 {
        let x = (i as f32 - 1.0) * 0.285;
        let y = -case.y / 2.0 + 0.010;
        let wide = 0.276;
        board(&mut piece, [wide, 0.018, 0.205], [x, y, 0.060], Role::Wood);
        // Cut out at the top for a hand.
        for side in [-1.0, 1.0] {
            board(&mut piece, [wide * 0.32, 0.018, 0.070], [x + side * wide * 0.34, y, 0.265], Role::Wood);
        }
        board(&mut piece, [wide, 0.018, 0.020], [x, y, 0.335], Role::Wood);
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let cushion = soft(Vec3::new(size.x - 0.02, size.y - 0.03, 0.085), 0.03, 0.012, seed);
    piece.add(cushion.moved(0.0, 0.0, 0.38), Role::PillowTwo);
    for z in [0.398, 0.447] {
        let piping = crate::shape::piping(size.x - 0.014, size.y - 0.024, 0.03, z, 0.0035);
        piece.add(piping, Role::PillowTwo);
    }
    piece
}

/// A round wall clock, its back to +Y.
#[must_use]
pub fn clock() -> Piece {
    let r = 0.17;
    let mut piece = Piece::new(PieceKind::WallClock, Vec3::new(2.0 * r, 0.045, 2.0 * r));
    let ring: Vec<Vec3> =
        (0..64).map(|i| Vec2::from_angle(TAU * i as f32 / 64.0) * r).map(|p| Vec3::new(p.x, 0.0, r + p.y)).collect();
    piece.add(tube(&ring, 0.014, 10, true), Role::Wood);
    piece.add(lathe(&[[r, 0.0], [0.0, 0.001]], 64).pitched(PI / 2.0).moved(0.0, 0.004, r), Role::Mount);
    for (length, turn, wide) in [(0.085, -0.95_f32, 0.010), (0.125, 1.05, 0.007)] {
        let hand = block(Vec3::new(wide, 0.003, length), 0.001).moved(0.0, 0.0, -0.015).rolled(turn);
        piece.add(hand.moved(0.0, -0.006, r), Role::DarkMetal);
    }
    for i in 0..12 {
        let turn = TAU * i as f32 / 12.0;
        let mark = block(Vec3::new(0.006, 0.002, 0.018), 0.0008).moved(0.0, 0.0, r - 0.042).rolled(turn);
        piece.add(mark.moved(0.0, -0.003, r), Role::DarkMetal);
    }
    piece
}

/// A lantern with panes of glass and a candle.
#[must_use]
pub fn lantern(height: f32) -> Piece {
    let wide = height * 0.42;
    let mut piece = Piece::new(PieceKind::Lantern, Vec3::new(wide, wide, height));
    let (body, bar) = (height * 0.76, 0.012);
    board(&mut piece, [wide, wide, 0.018], [0.0, 0.0, 0.0], Role::DarkMetal);
    board(&mut piece, [wide, wide, 0.016], [0.0, 0.0, body], Role::DarkMetal);
    for turn in 0..4 {
        let mut side = Piece::new(PieceKind::Lantern, Vec3::ZERO);
        let y = -wide / 2.0 + bar / 2.0 + 0.003;
        frame(&mut side, [wide - 0.006, body - 0.016], [bar, bar], [0.0, y, 0.017], Role::DarkMetal);
        board(&mut side, [wide - 0.02, 0.001, body - 0.03], [0.0, y, 0.022], Role::Glass);
        piece.attach(&side, PI / 2.0 * turn as f32, Vec3::ZERO);
    }
    let roof = [
        [wide * 0.52, 0.0],
        [wide * 0.46, 0.012],
        [wide * 0.20, height * 0.085],
        [wide * 0.18, height * 0.11],
        [0.0, height * 0.12],
    ];
    for turn in 0..4 {
        // Each side is flat.
        let slope = sheet(2, roof.len(), |u, v| {
            let [half, z] = roof[(v * (roof.len() - 1) as f32).round() as usize];
            Vec3::new((u - 0.5) * 1.92 * half, -0.96 * half, body + 0.014 + z)
        });
        piece.add(slope.yawed(PI / 2.0 * turn as f32), Role::DarkMetal);
    }
    let ring: Vec<Vec3> = (0..20)
        .map(|i| Vec2::from_angle(TAU * i as f32 / 20.0) * height * 0.05)
        .map(|p| Vec3::new(p.x, 0.0, height * 0.94 + p.y))
        .collect();
    piece.add(tube(&ring, 0.004, 8, true), Role::DarkMetal);
    let mut rng = Rng::advanced(1);
    let scale = wide * 0.24 / 0.034;
    piece.attach(&super::trays::candle(body * 0.5 / scale, &mut rng).scaled(scale), 0.0, Vec3::new(0.0, 0.0, 0.018));
    piece
}
