//! Bedrooms, kids' rooms and nurseries.

use aerie_math::Rng;
use glam::Vec2;

use super::accents::{above, above_last, corner_piece, corner_plant, more_art, wall_in_view};
use super::annealing::{annealed, group_score};
use super::builder::Builder;
use super::placement::in_group;
use super::score;
use crate::catalog::Catalog;
use crate::piece::PieceKind;
use crate::style::Style;

/// A bed with nightstands, a dresser and a wardrobe. `kind` is that of the bed.
pub(super) fn bedroom(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, kind: PieceKind) -> bool {
    let mut stand = None;
    let table = catalog.piece(PieceKind::Nightstand, &mut Rng::advanced(rng.next_u64()));
    'sizes: for width in [1.65, 1.45, 1.25] {
        let bed = catalog.make(catalog.drawn(kind, rng).sized(width, 0.0));
        let (wide, deep) = (bed.size.x + 1.15, 1.75);
        let rug = catalog.rug(wide, deep, false);
        for (tables, has_rug) in
            [(&[1.0_f32, -1.0][..], true), (&[1.0, -1.0], false), (&[1.0], true), (&[-1.0], true), (&[], false)]
        {
            let make = |group: (Vec2, f32)| {
                let mut pieces = vec![in_group(&bed, Vec2::new(0.0, -bed.size.y / 2.0), 0.0, group)];
                for side in tables {
                    let at = Vec2::new(side * (bed.size.x + table.size.x + 0.10) / 2.0, -table.size.y / 2.0 - 0.04);
                    pieces.push(in_group(&table, at, 0.0, group));
                }
                if has_rug {
                    pieces.push(in_group(&rug, Vec2::new(0.0, -bed.size.y + deep / 2.0 - 0.55), 0.0, group));
                }
                pieces
            };
            let found = annealed(room, rng, [0.05, 0.12], make, |p, s| {
                // A slight angle shows more of the bed than its foot.
                group_score(room, p, s) - 0.3 * (score::faces_camera(&p[0]).abs() - 0.85).max(0.0)
            });
            if let Some((pieces, at)) = found {
                room.done.placed.extend(pieces);
                stand = Some(at);
                break 'sizes;
            }
        }
    }
    let Some(stand) = stand else { return false };
    let group = stand.group(room.site);
    let bed = room.done.placed[0].piece.size;
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
    corner_plant(room, catalog, rng, true);
    let chair = catalog.piece(PieceKind::Armchair, rng);
    corner_piece(room, &chair, rng);
    if catalog.palette.style != Style::Minimalist {
        let ladder = catalog.piece(PieceKind::BlanketLadder, rng);
        room.against_wall(&ladder, 0.0, rng, |_, side| if side == stand.side { -0.4 } else { -0.2 });
    }
    more_art(room, catalog, rng);
    true
}

/// A bedroom with a desk to write at, and a bench for luggage.
pub(super) fn guest_room(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let is_done = bedroom(room, catalog, rng, PieceKind::Bed);
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
    let rug = catalog.rug(2.0, 2.0, true);
    let make = |group: (Vec2, f32)| {
        vec![
            in_group(&cot, Vec2::new(0.0, -cot.size.y / 2.0), 0.0, group),
            in_group(&rug, Vec2::new(0.3, -cot.size.y - 1.1), 0.0, group),
        ]
    };
    let Some((pieces, stand)) = annealed(room, rng, [0.06, 0.12], make, |p, s| group_score(room, p, s)) else {
        return false;
    };
    room.done.placed.extend(pieces);
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
