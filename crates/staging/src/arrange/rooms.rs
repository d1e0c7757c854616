//! Plans of rooms: what a living room is about, what a bedroom is about.

use std::f32::consts::PI;

use glam::Vec2;

use super::beside::{above, above_last, corner_piece, corner_plant, last_wall, more_art, wall_in_view};
use super::others::Wanted;
use super::{Arrangement, Builder, Placed, in_group, others, score};
use crate::chance::Chance;
use crate::pieces::{Piece, beds, decor, household, lamps, seats, storage, tables};
use crate::site::Site;
use crate::style::Palette;

/// What a room is furnished as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomPlan {
    /// Sofa, table, seats.
    Living,
    /// Bed, night tables.
    Bedroom,
    /// Table and chairs.
    Dining,
    /// Desk, chair, shelf.
    Office,
    /// Single bed, desk.
    Kids,
    /// Cot, armchair.
    Nursery,
    /// Console, bench, mirror.
    Entry,
    /// A table for meals, a trolley.
    Kitchen,
    /// Towels, mat, stool.
    Bathroom,
    /// Table and chairs or armchairs under the sky.
    Patio,
}

impl RoomPlan {
    /// The plan of a room type, and the room type it stands for.
    #[must_use]
    pub fn of(room_type: &str) -> (Self, &'static str) {
        match room_type {
            "living_room" | "family_room" | "lounge" | "den" | "sunroom" | "great_room" => {
                (Self::Living, "living_room")
            }
            "bedroom" | "master_bedroom" | "guest_room" => (Self::Bedroom, "bedroom"),
            "kitchen" | "kitchenette" => (Self::Kitchen, "kitchen"),
            "bathroom" | "ensuite" | "powder_room" | "laundry" => (Self::Bathroom, "bathroom"),
            "outdoor_patio" | "patio" | "terrace" | "balcony" | "deck" => (Self::Patio, "outdoor_patio"),
            "dining_room" | "breakfast_room" => (Self::Dining, "dining_room"),
            "home_office" | "office" | "study" | "library" => (Self::Office, "home_office"),
            "kids_room" | "childrens_room" => (Self::Kids, "kids_room"),
            "nursery" => (Self::Nursery, "nursery"),
            "entryway" | "hallway" | "foyer" => (Self::Entry, "entryway"),
            other if other.contains("bath") => (Self::Bathroom, "bathroom"),
            other if other.contains("kitchen") => (Self::Kitchen, "kitchen"),
            other if other.contains("bed") => (Self::Bedroom, "bedroom"),
            other if other.contains("dining") => (Self::Dining, "dining_room"),
            other if other.contains("office") => (Self::Office, "home_office"),
            _ => (Self::Living, "living_room"),
        }
    }
}

/// Room types that have a plan of their own.
#[must_use]
pub fn known_rooms() -> &'static [&'static str] {
    &[
        "living_room",
        "bedroom",
        "kitchen",
        "bathroom",
        "dining_room",
        "home_office",
        "kids_room",
        "nursery",
        "entryway",
        "outdoor_patio",
    ]
}

pub(super) fn furnish(site: &Site<'_>, plan: RoomPlan, palette: &Palette, seed: u64) -> Option<Arrangement> {
    let mut room = Builder { site, done: Arrangement::default() };
    let mut chance = Chance::named(seed, "arrangement");
    let is_done = match plan {
        RoomPlan::Living => living(&mut room, palette, &mut chance),
        RoomPlan::Bedroom => bedroom(&mut room, palette, &mut chance, beds::bed),
        RoomPlan::Dining => dining(&mut room, palette, &mut chance),
        RoomPlan::Office => office(&mut room, palette, &mut chance),
        RoomPlan::Kids => kids(&mut room, palette, &mut chance),
        RoomPlan::Nursery => nursery(&mut room, palette, &mut chance),
        RoomPlan::Entry => entry(&mut room, palette, &mut chance),
        RoomPlan::Kitchen => others::kitchen(&mut room, palette, &mut chance),
        RoomPlan::Bathroom => others::bathroom(&mut room, palette, &mut chance),
        RoomPlan::Patio => others::patio(&mut room, palette, &mut chance),
    };
    is_done.then_some(room.done)
}

