//! A house from outside as one or two façades on the ground.
//!
//! Lines along X lie on a façade across Y and the other way round, and no vertical line lies on the ground. A house of one façade, or
//! of two that meet in a corner toward the camera, is given by the direction of the corner and the position of the foot of the walls:
//! all combinations are scored by the lines of the photo, and the best is checked.

use aerie_photo::lines::Segment;
use aerie_photo::room::{Camera, Frame};
use glam::{DVec2, DVec3};

/// Largest angle between a segment and its axis, degrees.
const ALONG_AXIS: f64 = 2.5;
/// Number of corner directions and of foot rows that are tried.
const CORNERS: usize = 48;
const FEET: usize = 40;
/// Distance of the background, in distances of the nearest wall.
const FARTHEST: f64 = 3.0;

/// Least share of all lines that runs along an axis, and along the upright one.
const LEAST_SHARE: f64 = 0.55;
const LEAST_UPRIGHT: f64 = 0.1;
/// Largest share of horizontal lines on walls that may contradict them.
const MOST_DIFFERENT: f64 = 0.22;
/// Least share of the foot of the walls that lines run along; with less, ground and walls cannot be separated.
const LEAST_FOOT: f64 = 0.25;

/// Façades on the ground, seen from the origin; the ground lies at z = -1.
#[derive(Debug, Clone, PartialEq)]
pub struct Facades {
    /// Walls as planes `a · x = 1`: one, or two whose nearer half-spaces' intersection is the house.
    pub walls: Vec<DVec3>,
    /// Stands for everything beyond, across Y.
    pub beyond: DVec3,
    /// Whether lines show where the walls meet the ground; otherwise nothing is known about the ground.
    pub stands: bool,
    /// Evidence for them.
    pub evidence: Evidence,
}

/// How well façades explain a picture's lines; shares of the length of lines along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// Level lines that lie on a wall along which they run.
    pub agree: f64,
    /// Level lines that would run into their wall.
    pub differ: f64,
    /// Upright lines that would lie on the ground.
    pub upset: f64,
    /// Lines along the foot, as a share of the foot's length.
    pub foot: f64,
    /// How far above the foot the lowest upright line ends: a share of its depth under the horizon. Paving has lines too,
    /// but nothing stands on it.
    pub gap: f64,
    /// Upright lines along the corner, as a share of the picture's height.
    pub corner: f64,
    /// Score.
    pub score: f64,
}

impl Facades {
    /// One over the level distance that a level direction goes to a wall.
    fn nearness(&self, direction: DVec3) -> f64 {
        let wall = self.walls.iter().map(|a| a.dot(direction)).fold(f64::INFINITY, f64::min);
        wall.max(self.beyond.dot(direction)).max(0.0)
    }

    /// Index of the wall that a horizontal direction meets, or `None` if it misses.
    fn wall(&self, direction: DVec3) -> Option<usize> {
        let of = |i: &usize| self.walls[*i].dot(direction);
        let least = (0..self.walls.len()).min_by(|a, b| of(a).total_cmp(&of(b)))?;
        (of(&least) > self.beyond.dot(direction)).then_some(least)
    }

    /// How far below the foot a pixel lies, as a share of its depth under the horizon: above 0 on the ground.
    pub(crate) fn below(&self, camera: &Camera, pixel: DVec2) -> f64 {
        let ray = camera.ray(pixel);
        // Ground: 1 / distance = -z; wall: nearness of the level part.
        let wall = self.nearness(DVec3::new(ray.x, ray.y, 0.0));
        let ground = (-ray.z).max(0.0);
        (ground - wall) / ground.max(wall).max(1e-9)
    }

    /// Foot of the corner between two walls.
    fn corner(&self) -> Option<DVec3> {
        let [ahead, across] = self.walls.as_slice() else { return None };
        Some(DVec3::new(1.0 / across.x, 1.0 / ahead.y, -1.0))
    }

    /// Whether they are reliable: most lines agree with the frame, it is upright, and lines lie on their walls.
    #[must_use]
    pub fn is_confident(&self, frame: &Frame) -> bool {
        let Evidence { agree, differ, upset, .. } = self.evidence;
        let camera = &frame.camera;
        frame.share() >= LEAST_SHARE
            && frame.shares[2] >= LEAST_UPRIGHT
            && frame.upright_balance.iter().all(|share| *share >= 0.1)
            && camera.roll().abs().to_degrees() <= 5.0
            && agree >= 0.25
            && differ <= MOST_DIFFERENT * (agree + differ)
            && upset <= 0.02
    }

