//! Bridges: decks with their parapets, over water, roads and railways. What is on a bridge is not painted on the ground below.

use aerie_render::scene::Finish;
use aerie_world::place::{AreaKind, Place, Point, Surface, Way, WayKind};
use glam::{DVec2, Vec2, Vec3};

use crate::mesh::{Builder, colour};
use crate::roads::{beside, meeting};
use crate::shape;

/// Shortest bridge that has a deck of its own, metres.
const SHORTEST: f64 = 5.0;
/// Depth of a deck, metres.
const DEPTH: f64 = 0.9;
/// Room over the way below, from its surface to the deck's, metres.
const CLEAR: f64 = 5.6;
/// Steepest climb that a deck may make by itself.
const STEEPEST: f64 = 0.07;
/// How far a deck lies above water and hollows, metres.
const OVER_WATER: f64 = 0.45;
/// Pieces of a deck are no longer than this, metres.
const PIECE: f64 = 4.0;

/// Whether a way is drawn as a deck rather than painted on the ground.
pub(crate) fn is_deck(way: &Way) -> bool {
    way.bridge && !way.tunnel && shape::length(&way.line) >= SHORTEST
}

/// Adds every bridge of a place.
pub(crate) fn add(place: &Place, out: &mut Builder) {
    for way in place.ways.iter().filter(|w| is_deck(w)) {
        deck(place, way, out);
    }
}

/// How far a deck rises above the line between its ends.
fn rise(place: &Place, way: &Way) -> f64 {
    let crosses = |other: &Way| {
        let meets = |p: &[Point], q: &[Point]| {
            meeting(shape::vec(p[0]), shape::vec(p[1]), shape::vec(q[0]), shape::vec(q[1])).is_some()
        };
        other.id != way.id
            && !other.tunnel
            && other.layer < way.layer.max(1)
            && way.line.windows(2).any(|p| other.line.windows(2).any(|q| meets(p, q)))
    };
    let on_foot = |w: &Way| matches!(w.kind, WayKind::Footpath | WayKind::Cycleway);
    let over_way = place.ways.iter().any(|other| !on_foot(other) && crosses(other));
    // Rails climb nowhere.
    if over_way && way.kind != WayKind::Railway {
        (shape::length(&way.line) * 0.5 * STEEPEST).clamp(OVER_WATER, CLEAR)
    } else {
        OVER_WATER
    }
}

/// A line with a point every few metres: each with how far along it lies.
fn stations(line: &[Point]) -> Vec<(DVec2, f64)> {
    let mut out = vec![(shape::vec(line[0]), 0.0)];
    let mut along = 0.0;
    for pair in line.windows(2) {
        let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
        let run = a.distance(b);
        let steps = (run / PIECE).ceil().max(1.0) as usize;
        out.extend((1..=steps).map(|i| {
            let share = i as f64 / steps as f64;
            (a.lerp(b, share), along + run * share)
        }));
        along += run;
    }
    out
}

fn deck(place: &Place, way: &Way, out: &mut Builder) {
    let stations = stations(&way.line);
    let total = stations.last().map_or(0.0, |s| s.1).max(0.1);
    let ground = |p: DVec2| place.terrain.height(p.to_array());
    let ends = [stations[0].0, stations[stations.len() - 1].0].map(ground);
    let rise = rise(place, way);
    // Level with the ground at both ends, up within a third of its length, a little arched.
    let surface = |at: DVec2, along: f64| {
        let share = along / total;
        let up = (share.min(1.0 - share) * 3.0).clamp(0.0, 1.0);
        let eased = up * up * (3.0 - 2.0 * up);
        let straight = ends[0] + (ends[1] - ends[0]) * share;
        straight.max(ground(at)) + 0.04 + rise * eased
    };
    let heights: Vec<f64> = stations.iter().map(|(at, along)| surface(*at, *along)).collect();
    let line: Vec<Point> = stations.iter().map(|(at, _)| at.to_array()).collect();
    let carriage = way.width;
    let verge = if way.pavement { 1.7 } else { 0.5 };
    let half = carriage * 0.5 + verge;
    let strip = |from: f64, to: f64, lift: f64, look: [u32; 4], finish: Finish, out: &mut Builder| {
        let (left, right) = (beside(&line, from), beside(&line, to));
        for i in 0..line.len() - 1 {
            let corner = |p: Point, k: usize| {
                let at = shape::vec(p).extend(heights[k] + lift).as_vec3();
                (at, Vec2::new(p[0] as f32, p[1] as f32), 1.0)
            };
            let face =
                [corner(left[i], i), corner(right[i], i), corner(right[i + 1], i + 1), corner(left[i + 1], i + 1)];
            out.face(finish, &face, look);
        }
    };
    // As the roof program takes it: flat, of grit rather than sheets.
    const FLAT: u8 = 3;
    const GRIT: u32 = 1 << 24;
    let road = match way.surface {
        Surface::Asphalt | Surface::Concrete => [84, 84, 85],
        Surface::Ballast => [112, 106, 98],
        _ => [138, 130, 118],
    };
    // From left to right as the way runs, so that faces look up.
    strip(half, -half, 0.0, [colour([128, 126, 120], FLAT), GRIT, 0, 0], Finish::Roof, out);
    let covered = if way.kind == WayKind::Railway { carriage.max(3.4) } else { carriage };
    strip(covered * 0.5, -covered * 0.5, 0.03, [colour(road, FLAT), GRIT, 0, 0], Finish::Roof, out);
    let plain = |srgb| [colour(srgb, 0), 0, 0, 0];
    match way.kind {
        WayKind::Railway => {
            for side in [-0.75, 0.75] {
                strip(side + 0.07, side - 0.07, 0.10, plain([150, 146, 142]), Finish::Plain, out);
            }
        }
        WayKind::Major | WayKind::Minor | WayKind::Motorway if way.lanes >= 2 && carriage >= 5.4 => {
            strip(0.07, -0.07, 0.06, plain([196, 196, 192]), Finish::Plain, out);
        }
        _ => {}
    }
    for side in [1.0, -1.0] {
        beam(&line, &heights, half * side, side, out);
    }
    abutments(place, &line, &heights, half, out);
}

