//! Furniture of one view in the axes of another.

use glam::{Vec2, Vec3};

use super::plan::PlanTransform;
use crate::arrange::{Arrangement, Placed};
use crate::space::Space;

/// Points across a piece, and up, that are looked for in the picture.
const ACROSS: u8 = 8;
const UP: u8 = 4;

/// The furniture of the first view in the axes of the second one, without the pieces that lie wholly outside of its picture. `plan`
/// leads from the second view to the first one. Sizes are those of the second view, whose estimate of lengths may differ: a piece takes
/// the same part of the room in both.
#[must_use]
pub fn carried(arrangement: &Arrangement, plan: &PlanTransform, second: &Space) -> Arrangement {
    let back = plan.inverse();
    let moved = |placed: &Placed| {
        let at = back.apply(placed.at.truncate().as_dvec2());
        let scale = back.scale as f32;
        Placed {
            piece: placed.piece.clone().scaled(scale),
            at: at.as_vec2().extend(placed.at.z * scale),
            yaw: placed.yaw + back.yaw as f32,
        }
    };
    let placed = arrangement.placed.iter().map(moved).filter(|placed| is_in_picture(placed, second)).collect();
    Arrangement { placed, left_out: arrangement.left_out.clone() }
}

/// Whether a part of the box around a piece lies in the picture.
fn is_in_picture(placed: &Placed, space: &Space) -> bool {
    let turn = Vec2::from_angle(placed.yaw);
    let share = |i: u8, of: u8| f32::from(i) / f32::from(of);
    let lattice = (0..=ACROSS).flat_map(|x| (0..=ACROSS).flat_map(move |y| (0..=UP).map(move |z| (x, y, z))));
    lattice.into_iter().any(|(x, y, z)| {
        let flat = Vec2::new(share(x, ACROSS) - 0.5, share(y, ACROSS) - 0.5) * placed.piece.size.truncate();
        let up = Vec3::Z * share(z, UP) * placed.piece.size.z;
        space.shows(placed.at + turn.rotate(flat).extend(0.0) + up)
    })
}
