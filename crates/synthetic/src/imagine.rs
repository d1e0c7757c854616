//! Rooms and cameras drawn from a seed, the way that agents photograph them.

use aerie_photo::room::Camera;
use glam::{DVec2, DVec3, Vec3};

use crate::chance::Chance;
use crate::room::{Block, Fitting, Floor, Light, Opening, OpeningKind, Pattern, Room};
use crate::view::Viewpoint;

/// What kind of room and photo to draw.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Share of rooms with an L-shaped floor.
    pub l_shapes: f64,
    /// Share of rooms with a chimney breast or a pillar that juts out of a wall.
    pub jogs: f64,
    /// Share of rooms with some furniture, as boxes.
    pub cluttered: f64,
    /// Share of photos held by hand: tilted and rolled.
    pub casual: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 960, height: 640, l_shapes: 0.0, jogs: 0.0, cluttered: 0.0, casual: 0.25 }
    }
}

/// A room with a camera in it.
#[derive(Debug, Clone)]
pub struct Imagined {
    /// The room.
    pub room: Room,
    /// The camera.
    pub viewpoint: Viewpoint,
}

/// Draws a room and a camera; the same for the same seed and style.
#[must_use]
pub fn imagine(seed: u64, style: &Style) -> Imagined {
    let mut chance = Chance::new(seed);
    let room = room(&mut chance, style);
    let viewpoint = viewpoint(&mut chance, style, &room);
    Imagined { room, viewpoint }
}

fn room(chance: &mut Chance, style: &Style) -> Room {
    let (width, depth) = (chance.within(2.8..6.5), chance.within(3.0..7.5));
    let height = if chance.happens(0.75) { chance.within(2.4..2.75) } else { chance.within(2.75..3.3) };
    let corners = plan(chance, style, width, depth);
    let tint = |chance: &mut Chance, level: f64, spread: f64| {
        let warm = chance.within(-spread..spread * 1.6);
        Vec3::new((level * (1.0 + warm)) as f32, level as f32, (level * (1.0 - 1.4 * warm)) as f32)
    };
    let wall_level = chance.within(0.45..0.80);
    let wall_color = if chance.happens(0.75) {
        tint(chance, wall_level, 0.04)
    } else {
        Vec3::new(chance.within(0.3..0.7) as f32, chance.within(0.35..0.7) as f32, chance.within(0.35..0.7) as f32)
    };
    let mut room = Room {
        height,
        floor: floor(chance),
        wall_color,
        ceiling_color: tint(chance, 0.82, 0.02),
        skirting: if chance.happens(0.85) { chance.within(0.06..0.16) } else { 0.0 },
        cornice: if chance.happens(0.25) { chance.within(0.05..0.12) } else { 0.0 },
        openings: Vec::new(),
        fittings: Vec::new(),
        clutter: Vec::new(),
        light: light(chance),
        corners,
    };
    openings(chance, &mut room);
    fittings(chance, &mut room);
    if chance.happens(style.cluttered) {
        clutter(chance, &mut room);
    }
    room
}

/// The floor's corners, anticlockwise from the origin.
fn plan(chance: &mut Chance, style: &Style, width: f64, depth: f64) -> Vec<DVec2> {
    let corner = |x: f64, y: f64| DVec2::new(x, y);
    if chance.happens(style.l_shapes) {
        // One of the far corners is cut out.
        let (cut_x, cut_y) = (chance.within(0.25..0.5) * width, chance.within(0.2..0.45) * depth);
        return if chance.happens(0.5) {
            let (x, y) = (width - cut_x, depth - cut_y);
            vec![
                corner(0.0, 0.0),
                corner(width, 0.0),
                corner(width, y),
                corner(x, y),
                corner(x, depth),
                corner(0.0, depth),
            ]
        } else {
            let y = depth - cut_y;
            vec![
                corner(0.0, 0.0),
                corner(width, 0.0),
                corner(width, depth),
                corner(cut_x, depth),
                corner(cut_x, y),
                corner(0.0, y),
            ]
        };
    }
    if chance.happens(style.jogs) {
        // A breast in the middle of the far wall.
        let (from, wide) = (chance.within(0.2..0.45) * width, chance.within(0.9..1.6));
        let (to, out) = ((from + wide).min(width * 0.85), depth - chance.within(0.25..0.5));
        return vec![
            corner(0.0, 0.0),
            corner(width, 0.0),
            corner(width, depth),
            corner(to, depth),
            corner(to, out),
            corner(from, out),
            corner(from, depth),
            corner(0.0, depth),
        ];
    }
    vec![corner(0.0, 0.0), corner(width, 0.0), corner(width, depth), corner(0.0, depth)]
}

