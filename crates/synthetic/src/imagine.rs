//! Random rooms and cameras, as real estate agents photograph them.

use aerie_math::Rng;
use aerie_photo::room::Camera;
use glam::{DVec2, DVec3, Vec3};

use crate::room::{Block, Fitting, Floor, Light, Opening, OpeningKind, Pattern, Room};
use crate::view::Viewpoint;

/// Kind of room and photo to generate.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Share of rooms with an L-shaped floor.
    pub l_shapes: f64,
    /// Share of rooms with a chimney breast.
    pub jogs: f64,
    /// Share of rooms with some furniture, as boxes.
    pub cluttered: f64,
    /// Share of handheld photos, with pitch and roll.
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

/// Generates a room and a camera, deterministically.
#[must_use]
pub fn imagine(seed: u64, style: &Style) -> Imagined {
    let mut rng = Rng::scattered(seed);
    let room = room(&mut rng, style);
    let viewpoint = viewpoint(&mut rng, style, &room);
    Imagined { room, viewpoint }
}

fn room(rng: &mut Rng, style: &Style) -> Room {
    let (width, depth) = (rng.range_f64(2.8, 6.5), rng.range_f64(3.0, 7.5));
    let height = if rng.random_bool(0.75) { rng.range_f64(2.4, 2.75) } else { rng.range_f64(2.75, 3.3) };
    let corners = plan(rng, style, width, depth);
    let tint = |rng: &mut Rng, level: f64, spread: f64| {
        let warm = rng.range_f64(-spread, spread * 1.6);
        Vec3::new((level * (1.0 + warm)) as f32, level as f32, (level * (1.0 - 1.4 * warm)) as f32)
    };
    let wall_level = rng.range_f64(0.45, 0.80);
    let wall_color = if rng.random_bool(0.75) {
        tint(rng, wall_level, 0.04)
    } else {
        Vec3::new(rng.range_f64(0.3, 0.7) as f32, rng.range_f64(0.35, 0.7) as f32, rng.range_f64(0.35, 0.7) as f32)
    };
    let mut room = Room {
        height,
        floor: floor(rng),
        wall_color,
        ceiling_color: tint(rng, 0.82, 0.02),
        skirting: if rng.random_bool(0.85) { rng.range_f64(0.06, 0.16) } else { 0.0 },
        cornice: if rng.random_bool(0.25) { rng.range_f64(0.05, 0.12) } else { 0.0 },
        openings: Vec::new(),
        fittings: Vec::new(),
        clutter: Vec::new(),
        light: light(rng),
        corners,
    };
    openings(rng, &mut room);
    fittings(rng, &mut room);
    if rng.random_bool(style.cluttered) {
        clutter(rng, &mut room);
    }
    room
}

