//! Fields, woods, the stream, farms and avenues around the sample town.

use aerie_geodata::place::{Point, Polygon, Ring};
use aerie_math::geometry::{self, polygon_to_geo};
use aerie_math::rng::{hash, hash_to_unit as unit};
use geo::{BooleanOps, MultiPolygon};

use crate::lots::{Site, along};
use crate::osm_file::{OsmFile, tags};
use crate::plan::{EDGE, POSTCODE, SOUTH_EDGE, TOWN, curve, in_town};
use crate::relief::stream_y;

/// Approximate side of a field, meters.
const FIELD: f64 = 270.0;
/// Reach of the fields, meters.
const REACH: f64 = 3_400.0;

pub(crate) fn lay_out(file: &mut OsmFile, site: &Site, pond: &Ring) {
    file.ring(EDGE, tags([("landuse", "residential"), ("name", TOWN)]));
    file.ring(SOUTH_EDGE, tags([("landuse", "residential"), ("name", TOWN)]));
    boundary(file);
    water(file, pond);
    fields(file, site);
    commons(file, site);
    farms(file);
    avenues(file);
}

/// A common: its tag, its outline, and the spacing of its trees in meters (0 for none).
type Common = ((&'static str, &'static str), &'static [Point], f64);

/// Open ground surrounded by streets.
const COMMONS: [Common; 7] = [
    (
        ("leisure", "park"),
        &[
            [-240.0, 70.0],
            [-90.0, 60.0],
            [-86.0, 150.0],
            [-30.0, 190.0],
            [-70.0, 232.0],
            [-150.0, 226.0],
            [-222.0, 170.0],
        ],
        21.0,
    ),
    (
        ("landuse", "allotments"),
        &[[-470.0, 215.0], [-400.0, 190.0], [-370.0, 250.0], [-400.0, 310.0], [-462.0, 296.0]],
        0.0,
    ),
    (
        ("landuse", "orchard"),
        &[[-395.0, 185.0], [-350.0, 172.0], [-322.0, 236.0], [-330.0, 290.0], [-385.0, 318.0], [-366.0, 250.0]],
        0.0,
    ),
    (
        ("leisure", "park"),
        &[[392.0, 220.0], [446.0, 216.0], [470.0, 258.0], [440.0, 304.0], [376.0, 306.0], [356.0, 262.0]],
        16.0,
    ),
    (
        ("landuse", "orchard"),
        &[[-288.0, -368.0], [-230.0, -352.0], [-110.0, -364.0], [-92.0, -428.0], [-160.0, -444.0], [-262.0, -414.0]],
        0.0,
    ),
    (
        ("landuse", "meadow"),
        &[
            [60.0, -362.0],
            [250.0, -356.0],
            [392.0, -380.0],
            [440.0, -430.0],
            [404.0, -480.0],
            [310.0, -500.0],
            [160.0, -474.0],
            [58.0, -434.0],
        ],
        34.0,
    ),
    (
        ("landuse", "meadow"),
        &[[110.0, -40.0], [300.0, -42.0], [545.0, -40.0], [560.0, -112.0], [300.0, -118.0], [120.0, -122.0]],
        30.0,
    ),
];

fn commons(file: &mut OsmFile, site: &Site) {
    for (n, (tag, ring, trees)) in COMMONS.iter().enumerate() {
        file.ring(ring, tags([*tag]));
        if *trees == 0.0 {
            continue;
        }
        let [west, south, east, north] = geometry::bounds(ring);
        let (columns, rows) = (((east - west) / trees) as u64, ((north - south) / trees) as u64);
        for k in 0..columns * rows {
            let seed = hash(k ^ (n as u64) << 32 ^ 0x5eed);
            let at = [
                west + trees * ((k % columns) as f64 + 0.5 + 0.8 * (unit(seed) - 0.5)),
                south + trees * ((k / columns) as f64 + 0.5 + 0.8 * (unit(seed ^ 1) - 0.5)),
            ];
            if unit(seed ^ 2) < 0.6 && geometry::ring_contains(ring, at) && site.is_clear(at, 6.0, 8.0) {
                let mut list = tags([("natural", "tree"), ("leaf_type", "broadleaved")]);
                list.push(("height", format!("{:.1}", 7.0 + 8.0 * unit(seed ^ 3))));
                file.node(at, list);
            }
        }
    }
}

fn boundary(file: &mut OsmFile) {
    let ring: Ring = (0..40)
        .map(|i| {
            let a = f64::from(i) / 40.0 * std::f64::consts::TAU;
            let r = 2_300.0 + 260.0 * (a * 3.0).sin();
            [r * a.cos(), r * a.sin()]
        })
        .collect();
    file.ring(
        &ring,
        tags([("boundary", "administrative"), ("admin_level", "8"), ("name", TOWN), ("postal_code", POSTCODE)]),
    );
}

fn water(file: &mut OsmFile, pond: &Ring) {
    file.ring(pond, tags([("natural", "water"), ("water", "pond"), ("name", "Mill Pond")]));
    let line: Vec<Point> = (-360..=360).map(|i| f64::from(i) * 10.0).map(|x| [x, stream_y(x)]).collect();
    // Ways of reasonable length, as mappers draw them, with shared ends.
    for part in line.chunks(120) {
        let end = part.last().and_then(|p| line.iter().position(|q| q == p)).and_then(|i| line.get(i + 1));
        let part: Vec<Point> = part.iter().chain(end).copied().collect();
        if part.len() > 1 {
            file.line(&part, tags([("waterway", "stream"), ("name", "Feather"), ("width", "3.5")]));
        }
    }
    file.line(&[[-425.0, -140.0], [-432.0, stream_y(-432.0)]], tags([("waterway", "ditch"), ("width", "1.5")]));
    // The meadows along the stream, between the two halves of the town.
    let north: Vec<Point> = (-14..=16).map(|i| [f64::from(i) * 40.0, stream_y(f64::from(i) * 40.0) + 22.0]).collect();
    let mut bank = north.clone();
    bank.extend(north.iter().rev().map(|p| [p[0], stream_y(p[0]) - 24.0]));
    file.ring(&bank, tags([("landuse", "meadow")]));
    for i in -52..=60 {
        let x = f64::from(i) * 21.0;
        let seed = hash(i as u64 ^ 0x77);
        let side = if unit(seed) < 0.5 { 7.0 } else { -7.0 };
        let at = [x + 8.0 * unit(seed ^ 1), stream_y(x) + side + 3.0 * unit(seed ^ 2)];
        // Keep the bridge clear.
        if unit(seed ^ 3) < 0.72 && (at[0] - 5.0).abs() > 18.0 {
            let mut list = tags([("natural", "tree"), ("leaf_type", "broadleaved"), ("species", "Salix alba")]);
            list.push(("height", format!("{:.1}", 7.0 + 6.0 * unit(seed ^ 4))));
            file.node(at, list);
        }
    }
}

/// A patchwork of crooked fields, clipped against the town; hedges and trees on some of their edges.
fn fields(file: &mut OsmFile, site: &Site) {
    let towns = MultiPolygon([EDGE, SOUTH_EDGE].iter().map(|ring| polygon_to_geo(ring, &[])).collect());
    let corner = |i: i64, j: i64| -> Point {
        let seed = hash((i as u64).wrapping_mul(0x9e37) ^ (j as u64).wrapping_mul(0x00c2_b2ae_3d27));
        let skew = 0.32 * FIELD;
        [
            i as f64 * FIELD + (unit(seed) * 2.0 - 1.0) * skew * 0.8 + (j & 1) as f64 * FIELD * 0.3,
            j as f64 * FIELD * 0.85 + (unit(seed ^ 1) * 2.0 - 1.0) * skew * 0.7,
        ]
    };
    let cells = (REACH / FIELD) as i64;
    for j in -cells..cells {
        for i in -cells..cells {
            let corners = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            let ring: Ring = (0..4).flat_map(|k| bent(corners[k], corners[(k + 1) % 4])).collect();
            let center = geometry::centroid(&ring);
            let seed = hash((i as u64).wrapping_mul(31) ^ (j as u64).wrapping_mul(0x5bd1_e995));
            let cover = cover(center, unit(seed));
            let field = MultiPolygon(vec![polygon_to_geo(&ring, &[])]);
            for part in &field.difference(&towns).0 {
                if let Some(part) = Polygon::from_geo(part).filter(|p| geometry::signed_area(&p.outer) > 400.0) {
                    file.ring(&part.outer, tags([cover]));
                }
            }
            if cover.0 == "landuse" && cover.1 != "forest" {
                edge(file, site, corners[0], corners[1], hash(seed ^ 11));
                edge(file, site, corners[0], corners[3], hash(seed ^ 12));
            }
        }
    }
}

/// A field's edge as a curve: all points but the last, displaced by position, so that both neighbors match.
fn bent(a: Point, b: Point) -> Vec<Point> {
    let length = (b[0] - a[0]).hypot(b[1] - a[1]);
    let pieces = (length / 18.0).ceil().max(1.0) as u32;
    (0..pieces)
        .map(|k| f64::from(k) / f64::from(pieces))
        .map(|t| sway([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]))
        .collect()
}

fn sway([x, y]: Point) -> Point {
    [
        x + 9.0 * (y / 61.0 + x / 173.0).sin() + 3.5 * (y / 23.0 + 1.3).sin(),
        y + 9.0 * (x / 57.0 - y / 191.0 + 0.5).sin() + 3.5 * (x / 21.0).sin(),
    ]
}

/// The tag of a field: woods on the hills in the north and south-east, orchards by the southern houses.
fn cover([x, y]: Point, u: f64) -> (&'static str, &'static str) {
    let hills = (x / 640.0 + 0.9).sin() + (y / 560.0).cos() * 0.6 + (y.abs() - 900.0) / 1_400.0;
    let near = x.hypot(y);
    let farm = FARMS.iter().any(|(_, fx, fy, _)| (fx - x).hypot(fy - y) < 330.0);
    match () {
        () if farm => {
            if u < 0.6 {
                ("landuse", "meadow")
            } else {
                ("landuse", "farmland")
            }
        }
        () if near > 650.0 && hills + 0.5 * u > 1.15 => ("landuse", "forest"),
        () if near < 1_000.0 && y < -300.0 && x < 0.0 && u < 0.45 => ("landuse", "orchard"),
        () if u < 0.07 => ("natural", "scrub"),
        () if u < 0.42 => ("landuse", "meadow"),
        () => ("landuse", "farmland"),
    }
}

/// A hedge with trees along a field's edge, where nothing is in the way.
fn edge(file: &mut OsmFile, site: &Site, a: Point, b: Point, seed: u64) {
    let u = unit(seed);
    let mut line = bent(a, b);
    line.push(sway(b));
    let length: f64 = line.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).sum();
    let free = (1..20).all(|k| {
        let p = along(&line, length * f64::from(k) / 20.0).0;
        !in_town(p) && site.is_clear(p, 9.0, 15.0)
    });
    if !free || u > 0.62 {
        return;
    }
    // Gates stay open at both ends.
    let row = &line[1..line.len() - 1];
    if row.len() < 2 {
        return;
    }
    if u < 0.2 {
        file.line(row, tags([("natural", "tree_row"), ("leaf_type", "broadleaved")]));
        return;
    }
    file.line(row, tags([("barrier", "hedge"), ("height", "2")]));
    let mut s = 14.0;
    while s < length - 14.0 {
        let seed = hash(seed ^ s.to_bits());
        if unit(seed) < 0.45 {
            let mut list = tags([("natural", "tree"), ("leaf_type", "broadleaved")]);
            list.push(("height", format!("{:.1}", 6.0 + 7.0 * unit(seed ^ 1))));
            file.node(along(&line, s).0, list);
        }
        s += 15.0;
    }
}