fn floor(chance: &mut Chance) -> Floor {
    let level = chance.within(0.10..0.45);
    let wood =
        Vec3::new(level as f32, (level * chance.within(0.60..0.78)) as f32, (level * chance.within(0.30..0.52)) as f32);
    let stone = Vec3::new(level as f32, (level * 0.98) as f32, (level * chance.within(0.86..1.0)) as f32);
    let along_x = chance.happens(0.4);
    match chance.within(0.0..1.0) {
        s if s < 0.55 => Floor {
            pattern: Pattern::Boards { along_x, width: chance.within(0.08..0.22), length: chance.within(0.9..2.0) },
            color: wood,
            variety: chance.within(0.08..0.35),
            gloss: chance.within(0.0..0.05),
        },
        s if s < 0.8 => Floor {
            pattern: Pattern::Tiles { side: chance.within(0.3..0.8) },
            color: stone,
            variety: chance.within(0.02..0.10),
            gloss: chance.within(0.0..0.06),
        },
        _ => Floor { pattern: Pattern::Carpet, color: stone * 1.2, variety: 0.0, gloss: 0.0 },
    }
}

fn light(chance: &mut Chance) -> Light {
    let sky = chance.within(6.0..14.0) as f32;
    let sun = chance.happens(0.3).then(|| {
        let (turn, height) = (chance.within(0.0..std::f64::consts::TAU), chance.within(0.35..0.95));
        let way = DVec3::new(turn.cos() * f64::cos(height), turn.sin() * f64::cos(height), -height.sin());
        (way, Vec3::new(1.0, 0.93, 0.80) * chance.within(12.0..30.0) as f32)
    });
    let lamp = if chance.happens(0.35) { chance.within(1.0..4.0) as f32 } else { 0.0 };
    Light {
        sky: Vec3::new(0.95, 1.0, 1.08) * sky,
        sun,
        lamp: Vec3::new(1.0, 0.82, 0.62) * lamp,
        ambient: Vec3::splat(chance.within(0.05..0.25) as f32),
        shadows: true,
    }
}

fn openings(chance: &mut Chance, room: &mut Room) {
    for wall in 0..room.corners.len() {
        let [a, b] = room.wall(wall);
        let length = (b - a).length();
        if length < 1.4 {
            continue;
        }
        // The first wall lies behind most cameras: a window there lights the room as a window behind the camera does.
        let (windows, doors) = (if wall == 0 { 0.8 } else { 0.45 }, 0.35);
        if chance.happens(windows) {
            let wide = chance.within(0.8..f64::min(length - 0.5, 3.2));
            let from = chance.within(0.25..(length - wide - 0.2).max(0.26));
            let sill = if chance.happens(0.25) { 0.05 } else { chance.within(0.45..1.05) };
            let head = (room.height - chance.within(0.15..0.5)).max(sill + 0.8);
            room.openings.push(opening(
                OpeningKind::Window,
                wall,
                [from, from + wide],
                [sill, head.min(room.height - 0.1)],
            ));
        } else if chance.happens(doors) {
            let wide = chance.within(0.75..0.95);
            let from = chance.within(0.15..(length - wide - 0.15).max(0.16));
            room.openings.push(opening(OpeningKind::Door, wall, [from, from + wide], [0.0, 2.03]));
        } else if chance.happens(0.25) && length > 2.0 {
            let wide = chance.within(0.9..1.8);
            let from = chance.within(0.2..(length - wide - 0.2).max(0.21));
            let head = chance.within(2.03..2.25).min(room.height - 0.15);
            room.openings.push(opening(OpeningKind::Passage, wall, [from, from + wide], [0.0, head]));
        }
    }
    if !room.openings.iter().any(|o| o.kind == OpeningKind::Window) {
        let [a, b] = room.wall(0);
        room.openings.retain(|o| o.wall != 0);
        room.openings.push(opening(OpeningKind::Window, 0, [0.4, (b - a).length() - 0.4], [0.8, room.height - 0.3]));
    }
}

fn opening(kind: OpeningKind, wall: usize, across: [f64; 2], up: [f64; 2]) -> Opening {
    Opening { kind, wall, across, up }
}

