//! Home offices, entryways and bathrooms.

use std::f32::consts::PI;

use aerie_math::Rng;
use glam::Vec2;

use super::accents::{above, corner_piece, corner_plant, last_wall, more_art, wall_in_view};
use super::annealing::{Stand, annealed, group_score};
use super::builder::Builder;
use super::groups::{Visibility, lounge_group, reading_corner, round_table_group};
use super::placement::{Placed, in_group};
use super::rug_places::lay_rug;
use super::score;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;
use aerie_furniture::recipe::Recipe;

/// Free visible floor, square meters, from which an office gets a daybed.
const FOR_DAYBED: f32 = 8.0;

/// Share of a desk in the picture from which no narrower one is tried.
const WELL: f32 = 0.85;

/// A desk with a chair, a bookshelf and an armchair.
pub(super) fn home_office(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let drawn = catalog.drawn(PieceKind::Desk, &mut Rng::advanced(rng.next_u64()));
    let chair = catalog.piece(PieceKind::DeskChair, &mut Rng::advanced(rng.next_u64()));
    // The chair stands between desk and room, facing the desk, as close as its corner allows.
    const TURN: f32 = 0.25;
    let away = (chair.size.y * TURN.cos() + chair.size.x * TURN.sin()) / 2.0 + 0.03;
    // The wider desk, unless the picture cuts it off and not the other.
    let mut found: Option<(f32, Vec<Placed>, Stand)> = None;
    for width in [1.4, 1.15] {
        let desk = catalog.make(drawn.sized(width, 0.0));
        let make = |group: (Vec2, f32)| {
            vec![
                in_group(&desk, Vec2::new(0.0, -desk.size.y / 2.0), 0.0, group),
                in_group(&chair, Vec2::new(0.05, -desk.size.y - away), PI + TURN, group),
            ]
        };
        let Some((pieces, stand)) = annealed(room, rng, [0.03, 0.10], make, |p, s| group_score(room, p, s)) else {
            continue;
        };
        let seen = score::seen(&room.site.shell.space, &pieces[0]);
        if found.as_ref().is_none_or(|(most, ..)| seen > most + 0.1) {
            found = Some((seen, pieces, stand));
        }
        if seen > WELL {
            break;
        }
    }
    let Some((_, pieces, stand)) = found else { return false };
    let deep = pieces[0].piece.size.y;
    room.done.placed.extend(pieces);
    let rugs = [2.0, 1.7].map(|wide: f32| (wide, 1.5, Vec2::new(0.0, -deep - 0.45)));
    lay_rug(room, catalog, stand.group(room.site), 2, (&rugs, false));
    above(room, catalog, rng, stand.side, stand.along, 1.05, 1.4);
    if let Some((side, along)) = wall_in_view(room, rng) {
        room.hang(&catalog.piece(PieceKind::WallClock, rng), side, along, 1.85);
    }
    let shelf = catalog.piece(PieceKind::Bookshelf, rng);
    if !room.against_wall(&shelf, 0.02, rng, |_, _| 0.1) {
        room.done.left_out.push(shelf.kind);
    }
    // Large offices have a place to rest.
    let daybed = catalog.piece(PieceKind::Daybed, rng);
    let has_space = score::free_floor(&room.site.shell.space, &room.done.placed) > FOR_DAYBED;
    let site = room.site;
    let is_whole = |placed: &Placed, _| if score::seen(&site.shell.space, placed) > 0.9 { 0.1 } else { -9.0 };
    if !(has_space && room.against_wall(&daybed, 0.05, rng, is_whole)) {
        let armchair = catalog.piece(PieceKind::Armchair, rng);
        corner_piece(room, &armchair, rng);
    }
    corner_plant(room, catalog, rng, true);
    more_art(room, catalog, rng);
    true
}

/// Some seats, a small table or a chest where the main piece of a room does not fit; false if nothing does.
pub(super) fn modest(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let has_group = lounge_group(room, catalog, rng, Visibility::Partly)
        || round_table_group(room, catalog, rng, true, Visibility::Partly)
        || reading_corner(room, catalog, rng, Visibility::Partly);
    let mut count = usize::from(has_group);
    if !has_group {
        for kind in [PieceKind::Armchair, PieceKind::Bench, PieceKind::ConsoleTable, PieceKind::Dresser] {
            let piece = catalog.piece(kind, rng);
            count += usize::from(room.against_wall(&piece, 0.05, rng, |_, _| 0.4));
            if count == 2 {
                break;
            }
        }
    }
    if count == 0 {
        return false;
    }
    corner_plant(room, catalog, rng, true);
    more_art(room, catalog, rng);
    true
}

/// A console table with a mirror, and a bench.
pub(super) fn entryway(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let console = catalog.piece(PieceKind::ConsoleTable, rng);
    if !room.against_wall(&console, 0.02, rng, |_, _| 0.4) {
        return false;
    }
    if let Some((side, along)) = last_wall(room) {
        let mirror = catalog.make(Recipe::usual(PieceKind::Mirror, 0));
        room.hang(&mirror, side, along, 1.58);
    }
    let bench = catalog.make(catalog.drawn(PieceKind::Bench, rng).sized(1.0, 0.0));
    room.against_wall(&bench, 0.03, rng, |_, _| 0.1);
    corner_plant(room, catalog, rng, true);
    let basket = catalog.piece(PieceKind::Basket, rng);
    room.against_wall(&basket, 0.08, rng, |_, _| -0.1);
    more_art(room, catalog, rng);
    true
}

/// A towel ladder, a stool, a laundry basket, a plant and a mat.
pub(super) fn bathroom(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let ladder = catalog.piece(PieceKind::TowelLadder, rng);
    let mut is_done = room.against_wall(&ladder, 0.0, rng, |_, _| 0.2);
    let stool = catalog.make(catalog.drawn(PieceKind::Stool, rng).topped());
    is_done |= room.against_wall(&stool, 0.06, rng, |_, _| 0.1);
    let hamper = catalog.piece(PieceKind::LaundryBasket, rng);
    is_done |= corner_piece(room, &hamper, rng);
    let plant = catalog.plant(false, rng);
    is_done |= corner_piece(room, &plant, rng);
    if is_done {
        // A mat along a wall, on floor that stays free.
        let mat = catalog.piece(PieceKind::BathMat, rng);
        if !room.against_wall(&mat, 0.35, rng, |_, _| 0.2) {
            room.done.left_out.push(mat.kind);
        }
    }
    is_done
}
