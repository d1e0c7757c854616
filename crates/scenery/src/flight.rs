//! The flights: one authored path for each direction, eased, over everything, with the property in view.

use aerie_render::scene::Camera;
use aerie_world::place::{Place, Point};
use glam::{DVec2, DVec3, dvec2};

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
/// Air kept below and around the camera, metres.
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

/// Where the camera is in the property's own polar frame.
struct Pose {
    bearing: f64,
    distance: f64,
    height: f64,
    field: f64,
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
        let position = |p: &Pose| subject.centre + bearing_vector(p.bearing) * p.distance;
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
        let floor = obstacles.highest(subject.centre, 25.0) + CLEARANCE;
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
                    eye: subject.centre.extend(subject.ground + height).as_vec3(),
                    target: subject.centre.extend(subject.ground).as_vec3(),
                    up: up.extend(0.0).as_vec3(),
                    field: take.field(field) as f32,
                }
            })
            .collect();
        Self { cameras }
    }

    /// Least distance from a point to any camera of the flight, metres.
    #[must_use]
    pub fn distance_to(&self, at: glam::Vec3) -> f32 {
        self.cameras.iter().step_by(6).map(|c| c.eye.distance(at)).fold(f32::INFINITY, f32::min)
    }
}

/// What the flight is about.
struct Subject {
    centre: DVec2,
    /// The point in the middle of the picture.
    aim: DVec3,
    ground: f64,
    top: f64,
    /// Half the largest extent of the footprint, metres.
    radius: f64,
    front: f64,
    /// Half the largest extent of the plot that is shown with it, metres.
    plot: Option<f64>,
}

impl Subject {
    fn of(place: &Place, plot: &[Point]) -> Self {
        let ring = &place.property.footprint.outer;
        let centre = shape::centroid(ring);
        let radius = ring.iter().map(|&p| shape::vec(p).distance(centre)).fold(5.0, f64::max);
        let ground = place.terrain.height(centre.to_array());
        let height = property_height(place);
        let aim = centre.extend(ground + height * 0.45);
        let front = place.property.front_bearing;
        let alone = Self { centre, aim, ground, top: ground + height, radius, front, plot: None };
        if plot.is_empty() {
            return alone;
        }
        // Of plot and building together, with the plot on the ground in the middle.
        let all = || plot.iter().chain(ring).map(|&p| shape::vec(p));
        let low = all().fold(DVec2::INFINITY, DVec2::min);
        let high = all().fold(DVec2::NEG_INFINITY, DVec2::max);
        let centre = low.midpoint(high);
        let extent = all().map(|p| p.distance(centre)).fold(0.0, f64::max);
        let ground = place.terrain.height(centre.to_array());
        Self { centre, aim: centre.extend(ground + height * 0.2), ground, plot: Some(extent), ..alone }
    }

    /// Larger properties are seen from farther away.
    fn scale(&self) -> f64 {
        let alone = (self.radius / 13.0).max((self.top - self.ground) / 20.0).clamp(0.85, 2.2);
        self.plot.map_or(alone, |plot| (plot / 27.0).clamp(alone, 12.0))
    }

    /// How much higher than for a building alone: a plot lies flat, and its far side behind the building.
    fn lift(&self) -> f64 {
        if self.plot.is_some() { 1.5 } else { 1.0 }
    }

    /// Half the height of what is shown from straight above and near, metres.
    fn half_shown_from_above(&self) -> f64 {
        let alone = (self.radius * 3.4 + 8.0).max(34.0);
        self.plot.map_or(alone, |plot| (plot * 1.45).max(30.0))
    }

