//! Bridges: decks with parapets over water, roads and railways. Ways on a bridge are not painted on the ground below.

mod course;

use aerie_geodata::place::{AreaKind, Place, Point, Surface, Way, WayKind};
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2, Vec3};

pub(crate) use course::{Course, courses, is_deck};

use crate::mesh::{Builder, Material, block, color, gritty};
use crate::shape;
use crate::tracks::{SLEEPER_REACH, SLEEPER_SPACING};

/// Depth of a deck, meters.
const DEPTH: f64 = 0.9;
/// Height of a parapet, meters.
pub(crate) const PARAPET: f64 = 0.95;
/// Ramps lower than this are painted on the ground, meters.
const LOW: f64 = 0.12;

/// Adds every bridge of a place.
pub(crate) fn add(place: &Place, out: &mut Builder) {
    let courses = courses(place);
    for course in &courses {
        match course.ramp {
            true => ramp(place, course, out),
            false => deck(place, course, &courses, out),
        }
    }
}

/// Adds a strip along a course, between two offsets to the left of its center line, `lift` meters above its surface.
fn strip(
    line: &[Point],
    heights: &[f64],
    (from, to): (f64, f64),
    lift: f64,
    (material, finish): (Material, Finish),
    out: &mut Builder,
) {
    let (left, right) = (shape::offset(line, from), shape::offset(line, to));
    for i in 0..line.len() - 1 {
        let corner = |p: Point, k: usize| {
            let at = shape::vec(p).extend(heights[k] + lift).as_vec3();
            (at, Vec2::new(p[0] as f32, p[1] as f32), 1.0)
        };
        let face = [corner(left[i], i), corner(right[i], i), corner(right[i + 1], i + 1), corner(left[i + 1], i + 1)];
        out.face(finish, &face, material);
    }
}

/// Adds verges, carriageway and markings.
fn road(way: &Way, half: f64, line: &[Point], heights: &[f64], verges: [u8; 3], out: &mut Builder) {
    let surface = match way.surface {
        Surface::Asphalt | Surface::Concrete => [84, 84, 85],
        Surface::Ballast => [112, 106, 98],
        _ => [138, 130, 118],
    };
    // From left to right along the way, so that faces point up.
    strip(line, heights, (half, -half), -0.03, gritty(verges), out);
    let covered = if way.kind == WayKind::Railway { way.width.max(3.4) } else { way.width };
    strip(line, heights, (covered * 0.5, -covered * 0.5), 0.04, gritty(surface), out);
    let paint = ([color([196, 196, 192], 0), 0, 0, 0], Finish::Plain);
    let marked = |from: f64, to: f64, every: usize, out: &mut Builder| {
        for i in (0..line.len() - 1).step_by(every) {
            strip(&line[i..i + 2], &heights[i..i + 2], (from, to), 0.08, paint, out);
        }
    };
    match way.kind {
        WayKind::Railway => {
            sleepers(line, heights, out);
            rails(line, heights, out);
        }
        WayKind::Major | WayKind::Minor | WayKind::Motorway if way.lanes >= 2 && way.width >= 5.4 => {
            for lane in 1..way.lanes {
                let by = way.width * (f64::from(lane) / f64::from(way.lanes) - 0.5);
                marked(by + 0.07, by - 0.07, 2, out);
            }
            if way.kind != WayKind::Minor {
                for side in [-1.0, 1.0] {
                    let by = side * (way.width * 0.5 - 0.25);
                    marked(by + 0.07, by - 0.07, 1, out);
                }
            }
        }
        _ => {}
    }
}

