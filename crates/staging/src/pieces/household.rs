//! Furniture of kitchens, bathrooms, nurseries and terraces: mats, towels, trolleys, lanterns.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::{decor, plants};
use crate::noise::value_noise;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, ellipse, lathe, leg, plate, rod, rounded, sheet, soft, tube};

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

/// A stack of folded towels.
#[must_use]
pub fn towels(count: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Towels, Vec3::new(0.34, 0.26, 0.055 * count as f32));
    for i in 0..count {
        let role = if i % 2 == 0 { Role::Linen } else { Role::PillowOne };
        let seed = (rng.next_u64() & 0xFFFF) as u32;
        let size = Vec3::new(0.34 - 0.01 * i as f32, 0.25, 0.052);
        let solid = soft(size, 0.024, 0.006, seed).yawed(rng.range_f32(-0.05, 0.05));
        piece.add(solid.moved(0.0, 0.0, 0.053 * i as f32), role);
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
    for (rung, length, role) in [(3, 0.44, Role::Linen), (1, 0.34, Role::PillowOne)] {
        let z = 0.32 + rung as f32 * 0.38;
        let seed = (rng.next_u64() & 0xFFFF) as u32;
        let cloth = sheet(20, 28, |u, v| {
            let (d, side) =
                if v < 0.5 { ((0.5 - v) * 2.0 * length, -1.0) } else { ((v - 0.5) * 2.0 * length * 0.7, 1.0) };
            let fold = (u * 11.0 + value_noise(Vec3::new(u * 4.0, v, 0.0), seed) * 3.0).sin() * 0.004;
            let top = 0.016 * (-(d / 0.02_f32).powi(2)).exp();
            Vec3::new((u - 0.5) * 0.38, lean(z) + side * (0.017 + fold), z - d + top)
        });
        piece.add(cloth, role);
    }
    piece
}

/// A tall laundry basket with a lid.
#[must_use]
pub fn hamper() -> Piece {
    let (r, h) = (0.20, 0.56);
    let mut piece = Piece::new(PieceKind::LaundryBasket, Vec3::new(2.0 * r, 2.0 * r, h));
    let body =
        [[0.0, 0.0], [r * 0.90, 0.0], [r * 0.94, 0.02], [r * 0.98, h * 0.5], [r * 0.96, h - 0.05], [0.0, h - 0.05]];
    piece.add(lathe(&body, 56), Role::Cane);
    let lid = [[0.0, 0.0], [r, 0.0], [r, 0.03], [r * 0.9, 0.045], [0.0, 0.05]];
    piece.add(lathe(&lid, 56).moved(0.0, 0.0, h - 0.05), Role::Cane);
    piece
}

/// A small round dining table for two to four.
#[must_use]
pub fn bistro_table(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let height = 0.74;
    let mut piece = Piece::new(PieceKind::RoundTable, Vec3::new(width, width, height));
    let role = if palette.on_metal && rng.random_bool_f32(0.5) { Role::Marble } else { Role::Wood };
    let top = plate(&ellipse(width, width, 80), 0.028, 0.010).grained(0, 2.0);
    piece.add(top.moved(0.0, 0.0, height - 0.028), role);
    if palette.on_metal {
        piece.add(rod(Vec3::new(0.0, 0.0, 0.02), Vec3::new(0.0, 0.0, height - 0.02), 0.032), Role::Metal);
        let foot = [[0.0, 0.0], [0.27, 0.0], [0.275, 0.008], [0.26, 0.018], [0.05, 0.035], [0.0, 0.04]];
        piece.add(lathe(&foot, 56), Role::Metal);
    } else {
        for i in 0..4 {
            let turn = TAU * (i as f32 + 0.5) / 4.0;
            let solid = leg(height - 0.02, 0.030, 0.018).grained(2, i as f32).rolled(-0.16).yawed(turn);
            piece.add(solid.moved(turn.cos() * width * 0.36, turn.sin() * width * 0.36, 0.0), Role::Wood);
        }
    }
    let bowl = if rng.random_bool_f32(0.5) { fruit_bowl(rng) } else { decor::vase(rng) };
    piece.attach(&bowl, 0.0, Vec3::new(0.02, 0.03, height));
    piece
}

