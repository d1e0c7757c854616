//! The camera of a photo with the horizon, by the best evidence there is.

use crate::Photo;
use crate::lines::Segment;
use crate::room::{Camera, Frame};

use super::horizon::Bounds;

/// Vertical position of the horizon without evidence, as a share of the height from the top: cameras are held a little downwards
/// more often than upwards.
const USUAL_HORIZON: f64 = 0.47;
/// Focal length without evidence, in longer sides.
const USUAL_FOCAL: f64 = 0.8;

/// Shares of the length of segments that a frame has to explain: all its axes, and the upright one.
const LEAST_SHARE: f64 = 0.35;
const LEAST_UPRIGHT: f64 = 0.05;
/// Tilts beyond which a frame is a mistake, degrees.
const MOST_PITCH: f64 = 40.0;
const MOST_ROLL: f64 = 12.0;
/// Greatest lean of verticals, as a slope.
const NEARLY_VERTICAL: f64 = 0.2;
/// How far a horizon may lie beyond its bounds, as a share of the height.
const MOST_MISSED: f64 = 0.06;
/// Length of verticals, in heights of the photo, that leaves no doubt.
const ENOUGH_VERTICALS: f64 = 2.0;
const LEAST_VERTICALS: f64 = 0.6;

/// What a view rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Lines along three perpendicular directions.
    Frame,
    /// Lines that are vertical in reality.
    Verticals,
    /// Where the ground ends or the sky begins.
    Ground,
    /// The usual way to hold a camera.
    Prior,
}

/// The camera of a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The camera with its rotation; its yaw is 0 unless the basis is a frame.
    pub camera: Camera,
    /// What pitch and roll rest on.
    pub basis: Basis,
    /// Confidence in pitch and roll, 0 to 1.
    pub confidence: f64,
}

impl View {
    /// Estimates the view of a photo. `frame` is the best frame, however uncertain; `bounds` are those of the horizon.
    #[must_use]
    pub fn of(photo: &Photo, segments: &[Segment], frame: Option<&Frame>, bounds: &Bounds) -> Self {
        let (width, height) = (photo.width, photo.height);
        if let Some(view) = frame.filter(|f| is_plausible(f)).map(Self::of_frame)
            && bounds.miss(view.horizon_at(width as f64 / 2.0) / height as f64) < MOST_MISSED
        {
            return view;
        }
        let focal = photo.focal().unwrap_or(USUAL_FOCAL * width.max(height) as f64);
        let row = bounds.nearest(USUAL_HORIZON);
        // Upward pitch that puts the horizon into this row.
        let usual = libm::atan((row - 0.5) * height as f64 / focal);
        let strength = bounds.strength(USUAL_HORIZON);
        if let Some((roll, pitch, confidence)) = leaning(photo, segments, focal, usual) {
            let camera = Camera::turned(width, height, focal, pitch, roll, 0.0);
            let view = Self { camera, basis: Basis::Verticals, confidence: confidence + 0.2 * strength };
            if bounds.miss(view.horizon_at(width as f64 / 2.0) / height as f64) < MOST_MISSED {
                return view;
            }
        }
        let camera = Camera::turned(width, height, focal, usual, 0.0, 0.0);
        let basis = if strength > 0.3 { Basis::Ground } else { Basis::Prior };
        Self { camera, basis, confidence: 0.15 + 0.3 * strength }
    }

    fn of_frame(frame: &Frame) -> Self {
        let balance = frame.upright_balance[0].min(frame.upright_balance[1]);
        let confidence = 0.5 * ramp(frame.share(), LEAST_SHARE, 0.7)
            + 0.25 * ramp(frame.shares[2], LEAST_UPRIGHT, 0.25)
            + 0.25 * ramp(balance, 0.02, 0.12);
        Self { camera: frame.camera, basis: Basis::Frame, confidence }
    }

    /// Row of the horizon in the column `x`, pixels of the photo; may lie outside of it.
    #[must_use]
    pub fn horizon_at(&self, x: f64) -> f64 {
        let [a, b, c] = self.camera.horizon();
        -(a * x + c) / if b.abs() < 1e-9 { 1e-9 } else { b }
    }
}

fn is_plausible(frame: &Frame) -> bool {
    frame.share() >= LEAST_SHARE
        && frame.shares[2] >= LEAST_UPRIGHT
        && frame.camera.pitch().abs().to_degrees() < MOST_PITCH
        && frame.camera.roll().abs().to_degrees() < MOST_ROLL
}

