//! Art, mirrors and plants around the main group.

use std::f32::consts::PI;

use aerie_math::Rng;
use glam::Vec2;

use super::builder::Builder;
use super::placement::{Placed, at_wall};
use super::score;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::{Piece, PieceKind};
use aerie_furniture::recipe::Recipe;

/// Hangs art above a piece `top` meters high: one large picture or a row, as the wall allows.
pub(super) fn above(
    room: &mut Builder<'_>,
    catalog: &Catalog,
    rng: &mut Rng,
    side: usize,
    along: f32,
    top: f32,
    width: f32,
) {
    let ceiling = room.site.shell.space.height;
    let bottom = (top + 0.22).max(1.12);
    let most = (ceiling - 0.30 - bottom).min(0.95);
    if most < 0.35 {
        return;
    }
    if width > 1.4 && rng.random_bool_f32(0.5) {
        // Two or three of the same size.
        let count = if width > 1.9 && rng.random_bool_f32(0.5) { 3 } else { 2 };
        let (w, h) = (0.50_f32.min(most * 0.72), 0.70_f32.min(most));
        let step = w + 0.09;
        let places: Vec<f32> = (0..count).map(|i| along + (i as f32 - (count - 1) as f32 / 2.0) * step).collect();
        let rect = |x: f32| [Vec2::new(x - w / 2.0, bottom), Vec2::new(x + w / 2.0, bottom + h)];
        if places.iter().all(|x| room.site.is_bare(side, rect(*x), 0.1)) {
            // Added directly: side by side, they would count as overlapping.
            for x in &places {
                let Some((piece, motif)) = room.picture(catalog, [w, h], true, rng) else { return };
                let mut placed = at_wall(room.site, &piece, side, *x, 0.004);
                placed.at.z = bottom;
                room.push_picture(placed, motif);
            }
            return;
        }
    }
    for size in [1.0, 0.8, 0.6] {
        let w = (width * 0.58).min(1.30) * size;
        let h = (w * 0.72).min(most);
        let middle = bottom + h / 2.0;
        if [0.0, 0.15, -0.15].into_iter().any(|dx| room.hang_picture(catalog, [w, h], (side, along + dx, middle), rng))
        {
            return;
        }
    }
}

/// A random place along a wall that is well in view.
pub(super) fn wall_in_view(room: &Builder<'_>, rng: &mut Rng) -> Option<(usize, f32)> {
    let space = &room.site.shell.space;
    (0..12).find_map(|_| {
        let side = rng.below(space.sides.len());
        let wall = &space.sides[side];
        let along = rng.range_f32(0.3, 0.7) * wall.length();
        let at = wall.at(along, 1.85);
        let slant = wall.inward.dot(-at.truncate().normalize_or_zero());
        (wall.seen && slant > 0.4 && space.shows(at)).then_some((side, along))
    })
}

/// The wall behind the last piece, and the place along it.
pub(super) fn last_wall(room: &Builder<'_>) -> Option<(usize, f32)> {
    let last = room.done.placed.last()?;
    let sides = &room.site.shell.space.sides;
    let back = Vec2::from_angle(last.yaw).rotate(Vec2::Y);
    let place = last.at.truncate() + back * last.piece.size.y / 2.0;
    sides
        .iter()
        .enumerate()
        .filter(|(_, s)| s.inward.dot(back) < -0.9)
        .map(|(i, s)| (i, s.along().dot(place - s.from), s.inward.dot(place - s.from).abs()))
        .filter(|(i, along, off)| *off < 0.4 && *along > 0.0 && *along < sides[*i].length())
        .min_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(i, along, _)| (i, along))
}

/// Hangs a mirror or art above the last piece, `top` meters high.
pub(super) fn above_last(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, top: f32) {
    let width = room.done.placed.last().map_or(1.0, |p| p.piece.size.x);
    if let Some((side, along)) = last_wall(room) {
        if rng.random_bool_f32(0.35) {
            let mirror = catalog.make(Recipe::usual(PieceKind::Mirror, 0).sized(0.75_f32.min(width * 0.6), 0.0));
            if room.hang(&mirror, side, along, 1.55) {
                return;
            }
        }
        // Leaves space for lamps and twigs on top of the piece.
        above(room, catalog, rng, side, along, top + 0.28, width);
    }
}

/// A plant in a visible corner.
pub(super) fn corner_plant(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, large: bool) {
    let piece = catalog.plant(large, rng);
    if !corner_piece(room, &piece, rng) && large {
        let small = catalog.plant(false, rng);
        corner_piece(room, &small, rng);
    }
}

/// A piece near a corner, facing the room.
pub(super) fn corner_piece(room: &mut Builder<'_>, piece: &Piece, rng: &mut Rng) -> bool {
    let space = &room.site.shell.space;
    let mut candidates = Vec::new();
    let count = space.sides.len();
    for i in 0..count {
        let (a, b) = (&space.sides[i], &space.sides[(i + 1) % count]);
        // Only inward corners between two visible walls.
        if !(a.seen && b.seen) || a.along().perp_dot(b.along()) < 0.5 {
            continue;
        }
        for _ in 0..12 {
            let out = piece.size.x.max(piece.size.y) / 2.0;
            let off = Vec2::new(out + rng.range_f32(0.05, 0.30), out + rng.range_f32(0.05, 0.30));
            let place = a.to + a.inward * off.x + b.inward * off.y;
            let inward = (a.inward + b.inward).normalize();
            let yaw = inward.to_angle() + PI / 2.0 + rng.range_f32(-0.2, 0.2);
            let placed = Placed { piece: piece.clone(), at: place.extend(0.0), yaw };
            if room.admits(std::slice::from_ref(&placed)) {
                candidates.push((score::view(space, &placed) + 0.05, placed));
            }
        }
    }
    room.best_of(candidates)
}

/// Pictures on the remaining bare walls, up to four in all.
pub(super) fn more_art(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) {
    let space = room.site.shell.space.clone();
    for (i, side) in space.sides.iter().enumerate().filter(|(_, s)| s.seen && s.length() > 1.6) {
        if room.done.placed.iter().filter(|p| p.at.z > 0.3).count() >= 4 {
            return;
        }
        let hangs = [Vec2::new(0.0, 0.9), Vec2::new(side.length(), 2.2)];
        if room.hangs_over(i, hangs) {
            continue;
        }
        let middle = side.length() / 2.0;
        for off in [0.0, -0.3, 0.3, -0.6, 0.6] {
            let along = middle + off;
            let (w, h) = if rng.random_bool_f32(0.5) { (0.70, 0.95) } else { (1.0, 0.75) };
            let at = side.at(along, 1.55);
            // Seen at a grazing angle it would be a sliver.
            let slant = side.inward.dot(-at.truncate().normalize_or_zero());
            if slant < 0.45 || !space.shows(at) {
                continue;
            }
            if room.hang_picture(catalog, [w, h], (i, along, 1.55), rng) {
                break;
            }
        }
    }
}
