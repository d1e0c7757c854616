//! Sideboards, media consoles, dressers, nightstands, wardrobes.

use aerie_math::Rng;
use glam::Vec3;

use super::cabinet::{Column, cabinet};
use super::makes::Cell::{DoorLeft, DoorRight, Drawer, Open};
use super::makes::{Cell, Make};
use super::{accessories, decor, table_lamps};
use crate::palette::Palette;
use crate::piece::{Piece, PieceKind};

const OPEN: &[(f32, Cell)] = &[(1.0, Open), (1.0, Open)];
const LEFT: &[(f32, Cell)] = &[(1.0, DoorLeft)];
const RIGHT: &[(f32, Cell)] = &[(1.0, DoorRight)];
const TWO_DRAWERS: &[(f32, Cell)] = &[(1.0, Drawer), (1.0, Drawer)];
const THREE_DRAWERS: &[(f32, Cell)] = &[(0.8, Drawer), (1.0, Drawer), (1.1, Drawer)];
const FOUR_DRAWERS: &[(f32, Cell)] = &[(0.75, Drawer), (0.9, Drawer), (1.0, Drawer), (1.1, Drawer)];

/// A low cupboard under a television.
#[must_use]
pub fn media_console(palette: &Palette, form: usize, width: f32, is_bare: bool, rng: &mut Rng) -> Piece {
    let make = Make::of(form);
    let size = Vec3::new(width, 0.42, 0.40 + make.foot() * 0.8);
    let mut piece = Piece::new(PieceKind::MediaConsole, size);
    let columns: &[Column<'_>] = match make {
        Make::Slab => &[(1.2, TWO_DRAWERS), (0.9, OPEN), (1.2, TWO_DRAWERS)],
        Make::Industrial => &[(0.9, LEFT), (1.3, OPEN), (0.9, RIGHT)],
        Make::Campaign => &[(1.0, TWO_DRAWERS), (1.0, TWO_DRAWERS), (1.0, TWO_DRAWERS)],
        Make::Splayed => &[(1.0, LEFT), (1.0, RIGHT), (0.9, TWO_DRAWERS), (0.8, OPEN)],
        Make::Fluted | Make::Deco => &[(1.0, LEFT), (1.0, RIGHT), (1.0, LEFT), (1.0, RIGHT)],
        _ => &[(1.0, LEFT), (0.9, OPEN), (1.0, RIGHT)],
    };
    for (at, room) in cabinet(&mut piece, make, size, columns) {
        accessories::fill(&mut piece, at, room, rng);
    }
    if !is_bare {
        accessories::vignette(&mut piece, palette, Vec3::new(width, size.y, size.z), rng);
    }
    piece
}

/// A sideboard for a dining room.
#[must_use]
pub fn sideboard(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    let make = Make::of(form);
    let size = Vec3::new(width, 0.45, 0.64 + make.foot());
    let mut piece = Piece::new(PieceKind::Sideboard, size);
    const DRAWER_LEFT: &[(f32, Cell)] = &[(0.28, Drawer), (1.0, DoorLeft)];
    const DRAWER_RIGHT: &[(f32, Cell)] = &[(0.28, Drawer), (1.0, DoorRight)];
    let columns: &[Column<'_>] = match make {
        Make::Splayed => &[(1.0, LEFT), (1.0, FOUR_DRAWERS), (1.0, RIGHT)],
        Make::Campaign => &[(1.0, LEFT), (1.0, RIGHT), (1.1, THREE_DRAWERS)],
        Make::Shaker | Make::Corniced => {
            &[(1.0, DRAWER_LEFT), (1.0, DRAWER_RIGHT), (1.0, DRAWER_LEFT), (1.0, DRAWER_RIGHT)]
        }
        Make::Industrial => &[(1.0, LEFT), (0.9, THREE_DRAWERS), (1.0, RIGHT)],
        _ => &[(1.0, LEFT), (1.0, RIGHT), (1.0, LEFT), (1.0, RIGHT)],
    };
    cabinet(&mut piece, make, size, columns);
    accessories::vignette(&mut piece, palette, size, rng);
    piece
}

/// A chest of drawers.
#[must_use]
pub fn dresser(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let make = Make::of(form);
    let size = Vec3::new(1.30, 0.48, 0.70 + make.foot());
    let mut piece = Piece::new(PieceKind::Dresser, size);
    let columns: &[Column<'_>] = match make {
        Make::Splayed | Make::Slab => &[(1.0, THREE_DRAWERS), (1.0, THREE_DRAWERS)],
        Make::Cane => &[(1.0, LEFT), (1.2, THREE_DRAWERS), (1.0, RIGHT)],
        Make::Corniced => &[(1.0, FOUR_DRAWERS), (1.0, FOUR_DRAWERS)],
        _ => &[(1.0, THREE_DRAWERS), (1.0, THREE_DRAWERS)],
    };
    cabinet(&mut piece, make, size, columns);
    accessories::vignette(&mut piece, palette, size, rng);
    piece
}

/// A nightstand with a lamp and books.
#[must_use]
pub fn nightstand(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    const DRAWER_OPEN: &[(f32, Cell)] = &[(0.55, Drawer), (1.0, Open)];
    const DRAWER_DOOR: &[(f32, Cell)] = &[(0.5, Drawer), (1.0, DoorRight)];
    let make = Make::of(form);
    let size = Vec3::new(0.50, 0.42, 0.46 + make.foot() * 0.7);
    let mut piece = Piece::new(PieceKind::Nightstand, size);
    let columns: &[Column<'_>] = match make {
        Make::Cane => &[(1.0, DRAWER_DOOR)],
        Make::Splayed | Make::Industrial => &[(1.0, DRAWER_OPEN)],
        Make::Corniced => &[(1.0, THREE_DRAWERS)],
        _ => &[(1.0, TWO_DRAWERS)],
    };
    for (at, _) in cabinet(&mut piece, make, size, columns) {
        piece.attach(&decor::books(2, rng).scaled(0.85), 0.1, at.with_z(at.z + 0.004));
    }
    piece.attach(
        &table_lamps::table_lamp(palette, table_lamps::table_form(palette, rng), rng),
        0.0,
        Vec3::new(0.05, 0.06, size.z),
    );
    piece.attach(&decor::books(2, rng).scaled(0.75), 0.3, Vec3::new(-0.10, -0.10, size.z));
    piece
}

/// A wardrobe.
#[must_use]
pub fn wardrobe(form: usize) -> Piece {
    const DOOR_LEFT: &[(f32, Cell)] = &[(3.6, DoorLeft), (1.0, Drawer)];
    const DOOR_RIGHT: &[(f32, Cell)] = &[(3.6, DoorRight), (1.0, Drawer)];
    let make = Make::of(form);
    let size = Vec3::new(1.10, 0.60, 1.98);
    let mut piece = Piece::new(PieceKind::Wardrobe, size);
    let columns: &[Column<'_>] = match make {
        Make::Shaker | Make::Corniced | Make::Campaign | Make::Splayed => &[(1.0, DOOR_LEFT), (1.0, DOOR_RIGHT)],
        _ => &[(1.0, LEFT), (1.0, RIGHT)],
    };
    cabinet(&mut piece, make, size, columns);
    piece
}