    /// Where the camera is after the share `t` of the time, when only `share` of the path is flown: its end.
    fn pose(&self, place: &Place, path: Path, t: f64, share: f64) -> Pose {
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

    /// Height above the datum from which nothing is hit and the property's top is seen past what stands before it.
    fn needed_height(&self, obstacles: &Obstacles, at: DVec2) -> f64 {
        let mut needed = obstacles.highest(at, CLEARANCE) + CLEARANCE;
        let distance = at.distance(self.centre);
        let seen = self.ground + (self.top - self.ground) * 0.25;
        let steepest = self.top + distance * 44f64.to_radians().tan();
        let mut along = self.radius + 3.0;
        while along < distance {
            let share = along / distance;
            let top = obstacles.highest(self.centre.lerp(at, share), 2.0) + 1.5;
            needed = needed.max((seen + (top - seen) / share).min(steepest));
            along += 2.0;
        }
        needed
    }
}

/// Height of the property's ridge over its ground, metres; of a little house where no building is known.
fn property_height(place: &Place) -> f64 {
    place.property.building.map_or(4.0, |b| place.buildings[b].ridge)
}

/// Unit vector of a bearing, radians clockwise from north.
pub(crate) fn bearing_vector(bearing: f64) -> DVec2 {
    dvec2(bearing.sin(), bearing.cos())
}

/// Eased progress: still at both ends, even in between; `share` is the part of the time spent on each ramp.
fn ease(t: f64, share: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    // Speed rises as a raised cosine over `share`, stays, and falls; this is its integral, scaled to 1.
    let ramp = |t: f64| {
        let x = t / share;
        0.5 * share * (x - (std::f64::consts::PI * x).sin() / std::f64::consts::PI)
    };
    let total = 1.0 - share;
    let covered = if t < share {
        ramp(t)
    } else if t > 1.0 - share {
        total - ramp(1.0 - t)
    } else {
        0.5 * share + (t - share)
    };
    covered / total
}

/// The larger of two heights, rounded off over `width` metres where they meet; never below either.
fn soft_max(a: f64, b: f64, width: f64) -> f64 {
    let d = (width - (a - b).abs()).max(0.0) / width;
    a.max(b) + d * d * width * 0.25
}

/// A smooth curve that lies nowhere below `values`: the highest value within twice `radius` samples, averaged twice over
/// `radius` samples to each side, so that neither its slope nor its bend jumps.
fn soft_ceiling(values: &[f64], radius: usize) -> Vec<f64> {
    // Mirrored at both ends, where the curve therefore lies level.
    let last = values.len() as isize - 1;
    let mirrored = |i: isize| (if i < 0 { -i } else { last - (last - i).abs() }).clamp(0, last) as usize;
    let window =
        |i: usize, reach: usize| (-(reach as isize)..=reach as isize).map(move |d| (d, mirrored(i as isize + d)));
    let mut curve: Vec<f64> =
        (0..values.len()).map(|i| window(i, 2 * radius).map(|(_, j)| values[j]).fold(f64::MIN, f64::max)).collect();
    let weight = |d: isize| 0.5 + 0.5 * (std::f64::consts::PI * d as f64 / (radius + 1) as f64).cos();
    for _ in 0..2 {
        curve = (0..values.len())
            .map(|i| {
                let (sum, total) = window(i, radius)
                    .fold((0.0, 0.0), |(sum, total), (d, j)| (sum + weight(d) * curve[j], total + weight(d)));
                sum / total
            })
            .collect();
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easing_starts_and_ends_still_and_never_turns_back() {
        for share in [0.15, 0.3, 0.45] {
            assert!(ease(0.0, share).abs() < 1e-12 && (ease(1.0, share) - 1.0).abs() < 1e-12);
            assert!(ease(0.01, share) < 0.001);
            for i in 0..1000 {
                assert!(ease(f64::from(i + 1) / 1000.0, share) >= ease(f64::from(i) / 1000.0, share));
            }
        }
    }

    #[test]
    fn the_soft_ceiling_lies_nowhere_below_what_it_covers() {
        let values: Vec<f64> = (0..300).map(|i| f64::from((i * 7919) % 83)).collect();
        for (smooth, value) in soft_ceiling(&values, 20).iter().zip(&values) {
            assert!(smooth >= value);
        }
    }
}