fn deck(place: &Place, course: &Course<'_>, all: &[Course<'_>], out: &mut Builder) {
    let line: Vec<Point> = course.line.iter().map(|p| p.to_array()).collect();
    let others = || all.iter().filter(|o| !o.ramp && o.way.id != course.way.id && o.way.layer == course.way.layer);
    // A tram on a street's bridge needs rails but no deck of its own.
    let is_tram = course.way.kind == WayKind::Railway && course.way.surface == Surface::Asphalt;
    let middle = course.line[course.line.len() / 2];
    if is_tram && others().any(|o| o.way.kind != WayKind::Railway && o.carries(middle)) {
        return rails(&line, &course.heights, out);
    }
    road(course.way, course.half, &line, &course.heights, [128, 126, 120], out);
    for side in [1.0, -1.0] {
        // No parapet between adjoining decks.
        let beyond = shape::offset(&line, (course.half + 0.7) * side);
        let free = |p: &Point| !others().any(|o| o.carries(shape::vec(*p)));
        let free: Vec<bool> = beyond.iter().map(free).collect();
        let mut start = 0;
        while start + 1 < line.len() {
            let end = (start + 1..line.len()).take_while(|i| free[*i - 1] && free[*i]).last();
            if let Some(end) = end {
                beam(&line[start..=end], &course.heights[start..=end], course.half * side, side, out);
            }
            start = end.unwrap_or(start + 1);
        }
    }
    abutments(place, course, &line, out);
}

/// Adds an embankment with grass slopes, steeper where space is short.
fn ramp(place: &Place, course: &Course<'_>, out: &mut Builder) {
    let ground = |p: DVec2| place.terrain.height(p.to_array());
    let lifted = |i: usize| course.heights[i] - ground(course.line[i]);
    let Some(first) = (0..course.line.len()).find(|i| lifted(*i) > LOW) else { return };
    let last = (0..course.line.len()).rfind(|i| lifted(*i) > LOW).unwrap_or(first);
    // One extra piece at each end, where it emerges from the ground.
    let kept = first.saturating_sub(1)..=(last + 1).min(course.line.len() - 1);
    let (line, heights) = (&course.line[kept.clone()], &course.heights[kept]);
    if line.len() < 2 {
        return;
    }
    let points: Vec<Point> = line.iter().map(|p| p.to_array()).collect();
    road(course.way, course.half, &points, heights, [112, 116, 84], out);
    for side in [1.0, -1.0] {
        let edge = shape::offset(&points, course.half * side);
        let feet: Vec<Vec3> = (0..line.len())
            .map(|i| {
                let outwards = (shape::vec(edge[i]) - line[i]).normalize_or_zero();
                let run = (1.6 * (heights[i] - ground(line[i]))).min(room(place, course, edge[i])).max(0.05);
                let foot = shape::vec(edge[i]) + outwards * run;
                foot.extend(ground(foot) - 0.3).as_vec3()
            })
            .collect();
        for i in 0..line.len() - 1 {
            let top = |k: usize| shape::vec(edge[k]).extend(heights[k]).as_vec3();
            let mut face = [feet[i], feet[i + 1], top(i + 1), top(i)];
            if side > 0.0 {
                face.reverse();
            }
            let corners = face.map(|p| (p, Vec2::new(p.x, p.y), 0.85));
            let (material, finish) = gritty([98, 112, 68]);
            out.face(finish, &corners, material);
        }
    }
}

/// Distance from an edge to the nearest building or other way, meters.
fn room(place: &Place, course: &Course<'_>, edge: Point) -> f64 {
    let at = shape::vec(edge);
    let ways = place.ways.iter().filter(|w| !w.tunnel && !is_deck(w) && w.id != course.way.id);
    let to_ways = ways.map(|w| shape::distance_to_line(at, &w.line) - w.width * 0.5 - 0.6);
    let houses = place.buildings.iter().filter(|b| shape::vec(b.footprint.outer[0]).distance(at) < 80.0);
    to_ways
        .chain(houses.map(|b| shape::distance_to_ring(at, &b.footprint.outer) - 1.0))
        .fold(f64::INFINITY, f64::min)
        .max(0.0)
}

