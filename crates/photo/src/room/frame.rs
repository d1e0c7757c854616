//! Manhattan frame: focal length and the three axes of a room or house from line segments.
//!
//! Vertical vanishing points are proposed from pairs of upright segments, which needs no focal length; for each of them and each
//! of a set of focal lengths, all other segments vote for the yaw. The best hypotheses are refined together with the focal length
//! by iteratively reweighted least squares (after Košecká and Zhang 2002, and the Manhattan search of Bazin et al. 2012). The
//! search is deterministic.
pub(crate) mod evidence;
mod refine;
mod verticals;
mod yaw;

use glam::{DMat3, DVec2, DVec3};

use super::camera::{Camera, middle};
use crate::Photo;
use crate::lines::Segment;
use evidence::{Evidence, Hypothesis};

/// Prior knowledge of the camera.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints {
    /// Focal length in pixels, from EXIF or calibration.
    pub focal: Option<f64>,
    /// Relative tolerance of that focal length; 0.05 by default.
    pub focal_tolerance: Option<f64>,
    /// Principal point in pixels; the center of the image by default.
    pub center: Option<[f64; 2]>,
}

impl Hints {
    /// Hints from a photo's metadata.
    #[must_use]
    pub fn of(photo: &Photo) -> Self {
        Self { focal: photo.focal(), ..Self::default() }
    }
}

/// Estimated camera and axes, with measures of certainty.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The camera.
    pub camera: Camera,
    /// Share of the total segment length along X, Y and Z, 0 to 1 each.
    pub shares: [f64; 3],
    /// Range of focal lengths that explain the segments almost as well, pixels: narrow where the segments determine the focal
    /// length.
    pub focal_range: [f64; 2],
    /// How well the segments determine the focal length: 1 to a few percent, 0 not at all. Ignores a focal length that was given.
    pub focal_sharpness: f64,
    /// Shares of the length of vertical segments in the left and right half of the image. The vertical direction is reliable
    /// where both are well above 0.
    pub upright_balance: [f64; 2],
}

impl Frame {
    /// Estimates the frame of an image of the given size; `None` with fewer than eight segments.
    #[must_use]
    pub fn find(segments: &[Segment], width: usize, height: usize, hints: &Hints) -> Option<Self> {
        if segments.len() < 8 {
            return None;
        }
        let center = hints.center.map_or_else(|| middle(width, height), DVec2::from_array);
        let unit = width.max(height) as f64;
        let evidence = Evidence::new(segments, center, unit);
        let tolerance = hints.focal_tolerance.unwrap_or(0.05).max(1e-3);
        let prior = hints.focal.map_or((PRIOR_FOCAL, PRIOR_SPREAD), |focal| (focal / unit, tolerance));
        let focals: Vec<f64> = match hints.focal {
            Some(focal) => vec![focal / unit],
            None => (0..FOCALS).map(focal_of).collect(),
        };
        let best = search(&evidence, &focals, prior)?;

        let (focal_range, focal_sharpness) = sharpness(&evidence, &best, prior.0);
        let shares = evidence.shares(&best);
        let camera = Camera { width, height, focal: best.focal * unit, center, rotation: labeled(best.rotation) };
        // The horizontal axes may have been swapped.
        let swapped = camera.rotation.x_axis.dot(best.rotation.x_axis).abs() < 0.5;
        let shares = if swapped { [shares[1], shares[0], shares[2]] } else { shares };
        Some(Self {
            camera,
            shares,
            focal_range: focal_range.map(|f| f * unit),
            focal_sharpness,
            upright_balance: evidence.upright_balance(&best),
        })
    }

    /// Share of the total segment length that the frame explains, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.shares.iter().sum()
    }

    /// Axis (0 X, 1 Y, 2 Z) that a segment runs along within `degrees`.
    #[must_use]
    pub fn axis_of(&self, segment: &Segment, degrees: f64) -> Option<usize> {
        let off = self.off_axes(segment);
        let best = (0..3).min_by(|a, b| off[*a].total_cmp(&off[*b]))?;
        (off[best] < degrees).then_some(best)
    }

    /// Number of axes that a segment runs along within `degrees`.
    pub(super) fn axes_near(&self, segment: &Segment, degrees: f64) -> usize {
        self.off_axes(segment).into_iter().filter(|off| *off < degrees).count()
    }

    /// Degrees between a segment and the lines from its midpoint to the three vanishing points.
    fn off_axes(&self, segment: &Segment) -> [f64; 3] {
        let middle = DVec2::from_array(segment.middle());
        let along = DVec2::from_array(segment.direction());
        [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
            let vanishing = self.camera.vanishing_point(axis);
            let toward = (vanishing.truncate() - middle * vanishing.z).normalize_or_zero();
            along.perp_dot(toward).abs().min(1.0).asin().to_degrees()
        })
    }
}

