//! Shows where staging puts furniture in real photos without rendering it, and counts faults of places:
//! `placements OUT JOB...`, where a job is `PHOTO:ROOM_TYPE[:SEED[:STYLE]]`. For each, `OUT/NAME.ppm` shows the pieces, shaded flat, in the photo
//! beside what the segmentation sees and the room's edges; a line says what was placed, and what of it covers.
#![expect(clippy::print_stdout, reason = "an example reports on stdout")]

use std::fmt::Write as _;
use std::path::Path;

use aerie_photo::color::encoded;
use aerie_photo::decode_file;
use aerie_photo::segmentation::{Class, Segmentation};
use aerie_staging::arrange::{Arrangement, Placed};
use aerie_staging::space::Space;
use aerie_staging::{Catalog, OperatorModels, Room, RoomHints, RoomPlan, StylePrompt};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Longer side of a picture, pixels.
const SIDE: usize = 760;
/// Colors of the classes.
const TINTS: [[f32; 3]; 8] = [
    [0.6, 0.5, 0.3],
    [0.8, 0.8, 0.8],
    [1.0, 1.0, 1.0],
    [0.3, 0.6, 1.0],
    [1.0, 0.2, 1.0],
    [1.0, 0.1, 0.1],
    [1.0, 0.7, 0.0],
    [0.0, 0.7, 0.0],
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [out, jobs @ ..] = words.as_slice() else { panic!("usage: placements OUT PHOTO:ROOM_TYPE[:SEED[:STYLE]]...") };
    std::fs::create_dir_all(out).expect("a folder");
    let lines: Vec<String> = jobs.par_iter().map(|job| shown(job, Path::new(out))).collect();
    lines.iter().for_each(|line| println!("{line}"));
}

fn shown(job: &str, out: &Path) -> String {
    let mut words = job.split(':');
    let (path, kind) = (Path::new(words.next().unwrap_or("")), words.next().unwrap_or("living_room"));
    let seed: u64 = words.next().map_or(1, |seed| seed.parse().expect("a seed"));
    let style = words.next().unwrap_or("modern");
    let name = format!("{}-{kind}-{seed}", path.file_stem().unwrap_or_default().to_string_lossy());
    let photo = match decode_file(path) {
        Ok(photo) => photo,
        Err(error) => return format!("{name}: {error}"),
    };
    let room = match Room::analyze(&photo, &RoomHints::default()) {
        Ok(room) => room,
        Err(refusal) => {
            return format!("{name}: refused: {}", refusal.to_string().chars().take(160).collect::<String>());
        }
    };
    let style = StylePrompt::parse(Some(style));
    let catalog = Catalog::new(&style, &OperatorModels::default(), seed);
    let done = match room.arrange(RoomPlan::for_room_type(kind), &catalog, seed) {
        Ok(done) => done,
        Err(refusal) => return format!("{name}: not arranged: {refusal}"),
    };
    let view = room.view(&photo);
    let (space, segmentation) = (view.space, view.segmentation);
    let scale = SIDE as f64 / photo.width.max(photo.height) as f64;
    let (width, height) = ((photo.width as f64 * scale) as usize, (photo.height as f64 * scale) as usize);
    let small = photo.scaled(width, height);
    let buffer = drawn(space, &done, width, height, scale);
    let mut bytes = format!("P6\n{} {height}\n255\n", 2 * width).into_bytes();
    let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0) as u8;
    let corner_lines = edges(space, scale);
    for y in 0..height {
        let colors = |x: usize| encoded(small.pixels[y * width + x]).map(|v| f32::from(v) / 65535.0);
        for x in 0..width {
            let color = buffer[y * width + x].map_or(colors(x), |(_, id, light)| tint(id).map(|c| c * light));
            bytes.extend(color.map(byte));
        }
        for x in 0..width {
            let at = [(x as f64 + 0.5) / width as f64, (y as f64 + 0.5) / height as f64];
            let class = class_at(segmentation, at);
            let base = colors(x);
            let mut color = [0, 1, 2].map(|k| 0.45 * base[k] + 0.45 * TINTS[class][k]);
            if corner_lines.iter().any(|[a, b]| distance(*a, *b, Vec2::new(x as f32, y as f32)) < 1.2) {
                color = [0.0, 1.0, 0.3];
            }
            bytes.extend(color.map(byte));
        }
    }
    std::fs::write(out.join(format!("{name}.ppm")), bytes).expect("a picture");
    report(&name, space, segmentation, &done, &buffer, [width, height])
}

fn tint(id: usize) -> [f32; 3] {
    let hue = id as f32 * 0.618;
    [0.0, 0.33, 0.67].map(|off| 0.55 + 0.4 * (std::f32::consts::TAU * (hue + off)).cos())
}

fn class_at(segmentation: &Segmentation, at: [f64; 2]) -> usize {
    let all = [
        Class::Floor,
        Class::Wall,
        Class::Ceiling,
        Class::Window,
        Class::Door,
        Class::Fixture,
        Class::Furniture,
        Class::Outdoors,
    ];
    let of = |k: usize| segmentation.class(all[k], at);
    (0..all.len()).max_by(|a, b| of(*a).total_cmp(&of(*b))).unwrap_or(0)
}