/// Adds sleepers near the property.
fn sleepers(line: &[Point], heights: &[f64], out: &mut Builder) {
    const HALF: f64 = 0.13;
    let wood = ([color([92, 86, 80], 0), 0, 0, 0], Finish::Plain);
    for i in 0..line.len() - 1 {
        let (a, b) = (shape::vec(line[i]), shape::vec(line[i + 1]));
        let run = a.distance(b);
        let count = (run / SLEEPER_SPACING).round() as usize;
        for k in 0..count {
            let middle = (k as f64 + 0.5) * run / count as f64;
            let shares = [middle - HALF, middle + HALF].map(|along| (along / run).min(1.0));
            let ends = shares.map(|t| a.lerp(b, t).to_array());
            let at = shares.map(|t| heights[i] + (heights[i + 1] - heights[i]) * t);
            if shape::vec(ends[0]).length() < SLEEPER_REACH {
                strip(&ends, &at, (1.3, -1.3), 0.08, wood, out);
            }
        }
    }
}

fn rails(line: &[Point], heights: &[f64], out: &mut Builder) {
    let steel = ([color([128, 122, 116], 0), 0, 0, 0], Finish::Plain);
    for side in [-0.75, 0.75] {
        strip(line, heights, (side + 0.07, side - 0.07), 0.14, steel, out);
    }
}

/// Adds one edge of a deck: its side face and a parapet.
fn beam(line: &[Point], heights: &[f64], by: f64, side: f64, out: &mut Builder) {
    const THICK: f64 = 0.22;
    let (outer, inner) = (shape::offset(line, by), shape::offset(line, by - side * THICK));
    let stone = color([158, 153, 145], 0);
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
    let last = line.len() - 1;
    for (end, towards) in [(0, 1), (last, last - 1)] {
        let at = |ring: &[Point], z: f64| shape::vec(ring[end]).extend(heights[end] + z).as_vec3();
        let mut face = [at(&outer, -DEPTH), at(&inner, -DEPTH), at(&inner, PARAPET), at(&outer, PARAPET)];
        let outwards = shape::vec(line[end]) - shape::vec(line[towards]);
        let normal = (face[1] - face[0]).cross(face[2] - face[0]).truncate().as_dvec2();
        if normal.dot(outwards) < 0.0 {
            face.reverse();
        }
        out.plain(&face, stone);
    }
}

