//! The property: its building, and the direction that it faces.

use aerie_math::geometry;

use crate::GeodataError;
use crate::address::Match;
use crate::names;
use crate::place::{Building, BuildingKind, Point, Polygon, Property, Way, WayKind};

/// Minimum distance of invented trees from the property's footprint, meters.
pub(super) const OWN_PLOT: f64 = 25.0;
/// Maximum distance from an address point to a building beside it, meters.
const NEARBY: f64 = 25.0;
/// Maximum distance from the building to the named street, meters.
const STREET: f64 = 150.0;
/// Half the side of the plot assumed where no building is mapped, meters.
const HALF_PLOT: f64 = 9.0;

pub(super) fn find(m: &Match, buildings: &[Building], ways: &[Way]) -> Result<Property, GeodataError> {
    let point: Point = [0.0, 0.0];
    let building = building(m, buildings, point);
    let center = building.map_or(point, |i| geometry::centroid(&buildings[i].footprint.outer));
    let (street, known) = street(m, ways, center);
    let target = street.and_then(|i| geometry::nearest_on_line(&ways[i].line, center)).map(|n| n.0);
    let towards = |from: Point, to: Point| (to[0] - from[0]).atan2(to[1] - from[1]);
    let straight = target.map_or(std::f64::consts::PI, |t| towards(center, t));
    let footprint = match building {
        Some(i) => buildings[i].footprint.clone(),
        None => plot(point, straight),
    };
    let front_bearing = match target {
        Some(target) => facade(&footprint.outer, center, target).unwrap_or(straight),
        None => straight,
    };
    Ok(Property {
        building,
        point,
        footprint,
        parcel: None,
        front_bearing: front_bearing.rem_euclid(std::f64::consts::TAU),
        front_known: known,
        street,
        addresses: 0,
    })
}

fn building(m: &Match, buildings: &[Building], point: Point) -> Option<usize> {
    let outline = |b: &Building| !b.replaced_by_parts || b.base == 0.0;
    if let Some(id) = &m.building_id {
        // If the building has several polygons, take the one that contains the point, or else the first.
        let own =
            |b: &Building| b.id == *id || b.id.strip_prefix(id.as_str()).is_some_and(|rest| rest.starts_with('#'));
        let mut all = (0..buildings.len()).filter(|i| own(&buildings[*i]));
        let first = all.clone().next();
        if let Some(found) = all.find(|i| buildings[*i].footprint.contains(point)).or(first) {
            return Some(found);
        }
    }
    let holding = (0..buildings.len())
        .filter(|i| outline(&buildings[*i]) && buildings[*i].footprint.contains(point))
        .max_by(|a, b| area(&buildings[*a]).total_cmp(&area(&buildings[*b])));
    // The address point is on a path or lawn: take the nearest building that people live or work in.
    holding.or_else(|| {
        (0..buildings.len())
            .filter(|i| {
                let kind = buildings[*i].kind;
                !matches!(
                    kind,
                    BuildingKind::Shed | BuildingKind::Garage | BuildingKind::Canopy | BuildingKind::Greenhouse
                )
            })
            .map(|i| (i, buildings[i].footprint.distance(point)))
            .filter(|(_, d)| *d <= NEARBY)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(i, _)| i)
    })
}

fn area(b: &Building) -> f64 {
    geometry::signed_area(&b.footprint.outer)
}

/// The nearest street with the name in the address if it is near enough, or else the nearest drivable one; and whether
/// the name matched.
fn street(m: &Match, ways: &[Way], center: Point) -> (Option<usize>, bool) {
    let key = names::street_key(&m.street);
    let distance = |i: &usize| geometry::nearest_on_line(&ways[*i].line, center).map_or(f64::INFINITY, |n| n.1);
    let nearest = |wanted: &dyn Fn(&Way) -> bool| {
        (0..ways.len())
            .filter(|i| wanted(&ways[*i]) && !ways[*i].tunnel)
            .map(|i| (i, distance(&i)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let named = |w: &Way| !key.is_empty() && w.name.as_deref().is_some_and(|n| names::street_key(n) == key);
    if let Some((i, _)) = nearest(&named).filter(|n| n.1 <= STREET) {
        return (Some(i), true);
    }
    let drivable = |w: &Way| {
        matches!(
            w.kind,
            WayKind::Major | WayKind::Minor | WayKind::Residential | WayKind::Service | WayKind::Pedestrian
        )
    };
    (nearest(&drivable).map(|n| n.0), false)
}

/// Bearing of the outward normal of the long wall that faces the street.
fn facade(ring: &[Point], center: Point, target: Point) -> Option<f64> {
    let to = [target[0] - center[0], target[1] - center[1]];
    let far = to[0].hypot(to[1]);
    if far < 0.5 {
        return None;
    }
    let mut best: Option<(f64, f64)> = None;
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        if length < 0.5 {
            continue;
        }
        // Outer rings run counter-clockwise, so outward is to the right.
        let normal = [(b[1] - a[1]) / length, -(b[0] - a[0]) / length];
        let middle = [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
        let view = [target[0] - middle[0], target[1] - middle[1]];
        let facing = (normal[0] * to[0] + normal[1] * to[1]) / far;
        if facing < 0.3 {
            continue;
        }
        // Among walls that face the street, long ones near it score highest.
        let score = facing.powf(1.5) * length.min(40.0) / (8.0 + view[0].hypot(view[1]));
        if best.is_none_or(|b| score > b.0) {
            best = Some((score, normal[0].atan2(normal[1])));
        }
    }
    best.map(|b| b.1)
}

fn plot(center: Point, bearing: f64) -> Polygon {
    let (sin, cos) = bearing.sin_cos();
    let corner = |x: f64, y: f64| [center[0] + x * cos + y * sin, center[1] - x * sin + y * cos];
    let h = HALF_PLOT;
    Polygon { outer: vec![corner(-h, -h), corner(h, -h), corner(h, h), corner(-h, h)], holes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_is_the_wall_that_looks_at_the_street_not_the_mere_direction() {
        let house = vec![[-6.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-6.0, 4.0]];
        // The nearest point of the street is to the south-southeast, but the wall faces south.
        let bearing = facade(&house, [0.0, 0.0], [5.0, -20.0]).unwrap();
        assert!((bearing.rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI).abs() < 1e-9, "{bearing}");
    }

    #[test]
    fn an_assumed_plot_is_eighteen_meters_a_side_and_counter_clockwise() {
        let plot = plot([0.0, 0.0], 0.7);
        assert!((geometry::signed_area(&plot.outer) - 324.0).abs() < 1e-9);
    }
}
