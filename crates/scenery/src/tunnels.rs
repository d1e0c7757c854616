//! Tunnels: portals where the ground rises above their mouths, and darkened roads in short underpasses.

use std::collections::BTreeMap;

use aerie_geodata::place::{Place, Point, Way, WayKind};
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2, Vec3};

use crate::mesh::{Builder, color};
use crate::shape;

/// Distance from the mouth within which the ground must rise to the portal's top, meters.
const MAX_DEPTH: f64 = 45.0;
/// Width of the portal wall beside the opening, meters.
const WING_WALL: f64 = 1.6;
/// Run per rise of the earth beside a portal.
const SLOPE: f64 = 1.3;
/// Maximum length of an underpass, meters.
const MAX_UNDERPASS: f64 = 70.0;
/// Depth of foundations below ground, meters.
const FOUNDATION: f64 = 0.8;

/// One end of a tunnel.
pub(crate) struct Portal {
    /// Point where the road enters.
    pub(crate) mouth: DVec2,
    /// Into the hill.
    inwards: DVec2,
    /// Height of the road there above the datum, meters.
    floor: f64,
    /// Height of its top above the datum, meters.
    pub(crate) top: f64,
    /// Half the width of its top, meters.
    half: f64,
    /// From the mouth to where the ground has risen to the top, meters.
    depth: f64,
}

impl Portal {
    /// Radius around the mouth that contains all of it, meters.
    pub(crate) fn reach(&self) -> f64 {
        self.depth.hypot(self.half + SLOPE * (self.top - self.floor))
    }
}

/// Width and height of the opening, meters.
fn opening(way: &Way) -> (f64, f64) {
    match way.kind {
        WayKind::Railway => (way.width.max(3.4) + 1.6, 5.4),
        WayKind::Footpath | WayKind::Cycleway | WayKind::Track => (way.width + 0.8, 3.0),
        _ => (way.width + 1.4, 4.8),
    }
}

/// Whether a way runs underground with a visible mouth.
fn goes_under(way: &Way) -> bool {
    way.tunnel && !way.passage && way.kind != WayKind::Pedestrian && way.line.len() > 1
}

fn key(p: Point) -> (i64, i64) {
    ((p[0] * 20.0).round() as i64, (p[1] * 20.0).round() as i64)
}

/// Points of ways above ground, each with the number of ways there.
fn open_ends(place: &Place) -> BTreeMap<(i64, i64), usize> {
    let mut out = BTreeMap::new();
    for p in place.ways.iter().filter(|w| !w.tunnel).flat_map(|w| &w.line) {
        *out.entry(key(*p)).or_default() += 1;
    }
    out
}

/// The portals of a place.
pub(crate) fn portals(place: &Place) -> Vec<Portal> {
    let mut out: Vec<Portal> = Vec::new();
    if !place.ways.iter().any(goes_under) {
        return out;
    }
    let open = open_ends(place);
    for way in place.ways.iter().filter(|w| goes_under(w)) {
        let turned: Vec<Point> = way.line.iter().rev().copied().collect();
        for line in [&way.line, &turned] {
            let found = portal(place, way, line).filter(|_| open.contains_key(&key(line[0])));
            // Parallel tubes have one portal each; a way that is mapped twice has one.
            out.extend(found.filter(|p| out.iter().all(|o| o.mouth.distance(p.mouth) > 1.0)));
        }
    }
    out
}

/// The portal at the start of a line, if the ground rises above it there.
fn portal(place: &Place, way: &Way, line: &[Point]) -> Option<Portal> {
    let mouth = shape::vec(line[0]);
    let inwards = (shape::vec(line[1]) - mouth).try_normalize()?;
    let ground = |p: DVec2| place.terrain.height(p.to_array());
    let (width, height) = opening(way);
    let (floor, half) = (ground(mouth), width * 0.5 + WING_WALL);
    let top = floor + height + 1.0;
    let covered =
        |s: f64| [-half, 0.0, half].iter().all(|side| ground(mouth + inwards * s + inwards.perp() * *side) > top);
    let reach = MAX_DEPTH.min(shape::length(line) * 0.5);
    let depth = (1..=(reach / 1.5) as usize).map(|i| i as f64 * 1.5).find(|s| covered(*s))?;
    Some(Portal { mouth, inwards, floor, top, half, depth })
}

