//! Lamps over tables.

use aerie_math::Rng;
use glam::Vec3;

use super::builder::Builder;
use super::placement::Placed;
use super::score;
use crate::site::Site;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;

/// Height of the lower rim above the table, meters.
const ABOVE_TABLE: f32 = 0.82;
/// Lengths from the rim to the ceiling that look as planned, meters.
const DROP: std::ops::RangeInclusive<f32> = 0.55..=1.9;
/// Least distance from the camera, meters, and least share of the lamp in the picture.
const FROM_CAMERA: f32 = 1.8;
const SEEN: f32 = 0.7;

/// Hangs a lamp over the middle of the table, the first piece of a room, where the photo shows flat and empty ceiling above it.
pub(super) fn hang_pendant(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let table =
        room.done.placed.iter().find(|p| matches!(p.piece.kind, PieceKind::DiningTable | PieceKind::RoundTable));
    let Some(table) = table else { return false };
    let Some(placed) = over(room.site, catalog, table, rng) else { return false };
    room.done.placed.push(placed);
    true
}

fn over(site: &Site<'_>, catalog: &Catalog, table: &Placed, rng: &mut Rng) -> Option<Placed> {
    let space = &site.shell.space;
    let middle = table.at.truncate();
    let drop = ((space.height - table.piece.size.z - ABOVE_TABLE) * 100.0).round() / 100.0;
    if !DROP.contains(&drop) || middle.length() < FROM_CAMERA || !site.has_bare_ceiling(middle) {
        return None;
    }
    let lamp = catalog.make(catalog.drawn(PieceKind::PendantLamp, rng).sized(drop, 0.0));
    let at = Vec3::new(middle.x, middle.y, space.height - lamp.size.z);
    let placed = Placed { piece: lamp, at, yaw: table.yaw };
    (score::seen(space, &placed) > SEEN).then_some(placed)
}
