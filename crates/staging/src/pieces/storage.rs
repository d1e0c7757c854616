//! Sideboards, dressers, shelves, nightstands.

use aerie_math::Rng;
use glam::Vec3;

use super::{decor, lamps, plants};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, leg, rod};

fn feet(piece: &mut Piece, palette: &Palette, x: f32, y: f32, height: f32) {
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            if palette.on_metal {
                piece.add(block(Vec3::new(0.022, 0.022, height), 0.003).moved(sx * x, sy * y, 0.0), Role::Metal);
            } else {
                let solid =
                    leg(height + 0.01, 0.020, 0.012).grained(2, sx + 3.0 * sy).rolled(sx * -0.14).pitched(sy * 0.10);
                piece.add(solid.moved(sx * x, sy * y, 0.0), Role::Wood);
            }
        }
    }
}

/// A carcass of boards with an open front, standing at `z`.
fn carcass(piece: &mut Piece, size: Vec3, z: f32) {
    let board = 0.022;
    for (i, dz) in [0.0, size.z - board].into_iter().enumerate() {
        let solid = block(Vec3::new(size.x, size.y, board), 0.004).grained(0, i as f32 * 3.0);
        piece.add(solid.moved(0.0, 0.0, z + dz), Role::Wood);
    }
    for sx in [-1.0, 1.0] {
        let solid = block(Vec3::new(board, size.y - 0.002, size.z - 2.0 * board), 0.003).grained(2, sx);
        piece.add(solid.moved(sx * (size.x - board) / 2.0, 0.0, z + board), Role::Wood);
    }
    let back = block(Vec3::new(size.x - 2.0 * board, 0.01, size.z - 2.0 * board), 0.002).grained(0, 9.0);
    piece.add(back.moved(0.0, size.y / 2.0 - 0.012, z + board), Role::DarkWood);
}

/// A low cupboard: slatted or plain doors on both sides of open shelves.
#[must_use]
pub fn media_console(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    let (depth, height, foot) = (0.42, 0.54, 0.15);
    let mut piece = Piece::new(PieceKind::MediaConsole, Vec3::new(width, depth, height));
    let tall = height - foot;
    carcass(&mut piece, Vec3::new(width, depth, tall), foot);
    let inner = width - 0.044;
    let door = inner * 0.34;
    let front = -depth / 2.0 + 0.012;
    let slatted = !palette.on_metal;
    for sx in [-1.0, 1.0] {
        let x = sx * (inner - door) / 2.0;
        if slatted {
            let count = (door / 0.024) as usize;
            piece.add(
                block(Vec3::new(door - 0.004, 0.008, tall - 0.05), 0.002).grained(2, 1.0).moved(
                    x,
                    front + 0.012,
                    foot + 0.025,
                ),
                Role::DarkWood,
            );
            for i in 0..count {
                let dx = (i as f32 + 0.5) / count as f32 * door - door / 2.0;
                let slat = block(Vec3::new(0.0155, 0.014, tall - 0.05), 0.004).grained(2, i as f32 * 0.37 + sx);
                piece.add(slat.moved(x + dx, front, foot + 0.025), Role::Wood);
            }
        } else {
            piece.add(
                block(Vec3::new(door - 0.005, 0.018, tall - 0.05), 0.003).grained(0, 4.0 + sx).moved(
                    x,
                    front,
                    foot + 0.025,
                ),
                Role::Front,
            );
            let hx = x - sx * (door / 2.0 - 0.04);
            piece.add(
                rod(
                    Vec3::new(hx, front - 0.02, foot + tall * 0.38),
                    Vec3::new(hx, front - 0.02, foot + tall * 0.66),
                    0.005,
                ),
                Role::Metal,
            );
        }
        let wall = block(Vec3::new(0.02, depth - 0.04, tall - 0.044), 0.002).grained(2, 5.0 + sx);
        piece.add(wall.moved(sx * (inner / 2.0 - door - 0.01), 0.0, foot + 0.022), Role::Wood);
    }
    let shelf = block(Vec3::new(inner - 2.0 * door, depth - 0.06, 0.018), 0.002).grained(0, 11.0);
    piece.add(shelf.moved(0.0, 0.01, foot + tall * 0.52), Role::Wood);
    piece.attach(&decor::books(3, rng), 0.0, Vec3::new(-0.06, 0.0, foot + 0.022));
    feet(&mut piece, palette, width / 2.0 - 0.14, depth / 2.0 - 0.08, foot);
    piece.attach(&lamps::table_lamp(palette, rng), 0.0, Vec3::new(-width / 2.0 + 0.24, 0.02, height));
    piece.attach(&decor::books(3, rng), 0.4, Vec3::new(width * 0.16, 0.0, height));
    let vase = decor::vase(rng);
    piece.attach(&vase, 0.0, Vec3::new(width / 2.0 - 0.22, 0.02, height));
    piece
}