/// Short tunnels under other ways, where the ground does not rise.
pub(crate) fn underpasses(place: &Place) -> Vec<&Way> {
    if !place.ways.iter().any(goes_under) {
        return Vec::new();
    }
    let open = open_ends(place);
    let under = |way: &&Way| {
        let ends = [way.line.first(), way.line.last()];
        let crossed = |other: &&Way| {
            !other.tunnel
                && other.layer > way.layer
                && way.line.windows(2).any(|a| {
                    let [a, b] = [a[0], a[1]].map(shape::vec);
                    other
                        .line
                        .windows(2)
                        .any(|c| shape::intersection(a, b, shape::vec(c[0]), shape::vec(c[1])).is_some())
                })
        };
        goes_under(way)
            && shape::length(&way.line) < MAX_UNDERPASS
            && ends.into_iter().flatten().all(|p| open.contains_key(&key(*p)))
            && place.ways.iter().any(|other| crossed(&other))
    };
    place.ways.iter().filter(under).collect()
}

/// Adds every portal of a place.
pub(crate) fn add(place: &Place, out: &mut Builder) {
    for portal in portals(place) {
        build(place, &portal, out);
    }
}

fn build(place: &Place, portal: &Portal, out: &mut Builder) {
    let (right, rise) = (-portal.inwards.perp(), portal.top - portal.floor);
    let at = |s: f64, side: f64, z: f64| (portal.mouth + portal.inwards * s + right * side).extend(z).as_vec3();
    // The face, as wide at its foot as the earth behind it.
    let stone = color([124, 119, 111], 0);
    let (low, foot) = (portal.floor - FOUNDATION, portal.half + SLOPE * (rise + FOUNDATION));
    out.plain(
        &[at(0.0, -foot, low), at(0.0, foot, low), at(0.0, portal.half, portal.top), at(0.0, -portal.half, portal.top)],
        stone,
    );
    // A coping along the top.
    let coping = color([140, 135, 126], 0);
    let lip = |s: f64, z: f64| [at(s, -portal.half - 0.2, z), at(s, portal.half + 0.2, z)];
    let (front, above, behind) =
        (lip(-0.25, portal.top - 0.35), lip(-0.25, portal.top + 0.25), lip(0.5, portal.top + 0.25));
    out.plain(&[front[0], front[1], above[1], above[0]], coping);
    out.plain(&[above[0], above[1], behind[1], behind[0]], coping);
    let ends = [(0, 1), (1, 0)].map(|(i, turned)| {
        let face = [front[i], lip(0.5, portal.top - 0.35)[i], behind[i], above[i]];
        if turned == 1 { [face[3], face[2], face[1], face[0]] } else { face }
    });
    ends.iter().for_each(|face| out.plain(face, coping));
    arch(portal, &at, out);
    earth(place, portal, &at, out);
}

/// Adds the dark opening, slightly in front of the face.
fn arch(portal: &Portal, at: &dyn Fn(f64, f64, f64) -> Vec3, out: &mut Builder) {
    const BEFORE: f64 = -0.04;
    let half = portal.half - WING_WALL;
    let height = portal.top - portal.floor - 1.0;
    let spring = portal.floor + height * 0.55;
    let mut ring = vec![at(BEFORE, -half, portal.floor - FOUNDATION), at(BEFORE, half, portal.floor - FOUNDATION)];
    ring.extend((0..=12).map(|i| {
        let angle = std::f64::consts::PI * f64::from(i) / 12.0;
        at(BEFORE, half * angle.cos(), spring + height * 0.45 * angle.sin())
    }));
    let corners: Vec<_> = ring.iter().map(|&p| (p, Vec2::ZERO, 0.12)).collect();
    out.face(Finish::Plain, &corners, [color([26, 26, 28], 0), 0, 0, 0]);
}

