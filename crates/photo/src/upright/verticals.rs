//! The vertical direction from upright segments alone.
//!
//! Pitch and roll get the posterior of a mixture: a segment either runs along the vertical, within its standard error, or says
//! nothing. The prior is that of a camera held nearly level, so that segments on one side of the photo only do not invent a
//! tilt on the other. The best direction on a grid is refined by iteratively reweighted least squares with the same kernel. No
//! other axis is needed, which makes it work on façades and rooms that show few right angles.

use glam::{DVec2, DVec3};

use crate::lines::Segment;
use crate::room::camera::middle;
use crate::room::frame::evidence::{Evidence, Piece};

/// Pitch and roll of a camera, degrees.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tilt {
    /// Upward pitch.
    pub pitch: f64,
    /// Clockwise roll.
    pub roll: f64,
}

/// Image size and focal length, pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lens {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) focal: f64,
}

/// The vertical direction.
#[derive(Debug, Clone)]
pub(super) struct Verticals {
    /// The most probable tilt.
    pub(super) tilt: Tilt,
    /// Weight of the segments along it, in segments of ordinary length.
    pub(super) support: f64,
    lens: Lens,
    /// Probable tilts, with their probabilities.
    posterior: Vec<(f64, Tilt)>,
}

/// Prior of the tilt of cameras held by hand, degrees.
const PITCH_SPREAD: f64 = 8.0;
const ROLL_SPREAD: f64 = 3.0;
/// The grid, degrees.
const MOST_PITCH: i32 = 36;
const MOST_HALF_ROLL: i32 = 24;
/// Log likelihood of a segment of ordinary length along the vertical, against one in any direction; less than that of independent
/// segments, as those of one window agree in their errors.
const CERTAINTY: f64 = 1.5;
/// Standard deviations by which the best support stands out, and its share of all upright segments: where they are no better than
/// chance, and where they are clear.
const STANDS_OUT: [f64; 2] = [1.8, 3.2];
const AGREEMENT: [f64; 2] = [0.25, 0.5];
/// Pitch up to which tilts are compared, degrees.
const ORDINARY_PITCH: f64 = 15.0;
/// Length of segments below which they count less, in longer sides: detail rather than structure.
const STRUCTURE: f64 = 0.05;
/// Standard error that covers half a step of the grid, radians.
const GRID_ERROR: f64 = 0.4 * std::f64::consts::PI / 180.0;
/// Least cosine between a segment and the image's vertical: 30 degrees.
const UPRIGHT: f64 = 0.866;
/// Where leans are measured, in widths from the center.
const ASIDE: f64 = 0.4;

impl Lens {
    /// Leans of verticals at the left and right of the image under a tilt, degrees.
    pub(super) fn leans(&self, tilt: Tilt) -> [f64; 2] {
        let aside = ASIDE * self.width as f64 / self.focal;
        [-aside, aside].map(|x| {
            let toward = up(tilt);
            (toward.x - x * toward.z).atan2(-toward.y).to_degrees()
        })
    }

    /// The greater of both.
    pub(super) fn worst_lean(&self, tilt: Tilt) -> f64 {
        self.leans(tilt).into_iter().fold(0.0, |most, lean| lean.abs().max(most))
    }

    fn unit(&self) -> f64 {
        self.width.max(self.height) as f64
    }
}

impl Verticals {
    /// Estimates the vertical; `None` without upright segments.
    pub(super) fn find(segments: &[Segment], lens: Lens) -> Option<Self> {
        let evidence = Evidence::new(segments, middle(lens.width, lens.height), lens.unit());
        let mut pieces = evidence.pieces;
        pieces.retain(|p| p.along.y.abs() > UPRIGHT);
        pieces.iter_mut().for_each(|p| p.weight *= (p.length / STRUCTURE).min(1.0));
        if pieces.is_empty() {
            return None;
        }
        let focal = lens.focal / lens.unit();
        let mut scored: Vec<(f64, Tilt)> = Vec::new();
        for pitch in -MOST_PITCH..=MOST_PITCH {
            for half in -MOST_HALF_ROLL..=MOST_HALF_ROLL {
                let tilt = Tilt { pitch: f64::from(pitch), roll: f64::from(half) / 2.0 };
                scored.push((support(&pieces, focal, tilt, GRID_ERROR), tilt));
            }
        }
        let total = pieces.iter().map(|p| p.weight).sum();
        let certainty = CERTAINTY * distinctness(&scored, total);
        scored.iter_mut().for_each(|(score, tilt)| *score = certainty * *score - penalty(*tilt));
        let best = scored.iter().max_by(|a, b| a.0.total_cmp(&b.0)).copied()?;
        scored.retain(|s| s.0 > best.0 - 8.0);
        let sum: f64 = scored.iter().map(|s| (s.0 - best.0).exp()).sum();
        let posterior = scored.iter().map(|s| ((s.0 - best.0).exp() / sum, s.1)).collect();
        let tilt = refined(&pieces, focal, certainty, best.1);
        let support = support(&pieces, focal, tilt, 0.0);
        Some(Self { tilt, support, lens, posterior })
    }

