//! Groups of furniture that several rooms share.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use aerie_photo::segmentation::Class;
use glam::Vec2;

use super::annealing::{Stand, annealed};
use super::builder::Builder;
use super::placement::{Placed, in_group};
use super::score;
use crate::catalog::Catalog;
use crate::piece::PieceKind;

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
        let rug = catalog.rug(width + 1.35, width + 1.35, true);
        for with_rug in [has_rug, false] {
            let make = |group: (Vec2, f32)| {
                let mut pieces = vec![in_group(&table, Vec2::ZERO, 0.0, group)];
                for i in 0..chairs {
                    let turn = TAU * i as f32 / chairs as f32 + PI / 2.0;
                    // Footprints are rectangles, so a round table needs more distance on the diagonal.
                    let out = (width + chair.size.y) / 2.0 + 0.06 + 0.20 * width * (2.0 * turn).sin().abs();
                    pieces.push(in_group(&chair, Vec2::from_angle(turn) * out, turn - PI / 2.0, group));
                }
                if with_rug {
                    pieces.push(in_group(&rug, Vec2::ZERO, 0.0, group));
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
            };
            if take(room, annealed(room, rng, [0.9, 5.0], make, worth), visibility, |_| true) {
                return true;
            }
        }
    }
    false
}

/// Adds a group if enough of it is visible.
fn take(
    room: &mut Builder<'_>,
    group: Option<(Vec<Placed>, Stand)>,
    visibility: Visibility,
    is_well_turned: impl Fn(&[Placed]) -> bool,
) -> bool {
    let Some((pieces, _)) = group else { return false };
    // What is there for the picture only keeps fireplaces and kitchens in view.
    let hides = |p: &Placed| room.site.hidden(Class::Fixture, &p.footprint(), p.piece.size.z) > 0.02;
    let is_whole = || {
        score::is_whole(&room.site.shell.space, &room.done.placed, &pieces)
            && is_well_turned(&pieces)
            && !pieces.iter().any(hides)
    };
    let is_good = visibility == Visibility::Partly || is_whole();
    if is_good {
        room.done.placed.extend(pieces);
    }
    is_good
}

/// Whether chairs of a pair turn from the camera: seen from the side, one hides the other.
fn is_turned(pieces: &[Placed]) -> bool {
    pieces[..2].iter().any(|chair| score::faces_camera(chair) < 0.4)
}

/// Two armchairs with a table between them.
pub(super) fn lounge_group(room: &mut Builder<'_>, catalog: &Catalog, rng: &mut Rng, visibility: Visibility) -> bool {
    let chair = catalog.piece(PieceKind::Armchair, &mut Rng::advanced(rng.next_u64()));
    let table = catalog.piece(PieceKind::SideTable, &mut Rng::advanced(rng.next_u64()));
    let rug = catalog.rug(2.6, 1.9, false);
    for with_rug in [true, false] {
        let make = |group: (Vec2, f32)| {
            let deep = chair.size.y;
            let apart = table.size.x / 2.0 + chair.size.x / 2.0 + 0.16;
            let mut pieces = vec![
                in_group(&chair, Vec2::new(-apart, -deep / 2.0), 0.22, group),
                in_group(&chair, Vec2::new(apart, -deep / 2.0), -0.22, group),
                in_group(&table, Vec2::new(0.0, -deep / 2.0), 0.0, group),
            ];
            if with_rug {
                pieces.push(in_group(&rug, Vec2::new(0.0, -deep / 2.0 - 0.2), 0.0, group));
            }
            pieces
        };
        let worth = |p: &[Placed], _: &Stand| {
            let space = &room.site.shell.space;
            let is_whole = || score::is_whole(&room.site.shell.space, &room.done.placed, p);
            if visibility == Visibility::Whole && (is_turned(p) || !is_whole()) {
                return NOT_WHOLE;
            }
            p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32 + 0.4 * score::faces_camera(&p[0])
        };
        if take(room, annealed(room, rng, [0.15, 4.0], make, worth), visibility, |p| !is_turned(p)) {
            return true;
        }
    }
    false
}