/// Adds walls across the ends, and piers where a deck is high above the ground or over water.
fn abutments(place: &Place, course: &Course<'_>, line: &[Point], out: &mut Builder) {
    let heights = &course.heights;
    let wet = |p: DVec2| place.areas.iter().any(|a| a.kind == AreaKind::Water && shape::inside(p, &a.polygon));
    let stone = [150, 146, 138];
    let last = line.len() - 1;
    for (end, towards) in [(0, 1), (last, last - 1)] {
        let at = course.line[end];
        let along = (course.line[towards] - at).normalize_or(DVec2::X);
        let ground = place.terrain.height(line[end]);
        if heights[end] - ground > LOW {
            let half = DVec2::new(0.3, course.half);
            block(at + along * 0.3, along, half, ground - 1.0, heights[end] - 0.05, stone, out);
        }
    }
    let apart = 18.0;
    let mut along = 0.0;
    let mut next = apart;
    for i in 1..last {
        let at = course.line[i];
        along += course.line[i - 1].distance(at);
        let ground = place.terrain.height(line[i]);
        if along < next || heights[i] - ground < 3.0 && !wet(at) {
            continue;
        }
        next = along + apart;
        let direction = (course.line[i + 1] - at).normalize_or(DVec2::X);
        let size = DVec2::new(0.45, (course.half - 0.5).max(0.4));
        block(at, direction, size, ground - 1.0, heights[i] - DEPTH, stone, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::way;
    use aerie_geodata::place::Terrain;

    fn place(ways: Vec<Way>) -> Place {
        let mut place = crate::fixtures::empty_place(None);
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
    fn a_road_climbs_to_its_bridge_on_a_ramp_as_far_as_the_next_junction() {
        let before = way("way/1", vec![[-300.0, 0.0], [-15.0, 0.0]], false);
        let bridge = way("way/2", vec![[-15.0, 0.0], [15.0, 0.0]], true);
        let behind = way("way/3", vec![[15.0, 0.0], [60.0, 0.0], [300.0, 0.0]], false);
        let below = way("way/4", vec![[0.0, -50.0], [0.0, 50.0]], false);
        let mut ways = vec![before, bridge, behind, below];
        let reach = |ways: &[Way]| {
            let all = heights(&place(ways.to_vec()));
            let top = all.iter().map(|p| p[2]).fold(0.0, f32::max);
            let east = all.iter().filter(|p| p[2] > 0.5).map(|p| p[0]).fold(0.0, f32::max);
            let west = all.iter().filter(|p| p[2] > 0.5).map(|p| p[0]).fold(0.0, f32::min);
            (top, west, east)
        };
        let (top, west, east) = reach(&ways);
        assert!(top > 6.0 && (-125.0..-70.0).contains(&west) && (70.0..125.0).contains(&east), "{top} {west} {east}");
        // The ramp must reach the ground before a junction at 60 m.
        ways.push(way("way/5", vec![[60.0, 0.0], [60.0, 90.0]], false));
        let (low, _, nearer) = reach(&ways);
        assert!(low < top - 1.0 && nearer < 60.0, "{low} {nearer}");
    }

    #[test]
    fn adjoining_decks_are_one_bridge_with_parapets_on_the_outside_only() {
        let high = |ways: Vec<Way>| {
            let all = heights(&place(ways));
            let mut across: Vec<i32> = all.iter().filter(|p| p[2] > 0.8).map(|p| (p[1] * 2.0).round() as i32).collect();
            across.sort_unstable();
            across.dedup();
            across
        };
        let one = way("way/1", vec![[-20.0, 0.0], [20.0, 0.0]], true);
        let other = way("way/2", vec![[-20.0, 5.6], [20.0, 5.6]], true);
        assert!(high(vec![one.clone()]).iter().any(|y| (4..=8).contains(y)));
        let both = high(vec![one, other]);
        assert!(both.iter().all(|y| *y < -3 || *y > 14), "{both:?}");
    }

    #[test]
    fn a_railway_keeps_its_sleepers_on_a_bridge_and_lies_on_the_deck() {
        let mut rails = way("way/1", vec![[-20.0, 0.0], [20.0, 0.0]], true);
        (rails.kind, rails.surface, rails.width) = (WayKind::Railway, Surface::Ballast, 3.2);
        let all = heights(&place(vec![rails.clone()]));
        let ends: Vec<_> = all.iter().filter(|p| (p[1].abs() - 1.3).abs() < 1e-4).collect();
        assert!((ends.len() / 4).abs_diff((40.0 / SLEEPER_SPACING) as usize) <= 3, "{}", ends.len() / 4);
        assert!(ends.iter().all(|p| p[2] > 0.1 && p[2] < 0.65));
        // Far from the property they are not drawn one by one.
        rails.line = vec![[-20.0, 400.0], [20.0, 400.0]];
        assert!(heights(&place(vec![rails])).iter().all(|p| ((p[1] - 400.0).abs() - 1.3).abs() > 1e-4));
    }

    #[test]
    fn neither_bridges_nor_tunnels_are_painted_on_the_ground() {
        let asphalt = |ways: Vec<Way>| crate::ground::paint(&place(ways), &[], true).len();
        let bare = asphalt(vec![]);
        let line = vec![[-40.0, 0.0], [40.0, 0.0]];
        let mut tunnel = way("way/3", line.clone(), false);
        tunnel.tunnel = true;
        assert!(asphalt(vec![way("way/1", line.clone(), false)]) > bare);
        assert_eq!(asphalt(vec![way("way/2", line, true)]), bare);
        assert_eq!(asphalt(vec![tunnel]), bare);
    }
}
