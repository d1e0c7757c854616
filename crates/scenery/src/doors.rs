//! Where buildings have doors.

use aerie_geodata::place::{Building, BuildingKind, Place};
use glam::DVec2;

use crate::shape;

/// Whether buildings of a kind have a door like that of a house.
pub(crate) fn has_door(kind: BuildingKind) -> bool {
    use BuildingKind as K;
    matches!(kind, K::House | K::Terrace | K::Apartments | K::Public)
}

/// How well a wall suits a door, given the direction of the street.
pub(crate) fn door_score((a, b): (DVec2, DVec2), front: Option<DVec2>) -> f64 {
    let length = a.distance(b);
    match front {
        Some(street) => -(b - a).normalize_or_zero().perp().dot(street) * 20.0 + length.min(12.0) * 0.3,
        None => length,
    }
}

/// Direction of the street that a building's door faces: for the property its own, for a neighbor the nearest.
pub(crate) fn front(place: &Place, building: &Building, is_property: bool) -> Option<DVec2> {
    if is_property {
        return place.property.street.map(|_| shape::bearing_vector(place.property.front_bearing));
    }
    crate::plots::street_side(place, shape::centroid(&building.footprint.outer))
}
