//! Measures and seats that dining chairs share.

use glam::{Vec2, Vec3};

use crate::piece::{Piece, PieceKind};
use crate::shape::rim;

/// Width, depth and height of the seat of a dining chair.
pub(super) const SIZE: Vec3 = Vec3::new(0.49, 0.54, 0.80);

pub(super) const SEAT: f32 = 0.465;

/// An empty chair of a height.
pub(super) fn chair(height: f32) -> Piece {
    Piece::new(PieceKind::DiningChair, Vec3::new(SIZE.x, SIZE.y, height))
}

/// The outline of a seat, its corners rounded, narrower at the back; centered on y = -0.02.
pub(super) fn seat_outline(front: f32, back: f32, deep: f32, corner: f32) -> Vec<Vec2> {
    rim(1.0, deep, corner, 0.0)
        .iter()
        .map(|p| {
            let share = p.y / deep + 0.5;
            // Scale the width without the corners.
            let wide = front + (back - front) * share;
            let x = p.x.signum() * (p.x.abs() - 0.5 + wide / 2.0).max(0.0);
            Vec2::new(x, p.y - 0.02)
        })
        .collect()
}