/// Where a group may stand: its back's middle, its turn, the wall behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    side: usize,
    along: f32,
    off: f32,
}

impl Stand {
    fn group(&self, site: &Site<'_>) -> (Vec2, f32) {
        let wall = &site.shell.space.sides[self.side];
        (wall.at(self.along, 0.0).truncate() + wall.inward * self.off, wall.inward.to_angle() + PI / 2.0)
    }
}

/// The best stand for a group by annealing: `make` gives its pieces, of which all must fit; `worth` scores them.
pub(super) fn annealed(
    room: &Builder<'_>,
    chance: &mut Chance,
    offs: [f32; 2],
    make: impl Fn((Vec2, f32)) -> Vec<Placed>,
    worth: impl Fn(&[Placed], &Stand) -> f32,
) -> Option<(Vec<Placed>, Stand)> {
    let site = room.site;
    let sides = &site.shell.space.sides;
    let open: Vec<usize> = (0..sides.len()).filter(|i| sides[*i].seen && sides[*i].length() > 1.2).collect();
    if open.is_empty() {
        return None;
    }
    let drawn = |chance: &mut Chance| {
        let side = open[chance.below(open.len())];
        let off = if chance.happens(0.6) { offs[0] } else { chance.within(offs[0], offs[1]) };
        Stand { side, along: chance.within(0.3, sides[side].length() - 0.3), off }
    };
    let judged = |stand: &Stand| {
        let pieces = make(stand.group(site));
        (room.admits(&pieces) && room.keeps_ways(&pieces)).then(|| (worth(&pieces, stand), pieces))
    };
    let mut best: Option<(f32, Vec<Placed>, Stand)> = None;
    for _ in 0..4 {
        // A start that fits, then steps that may also be to the worse, ever less.
        let start = (0..160).find_map(|_| {
            let stand = drawn(chance);
            judged(&stand).map(|(score, pieces)| (score, pieces, stand))
        });
        let Some(mut now) = start else { continue };
        for step in 0..70 {
            let warmth = 0.35 * (1.0 - step as f32 / 70.0);
            let mut stand = now.2;
            if chance.happens(0.15) {
                stand = drawn(chance);
            } else {
                stand.along += chance.within(-0.6, 0.6) * (0.3 + warmth * 2.0);
                if chance.happens(0.3) {
                    stand.off = (stand.off + chance.within(-0.3, 0.3)).clamp(offs[0], offs[1]);
                }
            }
            if let Some((score, pieces)) = judged(&stand)
                && (score > now.0 || chance.happens(((score - now.0) / warmth.max(0.01)).exp()))
            {
                now = (score, pieces, stand);
            }
            if best.as_ref().is_none_or(|b| now.0 > b.0) {
                best = Some(now.clone());
            }
        }
    }
    best.map(|(_, pieces, stand)| (pieces, stand))
}

