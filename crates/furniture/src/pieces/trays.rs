//! Trays, candles and other small things on tables.

use std::f32::consts::TAU;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::vases;
use crate::joinery::{board, disc, spun};
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{lathe, plate, rim, rod, tube};

/// A tray with candles and a small vase.
#[must_use]
pub fn tray(rng: &mut Rng, is_round: bool) -> Piece {
    let (wide, deep) = if is_round { (0.36, 0.36) } else { (0.44, 0.28) };
    let mut piece = Piece::new(PieceKind::Tray, Vec3::new(wide, deep, 0.05));
    let role = rng.pick(&[Role::Wood, Role::DarkWood, Role::Marble]);
    if is_round {
        let r = wide / 2.0;
        let line = [[0.0, 0.0], [r - 0.012, 0.0], [r, 0.030], [r - 0.008, 0.030], [r - 0.016, 0.012], [0.0, 0.012]];
        piece.add(spun(&line, 72).grained(0, 1.0), role);
    } else {
        board(&mut piece, [wide - 0.01, deep - 0.01, 0.010], [0.0, 0.0, 0.0], role);
        for side in [-1.0, 1.0] {
            board(&mut piece, [wide, 0.010, 0.034], [0.0, side * (deep - 0.010) / 2.0, 0.0], role);
            board(&mut piece, [0.010, deep - 0.02, 0.034], [side * (wide - 0.010) / 2.0, 0.0, 0.0], role);
            let x = side * (wide / 2.0 - 0.005);
            let grip = [
                Vec3::new(x, -0.05, 0.034),
                Vec3::new(x, -0.045, 0.05),
                Vec3::new(x, 0.045, 0.05),
                Vec3::new(x, 0.05, 0.034),
            ];
            piece.add(tube(&grip, 0.005, 8, false), Role::Metal);
        }
    }
    let z = 0.012;
    piece.attach(&vases::vase(vases::low(rng), rng).scaled(0.72), 0.0, Vec3::new(-wide * 0.19, 0.03, z));
    piece.attach(&candle(rng.range_f32(0.09, 0.12), rng), 0.0, Vec3::new(wide * 0.16, 0.045, z));
    piece.attach(&candle(0.065, rng), 0.0, Vec3::new(wide * 0.22, -0.055, z));
    piece
}

/// A pillar candle with a wick.
#[must_use]
pub fn candle(height: f32, rng: &mut Rng) -> Piece {
    let r = rng.range_f32(0.030, 0.038);
    let mut piece = Piece::new(PieceKind::Candles, Vec3::new(2.0 * r, 2.0 * r, height));
    let line = [
        [0.0, 0.0],
        [r, 0.0],
        [r, height - 0.003],
        [r - 0.004, height],
        [r - 0.010, height - 0.005],
        [0.0, height - 0.007],
    ];
    piece.add(spun(&line, 32), Role::Wax);
    piece
        .add(rod(Vec3::new(0.0, 0.0, height - 0.01), Vec3::new(0.001, 0.001, height + 0.006), 0.0011), Role::DarkMetal);
    piece
}

/// Three candlesticks of different heights with tapered candles.
#[must_use]
pub fn candles(rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Candles, Vec3::new(0.22, 0.16, 0.42));
    for (i, at) in [Vec2::new(-0.06, 0.02), Vec2::new(0.05, 0.035), Vec2::new(0.01, -0.045)].into_iter().enumerate() {
        let tall = [0.20, 0.14, 0.09][i] * rng.range_f32(0.95, 1.08);
        let stick = [
            [0.0, 0.0],
            [0.036, 0.0],
            [0.037, 0.004],
            [0.012, 0.014],
            [0.0055, 0.022],
            [0.0055, tall - 0.03],
            [0.011, tall - 0.022],
            [0.008, tall - 0.016],
            [0.017, tall - 0.004],
            [0.017, tall],
            [0.0, tall],
        ];
        piece.add(lathe(&stick, 28).moved(at.x, at.y, 0.0), Role::Metal);
        let wax = [[0.0, tall], [0.0108, tall], [0.0085, tall + 0.195], [0.004, tall + 0.205], [0.0, tall + 0.206]];
        piece.add(spun(&wax, 18).moved(at.x, at.y, 0.0), Role::Wax);
        let top = tall + 0.203;
        piece.add(rod(Vec3::new(at.x, at.y, top), Vec3::new(at.x + 0.001, at.y, top + 0.012), 0.0010), Role::DarkMetal);
    }
    piece
}

/// A stoneware cup with pens.
#[must_use]
pub fn pen_pot(rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Bowl, Vec3::new(0.08, 0.08, 0.10));
    let line = [[0.0, 0.0], [0.038, 0.0], [0.040, 0.10], [0.036, 0.10], [0.035, 0.02], [0.0, 0.02]];
    piece.add(spun(&line, 36), Role::DarkCeramic);
    for i in 0..6 {
        let away = Vec2::from_angle(TAU * i as f32 / 6.0 + rng.range_f32(-0.3, 0.3));
        let from = (away * -0.015).extend(0.022);
        let to = (away * 0.034).extend(rng.range_f32(0.14, 0.18));
        piece.add(rod(from, to, 0.0038), rng.pick(&[Role::Wood, Role::DarkMetal, Role::Dry, Role::Brass]));
    }
    piece
}

/// A cup on a saucer.
#[must_use]
pub fn cup() -> Piece {
    let mut piece = Piece::new(PieceKind::Bowl, Vec3::new(0.14, 0.14, 0.07));
    let saucer = [[0.0, 0.0], [0.04, 0.0], [0.070, 0.012], [0.066, 0.014], [0.03, 0.006], [0.0, 0.006]];
    piece.add(lathe(&saucer, 40), Role::Ceramic);
    let line = [
        [0.0, 0.007],
        [0.024, 0.007],
        [0.036, 0.03],
        [0.041, 0.066],
        [0.038, 0.066],
        [0.033, 0.03],
        [0.02, 0.012],
        [0.0, 0.012],
    ];
    piece.add(lathe(&line, 40), Role::Ceramic);
    piece.add(disc(0.068, 0.068, 0.002).moved(0.0, 0.0, 0.052), Role::Bark);
    let grip: Vec<Vec3> = (0..=8)
        .map(|i| std::f32::consts::PI * (i as f32 / 8.0 - 0.5))
        .map(|a| Vec3::new(0.036 + 0.020 * a.cos(), 0.0, 0.038 + 0.018 * a.sin()))
        .collect();
    piece.add(tube(&grip, 0.0035, 8, false), Role::Ceramic);
    piece
}

/// A placemat or a low stone slab with a rounded outline.
#[must_use]
pub fn slab(width: f32, depth: f32, thick: f32) -> crate::mesh::Solid {
    let outline: Vec<Vec2> = rim(width, depth, 0.02, 0.0).iter().map(|p| p.truncate()).collect();
    plate(&outline, thick, 0.003)
}
