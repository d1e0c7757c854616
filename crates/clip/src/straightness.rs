//! How straight the lines of a photo stay in a clip, and how upright the upright ones, from the poses and depths by which it is drawn.

use glam::{DVec2, DVec3};

use crate::bodies::Bodies;
use crate::camera_path::CameraPath;
use crate::pose::Pose;
use crate::proxy::Proxy;

/// Sample points on a line, and share of it at either end that is left out: the ends may lie on what it runs into.
const SAMPLES: usize = 24;
const ENDS: f64 = 0.06;
/// Sine of the largest angle to the zenith of an upright line.
const UPRIGHT: f64 = 0.035;

/// What becomes of a line at the far end of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedLine {
    /// The line in the photo, in pixels of the frame.
    pub line: [DVec2; 2],
    /// Greatest distance of its points from the straight line that fits them best, as a share of the frame's width.
    pub bend: f64,
    /// How far its upper end leans away from its lower one, more than in the photo, as a share of the frame's width; `None` if it
    /// is not upright.
    pub lean: Option<f64>,
}

impl MovedLine {
    /// The straight lines of a photo, in pixels of the frame, at the far end of a path. Lines that leave the frame are left out.
    #[must_use]
    pub fn all(proxy: &Proxy, course: &CameraPath, bodies: Option<&Bodies>, lines: &[[DVec2; 2]]) -> Vec<Self> {
        let end = course.pose(proxy, 1.0);
        lines.iter().filter_map(|line| Self::of(proxy, &end, bodies, *line)).collect()
    }

    fn of(proxy: &Proxy, pose: &Pose, bodies: Option<&Bodies>, line: [DVec2; 2]) -> Option<Self> {
        let (width, height) = (proxy.camera.width as f64, proxy.camera.height as f64);
        let start = proxy.start();
        let at = |n: usize| line[0].lerp(line[1], ENDS + (1.0 - 2.0 * ENDS) * n as f64 / (SAMPLES - 1) as f64);
        let mut moved = Vec::with_capacity(SAMPLES);
        for pixel in (0..SAMPLES).map(at) {
            let nearness = bodies
                .and_then(|bodies| bodies.nearness_at(pixel))
                .unwrap_or_else(|| proxy.main().nearness(proxy.ray_matrix(&start) * pixel.extend(1.0)).max(1e-4));
            let (seen, _) = proxy.seen_at(pose, pixel, nearness)?;
            if seen.x < 0.0 || seen.y < 0.0 || seen.x > width || seen.y > height {
                return None;
            }
            moved.push(seen);
        }
        let middle = moved.iter().sum::<DVec2>() / SAMPLES as f64;
        let along = moved.iter().fold([0.0; 3], |[xx, xy, yy], p| {
            let d = *p - middle;
            [xx + d.x * d.x, xy + d.x * d.y, yy + d.y * d.y]
        });
        let direction = DVec2::from_angle(0.5 * libm::atan2(2.0 * along[1], along[0] - along[2]));
        let bend = moved.iter().map(|p| direction.perp_dot(*p - middle).abs()).fold(0.0, f64::max) / width;
        let slant = |pose: &Pose, middle: DVec2, direction: DVec2| {
            let zenith = pose.rotation * DVec3::Z;
            let zenith = zenith.truncate() * pose.focal + proxy.camera.center * zenith.z - middle * zenith.z;
            let toward = zenith.normalize_or(DVec2::Y);
            let direction = if direction.dot(toward) < 0.0 { -direction } else { direction };
            direction.perp_dot(toward)
        };
        let before = slant(&start, line[0].lerp(line[1], 0.5), (line[1] - line[0]).normalize_or_zero());
        let lean = (before.abs() <= UPRIGHT).then(|| {
            let length = moved[SAMPLES - 1] - moved[0];
            (slant(pose, middle, direction) - before).abs() * length.length() / width
        });
        Some(Self { line, bend, lean })
    }
}

#[cfg(test)]
mod tests {
    use aerie_photo::room::Camera;

    use super::*;
    use crate::proxy::{Kind, Surface};

    fn moved(line: [[f64; 2]; 2]) -> MovedLine {
        let camera = Camera::turned(960, 640, 700.0, 0.0, 0.0, 0.0);
        let planes = vec![-DVec3::Z, DVec3::Y / 4.0];
        let surfaces = vec![Surface { planes, corner: Vec::new() }];
        let shown = [0.0, 0.0, 960.0, 640.0];
        let proxy = Proxy { kind: Kind::Room, surfaces, camera, shown, marks: Vec::new(), reach: 1.0 };
        let pose = Pose { position: proxy.right() * 0.15, ..proxy.start() };
        MovedLine::of(&proxy, &pose, None, line.map(DVec2::from_array)).expect("it stays in view")
    }

    #[test]
    fn a_line_on_a_wall_stays_straight_and_upright_and_one_over_its_foot_does_neither() {
        // The wall meets the floor at row 495.
        let on_wall = moved([[500.0, 200.0], [500.0, 480.0]]);
        assert!(on_wall.bend < 1e-6 && on_wall.lean.is_some_and(|lean| lean < 1e-6), "{on_wall:?}");
        let across = moved([[480.0, 380.0], [480.0, 620.0]]);
        assert!(across.bend > 0.001 && across.lean.is_some_and(|lean| lean > 0.004), "{across:?}");
        let level = moved([[300.0, 300.0], [700.0, 310.0]]);
        assert!(level.bend < 1e-6 && level.lean.is_none(), "{level:?}");
    }
}
