//! Flights: one authored camera path per direction, eased, clear of obstacles, with the property in view.

mod curves;
mod path;
mod subject;

use aerie_geodata::place::{Place, Point};
use aerie_render::scene::Camera;
use glam::DVec3;

pub use self::path::{FRAME_RATE, Path, Side, VideoFormat};

use self::curves::{ease, soft_ceiling, soft_max};
use self::subject::{CLEARANCE, Pose, Subject, property_height};
use crate::obstacles::Obstacles;
use crate::shape;

/// Share of the frame, from its middle, within which a plot's corners stay.
const PLOT_HELD: f64 = 0.86;
/// Share of the frame, from its middle, within which the property's corners stay, from the ground to the ridge.
const PROPERTY_HELD: f64 = 0.95;

/// A flight, frame by frame.
#[derive(Debug, Clone)]
pub struct Flight {
    /// Camera of each frame.
    pub cameras: Vec<Camera>,
}

impl Flight {
    /// Plans a flight over a place.
    #[must_use]
    pub fn plan(place: &Place, path: Path, format: VideoFormat) -> Self {
        Self::plan_with_plot(place, path, format, &[])
    }

    /// Plans a flight, from higher up, that keeps all of a plot in view in every frame: `plot` holds the corners of its outline.
    /// Without corners, plans a flight over the property alone.
    #[must_use]
    pub fn plan_with_plot(place: &Place, path: Path, format: VideoFormat, plot: &[Point]) -> Self {
        let subject = Subject::of(place, plot);
        let mut flight = match path {
            Path::TopdownRising | Path::TopdownSinking => {
                Self::topdown(place, &subject, path == Path::TopdownRising, format)
            }
            Path::Original | Path::From(_) => Self::around(place, &subject, path, format),
        };
        let on_ground = |&p: &Point| shape::vec(p).extend(place.terrain.height(p));
        let rise = DVec3::Z * property_height(place);
        let body: Vec<DVec3> =
            place.property.footprint.outer.iter().map(on_ground).flat_map(|foot| [foot, foot + rise]).collect();
        flight.widen_to_hold(&body, format.aspect, PROPERTY_HELD);
        if !plot.is_empty() {
            let corners: Vec<DVec3> = plot.iter().map(on_ground).collect();
            flight.widen_to_hold(&corners, format.aspect, PLOT_HELD);
        }
        flight
    }

    /// Widens the field of view where points would fall outside the share `held` of the frame.
    fn widen_to_hold(&mut self, points: &[DVec3], aspect: f64, held: f64) {
        let needed: Vec<f64> = self
            .cameras
            .iter()
            .map(|camera| {
                let view =
                    glam::DMat4::look_at_rh(camera.eye.as_dvec3(), camera.target.as_dvec3(), camera.up.as_dvec3());
                let slope = points.iter().map(|&p| {
                    let seen = view.transform_point3(p);
                    // Points beside or behind the camera would need an endless field of view.
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

    fn around(place: &Place, subject: &Subject, path: Path, format: VideoFormat) -> Self {
        let obstacles = Obstacles::new(place, 215.0 * subject.scale() + 30.0, true);
        let count = format.frames();
        let at = |i: usize| subject.pose(place, path, i as f64 / (count - 1) as f64, format.share());
        let poses: Vec<Pose> = (0..count).map(at).collect();
        let position = |p: &Pose| subject.center + shape::bearing_vector(p.bearing) * p.distance;
        let needed: Vec<f64> = poses.iter().map(|p| subject.needed_height(&obstacles, position(p))).collect();
        let lifted = soft_ceiling(&needed, count * 18 / 100);
        let lift = subject.lift();
        let mut grounds: Vec<f64> =
            poses.iter().map(|p| place.terrain.height(position(p).to_array()).max(subject.ground)).collect();
        if subject.plot.is_some() {
            // A longer path crosses more hills.
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
                    field: format.field(pose.field) as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    fn topdown(place: &Place, subject: &Subject, rising: bool, format: VideoFormat) -> Self {
        let obstacles = Obstacles::new(place, 60.0, false);
        let floor = obstacles.highest(subject.center, 25.0) + CLEARANCE;
        let field = 40f64.to_radians();
        let low = (subject.ground + subject.half_shown_from_above() / (field * 0.5).tan()).max(floor);
        let high = (low - subject.ground) * 3.3 + subject.ground;
        let count = format.frames();
        let cameras = (0..count)
            .map(|i| {
                let t = i as f64 / (count - 1) as f64;
                let t = ease(if rising { t } else { 1.0 - t }, 0.22) * format.share();
                // Steps of equal ratio in height look uniform.
                let height = (low - subject.ground) * ((high - subject.ground) / (low - subject.ground)).powf(t);
                // The street front stays at the bottom of the frame, turning a little.
                let up = shape::bearing_vector(subject.front + std::f64::consts::PI + 0.30 * (t - 0.5));
                Camera {
                    eye: subject.center.extend(subject.ground + height).as_vec3(),
                    target: subject.center.extend(subject.ground).as_vec3(),
                    up: up.extend(0.0).as_vec3(),
                    field: format.field(field) as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    /// Minimum distance from a point to the sampled cameras of the flight, meters.
    #[must_use]
    pub fn distance_to(&self, at: glam::Vec3) -> f32 {
        self.cameras.iter().step_by(6).map(|c| c.eye.distance(at)).fold(f32::INFINITY, f32::min)
    }
}
