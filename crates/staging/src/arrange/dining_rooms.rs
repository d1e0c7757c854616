//! Dining rooms, kitchens and terraces.

use std::f32::consts::PI;

use aerie_math::Rng;
use glam::Vec2;

use super::accents::{above_last, corner_plant, more_art};
use super::annealing::{Stand, annealed};
use super::builder::Builder;
use super::groups::{Visibility, lounge_group, round_table_group};
use super::pendants::hang_pendant;
use super::placement::{Placed, in_group};
use super::rug_places::lay_rug;
use super::score;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;
use aerie_furniture::recipe::Recipe;

/// Share of a table and its chairs in the picture from which no smaller one is tried, and by how much more of a smaller one has to be
/// seen.
const WELL: f32 = 0.95;
const MORE: f32 = 0.05;

/// A dining table with chairs and a sideboard.
pub(super) fn dining_room(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let chair = catalog.piece(PieceKind::DiningChair, &mut Rng::advanced(rng.next_u64()));
    // The largest table that is seen well.
    let mut chosen: Option<(f32, Vec<Placed>, (Vec2, f32))> = None;
    for (length, each) in [(2.0, 3), (1.6, 2), (1.3, 2)] {
        let table = catalog.make(catalog.drawn(PieceKind::DiningTable, rng).sized(length, 0.0));
        let worth = |p: &[Placed], _: &Stand| {
            let space = &room.site.shell.space;
            p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32
                + score::view(space, &p[0])
                + 0.1 * space.clearance(p[0].at.truncate())
                - 0.6 * score::screened(space, &p[0], &p[1..])
                - score::near_backs(p)
                - 0.5 * (3.2 - p[0].at.truncate().length()).max(0.0)
                - 2.4 * p.iter().map(|p| 1.0 - score::seen(space, p)).sum::<f32>() / p.len() as f32
        };
        // Along the wall or across, whichever shows more of the table.
        let mut best: Option<(f32, Vec<Placed>, (Vec2, f32))> = None;
        for turned in [0.0, PI / 2.0] {
            let make = |group: (Vec2, f32)| {
                let group = (group.0, group.1 + turned);
                let mut pieces = vec![in_group(&table, Vec2::ZERO, 0.0, group)];
                for i in 0..each {
                    let x = ((i as f32 + 0.5) / each as f32 - 0.5) * (length - 0.2);
                    for side in [-1.0_f32, 1.0] {
                        let y = side * ((table.size.y + chair.size.y) / 2.0 + 0.03 + 0.03 * ((i + 1) % 2) as f32);
                        pieces.push(in_group(&chair, Vec2::new(x, y), if side > 0.0 { 0.0 } else { PI }, group));
                    }
                }
                pieces
            };
            if let Some((pieces, stand)) = annealed(room, rng, [1.3, 3.2], make, worth) {
                let score = worth(&pieces, &stand);
                if best.as_ref().is_none_or(|b| score > b.0) {
                    let (at, turn) = stand.group(room.site);
                    best = Some((score, pieces, (at, turn + turned)));
                }
            }
        }
        if let Some((_, pieces, group)) = best {
            let space = &room.site.shell.space;
            let seen = pieces.iter().map(|p| score::seen(space, p)).sum::<f32>() / pieces.len() as f32;
            if chosen.as_ref().is_none_or(|(most, ..)| seen > most + MORE) {
                chosen = Some((seen, pieces, group));
            }
            if seen > WELL {
                break;
            }
        }
    }
    if let Some((_, pieces, group)) = chosen {
        let (count, table) = (pieces.len(), pieces[0].piece.size);
        let deep = table.y + 2.0 * chair.size.y;
        room.done.placed.extend(pieces);
        let rugs = [(table.x + 0.8, deep + 0.5, Vec2::ZERO), (table.x + 0.5, deep + 0.2, Vec2::ZERO)];
        lay_rug(room, catalog, group, count, (&rugs, false));
    } else if !round_table_group(room, catalog, rng, true, Visibility::Partly) {
        // A narrow room has space for a round table at most.
        return false;
    }
    let board = catalog.piece(PieceKind::Sideboard, rng);
    if room.against_wall(&board, 0.02, rng, |_, _| 0.2) {
        above_last(room, catalog, rng, 0.62);
    }
    corner_plant(room, catalog, rng, true);
    more_art(room, catalog, rng);
    hang_pendant(room, catalog, rng);
    true
}

/// A round table with chairs where the floor allows, and a trolley or a stool at a wall.
pub(super) fn kitchen(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let mut is_done = round_table_group(room, catalog, rng, true, Visibility::Partly);
    if !is_done {
        room.done.left_out.push(PieceKind::RoundTable);
    }
    let trolley = catalog.piece(PieceKind::Trolley, rng);
    if room.against_wall(&trolley, 0.03, rng, |_, _| 0.1) {
        is_done = true;
    } else {
        room.done.left_out.push(trolley.kind);
    }
    let stool = catalog.make(catalog.drawn(PieceKind::Stool, rng).sized(0.65, 0.0));
    if !is_done {
        is_done = room.against_wall(&stool, 0.05, rng, |_, _| 0.1);
    }
    corner_plant(room, catalog, rng, false);
    more_art(room, catalog, rng);
    is_done
}

/// A table with chairs or a pair of armchairs, planters and lanterns; nothing on the walls.
pub(super) fn patio(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let is_meal = rng.random_bool_f32(0.5) && round_table_group(room, catalog, rng, false, Visibility::Partly);
    if !is_meal && !lounge_group(room, catalog, rng, Visibility::Partly) {
        return false;
    }
    let planter = catalog.piece(PieceKind::Planter, rng);
    room.against_wall(&planter, 0.05, rng, |_, _| 0.2);
    corner_plant(room, catalog, rng, true);
    for height in [0.48, 0.34] {
        let lantern = catalog.make(Recipe::usual(PieceKind::Lantern, 0).sized(height, 0.0));
        room.against_wall(&lantern, 0.08, rng, |_, _| 0.1);
    }
    true
}
