//! Distant woods: a canopy of crude crowns in place of single trees.

use aerie_geodata::place::{Area, AreaKind, Place, Point, Polygon};
use glam::{DVec2, Vec3, dvec2, vec3};

use crate::flight::Flight;
use crate::foliage::{Grove, Leaf};
use crate::shape;
use crate::visibility::Visibility;
use aerie_math::Rng;

/// Distance to the camera path from which woods are drawn as a canopy rather than as single trees, meters.
pub(crate) const CANOPY_FROM: f32 = 520.0;
/// Width of a crown by distance to the origin: maximum distance and width, meters.
const CROWN_WIDTHS: [(f64, f64); 4] = [(760.0, 5.6), (1150.0, 7.5), (1800.0, 11.0), (f64::INFINITY, 18.0)];

/// Adds the canopy of every wood.
pub(crate) fn add(place: &Place, flight: &Flight, visibility: &Visibility<'_>, grove: &mut Grove) {
    for area in place.areas.iter().filter(|a| a.kind == AreaKind::Forest) {
        let mut nearer = 0.0;
        for (reach, width) in CROWN_WIDTHS {
            wood(place, (flight, visibility), area, (nearer, reach), width, grove);
            nearer = reach;
        }
    }
}

fn wood(
    place: &Place,
    (flight, visibility): (&Flight, &Visibility<'_>),
    area: &Area,
    (nearer, farther): (f64, f64),
    width: f64,
    grove: &mut Grove,
) {
    let mut kind = Rng::from_name(&area.id);
    let needles = kind.range_f32(0.15, 0.75);
    for (i, j, at) in cells(&area.polygon, width) {
        let distance = at.length();
        if distance < nearer || distance >= farther || !visibility.contains(at.as_vec2()) {
            continue;
        }
        let mut rng = Rng::new((i as u64).wrapping_mul(0x9E37_79B9) ^ (j as u64).wrapping_mul(0x85EB_CA6B_0000));
        let at = at + dvec2(f64::from(rng.range_f32(-0.3, 0.3)), f64::from(rng.range_f32(-0.3, 0.3))) * width;
        let foot = at.extend(place.terrain.height(at.to_array())).as_vec3();
        if flight.distance_to(foot) >= CANOPY_FROM {
            crown(foot, width as f32, rng.unit_f32() < needles, &mut rng, grove);
        }
    }
}

fn crown(foot: Vec3, width: f32, needles: bool, rng: &mut Rng, grove: &mut Grove) {
    let (top, shoulder, hue) = if needles {
        (rng.range_f32(15.0, 22.0), 0.40, vec3(0.034, 0.052, 0.026))
    } else {
        (rng.range_f32(12.0, 17.0), 0.66, vec3(0.062, 0.086, 0.028))
    };
    let albedo = hue * rng.range_f32(0.75, 1.25);
    let turn = rng.unit_f32() * std::f32::consts::TAU;
    let radius = width * rng.range_f32(0.62, 0.82);
    let tip = foot + Vec3::Z * top;
    let corner = |k: usize| {
        let angle = turn + k as f32 * std::f32::consts::TAU / 5.0;
        (foot + Vec3::Z * top * shoulder + vec3(angle.cos(), angle.sin(), 0.0) * radius, angle)
    };
    let cell = grove.cell(foot);
    for k in 0..5 {
        let ((a, from), (b, _)) = (corner(k), corner(k + 1));
        let angle = from + std::f32::consts::PI / 5.0;
        let leaf = |open, lean: f32| Leaf {
            normal: vec3(angle.cos(), angle.sin(), lean).normalize(),
            open,
            albedo,
            thin: 0.5,
        };
        cell.triangle([(a, leaf(0.30, 0.4)), (b, leaf(0.30, 0.4)), (tip, leaf(1.0, 1.4))]);
    }
}

/// Cells of a grid of `width` meters whose middles lie in a polygon: column, row, middle.
fn cells(polygon: &Polygon, width: f64) -> Vec<(i64, i64, DVec2)> {
    let rings: Vec<&[Point]> =
        std::iter::once(polygon.outer.as_slice()).chain(polygon.holes.iter().map(Vec::as_slice)).collect();
    let (low, high) =
        polygon.outer.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[1]), h.max(p[1])));
    let mut out = Vec::new();
    for j in (low / width).floor() as i64..=(high / width).ceil() as i64 {
        let y = (j as f64 + 0.5) * width;
        // Even-odd rule: inside between the first and second crossing, and so on.
        let mut crossings = shape::crossings(&rings, DVec2::X, y);
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            for i in (pair[0] / width - 0.5).ceil() as i64..=(pair[1] / width - 0.5).floor() as i64 {
                out.push((i, j, dvec2((i as f64 + 0.5) * width, y)));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_fill_a_polygon_and_leave_out_its_holes() {
        let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
        let full = cells(&Polygon { outer: square(50.0), holes: vec![] }, 10.0);
        let holed = cells(&Polygon { outer: square(50.0), holes: vec![square(20.0)] }, 10.0);
        assert_eq!((full.len(), holed.len()), (100, 84));
        assert!(holed.iter().all(|(_, _, p)| p.x.abs().max(p.y.abs()) > 20.0));
    }
}