/// A sideboard: a media console for a dining room.
#[must_use]
pub fn sideboard(palette: &Palette, width: f32, rng: &mut Rng) -> Piece {
    Piece { kind: PieceKind::Sideboard, ..media_console(palette, width, rng) }
}

/// A chest of drawers.
#[must_use]
pub fn dresser(palette: &Palette, rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.20, 0.46, 0.80);
    let mut piece = Piece::new(PieceKind::Dresser, size);
    let foot = 0.14;
    drawers(&mut piece, palette, size, foot, 2, 3);
    feet(&mut piece, palette, size.x / 2.0 - 0.10, size.y / 2.0 - 0.07, foot);
    piece.attach(&decor::vase(rng), 0.0, Vec3::new(-0.38, 0.02, size.z));
    piece.attach(&decor::books(2, rng), 0.2, Vec3::new(0.02, 0.02, size.z));
    piece.attach(&plants::small(rng), 0.0, Vec3::new(0.42, 0.02, size.z));
    piece
}

fn drawers(piece: &mut Piece, palette: &Palette, size: Vec3, foot: f32, columns: usize, rows: usize) {
    carcass(piece, Vec3::new(size.x, size.y, size.z - foot), foot);
    let (wide, high) = ((size.x - 0.05) / columns as f32, (size.z - foot - 0.05) / rows as f32);
    let front = -size.y / 2.0 + 0.008;
    let role = if palette.on_metal { Role::Front } else { Role::Wood };
    for i in 0..columns {
        for j in 0..rows {
            let x = (i as f32 + 0.5) * wide - columns as f32 * wide / 2.0;
            let z = foot + 0.025 + j as f32 * high;
            let solid = block(Vec3::new(wide - 0.006, 0.02, high - 0.006), 0.004).grained(0, (i * 5 + j) as f32);
            piece.add(solid.moved(x, front, z + 0.003), role);
            let z = z + high * 0.62;
            let (a, b) = (Vec3::new(x - 0.05, front - 0.028, z), Vec3::new(x + 0.05, front - 0.028, z));
            piece.add(rod(a, b, 0.0055), Role::Metal);
            for end in [a, b] {
                piece.add(rod(end + Vec3::Y * 0.02, end, 0.004), Role::Metal);
            }
        }
    }
}

/// A nightstand with a lamp and books.
#[must_use]
pub fn nightstand(palette: &Palette, rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.48, 0.40, 0.52);
    let mut piece = Piece::new(PieceKind::Nightstand, size);
    let foot = 0.15;
    drawers(&mut piece, palette, size, foot, 1, 2);
    feet(&mut piece, palette, size.x / 2.0 - 0.06, size.y / 2.0 - 0.06, foot);
    piece.attach(&lamps::table_lamp(palette, rng), 0.0, Vec3::new(0.0, 0.05, size.z));
    piece.attach(&decor::books(2, rng).scaled(0.8), 0.5, Vec3::new(-0.12, -0.10, size.z));
    piece
}

