//! Plans of rooms whose fixtures are there already, and of terraces: a few things that make them lived in.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::beside::{corner_piece, corner_plant, more_art};
use super::rooms::{Stand, annealed};
use super::{Builder, Placed, at_wall, in_group, score};
use crate::chance::Chance;
use crate::light::Window;
use crate::pieces::{decor, household, plants, seats, tables};
use crate::style::Palette;

/// A table for meals with two to four chairs, where the floor has room; else something at a wall.
pub(super) fn kitchen(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let mut is_done = round_group(room, palette, chance, true, Wanted::Seen);
    if !is_done {
        room.done.left_out.push("round table");
    }
    let trolley = palette.pick(household::trolley(palette, chance));
    if room.against_wall(&trolley, 0.03, chance, |_, _| 0.1) {
        is_done = true;
    } else {
        room.done.left_out.push(trolley.kind);
    }
    let stool = palette.pick(seats::stool(0.65, chance));
    if !is_done {
        is_done = room.against_wall(&stool, 0.05, chance, |_, _| 0.1);
    }
    corner_plant(room, palette, chance, false);
    more_art(room, palette, chance);
    is_done
}

/// Towels, a mat, a stool and green.
pub(super) fn bathroom(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let ladder = palette.pick(household::towel_ladder(palette, chance));
    let mut is_done = room.against_wall(&ladder, 0.0, chance, |_, _| 0.2);
    let mut stool = palette.pick(seats::stool(0.45, chance));
    let seat = stool.size.z;
    stool.bear(&household::towels(3, chance), 0.2, Vec3::new(0.0, 0.0, seat));
    is_done |= room.against_wall(&stool, 0.06, chance, |_, _| 0.1);
    let hamper = palette.pick(household::hamper());
    is_done |= corner_piece(room, &hamper, chance);
    let plant = palette.pick(plants::blades(chance));
    is_done |= corner_piece(room, &plant, chance);
    if is_done {
        // A mat before a wall, on floor that stays free.
        let mat = palette.pick(household::bath_mat(chance));
        if !room.against_wall(&mat, 0.35, chance, |_, _| 0.2) {
            room.done.left_out.push(mat.kind);
        }
    }
    is_done
}

/// A table with chairs or a pair of armchairs, planters and lanterns; nothing on walls.
pub(super) fn patio(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let is_meal = chance.happens(0.5) && round_group(room, palette, chance, false, Wanted::Seen);
    if !is_meal && !lounge(room, palette, chance, Wanted::Seen) {
        return false;
    }
    let planter = palette.pick(household::planter(chance));
    room.against_wall(&planter, 0.05, chance, |_, _| 0.2);
    corner_plant(room, palette, chance, true);
    for height in [0.48, 0.34] {
        let lantern = palette.pick(household::lantern(height));
        room.against_wall(&lantern, 0.08, chance, |_, _| 0.1);
    }
    true
}

/// What a group has to be in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Seen, be it in part.
    Seen,
    /// Whole: it is there for the picture alone.
    Whole,
}

/// Score of what is not whole though it is wanted so.
const NOT_WHOLE: f32 = -100.0;

