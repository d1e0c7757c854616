//! Sheers beside windows.

use std::ops::RangeInclusive;

use glam::Vec2;

use super::builder::Builder;
use super::placement::{Placed, at_wall};
use super::score;
use crate::catalog::Catalog;
use crate::piece::PieceKind;
use crate::pieces::curtains::{SHEERS, width_around};
use crate::recipe::Recipe;
use crate::style::Style;

/// Widths of windows that get sheers, and heights of their sills, meters. Lower ones are doors.
const WINDOW: RangeInclusive<f32> = 0.6..=3.0;
const SILL: RangeInclusive<f32> = 0.35..=1.4;
/// Distance between parts of one window, meters.
const MULLION: f32 = 0.4;
/// How wide the casing of a window may be, and heights of the rod above the glass that are tried, meters.
const CASING: f32 = 0.15;
const ABOVE: [f32; 4] = [0.15, 0.19, 0.23, 0.27];
/// Least distance of the rod from the ceiling, meters.
const BELOW_CEILING: f32 = 0.06;
/// Height from which the wall beside a window has to be bare: above its baseboard and a radiator's pipes, meters.
const FROM: f32 = 0.25;
/// Least cosine between the way to the camera and the normal of the wall, and least share of the sheers in the picture.
const SLANT: f32 = 0.3;
const SEEN: f32 = 0.6;
/// Most windows with sheers.
const MOST: usize = 3;

/// Whether a style has sheers at its windows.
fn suit(style: Style) -> bool {
    !matches!(style, Style::Minimalist | Style::Industrial | Style::Midcentury | Style::Modern)
}

/// Hangs sheers, drawn aside, at windows beside which the photo shows bare wall for them, and no furniture is in the way. All windows
/// of a wall get them, or none.
pub(super) fn hang_sheers(room: &mut Builder<'_>, catalog: &Catalog) {
    if !suit(catalog.palette.style) {
        return;
    }
    let windows = windows(room);
    let mut hung: Vec<(usize, Option<Placed>)> = Vec::new();
    for (side, rect) in &windows {
        hung.push((*side, sheers(room, catalog, *side, *rect)));
    }
    let is_whole = |side: usize| hung.iter().all(|(other, placed)| *other != side || placed.is_some());
    let sheers: Vec<Placed> =
        hung.iter().filter(|(side, _)| is_whole(*side)).filter_map(|(_, placed)| placed.clone()).collect();
    if sheers.len() <= MOST {
        room.done.placed.extend(sheers);
    }
}

/// The sheers of a window, if they may hang there.
fn sheers(room: &Builder<'_>, catalog: &Catalog, side: usize, [low, high]: [Vec2; 2]) -> Option<Placed> {
    let space = &room.site.shell.space;
    if !WINDOW.contains(&(high.x - low.x)) || !SILL.contains(&low.y) {
        return None;
    }
    let whole = width_around(high.x - low.x);
    let middle = (low.x + high.x) / 2.0;
    let ends = [middle - whole / 2.0, middle + whole / 2.0];
    if ends[0] < 0.03 || ends[1] > space.sides[side].length() - 0.03 {
        return None;
    }
    let is_bare = |top: f32| {
        top < space.height - BELOW_CEILING
            && room.site.is_bare(side, [Vec2::new(ends[0], top - 0.05), Vec2::new(ends[1], top + 0.03)], 0.0)
    };
    let top = ABOVE.iter().map(|above| high.y + above).find(|top| is_bare(*top))?;
    // The whole centimeters of the recipe.
    let top = (top * 100.0).floor() / 100.0;
    let recipe = Recipe::usual(PieceKind::Curtains, 3).sized(whole, top).formed(SHEERS);
    let placed = at_wall(room.site, &catalog.make(recipe), side, middle, 0.005);
    may_hang(room, &placed, side, [ends[0], low.x - CASING, high.x + CASING, ends[1]], top).then_some(placed)
}

/// Windows by wall, each with all of its parts.
fn windows(room: &Builder<'_>) -> Vec<(usize, [Vec2; 2])> {
    let windows = room.site.shell.windows.iter();
    let mut found: Vec<(usize, [Vec2; 2])> = windows.filter_map(|w| Some((w.side()?, w.rect))).collect();
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

/// Whether sheers may hang: on bare wall to both sides, in view, with nothing before them. `across` are the ends of the bare wall.
fn may_hang(room: &Builder<'_>, placed: &Placed, side: usize, across: [f32; 4], top: f32) -> bool {
    let (site, space) = (room.site, &room.site.shell.space);
    let wall = &space.sides[side];
    let at = wall.at((across[0] + across[3]) / 2.0, 0.0);
    let slant = wall.inward.dot(-at.truncate().normalize_or_zero());
    let bare = |from: f32, to: f32| site.is_bare(side, [Vec2::new(from, FROM), Vec2::new(to, top)], 0.0);
    let print = placed.footprint();
    let stands = |p: &Placed| p.is_solid() && p.footprint().overlaps(&print);
    let is_door = site
        .openings()
        .chain(&site.fixtures)
        .any(|d| d.side == side && d.across[0] < across[3] && across[0] < d.across[1]);
    slant > SLANT
        && score::seen(space, placed) > SEEN
        && bare(across[0], across[1].max(across[0] + 0.08))
        && bare(across[2].min(across[3] - 0.08), across[3])
        && !is_door
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

    /// The sheers of a room with a window in the far wall; `paint` is the brightness of the rest of that wall.
    fn hung(style: &str, paint: impl Fn(Vec3) -> f32) -> Vec<Placed> {
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
        hang_sheers(&mut room, &Catalog::new(&StylePrompt::parse(Some(style)), &OperatorModels::default(), 1));
        room.done.placed
    }

    #[test]
    fn sheers_hang_at_both_sides_of_a_window_and_not_over_what_is_beside_or_above_it() {
        let bare = hung("coastal", |_| 0.35);
        assert_eq!(bare.len(), 1);
        let (at, size) = (bare[0].at, bare[0].piece.size);
        assert!(
            at.x.abs() < 0.08 && at.y > 3.8 && (1.5..2.2).contains(&size.x) && (2.0..2.5).contains(&size.z),
            "{at} {size}"
        );
        assert!(!bare[0].is_solid() && !bare[0].is_flat());
        assert!(hung("coastal", |p| if (0.75..0.9).contains(&p.x) { 0.05 } else { 0.35 }).is_empty());
        assert!(hung("coastal", |p| if p.z > 2.05 { 0.05 } else { 0.35 }).is_empty());
    }

    #[test]
    fn styles_with_bare_windows_get_no_sheers() {
        assert!(hung("industrial", |_| 0.35).is_empty());
    }
}
