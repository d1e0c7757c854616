//! Groups of furniture that several rooms share.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use aerie_photo::segmentation::Class;
use glam::Vec2;

use super::annealing::{Stand, annealed};
use super::builder::Builder;
use super::placement::{Placed, in_group};
use super::rug_places::lay_rug;
use super::score;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;
use aerie_furniture::style::Style;

/// How much of a group must be in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Part of it is enough.
    Partly,
    /// All of it: the group is only there for the picture.
    Whole,
}

/// Score of a group that should be completely visible and is not.
const NOT_WHOLE: f32 = -100.0;

/// A round table with two to four chairs.
pub(super) fn round_table_group(
    room: &mut Builder<'_>,
    catalog: &Catalog,
    rng: &mut Rng,
    has_rug: bool,
    visibility: Visibility,
) -> bool {
    let chair = catalog.piece(PieceKind::DiningChair, &mut Rng::advanced(rng.next_u64()));
    for (width, chairs) in [(1.10, 4), (0.90, 3), (0.75, 2)] {
        let table = catalog.make(catalog.drawn(PieceKind::RoundTable, rng).sized(width, 0.0));
        let make = |group: (Vec2, f32)| {
            let mut pieces = vec![in_group(&table, Vec2::ZERO, 0.0, group)];
            for i in 0..chairs {
                let turn = TAU * i as f32 / chairs as f32 + PI / 2.0;
                // Footprints are rectangles, so a round table needs more distance on the diagonal.
                let out = (width + chair.size.y) / 2.0 + 0.06 + 0.20 * width * (2.0 * turn).sin().abs();
                pieces.push(in_group(&chair, Vec2::from_angle(turn) * out, turn - PI / 2.0, group));
            }
            pieces
        };
        let worth = |p: &[Placed], _: &Stand| {
            let space = &room.site.shell.space;
            if visibility == Visibility::Whole && !score::is_whole(&room.site.shell.space, &room.done.placed, p) {
                return NOT_WHOLE;
            }
            p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32
                + score::view(space, &p[0])
                + 0.1 * space.clearance(p[0].at.truncate())
                - score::screened(space, &p[0], &p[1..])
                - score::near_backs(p)
        };
        if let Some(stand) = take(room, annealed(room, rng, [0.9, 5.0], make, worth), visibility, |_| true) {
            if has_rug {
                let round = |more: f32| (width + more, width + more, Vec2::ZERO);
                let rugs = [round(1.6), round(1.35)];
                lay_rug(room, catalog, stand.group(room.site), chairs + 1, (&rugs, true));
            }
            return true;
        }
    }
    false
}

/// Adds a group if enough of it is visible, and returns where it stands.
fn take(
    room: &mut Builder<'_>,
    group: Option<(Vec<Placed>, Stand)>,
    visibility: Visibility,
    is_well_turned: impl Fn(&[Placed]) -> bool,
) -> Option<Stand> {
    let (pieces, stand) = group?;
    // What is there for the picture only keeps fireplaces and kitchens in view.
    let hides = |p: &Placed| room.site.hidden(Class::Fixture, &p.footprint(), p.piece.size.z) > 0.02;
    let is_whole = || {
        score::is_whole(&room.site.shell.space, &room.done.placed, &pieces)
            && is_well_turned(&pieces)
            && !pieces.iter().any(hides)
    };
    let is_good = visibility == Visibility::Partly || is_whole();
    is_good.then(|| {
        room.done.placed.extend(pieces);
        stand
    })
}

/// Whether chairs of a pair turn from the camera: seen from the side, one hides the other.
fn is_turned(pieces: &[Placed]) -> bool {
    pieces[..2].iter().any(|chair| score::faces_camera(chair) < 0.4)
}

/// Two armchairs with a table between them.
pub(super) fn lounge_group(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, visibility: Visibility) -> bool {
    let chair = catalog.piece(PieceKind::Armchair, &mut Rng::advanced(rng.next_u64()));
    let table = catalog.piece(PieceKind::SideTable, &mut Rng::advanced(rng.next_u64()));
    let deep = chair.size.y;
    let apart = table.size.x / 2.0 + chair.size.x / 2.0 + 0.16;
    let make = |group: (Vec2, f32)| {
        vec![
            in_group(&chair, Vec2::new(-apart, -deep / 2.0), 0.22, group),
            in_group(&chair, Vec2::new(apart, -deep / 2.0), -0.22, group),
            in_group(&table, Vec2::new(0.0, -deep / 2.0), 0.0, group),
        ]
    };
    let worth = |p: &[Placed], _: &Stand| {
        let space = &room.site.shell.space;
        let is_whole = || score::is_whole(&room.site.shell.space, &room.done.placed, p);
        if visibility == Visibility::Whole && (is_turned(p) || !is_whole()) {
            return NOT_WHOLE;
        }
        p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32 + 0.4 * score::faces_camera(&p[0])
    };
    let found = annealed(room, rng, [0.15, 4.0], make, worth);
    let Some(stand) = take(room, found, visibility, |p| !is_turned(p)) else { return false };
    let wide = 2.0 * apart + chair.size.x;
    let sized = |wide: f32, deep: f32| (wide, deep, Vec2::new(0.0, -0.5 * chair.size.y - 0.2));
    lay_rug(room, catalog, stand.group(room.site), 3, (&[sized(wide + 0.4, 1.8), sized(wide, 1.5)], false));
    true
}