/// Corners of the floor, counterclockwise from the origin.
fn plan(rng: &mut Rng, style: &Style, width: f64, depth: f64) -> Vec<DVec2> {
    let corner = |x: f64, y: f64| DVec2::new(x, y);
    if rng.random_bool(style.l_shapes) {
        // One of the far corners is missing.
        let (cut_x, cut_y) = (rng.range_f64(0.25, 0.5) * width, rng.range_f64(0.2, 0.45) * depth);
        return if rng.random_bool(0.5) {
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
    if rng.random_bool(style.jogs) {
        // A chimney breast in the middle of the far wall.
        let (from, wide) = (rng.range_f64(0.2, 0.45) * width, rng.range_f64(0.9, 1.6));
        let (to, out) = ((from + wide).min(width * 0.85), depth - rng.range_f64(0.25, 0.5));
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

fn floor(rng: &mut Rng) -> Floor {
    let level = rng.range_f64(0.10, 0.45);
    let wood =
        Vec3::new(level as f32, (level * rng.range_f64(0.60, 0.78)) as f32, (level * rng.range_f64(0.30, 0.52)) as f32);
    let stone = Vec3::new(level as f32, (level * 0.98) as f32, (level * rng.range_f64(0.86, 1.0)) as f32);
    let along_x = rng.random_bool(0.4);
    match rng.range_f64(0.0, 1.0) {
        s if s < 0.55 => Floor {
            pattern: Pattern::Boards { along_x, width: rng.range_f64(0.08, 0.22), length: rng.range_f64(0.9, 2.0) },
            color: wood,
            variety: rng.range_f64(0.08, 0.35),
            gloss: rng.range_f64(0.0, 0.05),
        },
        s if s < 0.8 => Floor {
            pattern: Pattern::Tiles { side: rng.range_f64(0.3, 0.8) },
            color: stone,
            variety: rng.range_f64(0.02, 0.10),
            gloss: rng.range_f64(0.0, 0.06),
        },
        _ => Floor { pattern: Pattern::Carpet, color: stone * 1.2, variety: 0.0, gloss: 0.0 },
    }
}

fn light(rng: &mut Rng) -> Light {
    let sky = rng.range_f64(6.0, 14.0) as f32;
    let sun = rng.random_bool(0.3).then(|| {
        let (turn, height) = (rng.range_f64(0.0, std::f64::consts::TAU), rng.range_f64(0.35, 0.95));
        let way = DVec3::new(turn.cos() * f64::cos(height), turn.sin() * f64::cos(height), -height.sin());
        (way, Vec3::new(1.0, 0.93, 0.80) * rng.range_f64(12.0, 30.0) as f32)
    });
    let lamp = if rng.random_bool(0.35) { rng.range_f64(1.0, 4.0) as f32 } else { 0.0 };
    Light {
        sky: Vec3::new(0.95, 1.0, 1.08) * sky,
        sun,
        lamp: Vec3::new(1.0, 0.82, 0.62) * lamp,
        ambient: Vec3::splat(rng.range_f64(0.05, 0.25) as f32),
        shadows: true,
    }
}

fn openings(rng: &mut Rng, room: &mut Room) {
    for wall in 0..room.corners.len() {
        let [a, b] = room.wall(wall);
        let length = (b - a).length();
        if length < 1.4 {
            continue;
        }
        // The first wall is behind most cameras: a window there lights the room from behind the camera.
        let (windows, doors) = (if wall == 0 { 0.8 } else { 0.45 }, 0.35);
        if rng.random_bool(windows) {
            let wide = rng.range_f64(0.8, f64::min(length - 0.5, 3.2));
            let from = rng.range_f64(0.25, (length - wide - 0.2).max(0.26));
            let sill = if rng.random_bool(0.25) { 0.05 } else { rng.range_f64(0.45, 1.05) };
            let head = (room.height - rng.range_f64(0.15, 0.5)).max(sill + 0.8);
            room.openings.push(opening(
                OpeningKind::Window,
                wall,
                [from, from + wide],
                [sill, head.min(room.height - 0.1)],
            ));
        } else if rng.random_bool(doors) {
            let wide = rng.range_f64(0.75, 0.95);
            let from = rng.range_f64(0.15, (length - wide - 0.15).max(0.16));
            room.openings.push(opening(OpeningKind::Door, wall, [from, from + wide], [0.0, 2.03]));
        } else if rng.random_bool(0.25) && length > 2.0 {
            let wide = rng.range_f64(0.9, 1.8);
            let from = rng.range_f64(0.2, (length - wide - 0.2).max(0.21));
            let head = rng.range_f64(2.03, 2.25).min(room.height - 0.15);
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

fn fittings(rng: &mut Rng, room: &mut Room) {
    for wall in 0..room.corners.len() {
        let [a, b] = room.wall(wall);
        let length = (b - a).length();
        let at = |rng: &mut Rng, wide: f64| rng.range_f64(0.1, (length - wide - 0.1).max(0.11));
        if rng.random_bool(0.6) {
            let from = at(rng, 0.08);
            fit(
                room,
                Fitting { wall, across: [from, from + 0.08], up: [0.3, 0.38], color: Vec3::splat(0.75), ribbed: false },
            );
        }
        if rng.random_bool(0.3) {
            let from = at(rng, 0.08);
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
        if rng.random_bool(0.2) && length > 1.6 {
            let (from, wide) = (at(rng, 1.0), rng.range_f64(0.6, 1.0));
            fit(
                room,
                Fitting { wall, across: [from, from + wide], up: [0.12, 0.62], color: Vec3::splat(0.72), ribbed: true },
            );
        }
        if rng.random_bool(0.12) && length > 1.8 {
            let (from, wide) = (at(rng, 1.0), rng.range_f64(0.4, 1.0));
            let color = Vec3::new(rng.unit_f64() as f32, rng.unit_f64() as f32, rng.unit_f64() as f32) * 0.6;
            fit(room, Fitting { wall, across: [from, from + wide], up: [1.2, 1.2 + wide * 0.7], color, ribbed: false });
        }
    }
}

/// Adds a fitting unless it overlaps an opening.
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

/// Width, depth and height of pieces of furniture, meters.
const SIZES: [[f64; 3]; 5] = [[2.0, 0.9, 0.42], [1.4, 0.7, 0.45], [0.5, 0.45, 0.75], [1.0, 0.4, 1.8], [1.6, 2.0, 0.5]];

/// Adds a few pieces of furniture as boxes, most of them along the walls.
fn clutter(rng: &mut Rng, room: &mut Room) {
    let far = room.corners.iter().copied().reduce(DVec2::max).unwrap_or_default();
    for _ in 0..(1.0 + rng.unit_f64() * 4.0) as usize {
        let [wide, deep, tall] = SIZES[(rng.unit_f64() * SIZES.len() as f64) as usize];
        let (wide, deep) = if rng.random_bool(0.5) { (wide, deep) } else { (deep, wide) };
        let x = if rng.random_bool(0.5) { 0.03 } else { rng.range_f64(0.0, (far.x - wide).max(0.01)) };
        let y = if rng.random_bool(0.3) { far.y - deep - 0.03 } else { rng.range_f64(1.6, (far.y - deep).max(1.61)) };
        let (low, high) = (DVec3::new(x, y, 0.0), DVec3::new(x + wide, y + deep, tall));
        let fits = [low, high, DVec3::new(high.x, low.y, 0.0), DVec3::new(low.x, high.y, 0.0)]
            .map(|p| room.holds(p.truncate()));
        let apart = |b: &Block| b.high.x < low.x || b.low.x > high.x || b.high.y < low.y || b.low.y > high.y;
        if fits.iter().all(|f| *f) && room.clutter.iter().all(apart) {
            let level = rng.range_f64(0.08, 0.6) as f32;
            let color =
                Vec3::new(level, level * rng.range_f64(0.7, 1.1) as f32, level * rng.range_f64(0.5, 1.1) as f32);
            room.clutter.push(Block { low, high, color });
        }
    }
}

/// A camera at chest height near the first wall, looking into the room.
fn viewpoint(rng: &mut Rng, style: &Style, room: &Room) -> Viewpoint {
    let far = room.corners.iter().copied().reduce(DVec2::max).unwrap_or_default();
    let casual = rng.random_bool(style.casual);
    loop {
        let place = DVec2::new(rng.range_f64(0.12, 0.88) * far.x, rng.range_f64(0.4, 1.1));
        let in_clutter = room.clutter.iter().any(|b| {
            let near = place.clamp(b.low.truncate(), b.high.truncate());
            (near - place).length() < 0.7
        });
        if !room.holds(place) || room.clearance(place) < 0.35 || in_clutter {
            continue;
        }
        let aim = DVec2::new(rng.range_f64(0.2, 0.8) * far.x, far.y * rng.range_f64(0.8, 1.0));
        let way = aim - place;
        let yaw = way.x.atan2(way.y) + if rng.random_bool(0.3) { rng.range_f64(-0.35, 0.35) } else { 0.0 };
        let (pitch, roll) = if casual {
            (rng.range_f64(-0.28, 0.03), rng.normal() * 0.030)
        } else {
            (rng.range_f64(-0.07, 0.02), rng.normal() * 0.006)
        };
        let focal = rng.range_f64(0.46, 0.85) * style.width.max(style.height) as f64;
        let camera = Camera::turned(style.width, style.height, focal, pitch, roll, yaw.clamp(-1.2, 1.2));
        return Viewpoint { place: place.extend(rng.range_f64(1.15, 1.6)), camera };
    }
}
