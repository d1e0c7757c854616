//! Bedrooms, kids' rooms and nurseries.

use aerie_math::Rng;
use glam::Vec2;

use super::accents::{above, above_last, corner_piece, corner_plant, more_art, wall_in_view};
use super::annealing::{Stand, annealed, group_score};
use super::builder::Builder;
use super::groups::second_group;
use super::placement::{Placed, in_group};
use super::rug_places::lay_rug;
use super::score;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;
use aerie_furniture::style::Style;

/// Width of the last bed that is tried, and the form of it, which is low enough for a place before a window.
const LOW: f32 = 1.0;
const LOW_PLANKS: u8 = 5;
/// Share of a bed in the picture from which no other is tried.
const WHOLE: f32 = 0.7;

/// A bed with nightstands, a dresser and a wardrobe. `kind` is that of the bed.
pub(super) fn bedroom(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, kind: PieceKind) -> bool {
    let mut best: Option<(f32, Vec<Placed>, Stand)> = None;
    let table = catalog.piece(PieceKind::Nightstand, &mut Rng::advanced(rng.next_u64()));
    // A narrower bed between two tables is better than a wide one without.
    let wanted: [(f32, &[f32]); 9] = [
        (1.65, &[1.0, -1.0]),
        (1.45, &[1.0, -1.0]),
        (1.65, &[1.0]),
        (1.65, &[-1.0]),
        (1.25, &[1.0, -1.0]),
        (1.45, &[1.0]),
        (1.45, &[-1.0]),
        (1.25, &[1.0]),
        (1.25, &[-1.0]),
    ];
    let alone: [(f32, &[f32]); 4] = [(1.45, &[]), (1.25, &[]), (LOW, &[1.0]), (LOW, &[])];
    for (width, tables) in wanted.into_iter().chain(alone) {
        let drawn = catalog.drawn(kind, rng).sized(width, 0.0);
        // The head of a low one stays below the sill of a window.
        let bed = catalog.make(if width <= LOW { drawn.formed(LOW_PLANKS) } else { drawn });
        let make = |group: (Vec2, f32)| {
            let mut pieces = vec![in_group(&bed, Vec2::new(0.0, -bed.size.y / 2.0), 0.0, group)];
            for side in tables {
                let at = Vec2::new(side * (bed.size.x + table.size.x + 0.10) / 2.0, -table.size.y / 2.0 - 0.04);
                pieces.push(in_group(&table, at, 0.0, group));
            }
            pieces
        };
        let found = annealed(room, rng, [0.05, 0.12], make, |p, s| {
            // A slight angle shows more of the bed than its foot.
            group_score(room, p, s) - 0.3 * (score::faces_camera(&p[0]).abs() - 0.85).max(0.0)
        });
        let Some((pieces, at)) = found else { continue };
        let seen = score::seen(&room.site.shell.space, &pieces[0]);
        if best.as_ref().is_none_or(|(most, ..)| seen > most + 0.1) {
            best = Some((seen, pieces, at));
        }
        if seen >= WHOLE {
            break;
        }
    }
    let Some((_, pieces, stand)) = best else { return false };
    let (group, count, bed) = (stand.group(room.site), pieces.len(), pieces[0].piece.size);
    room.done.placed.extend(pieces);
    let sized = |wide: f32, deep: f32, out: f32| (bed.x + wide, deep, Vec2::new(0.0, deep / 2.0 - out - bed.y));
    let rugs = [sized(1.0, 1.75, 0.5), sized(0.7, 1.6, 0.35), sized(0.4, 1.4, 0.2)];
    lay_rug(room, catalog, group, count, (&rugs, false));
    if bed.x > 1.2 {
        let bench = catalog.make(catalog.drawn(PieceKind::Bench, rng).sized(1.25, 0.0));
        if !room.add(vec![in_group(&bench, Vec2::new(0.0, -bed.y - 0.10 - bench.size.y / 2.0), 0.0, group)]) {
            room.done.left_out.push(PieceKind::Bench);
        }
    }
    above(room, catalog, rng, stand.side, stand.along, bed.z, bed.x);
    let dresser = catalog.piece(PieceKind::Dresser, rng);
    if room.against_wall(&dresser, 0.02, rng, |_, side| if side == stand.side { -0.6 } else { 0.1 }) {
        above_last(room, catalog, rng, 0.95);
    } else {
        room.done.left_out.push(dresser.kind);
    }
    if bed.x > 1.2 {
        let wardrobe = catalog.piece(PieceKind::Wardrobe, rng);
        room.against_wall(&wardrobe, 0.02, rng, |_, side| if side == stand.side { -0.8 } else { -0.25 });
    }
    second_group(room, catalog, rng, false);
    corner_plant(room, catalog, rng, true);
    if room.done.placed.iter().all(|p| p.piece.kind != PieceKind::Armchair) {
        let chair = catalog.piece(PieceKind::Armchair, rng);
        corner_piece(room, &chair, rng);
    }
    if catalog.palette.style != Style::Minimalist {
        let ladder = catalog.piece(PieceKind::BlanketLadder, rng);
        room.against_wall(&ladder, 0.0, rng, |_, side| if side == stand.side { -0.4 } else { -0.2 });
    }
    more_art(room, catalog, rng);
    true
}