fn worth_of_group(room: &Builder<'_>, pieces: &[Placed], stand: &Stand) -> f32 {
    let space = &room.site.shell.space;
    let main = &pieces[0];
    let seen: f32 = pieces.iter().map(|p| score::view(space, p)).sum::<f32>() / pieces.len() as f32;
    let half = main.piece.size.x / 2.0;
    let odd = room.site.oddness(stand.side, [stand.along - half, stand.along + half]);
    // Symmetry about the wall is restful.
    let wall = space.sides[stand.side].length();
    let middle = 1.0 - ((stand.along - wall / 2.0).abs() / wall).min(0.5) * 2.0;
    // A picture above the main piece wants bare wall.
    let bare = room.site.shell.is_bare(
        stand.side,
        [Vec2::new(stand.along - 0.45, 1.15), Vec2::new(stand.along + 0.45, 1.75)],
        0.03,
    );
    // Backs of chairs near the lens hide the rest.
    let backs: f32 = pieces[1..]
        .iter()
        .filter(|p| p.piece.kind == "armchair")
        .map(|p| {
            0.5 * (-0.2 - score::faces_camera(p)).max(0.0) + 0.8 * ((2.4 - p.at.truncate().length()) / 1.2).max(0.0)
        })
        .sum();
    // What is cut off by the picture's rim, and what stands before a hearth or shelves, is better left away.
    let stands = || pieces[1..].iter().filter(|p| p.is_solid());
    let cut: f32 = stands().map(|p| 1.6 * (1.0 - score::seen(space, p))).sum();
    let hides: f32 =
        0.9 * room.site.hides(&main.footprint()) + stands().map(|p| 0.5 * room.site.hides(&p.footprint())).sum::<f32>();
    let far = 0.10 * (main.at.truncate().length() - 4.5).max(0.0);
    -backs - cut - hides - far + 1.6 * seen + 0.45 * score::faces_camera(main) + 0.25 * middle
        - 0.7 * odd
        - 0.16 * (stand.off - 0.08).max(0.0)
        + if bare { 0.25 } else { 0.0 }
        + 0.6 * score::view(space, main)
}

/// Bare floor in view, square meters, above which a living room is given a second group.
const SECOND_GROUP: f32 = 11.0;

fn living(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let site = room.site;
    let longest = site.shell.space.sides.iter().filter(|s| s.seen).map(|s| s.length()).fold(0.0, f32::max);
    let widths: &[f32] = if longest > 4.2 { &[2.25, 1.90, 1.55] } else { &[1.95, 1.55] };
    let table = palette.pick(tables::coffee_table(palette, &mut Chance::new(chance.bits())));
    let chair = palette.pick(seats::armchair(palette, &mut Chance::new(chance.bits())));
    let mut stand = None;
    'sizes: for width in widths {
        let sofa = palette.pick(seats::sofa(palette, *width, &mut Chance::new(chance.bits())));
        // With two armchairs, one, none: whichever looks best.
        let mut best: Option<(f32, Vec<Placed>, Stand)> = None;
        for chairs in [&[1.0_f32, -1.0][..], &[1.0], &[-1.0], &[]] {
            let (wide, deep) = ((width + 0.75).min(3.4), 2.15);
            let rug = palette.pick(decor::rug(wide, deep, false, &mut Chance::new(5)));
            let make = |group: (Vec2, f32)| {
                let sofa_y = -sofa.size.y / 2.0;
                let table_y = -sofa.size.y - 0.42 - table.size.y / 2.0;
                let mut pieces = vec![
                    in_group(&sofa, Vec2::new(0.0, sofa_y), 0.0, group),
                    in_group(&table, Vec2::new(0.0, table_y), 0.0, group),
                    in_group(&rug, Vec2::new(0.0, -sofa.size.y + 0.28 - deep / 2.0), 0.0, group),
                ];
                for side in chairs {
                    let at = Vec2::new(side * (table.size.x / 2.0 + 0.95), table_y - 0.30);
                    pieces.push(in_group(&chair, at, -side * 1.18 - side * 0.0, group));
                }
                pieces
            };
            let worth = |p: &[Placed], s: &Stand| worth_of_group(room, p, s) + 0.22 * chairs.len() as f32;
            if let Some((pieces, at)) = annealed(room, chance, [0.07, 2.0], make, worth) {
                let score = worth(&pieces, &at);
                if best.as_ref().is_none_or(|b| score > b.0) {
                    best = Some((score, pieces, at));
                }
            }
        }
        if let Some((_, pieces, at)) = best {
            room.done.placed.extend(pieces);
            stand = Some(at);
            break 'sizes;
        }
    }
    let Some(stand) = stand else { return false };
    others::curtains(room, palette, chance);
    let group = stand.group(site);
    let half = room.done.placed[0].piece.size.x / 2.0;
    // Beside the sofa: a table with a lamp on one side, a lamp or a plant on the other.
    let first = if chance.happens(0.5) { 1.0 } else { -1.0 };
    let mut side_table = palette.pick(tables::side_table(palette, chance));
    let lamp = palette.pick(lamps::table_lamp(palette, chance));
    side_table.bear(&lamp, 0.0, glam::Vec3::new(0.0, 0.0, side_table.size.z));
    let floor_lamp = palette.pick(lamps::floor_lamp(palette, chance));
    for (piece, side) in [(&side_table, first), (&floor_lamp, -first)] {
        let at = |side: f32| Vec2::new(side * (half + piece.size.x / 2.0 + 0.10), -0.30);
        let is_there = [side, -side].into_iter().any(|s| room.add(vec![in_group(piece, at(s), 0.0, group)]));
        if !is_there {
            room.done.left_out.push(piece.kind);
        }
    }
    let top = room.done.placed[0].piece.size.z;
    above(room, palette, chance, stand.side, stand.along, top, 2.0 * half);
    if score::free_floor(room) > SECOND_GROUP && palette.name != "minimalist" {
        // A large room with one group looks bare: a table for meals, or a place to read.
        let _ = others::round_group(room, palette, chance, true, Wanted::Whole)
            || others::lounge(room, palette, chance, Wanted::Whole);
    }
    corner_plant(room, palette, chance, true);
    let main_front = Vec2::from_angle(group.1).rotate(-Vec2::Y);
    let width = chance.within(1.5, 1.8);
    let console = palette.pick(storage::media_console(palette, width, chance));
    let sides = site.shell.space.sides.clone();
    let opposite = |_: &Placed, side: usize| {
        0.15 - 0.35 * sides[side].inward.dot(main_front) + if side == stand.side { -0.6 } else { 0.0 }
    };
    if room.against_wall(&console, 0.02, chance, opposite) {
        above_last(room, palette, chance, 0.62);
    } else {
        room.done.left_out.push(console.kind);
    }
    if palette.name != "minimalist" {
        let shelf = palette.pick(storage::bookshelf(palette, chance));
        room.against_wall(&shelf, 0.02, chance, |_, side| if side == stand.side { -0.5 } else { -0.15 });
        corner_plant(room, palette, chance, false);
        let basket = palette.pick(decor::basket(chance));
        room.against_wall(&basket, 0.08, chance, |_, side| if side == stand.side { 0.0 } else { -0.35 });
    }
    more_art(room, palette, chance);
    true
}