/// A round table with two to four chairs.
pub(super) fn round_group(
    room: &mut Builder<'_>,
    palette: &Palette,
    chance: &mut Chance,
    has_rug: bool,
    wanted: Wanted,
) -> bool {
    let chair = palette.pick(seats::dining_chair(palette, &mut Chance::new(chance.bits())));
    for (width, chairs) in [(1.10, 4), (0.90, 3), (0.75, 2)] {
        let table = palette.pick(household::bistro_table(palette, width, &mut Chance::new(chance.bits())));
        let rug = palette.pick(decor::rug(width + 1.35, width + 1.35, true, &mut Chance::new(5)));
        for with_rug in [has_rug, false] {
            let make = |group: (Vec2, f32)| {
                let mut pieces = vec![in_group(&table, Vec2::ZERO, 0.0, group)];
                for i in 0..chairs {
                    let turn = TAU * i as f32 / chairs as f32 + PI / 2.0;
                    // Footprints are rectangles: on the diagonal a round table takes up more than it has.
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
                if wanted == Wanted::Whole && !score::is_whole(room, p) {
                    return NOT_WHOLE;
                }
                p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32
                    + score::view(space, &p[0])
                    + 0.1 * space.clearance(p[0].at.truncate())
            };
            if take(room, annealed(room, chance, [0.9, 2.8], make, worth), wanted) {
                return true;
            }
        }
    }
    false
}

/// Takes a group that was found, if it is as wanted.
fn take(room: &mut Builder<'_>, found: Option<(Vec<Placed>, Stand)>, wanted: Wanted) -> bool {
    let Some((pieces, _)) = found else { return false };
    let is_good = wanted == Wanted::Seen || score::is_whole(room, &pieces);
    if is_good {
        room.done.placed.extend(pieces);
    }
    is_good
}

/// Two armchairs with a table between them.
pub(super) fn lounge(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance, wanted: Wanted) -> bool {
    let chair = palette.pick(seats::armchair(palette, &mut Chance::new(chance.bits())));
    let table = palette.pick(tables::side_table(palette, &mut Chance::new(chance.bits())));
    let rug = palette.pick(decor::rug(2.6, 1.9, false, &mut Chance::new(5)));
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
            if wanted == Wanted::Whole && !score::is_whole(room, p) {
                return NOT_WHOLE;
            }
            p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32 + 0.4 * score::faces_camera(&p[0])
        };
        if take(room, annealed(room, chance, [0.15, 1.2], make, worth), wanted) {
            return true;
        }
    }
    false
}

/// Curtains beside a window, where there is bare wall on both sides: they hide nothing but wall. Lofts have none.
pub(super) fn curtains(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) {
    const REACH: [f32; 4] = [0.04, 0.10, 0.16, 0.22];
    if palette.name == "industrial" {
        return;
    }
    let shell = room.site.shell;
    let windows = shell.windows.iter().filter_map(|w| Some((w.side()?, w.rect))).filter(|(side, rect)| {
        let size = rect[1] - rect[0];
        shell.space.sides[*side].seen && size.y > 0.7 && (0.5..3.2).contains(&size.x)
    });
    for (side, [low, high]) in windows {
        let rail = high.y + 0.10;
        if rail + 0.08 > shell.space.height {
            continue;
        }
        let width = ((high.x - low.x) * 0.22).clamp(0.22, 0.42);
        let beside = |way: f32| {
            REACH.into_iter().find_map(|off| {
                let edge = if way < 0.0 { low.x - off - width } else { high.x + off };
                let rect = [Vec2::new(edge, 0.20), Vec2::new(edge + width, rail + 0.04)];
                shell.is_bare(side, rect, 0.01).then_some(edge + width / 2.0)
            })
        };
        let (Some(left), Some(right)) = (beside(-1.0), beside(1.0)) else { continue };
        let over = [Vec2::new(left - width / 2.0, rail - 0.01), Vec2::new(right + width / 2.0, rail + 0.05)];
        // The rail lies over wall and over the window's own casing, never over another window.
        let is_window =
            |w: &Window| w.side() == Some(side) && w.rect[0].cmplt(over[1]).all() && w.rect[1].cmpgt(over[0]).all();
        let hangs = room.hangs_over(side, [Vec2::new(over[0].x, 0.3), over[1]]);
        if hangs || shell.windows.iter().any(is_window) {
            continue;
        }
        let cloth = household::curtain(width, rail, chance);
        let mut rod =
            at_wall(room.site, &household::curtain_rail(right - left + width), side, (left + right) / 2.0, 0.01);
        rod.at.z = rail;
        let panels = [left, right].map(|along| at_wall(room.site, &cloth, side, along, 0.02));
        let [first, second] = panels;
        room.add(vec![first, second, rod]);
    }
}
