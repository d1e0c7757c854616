//! Light maps of all faces, computed once per room.
//!
//! Windows are polygonal area lights of uniform radiance (Lambert; Arvo 1994), scaled by the visible share of the window. Faces
//! reflect their mean irradiance as area lights, for three bounces.

use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;

use crate::room::{OpeningKind, Room};
use crate::scene::{self, Surface};

/// Cell size of light maps, meters.
const CELL: f64 = 0.07;

/// Irradiance on the cells of one face, without sunlight, which has sharp edges and is computed per pixel.
struct Map {
    surface: Surface,
    low: DVec2,
    columns: usize,
    rows: usize,
    cells: Vec<Vec3>,
}

/// Light maps of a room.
pub(crate) struct LightMaps {
    maps: Vec<Map>,
}

/// A polygonal area light.
struct Source {
    corners: Vec<DVec3>,
    radiance: Vec3,
    /// The face it belongs to, which it does not light.
    surface: Surface,
    is_window: bool,
}

impl LightMaps {
    pub(crate) fn of(room: &Room) -> Self {
        let surfaces = scene::surfaces(room);
        let windows = windows(room);
        // Mean irradiance of each face from windows, then from other faces.
        let mean = |sources: &[Source], surface: Surface| {
            let [low, high] = scene::extent(room, surface);
            let samples: Vec<Vec3> = (0..9)
                .map(|i| {
                    low + (high - low) * DVec2::new((f64::from(i % 3) + 0.5) / 3.0, (f64::from(i / 3) + 0.5) / 3.0)
                })
                .filter(|at| !matches!(surface, Surface::Floor | Surface::Ceiling) || room.holds(*at))
                .map(|at| falling(room, sources, surface, scene::off_face(room, surface, at)))
                .collect();
            samples.iter().copied().sum::<Vec3>() / samples.len().max(1) as f32
        };
        let first: Vec<Vec3> = surfaces.iter().map(|s| mean(&windows, *s)).collect();
        let mut total = first.clone();
        for _ in 0..3 {
            let bounced = faces(room, &surfaces, &total);
            total = surfaces.iter().zip(&first).map(|(s, direct)| *direct + mean(&bounced, *s)).collect();
        }
        let bounced = faces(room, &surfaces, &total);
        let maps = surfaces
            .par_iter()
            .map(|surface| {
                let [low, high] = scene::extent(room, *surface);
                let columns = (((high.x - low.x) / CELL).ceil() as usize).max(1) + 1;
                let rows = (((high.y - low.y) / CELL).ceil() as usize).max(1) + 1;
                let cells = (0..columns * rows)
                    .map(|i| {
                        let at = low + DVec2::new((i % columns) as f64, (i / columns) as f64) * CELL;
                        let inside = (high - low) * 1e-3;
                        let place = scene::off_face(room, *surface, at.clamp(low + inside, high - inside));
                        falling(room, &windows, *surface, place)
                            + falling(room, &bounced, *surface, place) * open_share(room, *surface, place)
                    })
                    .collect();
                Map { surface: *surface, low, columns, rows, cells }
            })
            .collect();
        Self { maps }
    }

    /// Irradiance at a point on a face.
    pub(crate) fn at(&self, room: &Room, surface: Surface, place: DVec3) -> Vec3 {
        let Some(map) = self.maps.iter().find(|m| m.surface == surface) else { return Vec3::ZERO };
        let at = (scene::on_face(room, surface, place) - map.low) / CELL;
        let (x, y) = (at.x.clamp(0.0, map.columns as f64 - 1.001), at.y.clamp(0.0, map.rows as f64 - 1.001));
        let (i, j) = (x as usize, y as usize);
        let (u, v) = ((x - i as f64) as f32, (y - j as f64) as f32);
        let cell = |i: usize, j: usize| map.cells[j.min(map.rows - 1) * map.columns + i.min(map.columns - 1)];
        cell(i, j).lerp(cell(i + 1, j), u).lerp(cell(i, j + 1).lerp(cell(i + 1, j + 1), u), v)
            + sun(room, surface, place)
    }
}

/// Sunlight through the windows.
fn sun(room: &Room, surface: Surface, place: DVec3) -> Vec3 {
    let Some((way, strength)) = room.light.sun else { return Vec3::ZERO };
    let normal = scene::normal(room, surface);
    let facing = -normal.dot(way) as f32;
    if facing <= 0.0 {
        return Vec3::ZERO;
    }
    let Some(hit) = scene::hit(room, place + normal * 1e-4, -way, !room.light.shadows) else { return Vec3::ZERO };
    let Surface::Wall(wall) = hit.surface else { return Vec3::ZERO };
    let at = scene::on_face(room, hit.surface, hit.place);
    // The reveal and the frame block the rim of the opening.
    let comes_in = room.openings.iter().any(|o| {
        let within = |v: f64, [a, b]: [f64; 2]| v > a + 0.09 && v < b - 0.09;
        o.kind == OpeningKind::Window && o.wall == wall && within(at.x, o.across) && within(at.y, o.up)
    });
    if comes_in { strength * facing } else { Vec3::ZERO }
}

fn windows(room: &Room) -> Vec<Source> {
    let windows = room.openings.iter().filter(|o| o.kind == OpeningKind::Window);
    windows
        .map(|o| {
            let surface = Surface::Wall(o.wall);
            let corner = |x: f64, y: f64| scene::off_face(room, surface, DVec2::new(x, y));
            let [[a, b], [low, high]] = [o.across, o.up];
            let corners = vec![corner(a, low), corner(b, low), corner(b, high), corner(a, high)];
            Source { corners, radiance: room.light.sky, surface, is_window: true }
        })
        .collect()
}

