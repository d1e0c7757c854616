//! Living rooms.

use aerie_math::Rng;
use glam::Vec2;

use super::accents::{above, above_last, corner_piece, corner_plant, more_art};
use super::annealing::{Stand, annealed, group_score};
use super::builder::Builder;
use super::groups::second_group;
use super::placement::{Placed, in_group};
use super::rug_places::{lay_rug, lies_under};
use super::score;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::{Piece, PieceKind};
use aerie_furniture::style::Style;

/// What a room to sit in is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lounge {
    /// A living room: a sofa and armchairs around a coffee table.
    Living,
    /// A family room: a sectional or a sofa around an ottoman, and a television.
    Family,
    /// A media room: the same without armchairs, and a recliner.
    Media,
}

impl Lounge {
    /// What stands before the sofa.
    fn table(self) -> PieceKind {
        if self == Self::Living { PieceKind::CoffeeTable } else { PieceKind::Ottoman }
    }

    /// Sides on which armchairs may stand, the most wanted first.
    fn chairs(self) -> &'static [&'static [f32]] {
        if self == Self::Media { &[&[]] } else { &[&[1.0, -1.0], &[1.0], &[-1.0], &[]] }
    }

    /// Main seats to try, the largest first.
    fn seats(self, catalog: &Catalog, rng: &mut Rng, longest: f32) -> Vec<Piece> {
        let widths: &[f32] = match longest {
            l if l > 5.5 => &[2.6, 2.25, 1.90, 1.55],
            l if l > 4.2 => &[2.25, 1.90, 1.55],
            _ => &[1.95, 1.55],
        };
        let sectional = (self != Self::Living && longest > ROOM_FOR_SECTIONAL)
            .then(|| catalog.piece(PieceKind::Sectional, &mut Rng::advanced(rng.next_u64())));
        let sofa = catalog.drawn(PieceKind::Sofa, rng);
        sectional.into_iter().chain(widths.iter().map(|width| catalog.make(sofa.sized(*width, 0.0)))).collect()
    }
}

/// Length of the longest wall from which a sectional is tried, meters.
const ROOM_FOR_SECTIONAL: f32 = 4.0;

/// Rugs under a sofa, a table and armchairs: from under the front of the sofa to beyond the table.
fn rug_sizes(group: &[Placed]) -> [(f32, f32, Vec2); 3] {
    /// How far a rug reaches under the sofa, beyond its sides and beyond the table, meters.
    const UNDER: f32 = 0.28;
    const BEYOND: f32 = 0.3;
    let [sofa, table] = [0, 1].map(|i| group[i].piece.size);
    let deep = UNDER + TO_TABLE + table.y + BEYOND;
    // Armchairs stand on it with their front feet at least.
    let (wide, deep) = if group.len() > 2 {
        ((2.0 * (table.x / 2.0 + TO_CHAIR) + 0.3).max(sofa.x + BEYOND), deep + 0.15)
    } else {
        (sofa.x + 2.0 * BEYOND, deep)
    };
    let sized = |wide: f32, deep: f32| (wide, deep, Vec2::new(0.0, UNDER - sofa.y - deep / 2.0));
    [sized(wide.min(3.7), deep.max(1.6)), sized(sofa.x + BEYOND, deep.max(1.5)), sized(sofa.x - 0.2, deep - 0.1)]
}

/// Least cosine between the front of a television and the direction to the camera, and the score of a place where it is less.
const TURNED: f32 = 0.4;
const NEVER: f32 = -100.0;
/// Share of a seat in the picture from which no smaller one is tried, and by how much more of a smaller one has to be seen; and share
/// of the table below which it is left out.
const WELL: f32 = 0.85;
const MORE: f32 = 0.1;
const CUT: f32 = 0.55;
/// Worth of a rug under the group.
const WITH_RUG: f32 = 0.4;
/// Distance from the sofa to the table, and of the middle of an armchair from the table, meters.
const TO_TABLE: f32 = 0.42;
const TO_CHAIR: f32 = 0.95;

/// Puts a narrow table behind a sofa that stands free in the room, where that allows it.
fn console_behind(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, group: (Vec2, f32)) {
    const GAP: f32 = 0.04;
    let console = catalog.piece(PieceKind::ConsoleTable, rng);
    let placed = in_group(&console, Vec2::new(0.0, console.size.y / 2.0 + GAP), 0.0, group);
    let is_seen = score::seen(&room.site.shell.space, &placed) > WELL;
    if is_seen && room.done.placed[0].piece.size.x > console.size.x + 0.2 {
        room.add(vec![placed]);
    }
}