    /// The façades that explain the lines of a photo best.
    #[must_use]
    pub fn best(segments: &[Segment], frame: &Frame) -> Option<Self> {
        let camera = &frame.camera;
        let lines: Vec<Line> = segments.iter().filter_map(|s| Line::of(s, frame)).collect();
        let total: f64 = lines.iter().map(|l| l.length).sum();
        if total <= 0.0 {
            return None;
        }
        let (width, height) = (camera.width as f64, camera.height as f64);
        let mut best: Option<Self> = None;
        for foot in 0..FEET {
            // Where the foot is seen in the middle column, from just under the horizon to the picture's lower edge.
            let [a, b, c] = camera.horizon();
            let level = -(a * width / 2.0 + c) / b;
            let from = level.max(height * 0.3) + 0.02 * height;
            let row = from + (height - from) * (foot as f64 + 0.5) / FEET as f64;
            let place = {
                let ray = camera.ray(DVec2::new(width / 2.0, row));
                if ray.z > -1e-3 {
                    continue;
                }
                ray / -ray.z
            };
            for corner in 0..=2 * CORNERS {
                let Some(facades) = Self::tried(camera, place, corner) else { continue };
                let evidence = facades.explain(&lines, camera, total);
                if best.as_ref().is_none_or(|b| evidence.score > b.evidence.score) {
                    best = Some(Self { evidence, ..facades });
                }
            }
        }
        best.map(|best| Self { stands: best.evidence.foot >= LEAST_FOOT, ..best })
    }

    /// Hypothesis `number`, whose foot goes through a point of the ground.
    fn tried(camera: &Camera, place: DVec3, number: usize) -> Option<Self> {
        if number == 0 {
            let wall = DVec3::Y / place.y;
            return (place.y > 0.1).then(|| Self {
                walls: vec![wall],
                beyond: wall / FARTHEST,
                stands: true,
                evidence: Evidence::default(),
            });
        }
        let number = number - 1;
        let side = if number < CORNERS { 1.0 } else { -1.0 };
        let share = ((number % CORNERS) as f64 + 0.5) / CORNERS as f64;
        // The corner's column, a little beyond both edges too.
        let column = (share * 1.2 - 0.1) * camera.width as f64;
        let ray = camera.ray(DVec2::new(column, camera.center.y));
        if ray.x * side < 0.02 || ray.y < 0.05 {
            return None;
        }
        // A house of x > c and y > d (or x < -c and y > d), its corner in that direction, its foot through the place.
        let (across, ahead) = (DVec3::X / ray.x, DVec3::Y / ray.y);
        let at = across.dot(place).min(ahead.dot(place));
        (at > 0.05).then(|| {
            let (across, ahead) = (across / at, ahead / at);
            Self { walls: vec![ahead, across], beyond: ahead / FARTHEST, stands: true, evidence: Evidence::default() }
        })
    }

    fn explain(&self, lines: &[Line], camera: &Camera, total: f64) -> Evidence {
        let mut evidence = Evidence::default();
        let mut along_foot = 0.0;
        let corner = self.corner();
        let mut reached = -1.0_f64;
        for line in lines {
            let ray = camera.ray(line.middle);
            let below = self.below(camera, line.middle);
            let wall = self.wall(DVec3::new(ray.x, ray.y, 0.0));
            if line.axis == 2 {
                let at = corner.and_then(|corner| camera.pixel(corner.with_z(ray.z / ray.y * corner.y)));
                if below < 0.0 && at.is_some_and(|at| (at.x - line.middle.x).abs() < 0.008 * camera.width as f64) {
                    evidence.corner += line.length / camera.height as f64;
                }
                // The part of it that lies on the ground, but for a little at its foot.
                let low = self.below(camera, line.lowest);
                if line.length > 0.04 * camera.height as f64 {
                    reached = reached.max(low.min(0.0));
                }
                if low > 0.06 {
                    evidence.upset += line.length * if below > 0.06 { 1.0 } else { 0.4 };
                }
                continue;
            }
            let is_along = wall.is_none_or(|w| w == line.axis);
            if below.abs() < 0.035 && wall.is_some() && is_along {
                along_foot += line.length;
            }
            if below > 0.0 {
                continue;
            }
            match wall {
                Some(_) if is_along => evidence.agree += line.length,
                Some(_) => evidence.differ += line.length,
                None => evidence.differ += 0.3 * line.length,
            }
        }
        evidence.agree /= total;
        evidence.differ /= total;
        evidence.upset /= total;
        evidence.foot = along_foot / camera.width as f64;
        evidence.gap = -reached;
        evidence.score = evidence.agree - evidence.differ - 3.0 * evidence.upset - 0.4 * evidence.gap
            + 0.5 * evidence.foot.min(0.6)
            + 0.3 * evidence.corner.min(0.5);
        if self.walls.len() > 1 {
            evidence.score -= 0.05;
        }
        evidence
    }
}

/// A segment along an axis.
struct Line {
    axis: usize,
    length: f64,
    middle: DVec2,
    lowest: DVec2,
}

impl Line {
    fn of(segment: &Segment, frame: &Frame) -> Option<Self> {
        let axis = frame.axis_of(segment, ALONG_AXIS)?;
        let ends = [segment.a, segment.b].map(DVec2::from_array);
        let lowest = if ends[0].y > ends[1].y { ends[0] } else { ends[1] };
        Some(Self { axis, length: segment.length(), middle: DVec2::from_array(segment.middle()), lowest })
    }
}
