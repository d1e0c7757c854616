//! Houses along the streets, each on its lot: garden, hedge, drive, garage, trees.

use aerie_geodata::place::{Point, Ring};
use aerie_math::geometry;
use aerie_math::rng::{hash, hash_to_unit as unit};

use crate::osm_file::{OsmFile, TagList, tags};
use crate::plan::{POSTCODE, Street, Style, TOWN};
use crate::relief::stream_y;

/// The frame of a lot: meters along a street from its start, and across it to the left.
struct Spot {
    at: Point,
    /// Unit vector along the street.
    along: Point,
    /// Unit vector from the street toward the house.
    away: Point,
}

impl Spot {
    fn point(&self, along: f64, away: f64) -> Point {
        [
            self.at[0] + along * self.along[0] + away * self.away[0],
            self.at[1] + along * self.along[1] + away * self.away[1],
        ]
    }

    fn rect(&self, along: (f64, f64), away: (f64, f64)) -> Ring {
        vec![
            self.point(along.0, away.0),
            self.point(along.1, away.0),
            self.point(along.1, away.1),
            self.point(along.0, away.1),
        ]
    }
}

/// Ground that is occupied.
pub(crate) struct Site {
    streets: Vec<Vec<Point>>,
    reserved: Vec<Ring>,
    built: Vec<Built>,
}

/// The outline of a building, with its bounds.
struct Built {
    ring: Ring,
    bounds: [f64; 4],
}

impl Built {
    fn new(ring: Ring) -> Self {
        Self { bounds: geometry::bounds(&ring), ring }
    }

    /// Returns whether a point is more than `distance` meters away.
    fn is_beyond(&self, p: Point, distance: f64) -> bool {
        is_outside(self.bounds, p, distance) || away_from(&self.ring, p) > distance
    }
}

const WALLS: [&str; 8] = ["#efe6d2", "#e8dcc3", "#f3efe6", "#e3d3b4", "#d9c7ae", "#e9e2d6", "#dcd8cc", "#e6d2bf"];
const ROOFS: [&str; 6] = ["#9b4f37", "#8a4632", "#a65f43", "#6f4a3c", "#5d5a58", "#7d4b3a"];

impl Site {
    pub(crate) fn new(streets: Vec<Vec<Point>>, reserved: Vec<Ring>) -> Self {
        Self { streets, reserved, built: Vec::new() }
    }

