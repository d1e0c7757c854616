//! Cabinets: a case with drawers and doors, in the manner of several makers.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::fronts;
use super::makes::{Cell, Make, SIDE};
use crate::joinery::{board, bun_foot, corners, frame, slanted, slanted_leg};
use crate::palette::Role;
use crate::piece::Piece;
use crate::shape::{block, leg, plate};

/// A column of a cabinet: its share of the width, and its cells from the top down with their shares of the height.
pub(super) type Column<'a> = (f32, &'a [(f32, Cell)]);

/// Gap around doors and drawers.
const GAP: f32 = 0.003;

/// Fills `size` with a cabinet on feet, its top at the height of `size`; returns where its open cells are: lower middle and size.
pub(super) fn cabinet(piece: &mut Piece, make: Make, size: Vec3, columns: &[Column<'_>]) -> Vec<(Vec3, Vec3)> {
    let (thick, over) = make.top();
    let foot = make.foot();
    let case = Vec3::new(size.x - 2.0 * over, size.y - over, size.z - foot - thick);
    let back = Vec3::new(0.0, over / 2.0, foot);
    hull(piece, make, case, back);
    top(piece, make, size);
    base(piece, make, case, back, foot);
    let inner = case.x - 2.0 * SIDE;
    let total: f32 = columns.iter().map(|c| c.0).sum();
    let low = foot + SIDE;
    let high = case.z - SIDE - if thick > SIDE { 0.0 } else { 0.004 };
    let front = back.y - case.y / 2.0 + make.inset();
    let (mut left, mut open) = (-inner / 2.0, Vec::new());
    for (number, (share, cells)) in columns.iter().enumerate() {
        let wide = inner * share / total;
        if number > 0 {
            board(piece, [0.018, case.y - 0.02, high], [left, back.y + 0.008, low], make.body());
        }
        let whole: f32 = cells.iter().map(|c| c.0).sum();
        let mut z = low + high;
        for (rank, (share, cell)) in cells.iter().enumerate() {
            let tall = high * share / whole;
            z -= tall;
            if rank > 0 {
                let rail = [wide - 0.018, case.y - 0.03, 0.018];
                board(piece, rail, [left + wide / 2.0, back.y + 0.012, z + tall - 0.009], make.body());
            }
            let middle = Vec3::new(left + wide / 2.0, front, z);
            let opening = Vec3::new(wide - 2.0 * GAP, case.y, tall - 2.0 * GAP);
            match cell {
                Cell::Open => open.push((middle.with_y(back.y), Vec3::new(wide - 0.02, case.y - 0.02, tall - 0.02))),
                _ => fronts::front(piece, make, *cell, middle + Vec3::Z * GAP, opening),
            }
        }
        left += wide;
    }
    open
}

/// Sides, bottom, upper rail and back.
fn hull(piece: &mut Piece, make: Make, case: Vec3, at: Vec3) {
    let body = make.body();
    for side in [-1.0, 1.0] {
        board(piece, [SIDE, case.y, case.z], [side * (case.x - SIDE) / 2.0, at.y, at.z], body);
        if matches!(make, Make::Corniced | Make::Shaker) {
            // Panelled sides.
            let x = side * (case.x / 2.0 + 0.001);
            let bar = if make == Make::Shaker { 0.055 } else { 0.045 };
            for z in [at.z, at.z + case.z - bar] {
                board(piece, [0.008, case.y, bar], [x, at.y, z], body);
            }
            for y in [-1.0, 1.0] {
                let y = at.y + y * (case.y - bar) / 2.0;
                board(piece, [0.008, bar, case.z], [x, y, at.z], body);
            }
        }
    }
    board(piece, [case.x - 2.0 * SIDE, case.y - 0.004, SIDE], [0.0, at.y, at.z], body);
    board(piece, [case.x - 2.0 * SIDE, case.y - 0.03, 0.016], [0.0, at.y + 0.012, at.z + case.z - 0.016], body);
    board(
        piece,
        [case.x - 2.0 * SIDE, 0.010, case.z - SIDE],
        [0.0, at.y + case.y / 2.0 - 0.008, at.z + SIDE],
        Role::DarkWood,
    );
}

/// The top, with what runs along its edge.
fn top(piece: &mut Piece, make: Make, size: Vec3) {
    let (thick, _) = make.top();
    let role = match make {
        Make::Deco => Role::Marble,
        Make::Fluted => Role::Wood,
        Make::Shaker => Role::Wood,
        _ => make.body(),
    };
    let top = block(Vec3::new(size.x, size.y, thick), if make == Make::Industrial { 0.004 } else { 0.003 });
    piece.add(top.grained(0, 4.3).moved(0.0, 0.0, size.z - thick), role);
    if make == Make::Corniced {
        for (step, drop) in [(0.010, 0.0), (0.016, 0.012)] {
            let wide = Vec3::new(size.x - 2.0 * step, size.y - step, 0.012);
            piece.add(block(wide, 0.005).moved(0.0, step / 2.0, size.z - thick - 0.012 - drop), make.body());
        }
    }
    if make == Make::Campaign {
        for at in corners(size.x / 2.0 - 0.025, size.y / 2.0 - 0.025) {
            let cap = block(Vec3::new(0.053, 0.053, 0.028), 0.002);
            piece.add(cap.moved(at.x, at.y, size.z - 0.027), Role::Brass);
        }
    }
}

/// What a cabinet stands on.
fn base(piece: &mut Piece, make: Make, case: Vec3, at: Vec3, foot: f32) {
    let (x, y) = (case.x / 2.0, case.y / 2.0);
    match make {
        Make::Slab => {
            let (x, y) = (x - 0.05, y - 0.05);
            for p in corners(x, y) {
                board(piece, [0.026, 0.026, foot], [p.x, p.y + at.y, 0.0], Role::DarkMetal);
            }
            for side in [-1.0, 1.0] {
                board(piece, [2.0 * x, 0.022, 0.026], [0.0, at.y + side * y, foot - 0.026], Role::DarkMetal);
                board(piece, [0.022, 2.0 * y, 0.026], [side * x, at.y, foot - 0.026], Role::DarkMetal);
            }
        }
        Make::Fluted => {
            board(piece, [case.x - 0.08, case.y - 0.07, foot], [0.0, at.y + 0.02, 0.0], Role::DarkWood);
        }
        Make::Shaker => brackets(piece, make.body(), case, at, foot),
        Make::Cane => {
            for p in corners(x - 0.030, y - 0.030) {
                let solid = slanted_leg(foot, 0.042, 0.026, Vec2::ZERO).grained(2, p.x + p.y);
                piece.add(solid.moved(p.x, p.y + at.y, 0.0), Role::Wood);
            }
            for y in [-1.0, 1.0] {
                board(
                    piece,
                    [case.x - 0.10, 0.020, 0.030],
                    [0.0, at.y + y * (case.y / 2.0 - 0.03), foot - 0.03],
                    Role::Wood,
                );
            }
        }
        Make::Splayed => {
            for p in corners(x - 0.11, y - 0.075) {
                let out = p.signum() * Vec2::new(0.055, 0.020);
                let at = Vec3::new(p.x, p.y + at.y, 0.0);
                let solid = slanted(leg(foot + 0.004, 0.022, 0.012), foot, out).grained(2, p.x + p.y);
                piece.add(solid.moved(at.x, at.y, 0.0), Role::Wood);
                let cap = slanted(leg(0.035, 0.0150, 0.0125), foot, out);
                piece.add(cap.moved(at.x, at.y, 0.0), Role::Brass);
            }
            board(piece, [case.x - 0.20, 0.05, 0.022], [0.0, at.y, foot - 0.022], Role::Wood);
        }
        Make::Campaign => {
            for p in corners(x - 0.03, y - 0.03) {
                piece.add(block(Vec3::new(0.058, 0.058, foot + 0.03), 0.003).moved(p.x, p.y + at.y, 0.0), Role::Brass);
            }
            board(piece, [case.x - 0.10, case.y - 0.06, 0.03], [0.0, at.y, foot - 0.03], make.body());
        }
        Make::Industrial => {
            let tall = foot + case.z;
            for p in corners(x - 0.010, y - 0.010) {
                board(piece, [0.026, 0.026, tall], [p.x, p.y + at.y, 0.0], Role::DarkMetal);
            }
            for y in [-1.0, 1.0] {
                let y = at.y + y * (case.y / 2.0 - 0.010);
                board(piece, [case.x, 0.024, 0.024], [0.0, y, foot - 0.008], Role::DarkMetal);
                board(piece, [case.x, 0.024, 0.024], [0.0, y, tall - 0.024], Role::DarkMetal);
            }
        }
        Make::Corniced => {
            for p in corners(x - 0.045, y - 0.045) {
                piece.add(bun_foot(foot - 0.025, 0.042).moved(p.x, p.y + at.y, 0.0), Role::DarkWood);
            }
            let wide = Vec3::new(case.x + 0.024, case.y + 0.012, 0.028);
            piece.add(block(wide, 0.008).grained(0, 3.0).moved(0.0, at.y - 0.006, foot - 0.026), make.body());
        }
        Make::Deco => {
            let (wide, deep) = (case.x * 0.82, case.y - 0.05);
            frame(piece, [wide, foot], [0.018, 0.018], [0.0, at.y - deep / 2.0 + 0.009, 0.0], Role::Brass);
            frame(piece, [wide, foot], [0.018, 0.018], [0.0, at.y + deep / 2.0 - 0.009, 0.0], Role::Brass);
            for side in [-1.0, 1.0] {
                board(piece, [0.018, deep, 0.018], [side * (wide / 2.0 - 0.009), at.y, 0.0], Role::Brass);
            }
        }
    }
}

/// Bracket feet: a skirt that is cut out between them.
fn brackets(piece: &mut Piece, role: Role, case: Vec3, at: Vec3, foot: f32) {
    let bracket = |mirrored: f32| -> Vec<Vec2> {
        let wide = 0.11;
        let mut outline = vec![Vec2::new(0.0, 0.0), Vec2::new(0.045, 0.0)];
        outline.extend((0..=6).map(|i| {
            let a = PI / 2.0 * i as f32 / 6.0;
            Vec2::new(0.045 + (wide - 0.045) * (1.0 - a.cos()), foot * 0.72 * a.sin())
        }));
        outline.extend([Vec2::new(wide, foot), Vec2::new(0.0, foot)]);
        outline.iter_mut().for_each(|p| p.x *= mirrored);
        if mirrored < 0.0 {
            outline.reverse();
        }
        outline
    };
    let front = at.y - case.y / 2.0;
    for side in [-1.0, 1.0] {
        let solid = plate(&bracket(-side), 0.020, 0.003).pitched(PI / 2.0);
        piece.add(solid.moved(side * case.x / 2.0, front + 0.020, 0.0), role);
        let solid = plate(&bracket(1.0), 0.020, 0.003).pitched(PI / 2.0).yawed(PI / 2.0);
        piece.add(solid.moved(side * (case.x / 2.0 - 0.010) + 0.010, front, 0.0), role);
        board(piece, [0.020, 0.06, foot], [side * (case.x / 2.0 - 0.012), at.y + case.y / 2.0 - 0.03, 0.0], role);
    }
    board(piece, [case.x - 0.02, 0.018, foot * 0.28], [0.0, front + 0.011, foot * 0.72], role);
}
