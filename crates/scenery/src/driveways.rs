//! Driveways and front paths from neighboring houses to the street.

use aerie_geodata::place::{Building, BuildingKind, Place, Point, Way, WayKind};
use glam::DVec2;

use crate::albedo::{Albedo, GRAVEL, PAVING};
use crate::shape;
use aerie_math::Rng;

/// A driveway or path from a house to the street.
pub(crate) struct Driveway {
    /// Index of the street among the ways of the place.
    pub(crate) way: usize,
    /// Width of the street's carriageway, meters.
    pub(crate) carriageway: f64,
    /// Its start, at the wall.
    pub(crate) wall: DVec2,
    /// Its end, on the street's center line.
    pub(crate) street: DVec2,
    /// Width, meters.
    pub(crate) width: f64,
    pub(crate) albedo: Albedo,
}

/// The driveways of a place. None is invented for the property itself.
pub(crate) fn of(place: &Place) -> Vec<Driveway> {
    let neighbors = place.buildings.iter().enumerate().filter(|(index, building)| {
        is_domestic(building) && building.base <= 0.0 && !crate::property::is_property(place, *index)
    });
    neighbors
        .filter_map(|(_, building)| {
            let (wall, street, way) = way_out(place, &building.footprint.outer)?;
            let mut rng = Rng::from_name(&building.id);
            let width = if building.kind == BuildingKind::Garage || rng.unit_f32() < 0.4 { 3.0 } else { 1.5 };
            let albedo = rng.pick(&[PAVING, GRAVEL, [0.15, 0.148, 0.145], [0.21, 0.165, 0.14]]);
            Some(Driveway { way, carriageway: place.ways[way].width, wall, street, width, albedo })
        })
        .collect()
}

/// Whether a building is a house or a garage.
pub(crate) fn is_domestic(building: &Building) -> bool {
    matches!(building.kind, BuildingKind::House | BuildingKind::Terrace | BuildingKind::Garage)
}

/// The middle of the wall nearest to a drivable way, the nearest point of that way, and its index; `None` where it is far away
/// or another building is between.
fn way_out(place: &Place, ring: &[Point]) -> Option<(DVec2, DVec2, usize)> {
    let mut best: Option<(f64, DVec2, DVec2, usize)> = None;
    for i in 0..ring.len() {
        let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        if a.distance(b) < 2.5 {
            continue;
        }
        let middle = (a + b) * 0.5;
        for (index, way) in place.ways.iter().enumerate().filter(|(_, w)| is_drivable(w)) {
            for pair in way.line.windows(2) {
                let (p, q) = (shape::vec(pair[0]), shape::vec(pair[1]));
                let on = shape::project(middle, p, q);
                let distance = middle.distance(on);
                let faces = (on - middle).dot(-(b - a).perp()) > 0.0;
                if faces && distance < 24.0 && best.is_none_or(|(least, ..)| distance < least) {
                    best = Some((distance, middle, on, index));
                }
            }
        }
    }
    let (_, from, to, way) = best?;
    let blocked = place.buildings.iter().any(|other| {
        let o = &other.footprint.outer;
        o.as_slice() != ring
            && shape::vec(o[0]).distance(from) < 80.0
            && (1..8).any(|s| shape::inside_ring(from.lerp(to, f64::from(s) / 8.0), o))
    });
    (!blocked).then_some((from, to, way))
}

fn is_drivable(way: &Way) -> bool {
    !way.tunnel
        && matches!(
            way.kind,
            WayKind::Major
                | WayKind::Minor
                | WayKind::Residential
                | WayKind::Service
                | WayKind::Pedestrian
                | WayKind::Track
        )
}