    /// Whether a ring is clear of streets, the stream, reserved ground and other buildings.
    fn is_free(&self, ring: &[Point], street: f64, house: f64) -> bool {
        let mut probes = ring.to_vec();
        for i in 0..ring.len() {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            probes.push([f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])]);
        }
        probes.push(geometry::centroid(ring));
        probes.iter().all(|p| {
            (p[1] - stream_y(p[0])).abs() > 16.0
                && self.reserved.iter().all(|r| away_from(r, *p) > 5.0)
                && self.is_off_streets(*p, street)
                && self.built.iter().all(|b| b.is_beyond(*p, house))
        }) && {
            let bounds = geometry::bounds(ring);
            let mut corners = self.built.iter().flat_map(|b| &b.ring);
            corners.all(|p| is_outside(bounds, *p, house) || away_from(ring, *p) > house)
        }
    }

    pub(crate) fn is_clear(&self, p: Point, street: f64, house: f64) -> bool {
        (p[1] - stream_y(p[0])).abs() > 5.0
            && self.is_off_streets(p, street)
            && self.built.iter().all(|b| b.is_beyond(p, house))
    }

    /// Returns whether the centers of all streets are farther from a point than this, in meters.
    fn is_off_streets(&self, p: Point, distance: f64) -> bool {
        self.streets.iter().flat_map(|line| line.windows(2)).all(|segment| {
            is_outside(geometry::bounds(segment), p, distance)
                || geometry::nearest_on_segment(segment[0], segment[1], p).1 > distance
        })
    }

    pub(crate) fn build_along(&mut self, file: &mut OsmFile, street: &Street, line: &[Point]) {
        let length: f64 = line.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).sum();
        let seed = hash(street.name.bytes().fold(7, |h, b| hash(h ^ u64::from(b))));
        for (side, first) in [(1.0, 1), (-1.0, 2)] {
            let mut number = first;
            let mut s = 15.0;
            let mut lot = 0;
            while s < length - 13.0 {
                let seed = hash(seed ^ (lot * 2 + u64::from(first == 2)));
                lot += 1;
                let core = street.style == Style::Core && along(line, s).0[0].abs() < 190.0;
                let frontage = match street.style {
                    Style::Apartments => 46.0,
                    Style::Core if core => 13.2,
                    _ => 21.0 + 5.0 * unit(seed),
                };
                let (at, direction) = along(line, s + frontage / 2.0);
                let spot = Spot { at, along: direction, away: [-direction[1] * side, direction[0] * side] };
                let address = || {
                    let mut list =
                        tags([("addr:street", street.name), ("addr:postcode", POSTCODE), ("addr:city", TOWN)]);
                    list.push(("addr:housenumber", number.to_string()));
                    list
                };
                let built = match street.style {
                    Style::Apartments => self.block(file, &spot, address(), seed),
                    Style::Core if core => self.shop(file, &spot, address(), seed),
                    _ => self.house(file, &spot, address(), frontage, seed),
                };
                if built {
                    number += 2;
                    s += frontage;
                } else {
                    s += 4.0;
                }
            }
        }
    }

    fn house(&mut self, file: &mut OsmFile, spot: &Spot, address: TagList, frontage: f64, seed: u64) -> bool {
        let u = |n: u64| unit(seed ^ (n << 8));
        let (width, depth) = (10.0 + 3.0 * u(1), 8.2 + 1.6 * u(2));
        let front = 11.5 + 1.2 * u(3);
        let shift = (frontage - width - 7.0).max(0.0) * 0.5 * if u(4) < 0.5 { -1.0 } else { 1.0 };
        let (left, right) = (shift - width / 2.0, shift + width / 2.0);
        let body = spot.rect((left, right), (front, front + depth));
        let mut ring = body.clone();
        let winged = u(5) < 0.3;
        if winged {
            // A wing toward the garden on one side.
            let wing = width * 0.45;
            let back = front + depth + 3.2 + 1.6 * u(6);
            ring = if u(7) < 0.5 {
                vec![
                    body[0],
                    body[1],
                    body[2],
                    spot.point(left + wing, front + depth),
                    spot.point(left + wing, back),
                    spot.point(left, back),
                ]
            } else {
                vec![
                    body[0],
                    body[1],
                    spot.point(right, back),
                    spot.point(right - wing, back),
                    spot.point(right - wing, front + depth),
                    body[3],
                ]
            };
        }
        if !self.is_free(&ring, 10.5, 5.0) {
            return false;
        }
        let mut list =
            tags([("building", if u(8) < 0.7 { "house" } else { "detached" }), ("building:material", "plaster")]);
        list.push(("building:colour", WALLS[(u(9) * WALLS.len() as f64) as usize].into()));
        list.push(("roof:colour", ROOFS[(u(10) * ROOFS.len() as f64) as usize].into()));
        list.push(("roof:material", "roof_tiles".into()));
        if u(11) < 0.7 {
            list.push(("building:levels", if u(12) < 0.2 { "1" } else { "2" }.into()));
        }
        let roof = match u(13) {
            r if r < 0.5 => Some("gabled"),
            r if r < 0.68 => Some("hipped"),
            r if r < 0.78 => Some("half-hipped"),
            _ => None,
        };
        if let Some(roof) = roof.filter(|r| !winged || *r != "half-hipped") {
            list.push(("roof:shape", roof.into()));
        }
        list.extend(address);
        file.ring(&ring, list);
        self.built.push(Built::new(ring));
        self.garden(file, spot, frontage, (left, right), front + depth, seed);
        true
    }

    /// Driveway with or without a garage, hedges and fences, a tree or two.
    fn garden(&mut self, file: &mut OsmFile, spot: &Spot, frontage: f64, house: (f64, f64), back: f64, seed: u64) {
        let u = |n: u64| unit(seed ^ (n << 16));
        // The driveway is on the wider side of the house.
        let half = frontage / 2.0;
        let (sign, room) = if half - house.1 > half + house.0 { (1.0, half - house.1) } else { (-1.0, half + house.0) };
        let lane = sign * (half - room / 2.0);
        let mut drive_to = back - 5.0;
        if room > 4.2 && u(1) < 0.6 {
            let garage = spot.rect((lane - 1.7, lane + 1.7), (back - 5.5, back + 0.5));
            if self.is_free(&garage, 9.0, 0.6) {
                let mut list = tags([("building", "garage"), ("building:material", "plaster")]);
                list.push(("roof:shape", if u(2) < 0.5 { "flat" } else { "gabled" }.into()));
                file.ring(&garage, list);
                self.built.push(Built::new(garage));
                drive_to = back - 5.6;
            }
        }
        let surface = if u(3) < 0.5 { "paving_stones" } else { "asphalt" };
        file.line(
            &[spot.point(lane, 0.0), spot.point(lane, drive_to)],
            tags([("highway", "service"), ("service", "driveway"), ("surface", surface), ("width", "2.8")]),
        );
        let open = |p: Point| self.is_clear(p, 8.0, 4.5) && self.reserved.iter().all(|r| away_from(r, p) > 2.0);
        let depth = [16.0, 12.0, 8.0, 5.0]
            .into_iter()
            .map(|d| back + d)
            .find(|far| [-half, 0.0, half].iter().all(|x| open(spot.point(*x, *far))));
        let Some(far) = depth else { return };
        let barrier = if u(4) < 0.55 {
            tags([("barrier", "hedge"), ("height", "1.7")])
        } else {
            tags([("barrier", "fence"), ("height", "1.3")])
        };
        file.line(
            &[spot.point(-half, 6.0), spot.point(-half, far), spot.point(half, far), spot.point(half, 6.0)],
            barrier,
        );
        let gap = (lane - 2.0, lane + 2.0);
        let low = tags([("barrier", if u(5) < 0.7 { "hedge" } else { "fence" }), ("height", "1")]);
        for (from, to) in [(-half, gap.0.min(half)), (gap.1.max(-half), half)] {
            if to - from > 3.0 {
                file.line(&[spot.point(from, 6.0), spot.point(to, 6.0)], low.clone());
            }
        }
        for n in 0..4_u64 {
            let at = spot.point((u(20 + n) * 2.0 - 1.0) * (half - 2.5), back + 3.5 + u(30 + n) * (far - back - 5.0));
            if u(40 + n) < 0.62 && self.is_clear(at, 7.0, 3.0) {
                let needles = u(50 + n) < 0.15;
                let height = 4.0 + 5.0 * u(60 + n);
                let mut list =
                    tags([("natural", "tree"), ("leaf_type", if needles { "needleleaved" } else { "broadleaved" })]);
                list.push(("height", format!("{height:.1}")));
                file.node(at, list);
            }
        }
        let at = spot.point(-lane * 0.7, 8.4);
        if u(70) < 0.3 && self.is_clear(at, 6.0, 2.4) {
            file.node(
                at,
                tags([("natural", "tree"), ("leaf_type", "broadleaved"), ("height", "4.5"), ("diameter_crown", "3.2")]),
            );
        }
    }

    /// A house at the sidewalk with a shop on the ground floor.
    fn shop(&mut self, file: &mut OsmFile, spot: &Spot, address: TagList, seed: u64) -> bool {
        let u = |n: u64| unit(seed ^ (n << 8));
        let depth = 10.0 + 2.0 * u(1);
        let ring = spot.rect((-6.4, 6.4), (7.0, 7.0 + depth));
        if !self.is_free(&ring, 6.4, 0.25) {
            return false;
        }
        let shop =
            ["bakery", "books", "florist", "convenience", "hairdresser", "butcher", "clothes"][(u(2) * 7.0) as usize];
        let mut list =
            if u(3) < 0.6 { tags([("building", "retail"), ("shop", shop)]) } else { tags([("building", "terrace")]) };
        list.push(("building:levels", if u(4) < 0.4 { "3" } else { "2" }.into()));
        list.push(("roof:shape", "gabled".into()));
        list.push(("roof:material", "roof_tiles".into()));
        list.push(("roof:colour", ROOFS[(u(5) * ROOFS.len() as f64) as usize].into()));
        list.push(("building:colour", WALLS[(u(6) * WALLS.len() as f64) as usize].into()));
        list.extend(address);
        file.ring(&ring, list);
        self.built.push(Built::new(ring));
        true
    }

    fn block(&mut self, file: &mut OsmFile, spot: &Spot, address: TagList, seed: u64) -> bool {
        let u = |n: u64| unit(seed ^ (n << 8));
        let ring = spot.rect((-16.0, 16.0), (17.0, 30.5));
        if !self.is_free(&ring, 13.0, 10.0) {
            return false;
        }
        let mut list = tags([("building", "apartments"), ("roof:shape", "flat"), ("building:material", "plaster")]);
        list.push(("building:levels", if u(1) < 0.5 { "4" } else { "3" }.into()));
        list.push(("building:colour", WALLS[(u(2) * WALLS.len() as f64) as usize].into()));
        list.extend(address);
        file.ring(&ring, list);
        self.built.push(Built::new(ring));
        let parking = spot.rect((-15.0, 9.0), (6.8, 12.0));
        file.ring(&parking, tags([("amenity", "parking"), ("surface", "paving_stones")]));
        for n in 0..5 {
            let at = spot.point(-20.0 + 10.0 * f64::from(n), 35.0 + 4.0 * u(10 + n as u64));
            if self.is_clear(at, 7.0, 4.0) {
                file.node(
                    at,
                    tags([("natural", "tree"), ("leaf_type", "broadleaved"), ("height", "9"), ("diameter_crown", "6")]),
                );
            }
        }
        true
    }
}

