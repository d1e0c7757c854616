//! Coffee tables, side tables, dining tables, desks.

use std::f32::consts::TAU;

use aerie_math::Rng;
use glam::Vec3;

use super::decor;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, ellipse, lathe, leg, plate, rod, square_leg, tube};

#[derive(Debug, Clone, Copy)]
enum CoffeeTableDesign {
    /// A round top on three legs.
    Round,
    /// An oval stone top on two fluted drums.
    StoneDrum,
    /// A wooden slab on a metal frame.
    Slab,
    /// Square legs, a frame and a shelf.
    Shelved,
}

/// A coffee table with books and a bowl or a vase on it.
#[must_use]
pub fn coffee_table(palette: &Palette, rng: &mut Rng) -> Piece {
    use CoffeeTableDesign::{Round, Shelved, Slab, StoneDrum};
    let designs = if palette.is_round { [Round, StoneDrum] } else { [Slab, Shelved] };
    let height = 0.40;
    let mut piece = match rng.pick(&designs) {
        Round => {
            let mut piece = Piece::new(PieceKind::CoffeeTable, Vec3::new(0.90, 0.90, height));
            let top = plate(&ellipse(0.90, 0.90, 72), 0.032, 0.012).grained(0, 3.0);
            piece.add(top.moved(0.0, 0.0, height - 0.032), Role::Wood);
            for i in 0..3 {
                let turn = TAU * (i as f32 + 0.3) / 3.0;
                let solid = leg(height - 0.02, 0.027, 0.016).grained(2, i as f32).rolled(-0.16).yawed(turn);
                piece.add(solid.moved(turn.cos() * 0.36, turn.sin() * 0.36, 0.0), Role::Wood);
            }
            piece
        }
        StoneDrum => {
            let mut piece = Piece::new(PieceKind::CoffeeTable, Vec3::new(1.10, 0.66, height));
            let top = plate(&ellipse(1.10, 0.66, 80), 0.030, 0.010);
            piece.add(top.moved(0.0, 0.0, height - 0.030), Role::Marble);
            for x in [-0.25, 0.25] {
                let fluted: Vec<_> = (0..96)
                    .map(|i| {
                        let turn = TAU * i as f32 / 96.0;
                        glam::Vec2::from_angle(turn) * (0.165 + 0.006 * (turn * 24.0).sin().abs())
                    })
                    .collect();
                piece.add(plate(&fluted, height - 0.03, 0.004).grained(2, x).moved(x, 0.0, 0.0), Role::Wood);
            }
            piece
        }
        Slab => {
            let size = Vec3::new(1.15, 0.62, height);
            let mut piece = Piece::new(PieceKind::CoffeeTable, size);
            for i in 0..4 {
                let wide = size.y / 4.0 - 0.002;
                let board = block(Vec3::new(size.x, wide, 0.038), 0.006).grained(0, i as f32 * 1.7);
                piece.add(board.moved(0.0, (i as f32 - 1.5) * size.y / 4.0, height - 0.038), Role::Wood);
            }
            for sx in [-1.0, 1.0] {
                let x = sx * (size.x / 2.0 - 0.14);
                for sy in [-1.0, 1.0] {
                    piece.add(
                        block(Vec3::new(0.05, 0.022, height - 0.038), 0.003).moved(x, sy * 0.26, 0.0),
                        Role::Metal,
                    );
                }
                piece.add(block(Vec3::new(0.05, 0.54, 0.022), 0.003).moved(x, 0.0, 0.0), Role::Metal);
                piece.add(block(Vec3::new(0.05, 0.54, 0.016), 0.003).moved(x, 0.0, height - 0.054), Role::Metal);
            }
            piece
        }
        Shelved => {
            let size = Vec3::new(1.10, 0.60, height);
            let mut piece = Piece::new(PieceKind::CoffeeTable, size);
            piece.add(
                block(Vec3::new(size.x, size.y, 0.03), 0.008).grained(0, 1.0).moved(0.0, 0.0, height - 0.03),
                Role::Wood,
            );
            piece.add(
                block(Vec3::new(size.x - 0.08, size.y - 0.08, 0.018), 0.004).grained(0, 5.0).moved(0.0, 0.0, 0.12),
                Role::Wood,
            );
            for (i, (sx, sy)) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().enumerate() {
                let solid = square_leg(height - 0.02, 0.05, 0.04).grained(2, i as f32);
                piece.add(solid.moved(sx * (size.x / 2.0 - 0.045), sy * (size.y / 2.0 - 0.045), 0.0), Role::Wood);
            }
            for sy in [-1.0, 1.0] {
                piece.add(
                    block(Vec3::new(size.x - 0.10, 0.02, 0.06), 0.003).grained(0, 7.0 + sy).moved(
                        0.0,
                        sy * (size.y / 2.0 - 0.045),
                        height - 0.09,
                    ),
                    Role::Wood,
                );
            }
            piece
        }
    };
    let books = decor::books(3, rng);
    piece.attach(&books, rng.range_f32(-0.3, 0.3), Vec3::new(-0.17, 0.02, height));
    let bowl = if rng.random_bool_f32(0.5) { decor::bowl(rng) } else { decor::vase(rng) };
    piece.attach(&bowl, 0.0, Vec3::new(0.19, 0.05, height));
    piece
}

