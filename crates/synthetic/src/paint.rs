//! Appearance of faces: reflectance, or radiance of what is behind a window.

use glam::{DVec2, DVec3, Vec3};

use crate::noise::{hashed, noise};
use crate::room::{Fitting, Opening, OpeningKind, Pattern, Room};
use crate::scene::{Hit, Surface, on_face, wall_normal};

/// Appearance of a point.
pub(crate) enum Look {
    /// Diffuse reflectance.
    Matt(Vec3),
    /// Diffuse reflectance inside a reveal or passage, which is lit indirectly.
    Inside(Vec3),
    /// Emitted radiance.
    Shining(Vec3),
}

const WHITE: Vec3 = Vec3::new(0.80, 0.80, 0.78);
/// Depth of a window's reveal and of a passage, meters.
const REVEAL: f64 = 0.14;
const PASSAGE: f64 = 1.6;

/// Appearance of an intersection. `footprint` is the width of a pixel there, meters: finer details fade.
pub(crate) fn look(room: &Room, hit: &Hit, ray: DVec3, footprint: f64) -> Look {
    let at = on_face(room, hit.surface, hit.place);
    match hit.surface {
        Surface::Floor => Look::Matt(floor(room, at, footprint)),
        Surface::Ceiling => Look::Matt(room.ceiling_color * grain(at, 3.0, 0.015, 11)),
        Surface::Wall(wall) => wall_look(room, wall, at, ray, footprint),
        Surface::Block(i, _) => Look::Matt(room.clutter[i].color * grain(at, 8.0, 0.06, i as i64)),
    }
}

fn grain(at: DVec2, scale: f64, amount: f64, seed: i64) -> f32 {
    (1.0 + amount
        * (noise(at.x * scale, at.y * scale, seed) + noise(at.x * scale * 3.1, at.y * scale * 3.1, seed + 1) - 1.0))
        as f32
}

/// Strength of a dark joint of `width` meters at a distance `off` from its center, filtered to a pixel footprint.
fn joint(off: f64, width: f64, footprint: f64) -> f64 {
    let shown = width.max(footprint);
    (1.0 - (off / shown * 2.0 - 1.0).clamp(0.0, 1.0)) * (width / shown)
}

fn floor(room: &Room, at: DVec2, footprint: f64) -> Vec3 {
    let floor = room.floor;
    let tone = match floor.pattern {
        Pattern::Carpet => f64::from(grain(at, 40.0, 0.10 * (0.02 / footprint).min(1.0), 5)),
        Pattern::Tiles { side } => {
            let (x, y) = (at.x / side, at.y / side);
            let (i, j) = (x.floor(), y.floor());
            let edge = (x - i).min(1.0 + i - x).min(y - j).min(1.0 + j - y) * side;
            let own = 1.0 + floor.variety * (hashed(i as i64, j as i64, 3) - 0.5);
            let cloud = 1.0 + 0.10 * (noise(at.x * 4.0 + i * 7.0, at.y * 4.0 + j * 3.0, 9) - 0.5);
            own * cloud * (1.0 - 0.35 * joint(edge, 0.005, footprint))
        }
        Pattern::Boards { along_x, width, length } => {
            let (along, across) = if along_x { (at.x, at.y) } else { (at.y, at.x) };
            let row = (across / width).floor();
            let shift = hashed(row as i64, 0, 7) * length;
            let piece = ((along + shift) / length).floor();
            let end = ((along + shift) / length - piece).min(1.0 + piece - (along + shift) / length) * length;
            let edge = (across / width - row).min(1.0 + row - across / width) * width;
            let own = 1.0 + floor.variety * (hashed(row as i64, piece as i64, 1) - 0.5);
            let fade = (0.012 / footprint).min(1.0);
            let fiber = noise(along * 2.5 + piece * 11.0, across * 70.0 + row * 5.0, 2) - 0.5;
            let ring = noise(along * 1.1 + row * 3.0, across * 16.0 + piece * 17.0, 4) - 0.5;
            let joints = joint(edge, 0.0035, footprint).max(joint(end, 0.003, footprint));
            own * (1.0 + 0.22 * fiber * fade + 0.20 * ring) * (1.0 - 0.6 * joints)
        }
    };
    floor.color * tone as f32
}

fn wall_look(room: &Room, wall: usize, at: DVec2, ray: DVec3, footprint: f64) -> Look {
    for opening in room.openings.iter().filter(|o| o.wall == wall) {
        if let Some(look) = opening_look(room, opening, at, ray, footprint) {
            return look;
        }
    }
    for fitting in room.fittings.iter().filter(|f| f.wall == wall) {
        let within = |v: f64, [a, b]: [f64; 2]| v >= a && v <= b;
        if within(at.x, fitting.across) && within(at.y, fitting.up) {
            return Look::Matt(fitting_color(fitting, at));
        }
    }
    if at.y < room.skirting {
        // Rounded at the top, with a thin shadow at the floor.
        let top = ((room.skirting - at.y) / 0.012).min(1.0);
        let foot = 1.0 - 0.5 * joint(at.y, 0.004, footprint);
        return Look::Matt(WHITE * (0.82 + 0.18 * (1.0 - top)) as f32 * foot as f32);
    }
    if at.y > room.height - room.cornice {
        let share = (room.height - at.y) / room.cornice;
        return Look::Matt(WHITE * (0.80 + 0.2 * (share * 9.0).sin().abs()) as f32);
    }
    Look::Matt(room.wall_color * grain(at, 2.0, 0.02, wall as i64 + 20))
}