/// Adds the earth over the tunnel, from the face to the hill.
fn earth(place: &Place, portal: &Portal, at: &dyn Fn(f64, f64, f64) -> Vec3, out: &mut Builder) {
    const GRASS: [u8; 3] = [78, 88, 48];
    let (material, finish) = crate::mesh::gritty(GRASS);
    let mut face = |corners: [Vec3; 4]| {
        let corners = corners.map(|p| (p, Vec2::new(p.x, p.y), 0.9));
        out.face(finish, &corners, material);
    };
    let end = portal.depth + 1.5;
    let half = portal.half;
    face([
        at(0.0, -half, portal.top),
        at(0.0, half, portal.top),
        at(end, half, portal.top),
        at(end, -half, portal.top),
    ]);
    let steps = (end / 4.0).ceil().max(1.0) as usize;
    for side in [1.0, -1.0] {
        // The foot of the slope, below ground.
        let foot = |i: usize| {
            let s = end * i as f64 / steps as f64;
            let low = place.terrain.height((portal.mouth + portal.inwards * s).to_array()).min(portal.top) - FOUNDATION;
            let low = low.min(portal.floor + (portal.top - portal.floor) * s / end);
            at(s, side * (half + SLOPE * (portal.top - low)), low)
        };
        let edge = |i: usize| at(end * i as f64 / steps as f64, side * half, portal.top);
        for i in 0..steps {
            let mut corners = [edge(i), foot(i), foot(i + 1), edge(i + 1)];
            if side < 0.0 {
                corners.reverse();
            }
            face(corners);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::tone_at;
    use crate::fixtures::way;
    use aerie_geodata::place::Terrain;

    /// Flat in the west, a hill of `height` meters in the east.
    fn place(height: f32) -> Place {
        let mut place = crate::fixtures::empty_place(None);
        let (columns, spacing) = (41, 30.0);
        let heights = (0..columns * columns).map(|i| if i % columns > 20 { height } else { 0.0 }).collect();
        place.terrain =
            Terrain { min: [-600.0; 2], spacing, columns, rows: columns, heights, ..Terrain::flat(600.0, 0.0) };
        let mut tunnel = way("way/2", vec![[0.0, 0.0], [300.0, 0.0]], false);
        (tunnel.tunnel, tunnel.layer) = (true, -1);
        place.ways = vec![way("way/1", vec![[-90.0, 0.0], [0.0, 0.0]], false), tunnel];
        place
    }

    #[test]
    fn a_tunnel_has_a_portal_where_the_ground_rises_above_it_and_a_road_comes_out() {
        let hill = place(30.0);
        let found = portals(&hill);
        // The far end is on the hill, where no road is mapped.
        assert_eq!(found.len(), 1);
        assert!(found[0].mouth.length() < 1e-6 && found[0].inwards.x > 0.99);
        assert!(portals(&place(0.0)).is_empty() && portals(&place(3.0)).is_empty());
        let mut passage = place(30.0);
        passage.ways[1].passage = true;
        assert!(portals(&passage).is_empty());
        let mut lonely = place(30.0);
        lonely.ways.remove(0);
        assert!(portals(&lonely).is_empty());
    }

    #[test]
    fn a_portal_faces_the_road_and_its_back_is_inside_the_hill() {
        let hill = place(30.0);
        let mut builder = Builder::default();
        add(&hill, &mut builder);
        let solids = builder.finish();
        assert!(!solids.vertices.is_empty());
        let rear = solids.vertices.iter().map(|v| v.position[0]).fold(0.0, f32::max);
        for v in &solids.vertices {
            let [x, y, z] = v.position.map(f64::from);
            let ground = hill.terrain.height([x, y]);
            // The back is below ground, the rest at most a portal's height above the road.
            assert!(x < f64::from(rear) - 0.1 || z < ground, "{:?} over {ground}", v.position);
            assert!(x > -0.3 && z < 7.0);
        }
        let faces: Vec<_> =
            solids.vertices.iter().filter(|v| v.position[0].abs() < 0.05 && v.normal[0] < -120).collect();
        assert!(faces.len() > 10);
    }

    #[test]
    fn a_short_tunnel_under_another_way_is_a_darkened_road() {
        let mut flat = place(0.0);
        flat.ways[1].line = vec![[0.0, 0.0], [24.0, 0.0]];
        flat.ways.push(way("way/3", vec![[24.0, 0.0], [90.0, 0.0]], false));
        let tone =
            |place: &Place, x: f64| tone_at(&crate::ground::paint(place, &[], true), DVec2::new(x, 0.3)).unwrap_or(0.0);
        let meadow = tone(&flat, 4.0);
        assert!(underpasses(&flat).is_empty());
        flat.ways.push(way("way/4", vec![[12.0, -50.0], [12.0, 50.0]], false));
        assert_eq!(underpasses(&flat).len(), 1);
        // Roads differ by at most 1.15 to 0.9; an underpass is darker than that.
        let dark = tone(&flat, 4.0);
        assert!(dark != meadow && dark * 1.1 < tone(&flat, -9.0).min(tone(&flat, 40.0)), "{dark}");
        flat.ways[1].passage = true;
        assert!(underpasses(&flat).is_empty() && tone(&flat, 4.0) > dark * 1.2);
    }
}