/// Prior of the focal length in units of the longer side, log-normal: 0.8 is the 29 mm of a phone, 0.45 a wide lens, 1.4 a normal
/// lens.
const PRIOR_FOCAL: f64 = 0.80;
const PRIOR_SPREAD: f64 = 0.40;
/// Number of focal lengths tried, in steps of 15 % from 0.36 of the longer side.
const FOCALS: usize = 14;

fn focal_of(step: usize) -> f64 {
    0.36 * 1.15_f64.powi(step as i32)
}

/// The best of all refined hypotheses.
fn search(evidence: &Evidence, focals: &[f64], prior: (f64, f64)) -> Option<Hypothesis> {
    let mut seeds: Vec<(f64, Hypothesis)> = Vec::new();
    let coarse = evidence.longest(COARSE);
    for upright in verticals::candidates(evidence) {
        for &focal in focals {
            let up = DVec3::new(upright.x / focal, upright.y / focal, upright.z).normalize();
            for rotation in yaw::peaks(&coarse, focal, up) {
                let hypothesis = Hypothesis { focal, rotation };
                seeds.push((coarse.score(&hypothesis, prior), hypothesis));
            }
        }
    }
    let best_of = |mut scored: Vec<(f64, Hypothesis)>, keep: usize| {
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(keep);
        scored
    };
    let seeds = best_of(seeds, REFINED);
    let near = seeds.into_iter().map(|(_, seed)| {
        let better = refine::refined(&coarse, seed, prior, true, 4);
        (evidence.score(&better, prior), better)
    });
    let refined = best_of(near.collect(), FINISHED).into_iter().map(|(_, seed)| {
        let better = refine::refined(evidence, seed, prior, true, 10);
        (evidence.score(&better, prior), better)
    });
    refined.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, best)| best)
}

/// Number of hypotheses that are refined coarsely, and of those refined fully.
const REFINED: usize = 60;
const FINISHED: usize = 10;
/// Number of longest segments used by the search; all are used in the final selection.
const COARSE: usize = 260;

/// Range of focal lengths that explain the segments almost as well, with the rotation refined for each; and its sharpness.
fn sharpness(evidence: &Evidence, best: &Hypothesis, prior: f64) -> ([f64; 2], f64) {
    let wide = (prior, 10.0);
    let full = evidence.score(best, wide);
    let walk = |factor: f64| {
        let mut current = *best;
        let mut edge = best.focal;
        for _ in 0..12 {
            current =
                refine::refined(evidence, Hypothesis { focal: current.focal * factor, ..current }, wide, false, 5);
            if full - evidence.score(&current, wide) > CLEARLY_WORSE {
                return (current.focal * edge).sqrt();
            }
            edge = current.focal;
        }
        edge
    };
    let range = [walk(1.0 / 1.1), walk(1.1)];
    let spread = (range[1] / range[0]).ln();
    (range, (1.0 - (spread - 0.1) / 1.0).clamp(0.0, 1.0))
}

/// Significant loss of score, in segments of ordinary length.
const CLEARLY_WORSE: f64 = 1.5;

/// Labels the axes: Z up, Y the horizontal one that points forward most, X to its right.
fn labeled(rotation: DMat3) -> DMat3 {
    let up = if rotation.z_axis.y > 0.0 { -rotation.z_axis } else { rotation.z_axis };
    let [a, b] = [rotation.x_axis, rotation.y_axis];
    let away = if a.z.abs() > b.z.abs() { a } else { b };
    let away = if away.z < 0.0 { -away } else { away };
    DMat3::from_cols(away.cross(up), away, up)
}

#[cfg(test)]
mod tests;
