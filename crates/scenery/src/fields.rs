//! Open land: fields in strips of different crops, meadows mown on different days, and grass in several tones where the map is
//! empty.

use aerie_geodata::place::{Area, AreaKind, Place, Point, Polygon};
use aerie_render::scene::Cover;
use glam::{DVec2, dvec2};

use crate::albedo::{Albedo, MEADOW};
use crate::painter::Painter;
use crate::shape;
use aerie_math::Rng;

/// Side of the cells of unmapped land, degrees of latitude.
const CELL: f64 = 0.0012;
/// How much of the variety of meadows its patches have: where nothing is mapped, their seams would look like borders.
const VARIED: f32 = 0.4;
/// Meters in a degree of latitude.
const DEGREE: f64 = 111_200.0;
/// Distance from the origin up to which unmapped land is varied, meters.
const REACH: f64 = 2_600.0;
/// Width of a strip of field, meters: minimum and maximum.
const FIELD: (f64, f64) = (55.0, 130.0);
/// Width of a strip of meadow mown on one day, meters: minimum and maximum.
const MOWN: (f64, f64) = (26.0, 75.0);
/// Width of the rough grass between fields, meters.
const BALK: f64 = 1.3;
const ROUGH: Albedo = [0.098, 0.104, 0.043];

/// Crops: young grain, rapeseed after flowering, ripe grain, bare soil, stubble, beet.
const CROPS: [Albedo; 7] = [
    [0.082, 0.118, 0.036],
    [0.118, 0.138, 0.048],
    [0.240, 0.198, 0.098],
    [0.142, 0.108, 0.074],
    [0.200, 0.172, 0.100],
    [0.066, 0.102, 0.034],
    [0.098, 0.126, 0.042],
];

/// Paints a mapped field or meadow.
pub(crate) fn add(area: &Area, tone: f32, painter: &mut Painter) {
    let mut rng = Rng::from_name(&area.id);
    rng.next_u64();
    let arable = area.kind == AreaKind::Farmland;
    let ring = &area.polygon.outer;
    let axis = row_axis(&area.polygon);
    let look = |rng: &mut Rng| if arable { (rng.pick(&CROPS), Cover::Arable) } else { (grass(rng), Cover::Meadow) };
    let base = look(&mut rng);
    painter.polygon(&area.polygon, base.0.map(|v| v * tone), base.1, axis);
    // Strips run along the longest side, next to each other.
    let across = ring.iter().map(|&p| shape::vec(p).dot(axis.perp()));
    let (low, high) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let (least, most) = if arable { FIELD } else { MOWN };
    let mut cuts = vec![low];
    while let Some(&last) = cuts.last()
        && high - last > least * 1.5
    {
        cuts.push(last + f64::from(rng.range_f32(least as f32, most as f32)).min(high - last));
    }
    for pair in cuts.windows(2) {
        let (albedo, cover) = look(&mut rng);
        strip(&area.polygon, axis, (pair[0], pair[1]), albedo.map(|v| v * tone), cover, painter);
        if arable && pair[0] > low {
            strip(&area.polygon, axis, (pair[0] - BALK * 0.5, pair[0] + BALK * 0.5), ROUGH, Cover::Meadow, painter);
        }
    }
    if arable {
        for ring in std::iter::once(ring).chain(&area.polygon.holes) {
            let closed: Vec<Point> = ring.iter().chain(ring.first()).copied().collect();
            painter.ribbon(&closed, BALK * 1.4, ROUGH, Cover::Meadow);
        }
    }
}

/// Direction of a field's rows: along its longest edge.
pub(crate) fn row_axis(polygon: &Polygon) -> DVec2 {
    shape::vec(polygon.longest_side())
}

/// Paints the part of a polygon between two offsets across `axis`.
fn strip(polygon: &Polygon, axis: DVec2, (low, high): (f64, f64), albedo: Albedo, cover: Cover, painter: &mut Painter) {
    for triangle in shape::triangles(polygon) {
        let above = shape::cut(&triangle, axis.perp() * low, axis.perp());
        let within = shape::cut(&above, axis.perp() * high, -axis.perp());
        if within.len() >= 3 {
            painter.convex(&within, albedo, cover, axis);
        }
    }
}

/// Random albedo of grass: fresh, grown, in seed, or mown and pale.
fn grass(rng: &mut Rng) -> Albedo {
    let [r, g, b] = MEADOW;
    let (tint, lightness) = match rng.unit_f32() {
        u if u < 0.40 => ([1.0, 1.0, 1.0], rng.range_f32(0.92, 1.06)),
        u if u < 0.68 => ([0.86, 0.97, 0.92], rng.range_f32(0.84, 0.98)),
        u if u < 0.88 => ([1.16, 1.05, 1.02], rng.range_f32(1.0, 1.12)),
        _ => ([1.38, 1.16, 1.20], rng.range_f32(1.0, 1.1)),
    };
    [r * tint[0] * lightness, g * tint[1] * lightness, b * tint[2] * lightness]
}

