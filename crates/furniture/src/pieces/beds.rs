//! Beds: frames, and what they have in common.

use aerie_math::Rng;
use glam::Vec3;

use super::bed_frame::Frame;
use super::bed_heads;
use super::bed_linen::Bedding;
use super::dressing::seed;
use super::feet::{CORNERS, Feet, stand};
use crate::material::Kind;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::block;
use crate::shape::joinery::bar;
use crate::shape::upholstery::Cushion;

/// Length of a mattress, and how much longer and wider a bed is.
const LENGTH: f32 = 2.02;
const LONGER: f32 = 0.16;
const WIDER: f32 = 0.10;

/// A bed, its head toward +Y.
#[must_use]
pub fn bed(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    let high = match form {
        2 => 1.24,
        5 => 0.80,
        7 => 1.38,
        8 => 1.20,
        _ => 1.10,
    };
    let size = Vec3::new(width + WIDER, LENGTH + LONGER, high);
    let mut piece = Piece::new(PieceKind::Bed, size);
    let frame = Frame { width, half: size.x / 2.0, foot: -size.y / 2.0, head: size.y / 2.0, high };
    let mut bedding = Bedding {
        width,
        foot: frame.foot + 0.075,
        head: frame.head - 0.105,
        deck: 0.29,
        thick: 0.25,
        // Down to the rails: cloth that met them would be cut off raggedly.
        fall: [0.225, 0.225],
    };
    match form {
        1 => bed_heads::channeled(&mut piece, &frame),
        2 => bed_heads::winged(&mut piece, &frame, rng),
        3 => bed_heads::slatted(&mut piece, &frame),
        4 => bed_heads::caned(&mut piece, &frame),
        5 => bed_heads::planks(&mut piece, &frame),
        6 => bed_heads::metal(&mut piece, &frame),
        7 => bed_heads::spindled(&mut piece, &frame),
        8 => bed_heads::arched(&mut piece, palette, &frame, rng),
        _ => bed_heads::panels(&mut piece, &frame, rng),
    }
    match form {
        8 if palette.materials[Role::Headboard as usize].kind == Kind::Cane => {
            wooden_rails(&mut piece, &frame, 0.30, 0.15);
        }
        3 | 4 => wooden_rails(&mut piece, &frame, 0.30, 0.15),
        5 => {
            platform(&mut piece, &frame);
            bedding.deck = 0.215;
            bedding.thick = 0.22;
            bedding.fall = [0.19, 0.19];
        }
        6 => {
            metal_rails(&mut piece, &frame);
            bedding.fall = [0.225, 0.03];
        }
        7 => {
            wooden_rails(&mut piece, &frame, 0.34, 0.16);
            bedding.fall = [0.19, 0.03];
        }
        _ => upholstered_rails(&mut piece, palette, &frame, rng),
    }
    bedding.make(&mut piece, rng);
    piece
}

/// A child's bed, 0.9 m wide.
#[must_use]
pub fn single_bed(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    Piece { kind: PieceKind::SingleBed, ..bed(palette, form, 0.92, rng) }
}

/// Padded rails on feet.
fn upholstered_rails(piece: &mut Piece, palette: &Palette, frame: &Frame, rng: &mut Rng) {
    let long = frame.head - frame.foot - 0.13;
    let y = frame.foot + 0.055 + long / 2.0;
    let base = Cushion::new(frame.width + 0.045, long, 0.19, seed(rng)).edged(0.022).filled(0.004, 0.4);
    piece.add(base.lying().moved(0.0, y, 0.115), Role::Headboard);
    let feet = match Feet::usual(palette) {
        Feet::Pin => Feet::Metal,
        other => other,
    };
    stand(piece, feet, frame.half - 0.13, frame.head - 0.20, 0.12);
}

/// Rails of wood with square feet; `top` is their upper edge.
fn wooden_rails(piece: &mut Piece, frame: &Frame, top: f32, high: f32) {
    let (x, y) = (frame.half - 0.026, frame.foot + 0.07);
    let z = top - high / 2.0;
    for side in [-1.0, 1.0] {
        let solid = bar(Vec3::new(side * x, y, z), Vec3::new(side * x, frame.head - 0.06, z), 0.028, high, side);
        piece.add(solid, Role::Wood);
    }
    piece.add(bar(Vec3::new(-x, y, z), Vec3::new(x, y, z), 0.028, high, 5.0), Role::Wood);
    for side in [-1.0, 1.0] {
        let foot = Vec3::new(side * (x - 0.012), y + 0.012, 0.0);
        piece.add(bar(foot, foot + Vec3::Z * (top + 0.012), 0.06, 0.06, side), Role::Wood);
    }
    deck(piece, frame, top - 0.03);
}

fn deck(piece: &mut Piece, frame: &Frame, z: f32) {
    let long = frame.head - frame.foot - 0.20;
    let solid = block(Vec3::new(frame.width - 0.02, long, 0.02), 0.004).moved(0.0, -0.01, z);
    piece.add(solid, Role::DarkWood);
}

/// A low platform that shows a rim around the mattress.
fn platform(piece: &mut Piece, frame: &Frame) {
    let long = frame.head - frame.foot - 0.08;
    let y = frame.foot + 0.012 + long / 2.0;
    let top = block(Vec3::new(2.0 * frame.half - 0.01, long, 0.055), 0.008).grained(1, 3.0);
    piece.add(top.moved(0.0, y, 0.165), Role::Wood);
    let base = block(Vec3::new(2.0 * frame.half - 0.36, long - 0.34, 0.166), 0.004).grained(0, 4.0);
    piece.add(base.moved(0.0, y, 0.0), Role::DarkWood);
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let foot = block(Vec3::new(0.075, 0.075, 0.17), 0.006).grained(2, i as f32);
        piece.add(foot.moved(sx * (frame.half - 0.12), y + sy * (long / 2.0 - 0.12), 0.0), Role::Wood);
    }
}

/// Rails of square tube.
fn metal_rails(piece: &mut Piece, frame: &Frame) {
    let x = frame.half - 0.028;
    for side in [-1.0, 1.0] {
        let at = |y: f32| Vec3::new(side * x, y, 0.28);
        piece.add(bar(at(frame.foot + 0.05), at(frame.head - 0.05), 0.03, 0.05, 0.0), Role::DarkMetal);
    }
    deck(piece, frame, 0.27);
}
