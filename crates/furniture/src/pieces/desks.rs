//! Desks and console tables.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::cabinet::cabinet;
use super::handles::{handle, knob};
use super::makes::{Cell, Make};
use super::tables::boarded_top;
use super::{accessories, decor, plants, table_lamps, trays};
use crate::joinery::{bar, board, corners, frame, slanted, slanted_leg, squarish, turned_leg};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, leg, plate};

/// A desk of a form, with a lamp, books and pens.
#[must_use]
pub fn desk(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    let size = Vec3::new(width, 0.68, 0.75);
    let mut piece = Piece::new(PieceKind::Desk, size);
    match form {
        1 => trestles(&mut piece, size),
        2 => executive(&mut piece, size),
        3 => steel_frame(&mut piece, size),
        4 => with_gallery(&mut piece, size),
        _ => writing(&mut piece, size),
    }
    let z = size.z;
    let back = if form == 4 { -0.06 } else { 0.12 };
    let lamp = table_lamps::table_lamp(
        palette,
        if rng.random_bool_f32(0.6) { 3 } else { table_lamps::table_form(palette, rng) },
        rng,
    );
    piece.attach(&lamp, 0.0, Vec3::new(0.20 - width / 2.0, back, z));
    piece.attach(&decor::books(3, rng), 0.15, Vec3::new(width / 2.0 - 0.24, back + 0.02, z));
    piece.attach(&plants::small(palette, rng).scaled(0.8), 0.0, Vec3::new(width / 2.0 - 0.24, back + 0.02, z + 0.085));
    piece.attach(&trays::pen_pot(rng), 0.0, Vec3::new(width / 2.0 - 0.46, back + 0.03, z));
    piece.attach(&trays::cup(), 0.6, Vec3::new(width / 2.0 - 0.40, -0.12, z));
    // A notebook and a pen on a mat.
    piece.add(trays::slab(0.60, 0.36, 0.003).moved(-0.05, -0.11, z), Role::Leather);
    piece.add(block(Vec3::new(0.15, 0.21, 0.016), 0.003).yawed(0.12).moved(-0.12, -0.10, z + 0.003), Role::BookOne);
    bar(&mut piece, [0.02, -0.18, z + 0.008], [0.04, -0.05, z + 0.008], 0.0045, Role::Brass);
    piece
}

/// A drawer's front under a top, with a knob or a handle.
fn drawer(piece: &mut Piece, at: Vec3, w: f32, h: f32, role: Role) {
    board(piece, [w, 0.016, h], [at.x, at.y, at.z], role);
    if w > 0.45 {
        handle(piece, 0.14, false, Vec3::new(at.x, at.y - 0.008, at.z + h / 2.0), Role::Metal);
    } else {
        knob(piece, 0.012, Vec3::new(at.x, at.y - 0.008, at.z + h / 2.0), Role::Metal);
    }
}

/// A thin top with two drawers on slanted legs.
fn writing(piece: &mut Piece, size: Vec3) {
    boarded_top(piece, [size.x, size.y, 0.024], size.z - 0.024, 4, Role::Wood);
    let (x, y, h) = (size.x / 2.0 - 0.05, size.y / 2.0 - 0.045, 0.105);
    let z = size.z - 0.024 - h;
    board(piece, [2.0 * x, 0.018, h], [0.0, y, z], Role::Wood);
    board(piece, [2.0 * x, 2.0 * y, 0.014], [0.0, 0.0, z], Role::Wood);
    for side in [-1.0, 1.0] {
        board(piece, [0.020, 2.0 * y, h], [side * x, 0.0, z], Role::Wood);
    }
    for i in 0..3 {
        let w = 2.0 * x / 3.0;
        drawer(piece, Vec3::new((i as f32 - 1.0) * w, -y + 0.002, z + 0.006), w - 0.014, h - 0.012, Role::Wood);
    }
    for at in corners(x - 0.06, y - 0.04) {
        let out = at.signum() * Vec2::new(0.06, 0.03);
        let solid = slanted(leg(z, 0.024, 0.013), z, out).grained(2, at.x + at.y);
        piece.add(solid.moved(at.x, at.y, 0.0), Role::Wood);
    }
}