fn fittings(chance: &mut Chance, room: &mut Room) {
    for wall in 0..room.corners.len() {
        let [a, b] = room.wall(wall);
        let length = (b - a).length();
        let at = |chance: &mut Chance, wide: f64| chance.within(0.1..(length - wide - 0.1).max(0.11));
        if chance.happens(0.6) {
            let from = at(chance, 0.08);
            fit(
                room,
                Fitting { wall, across: [from, from + 0.08], up: [0.3, 0.38], color: Vec3::splat(0.75), ribbed: false },
            );
        }
        if chance.happens(0.3) {
            let from = at(chance, 0.08);
            fit(
                room,
                Fitting {
                    wall,
                    across: [from, from + 0.08],
                    up: [1.05, 1.13],
                    color: Vec3::splat(0.78),
                    ribbed: false,
                },
            );
        }
        if chance.happens(0.2) && length > 1.6 {
            let (from, wide) = (at(chance, 1.0), chance.within(0.6..1.0));
            fit(
                room,
                Fitting { wall, across: [from, from + wide], up: [0.12, 0.62], color: Vec3::splat(0.72), ribbed: true },
            );
        }
        if chance.happens(0.12) && length > 1.8 {
            let (from, wide) = (at(chance, 1.0), chance.within(0.4..1.0));
            let color = Vec3::new(chance.share() as f32, chance.share() as f32, chance.share() as f32) * 0.6;
            fit(room, Fitting { wall, across: [from, from + wide], up: [1.2, 1.2 + wide * 0.7], color, ribbed: false });
        }
    }
}

/// Puts a thing up where no opening is.
fn fit(room: &mut Room, fitting: Fitting) {
    let free = room.openings.iter().filter(|o| o.wall == fitting.wall).all(|o| {
        fitting.across[1] < o.across[0] - 0.1
            || fitting.across[0] > o.across[1] + 0.1
            || fitting.up[1] < o.up[0] - 0.1
            || fitting.up[0] > o.up[1] + 0.1
    });
    if free {
        room.fittings.push(fitting);
    }
}

/// A few pieces of furniture along the walls and one or two in the middle, as boxes.
fn clutter(chance: &mut Chance, room: &mut Room) {
    let far = room.corners.iter().copied().reduce(DVec2::max).unwrap_or_default();
    for _ in 0..(1.0 + chance.share() * 4.0) as usize {
        let [wide, deep, tall] =
            chance.one_of(&[[2.0, 0.9, 0.42], [1.4, 0.7, 0.45], [0.5, 0.45, 0.75], [1.0, 0.4, 1.8], [1.6, 2.0, 0.5]]);
        let (wide, deep) = if chance.happens(0.5) { (wide, deep) } else { (deep, wide) };
        let x = if chance.happens(0.5) { 0.03 } else { chance.within(0.0..(far.x - wide).max(0.01)) };
        let y = if chance.happens(0.3) { far.y - deep - 0.03 } else { chance.within(1.6..(far.y - deep).max(1.61)) };
        let (low, high) = (DVec3::new(x, y, 0.0), DVec3::new(x + wide, y + deep, tall));
        let fits = [low, high, DVec3::new(high.x, low.y, 0.0), DVec3::new(low.x, high.y, 0.0)]
            .map(|p| room.holds(p.truncate()));
        let apart = |b: &Block| b.high.x < low.x || b.low.x > high.x || b.high.y < low.y || b.low.y > high.y;
        if fits.iter().all(|f| *f) && room.clutter.iter().all(apart) {
            let level = chance.within(0.08..0.6) as f32;
            let color =
                Vec3::new(level, level * chance.within(0.7..1.1) as f32, level * chance.within(0.5..1.1) as f32);
            room.clutter.push(Block { low, high, color });
        }
    }
}

/// A camera at chest height near the first wall, or in one of its corners, looking into the room.
fn viewpoint(chance: &mut Chance, style: &Style, room: &Room) -> Viewpoint {
    let far = room.corners.iter().copied().reduce(DVec2::max).unwrap_or_default();
    let casual = chance.happens(style.casual);
    loop {
        let place = DVec2::new(chance.within(0.12..0.88) * far.x, chance.within(0.4..1.1));
        let in_clutter = room.clutter.iter().any(|b| {
            let near = place.clamp(b.low.truncate(), b.high.truncate());
            (near - place).length() < 0.7
        });
        if !room.holds(place) || room.clearance(place) < 0.35 || in_clutter {
            continue;
        }
        let aim = DVec2::new(chance.within(0.2..0.8) * far.x, far.y * chance.within(0.8..1.0));
        let way = aim - place;
        let yaw = way.x.atan2(way.y) + if chance.happens(0.3) { chance.within(-0.35..0.35) } else { 0.0 };
        let (pitch, roll) = if casual {
            (chance.within(-0.28..0.03), chance.normal() * 0.030)
        } else {
            (chance.within(-0.07..0.02), chance.normal() * 0.006)
        };
        let focal = chance.within(0.46..0.85) * style.width.max(style.height) as f64;
        let camera = Camera::turned(style.width, style.height, focal, pitch, roll, yaw.clamp(-1.2, 1.2));
        return Viewpoint { place: place.extend(chance.within(1.15..1.6)), camera };
    }
}