/// A small table beside a seat.
#[must_use]
pub fn side_table(palette: &Palette, rng: &mut Rng) -> Piece {
    let (r, height) = (0.23, 0.54);
    let mut piece = Piece::new(PieceKind::SideTable, Vec3::new(2.0 * r, 2.0 * r, height));
    let role = if palette.on_metal && rng.random_bool_f32(0.5) { Role::Marble } else { Role::Wood };
    piece
        .add(plate(&ellipse(2.0 * r, 2.0 * r, 60), 0.022, 0.008).grained(0, 2.0).moved(0.0, 0.0, height - 0.022), role);
    if palette.on_metal {
        piece.add(rod(Vec3::new(0.0, 0.0, 0.02), Vec3::new(0.0, 0.0, height - 0.02), 0.014), Role::Metal);
        piece.add(
            lathe(&[[0.0, 0.0], [0.15, 0.0], [0.155, 0.006], [0.15, 0.014], [0.02, 0.024], [0.0, 0.026]], 48),
            Role::Metal,
        );
    } else {
        for i in 0..3 {
            let turn = TAU * (i as f32 + 0.1) / 3.0;
            let solid = leg(height - 0.015, 0.018, 0.012).grained(2, i as f32).rolled(-0.10).yawed(turn);
            piece.add(solid.moved(turn.cos() * 0.19, turn.sin() * 0.19, 0.0), Role::Wood);
        }
        piece.add(plate(&ellipse(0.26, 0.26, 48), 0.014, 0.005).grained(0, 4.0).moved(0.0, 0.0, 0.2), Role::Wood);
    }
    piece
}

/// A dining table.
#[must_use]
pub fn dining_table(palette: &Palette, length: f32, rng: &mut Rng) -> Piece {
    let (depth, height) = (0.92, 0.745);
    let mut piece = Piece::new(PieceKind::DiningTable, Vec3::new(length, depth, height));
    if palette.is_round {
        // A long oval on four splayed legs.
        let outline: Vec<_> = (0..96)
            .map(|i| {
                let p = glam::Vec2::from_angle(TAU * i as f32 / 96.0);
                let round = |v: f32| v.signum() * v.abs().powf(0.62);
                glam::Vec2::new(round(p.x) * length / 2.0, round(p.y) * depth / 2.0)
            })
            .collect();
        piece.add(plate(&outline, 0.034, 0.014).grained(0, 2.0).moved(0.0, 0.0, height - 0.034), Role::Wood);
        for (i, sx) in [-1.0, 1.0].into_iter().enumerate() {
            for sy in [-1.0, 1.0] {
                let solid =
                    leg(height - 0.03, 0.036, 0.021).grained(2, i as f32 + sy).rolled(sx * -0.13).pitched(sy * 0.13);
                piece.add(solid.moved(sx * (length / 2.0 - 0.20), sy * (depth / 2.0 - 0.13), 0.0), Role::Wood);
            }
        }
    } else {
        for i in 0..5 {
            let wide = depth / 5.0 - 0.0015;
            let board = block(Vec3::new(length, wide, 0.042), 0.005).grained(0, i as f32 * 2.3);
            piece.add(board.moved(0.0, (i as f32 - 2.0) * depth / 5.0, height - 0.042), Role::Wood);
        }
        for sx in [-1.0, 1.0] {
            let x = sx * (length / 2.0 - 0.24);
            if palette.on_metal {
                for sy in [-1.0, 1.0] {
                    let tilted = block(Vec3::new(0.07, 0.03, height - 0.04), 0.004).pitched(sy * 0.10);
                    piece.add(tilted.moved(x, sy * 0.37, 0.0), Role::Metal);
                }
                piece.add(block(Vec3::new(0.07, 0.78, 0.03), 0.004).moved(x, 0.0, 0.0), Role::Metal);
            } else {
                for sy in [-1.0, 1.0] {
                    let solid = square_leg(height - 0.03, 0.085, 0.06).grained(2, sx + sy);
                    piece.add(solid.moved(sx * (length / 2.0 - 0.09), sy * (depth / 2.0 - 0.09), 0.0), Role::Wood);
                }
            }
        }
    }
    piece.attach(&decor::vase(rng), 0.3, Vec3::new(0.0, 0.0, height));
    piece.attach(&decor::bowl(rng), 0.3, Vec3::new(0.34, 0.02, height));
    piece
}