/// Sofa, table and armchairs, with lamps, a media console and shelves.
pub(super) fn living(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, lounge: Lounge) -> bool {
    let site = room.site;
    let longest = site.shell.space.sides.iter().filter(|s| s.seen).map(|s| s.length()).fold(0.0, f32::max);
    let table = catalog.piece(lounge.table(), &mut Rng::advanced(rng.next_u64()));
    let chair = catalog.piece(PieceKind::Armchair, &mut Rng::advanced(rng.next_u64()));
    // The largest seat that is seen well.
    let mut chosen: Option<(f32, Vec<Placed>, Stand)> = None;
    for sofa in lounge.seats(catalog, rng, longest) {
        // Two armchairs, one or none: whichever looks best.
        let mut best: Option<(f32, Vec<Placed>, Stand)> = None;
        for chairs in lounge.chairs() {
            let make = |group: (Vec2, f32)| {
                let sofa_y = -sofa.size.y / 2.0;
                let table_y = -sofa.size.y - TO_TABLE - table.size.y / 2.0;
                let mut pieces = vec![
                    in_group(&sofa, Vec2::new(0.0, sofa_y), 0.0, group),
                    in_group(&table, Vec2::new(0.0, table_y), 0.0, group),
                ];
                for side in *chairs {
                    let at = Vec2::new(side * (table.size.x / 2.0 + TO_CHAIR), table_y - 0.30);
                    pieces.push(in_group(&chair, at, -side * 1.18, group));
                }
                pieces
            };
            let rugs = rug_sizes(&make((Vec2::ZERO, 0.0)));
            let worth = |p: &[Placed], s: &Stand| {
                let lies = lies_under(room, s.group(site), &rugs);
                group_score(room, p, s) + 0.22 * chairs.len() as f32 + if lies { WITH_RUG } else { 0.0 }
            };
            if let Some((pieces, at)) = annealed(room, rng, [0.07, 3.2], make, worth) {
                let score = worth(&pieces, &at);
                if best.as_ref().is_none_or(|b| score > b.0) {
                    best = Some((score, pieces, at));
                }
            }
        }
        let Some((_, pieces, at)) = best else { continue };
        let seen = score::seen(&site.shell.space, &pieces[0]);
        if chosen.as_ref().is_none_or(|(most, ..)| seen > most + MORE) {
            chosen = Some((seen, pieces, at));
        }
        if seen > WELL {
            break;
        }
    }
    let Some((_, mut pieces, stand)) = chosen else { return false };
    let group = stand.group(site);
    let rugs = rug_sizes(&pieces);
    // Half a table at the edge of the picture is worse than none.
    if score::seen(&site.shell.space, &pieces[1]) < CUT {
        room.done.left_out.push(pieces.remove(1).piece.kind);
    }
    let count = pieces.len();
    room.done.placed.extend(pieces);
    lay_rug(room, catalog, group, count, (&rugs, false));
    let half = room.done.placed[0].piece.size.x / 2.0;
    // A side table with a lamp on one side of the sofa, a floor lamp on the other.
    let first = if rng.random_bool_f32(0.5) { 1.0 } else { -1.0 };
    let side_table = catalog.make(catalog.drawn(PieceKind::SideTable, rng).topped());
    let floor_lamp = catalog.piece(PieceKind::FloorLamp, rng);
    let beside = |piece: &Piece, side: f32| {
        in_group(piece, Vec2::new(side * (half + piece.size.x / 2.0 + 0.10), -0.30), 0.0, group)
    };
    let middle = room.done.placed[0].at.truncate().length();
    for (piece, side) in [(&side_table, first), (&floor_lamp, -first)] {
        // A lamp at the near end would stand before the sofa.
        let fits = |placed: &Placed| {
            let reach = placed.at.truncate().length();
            reach > middle - if placed.piece.size.z < 1.3 { 0.8 } else { 0.2 }
        };
        let is_there = [side, -side].into_iter().any(|s| {
            let placed = beside(piece, s);
            fits(&placed) && room.add(vec![placed])
        });
        if !is_there {
            room.done.left_out.push(piece.kind);
        }
    }
    let top = room.done.placed[0].piece.size.z;
    above(room, catalog, rng, stand.side, stand.along, top, 2.0 * half);
    console_behind(room, catalog, rng, group);
    second_group(room, catalog, rng, true);
    corner_plant(room, catalog, rng, true);
    if room.done.placed.iter().all(|p| p.piece.kind != PieceKind::FloorLamp) && corner_piece(room, &floor_lamp, rng) {
        room.done.left_out.retain(|kind| *kind != PieceKind::FloorLamp);
    }
    let main_front = Vec2::from_angle(group.1).rotate(-Vec2::Y);
    let width = rng.range_f32(1.5, 1.8);
    let has_television = lounge != Lounge::Living || rng.random_bool_f32(0.5);
    let drawn = catalog.drawn(PieceKind::MediaConsole, rng).sized(width, 0.0);
    let sides = site.shell.space.sides.clone();
    let opposite =
        |side: usize| 0.15 - 0.35 * sides[side].inward.dot(main_front) + if side == stand.side { -0.6 } else { 0.0 };
    // A screen that the camera would see from its edge is left out.
    let watched = |placed: &Placed, side: usize| {
        if score::faces_camera(placed) < TURNED { NEVER } else { opposite(side) }
    };
    let shows = has_television && {
        let console = catalog.make(drawn.topped());
        room.against_wall(&console, 0.02, rng, watched)
    };
    if !shows {
        let console = catalog.make(drawn);
        if room.against_wall(&console, 0.02, rng, |_, side| opposite(side)) {
            above_last(room, catalog, rng, 0.62);
        } else {
            room.done.left_out.push(console.kind);
        }
    }
    if lounge == Lounge::Media {
        let recliner = catalog.piece(PieceKind::Recliner, rng);
        corner_piece(room, &recliner, rng);
    }
    if catalog.palette.style != Style::Minimalist {
        let shelf = catalog.piece(PieceKind::Bookshelf, rng);
        room.against_wall(&shelf, 0.02, rng, |_, side| if side == stand.side { -0.5 } else { -0.15 });
        corner_plant(room, catalog, rng, false);
    }
    more_art(room, catalog, rng);
    true
}