fn bedroom(
    room: &mut Builder<'_>,
    palette: &Palette,
    chance: &mut Chance,
    make_bed: impl Fn(&Palette, f32, &mut Chance) -> Piece,
) -> bool {
    let mut stand = None;
    let table = palette.pick(storage::nightstand(palette, true, &mut Chance::new(chance.bits())));
    'sizes: for width in [1.65, 1.45, 1.25] {
        let bed = palette.pick(make_bed(palette, width, &mut Chance::new(chance.bits())));
        let (wide, deep) = (bed.size.x + 1.15, 1.75);
        let rug = palette.pick(decor::rug(wide, deep, false, &mut Chance::new(5)));
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
            let found = annealed(room, chance, [0.05, 0.12], make, |p, s| {
                // Seen a little from the side, a bed shows more than its foot.
                worth_of_group(room, p, s) - 0.3 * (score::faces_camera(&p[0]).abs() - 0.85).max(0.0)
            });
            if let Some((pieces, at)) = found {
                room.done.placed.extend(pieces);
                stand = Some(at);
                break 'sizes;
            }
        }
    }
    let Some(stand) = stand else { return false };
    others::curtains(room, palette, chance);
    let group = stand.group(room.site);
    let bed = room.done.placed[0].piece.size;
    if bed.x > 1.2 {
        let bench = palette.pick(seats::bench(palette, 1.25, chance));
        if !room.add(vec![in_group(&bench, Vec2::new(0.0, -bed.y - 0.10 - bench.size.y / 2.0), 0.0, group)]) {
            room.done.left_out.push("bench");
        }
    }
    above(room, palette, chance, stand.side, stand.along, bed.z, bed.x);
    let dresser = palette.pick(storage::dresser(palette, chance));
    if room.against_wall(&dresser, 0.02, chance, |_, side| if side == stand.side { -0.6 } else { 0.1 }) {
        above_last(room, palette, chance, 0.95);
    } else {
        room.done.left_out.push(dresser.kind);
    }
    if bed.x > 1.2 {
        let wardrobe = palette.pick(storage::wardrobe(palette, chance));
        room.against_wall(&wardrobe, 0.02, chance, |_, side| if side == stand.side { -0.8 } else { -0.25 });
    }
    corner_plant(room, palette, chance, true);
    let chair = palette.pick(seats::armchair(palette, chance));
    corner_piece(room, &chair, chance);
    if palette.name != "minimalist" {
        let ladder = palette.pick(decor::ladder(palette, chance));
        room.against_wall(&ladder, 0.0, chance, |_, side| if side == stand.side { -0.4 } else { -0.2 });
    }
    more_art(room, palette, chance);
    true
}