/// A bowl with fruit.
#[must_use]
pub fn fruit_bowl(rng: &mut Rng) -> Piece {
    let mut piece = Piece { kind: PieceKind::FruitBowl, ..decor::bowl(rng) };
    for i in 0..5 {
        let turn = TAU * i as f32 / 5.0 + 0.3;
        let r = rng.range_f32(0.030, 0.038);
        let out = if i == 4 { 0.0 } else { 0.058 };
        let at = Vec3::new(turn.cos() * out, turn.sin() * out, if i == 4 { 0.095 } else { 0.062 });
        let role = if rng.random_bool_f32(0.6) { Role::BookThree } else { Role::Leaf };
        piece.add(crate::shape::ball(r).moved(at.x, at.y, at.z), role);
    }
    piece
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
    piece.attach(&decor::vase(rng), 0.0, Vec3::new(-0.15, 0.02, 0.788));
    for i in 0..3 {
        let glass =
            [[0.0, 0.0], [0.032, 0.0], [0.036, 0.004], [0.038, 0.09], [0.036, 0.09], [0.034, 0.008], [0.0, 0.006]];
        let at = Vec3::new(0.05 + 0.09 * i as f32, -0.05 + 0.05 * (i % 2) as f32, 0.788);
        piece.add(lathe(&glass, 28).moved(at.x, at.y, at.z), Role::Ceramic);
    }
    piece
}

/// A low toy chest with a cushion on top.
#[must_use]
pub fn toy_chest(rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.86, 0.42, 0.46);
    let mut piece = Piece::new(PieceKind::ToyChest, size);
    piece.add(block(Vec3::new(size.x, size.y, 0.38), 0.010).grained(0, 1.0), Role::Front);
    for i in 0..2 {
        let x = (i as f32 - 0.5) * 0.43;
        piece.add(block(Vec3::new(0.40, 0.016, 0.29), 0.008).moved(x, -size.y / 2.0 - 0.002, 0.05), Role::Wood);
        piece.add(
            lathe(&[[0.0, 0.0], [0.018, 0.0], [0.018, 0.018], [0.0, 0.022]], 20).pitched(PI / 2.0).moved(
                x,
                -size.y / 2.0 - 0.008,
                0.27,
            ),
            Role::Metal,
        );
    }
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    piece.add(
        soft(Vec3::new(size.x - 0.02, size.y - 0.02, 0.08), 0.03, 0.012, seed).moved(0.0, 0.0, 0.38),
        Role::PillowTwo,
    );
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

/// A lantern with a candle.
#[must_use]
pub fn lantern(height: f32) -> Piece {
    let wide = height * 0.42;
    let mut piece = Piece::new(PieceKind::Lantern, Vec3::new(wide, wide, height));
    let body = height * 0.78;
    piece.add(block(Vec3::new(wide, wide, 0.02), 0.004), Role::DarkMetal);
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            let at = (wide / 2.0 - 0.010) * Vec2::new(sx, sy);
            piece.add(block(Vec3::new(0.014, 0.014, body), 0.002).moved(at.x, at.y, 0.01), Role::DarkMetal);
        }
    }
    piece.add(block(Vec3::new(wide, wide, 0.018), 0.004).moved(0.0, 0.0, body), Role::DarkMetal);
    let roof = [[wide * 0.45, 0.0], [wide * 0.16, height * 0.10], [0.0, height * 0.11]];
    piece.add(lathe(&roof, 32).moved(0.0, 0.0, body + 0.018), Role::DarkMetal);
    let ring: Vec<Vec3> = (0..20)
        .map(|i| Vec2::from_angle(TAU * i as f32 / 20.0) * height * 0.05)
        .map(|p| Vec3::new(p.x, 0.0, height * 0.95 + p.y))
        .collect();
    piece.add(tube(&ring, 0.004, 8, true), Role::DarkMetal);
    let r = wide * 0.26;
    piece.add(
        lathe(&[[0.0, 0.0], [r, 0.0], [r, body * 0.45], [r * 0.9, body * 0.46], [0.0, body * 0.45]], 32)
            .moved(0.0, 0.0, 0.02),
        Role::Ceramic,
    );
    piece
}

/// A planter trough with leaves, for along a wall or a railing.
#[must_use]
pub fn planter(rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.90, 0.34, 0.95);
    let mut piece = Piece::new(PieceKind::Planter, size);
    piece.add(block(Vec3::new(size.x, size.y, 0.40), 0.012), Role::DarkCeramic);
    piece.add(block(Vec3::new(size.x - 0.05, size.y - 0.05, 0.01), 0.002).moved(0.0, 0.0, 0.385), Role::Soil);
    for k in 0..3 {
        let mut grass = plants::blades(rng).scaled(0.85);
        // Keeps the leaves only: the trough replaces the pot.
        let leaf = grass.mesh.parts.iter().map(|p| p.material == Role::Leaf as usize).collect::<Vec<_>>();
        grass.mesh.triangles.retain(|(_, part)| leaf[*part as usize]);
        piece.attach(&grass, k as f32 * 1.3, Vec3::new((k as f32 - 1.0) * 0.28, 0.0, 0.18));
    }
    piece
}