/// A plain top on two trestles.
fn trestles(piece: &mut Piece, size: Vec3) {
    boarded_top(piece, [size.x, size.y, 0.030], size.z - 0.030, 3, Role::Wood);
    for side in [-1.0, 1.0] {
        let x = side * (size.x / 2.0 - 0.24);
        board(piece, [0.060, 0.62, 0.045], [x, 0.0, size.z - 0.075], Role::Wood);
        for at in corners(0.03, 0.24) {
            let out = at.signum() * Vec2::new(0.11, 0.04);
            let solid = slanted(block(Vec3::new(0.034, 0.040, size.z - 0.075), 0.003), size.z - 0.075, out);
            piece.add(solid.grained(2, at.x + at.y).moved(x + at.x, at.y, 0.0), Role::Wood);
        }
        for lean in [-1.0, 1.0] {
            board(piece, [0.024, 0.52, 0.040], [x + lean * 0.105, 0.0, 0.20], Role::Wood);
        }
    }
}

/// Two pedestals of drawers under a leather-lined top.
fn executive(piece: &mut Piece, size: Vec3) {
    const DRAWERS: &[(f32, Cell)] = &[(0.7, Cell::Drawer), (1.0, Cell::Drawer), (1.3, Cell::Drawer)];
    for side in [-1.0, 1.0] {
        let mut pedestal = Piece::new(PieceKind::Desk, Vec3::ZERO);
        cabinet(&mut pedestal, Make::Corniced, Vec3::new(0.42, size.y - 0.06, size.z - 0.03), &[(1.0, DRAWERS)]);
        piece.attach(&pedestal, 0.0, Vec3::new(side * (size.x / 2.0 - 0.24), 0.0, 0.0));
    }
    piece.add(
        block(Vec3::new(size.x, size.y, 0.032), 0.009).grained(0, 1.0).moved(0.0, 0.0, size.z - 0.032),
        Role::Wood,
    );
    board(piece, [0.50, size.y - 0.10, 0.10], [0.0, 0.02, size.z - 0.132], Role::Wood);
    drawer(piece, Vec3::new(0.0, -size.y / 2.0 + 0.062, size.z - 0.125), 0.47, 0.085, Role::Wood);
    board(piece, [0.52, 0.016, 0.48], [0.0, size.y / 2.0 - 0.10, 0.20], Role::Wood);
}

/// A wooden top and a drawer in a frame of steel.
fn steel_frame(piece: &mut Piece, size: Vec3) {
    boarded_top(piece, [size.x, size.y, 0.034], size.z - 0.034, 3, Role::Wood);
    let t = 0.030;
    let (x, y) = (size.x / 2.0 - 0.045, size.y / 2.0 - 0.045);
    for side in [-1.0, 1.0] {
        for at in [-y, y] {
            board(piece, [t, t, size.z - 0.034], [side * x, at, 0.0], Role::DarkMetal);
        }
        board(piece, [t, 2.0 * y, t], [side * x, 0.0, 0.0], Role::DarkMetal);
        board(piece, [t, 2.0 * y, t], [side * x, 0.0, size.z - 0.064], Role::DarkMetal);
    }
    for at in [-y, y] {
        board(piece, [2.0 * x, t, t], [0.0, at, size.z - 0.064], Role::DarkMetal);
    }
    board(piece, [2.0 * x, t * 0.7, t], [0.0, y, 0.10], Role::DarkMetal);
    board(piece, [0.50, 0.50, 0.10], [0.36, -0.03, size.z - 0.165], Role::Wood);
    drawer(piece, Vec3::new(0.36, -0.288, size.z - 0.160), 0.47, 0.090, Role::Wood);
}