fn kids(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let is_done = bedroom(room, palette, chance, |p, _, c| beds::single_bed(p, c));
    if is_done {
        let chest = palette.pick(household::toy_chest(palette, chance));
        room.against_wall(&chest, 0.02, chance, |_, _| 0.0);
        let pouf = palette.pick(seats::pouf(chance));
        corner_piece(room, &pouf, chance);
    }
    is_done
}

fn dining(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let chair = palette.pick(seats::dining_chair(palette, &mut Chance::new(chance.bits())));
    let mut is_done = false;
    'sizes: for (length, each) in [(2.0, 3), (1.6, 2), (1.3, 2)] {
        let table = palette.pick(tables::dining_table(palette, length, &mut Chance::new(chance.bits())));
        let (wide, deep) = (length + 1.3, table.size.y + 1.45);
        let rug = palette.pick(decor::rug(wide, deep, false, &mut Chance::new(5)));
        for has_rug in [true, false] {
            for turned in [0.0, PI / 2.0] {
                let make = |group: (Vec2, f32)| {
                    let group = (group.0, group.1 + turned);
                    let mut pieces = vec![in_group(&table, Vec2::ZERO, 0.0, group)];
                    for i in 0..each {
                        let x = ((i as f32 + 0.5) / each as f32 - 0.5) * (length - 0.2);
                        for side in [-1.0_f32, 1.0] {
                            let y = side * ((table.size.y + chair.size.y) / 2.0 + 0.03 + 0.03 * ((i + 1) % 2) as f32);
                            pieces.push(in_group(&chair, Vec2::new(x, y), if side > 0.0 { 0.0 } else { PI }, group));
                        }
                    }
                    if has_rug {
                        pieces.push(in_group(&rug, Vec2::ZERO, 0.0, group));
                    }
                    pieces
                };
                let found = annealed(room, chance, [1.3, 3.2], make, |p, _| {
                    let space = &room.site.shell.space;
                    p.iter().map(|p| score::view(space, p)).sum::<f32>() / p.len() as f32
                        + score::view(space, &p[0])
                        + 0.1 * space.clearance(p[0].at.truncate())
                });
                if let Some((pieces, _)) = found {
                    room.done.placed.extend(pieces);
                    is_done = true;
                    break 'sizes;
                }
            }
        }
    }
    if !is_done {
        return false;
    }
    others::curtains(room, palette, chance);
    let mut board = storage::media_console(palette, 1.6, chance);
    board.kind = "sideboard";
    let board = palette.pick(board);
    if room.against_wall(&board, 0.02, chance, |_, _| 0.2) {
        above_last(room, palette, chance, 0.62);
    }
    corner_plant(room, palette, chance, true);
    more_art(room, palette, chance);
    true
}

