//! Paths and drives from neighboring houses to the street.

use aerie_geodata::place::{Building, BuildingKind, Place, Point, Way, WayKind};
use glam::DVec2;

use crate::ground::{Albedo, GRAVEL, PAVEMENT};
use crate::seed::Seed;
use crate::shape;

/// A way from a house to the street.
pub(crate) struct Drive {
    /// Index of the street among the ways of the place, and the width of its carriageway, meters.
    pub(crate) way: usize,
    pub(crate) carriageway: f64,
    /// Where it begins, at the wall.
    pub(crate) wall: DVec2,
    /// Where it ends, on the street's center line.
    pub(crate) street: DVec2,
    /// Meters.
    pub(crate) width: f64,
    pub(crate) albedo: Albedo,
}

/// The drives of a place. The property has none: what leads to it must be on the map.
pub(crate) fn of(place: &Place) -> Vec<Drive> {
    let neighbors = place.buildings.iter().enumerate().filter(|(index, building)| {
        is_domestic(building) && building.base <= 0.0 && !crate::buildings::is_property(place, *index)
    });
    neighbors
        .filter_map(|(_, building)| {
            let (wall, street, way) = way_out(place, &building.footprint.outer)?;
            let mut seed = Seed::from_name(&building.id);
            let width = if building.kind == BuildingKind::Garage || seed.unit() < 0.4 { 3.0 } else { 1.5 };
            let albedo = seed.pick(&[PAVEMENT, GRAVEL, [0.15, 0.148, 0.145], [0.21, 0.165, 0.14]]);
            Some(Drive { way, carriageway: place.ways[way].width, wall, street, width, albedo })
        })
        .collect()
}

/// Whether somebody lives or parks there.
pub(crate) fn is_domestic(building: &Building) -> bool {
    matches!(building.kind, BuildingKind::House | BuildingKind::Terrace | BuildingKind::Garage)
}

/// From the middle of the wall nearest a drivable way to that way, when it is near and nothing stands between.
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
                let d = q - p;
                let share = ((middle - p).dot(d) / d.length_squared().max(1e-9)).clamp(0.0, 1.0);
                let on = p + d * share;
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
