//! Drapes beside windows.

use std::ops::RangeInclusive;

use glam::Vec2;

use super::builder::Builder;
use super::placement::{Placed, at_wall};
use super::score;
use crate::catalog::Catalog;
use crate::piece::PieceKind;
use crate::pieces::textiles::{DRAPES, width_around};
use crate::recipe::Recipe;

/// Widths of windows that get drapes, and heights of their sills, meters. Lower ones are doors, or have a radiator below.
const WINDOW: RangeInclusive<f32> = 0.6..=2.6;
const SILL: RangeInclusive<f32> = 0.4..=1.4;
/// Distance between parts of one window, meters.
const MULLION: f32 = 0.4;
/// How wide the casing of a window may be, and how far above it the rod is, meters.
const CASING: f32 = 0.16;
const ABOVE: f32 = 0.16;
/// Least distance of the rod from the ceiling, meters.
const BELOW_CEILING: f32 = 0.06;
/// Least cosine between the way to the camera and the normal of the wall.
const SLANT: f32 = 0.3;
/// Most windows with drapes.
const MOST: usize = 3;

/// Hangs drapes at both sides of windows where the photo shows bare wall for them, and no furniture is in the way.
pub(super) fn hang_drapes(room: &mut Builder<'_>, catalog: &Catalog) {
    let space = &room.site.shell.space;
    let mut count = 0;
    for (side, [low, high]) in windows(room) {
        let (wide, sill) = (high.x - low.x, low.y);
        let top = (high.y + ABOVE).min(space.height - BELOW_CEILING);
        if count == MOST || !WINDOW.contains(&wide) || !SILL.contains(&sill) || top < high.y + 0.06 {
            continue;
        }
        let whole = width_around(wide);
        let middle = (low.x + high.x) / 2.0;
        let ends = [middle - whole / 2.0, middle + whole / 2.0];
        if ends[0] < 0.03 || ends[1] > space.sides[side].length() - 0.03 {
            continue;
        }
        let recipe = Recipe::usual(PieceKind::Curtains, 3).sized(whole, top).formed(DRAPES);
        let placed = at_wall(room.site, &catalog.make(recipe), side, middle, 0.005);
        if may_hang(room, &placed, side, [ends[0], low.x - CASING, high.x + CASING, ends[1]], top) {
            room.done.placed.push(placed);
            count += 1;
        }
    }
}

/// Windows by wall, each with all of its parts.
fn windows(room: &Builder<'_>) -> Vec<(usize, [Vec2; 2])> {
    let mut found: Vec<(usize, [Vec2; 2])> = Vec::new();
    for window in &room.site.shell.windows {
        let Some(side) = window.side() else { continue };
        found.push((side, window.rect));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1[0].x.total_cmp(&b.1[0].x)));
    let mut joined: Vec<(usize, [Vec2; 2])> = Vec::new();
    for (side, rect) in found {
        match joined.last_mut() {
            Some((other, last)) if *other == side && rect[0].x - last[1].x < MULLION => {
                *last = [last[0].min(rect[0]), last[1].max(rect[1])];
            }
            _ => joined.push((side, rect)),
        }
    }
    joined
}

/// Whether drapes may hang: on bare wall to both sides, in view, with nothing before them. `across` are the ends of the bare wall.
fn may_hang(room: &Builder<'_>, placed: &Placed, side: usize, across: [f32; 4], top: f32) -> bool {
    let (site, space) = (room.site, &room.site.shell.space);
    let wall = &space.sides[side];
    let at = wall.at((across[0] + across[3]) / 2.0, 0.0);
    let slant = wall.inward.dot(-at.truncate().normalize_or_zero());
    let bare = |from: f32, to: f32| {
        let to = to.max(from + 0.08);
        site.is_bare(side, [Vec2::new(from, 0.25), Vec2::new(to, top.min(space.height - 0.25))], 0.0)
    };
    let print = placed.footprint();
    let stands = |p: &Placed| p.is_solid() && p.footprint().overlaps(&print);
    let is_door = |from: f32, to: f32| {
        site.doors.iter().chain(&site.fixtures).any(|d| d.side == side && d.across[0] < to && from < d.across[1])
    };
    slant > SLANT
        && score::seen(space, placed) > 0.6
        && bare(across[0], across[1])
        && bare(across[2].min(across[3] - 0.08), across[3])
        && !is_door(across[0], across[3])
        && !room.done.placed.iter().any(stands)
        && !room.hangs_over(side, [Vec2::new(across[0], 0.1), Vec2::new(across[3], top)])
}

#[cfg(test)]
mod tests {
    use aerie_photo::Photo;
    use aerie_photo::color::encoded;
    use aerie_photo::room::Camera;
    use glam::{DVec2, Vec3};

    use super::*;
    use crate::light::Shell;
    use crate::operator_models::OperatorModels;
    use crate::prompt::StylePrompt;
    use crate::site::Site;
    use crate::space::{Surface, boxed};

    /// The curtains of a room with a window in the far wall; `paint` is the brightness of the rest of that wall.
    fn hung(paint: impl Fn(Vec3) -> f32) -> Vec<Placed> {
        let camera = Camera::turned(960, 640, 600.0, 0.0, 0.0, 0.0);
        let space = boxed(camera, 1.3, Vec2::new(-2.0, -1.0), Vec2::new(2.0, 4.0), 2.6);
        let pixel = |i: usize| {
            let ray = space.ray(DVec2::new((i % 960) as f64 + 0.5, (i / 960) as f64 + 0.5));
            let (reach, surface) = space.intersect(space.eye, ray);
            let place = space.eye + ray * reach;
            let is_glass = place.x.abs() < 0.6 && (0.9..2.0).contains(&place.z);
            let light = match surface {
                Surface::Wall(_) if place.y > 3.9 => {
                    if is_glass {
                        1.0
                    } else {
                        paint(place)
                    }
                }
                _ => 0.3,
            };
            encoded([light; 3])
        };
        let photo = Photo::new(960, 640, (0..960 * 640).map(pixel).collect());
        let shell = Shell::of(space.clone(), &photo, None);
        let site = Site::of(&shell, &[], None);
        let mut room = Builder::new(&site);
        hang_drapes(&mut room, &Catalog::new(&StylePrompt::parse(None), &OperatorModels::default(), 1));
        room.done.placed
    }

    #[test]
    fn drapes_hang_at_both_sides_of_a_window_and_not_over_what_is_beside_it() {
        let bare = hung(|_| 0.35);
        assert_eq!(bare.len(), 1);
        let (at, size) = (bare[0].at, bare[0].piece.size);
        assert!(
            at.x.abs() < 0.08 && at.y > 3.8 && (1.5..2.2).contains(&size.x) && (2.0..2.5).contains(&size.z),
            "{at} {size}"
        );
        assert!(!bare[0].is_solid() && !bare[0].is_flat());
        assert!(hung(|p| if (0.75..0.9).contains(&p.x) { 0.05 } else { 0.35 }).is_empty());
    }
}