/// A desk with a lamp, books and a laptop.
#[must_use]
pub fn desk(palette: &Palette, rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.40, 0.68, 0.745);
    let mut piece = Piece::new(PieceKind::Desk, size);
    piece.add(
        block(Vec3::new(size.x, size.y, 0.032), 0.008).grained(0, 1.0).moved(0.0, 0.0, size.z - 0.032),
        Role::Wood,
    );
    piece.add(
        block(Vec3::new(0.44, size.y - 0.08, 0.13), 0.006).grained(0, 6.0).moved(0.42, 0.0, size.z - 0.162),
        Role::Wood,
    );
    piece.add(
        block(Vec3::new(0.41, 0.014, 0.105), 0.004).grained(0, 8.0).moved(0.42, -size.y / 2.0 + 0.036, size.z - 0.15),
        Role::Front,
    );
    piece.add(
        rod(
            Vec3::new(0.36, -size.y / 2.0 + 0.018, size.z - 0.10),
            Vec3::new(0.48, -size.y / 2.0 + 0.018, size.z - 0.10),
            0.006,
        ),
        Role::Metal,
    );
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            if palette.on_metal {
                piece.add(
                    block(Vec3::new(0.03, 0.03, size.z - 0.03), 0.003).moved(sx * 0.665, sy * 0.31, 0.0),
                    Role::DarkMetal,
                );
            } else {
                let solid =
                    leg(size.z - 0.02, 0.026, 0.015).grained(2, sx + 2.0 * sy).rolled(sx * -0.07).pitched(sy * 0.05);
                piece.add(solid.moved(sx * 0.63, sy * 0.27, 0.0), Role::Wood);
            }
        }
    }
    // An open laptop.
    let base = block(Vec3::new(0.33, 0.23, 0.014), 0.005);
    piece.add(base.moved(-0.02, -0.04, size.z), Role::Ceramic);
    piece.add(block(Vec3::new(0.27, 0.10, 0.001), 0.0004).moved(-0.02, -0.01, size.z + 0.0138), Role::DarkMetal);
    let lid = block(Vec3::new(0.33, 0.007, 0.22), 0.003).pitched(-0.3);
    piece.add(lid.moved(-0.02, 0.085, size.z + 0.008), Role::Ceramic);
    let glass = block(Vec3::new(0.315, 0.002, 0.205), 0.0008).pitched(-0.3);
    piece.add(glass.moved(-0.02, 0.0805, size.z + 0.014), Role::Screen);
    piece.attach(&decor::books(4, rng), 0.15, Vec3::new(-0.52, 0.12, size.z));
    let cup = lathe(
        &[[0.0, 0.0], [0.036, 0.0], [0.040, 0.004], [0.041, 0.09], [0.038, 0.092], [0.037, 0.01], [0.0, 0.009]],
        32,
    );
    piece.add(cup.moved(0.30, -0.08, size.z), Role::DarkCeramic);
    let ring: Vec<Vec3> = (0..=10)
        .map(|i| {
            let a = std::f32::consts::PI * (i as f32 / 10.0 - 0.5);
            Vec3::new(0.040 + 0.026 * a.cos(), 0.0, 0.048 + 0.027 * a.sin())
        })
        .collect();
    piece.add(tube(&ring, 0.005, 8, false).moved(0.30, -0.08, size.z), Role::DarkCeramic);
    piece
}
