//! The camera of a photo with the horizon, by the best evidence there is.

use crate::Photo;
use crate::lines::Segment;
use crate::room::{Camera, Frame};

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
    /// Confidence in the focal length, 0 to 1.
    pub focal_confidence: f64,
}

impl View {
    /// Estimates the view of a photo. `frame` is the best frame, however uncertain.
    #[must_use]
    pub fn of(photo: &Photo, segments: &[Segment], frame: Option<&Frame>) -> Self {
        let (width, height) = (photo.width, photo.height);
        if let Some(frame) = frame.filter(|f| is_plausible(f)) {
            let balance = frame.upright_balance[0].min(frame.upright_balance[1]);
            let confidence = 0.5 * ramp(frame.share(), LEAST_SHARE, 0.7)
                + 0.25 * ramp(frame.shares[2], LEAST_UPRIGHT, 0.25)
                + 0.25 * ramp(balance, 0.02, 0.12);
            let focal = if photo.focal().is_some() { 0.95 } else { frame.focal_sharpness };
            return Self { camera: frame.camera, basis: Basis::Frame, confidence, focal_confidence: focal };
        }
        let focal = photo.focal().unwrap_or(USUAL_FOCAL * width.max(height) as f64);
        let focal_confidence = if photo.focal().is_some() { 0.95 } else { 0.3 };
        let usual = ((0.5 - USUAL_HORIZON) * height as f64 / focal).atan();
        if let Some((roll, pitch, confidence)) = leaning(photo, segments, focal, usual) {
            let camera = Camera::turned(width, height, focal, pitch, roll, 0.0);
            return Self { camera, basis: Basis::Verticals, confidence, focal_confidence };
        }
        let camera = Camera::turned(width, height, focal, -usual, 0.0, 0.0);
        Self { camera, basis: Basis::Prior, confidence: 0.15, focal_confidence }
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
    let (mut roll, mut pitch) = (0.0, -usual);
    let mut agreeing = 0.0;
    for _ in 0..12 {
        // lean = -roll - pitch * x, with priors of 1.5 and 4 degrees.
        let (mut xx, mut x1, mut one, mut xl, mut l) = (0.3, 0.0, 1.0, 0.3 * usual, 0.0);
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