fn distance(a: Vec2, b: Vec2, p: Vec2) -> f32 {
    let along = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-6)).clamp(0.0, 1.0);
    (a + (b - a) * along - p).length()
}

/// Where walls meet the floor and one another, in pixels.
fn edges(space: &Space, scale: f64) -> Vec<[Vec2; 2]> {
    let pixel = |place: Vec3| space.pixel(place).map(|p| (p * scale).as_vec2());
    let mut lines = Vec::new();
    for side in space.sides.iter().filter(|s| s.seen) {
        for k in 0..20_u8 {
            let at = |k: u8, up: f32| side.from.lerp(side.to, f32::from(k) / 20.0).extend(up);
            for up in [0.0, space.height] {
                lines.extend(pixel(at(k, up)).zip(pixel(at(k + 1, up))).map(|(a, b)| [a, b]));
            }
        }
        lines.extend(pixel(side.from.extend(0.0)).zip(pixel(side.from.extend(space.height))).map(|(a, b)| [a, b]));
    }
    lines
}

type Cell = Option<(f32, usize, f32)>;

/// Depth, piece and light of every pixel that shows a piece.
fn drawn(space: &Space, done: &Arrangement, width: usize, height: usize, scale: f64) -> Vec<Cell> {
    let mut buffer: Vec<Cell> = vec![None; width * height];
    for (id, placed) in done.placed.iter().enumerate() {
        let turn = Vec2::from_angle(placed.yaw);
        let moved = |p: Vec3| (turn.rotate(p.truncate())).extend(p.z) + placed.at;
        for (corners, _) in &placed.piece.mesh.triangles {
            let places = corners.map(|c| moved(placed.piece.mesh.vertices[c as usize].place));
            let normal = (places[1] - places[0]).cross(places[2] - places[0]).normalize_or_zero();
            let light = 0.55 + 0.35 * normal.dot(Vec3::new(-0.4, -0.5, 0.75).normalize()).abs();
            let pixels = places.map(|p| space.pixel(p).map(|q| (q * scale).as_vec2()));
            let [Some(a), Some(b), Some(c)] = pixels else { continue };
            let depths = places.map(|p| (p - space.eye).length());
            let low = a.min(b).min(c).max(Vec2::ZERO);
            let high = a.max(b).max(c).min(Vec2::new(width as f32 - 1.0, height as f32 - 1.0));
            let area = (b - a).perp_dot(c - a);
            if area.abs() < 1e-6 || low.x > high.x || low.y > high.y {
                continue;
            }
            for y in low.y as usize..=high.y.ceil() as usize {
                for x in low.x as usize..=high.x.ceil() as usize {
                    let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    let w =
                        [(b - p).perp_dot(c - p), (c - p).perp_dot(a - p), (a - p).perp_dot(b - p)].map(|v| v / area);
                    if w.iter().any(|v| *v < 0.0) || y >= height || x >= width {
                        continue;
                    }
                    let depth = w[0] * depths[0] + w[1] * depths[1] + w[2] * depths[2];
                    let cell = &mut buffer[y * width + x];
                    if cell.is_none_or(|(d, ..)| depth < d) {
                        *cell = Some((depth, id, light));
                    }
                }
            }
        }
    }
    buffer
}

fn report(
    name: &str,
    space: &Space,
    segmentation: &Segmentation,
    done: &Arrangement,
    buffer: &[Cell],
    [width, height]: [usize; 2],
) -> String {
    let mut line = format!("{name}: eye {:.2} height {:.2};", space.eye.z, space.height);
    for (id, placed) in done.placed.iter().enumerate() {
        let pixels = (0..buffer.len()).filter(|i| buffer[*i].is_some_and(|(_, of, _)| of == id));
        let (mut all, mut over) = (0.0_f32, 0.0);
        for i in pixels {
            let at = [((i % width) as f64 + 0.5) / width as f64, ((i / width) as f64 + 0.5) / height as f64];
            all += 1.0;
            over += f32::from(u8::from(matches!(class_at(segmentation, at), 4..=6)));
        }
        let _ = write!(line, " {}", placed.piece.kind);
        if over > 0.03 * all {
            let _ = write!(line, " OVER {:.2}", over / all.max(1.0));
        }
        if is_rug(placed) {
            let corners = placed.footprint().corners();
            let cut = corners.iter().filter(|c| !space.shows(c.extend(0.0))).count();
            let wall = corners.iter().map(|c| space.clearance(*c)).fold(f32::MAX, f32::min);
            let _ = write!(line, " [{:.1}x{:.1} cut {cut} wall {wall:.2}]", placed.piece.size.x, placed.piece.size.y);
        }
        line.push(',');
    }
    let _ = write!(line, " left out {:?}", done.left_out.iter().map(|k| k.as_str()).collect::<Vec<_>>());
    line
}

fn is_rug(placed: &Placed) -> bool {
    placed.piece.size.z <= 0.05 && placed.at.z < 0.3
}
