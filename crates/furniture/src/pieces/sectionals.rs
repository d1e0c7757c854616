//! Corner sofas with a chaise, and daybeds.

use aerie_math::Rng;
use glam::Vec3;

use super::dressing::{Nook, seed, throw_along};
use super::feet::{Feet, stand};
use super::sofa_shells::plump;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::block;
use crate::shape::joinery::{bar, dowel, tapered};
use crate::shape::upholstery::{Cushion, bolster};

/// A sofa with a chaise on one side: track arms, or low and soft; odd forms have it on the right.
#[must_use]
pub fn sectional(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    let side = if form % 2 == 1 { 1.0 } else { -1.0 };
    if form < 2 { track(palette, side, width, rng) } else { low(side, width, rng) }
}

/// Measures that sectionals share: depth, depth of the sofa part.
const DEEP: [f32; 2] = [1.62, 0.96];

fn track(palette: &Palette, side: f32, width: f32, rng: &mut Rng) -> Piece {
    let [depth, part] = DEEP;
    let (seat, arm, arm_top, top, foot) = (0.44, 0.15, 0.60, 0.84, 0.13);
    let mut piece = Piece::new(PieceKind::Sectional, Vec3::new(width, depth, top));
    let (front, back, rear) = (-depth / 2.0, depth / 2.0, depth / 2.0 - part);
    let inner = width - 2.0 * arm;
    let chaise = inner * 0.36;
    // X of the join between the chaise and the seats.
    let join = side * (inner / 2.0 - chaise);
    let add = |piece: &mut Piece, cushion: Cushion, standing: bool, at: Vec3, lean: f32| {
        let solid = if standing { cushion.standing() } else { cushion.lying() };
        piece.add(solid.pitched(-lean).moved(at.x, at.y, at.z), Role::Sofa);
    };
    // Arms: the one beside the chaise is as short as the sofa part.
    for s in [-1.0, 1.0] {
        let cushion = Cushion::new(arm, arm_top - foot, part - 0.02, seed(rng)).edged(0.022).filled(0.008, 0.45);
        add(&mut piece, cushion, true, Vec3::new(s * (width - arm) / 2.0, back - part / 2.0, foot), 0.0);
    }
    let cushion = Cushion::new(inner + 0.01, 0.74 - foot, 0.15, seed(rng)).edged(0.022).filled(0.006, 0.5);
    add(&mut piece, cushion, true, Vec3::new(0.0, back - 0.09, foot), 0.0);
    let base = Cushion::new(inner + 0.01, part - 0.13, 0.13, seed(rng)).edged(0.014).filled(0.004, 0.4);
    add(&mut piece, base, false, Vec3::new(0.0, back - part / 2.0 + 0.04, foot), 0.0);
    let long = depth - 0.32;
    let middle = join + side * chaise / 2.0;
    let base = Cushion::new(chaise, depth - 0.14, 0.13, seed(rng)).edged(0.014).filled(0.004, 0.4);
    add(&mut piece, base, false, Vec3::new(middle, front + 0.02 + (depth - 0.14) / 2.0, foot), 0.0);
    // Seats and backs.
    let cushion = Cushion::new(chaise - 0.006, long + 0.08, 0.165, seed(rng)).edged(0.034).filled(0.034, 1.0);
    add(&mut piece, cushion, false, Vec3::new(middle, front + 0.012 + (long + 0.08) / 2.0, seat - 0.165), 0.0);
    let one = (inner - chaise) / 2.0;
    for i in 0..2 {
        let x = join - side * one * (i as f32 + 0.5);
        let cushion = Cushion::new(one - 0.006, part - 0.24, 0.165, seed(rng)).edged(0.034).filled(0.034, 1.0);
        add(&mut piece, cushion, false, Vec3::new(x, rear + 0.012 + (part - 0.24) / 2.0, seat - 0.165), 0.0);
    }
    let third = inner / 3.0;
    for i in 0..3 {
        let x = (i as f32 - 1.0) * third;
        let cushion = Cushion::new(third - 0.008, top - seat + 0.02, 0.17, seed(rng)).edged(0.055).filled(0.054, 1.3);
        add(&mut piece, cushion, true, Vec3::new(x, back - 0.255, seat - 0.012), 0.16);
    }
    feet(&mut piece, Feet::usual(palette), side, [width, depth, part, chaise + arm], foot);
    dress(&mut piece, side, [inner, middle, chaise], [front, back - 0.37, seat, top], rng);
    piece
}

