//! The subject of a flight, and the authored path around it.

use aerie_geodata::place::{Place, Point};
use glam::{DVec2, DVec3};

use super::curves::ease;
use super::path::{Path, Side};
use crate::obstacles::Obstacles;
use crate::shape;

/// Clearance below and around the camera, meters.
pub(super) const CLEARANCE: f64 = 9.0;

/// Camera position in polar coordinates around the subject.
pub(super) struct Pose {
    pub(super) bearing: f64,
    pub(super) distance: f64,
    pub(super) height: f64,
    pub(super) field: f64,
}

/// The subject of a flight: the property, or a plot with the property on it.
pub(super) struct Subject {
    pub(super) center: DVec2,
    /// The point that cameras look at.
    pub(super) aim: DVec3,
    pub(super) ground: f64,
    pub(super) top: f64,
    /// Radius of the footprint, meters.
    pub(super) radius: f64,
    pub(super) front: f64,
    /// Radius of the plot that is shown with it, meters.
    pub(super) plot: Option<f64>,
}

impl Subject {
    pub(super) fn of(place: &Place, plot: &[Point]) -> Self {
        let ring = &place.property.footprint.outer;
        let center = shape::centroid(ring);
        let radius = ring.iter().map(|&p| shape::vec(p).distance(center)).fold(5.0, f64::max);
        let ground = place.terrain.height(center.to_array());
        let height = property_height(place);
        let aim = center.extend(ground + height * 0.45);
        let front = place.property.front_bearing;
        let alone = Self { center, aim, ground, top: ground + height, radius, front, plot: None };
        if plot.is_empty() {
            return alone;
        }
        // Center on plot and building together, looking at the ground.
        let all = || plot.iter().chain(ring).map(|&p| shape::vec(p));
        let low = all().fold(DVec2::INFINITY, DVec2::min);
        let high = all().fold(DVec2::NEG_INFINITY, DVec2::max);
        let center = low.midpoint(high);
        let extent = all().map(|p| p.distance(center)).fold(0.0, f64::max);
        let ground = place.terrain.height(center.to_array());
        Self { center, aim: center.extend(ground + height * 0.2), ground, plot: Some(extent), ..alone }
    }

    /// Scale of the path: larger properties are seen from farther away.
    pub(super) fn scale(&self) -> f64 {
        let alone = (self.radius / 13.0).max((self.top - self.ground) / 20.0).clamp(0.85, 2.2);
        self.plot.map_or(alone, |plot| (plot / 27.0).clamp(alone, 12.0))
    }

    /// Factor on the height: a plot is flat, and its far side lies behind the building.
    pub(super) fn lift(&self) -> f64 {
        if self.plot.is_some() { 1.5 } else { 1.0 }
    }

    /// Half the height of the ground shown by the nearest view from above, meters.
    pub(super) fn half_shown_from_above(&self) -> f64 {
        let alone = (self.radius * 3.4 + 8.0).max(34.0);
        self.plot.map_or(alone, |plot| (plot * 1.45).max(30.0))
    }

    /// The camera after the share `t` of the time, when only the last `share` of the path is flown.
    pub(super) fn pose(&self, place: &Place, path: Path, t: f64, share: f64) -> Pose {
        let scale = self.scale();
        let degrees = f64::to_radians;
        match path {
            Path::Original => {
                let near = 1.0 - share + share * ease(t, 0.3);
                let turn = share * ease((t - 0.12) / 0.88, 0.35);
                Pose {
                    bearing: self.front + degrees(-14.0) + degrees(82.0) * turn,
                    distance: (182.0 - 84.0 * near) * scale,
                    height: (58.0 - 22.0 * near) * scale,
                    field: degrees(34.0 - 6.5 * near),
                }
            }
            Path::From(side) => {
                let bearing = match side {
                    Side::North => 0.0,
                    Side::East => 90.0,
                    Side::South => 180.0,
                    Side::West => 270.0,
                };
                let near = 1.0 - share + share * ease(t, 0.25);
                Pose {
                    bearing: degrees(bearing - 9.0 + 18.0 * near),
                    distance: (205.0 - 110.0 * near) * scale,
                    height: (62.0 - 28.0 * near) * scale,
                    field: degrees(32.0 - 5.0 * near),
                }
            }
            Path::TopdownRising | Path::TopdownSinking => {
                Pose { bearing: place.property.front_bearing, distance: 0.0, height: 100.0, field: degrees(40.0) }
            }
        }
    }

    /// Minimum height above the datum that clears obstacles and sees the property's top past them.
    pub(super) fn needed_height(&self, obstacles: &Obstacles, at: DVec2) -> f64 {
        let mut needed = obstacles.highest(at, CLEARANCE) + CLEARANCE;
        let distance = at.distance(self.center);
        let seen = self.ground + (self.top - self.ground) * 0.25;
        let steepest = self.top + distance * 44f64.to_radians().tan();
        let mut along = self.radius + 3.0;
        while along < distance {
            let share = along / distance;
            let top = obstacles.highest(self.center.lerp(at, share), 2.0) + 1.5;
            needed = needed.max((seen + (top - seen) / share).min(steepest));
            along += 2.0;
        }
        needed
    }
}

/// Height of the property's ridge above its ground, meters; that of a small house where no building is known.
pub(super) fn property_height(place: &Place) -> f64 {
    place.property.building.map_or(4.0, |b| place.buildings[b].ridge)
}