fn office(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let desk = palette.pick(tables::desk(palette, &mut Chance::new(chance.bits())));
    let chair = palette.pick(seats::desk_chair(&mut Chance::new(chance.bits())));
    let rug = palette.pick(decor::rug(2.0, 1.5, false, &mut Chance::new(5)));
    let mut stand = None;
    for has_rug in [true, false] {
        let make = |group: (Vec2, f32)| {
            // The chair stands between desk and room, and looks at the desk.
            let mut pieces = vec![
                in_group(&desk, Vec2::new(0.0, -desk.size.y / 2.0), 0.0, group),
                in_group(&chair, Vec2::new(0.05, -desk.size.y - 0.40), PI + 0.25, group),
            ];
            if has_rug {
                pieces.push(in_group(&rug, Vec2::new(0.0, -desk.size.y - 0.45), 0.0, group));
            }
            pieces
        };
        stand = annealed(room, chance, [0.03, 0.10], make, |p, s| worth_of_group(room, p, s));
        if stand.is_some() {
            break;
        }
    }
    let Some((pieces, stand)) = stand else { return false };
    room.done.placed.extend(pieces);
    above(room, palette, chance, stand.side, stand.along, 1.05, 1.4);
    if let Some((side, along)) = wall_in_view(room, chance) {
        room.hang(&palette.pick(household::clock()), side, along, 1.85);
    }
    let shelf = palette.pick(storage::bookshelf(palette, chance));
    if !room.against_wall(&shelf, 0.02, chance, |_, _| 0.1) {
        room.done.left_out.push(shelf.kind);
    }
    let armchair = palette.pick(seats::armchair(palette, chance));
    corner_piece(room, &armchair, chance);
    corner_plant(room, palette, chance, true);
    more_art(room, palette, chance);
    true
}

fn nursery(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let cot = palette.pick(beds::cot(chance));
    let rug = palette.pick(decor::rug(2.0, 2.0, true, &mut Chance::new(5)));
    let make = |group: (Vec2, f32)| {
        vec![
            in_group(&cot, Vec2::new(0.0, -cot.size.y / 2.0), 0.0, group),
            in_group(&rug, Vec2::new(0.3, -cot.size.y - 1.1), 0.0, group),
        ]
    };
    let Some((pieces, stand)) = annealed(room, chance, [0.06, 0.12], make, |p, s| worth_of_group(room, p, s)) else {
        return false;
    };
    room.done.placed.extend(pieces);
    others::curtains(room, palette, chance);
    above(room, palette, chance, stand.side, stand.along, 0.95, 1.2);
    let dresser = palette.pick(storage::dresser(palette, chance));
    if room.against_wall(&dresser, 0.02, chance, |_, _| 0.1) {
        above_last(room, palette, chance, 0.95);
    }
    let chair = palette.pick(seats::armchair(palette, chance));
    corner_piece(room, &chair, chance);
    let chest = palette.pick(household::toy_chest(palette, chance));
    room.against_wall(&chest, 0.02, chance, |_, _| -0.05);
    let basket = palette.pick(decor::basket(chance));
    room.against_wall(&basket, 0.08, chance, |_, _| -0.1);
    true
}

fn entry(room: &mut Builder<'_>, palette: &Palette, chance: &mut Chance) -> bool {
    let console = palette.pick(storage::console_table(palette, chance));
    if !room.against_wall(&console, 0.02, chance, |_, _| 0.4) {
        return false;
    }
    if let Some((side, along)) = last_wall(room) {
        let mirror = palette.pick(decor::mirror(0.70));
        room.hang(&mirror, side, along, 1.58);
    }
    let bench = palette.pick(seats::bench(palette, 1.0, chance));
    room.against_wall(&bench, 0.03, chance, |_, _| 0.1);
    corner_plant(room, palette, chance, true);
    let basket = palette.pick(decor::basket(chance));
    room.against_wall(&basket, 0.08, chance, |_, _| -0.1);
    more_art(room, palette, chance);
    true
}