/// Returns whether a point is more than `distance` meters from these bounds, so that the exact distance need not be computed.
fn is_outside([west, south, east, north]: [f64; 4], [x, y]: Point, distance: f64) -> bool {
    x < west - distance || x > east + distance || y < south - distance || y > north + distance
}

/// Distance of a point from a ring; 0 inside.
fn away_from(ring: &[Point], p: Point) -> f64 {
    if geometry::ring_contains(ring, p) {
        return 0.0;
    }
    (0..ring.len())
        .map(|i| geometry::nearest_on_segment(ring[i], ring[(i + 1) % ring.len()], p).1)
        .fold(f64::INFINITY, f64::min)
}

/// Point and direction at a distance along a line.
pub(crate) fn along(line: &[Point], distance: f64) -> (Point, Point) {
    let mut left = distance;
    let mut last = (line[0], [1.0, 0.0]);
    for w in line.windows(2) {
        let d = [w[1][0] - w[0][0], w[1][1] - w[0][1]];
        let length = d[0].hypot(d[1]).max(1e-9);
        let unit = [d[0] / length, d[1] / length];
        if left <= length {
            return ([w[0][0] + unit[0] * left, w[0][1] + unit[1] * left], unit);
        }
        left -= length;
        last = (w[1], unit);
    }
    last
}