/// A deck's edge: its outer side, and a parapet on it.
fn beam(line: &[Point], heights: &[f64], by: f64, side: f64, out: &mut Builder) {
    const PARAPET: f64 = 0.95;
    const THICK: f64 = 0.22;
    let (outer, inner) = (beside(line, by), beside(line, by - side * THICK));
    let stone = colour([158, 153, 145], 0);
    for i in 0..line.len() - 1 {
        let at = |ring: &[Point], k: usize, z: f64| -> Vec3 { shape::vec(ring[k]).extend(heights[k] + z).as_vec3() };
        let mut faces = [
            [at(&outer, i, -DEPTH), at(&outer, i + 1, -DEPTH), at(&outer, i + 1, PARAPET), at(&outer, i, PARAPET)],
            [at(&inner, i + 1, 0.0), at(&inner, i, 0.0), at(&inner, i, PARAPET), at(&inner, i + 1, PARAPET)],
            [at(&outer, i, PARAPET), at(&outer, i + 1, PARAPET), at(&inner, i + 1, PARAPET), at(&inner, i, PARAPET)],
        ];
        if side > 0.0 {
            faces.iter_mut().for_each(|face| face.reverse());
        }
        faces.iter().for_each(|face| out.plain(face, stone));
    }
}

/// Walls across the ends, and a pier every so often where a deck is high above the ground.
fn abutments(place: &Place, line: &[Point], heights: &[f64], half: f64, out: &mut Builder) {
    let wet = |p: DVec2| place.areas.iter().any(|a| a.kind == AreaKind::Water && shape::inside(p, &a.polygon));
    let apart = 18.0;
    let mut along = 0.0;
    let mut next = apart;
    for i in 1..line.len() - 1 {
        let at = shape::vec(line[i]);
        along += shape::vec(line[i - 1]).distance(at);
        let ground = place.terrain.height(line[i]);
        if along < next || heights[i] - ground < 3.0 && !wet(at) {
            continue;
        }
        next = along + apart;
        let direction = (shape::vec(line[i + 1]) - at).normalize_or(DVec2::X);
        let size = DVec2::new(0.45, (half - 0.5).max(0.4));
        crate::buildings::block(at, direction, size, ground - 1.0, heights[i] - DEPTH, [150, 146, 138], out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_world::place::Terrain;

    fn way(id: &str, line: Vec<Point>, bridge: bool) -> Way {
        Way {
            id: id.into(),
            name: None,
            kind: WayKind::Residential,
            line,
            width: 5.0,
            lanes: 2,
            oneway: false,
            surface: Surface::Asphalt,
            pavement: false,
            crossing: false,
            bridge,
            tunnel: false,
            layer: i32::from(bridge),
        }
    }

    fn place(ways: Vec<Way>) -> Place {
        let mut place = crate::ground::tests::empty(None);
        place.terrain = Terrain::flat(500.0, 0.0);
        place.ways = ways;
        place
    }

    fn heights(place: &Place) -> Vec<[f32; 3]> {
        let mut builder = Builder::default();
        add(place, &mut builder);
        builder.finish().vertices.iter().map(|v| v.position).collect()
    }

    #[test]
    fn a_deck_begins_on_the_ground_rises_over_the_road_below_and_faces_up() {
        let bridge = way("way/1", vec![[-80.0, 0.0], [80.0, 0.0]], true);
        let low = heights(&place(vec![bridge.clone()]));
        let below = way("way/2", vec![[0.0, -50.0], [0.0, 50.0]], false);
        let both = place(vec![bridge, below]);
        let high = heights(&both);
        let top = |all: &[[f32; 3]]| all.iter().map(|p| p[2]).fold(0.0, f32::max);
        assert!(top(&low) < 2.5 && top(&high) > 6.0, "{} {}", top(&low), top(&high));
        let at_end = |p: &&[f32; 3]| p[0].abs() > 79.9;
        assert!(high.iter().filter(at_end).all(|p| p[2] < 1.1));
        let mut builder = Builder::default();
        add(&both, &mut builder);
        let solids = builder.finish();
        let roofs = &solids.chunks.iter().map(|c| c.ranges[Finish::Roof as usize].clone()).collect::<Vec<_>>();
        let up = roofs.iter().flat_map(|r| &solids.indices[r.start as usize..r.end as usize]);
        assert!(up.clone().count() > 0 && up.clone().all(|i| solids.vertices[*i as usize].normal[2] > 100));
    }

    #[test]
    fn neither_bridges_nor_tunnels_are_painted_on_the_ground() {
        let asphalt = |ways: Vec<Way>| crate::ground::paint(&place(ways), &[]).len();
        let bare = asphalt(vec![]);
        let line = vec![[-40.0, 0.0], [40.0, 0.0]];
        let mut tunnel = way("way/3", line.clone(), false);
        tunnel.tunnel = true;
        assert!(asphalt(vec![way("way/1", line.clone(), false)]) > bare);
        assert_eq!(asphalt(vec![way("way/2", line, true)]), bare);
        assert_eq!(asphalt(vec![tunnel]), bare);
    }
}