/// Roll, pitch and confidence from nearly vertical segments: with an upward pitch, verticals on the right lean to the left.
/// Regularized toward the usual pitch by iteratively reweighted least squares.
fn leaning(photo: &Photo, segments: &[Segment], focal: f64, usual: f64) -> Option<(f64, f64, f64)> {
    let height = photo.height as f64;
    // Position off the center in focal lengths, lean to the right going up, length in heights.
    let verticals: Vec<[f64; 3]> = segments
        .iter()
        .filter(|s| s.length() > 0.03 * height)
        .filter_map(|s| {
            let [x, y] = s.direction();
            let lean = -x / y;
            (y.abs() > 0.9 && lean.abs() < NEARLY_VERTICAL)
                .then(|| [(s.middle()[0] - photo.width as f64 / 2.0) / focal, lean, s.length() / height])
        })
        .collect();
    let total: f64 = verticals.iter().map(|v| v[2]).sum();
    if total < LEAST_VERTICALS {
        return None;
    }
    let (mut roll, mut pitch) = (0.0, usual);
    let mut agreeing = 0.0;
    for _ in 0..12 {
        // lean = -roll - pitch * x, with a prior of 1.5 degrees for the roll, and of 5 degrees for the difference of the pitch from
        // the usual one.
        let (mut xx, mut x1, mut one, mut xl, mut l) = (0.3, 0.0, 3.0, -0.3 * usual, 0.0);
        agreeing = 0.0;
        for [x, lean, length] in &verticals {
            let off = lean + roll + pitch * x;
            let weight = length * 10.0 / (1.0 + (off / 0.015).powi(2));
            agreeing += length / (1.0 + (off / 0.015).powi(2));
            xx += weight * x * x;
            x1 += weight * x;
            one += weight;
            xl += weight * x * lean;
            l += weight * lean;
        }
        let determinant = (xx * one - x1 * x1).max(1e-9);
        pitch = -(xl * one - l * x1) / determinant;
        roll = -(xx * l - x1 * xl) / determinant;
    }
    let confidence = 0.2 + 0.4 * ramp(agreeing, 0.3 * ENOUGH_VERTICALS, ENOUGH_VERTICALS) * (agreeing / total);
    Some((roll, pitch, confidence))
}

fn ramp(value: f64, from: f64, to: f64) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};

    use super::*;

    fn poles(camera: &Camera) -> Vec<Segment> {
        let pole = |x: f64| {
            let ends = [-1.0, 2.0].map(|z| camera.pixel(DVec3::new(x, 6.0, z)).unwrap());
            Segment::new(ends[0].to_array(), ends[1].to_array())
        };
        [-3.0, -2.2, -1.0, 0.4, 1.5, 2.6].map(pole).to_vec()
    }

    #[test]
    fn leaning_poles_give_pitch_and_roll_without_a_frame() {
        for (pitch, roll) in [(0.12, 0.0), (-0.10, 0.02), (0.05, -0.03)] {
            let camera = Camera::turned(1200, 800, 960.0, pitch, roll, 0.0);
            let photo = Photo::new(1200, 800, vec![[0; 3]; 1200 * 800]);
            let view = View::of(&photo, &poles(&camera), None, &Bounds::NONE);
            assert_eq!(view.basis, Basis::Verticals);
            let off = (view.camera.pitch() - pitch).hypot(view.camera.roll() - roll).to_degrees();
            assert!(off < 1.2, "{pitch} {roll}: {off} degrees off");
        }
    }

    #[test]
    fn a_photo_without_lines_has_the_usual_horizon_unless_the_sky_says_otherwise() {
        let photo = Photo::new(900, 600, vec![[0; 3]; 900 * 600]);
        let usual = View::of(&photo, &[], None, &Bounds::NONE);
        assert_eq!(usual.basis, Basis::Prior);
        assert!((usual.horizon_at(450.0) / 600.0 - USUAL_HORIZON).abs() < 1e-6);
        let low = View::of(&photo, &[], None, &Bounds { above: 0.7, ..Bounds::NONE });
        assert_eq!(low.basis, Basis::Ground);
        assert!(low.horizon_at(450.0) > 0.7 * 600.0 && low.confidence > usual.confidence);
        let ray = low.camera.ray(DVec2::new(450.0, low.horizon_at(450.0)));
        assert!(ray.z.abs() < 1e-9, "the horizon is level");
    }
}