/// A writing desk with a gallery of small drawers and pigeonholes at its back.
fn with_gallery(piece: &mut Piece, size: Vec3) {
    writing(piece, size);
    let (w, d, h, y) = (size.x - 0.04, 0.20, 0.20, size.y / 2.0 - 0.11);
    board(piece, [w, d, 0.016], [0.0, y, size.z + h - 0.016], Role::Wood);
    board(piece, [w, 0.010, h], [0.0, y + d / 2.0 - 0.006, size.z], Role::Wood);
    for i in 0..5 {
        let x = (i as f32 - 2.0) * (w - 0.016) / 4.0;
        board(piece, [0.016, d, h - 0.016], [x, y, size.z], Role::Wood);
    }
    for i in [-1.5, 1.5] {
        let x = i * (w - 0.016) / 4.0;
        drawer(piece, Vec3::new(x, y - d / 2.0 + 0.012, size.z + 0.004), w / 4.0 - 0.024, 0.085, Role::Wood);
        board(piece, [w / 4.0 - 0.016, d - 0.01, 0.012], [x, y, size.z + 0.092], Role::Wood);
    }
}

/// A narrow table for a hall.
#[must_use]
pub fn console_table(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let size = Vec3::new(1.15, 0.35, 0.80);
    let mut piece = Piece::new(PieceKind::ConsoleTable, size);
    match form {
        1 => metal_console(&mut piece, size),
        2 => waterfall(&mut piece, size),
        3 => turned_console(&mut piece, size),
        4 => slim_console(&mut piece, size),
        _ => shelf_console(&mut piece, size),
    }
    accessories::vignette(&mut piece, palette, size, rng);
    piece
}

/// Straight legs, two drawers and a slatted shelf with baskets.
fn shelf_console(piece: &mut Piece, size: Vec3) {
    board(piece, [size.x, size.y, 0.028], [0.0, 0.0, size.z - 0.028], Role::Wood);
    let (x, y, h) = (size.x / 2.0 - 0.030, size.y / 2.0 - 0.030, 0.125);
    let z = size.z - 0.028 - h;
    for at in corners(x, y) {
        board(piece, [0.045, 0.045, size.z - 0.028], [at.x, at.y, 0.0], Role::Wood);
    }
    board(piece, [2.0 * x, 0.016, h], [0.0, y, z], Role::Wood);
    board(piece, [2.0 * x, 2.0 * y, 0.014], [0.0, 0.0, z], Role::Wood);
    for side in [-1.0, 1.0] {
        board(piece, [0.018, 2.0 * y, h], [side * x, 0.0, z], Role::Wood);
        drawer(piece, Vec3::new(side * x / 2.0, -y - 0.006, z + 0.008), x - 0.035, h - 0.014, Role::Wood);
    }
    board(piece, [0.022, 0.020, h], [0.0, -y, z], Role::Wood);
    for i in 0..5 {
        board(piece, [2.0 * x, 0.052, 0.016], [0.0, (i as f32 - 2.0) * 0.060, 0.150], Role::Wood);
    }
    for at in [-0.27, 0.27] {
        let mut basket = Piece::new(PieceKind::Basket, Vec3::ZERO);
        super::pots::woven(&mut basket, 0.150, 0.20);
        piece.attach(&basket, 0.0, Vec3::new(at, 0.0, 0.166));
    }
}