/// Faces of the room as area lights, given the irradiance of each.
fn faces(room: &Room, surfaces: &[Surface], light: &[Vec3]) -> Vec<Source> {
    let shell = surfaces.iter().zip(light).filter(|(s, _)| !matches!(s, Surface::Block(..)));
    shell
        .map(|(surface, light)| {
            let (corners, color) = match surface {
                Surface::Wall(_) => {
                    let [low, high] = scene::extent(room, *surface);
                    let places = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
                    (places.map(|p| scene::off_face(room, *surface, p)).to_vec(), room.wall_color)
                }
                Surface::Floor => (room.corners.iter().map(|c| c.extend(0.0)).collect(), room.floor.color),
                _ => (room.corners.iter().rev().map(|c| c.extend(room.height)).collect(), room.ceiling_color),
            };
            let radiance = *light * color / std::f32::consts::PI;
            Source { corners, radiance, surface: *surface, is_window: false }
        })
        .collect()
}

/// Irradiance from area lights, the lamp and ambient light.
fn falling(room: &Room, sources: &[Source], surface: Surface, place: DVec3) -> Vec3 {
    let normal = scene::normal(room, surface);
    let mut sum = Vec3::ZERO;
    for source in sources.iter().filter(|s| s.surface != surface) {
        let amount = polygon_light(&source.corners, place, normal);
        if amount > 1e-6 {
            let seen = if source.is_window && room.light.shadows {
                seen_share(room, source, place + normal * 1e-3)
            } else {
                1.0
            };
            sum += source.radiance * (amount * seen) as f32;
        }
    }
    if sources.first().is_some_and(|s| s.is_window) || sources.is_empty() {
        sum += room.light.ambient * std::f32::consts::PI + lamp(room, place, normal);
    }
    sum
}

fn lamp(room: &Room, place: DVec3, normal: DVec3) -> Vec3 {
    if room.light.lamp == Vec3::ZERO {
        return Vec3::ZERO;
    }
    let middle = room.corners.iter().copied().sum::<DVec2>() / room.corners.len() as f64;
    let to = middle.extend(room.height - 0.25) - place;
    let square = to.length_squared().max(0.05);
    let facing = normal.dot(to / square.sqrt()).max(0.0);
    if facing == 0.0 || (room.light.shadows && scene::blocked(room, place + normal * 1e-3, place + to)) {
        return Vec3::ZERO;
    }
    room.light.lamp * (facing / square) as f32
}

/// Lambert's formula for the part of the polygon in front of the receiving plane.
fn polygon_light(corners: &[DVec3], place: DVec3, normal: DVec3) -> f64 {
    let height = |c: &DVec3| normal.dot(*c - place);
    let mut clipped: Vec<DVec3> = Vec::with_capacity(corners.len() + 2);
    for (i, corner) in corners.iter().enumerate() {
        let next = &corners[(i + 1) % corners.len()];
        let (h, k) = (height(corner), height(next));
        if h >= 0.0 {
            clipped.push(*corner - place);
        }
        if (h > 0.0 && k < 0.0) || (h < 0.0 && k > 0.0) {
            clipped.push(*corner + (*next - *corner) * (h / (h - k)) - place);
        }
    }
    let mut sum = 0.0;
    for (i, a) in clipped.iter().enumerate() {
        let b = clipped[(i + 1) % clipped.len()];
        let cross = a.cross(b);
        let length = cross.length();
        if length > 1e-12 {
            sum += cross.dot(normal) / length * length.atan2(a.dot(b));
        }
    }
    (sum / 2.0).abs()
}

/// Visible share of a window.
fn seen_share(room: &Room, source: &Source, place: DVec3) -> f64 {
    if room.clutter.is_empty() && room.corners.len() == 4 {
        return 1.0;
    }
    const SIDE: usize = 5;
    let (across, up) = (source.corners[1] - source.corners[0], source.corners[3] - source.corners[0]);
    let open = (0..SIDE * SIDE).filter(|i| {
        let at = |n: usize| (n as f64 + 0.5) / SIDE as f64;
        !scene::blocked(room, place, source.corners[0] + across * at(i % SIDE) + up * at(i / SIDE))
    });
    open.count() as f64 / (SIDE * SIDE) as f64
}

/// Ambient occlusion by nearby blocks: unoccluded share of the hemisphere.
fn open_share(room: &Room, surface: Surface, place: DVec3) -> f32 {
    if room.clutter.is_empty() || !room.light.shadows {
        return 1.0;
    }
    const RAYS: usize = 24;
    let normal = scene::normal(room, surface);
    let [side, other] = [normal.any_orthonormal_vector(), normal.cross(normal.any_orthonormal_vector())];
    let open = (0..RAYS).filter(|i| {
        // Cosine-weighted directions on a spiral.
        let share = (*i as f64 + 0.5) / RAYS as f64;
        let turn = *i as f64 * 2.399_963_229_7;
        let flat = share.sqrt();
        let ray = (side * turn.cos() + other * turn.sin()) * flat + normal * (1.0 - share).sqrt();
        !scene::blocked(room, place + normal * 1e-3, place + ray * 1.2)
    });
    (0.15 + 0.85 * open.count() as f64 / RAYS as f64) as f32
}
