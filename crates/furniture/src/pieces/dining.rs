//! Dining tables.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::tables::boarded_top;
use super::{decor, trays, vases};
use crate::joinery::{board, corners, disc, fluted_drum, slanted, smooth_line, squarish, turned_leg};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, lathe, leg, plate, rod};

/// Depth and height of dining tables.
const DEPTH: f32 = 0.92;
pub(super) const HEIGHT: f32 = 0.75;

/// A dining table of a form.
#[must_use]
pub fn dining_table(palette: &Palette, form: usize, length: f32, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::DiningTable, Vec3::new(length, DEPTH, HEIGHT));
    match form {
        1 => turned(&mut piece, length),
        2 => tapered(&mut piece, length),
        3 => glass(&mut piece, length),
        4 => tulip(&mut piece, length, DEPTH, true),
        5 => pedestals(&mut piece, length),
        6 => planks_on_steel(&mut piece, length),
        7 => drums(&mut piece, length),
        8 => soft_block(&mut piece, length),
        _ => trestle(&mut piece, length),
    }
    let tall = vases::tall(palette.style, rng);
    match rng.below(3) {
        0 => {
            piece.attach(&vases::vase(tall, rng), 0.3, Vec3::new(-0.12, 0.0, HEIGHT));
            piece.attach(&decor::bowl(rng), 0.3, Vec3::new(0.24, 0.02, HEIGHT));
        }
        1 => {
            piece.attach(&vases::vase(vases::low(rng), rng), 0.3, Vec3::new(0.0, 0.0, HEIGHT));
            piece.attach(&trays::candles(rng), 0.3, Vec3::new(0.28, 0.0, HEIGHT));
        }
        _ => {
            piece.attach(&vases::vase(tall, rng), 0.3, Vec3::new(0.0, 0.0, HEIGHT));
            piece.attach(&trays::candle(0.10, rng), 0.0, Vec3::new(0.20, 0.05, HEIGHT));
            piece.attach(&trays::candle(0.07, rng), 0.0, Vec3::new(0.27, -0.03, HEIGHT));
        }
    }
    piece
}

/// Planks with breadboard ends on crossed trestles and a stretcher.
fn trestle(piece: &mut Piece, length: f32) {
    let end = 0.10;
    boarded_top(piece, [length - 2.0 * end, DEPTH, 0.042], HEIGHT - 0.042, 5, Role::Wood);
    for side in [-1.0, 1.0] {
        board(piece, [end - 0.0015, DEPTH, 0.042], [side * (length - end) / 2.0, 0.0, HEIGHT - 0.042], Role::Wood);
        let x = side * (length / 2.0 - 0.30);
        board(piece, [0.085, 0.74, 0.070], [x, 0.0, 0.0], Role::Wood);
        board(piece, [0.085, 0.78, 0.060], [x, 0.0, HEIGHT - 0.102], Role::Wood);
        for lean in [-1.0, 1.0] {
            let solid = block(Vec3::new(0.070, 0.075, 0.70), 0.004).grained(2, lean);
            piece.add(solid.moved(0.0, 0.0, -0.35).pitched(lean * 0.56).moved(x, 0.0, 0.36), Role::Wood);
        }
        board(piece, [0.11, 0.095, 0.095], [x, 0.0, 0.315], Role::Wood);
    }
    board(piece, [length - 0.56, 0.045, 0.085], [0.0, 0.0, 0.32], Role::Wood);
}

/// Turned legs and an apron.
fn turned(piece: &mut Piece, length: f32) {
    boarded_top(piece, [length, DEPTH, 0.036], HEIGHT - 0.036, 6, Role::Wood);
    let (x, y) = (length / 2.0 - 0.095, DEPTH / 2.0 - 0.095);
    for at in corners(x, y) {
        piece.add(turned_leg(HEIGHT - 0.036, 0.100).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Front);
    }
    for side in [-1.0, 1.0] {
        board(piece, [2.0 * x - 0.08, 0.024, 0.105], [0.0, side * (y + 0.018), HEIGHT - 0.141], Role::Front);
        board(piece, [0.024, 2.0 * y - 0.08, 0.105], [side * (x + 0.018), 0.0, HEIGHT - 0.141], Role::Front);
    }
}

