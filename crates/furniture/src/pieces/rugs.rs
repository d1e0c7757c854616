//! Rugs.

use std::f32::consts::TAU;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::rugs::with_extent;
use crate::shape::{lathe, rounded, tube};

/// Materials of the designs; a form is twice the number of its design, and one more if it is round.
pub const DESIGNS: [Role; 7] =
    [Role::Rug, Role::RugTrellis, Role::RugMedallion, Role::RugJute, Role::RugKilim, Role::RugAbstract, Role::RugWool];

/// A rug with a slightly uneven pile, a bound edge or fringes.
#[must_use]
pub fn rug(width: f32, depth: f32, form: usize, rng: &mut Rng) -> Piece {
    let (role, is_round) = (DESIGNS[form / 2 % DESIGNS.len()], form % 2 == 1);
    let depth = if is_round { width } else { depth };
    let thick = match role {
        Role::RugKilim => 0.007,
        Role::RugJute => 0.011,
        Role::RugTrellis => 0.018,
        _ => 0.013,
    };
    let is_fringed =
        !is_round && matches!(role, Role::RugMedallion | Role::RugKilim | Role::RugWool | Role::RugTrellis);
    let fringe = if is_fringed { 0.06 } else { 0.0 };
    let mut piece = Piece::new(PieceKind::Rug, Vec3::new(width, depth, thick));
    let seed = (rng.next_u64() & 0xFFFF) as u32;
    let along = width - 2.0 * fringe;
    let mut solid = pile(along, depth, thick, is_round, seed);
    for v in &mut solid.vertices {
        let (x, y) = (v.place.x.abs(), v.place.y.abs());
        let edge = if is_round { width / 2.0 - x.hypot(y) } else { (along / 2.0 - x).min(depth / 2.0 - y) };
        v.tex = v.place.with_z(edge);
        if matches!(role, Role::Rug | Role::RugMedallion) {
            let round = if is_round { -1.0 } else { 1.0 };
            v.tex = with_extent(v.place.truncate(), Vec2::new(round * along, depth) / 2.0).extend(edge);
        }
    }
    piece.add(solid, role);
    if role == Role::RugJute {
        cords(&mut piece, width, depth, is_round);
    }
    if is_fringed {
        fringes(&mut piece, along, depth, fringe, seed);
    }
    piece
}

/// The body of a rug.
fn pile(width: f32, depth: f32, thick: f32, is_round: bool, seed: u32) -> Solid {
    let mut solid = if is_round {
        let rings = 24;
        let mut outline: Vec<[f32; 2]> = vec![[0.0, thick]];
        outline.extend((1..rings).map(|i| [width / 2.0 * i as f32 / rings as f32, thick]));
        outline.extend([[width / 2.0 - 0.004, thick], [width / 2.0, thick * 0.6], [width / 2.0, 0.0]]);
        outline.reverse();
        lathe(&outline, 96)
    } else {
        rounded(Vec3::new(width, depth, thick), thick * 0.45, 2, 40, |p, _| p)
    };
    for v in &mut solid.vertices {
        if v.place.z > thick * 0.7 {
            v.place.z += (value_noise(v.place.with_z(0.0) * 6.0, seed) - 0.5) * 0.004;
        }
        // The edges of woven things are never quite straight.
        let wave = (value_noise(v.place.with_z(3.0) * 2.5, seed) - 0.5) * 0.012;
        let out = Vec2::new(v.place.x / width, v.place.y / depth) * 2.0;
        if out.abs().max_element() > 0.97 || is_round {
            v.place.x += wave * out.x;
            v.place.y += wave * out.y;
        }
    }
    solid.smoothen();
    solid
}

/// The outermost cord of a braided rug, in relief.
fn cords(piece: &mut Piece, width: f32, depth: f32, is_round: bool) {
    let path: Vec<Vec3> = if is_round {
        (0..96).map(|i| (Vec2::from_angle(TAU * i as f32 / 96.0) * (width / 2.0 - 0.010)).extend(0.009)).collect()
    } else {
        crate::shape::rim(width - 0.02, depth - 0.02, 0.04, 0.009)
    };
    piece.add(tube(&path, 0.010, 8, true), Role::RugJute);
}

/// Knotted tassels along both short sides.
fn fringes(piece: &mut Piece, along: f32, depth: f32, long: f32, seed: u32) {
    let mut threads = Solid::default();
    let count = (depth / 0.022) as usize;
    for side in [-1.0, 1.0] {
        for i in 0..count {
            let y = ((i as f32 + 0.5) / count as f32 - 0.5) * (depth - 0.01);
            let sway = (value_noise(Vec3::new(y * 40.0, side, 0.0), seed) - 0.5) * 0.020;
            let x = side * (along / 2.0 - 0.004);
            let path = [
                Vec3::new(x, y, 0.006),
                Vec3::new(x + side * long * 0.25, y + sway * 0.2, 0.0062),
                Vec3::new(x + side * long * 0.6, y + sway * 0.6, 0.003),
                Vec3::new(x + side * long * 0.97, y + sway, 0.0022),
            ];
            threads = threads.with(tube(&path, 0.0024, 4, false));
            let knot = [path[1] - Vec3::X * 0.004, path[1] + Vec3::X * 0.004];
            threads = threads.with(tube(&knot, 0.0042, 5, false));
        }
    }
    piece.add(threads, Role::Linen);
}
