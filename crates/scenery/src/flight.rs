//! Flights: one authored camera path per direction, eased, clear of obstacles, with the property in view.

mod curves;
mod edge;
mod framing;
mod path;
mod subject;

use aerie_geodata::place::{Place, Point};
use aerie_render::scene::Camera;
use glam::DVec3;

pub use self::path::{FRAME_RATE, Path, Side, VideoFormat};

use self::curves::{ease, soft_ceiling, soft_max};
pub(crate) use self::edge::extent;
use self::framing::Framing;
use self::subject::{CLEARANCE, Closeness, Pose, Subject, property_height};
use crate::light::light_for;
use crate::obstacles::Obstacles;
use crate::sampling::sampled;
use crate::shape;

/// Share of the frame, from its middle, within which a plot's corners stay.
const PLOT_HELD: f64 = 0.86;
/// Share of the frame, from its middle, within which the property's corners stay, from the ground to the ridge.
const PROPERTY_HELD: f64 = 0.95;

/// Share of the frame that the property spans in the lowest view from above.
const FILLED: f64 = 0.5;
/// How much more of a frame the property is to fill than any neighbor.
const LEAD: f64 = 1.15;
/// How much more of the property must be lit for a flight to turn counter-clockwise, as a share.
const BETTER_LIT: f64 = 0.04;
/// Smallest share of the authored distance at which a straight approach may begin.
const STRAIGHT_FROM: f64 = 0.8;
/// Shares of the authored distance at which a flight may begin or end.
const NEARER: [f64; 5] = [0.87, 0.76, 0.66, 0.58, 0.5];

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
        let on_ground = |&p: &Point| shape::vec(p).extend(place.terrain.height(p));
        let rise = DVec3::Z * property_height(place);
        let body: Vec<DVec3> =
            place.property.footprint.outer.iter().map(on_ground).flat_map(|foot| [foot, foot + rise]).collect();
        let flight = match path {
            Path::TopdownRising | Path::TopdownSinking => {
                let rising = path == Path::TopdownRising;
                let mut flight = Self::topdown(place, &subject, &body, rising, format);
                flight.widen_to_hold(&body, format.aspect, PROPERTY_HELD);
                flight
            }
            Path::Original | Path::From(_) => Self::around(place, &subject, &body, path, format),
        };
        if plot.is_empty() {
            return flight;
        }
        let corners: Vec<DVec3> = plot.iter().map(on_ground).collect();
        let mut flight = flight;
        flight.widen_to_hold(&corners, format.aspect, PLOT_HELD);
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

    /// A flight that comes as near as it must for the property to fill more of its first and last frame than any neighbor, or
    /// else the one in which it fills most.
    fn around(place: &Place, subject: &Subject, body: &[DVec3], path: Path, format: VideoFormat) -> Self {
        let obstacles = Obstacles::new(place, 215.0 * subject.scale() + 30.0, true);
        if subject.plot.is_some() {
            let mut flight = Self::approach(place, subject, &obstacles, path, format, Closeness::AUTHORED);
            flight.widen_to_hold(body, format.aspect, PROPERTY_HELD);
            return flight;
        }
        // Turn the way that shows more of the property in the sun.
        let back = Subject { turning: -subject.turning, ..*subject };
        let [on, off] = [subject, &back].map(|subject| {
            let flight = Self::approach(place, subject, &obstacles, path, format, Closeness::AUTHORED);
            light_for(place, &flight.cameras).1
        });
        let subject = if off > on + BETTER_LIT { &back } else { subject };
        let fly = |closeness| {
            let mut flight = Self::approach(place, subject, &obstacles, path, format, closeness);
            flight.widen_to_hold(body, format.aspect, PROPERTY_HELD);
            flight
        };
        let authored = fly(Closeness::AUTHORED);
        let framing = Framing::of(place, body, format.aspect);
        let lead = |flight: &Self, last: bool| {
            let camera = if last { flight.cameras.last() } else { flight.cameras.first() };
            camera.map_or(0.0, |camera| framing.lead(camera))
        };
        let mut best = (lead(&authored, true), Closeness::AUTHORED, authored);
        for last in [true, false] {
            best.0 = lead(&best.2, last);
            let end = best.1.end;
            // A straight approach that begins much nearer would hardly move.
            let least = if !last && matches!(path, Path::From(_)) { STRAIGHT_FROM } else { 0.0 };
            for share in NEARER.into_iter().filter(|share| *share >= least) {
                if best.0 >= LEAD {
                    break;
                }
                // An approach comes at least this much nearer.
                let closeness = match last {
                    true => Closeness { begin: 1.0, end: share },
                    false => Closeness { begin: share, end: end.min(share * 1.1) },
                };
                let flight = fly(closeness);
                let reached = lead(&flight, last);
                if reached > best.0 {
                    best = (reached, closeness, flight);
                }
            }
        }
        best.2
    }

    fn approach(
        place: &Place,
        subject: &Subject,
        obstacles: &Obstacles,
        path: Path,
        format: VideoFormat,
        closeness: Closeness,
    ) -> Self {
        let count = format.frames();
        let at = |i: usize| subject.pose(path, i as f64 / (count - 1) as f64, format.share(), closeness);
        let poses: Vec<Pose> = (0..count).map(at).collect();
        let position = |p: &Pose| subject.center + shape::bearing_vector(p.bearing) * p.distance;
        let needed: Vec<f64> = poses.iter().map(|p| subject.needed_height(obstacles, position(p))).collect();
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
                let field = format.field(pose.field);
                Camera {
                    eye: eye.as_vec3(),
                    target: subject.target(eye, field, pose.progress).as_vec3(),
                    up: glam::Vec3::Z,
                    field: field as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    fn topdown(place: &Place, subject: &Subject, body: &[DVec3], rising: bool, format: VideoFormat) -> Self {
        let obstacles = Obstacles::new(place, 60.0, false);
        let floor = obstacles.highest(subject.center, 25.0) + CLEARANCE;
        let wide = (format.field(40f64.to_radians()) * 0.5).tan();
        // The street front stays at the bottom of the frame, turning a little.
        let up = |t: f64| shape::bearing_vector(subject.front + std::f64::consts::PI + 0.30 * (t - 0.5));
        let (low, high, narrow) = match subject.plot {
            Some(plot) => {
                let shown = (plot * 1.45).max(30.0);
                let low = (subject.ground + shown / 20f64.to_radians().tan()).max(floor);
                (low, (low - subject.ground) * 3.3 + subject.ground, wide)
            }
            None => {
                // At the height of its ridge, the property fills its share of the frame across or along.
                let up = up(0.0);
                let extent = body
                    .iter()
                    .map(|p| p.truncate() - subject.center)
                    .map(|p| p.dot(up).abs().max(p.dot(up.perp()).abs() / format.aspect))
                    .fold(1.0, f64::max);
                let low = (subject.top + extent / (FILLED * wide)).max(floor);
                let narrow = extent / (FILLED * (low - subject.top));
                (low, (low - subject.ground) * 5.0 + subject.ground, narrow)
            }
        };
        let count = format.frames();
        let cameras = (0..count)
            .map(|i| {
                let t = i as f64 / (count - 1) as f64;
                let t = ease(if rising { t } else { 1.0 - t }, 0.22) * format.share();
                // Steps of equal ratio in height look uniform.
                let height = (low - subject.ground) * ((high - subject.ground) / (low - subject.ground)).powf(t);
                Camera {
                    eye: subject.center.extend(subject.ground + height).as_vec3(),
                    target: subject.center.extend(subject.ground).as_vec3(),
                    up: up(t).extend(0.0).as_vec3(),
                    field: (2.0 * (narrow + (wide - narrow) * t).atan()) as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    /// Minimum distance from a point to the sampled cameras of the flight, meters.
    #[must_use]
    pub fn distance_to(&self, at: glam::Vec3) -> f32 {
        sampled(&self.cameras, 6).map(|camera| camera.eye.distance(at)).fold(f32::INFINITY, f32::min)
    }
}