/// An armchair with a small table at a wall: a corner to read in.
pub(super) fn reading_corner(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, visibility: Visibility) -> bool {
    let chair = catalog.piece(PieceKind::Armchair, &mut Rng::advanced(rng.next_u64()));
    let table = catalog.piece(PieceKind::SideTable, &mut Rng::advanced(rng.next_u64()));
    let lamp = catalog.piece(PieceKind::FloorLamp, &mut Rng::advanced(rng.next_u64()));
    let lit = room.done.placed.iter().all(|p| p.piece.kind != PieceKind::FloorLamp);
    // With a lamp on the other side of the chair, if the room has none yet.
    for (side, has_lamp) in [(1.0, true), (-1.0, true), (1.0, false), (-1.0, false)] {
        if has_lamp && !lit {
            continue;
        }
        let apart = (table.size.x + chair.size.x) / 2.0 + 0.14;
        let aside = (lamp.size.x + chair.size.x) / 2.0 + 0.10;
        let make = |group: (Vec2, f32)| {
            let mut pieces = vec![
                in_group(&chair, Vec2::new(0.0, -chair.size.y / 2.0), 0.25 * side, group),
                in_group(&table, Vec2::new(side * apart, -table.size.y / 2.0 - 0.1), 0.0, group),
            ];
            if has_lamp {
                pieces.push(in_group(&lamp, Vec2::new(-side * aside, -lamp.size.y / 2.0 - 0.04), 0.0, group));
            }
            pieces
        };
        let worth = |p: &[Placed], _: &Stand| {
            let space = &room.site.shell.space;
            if visibility == Visibility::Whole && !score::is_whole(space, &room.done.placed, p) {
                return NOT_WHOLE;
            }
            score::view(space, &p[0]) + 0.4 * score::faces_camera(&p[0])
        };
        let found = annealed(room, rng, [0.12, 0.4], make, worth);
        if take(room, found, visibility, |p| score::faces_camera(&p[0]) > 0.0).is_some() {
            return true;
        }
    }
    false
}

/// Free visible floor, square meters, from which a room gets another group, and from which a corner to read in.
const SECOND_GROUP: f32 = 8.5;
const SECOND_SEAT: f32 = 5.0;

/// Least share of a daybed in the picture, worth of a place before a window, and score of a place where it turns its back.
const WHOLE: f32 = 0.9;
const AT_WINDOW: f32 = 0.5;
const NEVER: f32 = -100.0;

/// Whether a style has daybeds beside other seats.
fn has_daybeds(style: Style) -> bool {
    matches!(style, Style::Boho | Style::Coastal | Style::Scandinavian | Style::Japandi | Style::Midcentury)
}

/// A daybed along a wall, best before a window, where all of it is seen.
fn daybed_place(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng) -> bool {
    let daybed = catalog.piece(PieceKind::Daybed, rng);
    let site = room.site;
    let worth = |placed: &Placed, side: usize| {
        if score::seen(&site.shell.space, placed) < WHOLE || score::faces_camera(placed) < 0.0 {
            return NEVER;
        }
        let is_before = site.shell.windows.iter().any(|w| {
            let wall = &site.shell.space.sides[side];
            let along = wall.along().dot(placed.at.truncate() - wall.from);
            w.side() == Some(side) && (w.rect[0].x..w.rect[1].x).contains(&along)
        });
        if is_before { AT_WINDOW } else { 0.0 }
    };
    room.against_wall(&daybed, 0.06, rng, worth)
}

/// Adds a group to a large room, which looks bare with one: a table with chairs if `has_meals`, or seats.
pub(super) fn second_group(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, has_meals: bool) {
    if catalog.palette.style == Style::Minimalist {
        return;
    }
    let free = |room: &Builder<'_>| score::free_floor(&room.site.shell.space, &room.done.placed);
    if free(room) > SECOND_GROUP {
        let _ = (has_daybeds(catalog.palette.style) && daybed_place(room, catalog, rng))
            || (has_meals && round_table_group(room, catalog, rng, true, Visibility::Whole))
            || lounge_group(room, catalog, rng, Visibility::Whole);
    }
    if free(room) > SECOND_SEAT {
        reading_corner(room, catalog, rng, Visibility::Whole);
    }
}
