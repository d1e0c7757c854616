//! What seats and beds stand on.

use glam::Vec3;

use crate::palette::{Palette, Role};
use crate::piece::Piece;
use crate::shape::joinery::{bar, bun_foot, dowel, tapered, turned_leg};
use crate::shape::{block, leg};

/// The four corners of a footprint, as signs.
pub(super) const CORNERS: [(f32, f32); 4] = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];

/// Kinds of feet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Feet {
    /// Round, tapered, leaning outward.
    Splayed,
    /// Square, tapered.
    Square,
    /// Turned on a lathe.
    Turned,
    /// Flat balls.
    Bun,
    /// Flat metal.
    Metal,
    /// Round metal pins.
    Pin,
}

impl Feet {
    /// The plain feet of a style.
    pub(super) fn usual(palette: &Palette) -> Self {
        match (palette.on_metal, palette.is_round) {
            (true, true) => Self::Pin,
            (true, false) => Self::Metal,
            (false, true) => Self::Splayed,
            (false, false) => Self::Square,
        }
    }
}

/// Four feet at `x` and `y` from the middle, of a height.
pub(super) fn stand(piece: &mut Piece, feet: Feet, x: f32, y: f32, height: f32) {
    for (i, (sx, sy)) in CORNERS.into_iter().enumerate() {
        let cut = i as f32;
        let top = Vec3::new(sx * x, sy * y, height);
        let floor = Vec3::new(top.x, top.y, 0.0);
        let away = Vec3::new(sx, sy, 0.0) * height * 0.13;
        let (solid, role) = match feet {
            Feet::Splayed => (dowel(floor + away, top, 0.013, 0.024, cut), Role::Wood),
            Feet::Square => (tapered(top, floor, [0.048, 0.048], 0.62, cut), Role::Wood),
            Feet::Turned => (turned_leg(height, 0.034, cut).moved(top.x, top.y, 0.0), Role::Wood),
            Feet::Bun => (bun_foot(height, 0.048, cut).moved(top.x, top.y, 0.0), Role::DarkWood),
            Feet::Metal => (block(Vec3::new(0.014, 0.055, height), 0.003).moved(top.x, top.y, 0.0), Role::Metal),
            Feet::Pin => (leg(height, 0.013, 0.010).moved(top.x, top.y, 0.0), Role::Metal),
        };
        piece.add(solid, role);
    }
}

/// Metal runners at both sides: a flat bar bent to a frame.
pub(super) fn sled(piece: &mut Piece, x: f32, y: f32, height: f32) {
    for side in [-1.0, 1.0] {
        let at = |y: f32, z: f32| Vec3::new(side * x, y, z);
        for (from, to) in [(at(-y, 0.006), at(y, 0.006)), (at(-y, 0.0), at(-y, height)), (at(y, 0.0), at(y, height))] {
            piece.add(bar(from, to, 0.034, 0.012, 0.0), Role::Metal);
        }
    }
}
