//! What stands and hangs beside the group that a room is about.

use std::f32::consts::PI;

use glam::Vec2;

use super::{Builder, Placed, at_wall, score};
use crate::chance::Chance;
use crate::pieces::{Piece, decor, plants};
use crate::style::Palette;

/// Hangs art over a piece of a height and width: one large picture or a row, whichever the wall has room for.
pub(super) fn above(
    room: &mut Builder<'_>,
    palette: &Palette,
    chance: &mut Chance,
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
    let art = chance.below(3);
    if width > 1.4 && chance.happens(0.5) {
        // A pair or three of one size.
        let count = if width > 1.9 && chance.happens(0.5) { 3 } else { 2 };
        let (w, h) = (0.50_f32.min(most * 0.72), 0.70_f32.min(most));
        let step = w + 0.09;
        let places: Vec<f32> = (0..count).map(|i| along + (i as f32 - (count - 1) as f32 / 2.0) * step).collect();
        let rect = |x: f32| [Vec2::new(x - w / 2.0, bottom), Vec2::new(x + w / 2.0, bottom + h)];
        if places.iter().all(|x| room.site.shell.is_bare(side, rect(*x), 0.04)) {
            // Side by side, they would count as hanging over one another.
            for (i, x) in places.iter().enumerate() {
                let piece = palette.pick(decor::picture(w, h, art + i, true));
                let mut placed = at_wall(room.site, &piece, side, *x, 0.004);
                placed.at.z = bottom;
                room.done.placed.push(placed);
            }
            return;
        }
    }
    for size in [1.0, 0.8, 0.6] {
        let w = (width * 0.58).min(1.30) * size;
        let h = (w * 0.72).min(most);
        let piece = palette.pick(decor::picture(w, h, art, chance.happens(0.5)));
        if [0.0, 0.15, -0.15].into_iter().any(|dx| room.hang(&piece, side, along + dx, bottom + h / 2.0)) {
            return;
        }
    }
}

/// Somewhere along a wall that is well in view.
pub(super) fn wall_in_view(room: &Builder<'_>, chance: &mut Chance) -> Option<(usize, f32)> {
    let space = &room.site.shell.space;
    (0..12).find_map(|_| {
        let side = chance.below(space.sides.len());
        let wall = &space.sides[side];
        let along = chance.within(0.3, 0.7) * wall.length();
        let at = wall.at(along, 1.85);
        let slant = wall.inward.dot(-at.truncate().normalize_or_zero());
        (wall.seen && slant > 0.4 && space.shows(at)).then_some((side, along))
    })
}

/// The wall behind the last piece, and where along it.
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

pub(super) fn above_last(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance, top: f32) {
    let width = room.done.placed.last().map_or(1.0, |p| p.piece.size.x);
    if let Some((side, along)) = last_wall(room) {
        if chance.happens(0.35) {
            let mirror = palette.pick(decor::mirror(0.75_f32.min(width * 0.6)));
            if room.hang(&mirror, side, along, 1.55) {
                return;
            }
        }
        // Lamps and twigs on top reach higher than the piece.
        above(room, palette, chance, side, along, top + 0.28, width);
    }
}

/// A plant in a corner that is seen.
pub(super) fn corner_plant(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance, large: bool) {
    let piece = palette.pick(if large { plants::tree(chance) } else { plants::blades(chance) });
    if !corner_piece(room, &piece, chance) && large {
        let small = palette.pick(plants::blades(chance));
        corner_piece(room, &small, chance);
    }
}

/// A piece near a corner, turned to the room.
pub(super) fn corner_piece(room: &mut Builder<'_>, piece: &Piece, chance: &mut Chance) -> bool {
    let space = &room.site.shell.space;
    let mut found = Vec::new();
    let count = space.sides.len();
    for i in 0..count {
        let (a, b) = (&space.sides[i], &space.sides[(i + 1) % count]);
        // An inward corner between two walls that are seen.
        if !(a.seen && b.seen) || a.along().perp_dot(b.along()) < 0.5 {
            continue;
        }
        for _ in 0..12 {
            let out = piece.size.x.max(piece.size.y) / 2.0;
            let off = Vec2::new(out + chance.within(0.05, 0.30), out + chance.within(0.05, 0.30));
            let place = a.to + a.inward * off.x + b.inward * off.y;
            let inward = (a.inward + b.inward).normalize();
            let yaw = inward.to_angle() + PI / 2.0 + chance.within(-0.2, 0.2);
            let placed = Placed { piece: piece.clone(), at: place.extend(0.0), yaw };
            if room.admits(std::slice::from_ref(&placed)) {
                found.push((score::view(space, &placed) + 0.05, placed));
            }
        }
    }
    room.best_of(found)
}

/// A picture on one more wall that is bare, where the room has any.
pub(super) fn more_art(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) {
    let space = room.site.shell.space.clone();
    for (i, side) in space.sides.iter().enumerate().filter(|(_, s)| s.seen && s.length() > 1.6) {
        if room.done.placed.iter().filter(|p| p.at.z > 0.3).count() >= 4 {
            return;
        }
        for _ in 0..6 {
            let along = chance.within(0.7, side.length() - 0.7);
            let (w, h) = if chance.happens(0.5) { (0.60, 0.80) } else { (0.80, 0.60) };
            let at = side.at(along, 1.55);
            // Too far aside it is but a sliver.
            let slant = side.inward.dot(-at.truncate().normalize_or_zero());
            if slant < 0.3 || !space.shows(at) {
                continue;
            }
            if room.hang(&palette.pick(decor::picture(w, h, chance.below(3), true)), i, along, 1.55) {
                break;
            }
        }
    }
}
