//! The flights: one authored path for each direction, eased, over everything, with the property in view.

mod curves;
mod subject;

use aerie_geodata::place::{Place, Point};
use aerie_render::scene::Camera;
use glam::{DVec2, DVec3, dvec2};

use self::curves::{ease, soft_ceiling, soft_max};
use self::subject::{Pose, Subject, property_height};
use crate::obstacles::Obstacles;
use crate::shape;

/// Which path to fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Establishing approach to the street front, then part of an orbit.
    Original,
    /// Approach from this bearing, radians clockwise from north, in steps of a quarter turn.
    From(Side),
    /// Straight down, rising.
    TopdownRising,
    /// Straight down, sinking.
    TopdownSinking,
}

/// Sides of the compass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// North.
    North,
    /// East.
    East,
    /// South.
    South,
    /// West.
    West,
}

/// Frames a second of every flight.
pub const RATE: u32 = 30;
/// Length of a flight that its path is authored for, seconds. A shorter one flies less of it, a longer one slower.
const AUTHORED_SECONDS: f64 = 10.0;
/// Width to height of the picture that fields of view are authored for.
const AUTHORED_ASPECT: f64 = 16.0 / 9.0;
/// Air kept below and around the camera, meters.
const CLEARANCE: f64 = 9.0;
/// Share of the picture, from its middle, in which a plot's corners are kept.
const PLOT_HELD: f64 = 0.86;
/// Share of the picture, from its middle, in which the property's own corners are kept, from the ground to the ridge.
const PROPERTY_HELD: f64 = 0.95;

/// Length and shape of a film.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Take {
    /// Seconds.
    pub seconds: u32,
    /// Width to height.
    pub aspect: f64,
}

impl Default for Take {
    fn default() -> Self {
        Self { seconds: 10, aspect: AUTHORED_ASPECT }
    }
}

impl Take {
    fn frames(self) -> usize {
        (RATE * self.seconds) as usize
    }

    /// Share of the authored path that is flown, so that no drone has to hurry.
    fn share(self) -> f64 {
        (f64::from(self.seconds) / AUTHORED_SECONDS).clamp(0.6, 1.0)
    }

    /// The vertical field for a picture of this shape: in a narrower one the property keeps nearly the height that it had,
    /// and the width of the picture that it had in height.
    fn field(self, authored: f64) -> f64 {
        let narrowing = (AUTHORED_ASPECT / self.aspect).max(1.0);
        2.0 * ((authored * 0.5).tan() * narrowing.powf(0.72)).atan()
    }
}

/// A flight, frame by frame.
#[derive(Debug, Clone)]
pub struct Flight {
    /// Camera of each frame.
    pub cameras: Vec<Camera>,
}

impl Flight {
    /// Plans a flight over a place.
    #[must_use]
    pub fn plan(place: &Place, path: Path, take: Take) -> Self {
        Self::plan_with_plot(place, path, take, &[])
    }

    /// Plans a flight that shows a plot with the property on it: `plot`, corners of its outline, is in view as a whole
    /// in every frame, and seen from higher up. Without corners, a flight over the property alone.
    #[must_use]
    pub fn plan_with_plot(place: &Place, path: Path, take: Take, plot: &[Point]) -> Self {
        let subject = Subject::of(place, plot);
        let mut flight = match path {
            Path::TopdownRising | Path::TopdownSinking => {
                Self::topdown(place, &subject, path == Path::TopdownRising, take)
            }
            Path::Original | Path::From(_) => Self::around(place, &subject, path, take),
        };
        let on_ground = |&p: &Point| shape::vec(p).extend(place.terrain.height(p));
        let rise = DVec3::Z * property_height(place);
        let body: Vec<DVec3> =
            place.property.footprint.outer.iter().map(on_ground).flat_map(|foot| [foot, foot + rise]).collect();
        flight.widen_to_hold(&body, take.aspect, PROPERTY_HELD);
        if !plot.is_empty() {
            let corners: Vec<DVec3> = plot.iter().map(on_ground).collect();
            flight.widen_to_hold(&corners, take.aspect, PLOT_HELD);
        }
        flight
    }

