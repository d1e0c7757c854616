//! Parked cars along streets and on mapped parking lots, away from the property, for scale.

use aerie_geodata::place::{AreaKind, Place, WayKind};
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2, Vec3};

use crate::mesh::{Builder, color};
use crate::shape;
use aerie_math::Rng;

/// Maximum number of cars.
const MAX_CARS: usize = 420;
/// Minimum distance from the property's footprint, meters.
const CLEARANCE: f64 = 32.0;
/// Maximum distance from the origin, meters.
const REACH: f64 = 520.0;
/// Colors of cars, mostly grays.
const PAINTS: [[u8; 3]; 12] = [
    [208, 208, 206],
    [188, 190, 192],
    [150, 153, 156],
    [104, 107, 110],
    [84, 86, 89],
    [66, 68, 71],
    [66, 68, 71],
    [222, 222, 220],
    [62, 76, 104],
    [120, 32, 30],
    [62, 78, 74],
    [140, 130, 112],
];

/// Adds parked cars where `open` holds.
pub(crate) fn add(place: &Place, open: &dyn Fn(DVec2) -> bool, out: &mut Builder) {
    let mut count = 0;
    let mut park = |at: DVec2, along: DVec2, rng: &mut Rng| {
        let away = shape::distance_to_ring(at, &place.property.footprint.outer) > CLEARANCE;
        if count < MAX_CARS && away && at.length() < REACH && open(at) {
            let ground = place.terrain.height(at.to_array());
            let ahead = place.terrain.height((at + along * 1.4).to_array());
            car(at, along, ground, ((ahead - ground) / 1.4).clamp(-0.25, 0.25), rng, out);
            count += 1;
        }
    };
    for area in place.areas.iter().filter(|a| a.kind == AreaKind::Parking) {
        lot(place, &area.polygon, &mut Rng::from_name(&area.id), &mut park);
    }
    for (index, way) in place.ways.iter().enumerate() {
        let kind = matches!(way.kind, WayKind::Residential | WayKind::Minor);
        if !kind || way.tunnel || way.bridge || way.width < 5.0 || !way.sidewalk {
            continue;
        }
        let mut rng = Rng::from_name(&way.id);
        let total = shape::length(&way.line);
        let mut along = 14.0 + f64::from(rng.unit_f32()) * 20.0;
        let side = if rng.unit_f32() < 0.5 { 1.0 } else { -1.0 };
        while along < total - 14.0 {
            if let Some((at, d)) = at_length(&way.line, along) {
                let at = at + d.perp() * side * (way.width * 0.5 - 1.05);
                let crosses = place.ways.iter().enumerate().any(|(other, w)| {
                    other != index && !w.tunnel && shape::distance_to_line(at, &w.line) < w.width * 0.5 + 5.0
                });
                if !crosses {
                    park(at, d * -side, &mut rng);
                }
            }
            // Mostly alone, sometimes in a row.
            along += if rng.unit_f32() < 0.3 { 5.8 } else { 14.0 + f64::from(rng.unit_f32()) * 46.0 };
        }
    }
}

/// Parks cars in rows on a parking lot, aligned with its longest edge.
fn lot(
    place: &Place,
    polygon: &aerie_geodata::place::Polygon,
    rng: &mut Rng,
    park: &mut impl FnMut(DVec2, DVec2, &mut Rng),
) {
    let wing = crate::wings::bounding_wing(polygon, false);
    if wing.center.length() > REACH + 100.0 {
        return;
    }
    let (along, across) = (wing.along, wing.along.perp());
    let rows = ((2.0 * wing.half_width) / 8.0).floor() as i32;
    for row in 0..rows.min(24) {
        let y = -wing.half_width + 3.0 + f64::from(row) * 8.0;
        let mut x = -wing.half_length + 2.0;
        while x < wing.half_length - 2.0 {
            let at = wing.center + along * x + across * y;
            let corners = [-1.0, 1.0].map(|s| at + across * 2.6 * s);
            let inside = corners.iter().all(|&p| shape::inside(p, polygon));
            let clear = !place.ways.iter().any(|w| shape::distance_to_line(at, &w.line) < w.width * 0.5 + 2.4)
                && !place.buildings.iter().any(|b| shape::inside(at, &b.footprint));
            if inside && rng.unit_f32() < 0.5 && clear {
                let turned = if rng.unit_f32() < 0.5 { across } else { -across };
                park(at, turned, rng);
            }
            x += 2.7;
        }
    }
}

/// Point and direction of a line at a distance along it.
fn at_length(line: &[aerie_geodata::place::Point], mut along: f64) -> Option<(DVec2, DVec2)> {
    for pair in line.windows(2) {
        let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
        let step = a.distance(b);
        if along <= step && step > 0.0 {
            let d = (b - a) / step;
            return Some((a + d * along, d));
        }
        along -= step;
    }
    None
}

/// Adds a car: body, windows, roof, and a dark gap for the wheels.
fn car(at: DVec2, along: DVec2, ground: f64, climb: f64, rng: &mut Rng, out: &mut Builder) {
    let estate = rng.unit_f32() < 0.4;
    let half = f64::from(rng.range_f32(2.0, 2.3));
    let (wide, waist, top) = (0.88, 0.92, if estate { 1.58 } else { 1.44 });
    let paint = color(rng.pick(&PAINTS), 0);
    let glass = color([70, 78, 86], 0);
    let dark = color([40, 40, 41], 0);
    let corner = |x: f64, y: f64, z: f64| -> Vec3 {
        (at + along * x + along.perp() * y).extend(ground + x * climb + z).as_vec3()
    };
    let mut face = |points: [Vec3; 4], color: u32, open: f32| {
        let corners: Vec<_> = points.iter().map(|&p| (p, Vec2::ZERO, open)).collect();
        out.face(Finish::Plain, &corners, [color, 0, 0, 0]);
    };
    // Four corners; x runs from back to front.
    let ring = |back: f64, front: f64, wide: f64, z: f64| {
        [corner(back, -wide, z), corner(front, -wide, z), corner(front, wide, z), corner(back, wide, z)]
    };
    let levels = [
        (ring(-half + 0.15, half - 0.15, wide - 0.06, 0.02), dark),
        (ring(-half, half, wide, 0.30), paint),
        (ring(-half + 0.06, half - 0.10, wide - 0.03, waist), glass),
    ];
    let cabin = ring(if estate { -half + 0.45 } else { -half + 0.95 }, half * 0.28, wide - 0.2, top);
    let rings = [levels[0].0, levels[1].0, levels[2].0, cabin];
    let shoulder = ring(if estate { -half + 0.12 } else { -half + 0.5 }, half * 0.48, wide - 0.08, waist);
    for (low, high, color, open) in [
        (&rings[0], &rings[1], levels[0].1, 0.45),
        (&rings[1], &rings[2], levels[1].1, 0.85),
        (&shoulder, &rings[3], levels[2].1, 0.9),
    ] {
        for i in 0..4 {
            let j = (i + 1) % 4;
            face([low[i], low[j], high[j], high[i]], color, open);
        }
    }
    face(rings[2], paint, 0.9);
    face(rings[3], paint, 1.0);
}
