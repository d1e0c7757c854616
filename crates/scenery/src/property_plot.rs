//! Neutral ground of the property: a lawn as far as its plot may reach, and a path from its front to the street. Both are
//! guessed and reported as such; nothing else is invented on it.

use aerie_geodata::place::{AreaKind, BuildingKind, Place};
use glam::DVec2;

use crate::albedo::PAVING;
use crate::driveways::Driveway;
use crate::plots::{self, Plot};
use crate::{property, shape};

/// Longest path to the street, meters: farther out, hedges may be invented.
const LONGEST: f64 = property::CLEARANCE;
/// Width of the path, meters.
const WIDTH: f64 = 1.5;
/// A mapped way this near to the front is its path, meters.
const MAPPED: f64 = 4.0;

/// The lawn of the property, where its building is one that has a garden: its parcel, or as much land as a neighbor would get.
pub(crate) fn lawn(place: &Place) -> Option<Plot> {
    let index = place.property.building?;
    let building = &place.buildings[index];
    let gardened = matches!(building.kind, BuildingKind::House | BuildingKind::Terrace | BuildingKind::Apartments);
    let middle = shape::centroid(&building.footprint.outer);
    if !gardened || !plots::is_settled(place, middle) {
        return None;
    }
    let ring = match &place.property.parcel {
        Some(parcel) => parcel.outer.clone(),
        None => plots::cell_of(place, index),
    };
    let holds = building.footprint.outer.iter().all(|&p| shape::inside_ring(shape::vec(p), &ring));
    let axis = crate::wings::bounding_wing(&building.footprint, false).along;
    (ring.len() >= 3 && holds).then_some(Plot { ring, tone: 1.06, dry: 0.0, axis })
}

/// A path from the property's front to its street, where the way is free and none is mapped.
pub(crate) fn front_path(place: &Place) -> Option<Driveway> {
    let building = &place.buildings[place.property.building?];
    let way = place.property.street?;
    let street = place.ways.get(way)?;
    let door = front_door(&building.footprint.outer, shape::bearing_vector(place.property.front_bearing))?;
    let on = street.line.windows(2).map(|pair| shape::project(door, shape::vec(pair[0]), shape::vec(pair[1])));
    let end = on.min_by(|a, b| a.distance(door).total_cmp(&b.distance(door)))?;
    let mapped = |(index, other): (usize, &aerie_geodata::place::Way)| {
        index != way && !other.tunnel && shape::distance_to_line(door, &other.line) < MAPPED
    };
    let between = |ring: &[[f64; 2]]| (1..=16).any(|s| shape::inside_ring(door.lerp(end, f64::from(s) / 16.0), ring));
    let in_the_way = place.buildings.iter().any(|b| b.base <= 0.0 && between(&b.footprint.outer))
        || place.areas.iter().any(|a| {
            matches!(a.kind, AreaKind::Water | AreaKind::Pool | AreaKind::Railway) && between(&a.polygon.outer)
        });
    // A hedge or fence has its gap elsewhere.
    let fenced = place
        .barriers
        .iter()
        .flat_map(|barrier| barrier.line.windows(2))
        .any(|pair| shape::intersection(door, end, shape::vec(pair[0]), shape::vec(pair[1])).is_some());
    let free = !fenced && door.distance(end) < LONGEST && !in_the_way && !place.ways.iter().enumerate().any(mapped);
    free.then_some(Driveway { way, carriageway: street.width, wall: door, street: end, width: WIDTH, albedo: PAVING })
}

/// The middle of the wall that faces the street, just outside it.
fn front_door(ring: &[[f64; 2]], front: DVec2) -> Option<DVec2> {
    let wall = |i: usize| (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
    let outwards = |(a, b): (DVec2, DVec2)| -(b - a).normalize_or_zero().perp();
    // As for the door in the wall.
    let score = |i: usize| outwards(wall(i)).dot(front) * 20.0 + wall(i).0.distance(wall(i).1).min(12.0) * 0.3;
    let best = (0..ring.len()).max_by(|&i, &j| score(i).total_cmp(&score(j)))?;
    let (a, b) = wall(best);
    Some(a.midpoint(b) + outwards((a, b)) * 0.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{building, empty_place, way};
    use aerie_geodata::place::{Barrier, BarrierKind};

    fn place() -> Place {
        let mut place = empty_place(None);
        let ring = vec![[-6.0, -5.0], [6.0, -5.0], [6.0, 5.0], [-6.0, 5.0]];
        place.buildings = vec![building("way/1", BuildingKind::House, ring.clone())];
        place.property.building = Some(0);
        place.property.footprint.outer = ring;
        place.property.front_bearing = std::f64::consts::PI;
        place.property.street = Some(0);
        place.ways = vec![way("way/2", vec![[-100.0, -16.0], [100.0, -16.0]], false)];
        place
    }

    #[test]
    fn a_path_leads_from_the_front_straight_to_the_street() {
        let path = front_path(&place()).expect("a path");
        assert!(path.wall.distance(DVec2::new(0.0, -5.2)) < 1e-9, "{}", path.wall);
        assert!(path.street.distance(DVec2::new(0.0, -16.0)) < 1e-9, "{}", path.street);
    }

    #[test]
    fn no_path_is_guessed_through_a_building_or_a_hedge_or_where_one_is_mapped() {
        let mut blocked = place();
        let shed = vec![[-2.0, -12.0], [2.0, -12.0], [2.0, -9.0], [-2.0, -9.0]];
        blocked.buildings.push(building("way/3", BuildingKind::Shed, shed));
        assert!(front_path(&blocked).is_none());
        let mut mapped = place();
        mapped.ways.push(way("way/4", vec![[1.0, -5.0], [3.0, -16.0]], false));
        assert!(front_path(&mapped).is_none());
        let mut fenced = place();
        let line = vec![[-8.0, -9.0], [8.0, -9.0]];
        fenced.barriers.push(Barrier { kind: BarrierKind::Hedge, line, height: 1.2 });
        assert!(front_path(&fenced).is_none());
    }

    #[test]
    fn the_lawn_holds_the_house_and_ends_at_the_street() {
        let place = place();
        let lawn = lawn(&place).expect("a lawn");
        assert!(shape::inside_ring(DVec2::new(5.9, 4.9), &lawn.ring));
        assert!(lawn.ring.iter().all(|p| p[1] > -14.0), "{:?}", lawn.ring);
        let mut shop = place.clone();
        shop.buildings[0].kind = BuildingKind::Retail;
        assert!(super::lawn(&shop).is_none());
    }
}