/// Farms around the town: name, easting, northing, turn in radians.
const FARMS: [(&str, f64, f64, f64); 3] =
    [("Upper Farm", 130.0, 860.0, 0.3), ("Brook Farm", -1_020.0, -60.0, -0.2), ("Southfield Farm", 150.0, -960.0, 0.1)];

fn farms(file: &mut OsmFile) {
    for (name, x, y, turn) in FARMS {
        let (sin, cos) = turn.sin_cos();
        let at = |dx: f64, dy: f64| [x + dx * cos - dy * sin, y + dx * sin + dy * cos];
        let rect =
            |dx: f64, dy: f64, w: f64, h: f64| vec![at(dx, dy), at(dx + w, dy), at(dx + w, dy + h), at(dx, dy + h)];
        file.ring(&rect(-48.0, -38.0, 96.0, 80.0), tags([("landuse", "farmyard"), ("name", name)]));
        file.ring(
            &rect(-36.0, -28.0, 15.0, 11.0),
            tags([
                ("building", "farm"),
                ("building:levels", "2"),
                ("roof:shape", "half-hipped"),
                ("building:colour", "#eadfc8"),
                ("roof:colour", "#8a4632"),
            ]),
        );
        file.ring(
            &rect(-36.0, 2.0, 34.0, 14.0),
            tags([
                ("building", "barn"),
                ("roof:shape", "gabled"),
                ("building:material", "wood"),
                ("roof:colour", "#7a4636"),
            ]),
        );
        file.ring(
            &rect(8.0, -26.0, 16.0, 42.0),
            tags([
                ("building", "cowshed"),
                ("roof:shape", "gabled"),
                ("building:material", "wood"),
                ("roof:colour", "#6a6a68"),
            ]),
        );
        file.ring(&rect(30.0, 6.0, 8.0, 8.0), tags([("building", "shed")]));
        for (dx, dy) in [(-42.0, -34.0), (-14.0, -33.0), (-42.0, 24.0), (-12.0, 27.0), (40.0, -32.0)] {
            file.node(
                at(dx, dy),
                tags([("natural", "tree"), ("leaf_type", "broadleaved"), ("height", "11"), ("diameter_crown", "8")]),
            );
        }
    }
}

/// Rows of trees along the avenue and the road into town.
fn avenues(file: &mut OsmFile) {
    let avenue =
        curve(&[[560.0, 24.0], [600.0, -52.0], [700.0, -92.0], [812.0, -60.0], [872.0, 40.0], [880.0, 96.0]], 6.0);
    let approach = curve(&[[-820.0, -20.0], [-1_200.0, 60.0], [-1_700.0, 20.0]], 12.0);
    for (line, away) in [(avenue, 5.6), (approach, 6.0)] {
        for side in [away, -away] {
            let row: Vec<Point> = line
                .windows(2)
                .map(|w| {
                    let d = [w[1][0] - w[0][0], w[1][1] - w[0][1]];
                    let length = d[0].hypot(d[1]).max(1e-9);
                    [w[0][0] - d[1] / length * side, w[0][1] + d[0] / length * side]
                })
                .skip(3)
                .collect();
            let end = row.len().saturating_sub(3);
            file.line(
                &row[..end],
                tags([
                    ("natural", "tree_row"),
                    ("leaf_type", "broadleaved"),
                    ("height", "10"),
                    ("diameter_crown", "5"),
                ]),
            );
        }
    }
}