    /// Expected worst lean after a correction, degrees.
    pub(super) fn expected_lean(&self, corrected: Tilt) -> f64 {
        let [left, right] = self.lens.leans(corrected);
        let expected = self.posterior.iter().map(|(probability, tilt)| {
            let leans = self.lens.leans(*tilt);
            probability * (leans[0] - left).abs().max((leans[1] - right).abs())
        });
        expected.sum()
    }
}

/// Up in camera axes, as [`Camera::up`](crate::room::Camera::up).
fn up(tilt: Tilt) -> DVec3 {
    let (pitch, roll) = (tilt.pitch.to_radians(), tilt.roll.to_radians());
    DVec3::new(-roll.sin() * pitch.cos(), -roll.cos() * pitch.cos(), pitch.sin())
}

/// Vanishing point in longer sides, homogeneous.
fn vanishing(tilt: Tilt, focal: f64) -> DVec3 {
    let up = up(tilt);
    DVec3::new(up.x * focal, up.y * focal, up.z)
}

/// 1 along the vertical, falling to 0.
fn kernel(z: f64) -> f64 {
    let t = 1.0 + 0.25 * z * z;
    1.0 / (t * t)
}

/// Weight of the segments along a vertical.
fn support(pieces: &[Piece], focal: f64, tilt: Tilt, error: f64) -> f64 {
    let toward = vanishing(tilt, focal);
    pieces.iter().map(|p| p.weight * kernel(p.off(toward) / p.sigma.hypot(error))).sum()
}

/// Negative logarithm of the prior.
fn penalty(tilt: Tilt) -> f64 {
    0.5 * ((tilt.pitch / PITCH_SPREAD).powi(2) + (tilt.roll / ROLL_SPREAD).powi(2))
}

/// How clearly the best support stands out from that of all ordinary tilts and among all upright segments, 0 to 1: the stalks of
/// a field or the boards of a floor support every tilt about equally, and agree on none.
fn distinctness(supported: &[(f64, Tilt)], total: f64) -> f64 {
    let ordinary = || supported.iter().filter(|s| s.1.pitch.abs() <= ORDINARY_PITCH).map(|s| s.0);
    let count = ordinary().count() as f64;
    let mean = ordinary().sum::<f64>() / count;
    let spread = (ordinary().map(|s| (s - mean).powi(2)).sum::<f64>() / count).sqrt();
    let most = supported.iter().map(|s| s.0).fold(0.0, f64::max);
    let rise = |value: f64, [from, to]: [f64; 2]| ((value - from) / (to - from)).clamp(0.05, 1.0);
    rise((most - mean) / spread.max(1e-9), STANDS_OUT) * rise(most / total, AGREEMENT)
}

/// Ascends from a direction to the nearest maximum of the score.
fn refined(pieces: &[Piece], focal: f64, certainty: f64, mut at: Tilt) -> Tilt {
    const STEP: f64 = 1e-3;
    for round in 0..15 {
        // From the error of the grid to that of the segments alone.
        let error = if round < 5 { GRID_ERROR } else { 0.0 };
        let now = vanishing(at, focal);
        let moved = [Tilt { pitch: at.pitch + STEP, ..at }, Tilt { roll: at.roll + STEP, ..at }]
            .map(|tilt| vanishing(tilt, focal));
        let prior = [PITCH_SPREAD, ROLL_SPREAD].map(|spread| 1.0 / (spread * spread));
        let (mut pitches, mut rolls, mut both) = (prior[0], prior[1], 0.0);
        let mut right = DVec2::new(-at.pitch * prior[0], -at.roll * prior[1]);
        for piece in pieces {
            let off = piece.off(now);
            let sigma = piece.sigma.hypot(error);
            let t = 1.0 + 0.25 * (off / sigma).powi(2);
            let weight = certainty * piece.weight / (t * t * t) / (sigma * sigma);
            let [by_pitch, by_roll] = moved.map(|toward| (piece.off(toward) - off) / STEP);
            pitches += weight * by_pitch * by_pitch;
            rolls += weight * by_roll * by_roll;
            both += weight * by_pitch * by_roll;
            right -= DVec2::new(by_pitch, by_roll) * (weight * off);
        }
        let determinant = pitches * rolls - both * both;
        if determinant <= 1e-12 {
            break;
        }
        let step = DVec2::new(rolls * right.x - both * right.y, pitches * right.y - both * right.x) / determinant;
        let step = step.clamp_length_max(2.0);
        at = Tilt { pitch: at.pitch + step.x, roll: at.roll + step.y };
        if round > 5 && step.length() < 1e-4 {
            break;
        }
    }
    at
}
