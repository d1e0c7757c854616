//! Libraries, gyms and laundry rooms.

use aerie_math::Rng;

use super::accents::{above, corner_piece, corner_plant, last_wall, more_art, wall_in_view};
use super::builder::Builder;
use super::groups::{Visibility, lounge_group};
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;
use aerie_furniture::recipe::Recipe;

/// Greatest number of bookshelves in a library.
const SHELVES: usize = 4;

/// Bookshelves along the walls, and two armchairs to read in.
pub(super) fn library(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let has_seats = lounge_group(room, catalog, rng, Visibility::Partly);
    if !has_seats {
        room.done.left_out.push(PieceKind::Armchair);
    }
    // All in one form: a wall of books, not a collection of shelves.
    let recipe = catalog.drawn(PieceKind::Bookshelf, rng);
    let shelves = (0..SHELVES)
        .filter(|_| {
            let shelf = catalog.make(Recipe { variant: (rng.next_u64() >> 32) as u32, ..recipe });
            room.against_wall(&shelf, 0.02, rng, |_, _| 0.5)
        })
        .count();
    if shelves == 0 {
        room.done.left_out.push(PieceKind::Bookshelf);
    }
    if !has_seats && shelves == 0 {
        return false;
    }
    let lamp = catalog.piece(PieceKind::FloorLamp, rng);
    corner_piece(room, &lamp, rng);
    corner_plant(room, catalog, rng, true);
    more_art(room, catalog, rng);
    true
}

/// A mat, a bike and a rack of dumbbells, with a mirror.
pub(super) fn gym(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let mut count = 0;
    for (kind, gap) in [(PieceKind::DumbbellRack, 0.03), (PieceKind::ExerciseBike, 0.45)] {
        let piece = catalog.piece(kind, rng);
        if room.against_wall(&piece, gap, rng, |_, _| 0.4) {
            count += 1;
            // Where the weights are is where people look at themselves.
            if let (PieceKind::DumbbellRack, Some((side, along))) = (kind, last_wall(room)) {
                let mirror = catalog.make(Recipe::usual(PieceKind::Mirror, 0).sized(0.9, 0.0));
                room.hang(&mirror, side, along, 1.55);
            }
        } else {
            room.done.left_out.push(kind);
        }
    }
    for gap in [0.7, 0.4] {
        let mat = catalog.piece(PieceKind::ExerciseMat, rng);
        if room.against_wall(&mat, gap, rng, |_, _| 0.3) {
            count += 1;
            break;
        }
    }
    let ball = catalog.piece(PieceKind::GymBall, rng);
    count += usize::from(corner_piece(room, &ball, rng));
    if count == 0 {
        return false;
    }
    let bench = catalog.make(catalog.drawn(PieceKind::Bench, rng).sized(1.0, 0.0));
    room.against_wall(&bench, 0.03, rng, |_, _| 0.0);
    if let Some((side, along)) = wall_in_view(room, rng) {
        room.hang(&catalog.piece(PieceKind::WallClock, rng), side, along, 1.85);
    }
    corner_plant(room, catalog, rng, true);
    true
}

/// A drying rack, an ironing board and baskets; no appliances, which would be taken for those of the house.
pub(super) fn laundry_room(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let mut is_done = false;
    for (kind, gap) in [(PieceKind::DryingRack, 0.10), (PieceKind::IroningBoard, 0.10), (PieceKind::Trolley, 0.03)] {
        let piece = catalog.piece(kind, rng);
        if room.against_wall(&piece, gap, rng, |_, _| 0.3) {
            is_done = true;
        } else {
            room.done.left_out.push(kind);
        }
    }
    let hamper = catalog.piece(PieceKind::LaundryBasket, rng);
    is_done |= corner_piece(room, &hamper, rng);
    let stool = catalog.make(catalog.drawn(PieceKind::Stool, rng).topped());
    is_done |= room.against_wall(&stool, 0.06, rng, |_, _| 0.0);
    if is_done {
        let basket = catalog.piece(PieceKind::Basket, rng);
        room.against_wall(&basket, 0.08, rng, |_, _| 0.0);
        if let Some((side, along)) = wall_in_view(room, rng) {
            above(room, catalog, rng, side, along, 1.0, 1.0);
        }
    }
    is_done
}