fn fitting_color(fitting: &Fitting, at: DVec2) -> Vec3 {
    let edge =
        (at.x - fitting.across[0]).min(fitting.across[1] - at.x).min(at.y - fitting.up[0]).min(fitting.up[1] - at.y);
    let rib = if fitting.ribbed { 0.82 + 0.18 * (at.x * 150.0).cos() } else { 1.0 };
    fitting.color * (rib * if edge < 0.012 { 0.7 } else { 1.0 }) as f32
}

fn opening_look(room: &Room, opening: &Opening, at: DVec2, ray: DVec3, footprint: f64) -> Option<Look> {
    const CASING: f64 = 0.07;
    let [[a, b], [low, high]] = [opening.across, opening.up];
    // Distance inside the edge of the opening; negative outside.
    let sides = (at.x - a).min(b - at.x).min(high - at.y);
    let inside = if low > 0.0 { sides.min(at.y - low) } else { sides };
    if inside < -CASING {
        return None;
    }
    if inside < 0.0 {
        let is_window = opening.kind == OpeningKind::Window;
        let line = joint(-inside, 0.006, footprint).max(joint(CASING + inside, 0.006, footprint));
        return (!is_window || at.y < low).then(|| Look::Matt(WHITE * (1.0 - 0.3 * line) as f32));
    }
    match opening.kind {
        OpeningKind::Door => Some(Look::Matt(door(at, opening, footprint))),
        OpeningKind::Window => Some(window(room, opening, at, ray)),
        OpeningKind::Passage => Some(passage(room, opening, at, ray, footprint)),
    }
}

fn door(at: DVec2, opening: &Opening, footprint: f64) -> Vec3 {
    let [[a, b], [low, high]] = [opening.across, opening.up];
    let (u, v) = ((at.x - a) / (b - a), (at.y - low) / (high - low));
    let handle = (at.x - b + 0.08).hypot(at.y - 1.02) < 0.035
        || ((at.y - 1.02).abs() < 0.012 && at.x > b - 0.18 && at.x < b - 0.08);
    if handle {
        return Vec3::splat(0.25);
    }
    let panel = |low: f64, high: f64| {
        let edge = (u - 0.16).min(0.84 - u) * (b - a);
        let rise = (v - low).min(high - v) * (opening.up[1] - opening.up[0]);
        joint(edge.min(rise).abs(), 0.018, footprint)
    };
    let groove = panel(0.08, 0.45).max(panel(0.53, 0.94));
    let gap = joint((at.x - a).min(b - at.x).min(high - at.y), 0.006, footprint);
    WHITE * 0.95 * (1.0 - 0.22 * groove) as f32 * (1.0 - 0.7 * gap) as f32
}

/// Intersects a ray with the box behind an opening: coordinates, depth, and the side that is hit (`None` for the back, `Some(true)`
/// for the bottom).
fn recess(room: &Room, opening: &Opening, at: DVec2, ray: DVec3, depth: f64) -> (DVec2, f64, Option<bool>) {
    let [first, second] = room.wall(opening.wall);
    let along = (second - first).normalize();
    let inwards = -wall_normal(room, opening.wall).dot(ray).min(-1e-6);
    let slope = DVec2::new(ray.truncate().dot(along), ray.z) / inwards;
    let to = |from: f64, slope: f64, [a, b]: [f64; 2]| {
        if slope > 0.0 {
            (b - from) / slope
        } else if slope < 0.0 {
            (a - from) / slope
        } else {
            f64::INFINITY
        }
    };
    let (across, up) = (to(at.x, slope.x, opening.across), to(at.y, slope.y, opening.up));
    let reach = across.min(up).min(depth);
    let side = (reach < depth).then_some(up < across && slope.y < 0.0);
    (at + slope * reach, reach, side)
}

fn window(room: &Room, opening: &Opening, at: DVec2, ray: DVec3) -> Look {
    let (end, reach, side) = recess(room, opening, at, ray, REVEAL);
    if side.is_some() {
        return Look::Inside(WHITE * (1.0 + 0.8 * reach / REVEAL) as f32);
    }
    let [[a, b], [low, high]] = [opening.across, opening.up];
    let edge = (end.x - a).min(b - end.x).min(end.y - low).min(high - end.y);
    let panes = ((b - a) / 0.75).round().max(1.0);
    let pane = ((end.x - a) / (b - a) * panes).fract();
    let bar = pane.min(1.0 - pane) * (b - a) / panes;
    if edge < 0.06 || (bar < 0.04 && panes > 1.0) {
        return Look::Inside(WHITE * if edge < 0.055 || bar < 0.035 { 0.9 } else { 0.45 });
    }
    // Sky, and a blurred garden below the horizon.
    let up = ray.z + 0.06 * (noise(ray.x * 9.0 + ray.y * 7.0, 1.0, 31) - 0.3);
    let green = Vec3::new(0.16, 0.22, 0.12) * (0.6 + 0.8 * noise(ray.x * 40.0 + ray.y * 31.0, ray.z * 40.0, 33) as f32);
    let share = (1.0 / (1.0 + (-up * 60.0).exp())) as f32;
    Look::Shining(room.light.sky * green.lerp(Vec3::splat(1.0), share))
}

fn passage(room: &Room, opening: &Opening, at: DVec2, ray: DVec3, footprint: f64) -> Look {
    let (end, reach, side) = recess(room, opening, at, ray, PASSAGE);
    let fade = (0.55 - 0.25 * reach / PASSAGE) as f32;
    match side {
        Some(true) => {
            let [first, second] = room.wall(opening.wall);
            let along = (second - first).normalize();
            let beyond = first + along * end.x - wall_normal(room, opening.wall).truncate() * reach;
            Look::Inside(floor(room, beyond, footprint) * fade)
        }
        Some(false) if reach < 0.12 => Look::Inside(WHITE * 0.9),
        Some(false) => Look::Inside(room.wall_color * fade * 0.9),
        None => Look::Inside(room.wall_color * 0.42),
    }
}