/// A bedroom with a bench for luggage; with a daybed where no bed fits.
pub(super) fn guest_room(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let is_done = bedroom(room, catalog, rng, PieceKind::Bed) || daybed(room, catalog, rng);
    if is_done {
        let mirror = catalog.piece(PieceKind::Mirror, rng);
        if let Some((side, along)) = wall_in_view(room, rng) {
            room.hang(&mirror, side, along, 1.5);
        }
        let bench = catalog.make(catalog.drawn(PieceKind::Bench, rng).sized(0.9, 0.0));
        room.against_wall(&bench, 0.03, rng, |_, _| 0.1);
    }
    is_done
}

/// A daybed along a wall, with a small table and a rug.
fn daybed(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let bed = catalog.piece(PieceKind::Daybed, &mut Rng::advanced(rng.next_u64()));
    let table = catalog.piece(PieceKind::SideTable, &mut Rng::advanced(rng.next_u64()));
    for side in [1.0, -1.0, 0.0] {
        let make = |group: (Vec2, f32)| {
            let mut pieces = vec![in_group(&bed, Vec2::new(0.0, -bed.size.y / 2.0), 0.0, group)];
            if side != 0.0 {
                let at = Vec2::new(side * (bed.size.x + table.size.x + 0.16) / 2.0, -table.size.y / 2.0 - 0.06);
                pieces.push(in_group(&table, at, 0.0, group));
            }
            pieces
        };
        let found = annealed(room, rng, [0.05, 0.12], make, |p, s| group_score(room, p, s));
        let Some((pieces, stand)) = found else { continue };
        let (group, count) = (stand.group(room.site), pieces.len());
        room.done.placed.extend(pieces);
        let rugs = [2.2, 1.8].map(|wide: f32| (wide, 1.4, Vec2::new(0.0, -bed.size.y - 0.5)));
        lay_rug(room, catalog, group, count, (&rugs, false));
        above(room, catalog, rng, stand.side, stand.along, bed.size.z, bed.size.x);
        corner_plant(room, catalog, rng, true);
        more_art(room, catalog, rng);
        return true;
    }
    false
}

/// A bedroom with a single bed, a toy chest and a pouf.
pub(super) fn kids_room(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let is_done = bedroom(room, catalog, rng, PieceKind::SingleBed);
    if is_done {
        let chest = catalog.piece(PieceKind::ToyChest, rng);
        room.against_wall(&chest, 0.02, rng, |_, _| 0.0);
        let pouf = catalog.piece(PieceKind::Pouf, rng);
        corner_piece(room, &pouf, rng);
    }
    is_done
}

/// A cot, a dresser and an armchair.
pub(super) fn nursery(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let cot = catalog.piece(PieceKind::Cot, rng);
    let make = |group: (Vec2, f32)| vec![in_group(&cot, Vec2::new(0.0, -cot.size.y / 2.0), 0.0, group)];
    let Some((pieces, stand)) = annealed(room, rng, [0.06, 0.12], make, |p, s| group_score(room, p, s)) else {
        return false;
    };
    room.done.placed.extend(pieces);
    let round = |wide: f32, x: f32| (wide, wide, Vec2::new(x, -cot.size.y - wide / 2.0 - 0.1));
    let rugs = [round(2.0, 0.3), round(1.7, 0.2), round(1.4, 0.0)];
    lay_rug(room, catalog, stand.group(room.site), 1, (&rugs, true));
    above(room, catalog, rng, stand.side, stand.along, 0.95, 1.2);
    let dresser = catalog.piece(PieceKind::Dresser, rng);
    if room.against_wall(&dresser, 0.02, rng, |_, _| 0.1) {
        above_last(room, catalog, rng, 0.95);
    }
    let chair = catalog.piece(PieceKind::Armchair, rng);
    corner_piece(room, &chair, rng);
    let chest = catalog.piece(PieceKind::ToyChest, rng);
    room.against_wall(&chest, 0.02, rng, |_, _| -0.05);
    let basket = catalog.piece(PieceKind::Basket, rng);
    room.against_wall(&basket, 0.08, rng, |_, _| -0.1);
    true
}