/// Paints unmapped land as patches of grass with irregular outlines. They lie on a grid of degrees, so that they are the same in
/// a film of the house next door, and end at the edge of the map.
pub(crate) fn unmapped(place: &Place, painter: &mut Painter) {
    let origin = place.origin;
    let known = |ring: Vec<Point>| match place.covered {
        None => ring,
        Some([low, high]) => [(low, DVec2::X), (low, DVec2::Y), (high, -DVec2::X), (high, -DVec2::Y)]
            .into_iter()
            .fold(ring, |ring, (corner, towards)| shape::cut(&ring, shape::vec(corner), towards)),
    };
    // The width of cells changes with whole degrees of latitude only.
    let wide = CELL / (origin.lat.round().to_radians().cos()).max(0.05);
    let meters = dvec2(DEGREE * origin.lat.to_radians().cos(), DEGREE);
    let corner = |i: i64, j: i64| {
        let mut rng = cell_seed(i, j);
        let jitter = dvec2(f64::from(rng.range_f32(-0.34, 0.34)), f64::from(rng.range_f32(-0.34, 0.34)));
        let at = dvec2((i as f64 + jitter.x) * wide, (j as f64 + jitter.y) * CELL);
        (at - dvec2(origin.lon, origin.lat)) * meters
    };
    let reach = dvec2(REACH, REACH) / meters;
    let range = |middle: f64, reach: f64, cell: f64| {
        ((middle - reach) / cell).floor() as i64..=((middle + reach) / cell).ceil() as i64
    };
    for j in range(origin.lat, reach.y, CELL) {
        for i in range(origin.lon, reach.x, wide) {
            let mut rng = cell_seed(i, j);
            // The first two numbers offset the corner.
            rng.next_u64();
            rng.next_u64();
            let quad = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            // Strips across the cell.
            let turned = rng.unit_f32() < 0.5;
            let [a, b, c, d] = if turned { [quad[1], quad[2], quad[3], quad[0]] } else { quad };
            let parts = 1 + (rng.unit_f32() * 3.0) as usize;
            for part in 0..parts {
                let (from, to) = (part as f64 / parts as f64, (part + 1) as f64 / parts as f64);
                let ring = [a.lerp(b, from), a.lerp(b, to), d.lerp(c, to), d.lerp(c, from)];
                let axis = (d - a).normalize_or(DVec2::Y);
                let drawn = grass(&mut rng);
                let albedo = [0, 1, 2].map(|c| MEADOW[c] + (drawn[c] - MEADOW[c]) * VARIED);
                painter.convex(&known(ring.map(|p| p.to_array()).to_vec()), albedo, Cover::Meadow, axis);
            }
        }
    }
}

fn cell_seed(i: i64, j: i64) -> Rng {
    Rng::new((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (j as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_render::scene::PaintVertex;

    fn areas(painted: &[PaintVertex], wanted: impl Fn(&PaintVertex) -> bool) -> f64 {
        let triangles = painted.chunks_exact(3).filter(|t| wanted(&t[0]));
        let area = |t: &[PaintVertex]| {
            let [a, b, c] = [0, 1, 2].map(|i| glam::Vec2::from_array(t[i].position).as_dvec2());
            (b - a).perp_dot(c - a).abs() * 0.5
        };
        triangles.map(area).sum()
    }

    #[test]
    fn the_strips_of_a_field_cover_it_once_and_differ() {
        let outer = vec![[0.0, 0.0], [400.0, 20.0], [380.0, 320.0], [150.0, 180.0], [10.0, 300.0]];
        let whole = shape::area(&outer);
        let area = Area { id: "way/7".into(), kind: AreaKind::Farmland, polygon: Polygon { outer, holes: vec![] } };
        let mut painter = Painter::default();
        add(&area, 1.0, &mut painter);
        // Painted once as a base, and once in strips.
        let arable = areas(painter.vertices(), |v| v.grain[0] == f32::from(Cover::Arable as u8));
        assert!((arable - 2.0 * whole).abs() < 1e-3 * whole, "{arable} of {whole}");
        let crops: std::collections::BTreeSet<_> =
            painter.vertices().iter().map(|v| v.color.map(f32::to_bits)).collect();
        assert!(crops.len() > 3);
    }

    #[test]
    fn unmapped_land_looks_the_same_from_the_house_next_door() {
        let mut here = crate::fixtures::empty_place(None);
        here.origin = aerie_geodata::place::GeoPoint { lat: 47.1, lon: 9.5 };
        let mut there = here.clone();
        there.origin.lon += 0.001;
        let painted = |place: &Place| {
            let mut painter = Painter::default();
            unmapped(place, &mut painter);
            painter.vertices().to_vec()
        };
        let east = DEGREE * 47.1_f64.to_radians().cos() * 0.001;
        let near = |v: &&PaintVertex| v.position[0].hypot(v.position[1]) < 1000.0;
        let (mine, theirs) = (painted(&here), painted(&there));
        assert!(mine.iter().filter(near).count() > 300);
        for v in mine.iter().filter(near).step_by(17) {
            let same = |o: &PaintVertex| {
                (f64::from(v.position[0] - o.position[0]) - east).abs() < 0.01
                    && (v.position[1] - o.position[1]).abs() < 0.01
                    && v.color == o.color
            };
            assert!(theirs.iter().any(same), "{:?}", v.position);
        }
    }
}