/// An open bookshelf with books, vases and a plant.
#[must_use]
pub fn bookshelf(palette: &Palette, rng: &mut Rng) -> Piece {
    let size = Vec3::new(0.90, 0.34, 1.90);
    let mut piece = Piece::new(PieceKind::Bookshelf, size);
    let upright = if palette.on_metal { Role::DarkMetal } else { Role::Wood };
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            let solid = block(Vec3::new(0.028, 0.028, size.z), 0.003).grained(2, sx + sy);
            piece.add(solid.moved(sx * (size.x / 2.0 - 0.014), sy * (size.y / 2.0 - 0.014), 0.0), upright);
        }
    }
    for i in 0..5 {
        let z = 0.10 + i as f32 * 0.44;
        let solid = block(Vec3::new(size.x - 0.03, size.y - 0.01, 0.026), 0.004).grained(0, i as f32 * 2.0);
        piece.add(solid.moved(0.0, 0.0, z), Role::Wood);
        if i == 4 {
            piece.attach(&plants::small(rng), 0.0, Vec3::new(0.2, 0.0, z + 0.026));
            continue;
        }
        let row = decor::standing_books(5 + rng.below(7), rng);
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        piece.attach(&row, 0.0, Vec3::new(side * 0.2, 0.02, z + 0.026));
        let other = if rng.random_bool_f32(0.5) { decor::vase(rng) } else { decor::bowl(rng) };
        piece.attach(&other.scaled(0.75), 0.0, Vec3::new(-side * 0.24, 0.0, z + 0.026));
    }
    piece
}

/// A narrow table for a hall.
#[must_use]
pub fn console_table(palette: &Palette, rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.10, 0.34, 0.80);
    let mut piece = Piece::new(PieceKind::ConsoleTable, size);
    piece.add(block(Vec3::new(size.x, size.y, 0.03), 0.006).grained(0, 1.0).moved(0.0, 0.0, size.z - 0.03), Role::Wood);
    piece.add(
        block(Vec3::new(size.x - 0.08, size.y - 0.05, 0.02), 0.004).grained(0, 4.0).moved(0.0, 0.0, 0.16),
        Role::Wood,
    );
    for sx in [-1.0, 1.0] {
        for sy in [-1.0, 1.0] {
            let solid = block(Vec3::new(0.03, 0.03, size.z - 0.03), 0.004).grained(2, sx + sy);
            let role = if palette.on_metal { Role::Metal } else { Role::Wood };
            piece.add(solid.moved(sx * (size.x / 2.0 - 0.04), sy * (size.y / 2.0 - 0.03), 0.0), role);
        }
    }
    piece.attach(&lamps::table_lamp(palette, rng), 0.0, Vec3::new(-0.36, 0.0, size.z));
    piece.attach(&decor::bowl(rng), 0.0, Vec3::new(0.05, 0.0, size.z));
    piece.attach(&decor::vase(rng), 0.0, Vec3::new(0.38, 0.0, size.z));
    piece.attach(&decor::books(3, rng), 0.2, Vec3::new(0.2, 0.0, 0.18));
    piece
}

/// A two-door wardrobe.
#[must_use]
pub fn wardrobe(palette: &Palette) -> Piece {
    let size = Vec3::new(1.10, 0.60, 1.95);
    let mut piece = Piece::new(PieceKind::Wardrobe, size);
    carcass(&mut piece, Vec3::new(size.x, size.y, size.z - 0.08), 0.08);
    piece.add(block(Vec3::new(size.x - 0.06, size.y - 0.08, 0.08), 0.004).moved(0.0, 0.02, 0.0), Role::DarkWood);
    let front = -size.y / 2.0 + 0.008;
    for sx in [-1.0, 1.0] {
        let role = if palette.on_metal { Role::Front } else { Role::Wood };
        let solid = block(Vec3::new(size.x / 2.0 - 0.026, 0.02, size.z - 0.13), 0.004).grained(2, 3.0 + sx);
        piece.add(solid.moved(sx * (size.x / 4.0 - 0.010), front, 0.105), role);
        let x = sx * 0.045;
        piece.add(rod(Vec3::new(x, front - 0.028, 0.95), Vec3::new(x, front - 0.028, 1.20), 0.006), Role::Metal);
    }
    piece
}