/// Feet under the sofa part and the end of the chaise: `[width, depth, depth of the sofa part, width of the chaise]`.
fn feet(piece: &mut Piece, feet: Feet, side: f32, measures: [f32; 4], high: f32) {
    let [width, depth, part, chaise] = measures;
    let mut under = Piece::new(PieceKind::Sectional, piece.size);
    stand(&mut under, feet, width / 2.0 - 0.09, part / 2.0 - 0.09, high + 0.01);
    piece.attach(&under, 0.0, Vec3::Y * (depth - part) / 2.0);
    let mut under = Piece::new(PieceKind::Sectional, piece.size);
    stand(&mut under, feet, chaise / 2.0 - 0.13, 0.10, high + 0.01);
    piece.attach(&under, 0.0, Vec3::new(side * (width - chaise - 0.16) / 2.0, -depth / 2.0 + 0.20, 0.0));
}

/// Cushions and a throw over the end of the chaise: `[inner, middle of the chaise, its width]`, `[front, back, seat, top]`.
fn dress(piece: &mut Piece, side: f32, along: [f32; 3], up: [f32; 4], rng: &mut Rng) {
    let ([inner, middle, chaise], [front, back, seat, top]) = (along, up);
    Nook { half: inner / 2.0, back, seat, lean: 0.2, high: top - seat + 0.02 }.dress(piece, rng);
    let y = [front - 0.018, front - 0.012, front + 0.05, front + 0.25, front + 0.46];
    let z = [0.22, seat - 0.03, seat + 0.036, seat + 0.052, seat + 0.05];
    let line: Vec<Vec3> = y.into_iter().zip(z).map(|(y, z)| Vec3::new(0.0, y, z)).collect();
    throw_along(piece, &line, middle + side * chaise * 0.10, 0.46, rng);
}

fn low(side: f32, width: f32, rng: &mut Rng) -> Piece {
    let [depth, part] = DEEP;
    let (seat, arm, top, foot) = (0.42, 0.23, 0.72, 0.03);
    let mut piece = Piece::new(PieceKind::Sectional, Vec3::new(width, depth, top));
    let (front, back) = (-depth / 2.0, depth / 2.0);
    let inner = width - 2.0 * arm;
    let chaise = inner * 0.38;
    let join = side * (inner / 2.0 - chaise);
    let middle = join + side * (chaise + arm) / 2.0;
    let mut add = |piece: &mut Piece, size: Vec3, radius: f32, at: Vec3, lean: f32| {
        piece.add(plump(size, radius, seed(rng)).pitched(-lean).moved(at.x, at.y, at.z), Role::Sofa);
    };
    // Two bases, over recessed plinths.
    let (rear, deep) = (back - part / 2.0, part - 0.05);
    add(&mut piece, Vec3::new(width - 0.05, deep, 0.19), 0.07, Vec3::new(0.0, rear, foot), 0.0);
    add(&mut piece, Vec3::new(chaise + arm - 0.03, depth - 0.05, 0.19), 0.07, Vec3::new(middle, 0.0, foot), 0.0);
    for s in [-1.0, 1.0] {
        add(
            &mut piece,
            Vec3::new(arm, part - 0.05, 0.40),
            0.11,
            Vec3::new(s * (width - arm - 0.03) / 2.0, rear, 0.18),
            0.0,
        );
    }
    // The frame behind the back cushions.
    let frame = plump(Vec3::new(inner + 0.16, 0.17, 0.36), 0.08, 21);
    piece.add(frame.moved(0.0, back - 0.12, 0.17), Role::Sofa);
    let one = (inner - chaise) / 2.0;
    for i in 0..2 {
        let x = join - side * one * (i as f32 + 0.5);
        let y = back - part + 0.03 + (part - 0.24) / 2.0;
        add(&mut piece, Vec3::new(one + 0.02, part - 0.22, 0.225), 0.095, Vec3::new(x, y, seat - 0.215), 0.0);
        add(&mut piece, Vec3::new(one + 0.03, 0.27, 0.40), 0.12, Vec3::new(x, back - 0.21, seat - 0.10), 0.14);
    }
    let x = join + side * chaise / 2.0;
    let long = depth - 0.24;
    add(
        &mut piece,
        Vec3::new(chaise + 0.02, long, 0.225),
        0.095,
        Vec3::new(x, front + 0.03 + long / 2.0, seat - 0.215),
        0.0,
    );
    add(&mut piece, Vec3::new(chaise + 0.03, 0.27, 0.40), 0.12, Vec3::new(x, back - 0.21, seat - 0.10), 0.14);
    piece.add(block(Vec3::new(width - 0.20, part - 0.20, foot + 0.02), 0.004).moved(0.0, rear, 0.0), Role::DarkWood);
    let plinth = block(Vec3::new(chaise + arm - 0.20, depth - 0.20, foot + 0.02), 0.004);
    piece.add(plinth.moved(middle, 0.0, 0.0), Role::DarkWood);
    dress(&mut piece, side, [inner, x, chaise], [front + 0.006, back - 0.36, seat + 0.025, top + 0.02], rng);
    piece
}