/// Stone on a frame of metal with a glass shelf.
fn metal_console(piece: &mut Piece, size: Vec3) {
    let t = 0.020;
    piece.add(plate(&corners(size.x / 2.0, size.y / 2.0), 0.022, 0.004).moved(0.0, 0.0, size.z - 0.022), Role::Marble);
    let (x, y) = (size.x / 2.0 - 0.03, size.y / 2.0 - 0.025);
    for at in corners(x, y) {
        board(piece, [t, t, size.z - 0.022], [at.x, at.y, 0.0], Role::Metal);
    }
    for z in [0.0, 0.17, size.z - 0.042] {
        for side in [-1.0, 1.0] {
            board(piece, [2.0 * x, t, t], [0.0, side * y, z], Role::Metal);
            board(piece, [t, 2.0 * y, t], [side * x, 0.0, z], Role::Metal);
        }
    }
    piece.add(plate(&corners(x - 0.008, y - 0.008), 0.003, 0.0005).moved(0.0, 0.0, 0.188), Role::Glass);
    for side in [-1.0, 1.0] {
        // Crossed bars at the ends.
        bar(piece, [side * x, -y, 0.19], [side * x, y, size.z - 0.04], 0.005, Role::Metal);
        bar(piece, [side * x, y, 0.19], [side * x, -y, size.z - 0.04], 0.005, Role::Metal);
    }
}

/// A thick slab that turns down to the floor at both ends.
fn waterfall(piece: &mut Piece, size: Vec3) {
    let t = 0.060;
    piece.add(block(Vec3::new(size.x, size.y, t), 0.014).grained(0, 1.0).moved(0.0, 0.0, size.z - t), Role::Wood);
    for side in [-1.0, 1.0] {
        let solid = plate(&squarish(0.15, size.y - 0.05, 2.6, 64), size.z - t + 0.004, 0.003).grained(2, side);
        piece.add(solid.moved(side * (size.x / 2.0 - 0.14), 0.0, 0.0), Role::Wood);
    }
}

/// Turned legs, drawers and a shelf.
fn turned_console(piece: &mut Piece, size: Vec3) {
    piece.add(
        block(Vec3::new(size.x, size.y, 0.028), 0.008).grained(0, 1.0).moved(0.0, 0.0, size.z - 0.028),
        Role::Wood,
    );
    let (x, y, h) = (size.x / 2.0 - 0.055, size.y / 2.0 - 0.050, 0.13);
    let z = size.z - 0.028 - h;
    for at in corners(x, y) {
        piece.add(turned_leg(size.z - 0.028, 0.068).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        board(piece, [2.0 * x - 0.05, 0.018, h], [0.0, side * (y + 0.010), z], Role::Wood);
        board(piece, [0.018, 2.0 * y - 0.05, h], [side * (x + 0.010), 0.0, z], Role::Wood);
        drawer(piece, Vec3::new(side * x / 2.0, -y - 0.022, z + 0.014), x - 0.06, h - 0.028, Role::Wood);
        frame(piece, [x - 0.05, h - 0.018], [0.006, 0.008], [side * x / 2.0, -y - 0.020, z + 0.009], Role::DarkWood);
    }
    board(piece, [2.0 * x + 0.05, 2.0 * y + 0.05, 0.022], [0.0, 0.0, 0.125], Role::Wood);
}

/// Thin tapered legs and one long drawer.
fn slim_console(piece: &mut Piece, size: Vec3) {
    let h = 0.11;
    let z = size.z - h;
    frame(piece, [size.x, h], [0.020, size.y], [0.0, 0.0, z], Role::Wood);
    board(piece, [size.x - 0.03, 0.012, h - 0.03], [0.0, size.y / 2.0 - 0.02, z + 0.015], Role::DarkWood);
    drawer(
        piece,
        Vec3::new(-size.x / 4.0 + 0.005, -size.y / 2.0 + 0.012, z + 0.023),
        size.x / 2.0 - 0.034,
        h - 0.046,
        Role::Front,
    );
    board(piece, [0.018, size.y - 0.02, h - 0.036], [0.0, 0.0, z + 0.018], Role::Wood);
    for at in corners(size.x / 2.0 - 0.08, size.y / 2.0 - 0.05) {
        let out = at.signum() * Vec2::new(0.05, 0.025);
        piece.add(slanted_leg(z, 0.038, 0.020, out).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Wood);
    }
}
