//! The property that a flight shows.

use aerie_geodata::place::Place;

use crate::shape;

/// Minimum distance of invented objects from the property's footprint, meters.
pub(crate) const CLEARANCE: f64 = 25.0;

/// Whether a building is the property's own, or one of its mapped parts.
pub(crate) fn is_property(place: &Place, index: usize) -> bool {
    place.property.building.is_some_and(|own| {
        own == index
            || place.buildings[own].replaced_by_parts
                && shape::inside(shape::centroid(&place.buildings[index].footprint.outer), &place.property.footprint)
    })
}