/// A daybed: a mattress on a wooden or padded base, with a bolster and a low end.
#[must_use]
pub fn daybed(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (1.95, 0.84, 0.44, 0.74);
    let mut piece = Piece::new(PieceKind::Daybed, Vec3::new(width, depth, top));
    let tick = Cushion::new(width - 0.10, depth - 0.06, 0.15, seed(rng)).edged(0.03).filled(0.022, 0.9);
    piece.add(tick.lying().moved(0.0, 0.0, seat - 0.155), Role::Sofa);
    let x = width / 2.0 - 0.03;
    if form == 1 {
        let base = Cushion::new(width - 0.08, depth - 0.04, 0.14, seed(rng)).edged(0.02).filled(0.004, 0.4);
        piece.add(base.lying().moved(0.0, 0.0, 0.15), Role::Sofa);
        let end = Cushion::new(depth - 0.03, top - 0.16, 0.12, seed(rng)).edged(0.045).filled(0.014, 0.6).sideways();
        piece.add(end.rolled(0.06).moved(-x + 0.04, 0.0, 0.15), Role::Sofa);
        stand(&mut piece, Feet::usual(palette), width / 2.0 - 0.16, depth / 2.0 - 0.10, 0.16);
    } else {
        for side in [-1.0, 1.0] {
            let y = side * (depth / 2.0 - 0.035);
            piece.add(bar(Vec3::new(-x, y, 0.265), Vec3::new(x, y, 0.265), 0.028, 0.07, side), Role::Wood);
            for end in [-1.0, 1.0] {
                let high = if end < 0.0 { top - 0.02 } else { 0.30 };
                let (from, to) = (Vec3::new(end * x, y, high), Vec3::new(end * x, y, 0.0));
                piece.add(tapered(from, to, [0.042, 0.042], 0.66, side + end), Role::Wood);
            }
        }
        for (end, z) in [(-1.0, 0.265), (1.0, 0.265), (-1.0, top - 0.03), (-1.0, 0.46)] {
            let y = depth / 2.0 - 0.035;
            piece.add(bar(Vec3::new(end * x, -y, z), Vec3::new(end * x, y, z), 0.028, 0.055, end + z), Role::Wood);
        }
        for i in 1..9 {
            let y = (i as f32 / 9.0 * 2.0 - 1.0) * (depth / 2.0 - 0.035);
            piece.add(dowel(Vec3::new(-x, y, 0.46), Vec3::new(-x, y, top - 0.03), 0.008, 0.008, i as f32), Role::Wood);
        }
        piece.add(block(Vec3::new(width - 0.08, depth - 0.08, 0.02), 0.004).moved(0.0, 0.0, 0.262), Role::DarkWood);
    }
    let roll = bolster(depth - 0.18, 0.10, seed(rng)).yawed(std::f32::consts::FRAC_PI_2);
    piece.add(roll.moved(-x + 0.21, 0.0, seat + 0.105), Role::PillowOne);
    let y = [-depth / 2.0 + 0.008, -depth / 2.0 + 0.012, -depth / 2.0 + 0.08, 0.05, 0.30];
    let z = [0.20, seat - 0.03, seat + 0.026, seat + 0.045, seat + 0.035];
    let line: Vec<Vec3> = y.into_iter().zip(z).map(|(y, z)| Vec3::new(0.0, y, z)).collect();
    throw_along(&mut piece, &line, width * 0.24, 0.46, rng);
    piece
}
