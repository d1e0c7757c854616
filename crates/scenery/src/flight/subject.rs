//! The subject of a flight, and the authored path around it.

use aerie_geodata::place::{Place, Point};
use glam::{DVec2, DVec3};

use super::curves::ease;
use super::edge::{SMALL_MAP, extent};
use super::path::{Path, Side};
use crate::obstacles::Obstacles;
use crate::shape;

/// Clearance below and around the camera, meters.
pub(super) const CLEARANCE: f64 = 9.0;
/// Lowest position of the property in the opening, as a share of half the frame below its middle.
const LOWEST: f64 = 0.75;
/// The same at the end of a flight.
const SETTLED: f64 = 0.08;

/// Camera position in polar coordinates around the subject.
pub(super) struct Pose {
    pub(super) bearing: f64,
    pub(super) distance: f64,
    pub(super) height: f64,
    pub(super) field: f64,
    /// Progress from the first frame to the last, 0 to 1.
    pub(super) progress: f64,
}

/// How near a flight begins and ends, relative to its authored path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Closeness {
    pub(super) begin: f64,
    pub(super) end: f64,
}

impl Closeness {
    pub(super) const AUTHORED: Self = Self { begin: 1.0, end: 1.0 };
}

/// Both ends of an authored approach: distance and height, meters; vertical field of view, degrees.
struct Approach {
    distance: [f64; 2],
    height: [f64; 2],
    field: [f64; 2],
}

impl Approach {
    /// From the front, then around: over a property, and over a plot.
    const ORBIT: [Self; 2] = [
        Self { distance: [112.0, 60.0], height: [28.0, 31.0], field: [44.0, 30.0] },
        Self { distance: [182.0, 98.0], height: [58.0, 36.0], field: [34.0, 27.5] },
    ];
    /// From one side: over a property, and over a plot.
    const STRAIGHT: [Self; 2] = [
        Self { distance: [126.0, 58.0], height: [30.0, 30.0], field: [44.0, 30.0] },
        Self { distance: [205.0, 95.0], height: [62.0, 34.0], field: [32.0, 27.0] },
    ];

    fn pose(&self, bearing: f64, (near, progress): (f64, f64), scale: f64, closeness: Closeness) -> Pose {
        let between = |[from, to]: [f64; 2]| from * closeness.begin * (1.0 - near) + to * closeness.end * near;
        let [from, to] = self.field;
        Pose {
            bearing,
            distance: between(self.distance) * scale,
            height: between(self.height) * scale,
            field: (from + (to - from) * near).to_radians(),
            progress,
        }
    }
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
    /// Sense of turning: 1 clockwise seen from above, -1 counter-clockwise.
    pub(super) turning: f64,
    /// How much of the horizon the opening shows, 0 to 1: less where the map ends nearby, as there is nothing to see.
    pub(super) open: f64,
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
        let open = extent(place).map_or(1.0, |edge| {
            let [far, near] = SMALL_MAP;
            ((edge - near) / (far - near)).clamp(0.0, 1.0)
        });
        let alone = Self { center, aim, ground, top: ground + height, radius, front, plot: None, turning: 1.0, open };
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

    /// The camera after the share `t` of the time, when only the last `share` of the path is flown.
    pub(super) fn pose(&self, path: Path, t: f64, share: f64, closeness: Closeness) -> Pose {
        let degrees = f64::to_radians;
        let with_plot = usize::from(self.plot.is_some());
        match path {
            Path::Original => {
                let progress = ease(t, 0.3);
                let near = 1.0 - share + share * progress;
                let turn = share * ease((t - 0.12) / 0.88, 0.35);
                let bearing = self.front + self.turning * degrees(-14.0 + 82.0 * turn);
                Approach::ORBIT[with_plot].pose(bearing, (near, progress), self.scale(), closeness)
            }
            Path::From(side) => {
                let bearing = match side {
                    Side::North => 0.0,
                    Side::East => 90.0,
                    Side::South => 180.0,
                    Side::West => 270.0,
                };
                let progress = ease(t, 0.25);
                let near = 1.0 - share + share * progress;
                let bearing = degrees(bearing) + self.turning * degrees(-13.0 + 26.0 * near);
                Approach::STRAIGHT[with_plot].pose(bearing, (near, progress), self.scale(), closeness)
            }
            Path::TopdownRising | Path::TopdownSinking => {
                Pose { bearing: self.front, distance: 0.0, height: 100.0, field: degrees(40.0), progress: t }
            }
        }
    }

    /// The point to look at from `eye`, with the vertical field of view `field`, at a `progress` from 0 to 1: at first
    /// the horizon is at the upper third of the frame where the property stays well within it, at the end the property is in
    /// the middle.
    pub(super) fn target(&self, eye: DVec3, field: f64, progress: f64) -> DVec3 {
        if self.plot.is_some() {
            return self.aim;
        }
        let level = eye.truncate().distance(self.aim.truncate());
        let below = ((eye.z - self.aim.z) / level.max(1.0)).atan();
        let half = (field * 0.5).tan();
        let horizon = below - (half / 3.0).atan();
        let opening = (horizon * self.open).clamp((SETTLED * half).atan(), (LOWEST * half).atan());
        let raised = opening * (1.0 - progress) + (SETTLED * half).atan() * progress;
        self.aim.truncate().extend(eye.z - level * (below - raised).tan())
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
