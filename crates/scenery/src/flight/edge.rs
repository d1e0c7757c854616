//! How near the map ends.

use aerie_geodata::place::Place;

use crate::shape;

/// Distance to the edge of the map below which a flight opens with less of the horizon, and within which with the least, meters.
pub(super) const SMALL_MAP: [f64; 2] = [1400.0, 500.0];

/// Distance from the property to the nearest edge of the map, meters, where that is so near that a flight would show it; `None`
/// where it is farther away.
pub(crate) fn extent(place: &Place) -> Option<f64> {
    let [x, y] = shape::centroid(&place.property.footprint.outer).to_array();
    let [low, high] = place.covered?;
    let nearest = (x - low[0]).min(high[0] - x).min(y - low[1]).min(high[1] - y).max(0.0);
    (nearest < SMALL_MAP[0]).then_some(nearest)
}
