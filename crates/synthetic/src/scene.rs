//! Ray intersections with a room.

use glam::{DVec2, DVec3};

use crate::room::Room;

/// A face of the room or of its furniture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The floor.
    Floor,
    /// The ceiling.
    Ceiling,
    /// The wall from the corner of this index to the next, including its openings and fittings.
    Wall(usize),
    /// A side of a block: index in the room's clutter, and 0 to 5 for low x, high x, low y and so on.
    Block(usize, usize),
}

/// Intersection of a ray.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) surface: Surface,
    /// Meters along the ray.
    pub(crate) distance: f64,
    pub(crate) place: DVec3,
    /// Normal on the side of the ray origin.
    pub(crate) normal: DVec3,
}

/// First intersection of a ray of unit direction; ignores clutter if `bare`.
pub(crate) fn hit(room: &Room, from: DVec3, ray: DVec3, bare: bool) -> Option<Hit> {
    let mut best: Option<(f64, Surface, DVec3)> = None;
    let mut offer = |distance: f64, surface, normal| {
        if distance > 1e-6 && best.is_none_or(|(d, ..)| distance < d) {
            best = Some((distance, surface, normal));
        }
    };
    if ray.z < 0.0 {
        offer(-from.z / ray.z, Surface::Floor, DVec3::Z);
    } else if ray.z > 0.0 {
        offer((room.height - from.z) / ray.z, Surface::Ceiling, -DVec3::Z);
    }
    for wall in 0..room.corners.len() {
        if let Some((distance, normal)) = wall_hit(room, wall, from, ray) {
            offer(distance, Surface::Wall(wall), normal);
        }
    }
    if !bare {
        for (i, block) in room.clutter.iter().enumerate() {
            if let Some((distance, side)) = block_hit(block.low, block.high, from, ray) {
                offer(distance, Surface::Block(i, side), side_normal(side));
            }
        }
    }
    best.map(|(distance, surface, normal)| Hit { surface, distance, place: from + ray * distance, normal })
}

/// Whether the line of sight between two points is blocked.
pub(crate) fn blocked(room: &Room, from: DVec3, to: DVec3) -> bool {
    let way = to - from;
    let length = way.length();
    let ray = way / length;
    let short_of = |d: f64| d > 1e-4 && d < length - 1e-4;
    room.clutter.iter().any(|b| block_hit(b.low, b.high, from, ray).is_some_and(|(d, _)| short_of(d)))
        || (room.corners.len() > 4
            && (0..room.corners.len()).any(|w| wall_hit(room, w, from, ray).is_some_and(|(d, _)| short_of(d))))
}

/// Inward normal of a wall.
pub(crate) fn wall_normal(room: &Room, wall: usize) -> DVec3 {
    let [a, b] = room.wall(wall);
    let along = (b - a).normalize();
    DVec3::new(-along.y, along.x, 0.0)
}

fn wall_hit(room: &Room, wall: usize, from: DVec3, ray: DVec3) -> Option<(f64, DVec3)> {
    let [a, b] = room.wall(wall);
    let normal = wall_normal(room, wall);
    let facing = normal.dot(ray);
    if facing >= -1e-12 {
        return None;
    }
    let distance = normal.dot(a.extend(0.0) - from) / facing;
    let place = from + ray * distance;
    let along = (place.truncate() - a).dot((b - a).normalize());
    let within = along >= -1e-9 && along <= (b - a).length() + 1e-9;
    (distance > 0.0 && within && place.z >= -1e-6 && place.z <= room.height + 1e-6).then_some((distance, normal))
}

fn block_hit(low: DVec3, high: DVec3, from: DVec3, ray: DVec3) -> Option<(f64, usize)> {
    let (mut near, mut far, mut side) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for axis in 0..3 {
        if ray[axis].abs() < 1e-12 {
            if from[axis] < low[axis] || from[axis] > high[axis] {
                return None;
            }
            continue;
        }
        let (a, b) = ((low[axis] - from[axis]) / ray[axis], (high[axis] - from[axis]) / ray[axis]);
        let (enter, leave) = if a < b { (a, b) } else { (b, a) };
        if enter > near {
            near = enter;
            side = axis * 2 + usize::from(a > b);
        }
        far = far.min(leave);
    }
    (near < far && near > 1e-6).then_some((near, side))
}

/// Outward normal of a side of a block.
pub(crate) fn side_normal(side: usize) -> DVec3 {
    let mut normal = DVec3::ZERO;
    normal[side / 2] = if side.is_multiple_of(2) { -1.0 } else { 1.0 };
    normal
}

/// Coordinates of a point on a face, meters: along and up on walls, x and y on floors.
pub(crate) fn on_face(room: &Room, surface: Surface, place: DVec3) -> DVec2 {
    match surface {
        Surface::Floor | Surface::Ceiling => place.truncate(),
        Surface::Wall(wall) => {
            let [a, b] = room.wall(wall);
            DVec2::new((place.truncate() - a).dot((b - a).normalize()), place.z)
        }
        Surface::Block(_, side) => match side / 2 {
            0 => DVec2::new(place.y, place.z),
            1 => DVec2::new(place.x, place.z),
            _ => place.truncate(),
        },
    }
}

/// Bounds of a face in its own coordinates.
pub(crate) fn extent(room: &Room, surface: Surface) -> [DVec2; 2] {
    match surface {
        Surface::Floor | Surface::Ceiling => {
            let low = room.corners.iter().copied().reduce(DVec2::min).unwrap_or_default();
            [low, room.corners.iter().copied().reduce(DVec2::max).unwrap_or_default()]
        }
        Surface::Wall(wall) => {
            let [a, b] = room.wall(wall);
            [DVec2::ZERO, DVec2::new((b - a).length(), room.height)]
        }
        Surface::Block(i, side) => {
            let block = room.clutter[i];
            let [low, high] = [block.low, block.high].map(|p| on_face(room, Surface::Block(0, side), p));
            [low, high]
        }
    }
}

/// The point in the room of coordinates on a face.
pub(crate) fn off_face(room: &Room, surface: Surface, at: DVec2) -> DVec3 {
    match surface {
        Surface::Floor => at.extend(0.0),
        Surface::Ceiling => at.extend(room.height),
        Surface::Wall(wall) => {
            let [a, b] = room.wall(wall);
            (a + (b - a).normalize() * at.x).extend(at.y)
        }
        Surface::Block(i, side) => {
            let block = room.clutter[i];
            let level = if side.is_multiple_of(2) { block.low } else { block.high };
            match side / 2 {
                0 => DVec3::new(level.x, at.x, at.y),
                1 => DVec3::new(at.x, level.y, at.y),
                _ => DVec3::new(at.x, at.y, level.z),
            }
        }
    }
}

/// Normal of a face, toward the room.
pub(crate) fn normal(room: &Room, surface: Surface) -> DVec3 {
    match surface {
        Surface::Floor => DVec3::Z,
        Surface::Ceiling => -DVec3::Z,
        Surface::Wall(wall) => wall_normal(room, wall),
        Surface::Block(_, side) => side_normal(side),
    }
}

/// All faces.
pub(crate) fn surfaces(room: &Room) -> Vec<Surface> {
    let mut all = vec![Surface::Floor, Surface::Ceiling];
    all.extend((0..room.corners.len()).map(Surface::Wall));
    all.extend((0..room.clutter.len()).flat_map(|i| (0..6).map(move |side| Surface::Block(i, side))));
    all
}