/// A long oval on slanted round legs.
fn tapered(piece: &mut Piece, length: f32) {
    let top = plate(&squarish(length, DEPTH, 3.2, 110), 0.030, 0.012).grained(0, 2.0);
    piece.add(top.moved(0.0, 0.0, HEIGHT - 0.030), Role::Wood);
    let (x, y) = (length / 2.0 - 0.26, DEPTH / 2.0 - 0.19);
    for at in corners(x, y) {
        let out = at.signum() * Vec2::new(0.085, 0.065);
        let solid = slanted(leg(HEIGHT - 0.028, 0.031, 0.016), HEIGHT - 0.028, out).grained(2, at.x + at.y);
        piece.add(solid.moved(at.x, at.y, 0.0), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        board(piece, [2.0 * x, 0.024, 0.070], [0.0, side * y, HEIGHT - 0.100], Role::Wood);
        board(piece, [0.024, 2.0 * y, 0.070], [side * x, 0.0, HEIGHT - 0.100], Role::Wood);
    }
}

/// A sheet of glass on crossed bases of metal.
fn glass(piece: &mut Piece, length: f32) {
    let pane = plate(&squarish(length, DEPTH, 9.0, 96), 0.012, 0.003);
    piece.add(pane.moved(0.0, 0.0, HEIGHT - 0.012), Role::Glass);
    for side in [-1.0, 1.0] {
        let x = side * (length / 2.0 - 0.38);
        for lean in [-1.0, 1.0] {
            let from = Vec3::new(x - 0.14, lean * -0.26, 0.014);
            let to = Vec3::new(x + 0.14, lean * 0.26, HEIGHT - 0.020);
            piece.add(rod(from, to, 0.017), Role::Brass);
            let from = Vec3::new(x + 0.14, lean * -0.26, 0.014);
            let to = Vec3::new(x - 0.14, lean * 0.26, HEIGHT - 0.020);
            piece.add(rod(from, to, 0.017), Role::Brass);
        }
        for z in [0.014, HEIGHT - 0.024] {
            for at in [-0.26, 0.26] {
                piece.add(rod(Vec3::new(x - 0.14, at, z), Vec3::new(x + 0.14, at, z), 0.013), Role::Brass);
            }
        }
        for at in corners(0.14, 0.26) {
            piece.add(disc(0.034, 0.034, 0.008).moved(x + at.x, at.y, HEIGHT - 0.020), Role::DarkMetal);
        }
    }
}

/// A stone top on a foot like a tulip.
pub(super) fn tulip(piece: &mut Piece, length: f32, depth: f32, is_oval: bool) {
    let power = if is_oval { 2.3 } else { 2.0 };
    let mut top = plate(&squarish(length, depth, power, 110), 0.024, 0.011);
    for v in &mut top.vertices {
        // Its edge is beveled from below.
        let inset = 0.03 * (1.0 - v.place.z / 0.024).clamp(0.0, 1.0);
        v.place.x *= 1.0 - inset;
        v.place.y *= 1.0 - inset;
    }
    top.smoothen();
    piece.add(top.moved(0.0, 0.0, HEIGHT - 0.024), Role::Marble);
    let line = smooth_line(
        &[
            [0.30, 0.0],
            [0.298, 0.010],
            [0.22, 0.030],
            [0.10, 0.075],
            [0.052, 0.17],
            [0.045, 0.32],
            [0.058, 0.50],
            [0.11, 0.64],
            [0.20, HEIGHT - 0.036],
            [0.22, HEIGHT - 0.024],
        ],
        6,
    );
    let mut foot = lathe(&line, 72);
    if is_oval {
        for v in &mut foot.vertices {
            v.place.x *= 1.5;
        }
        foot.smoothen();
    }
    piece.add(foot, Role::Ceramic);
}

/// Two turned columns on sweeping feet.
fn pedestals(piece: &mut Piece, length: f32) {
    let outline = squarish(length, DEPTH, 4.5, 110);
    piece.add(plate(&outline, 0.024, 0.010).grained(0, 2.0).moved(0.0, 0.0, HEIGHT - 0.024), Role::Wood);
    piece.add(
        plate(&squarish(length - 0.05, DEPTH - 0.05, 4.5, 96), 0.014, 0.006).grained(0, 2.0).moved(
            0.0,
            0.0,
            HEIGHT - 0.038,
        ),
        Role::Wood,
    );
    let apron = plate(&squarish(length - 0.22, DEPTH - 0.20, 6.0, 96), 0.062, 0.002);
    piece.add(apron.grained(0, 4.0).moved(0.0, 0.0, HEIGHT - 0.098), Role::Wood);
    for side in [-1.0, 1.0] {
        column(piece, side * (length / 2.0 - 0.42), 3, side, 0.36);
    }
}

/// A turned column on feet that sweep out.
pub(super) fn column(piece: &mut Piece, x: f32, feet: usize, turned: f32, reach: f32) {
    let line = smooth_line(
        &[
            [0.030, 0.12],
            [0.062, 0.15],
            [0.066, 0.22],
            [0.040, 0.27],
            [0.048, 0.30],
            [0.034, 0.32],
            [0.060, 0.40],
            [0.064, 0.46],
            [0.036, 0.56],
            [0.050, 0.58],
            [0.050, 0.60],
            [0.034, 0.61],
            [0.090, HEIGHT - 0.09],
        ],
        5,
    );
    piece.add(lathe(&line, 32).grained(2, x).moved(x, 0.0, 0.0), Role::Wood);
    for i in 0..feet {
        let turn =
            TAU * i as f32 / feet as f32 + if turned > 0.0 { 0.0 } else { PI } + if feet == 4 { PI / 4.0 } else { 0.0 };
        let away = Vec2::from_angle(turn);
        let path: Vec<Vec3> = (0..=12)
            .map(|k| k as f32 / 12.0)
            .map(|t| {
                (away * (0.03 + (reach - 0.05) * t)).extend(0.215 - 0.185 * t - 0.075 * (PI * t).sin() * (1.0 - t))
            })
            .map(|p| p + Vec3::X * x)
            .collect();
        piece.add(super::foliage::tapered(&path, 0.042, 0.020), Role::Wood);
        let tip = path[12];
        piece.add(
            lathe(&[[0.0, 0.0], [0.020, 0.0], [0.024, 0.016], [0.020, 0.034], [0.0, 0.040]], 20)
                .moved(tip.x, tip.y, 0.0),
            Role::Brass,
        );
    }
}

/// Planks on frames of black steel.
fn planks_on_steel(piece: &mut Piece, length: f32) {
    boarded_top(piece, [length, DEPTH, 0.046], HEIGHT - 0.046, 5, Role::Wood);
    for side in [-1.0, 1.0] {
        let x = side * (length / 2.0 - 0.26);
        for y in [-1.0, 1.0] {
            let out = Vec2::new(side * 0.03, y * 0.05);
            let solid = slanted(block(Vec3::new(0.075, 0.030, HEIGHT - 0.046), 0.003), HEIGHT - 0.046, out);
            piece.add(solid.moved(x, y * 0.33, 0.0), Role::DarkMetal);
        }
        board(piece, [0.075, 0.79, 0.026], [x + side * 0.03, 0.0, 0.0], Role::DarkMetal);
        board(piece, [0.075, 0.66, 0.012], [x, 0.0, HEIGHT - 0.058], Role::DarkMetal);
    }
    board(piece, [length - 0.52, 0.026, 0.040], [0.0, 0.0, HEIGHT - 0.090], Role::DarkMetal);
}

/// A rounded top on two fluted drums.
fn drums(piece: &mut Piece, length: f32) {
    let top = plate(&squarish(length, DEPTH, 2.9, 110), 0.034, 0.012).grained(0, 2.0);
    piece.add(top.moved(0.0, 0.0, HEIGHT - 0.034), Role::Wood);
    for side in [-1.0, 1.0] {
        let x = side * (length / 2.0 - 0.45);
        piece.add(fluted_drum(0.205, HEIGHT - 0.060, 42).moved(x, 0.0, 0.026), Role::Wood);
        piece.add(disc(0.37, 0.37, 0.028).moved(x, 0.0, 0.0), Role::DarkWood);
    }
}

/// Soft corners and round legs flush with them.
fn soft_block(piece: &mut Piece, length: f32) {
    let top = plate(&squarish(length, DEPTH, 7.0, 120), 0.030, 0.008).grained(0, 2.0);
    piece.add(top.moved(0.0, 0.0, HEIGHT - 0.030), Role::Wood);
    let (x, y) = (length / 2.0 - 0.075, DEPTH / 2.0 - 0.075);
    for at in corners(x, y) {
        piece.add(leg(HEIGHT - 0.028, 0.034, 0.031).grained(2, at.x + at.y).moved(at.x, at.y, 0.0), Role::Wood);
    }
    for side in [-1.0, 1.0] {
        board(piece, [2.0 * x - 0.04, 0.022, 0.050], [0.0, side * y, HEIGHT - 0.085], Role::Wood);
        board(piece, [0.022, 2.0 * y - 0.04, 0.050], [side * x, 0.0, HEIGHT - 0.085], Role::Wood);
    }
}