    /// Widens the field of view where points would lie outside the share `held` of the picture.
    fn widen_to_hold(&mut self, points: &[DVec3], aspect: f64, held: f64) {
        let needed: Vec<f64> = self
            .cameras
            .iter()
            .map(|camera| {
                let view =
                    glam::DMat4::look_at_rh(camera.eye.as_dvec3(), camera.target.as_dvec3(), camera.up.as_dvec3());
                let slope = points.iter().map(|&p| {
                    let seen = view.transform_point3(p);
                    // What lies beside or behind the camera would take half the sky.
                    let depth = (-seen.z).max(1.0);
                    (seen.y.abs() / depth).max(seen.x.abs() / depth / aspect)
                });
                2.0 * (slope.fold(0.0, f64::max) / held).atan()
            })
            .collect();
        let needed = soft_ceiling(&needed, self.cameras.len() * 12 / 100);
        for (camera, needed) in self.cameras.iter_mut().zip(needed) {
            camera.field = soft_max(f64::from(camera.field), needed, 0.06).min(2.4) as f32;
        }
    }

    fn around(place: &Place, subject: &Subject, path: Path, take: Take) -> Self {
        let obstacles = Obstacles::new(place, 215.0 * subject.scale() + 30.0, true);
        let count = take.frames();
        let at = |i: usize| subject.pose(place, path, i as f64 / (count - 1) as f64, take.share());
        let poses: Vec<Pose> = (0..count).map(at).collect();
        let position = |p: &Pose| subject.center + bearing_vector(p.bearing) * p.distance;
        let needed: Vec<f64> = poses.iter().map(|p| subject.needed_height(&obstacles, position(p))).collect();
        let lifted = soft_ceiling(&needed, count * 18 / 100);
        let lift = subject.lift();
        let mut grounds: Vec<f64> =
            poses.iter().map(|p| place.terrain.height(position(p).to_array()).max(subject.ground)).collect();
        if subject.plot.is_some() {
            // From farther away, over more hills.
            grounds = soft_ceiling(&grounds, count * 18 / 100);
        }
        let cameras = poses
            .iter()
            .zip(&lifted)
            .zip(&grounds)
            .map(|((pose, needed), ground)| {
                let at = position(pose);
                let height = soft_max(ground + pose.height * lift, *needed, 14.0 * subject.scale().max(1.0));
                let eye = at.extend(height);
                Camera {
                    eye: eye.as_vec3(),
                    target: subject.aim.as_vec3(),
                    up: glam::Vec3::Z,
                    field: take.field(pose.field) as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    fn topdown(place: &Place, subject: &Subject, rising: bool, take: Take) -> Self {
        let obstacles = Obstacles::new(place, 60.0, false);
        let floor = obstacles.highest(subject.center, 25.0) + CLEARANCE;
        let field = 40f64.to_radians();
        let low = (subject.ground + subject.half_shown_from_above() / (field * 0.5).tan()).max(floor);
        let high = (low - subject.ground) * 3.3 + subject.ground;
        let count = take.frames();
        let cameras = (0..count)
            .map(|i| {
                let t = i as f64 / (count - 1) as f64;
                let t = ease(if rising { t } else { 1.0 - t }, 0.22) * take.share();
                // Equal steps in scale, not in height, look even.
                let height = (low - subject.ground) * ((high - subject.ground) / (low - subject.ground)).powf(t);
                // The street front lies at the bottom of the picture, and turns a little.
                let up = bearing_vector(subject.front + std::f64::consts::PI + 0.30 * (t - 0.5));
                Camera {
                    eye: subject.center.extend(subject.ground + height).as_vec3(),
                    target: subject.center.extend(subject.ground).as_vec3(),
                    up: up.extend(0.0).as_vec3(),
                    field: take.field(field) as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    /// Least distance from a point to any camera of the flight, meters.
    #[must_use]
    pub fn distance_to(&self, at: glam::Vec3) -> f32 {
        self.cameras.iter().step_by(6).map(|c| c.eye.distance(at)).fold(f32::INFINITY, f32::min)
    }
}

/// Unit vector of a bearing, radians clockwise from north.
pub(crate) fn bearing_vector(bearing: f64) -> DVec2 {
    dvec2(bearing.sin(), bearing.cos())
}
