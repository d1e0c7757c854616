//! Knobs and handles.

use std::f32::consts::PI;

use glam::Vec3;

use crate::joinery::{bar, spun};
use crate::palette::Role;
use crate::piece::Piece;

/// A knob that stands out from a front toward -Y.
pub(super) fn knob(piece: &mut Piece, radius: f32, at: Vec3, role: Role) {
    let out = radius * 1.7;
    let outline = [
        [0.0, 0.0],
        [radius * 0.62, 0.0],
        [radius * 0.40, out * 0.25],
        [radius * 0.42, out * 0.45],
        [radius * 0.92, out * 0.66],
        [radius, out * 0.82],
        [radius * 0.72, out],
        [0.0, out * 1.04],
    ];
    piece.add(spun(&outline, 18).pitched(PI / 2.0).moved(at.x, at.y, at.z), role);
}

/// A bar handle on two posts, upright or lying.
pub(super) fn handle(piece: &mut Piece, long: f32, upright: bool, at: Vec3, role: Role) {
    let reach = if upright { Vec3::Z } else { Vec3::X } * long / 2.0;
    let out = at - Vec3::Y * 0.028;
    let (a, b) = (out - reach, out + reach);
    bar(piece, a.to_array(), b.to_array(), 0.0055, role);
    for end in [a.lerp(b, 0.10), a.lerp(b, 0.90)] {
        bar(piece, (end + Vec3::Y * 0.030).to_array(), end.to_array(), 0.0042, role);
    }
}
