//! Rugs under groups of furniture that have their places.

use glam::{Vec2, Vec3};

use super::builder::Builder;
use super::placement::in_group;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::{Piece, PieceKind};

/// Rugs to try under a group: width, depth, and the place of the middle in the group's axes. The most wanted first.
pub(super) type RugSizes<'a> = &'a [(f32, f32, Vec2)];

/// Lays the first rug that fits under the last `count` pieces of a room; none where each would touch a wall, lie before a door or be
/// cut off by the side of the picture.
pub(super) fn lay_rug(
    room: &mut Builder<'_>,
    catalog: &Catalog,
    group: (Vec2, f32),
    count: usize,
    (sizes, is_round): (RugSizes<'_>, bool),
) -> bool {
    sizes.iter().any(|(wide, deep, at)| {
        let rug = in_group(&catalog.rug(*wide, *deep, is_round), *at, 0.0, group);
        let fits = room.lies_well(&rug, count);
        if fits {
            room.done.placed.push(rug);
        }
        fits
    })
}

/// Whether one of the rugs fits under a group that is not there yet.
pub(super) fn lies_under(room: &Builder<'_>, group: (Vec2, f32), sizes: RugSizes<'_>) -> bool {
    sizes.iter().any(|(wide, deep, at)| {
        let outline = Piece::new(PieceKind::Rug, Vec3::new(*wide, *deep, 0.01));
        room.lies_well(&in_group(&outline, *at, 0.0, group), 0)
    })
}
